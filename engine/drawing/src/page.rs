//! The whole picture: heading, map, and the panels beside or below it.

use charts::geometry::{Area, Point};
use charts::svg::{Anchor, EscapedText, Svg, Type};
use charts::text::{Weight, fitting};
use engine::content::ProvenanceStatus;

use crate::frame::MapFrame;
use crate::map::{self, Boxes};
use crate::marks;
use crate::palette::Palette;
use crate::panels;
use crate::rondel;
use crate::scene::Scene;

/// The width of the picture in its own units.
pub const WIDTH: f64 = 1200.0;

/// The height of the picture, in the proportions of A4.
pub const HEIGHT: f64 = 848.0;

const MARGIN: f64 = 12.0;
const TOP: f64 = 38.0;
const BOTTOM: f64 = 822.0;

/// The radius of the rondel.
const RONDEL: f64 = 98.0;

/// The gap between panels.
const GAP: f64 = 6.0;

/// The areas of the parts of the picture.
struct PageLayout {
    map: Area,
    rondel: Point,
    bank: Area,
    panels: Vec<Area>,
    note: Area,
}

impl PageLayout {
    /// The layout for roughly square maps: the map on the left, all panels in a column on the right.
    fn square(nations: usize, highest: f64) -> PageLayout {
        let map = Area::new(MARGIN, TOP, 800.0, BOTTOM - TOP);
        let x = map.right() + MARGIN;
        let column = WIDTH - MARGIN - x;
        let top = TOP + 2.0 * RONDEL + 14.0;
        let count = nations.max(1) as f64;
        let height = ((BOTTOM - top - GAP * (count - 1.0)) / count).min(highest);
        let step = height + GAP;
        let panel = |index: usize| Area::new(x, top + index as f64 * step, column, height);
        let below = top + count * step + 2.0;
        let beside = 2.0 * RONDEL + 12.0;
        PageLayout {
            map,
            rondel: Point::new(x + RONDEL + 2.0, TOP + RONDEL + 2.0),
            bank: Area::new(x + beside, TOP, column - beside, 2.0 * RONDEL + 10.0),
            panels: (0..nations).map(panel).collect(),
            note: Area::new(x + 4.0, below, column - 8.0, BOTTOM - below),
        }
    }

    /// The layout for wide maps: rondel and bank on the right, the nations below.
    fn wide(nations: usize, highest: f64) -> PageLayout {
        let rows = nations.div_ceil(3).max(1);
        let columns = nations.div_ceil(rows).max(1);
        let height = if rows > 1 { 82.0 } else { 104.0 };
        let height = f64::min(height, highest);
        let strip = rows as f64 * (height + GAP);
        let side = 2.0 * RONDEL + 4.0;
        let all = WIDTH - 2.0 * MARGIN;
        let map = Area::new(MARGIN, TOP, all - side - MARGIN, BOTTOM - TOP - strip - 2.0);
        let x = map.right() + MARGIN;
        let wide = (all + GAP) / columns as f64;
        let panel = |index: usize| {
            let (column, row) = (index % columns, index / columns);
            Area::new(
                MARGIN + column as f64 * wide,
                map.bottom() + 8.0 + row as f64 * (height + GAP),
                wide - GAP,
                height,
            )
        };
        let bank = Area::new(x + 2.0, TOP + side + 10.0, side - 4.0, 210.0);
        PageLayout {
            map,
            rondel: Point::new(x + RONDEL + 2.0, TOP + RONDEL + 2.0),
            bank,
            panels: (0..nations).map(panel).collect(),
            note: Area::new(
                x + 2.0,
                bank.bottom(),
                side - 4.0,
                map.bottom() - bank.bottom(),
            ),
        }
    }
}

/// Draws a scene with this width in pixels. Returns the picture, and the boxes that must not overlap.
pub fn draw(scene: &Scene<'_>, palette: &Palette, width: u32) -> (String, Boxes) {
    let nations = scene.nations.len();
    // The start cities of an empty board need only a line or two.
    let highest = if scene.view.is_some() { 112.0 } else { 44.0 };
    let framed = |layout: PageLayout| (MapFrame::new(scene.board, layout.map), layout);
    let square = framed(PageLayout::square(nations, highest));
    let wide = framed(PageLayout::wide(nations, highest));
    let (frame, layout) = match wide.0.scale > square.0.scale {
        true => wide,
        false => square,
    };
    let mut svg = Svg::default();
    let height = (f64::from(width) * HEIGHT / WIDTH).round();
    let name = format!("{}, {}", scene.board.name, scene.moment());
    svg.raw(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{width}" height="{height}" role="img" aria-labelledby="t-title t-description" font-family="'Fira Sans Condensed','Roboto Condensed','Arial Narrow',Arial,sans-serif" font-weight="500">"#
    ));
    svg.raw(format_args!(
        "<title id=\"t-title\">{}</title><desc id=\"t-description\">{}</desc>\n",
        EscapedText(&name),
        EscapedText(&scene.description())
    ));
    marks::define(&mut svg, scene, palette);
    let page = Area::new(0.0, 0.0, WIDTH, HEIGHT);
    svg.rect(&page, 0.0, &format!(r#" fill="{}""#, palette.page));
    heading(&mut svg, scene, palette);
    let text = format!(r#" fill="{}" stroke-linejoin="round""#, palette.ink);
    svg.open(&text);
    let boxes = map::draw(&mut svg, scene, &frame, palette);
    svg.close();
    rondel::draw(&mut svg, scene, layout.rondel, RONDEL, palette);
    panels::bank(&mut svg, scene, &layout.bank, palette);
    for (index, area) in layout.panels.iter().enumerate() {
        panels::nation(&mut svg, scene, index, area, palette);
    }
    panels::note(&mut svg, scene, &layout.note, palette);
    panels::legend(&mut svg, Point::new(MARGIN + 2.0, HEIGHT - 9.0), palette);
    provenance(&mut svg, scene, palette);
    svg.raw(format_args!("</svg>\n"));
    (svg.out, boxes)
}

fn heading(svg: &mut Svg, scene: &Scene<'_>, palette: &Palette) {
    let baseline = 26.0;
    let bold = Type::bold(20.0, palette.ink);
    let name = fitting(&scene.board.name, 20.0, Weight::Bold, 480.0);
    let wide = svg.text(Point::new(MARGIN, baseline), bold, &name);
    let small = Type::medium(13.0, palette.faint);
    svg.text(
        Point::new(MARGIN + wide + 12.0, baseline),
        small,
        &scene.edition,
    );
    let moment = Type::medium(14.0, palette.ink).anchored(Anchor::End);
    svg.text(
        Point::new(WIDTH - MARGIN, baseline),
        moment,
        &scene.moment(),
    );
}

/// Draws a small note on the source of the board's data.
fn provenance(svg: &mut Svg, scene: &Scene<'_>, palette: &Palette) {
    let status = match scene.board.provenance.status {
        ProvenanceStatus::Verified => "board verified against the printed one",
        ProvenanceStatus::Reconstructed => {
            "board reconstructed, not checked against the printed one"
        }
    };
    let kind = Type::medium(10.0, palette.faint).anchored(Anchor::End);
    let text = format!("{status} · coast: Natural Earth");
    svg.text(Point::new(WIDTH - MARGIN, HEIGHT - 9.0), kind, &text);
}
