//! The rondel as a picture of openings.
//! The colour of a field shows the results of its nations, and its size their number.

use std::f64::consts::TAU;

use engine::words::Field;
use maud::{Markup, html};

use crate::site::texts::Texts;

/// The side of the picture, in its own units, which are about pixels.
const SIDE: f64 = 440.0;

/// Where the fields begin and end.
const HUB: f64 = 58.0;
const RIM: f64 = 208.0;

/// The upper bound of the lift for each class of colour.
/// The style sheet has colours from orange to blue, which readers with any kind of colour blindness can
/// distinguish. Light ones have dark letters, and dark ones light letters.
pub const COLOURS: [(f64, &str); 5] = [
    (0.67, "far-below"),
    (0.9, "somewhat-below"),
    (1.1, "alike"),
    (1.5, "somewhat-above"),
    (f64::INFINITY, "far-above"),
];

/// A field of the wheel.
pub struct Slice {
    /// The field.
    pub field: Field,
    /// Its win rate.
    pub rate: f64,
    /// The win rate in relation to the expected one.
    pub lift: f64,
    /// The number of nations in games.
    pub count: u64,
    /// Whether these are too few to rely on.
    pub few: bool,
    /// The address to which a click leads, if there is one.
    pub link: Option<String>,
}

/// The middle of the wheel.
pub struct Hub {
    /// The win rate of all.
    pub rate: f64,
    /// The number of nations in games.
    pub count: u64,
    /// The address to which a click leads: one step back, if there is one.
    pub back: Option<String>,
}

fn at(turn: f64, distance: f64) -> (f64, f64) {
    let angle = (turn - 0.25) * TAU;
    (
        SIDE / 2.0 + distance * angle.cos(),
        SIDE / 2.0 + distance * angle.sin(),
    )
}

/// The outline of a part of a ring, from one turn to another.
fn ring(from: f64, to: f64, outer: f64) -> String {
    let (a, b) = (at(from, outer), at(to, outer));
    let (c, d) = (at(to, HUB), at(from, HUB));
    format!(
        "M{:.1} {:.1}A{outer:.1} {outer:.1} 0 0 1 {:.1} {:.1}L{:.1} {:.1}A{HUB} {HUB} 0 0 0 {:.1} {:.1}z",
        a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1
    )
}

/// The outer radius of a field. Areas are proportional to counts, and the largest field reaches the rim.
fn reach(count: u64, most: u64) -> f64 {
    let part = count as f64 / most.max(1) as f64;
    (HUB.powi(2) + part * (RIM.powi(2) - HUB.powi(2))).sqrt()
}

fn colour(lift: f64) -> &'static str {
    let found = COLOURS.iter().find(|(most, _)| lift < *most);
    found.map_or("alike", |(_, colour)| colour)
}

/// The wheel. Fields without a slice are empty.
pub fn wheel(texts: Texts, slices: &[&Slice], hub: &Hub, title: &str) -> Markup {
    let most = slices.iter().map(|slice| slice.count).max().unwrap_or(0);
    html! {
        svg class="wheel" viewBox={ "0 0 " (SIDE) " " (SIDE) } width=(SIDE) height=(SIDE) role="group" aria-label=(title) {
            @for (place, field) in Field::ALL.iter().enumerate() {
                @let (from, to) = (place as f64 / 8.0, (place as f64 + 1.0) / 8.0);
                @let slice = slices.iter().copied().find(|slice| slice.field == *field);
                path d=(ring(from, to, RIM)) class="track" {}
                @if let Some(slice) = slice {
                    @let words = texts.openings_slice(&texts.field(*field), slice.rate, slice.count, slice.few);
                    @let shape = html! {
                        path d=(ring(from, to, reach(slice.count, most)))
                            class={ "slice " (colour(slice.lift)) @if slice.few { " few" } } {}
                        (labels(texts, *field, (from + to) / 2.0, Some(slice)))
                    };
                    @match &slice.link {
                        Some(link) => a href=(link) aria-label=(words) { (shape) path d=(ring(from, to, RIM)) class="hit" {} },
                        None => g role="img" aria-label=(words) { (shape) },
                    }
                } @else { (labels(texts, *field, (from + to) / 2.0, None)) }
            }
            @let middle = html! {
                circle cx=(SIDE / 2.0) cy=(SIDE / 2.0) r=(HUB - 2.0) class="hub" {}
                text x=(SIDE / 2.0) y=(SIDE / 2.0 - 6.0) class="rate" text-anchor="middle" { (texts.part(hub.rate)) }
                text x=(SIDE / 2.0) y=(SIDE / 2.0 + 13.0) class="count" text-anchor="middle" { (texts.sample(hub.count)) }
                @if hub.back.is_some() {
                    text x=(SIDE / 2.0) y=(SIDE / 2.0 + 33.0) class="back" text-anchor="middle" { "← " (texts.text("openings-back")) }
                }
            };
            @match &hub.back {
                Some(back) => a href=(back) aria-label=(texts.openings_hub(hub.rate, hub.count, true)) { (middle) },
                None => g role="img" aria-label=(texts.openings_hub(hub.rate, hub.count, false)) { (middle) },
            }
        }
    }
}

/// The name of a field and its numbers.
fn labels(texts: Texts, field: Field, middle: f64, slice: Option<&Slice>) -> Markup {
    let (x, y) = at(middle, HUB + (RIM - HUB) * 0.63);
    let (x, y) = (format!("{x:.1}"), y);
    html! {
        g text-anchor="middle" class=[slice.is_none().then_some("nobody")] {
            text x=(x) y=(format!("{:.1}", y - 13.0)) class="name" { (texts.field(field)) }
            @match slice {
                Some(slice) => {
                    text x=(x) y=(format!("{:.1}", y + 8.0)) class="rate" { (texts.part(slice.rate)) }
                    text x=(x) y=(format!("{:.1}", y + 25.0)) class="count" { (texts.sample(slice.count)) }
                }
                None => text x=(x) y=(format!("{:.1}", y + 6.0)) class="count" { (texts.text("openings-nobody")) },
            }
        }
    }
}

/// What the colours mean.
pub fn legend(texts: Texts) -> Markup {
    html! {
        ul class="colours" aria-label=(texts.text("openings-colours")) {
            @for (_, colour) in COLOURS {
                li {
                    svg viewBox="0 0 18 14" width="18" height="14" aria-hidden="true" {
                        rect x="0.5" y="0.5" width="17" height="13" rx="2" class={ "slice " (colour) } {}
                    }
                    " " (texts.name("lift", colour))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_as_the_counts() {
        let area = |count| reach(count, 100).powi(2) - HUB.powi(2);
        assert!((area(100) - 2.0 * area(50)).abs() < 1e-6);
        assert!((area(100) - 10.0 * area(10)).abs() < 1e-6);
        assert_eq!(reach(100, 100), RIM);
    }

    #[test]
    fn colours_go_by_lift() {
        assert_eq!(colour(0.1), COLOURS[0].1);
        assert_eq!(colour(1.0), COLOURS[2].1);
        assert_eq!(colour(7.0), COLOURS[4].1);
    }
}
