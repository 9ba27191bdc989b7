//! The coast within the frame of a map: as a path, and as a grid of land cells.

use std::fmt::Write;
use std::sync::LazyLock;

use charts::geometry::{Area, Point};
use serde::Deserialize;

use crate::frame::MapFrame;

/// The rings of `data/coast.json`: longitude and latitude in degrees.
static RINGS: LazyLock<Vec<Vec<[f64; 2]>>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Coast {
        rings: Vec<Vec<[f64; 2]>>,
    }
    let read: Result<Coast, _> = serde_json::from_str(include_str!("../data/coast.json"));
    // The file is embedded, and the tests draw it.
    read.expect("the embedded coast is rings of points").rings
});

/// Points closer than this to the previous point are dropped.
const FINE: f64 = 0.9;

/// The side length of a cell of the grid.
const CELL: f64 = 3.0;

/// The coast within a frame.
#[derive(Debug)]
pub struct Coast {
    rings: Vec<Vec<Point>>,
    area: Area,
    columns: usize,
    land: Vec<bool>,
}

impl Coast {
    /// Returns the part of the coast in a frame.
    pub fn new(frame: &MapFrame) -> Coast {
        // The window exceeds the frame, so that cut edges are not visible.
        let window = frame.area.grown(8.0);
        let place = |[longitude, latitude]: &[f64; 2]| frame.place(*longitude, *latitude);
        let placed = RINGS.iter().map(|ring| ring.iter().map(place).collect());
        let cut = placed.map(|ring: Vec<Point>| thinned(clipped(ring, &window)));
        let mut coast = Coast {
            rings: cut.filter(|ring| ring.len() > 2).collect(),
            area: frame.area,
            columns: (frame.area.width / CELL).ceil() as usize,
            land: Vec::new(),
        };
        coast.fill();
        coast
    }

    /// Marks the cells whose centres are on land, row by row.
    fn fill(&mut self) {
        let rows = (self.area.height / CELL).ceil() as usize;
        self.land = vec![false; rows * self.columns];
        for row in 0..rows {
            let y = self.area.y + (row as f64 + 0.5) * CELL;
            let mut crossings: Vec<f64> = Vec::new();
            for ring in &self.rings {
                for (index, to) in ring.iter().enumerate() {
                    let from = ring[(index + ring.len() - 1) % ring.len()];
                    if (from.y <= y) != (to.y <= y) {
                        crossings.push(from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y));
                    }
                }
            }
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let column = |x: f64| ((x - self.area.x) / CELL - 0.5).ceil().max(0.0) as usize;
                let (from, to) = (column(pair[0]), column(pair[1]).min(self.columns));
                let start = row * self.columns;
                self.land[start + from.min(to)..start + to].fill(true);
            }
        }
    }

    /// Whether a point of the map is on land.
    pub fn is_land(&self, point: Point) -> bool {
        if !self.area.contains(point) {
            return false;
        }
        let column = ((point.x - self.area.x) / CELL) as usize;
        let row = ((point.y - self.area.y) / CELL) as usize;
        let cell = row * self.columns + column.min(self.columns - 1);
        self.land.get(cell).copied().unwrap_or(false)
    }

    /// The commands of a path along the coast, in half units of the picture.
    pub fn path(&self) -> String {
        let mut commands = String::new();
        for ring in &self.rings {
            let mut at = (0, 0);
            for (index, point) in ring.iter().enumerate() {
                let to = (
                    (point.x * 2.0).round() as i64,
                    (point.y * 2.0).round() as i64,
                );
                let (x, y) = (to.0 - at.0, to.1 - at.1);
                let comma = if y < 0 { "" } else { " " };
                // Writing to a string does not fail.
                let _ = match index {
                    0 => write!(commands, "M{} {}l", to.0, to.1),
                    1 => write!(commands, "{x}{comma}{y}"),
                    _ if x < 0 => write!(commands, "{x}{comma}{y}"),
                    _ => write!(commands, " {x}{comma}{y}"),
                };
                at = to;
            }
            commands.push('z');
        }
        commands
    }
}

/// Clips a ring to a window by Sutherland and Hodgman: along each side in turn.
fn clipped(ring: Vec<Point>, window: &Area) -> Vec<Point> {
    type Side = (fn(&Point) -> f64, f64, f64);
    let sides: [Side; 4] = [
        (|point| point.x, window.x, 1.0),
        (|point| point.x, window.right(), -1.0),
        (|point| point.y, window.y, 1.0),
        (|point| point.y, window.bottom(), -1.0),
    ];
    let mut left = ring;
    for (of, limit, sign) in sides {
        let beyond = |point: &Point| (of(point) - limit) * sign;
        let mut kept = Vec::with_capacity(left.len());
        for (index, to) in left.iter().enumerate() {
            let from = &left[(index + left.len() - 1) % left.len()];
            let (before, after) = (beyond(from), beyond(to));
            if (before >= 0.0) != (after >= 0.0) {
                let part = before / (before - after);
                kept.push(Point::new(
                    from.x + (to.x - from.x) * part,
                    from.y + (to.y - from.y) * part,
                ));
            }
            if after >= 0.0 {
                kept.push(*to);
            }
        }
        left = kept;
    }
    left
}

/// Drops the points of a ring that make no visible difference.
fn thinned(ring: Vec<Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(ring.len());
    for point in ring {
        if kept.last().is_none_or(|last| last.distance(point) >= FINE) {
            kept.push(point);
        }
    }
    kept
}
