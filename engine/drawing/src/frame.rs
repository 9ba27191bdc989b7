//! The positions of regions on the map: Mercator's projection, with crowded regions moved apart.

use charts::geometry::{Area, Point};
use engine::content::BoardFile;

/// The limits of the coast data in degrees: west, east, south, north.
const KNOWN: [f64; 4] = [-14.0, 64.0, 6.0, 58.0];

/// The margin around the outermost regions, for their names and units.
const MARGIN: f64 = 40.0;

/// The least distance between regions, horizontally or vertically: room for a city with its temple.
const APART: (f64, f64) = (35.0, 29.0);

/// The least horizontal distance on boards with few regions, which leaves room for town walls.
const APART_WITH_WALLS: f64 = 47.0;

/// The maximum number of regions that are few.
const FEW: usize = 40;

/// The number of rounds in which regions push each other apart, and in which they are pulled back.
const PUSHES: usize = 120;
const PULLS: usize = 80;

/// The frame of a map and its projection.
#[derive(Clone, Copy, Debug)]
pub struct MapFrame {
    /// The area of the map in the picture.
    pub area: Area,
    /// Units of the picture per degree of longitude.
    pub scale: f64,
    west: f64,
    north: f64,
}

/// Converts a latitude to Mercator's latitude in degrees.
fn stretched(latitude: f64) -> f64 {
    let radians = latitude.clamp(-80.0, 80.0).to_radians();
    (std::f64::consts::FRAC_PI_4 + radians / 2.0)
        .tan()
        .ln()
        .to_degrees()
}

impl MapFrame {
    /// Returns the frame in which all regions of a board fit into an area, as large as possible.
    ///
    /// It shows as little as possible beyond the coast data.
    pub fn new(board: &BoardFile, area: Area) -> MapFrame {
        let range = |of: fn(&Point) -> f64| {
            let values = positions(board).map(|point| of(&point));
            values.fold((f64::MAX, f64::MIN), |(least, most), value| {
                (least.min(value), most.max(value))
            })
        };
        let (west, east) = range(|point| point.x);
        let (south, north) = range(|point| point.y);
        let free = |side: f64| (side - 2.0 * MARGIN).max(1.0);
        let scale = (free(area.width) / (east - west).max(1.0))
            .min(free(area.height) / (north - south).max(1.0));
        let centred = |least: f64, most: f64, known: (f64, f64), side: f64| {
            let span = side / scale;
            let start = f64::midpoint(least, most) - span / 2.0;
            let shown = start.min(known.1 - span).max(known.0);
            // All regions are visible, even beyond the coast data.
            let margin = MARGIN / scale;
            shown.min(least - margin).max(most + margin - span)
        };
        let west = centred(west, east, (KNOWN[0], KNOWN[1]), area.width);
        let known = (stretched(KNOWN[2]), stretched(KNOWN[3]));
        let south = centred(south, north, known, area.height);
        MapFrame {
            area,
            scale,
            west,
            north: south + area.height / scale,
        }
    }

    /// Returns the point of the picture for a position in degrees.
    pub fn place(&self, longitude: f64, latitude: f64) -> Point {
        self.at(Point::new(longitude, stretched(latitude)))
    }

    fn at(&self, point: Point) -> Point {
        Point::new(
            self.area.x + (point.x - self.west) * self.scale,
            self.area.y + (self.north - point.y) * self.scale,
        )
    }

    /// Returns the points of the regions of a board, in order, with crowded ones moved apart.
    pub fn regions(&self, board: &BoardFile) -> Vec<Point> {
        let homes: Vec<Point> = positions(board).map(|point| self.at(point)).collect();
        let mut places = homes.clone();
        let wide = match places.len() <= FEW {
            true => APART_WITH_WALLS,
            false => APART.0,
        };
        for round in 0..PUSHES {
            if round < PULLS {
                for (place, home) in places.iter_mut().zip(&homes) {
                    place.x += (home.x - place.x) * 0.05;
                    place.y += (home.y - place.y) * 0.05;
                }
            }
            let before = places.clone();
            for one in 0..places.len() {
                for other in 0..one {
                    let x = before[one].x - before[other].x;
                    let y = before[one].y - before[other].y;
                    let (over, down) = (wide - x.abs(), APART.1 - y.abs());
                    if over <= 0.0 || down <= 0.0 {
                        continue;
                    }
                    // Each region moves half of the shorter way, slightly less so that it converges.
                    let push = match over < down {
                        true => Point::new(over.copysign(x) * 0.45, 0.0),
                        false => Point::new(0.0, down.copysign(y) * 0.45),
                    };
                    places[one] = Point::new(places[one].x + push.x, places[one].y + push.y);
                    places[other] = Point::new(places[other].x - push.x, places[other].y - push.y);
                }
            }
        }
        // Integers are shorter.
        let whole = |place: Point| Point::new(place.x.round(), place.y.round());
        places.into_iter().map(whole).collect()
    }
}

/// The positions of the regions in degrees of longitude and of Mercator's latitude.
fn positions(board: &BoardFile) -> impl Iterator<Item = Point> {
    let regions = board.regions.iter();
    regions.map(|region| Point::new(region.lon.clamp(-360.0, 360.0), stretched(region.lat)))
}
