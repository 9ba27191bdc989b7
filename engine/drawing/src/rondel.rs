//! The rondel with its stones.

use charts::geometry::Point;
use charts::svg::{N, Svg, Type};
use engine::words::{Field, Resource};

use crate::palette::{Palette, resource};
use crate::scene::Scene;

/// The radius of a stone.
const STONE: f64 = 9.5;

/// The colour and label of a field.
fn look(field: Field) -> (&'static str, &'static str) {
    match field {
        Field::Iron => (resource(Resource::Iron).0, "Iron"),
        Field::Gold => (resource(Resource::Gold).0, "Gold"),
        Field::Marble => (resource(Resource::Marble).0, "Marble"),
        Field::Temple => ("#e9dcc3", "Temple"),
        Field::Arming => ("#e3b9a5", "Arming"),
        Field::KnowHow => ("#c9dcb6", "Know-how"),
        Field::Maneuver1 | Field::Maneuver2 => ("#bcd7e1", "Maneuver"),
    }
}

/// Draws the rondel.
pub fn draw(svg: &mut Svg, scene: &Scene<'_>, centre: Point, radius: f64, palette: &Palette) {
    let inner = radius * 0.27;
    let at = |turn: f64, distance: f64| {
        let angle = (turn - 0.25) * std::f64::consts::TAU;
        Point::new(
            centre.x + distance * angle.cos(),
            centre.y + distance * angle.sin(),
        )
    };
    svg.open(r##" data-layer="rondel" font-size="11" text-anchor="middle" fill="#222""##);
    svg.title("Rondel");
    let stones = |field: Option<Field>| -> Vec<usize> {
        let nations = scene.nations.iter().enumerate();
        let here = nations.filter(|(_, nation)| {
            nation
                .body
                .is_some_and(|body| !body.resigned && body.stone == field)
        });
        here.map(|(index, _)| index).collect()
    };
    let moved = scene.view.and_then(|view| view.turn_state.field);
    for (index, field) in Field::ALL.iter().enumerate() {
        let (from, to) = (index as f64 / 8.0, (index as f64 + 1.0) / 8.0);
        let (a, b) = (at(from, radius), at(to, radius));
        let (c, d) = (at(to, inner), at(from, inner));
        let (fill, name) = look(*field);
        svg.open(&format!(r#" data-field="{}""#, field.name()));
        svg.title(name);
        let commands = format!(
            "M{} {}A{r} {r} 0 0 1 {} {}L{} {}A{i} {i} 0 0 0 {} {}z",
            N(a.x),
            N(a.y),
            N(b.x),
            N(b.y),
            N(c.x),
            N(c.y),
            N(d.x),
            N(d.y),
            r = N(radius),
            i = N(inner)
        );
        svg.path(
            &commands,
            &format!(
                r#" fill="{fill}" stroke="{}" stroke-width="1.2""#,
                palette.coast
            ),
        );
        let middle = f64::midpoint(from, to);
        // The text follows the rim and is never upside down.
        let below = (0.25..0.75).contains(&middle);
        let on = at(middle, radius * if below { 0.9 } else { 0.83 });
        let angle = middle * 360.0 + if below { 180.0 } else { 0.0 };
        let heavy = if moved == Some(*field) {
            r#" font-weight="700""#
        } else {
            ""
        };
        svg.raw(format_args!(
            r##"<text x="{x}" y="{y}" transform="rotate({} {x} {y})"{heavy}>{name}</text>"##,
            N(angle),
            x = N(on.x),
            y = N(on.y),
        ));
        let here = stones(Some(*field));
        for (place, nation) in here.iter().enumerate() {
            // Three in the outer row, two in the middle row, one in the inner row.
            let (distance, row, of) = match place {
                0..3 => (0.65, place, here.len().min(3)),
                3..5 => (0.47, place - 3, (here.len() - 3).min(2)),
                _ => (0.34, 0, 1),
            };
            let distance = distance * radius;
            let step = 2.0 * STONE / (distance * std::f64::consts::TAU);
            let offset = (row as f64 - (of as f64 - 1.0) / 2.0) * step;
            let shrunk = if here.len() > 2 { 0.8 } else { 1.0 };
            stone(
                svg,
                scene,
                *nation,
                at(middle + offset * shrunk, distance),
                shrunk,
                palette,
            );
        }
        svg.close();
    }
    let rim = format!(
        r#" fill="none" stroke="{}" stroke-width="2.5""#,
        palette.land_border
    );
    svg.circle(centre, radius, &rim);
    let hub = format!(r#" fill="{}" stroke="{}""#, palette.panel, palette.coast);
    svg.circle(centre, inner, &hub);
    let waiting = stones(None);
    let count = waiting.len();
    for (place, nation) in waiting.iter().enumerate() {
        let (spot, size) = match count {
            1 => (centre, 1.0),
            _ => (at(place as f64 / count as f64, inner * 0.58), 0.72),
        };
        stone(svg, scene, *nation, spot, size, palette);
    }
    svg.close();
}

fn stone(svg: &mut Svg, scene: &Scene<'_>, nation: usize, at: Point, size: f64, palette: &Palette) {
    let badge = &scene.nations[nation].badge;
    let attributes = format!(
        r#" fill="{}" stroke="{}" stroke-width="1.2""#,
        badge.fill, palette.edge
    );
    svg.circle(at, STONE * size, &attributes);
    let kind = Type::bold(10.0 * size.max(0.85), badge.ink).inherited();
    svg.text(Point::new(at.x, at.y + 3.5 * size), kind, &badge.letters);
}
