//! The marks that appear many times: chips, cities, units.
//! Each is defined once and referenced, to keep pictures small.

use charts::geometry::{Area, Point};
use charts::svg::{N, Svg, Type};
use charts::text::{Weight, width};
use engine::words::{Personage, Resource};

use crate::palette::{Palette, resource};
use crate::scene::Scene;

/// Width and height of a city, without temple and walls.
pub const CITY: (f64, f64) = (32.0, 16.0);

/// The radius of a chip, and of a site without a city.
pub const CHIP: f64 = 7.0;

/// Width and height of a temple.
pub const TEMPLE: (f64, f64) = (16.0, 11.0);

/// Width and height of a tower of a town wall.
pub const TOWER: (f64, f64) = (6.0, 18.5);

/// The height of a unit.
pub const UNIT: f64 = 14.0;

/// The font size of letters on tokens.
const LETTERS: f64 = 10.5;

/// The colour of neutral temples.
pub const NEUTRAL: &str = "#b9b2a4";

/// The letter for a kind of personage.
pub fn letter(kind: Personage) -> &'static str {
    match kind {
        Personage::King => "K",
        Personage::Scholar => "S",
        Personage::General => "G",
        Personage::Citizen => "C",
        Personage::Navigator => "N",
    }
}

/// The width of a nation's units: that of its letters and two digits.
pub fn unit_width(letters: &str, galley: bool) -> f64 {
    let around = if galley { 17.0 } else { 13.0 };
    (width(letters, 10.0, Weight::Bold) + around).round()
}

/// The position of the number in the mark of units.
pub fn unit_number(letters: &str, galley: bool) -> Point {
    let wide = unit_width(letters, galley);
    let number = width("1", 10.0, Weight::Bold) / 2.0;
    let middle = wide / 2.0 + width(letters, 10.0, Weight::Bold) / 2.0 + 0.3;
    Point::new(middle + number / 2.0, 10.0)
}

/// The outline of a unit: a shield for a legion, a ship for a galley.
pub fn shape(wide: f64, galley: bool) -> String {
    match galley {
        false => {
            let half = N(wide / 2.0);
            format!("M0 0h{}v8q0 4-{half} 6q-{half}-2-{half}-6z", N(wide))
        }
        true => format!(
            "M0 0q2 2.5 5.5 2.5h{}q3.5 0 5.5-2.5q.5 14-9 14h-{}q-9.5 0-9-14z",
            N(wide - 11.0),
            N((wide - 18.0).max(0.0))
        ),
    }
}

/// Writes the definitions.
pub fn define(svg: &mut Svg, scene: &Scene<'_>, palette: &Palette) {
    let edge = palette.edge;
    // References take these attributes from their own place, not from here.
    let bold = r#"font-weight="700" text-anchor="middle""#;
    svg.raw(format_args!("<defs>"));
    svg.raw(format_args!(
        r##"<g id="t-temple" stroke="{edge}" stroke-width=".8"><path d="M1.5 4.5h13v5h-13z"/><path d="M.5 4.5L8 .5l7.5 4zM.5 9.5h15v1.5H.5z"/><path d="M4 5v4M6.7 5v4M9.3 5v4M12 5v4" stroke-width="1.3"/></g>"##
    ));
    svg.raw(format_args!(
        r##"<path id="t-tower" d="M0 18.5V0h1.6v2h1.4V0h1.4v2H4.6V0H6v18.5z" fill="#a59a86" stroke="{edge}" stroke-width=".8"/>"##
    ));
    let parts = [
        ("0V-7A7 7 0 0 1 6.1 3.5z", Resource::Marble),
        ("0L6.1 3.5A7 7 0 0 1-6.1 3.5z", Resource::Iron),
        ("0L-6.1 3.5A7 7 0 0 1 0-7z", Resource::Gold),
    ];
    svg.raw(format_args!(r#"<g id="t-any">"#));
    for (path, kind) in parts {
        svg.raw(format_args!(
            r#"<path d="M0 {path}" fill="{}"/>"#,
            resource(kind).0
        ));
    }
    svg.raw(format_args!(
        r#"<circle r="{CHIP}" fill="none" stroke="{edge}"/></g>"#
    ));
    for kind in Resource::ALL {
        let ((fill, letter), name) = (resource(*kind), kind.name());
        svg.raw(format_args!(
            r##"<g id="t-{name}" {bold}><circle r="{CHIP}" fill="{fill}" stroke="{edge}"/><text y="3.6" font-size="9.5" fill="#222">{letter}</text></g>"##
        ));
        svg.raw(format_args!(
            r##"<g id="t-h{letter}" {bold} font-size="{LETTERS}"><path d="M18.5 .5h9.5a3.5 3.5 0 0 1 3.5 3.5v8a3.5 3.5 0 0 1-3.5 3.5h-9.5z" fill="{fill}"/><text x="24.9" y="11.7" fill="#222">{letter}</text></g>"##
        ));
    }
    svg.raw(format_args!(
        r##"<g id="t-coin" {bold}><circle r="{CHIP}" fill="#c98b5a" stroke="{edge}"/><text y="3.6" font-size="9.5" fill="#222">¢</text></g>"##
    ));
    for kind in Personage::ALL {
        let (name, letter) = (kind.name(), letter(*kind));
        svg.raw(format_args!(
            r##"<g id="t-{name}" {bold}><rect x="-6.5" y="-6.5" width="13" height="13" rx="3" fill="#e6d6ee" stroke="{edge}"/><text y="3.5" font-size="9.5" fill="#222">{letter}</text></g>"##
        ));
    }
    for (index, nation) in scene.nations.iter().enumerate() {
        let badge = &nation.badge;
        let ink = Type::bold(LETTERS, badge.ink).inherited();
        svg.raw(format_args!(r#"<g id="t-c{index}" {bold}>"#));
        let area = Area::new(0.0, 0.0, CITY.0, CITY.1);
        let look = format!(r#" fill="{}" stroke="{edge}""#, badge.fill);
        svg.rect(&area, 4.0, &look);
        svg.text(Point::new(9.5, 11.7), ink, &badge.letters);
        svg.raw(format_args!("</g>"));
        for (galley, kind) in [(false, "l"), (true, "g")] {
            let wide = unit_width(&badge.letters, galley);
            svg.raw(format_args!(r#"<g id="t-{kind}{index}" {bold}>"#));
            svg.path(
                &shape(wide, galley),
                &format!(
                    r#" fill="{}" stroke="{edge}" stroke-width=".9""#,
                    badge.fill
                ),
            );
            let number = unit_number(&badge.letters, galley).x;
            let letters = width(&badge.letters, 10.0, Weight::Bold);
            let kind = Type::bold(10.0, badge.ink).inherited();
            let x = number - width("1", 10.0, Weight::Bold) / 2.0 - letters / 2.0 - 0.6;
            svg.text(Point::new(x, 10.0), kind, &badge.letters);
            svg.raw(format_args!("</g>"));
        }
    }
    svg.raw(format_args!("</defs>\n"));
}
