//! The map: land and sea, borders, and the contents of each region.

use std::fmt::Write;

use charts::geometry::{Area, Point};
use charts::svg::{EscapedText, N, Svg};
use charts::text::{Weight, width};
use engine::content::{Border, Site};
use engine::words::SpecialUnit;

use crate::coast::Coast;
use crate::frame::MapFrame;
use crate::labels::{Ground, Label, Placement, place};
use crate::marks::{CHIP, CITY, NEUTRAL, TEMPLE, TOWER, UNIT, shape, unit_number, unit_width};
use crate::palette::{self, Badge, Palette};
use crate::scene::Scene;

/// The font size of region names.
const NAME: f64 = 11.5;

/// The height of region names.
const NAME_HEIGHT: f64 = 11.0;

/// Units of a nation, or its special unit.
struct Unit<'a> {
    nation: usize,
    badge: &'a Badge,
    galley: bool,
    special: bool,
    number: String,
}

impl Unit<'_> {
    fn width(&self) -> f64 {
        unit_width(&self.badge.letters, self.galley)
    }
}

/// The boxes of a map that must not overlap, with names, for tests.
pub type Boxes = Vec<(String, Area)>;

/// Draws the map of a scene into a frame.
pub fn draw(svg: &mut Svg, scene: &Scene<'_>, frame: &MapFrame, palette: &Palette) -> Boxes {
    let coast = Coast::new(frame);
    let places = frame.regions(scene.board);
    ground(svg, frame, &coast, palette);
    let lines = borders(svg, scene, &places, &coast, palette);
    let tokens: Vec<Area> = (0..places.len())
        .map(|index| token_area(scene, index, places[index]))
        .collect();
    let units: Vec<Vec<Unit<'_>>> = (0..places.len())
        .map(|index| unit_marks(scene, index))
        .collect();
    let (names, groups) = labels(scene, frame, &tokens, &units, &lines);
    highlights(svg, scene, &tokens, palette);
    leaders(svg, &tokens, &names, &groups, palette);
    let mut boxes = Boxes::new();
    svg.open(r##" data-layer="regions" font-size="10" font-weight="700" text-anchor="middle" fill="#111""##);
    for (index, region) in scene.board.regions.iter().enumerate() {
        svg.raw(format_args!(
            r#"<g data-region="{}">"#,
            EscapedText(&region.id)
        ));
        svg.title(&scene.place_in_words(index));
        token(svg, scene, index, places[index], palette);
        if let Some(group) = &groups[index] {
            draw_units(svg, &units[index], group, palette);
            boxes.push((format!("units of {}", region.id), group.area));
        }
        svg.close();
        boxes.push((format!("token of {}", region.id), tokens[index]));
        boxes.push((format!("name of {}", region.id), names[index].area));
    }
    svg.close();
    region_names(svg, scene, &names, palette);
    boxes
}

/// Draws the names of regions, above everything else.
fn region_names(svg: &mut Svg, scene: &Scene<'_>, names: &[Placement], palette: &Palette) {
    let group = format!(
        r#" data-layer="names" font-size="{NAME}" text-anchor="middle" stroke="{}" stroke-width="2.6" stroke-opacity=".8" paint-order="stroke""#,
        palette.halo
    );
    svg.open(&group);
    for (region, name) in scene.board.regions.iter().zip(names) {
        let fill = match region.site {
            Site::None => format!(r#" fill="{}""#, palette.water),
            _ => String::new(),
        };
        svg.raw(format_args!(
            r#"<text x="{}" y="{}" textLength="{}" lengthAdjust="spacingAndGlyphs"{fill}>{}</text>"#,
            N(name.area.centre().x),
            N(name.area.bottom() - 2.4),
            N(name.area.width - 2.0),
            EscapedText(&region.name)
        ));
    }
    svg.close();
}

fn ground(svg: &mut Svg, frame: &MapFrame, coast: &Coast, palette: &Palette) {
    let area = &frame.area;
    svg.raw(format_args!(r#"<clipPath id="t-map">"#));
    svg.rect(area, 6.0, "");
    svg.raw(format_args!("</clipPath>"));
    svg.open(r#" clip-path="url(#t-map)""#);
    svg.rect(area, 0.0, &format!(r#" fill="{}""#, palette.sea));
    svg.raw(format_args!(
        r##"<defs><path id="t-coast" transform="scale(.5)" d="{}"/></defs>"##,
        coast.path()
    ));
    for (wide, opacity) in [(34, 0.35), (18, 0.5)] {
        svg.raw(format_args!(
            r##"<use href="#t-coast" fill="none" stroke="{}" stroke-width="{wide}" stroke-opacity="{opacity}" stroke-linejoin="round"/>"##,
            palette.shallow
        ));
    }
    svg.raw(format_args!(
        r##"<use href="#t-coast" fill="{}" fill-rule="evenodd" stroke="{}" stroke-width="2" stroke-linejoin="round"/>"##,
        palette.land, palette.coast
    ));
    svg.close();
    let edge = format!(r#" fill="none" stroke="{}""#, palette.line);
    svg.rect(area, 6.0, &edge);
}

/// Draws the borders, and returns points on them.
fn borders(
    svg: &mut Svg,
    scene: &Scene<'_>,
    places: &[Point],
    coast: &Coast,
    palette: &Palette,
) -> Vec<Point> {
    let number = |id: &str| scene.board.regions.iter().position(|r| r.id == *id);
    let mut points = Vec::new();
    let mut paths = [String::new(), String::new(), String::new()];
    for (one, other, border) in &scene.board.borders {
        let (Some(one), Some(other)) = (number(one), number(other)) else {
            continue;
        };
        let curve = BorderCurve::bent(places, one, other, *border, coast);
        points.extend(curve.samples(14));
        let path = match border {
            Border::Land => &mut paths[0],
            Border::Sea => &mut paths[1],
            Border::Both => &mut paths[2],
        };
        let BorderCurve { from, by, to } = curve;
        let bent = by.distance(from) + by.distance(to) > from.distance(to) + 0.1;
        // Writing to a string does not fail.
        let _ = match bent {
            false => write!(path, "M{:.0} {:.0}L{:.0} {:.0}", from.x, from.y, to.x, to.y),
            true => write!(
                path,
                "M{:.0} {:.0}Q{:.0} {:.0} {:.0} {:.0}",
                from.x, from.y, by.x, by.y, to.x, to.y
            ),
        };
    }
    let [land, sea, both] = paths;
    let (brown, blue) = (palette.land_border, palette.sea_border);
    svg.open(r#" data-layer="borders" fill="none" stroke-linecap="round""#);
    let halo = format!(
        r#" stroke="{}" stroke-width="4.5" stroke-opacity=".45""#,
        palette.land
    );
    if !both.is_empty() {
        svg.path(
            &both,
            &format!(r#" stroke="{}" stroke-width="5""#, palette.both_borders),
        );
        svg.path(&both, &format!(r#" stroke="{brown}" stroke-width="1.6""#));
    }
    if !land.is_empty() {
        svg.path(&land, &halo);
        svg.path(&land, &format!(r#" stroke="{brown}" stroke-width="1.5""#));
    }
    if !sea.is_empty() {
        let dots = format!(r#" stroke="{blue}" stroke-width="2.2" stroke-dasharray=".1 5""#);
        svg.path(&sea, &dots);
    }
    svg.close();
    points
}

/// A border, as a quadratic curve.
#[derive(Clone, Copy)]
struct BorderCurve {
    from: Point,
    by: Point,
    to: Point,
}

impl BorderCurve {
    /// Returns the border between two regions, bent away from other regions.
    /// As far as possible it stays on land or sea.
    fn bent(
        places: &[Point],
        one: usize,
        other: usize,
        border: Border,
        coast: &Coast,
    ) -> BorderCurve {
        let (from, to) = (places[one], places[other]);
        let (x, y) = (to.x - from.x, to.y - from.y);
        let curve = |bend: f64| {
            let by = Point::new(
                f64::midpoint(from.x, to.x) - y * bend,
                f64::midpoint(from.y, to.y) + x * bend,
            );
            BorderCurve { from, by, to }
        };
        let length = from.distance(to);
        let near = |place: &Point| {
            let middle = Point::new(f64::midpoint(from.x, to.x), f64::midpoint(from.y, to.y));
            place.distance(middle) < length / 2.0 + 40.0
        };
        let others: Vec<Point> = places
            .iter()
            .enumerate()
            .filter(|(index, place)| *index != one && *index != other && near(place))
            .map(|(_, place)| *place)
            .collect();
        let cost = |bend: f64| {
            let samples = curve(bend).samples(24);
            let close: f64 = samples
                .iter()
                .flat_map(|point| others.iter().map(|place| place.distance(*point)))
                .map(|distance| (20.0 - distance).max(0.0))
                .sum();
            let astray = samples.iter().filter(|point| match border {
                Border::Land => !coast.is_land(**point),
                Border::Sea => coast.is_land(**point),
                Border::Both => false,
            });
            close + 4.0 * astray.count() as f64 + bend.abs() * 60.0
        };
        let bends = [0.0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32, 0.45, -0.45];
        let costs = bends.iter().map(|bend| (cost(*bend), *bend));
        let best = costs.min_by(|one, other| one.0.total_cmp(&other.0));
        curve(best.map_or(0.0, |(_, bend)| bend))
    }

    /// Returns points on it except its ends, about `step` apart.
    fn samples(&self, step: u32) -> Vec<Point> {
        let count = (self.from.distance(self.to) / f64::from(step))
            .ceil()
            .max(2.0) as u32;
        let at = |index: u32| {
            let t = f64::from(index) / f64::from(count);
            let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
            Point::new(
                a * self.from.x + b * self.by.x + c * self.to.x,
                a * self.from.y + b * self.by.y + c * self.to.y,
            )
        };
        (1..count).map(at).collect()
    }
}

/// The area that a region's token covers.
fn token_area(scene: &Scene<'_>, index: usize, at: Point) -> Area {
    let place = &scene.places[index];
    let around =
        |width: f64, height: f64| Area::new(at.x - width / 2.0, at.y - height / 2.0, width, height);
    let mut area = match (&place.city, scene.board.regions[index].site) {
        (Some(_), _) => around(CITY.0, CITY.1),
        (None, Site::None) => around(20.0, 10.0),
        (None, _) if place.start.is_some() => around(CITY.0, CITY.1),
        (None, _) => around(2.0 * CHIP, 2.0 * CHIP),
    };
    if let Some((_, city)) = place.city {
        if city.temple {
            area = area.with(&temple_area(&area));
        }
        if city.wall {
            area = area.with(&Area::new(
                at.x - CITY.0 / 2.0 - TOWER.0,
                at.y + CITY.1 / 2.0 - TOWER.1,
                CITY.0 + 2.0 * TOWER.0,
                TOWER.1,
            ));
        }
    } else if place.neutral_temple {
        area = area.with(&temple_area(&area));
    }
    area.grown(0.5)
}

/// The area of a temple on a token with this area.
fn temple_area(on: &Area) -> Area {
    let x = on.centre().x - TEMPLE.0 / 2.0;
    Area::new(x, on.y - TEMPLE.1 + 0.5, TEMPLE.0, TEMPLE.1)
}

fn unit_marks<'a>(scene: &'a Scene<'_>, index: usize) -> Vec<Unit<'a>> {
    let place = &scene.places[index];
    let mut marks = Vec::new();
    for (nation, units) in &place.units {
        let badge = &scene.nations[*nation].badge;
        for (count, galley) in [(units.legions, false), (units.galleys, true)] {
            if count > 0 {
                marks.push(Unit {
                    nation: *nation,
                    badge,
                    galley,
                    special: false,
                    number: count.to_string(),
                });
            }
        }
    }
    for (nation, special) in &place.special {
        let badge = &scene.nations[*nation].badge;
        let (galley, letter) = match special {
            SpecialUnit::Commander => (false, "C"),
            SpecialUnit::Admiral => (true, "A"),
        };
        marks.push(Unit {
            nation: *nation,
            badge,
            galley,
            special: true,
            number: letter.to_owned(),
        });
    }
    marks
}

/// Arranges units in rows of at most three. Returns their positions, and width and height of the group.
fn rows(marks: &[Unit<'_>]) -> (Vec<Point>, f64, f64) {
    let mut offsets = Vec::new();
    let mut widest: f64 = 0.0;
    let mut y = 0.0;
    for row in marks.chunks(if marks.len() == 4 { 2 } else { 3 }) {
        let mut x = 0.0;
        for mark in row {
            offsets.push(Point::new(x, y));
            x += mark.width() + 1.5;
        }
        widest = widest.max(x - 1.5);
        y += UNIT + 1.5;
    }
    (offsets, widest, y - 1.5)
}

/// Places the names of all regions and the groups of units.
fn labels(
    scene: &Scene<'_>,
    frame: &MapFrame,
    tokens: &[Area],
    units: &[Vec<Unit<'_>>],
    lines: &[Point],
) -> (Vec<Placement>, Vec<Option<Placement>>) {
    let mut list = Vec::new();
    for (index, region) in scene.board.regions.iter().enumerate() {
        list.push(Label {
            anchor: tokens[index],
            width: width(&region.name, NAME, Weight::Medium) + 2.0,
            height: NAME_HEIGHT,
        });
    }
    for (index, marks) in units.iter().enumerate() {
        if !marks.is_empty() {
            let (_, width, height) = rows(marks);
            list.push(Label {
                anchor: tokens[index],
                width,
                height,
            });
        }
    }
    let ground = Ground {
        map: frame.area.grown(-3.0),
        tokens,
        lines,
    };
    let mut placed = place(&list, &ground);
    let mut rest = placed.split_off(tokens.len()).into_iter();
    let groups = units.iter().map(|marks| match marks.is_empty() {
        true => None,
        false => rest.next(),
    });
    (placed, groups.collect())
}

fn highlights(svg: &mut Svg, scene: &Scene<'_>, tokens: &[Area], palette: &Palette) {
    let marked = scene.places.iter().zip(tokens);
    for (_, area) in marked.filter(|(place, _)| place.highlighted) {
        let colour = palette.highlight;
        let attributes =
            format!(r#" fill="{colour}" fill-opacity=".25" stroke="{colour}" stroke-width="2.5""#);
        svg.circle(
            area.centre(),
            area.width.max(area.height) / 2.0 + 7.0,
            &attributes,
        );
    }
}

/// Draws lines to distant labels.
fn leaders(
    svg: &mut Svg,
    tokens: &[Area],
    names: &[Placement],
    groups: &[Option<Placement>],
    palette: &Palette,
) {
    let mut path = String::new();
    for (index, token) in tokens.iter().enumerate() {
        let labels = std::iter::once(&names[index]).chain(&groups[index]);
        for label in labels.filter(|label| label.far) {
            let from = token.centre();
            let to = Point::new(
                from.x.clamp(label.area.x, label.area.right()),
                from.y.clamp(label.area.y, label.area.bottom()),
            );
            // Writing to a string does not fail.
            let _ = write!(path, "M{} {}L{} {}", N(from.x), N(from.y), N(to.x), N(to.y));
        }
    }
    if !path.is_empty() {
        let ink = palette.ink;
        svg.path(
            &path,
            &format!(r#" stroke="{ink}" stroke-width=".8" fill="none""#),
        );
    }
}

fn token(svg: &mut Svg, scene: &Scene<'_>, index: usize, at: Point, palette: &Palette) {
    let (place, site) = (&scene.places[index], scene.board.regions[index].site);
    let own = Area::new(at.x - CITY.0 / 2.0, at.y - CITY.1 / 2.0, CITY.0, CITY.1);
    let held = place.city.map(|(nation, city)| (nation, city.resource));
    let corner = Point::new(own.x, own.y);
    if let Some((nation, resource)) = held.or(place.start) {
        if place.city.is_some_and(|(_, city)| city.wall) {
            for x in [own.x - TOWER.0, own.right()] {
                svg.mark("t-tower", Point::new(x, own.bottom() - TOWER.1), "");
            }
        }
        svg.mark(&format!("t-c{nation}"), corner, "");
        svg.mark(&format!("t-h{}", palette::resource(resource).1), corner, "");
    } else if site == Site::None {
        let wave = format!("M{} {}q2.5-4 5 0t5 0t5 0t5 0", N(at.x - 10.0), N(at.y));
        let stroke = palette.sea_border;
        svg.path(
            &wave,
            &format!(r#" fill="none" stroke="{stroke}" stroke-width="1.8""#),
        );
    } else {
        let name = site.resource().map_or("any", |resource| resource.name());
        svg.mark(&format!("t-{name}"), at, "");
    }
    let temple = place.city.is_some_and(|(_, city)| city.temple);
    if temple || place.neutral_temple {
        let on = match held.or(place.start) {
            Some(_) => own,
            None => Area::new(at.x - CHIP, at.y - CHIP, 2.0 * CHIP, 2.0 * CHIP),
        };
        let area = temple_area(&on);
        let fill = if temple { palette.temple } else { NEUTRAL };
        svg.mark(
            "t-temple",
            Point::new(area.x, area.y),
            &format!(r#" fill="{fill}""#),
        );
    }
}

fn draw_units(svg: &mut Svg, units: &[Unit<'_>], group: &Placement, palette: &Palette) {
    let (offsets, _, _) = rows(units);
    for (unit, offset) in units.iter().zip(offsets) {
        let at = Point::new(group.area.x + offset.x, group.area.y + offset.y);
        let kind = if unit.galley { 'g' } else { 'l' };
        svg.mark(&format!("t-{kind}{}", unit.nation), at, "");
        if unit.special {
            svg.raw(format_args!(
                r#"<path d="{}" transform="translate({} {})" fill="none" stroke="{}" stroke-width="2"/>"#,
                shape(unit.width(), unit.galley),
                N(at.x),
                N(at.y),
                palette.highlight
            ));
        }
        let number = unit_number(&unit.badge.letters, unit.galley);
        let fill = match unit.badge.ink {
            "#111" => String::new(),
            ink => format!(r#" fill="{ink}""#),
        };
        svg.raw(format_args!(
            r#"<text x="{}" y="{}"{fill}>{}</text>"#,
            N(at.x + number.x),
            N(at.y + number.y),
            unit.number
        ));
    }
}
