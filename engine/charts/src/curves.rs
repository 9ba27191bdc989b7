//! Line charts of numbers that change along an axis, such as a rating from game to game.
//!
//! As in [`chart()`](crate::chart()), nothing depends on colour alone: lines have different dashes and end at their
//! labels.

use crate::Theme;
use crate::chart::{
    ABOVE, BELOW, FAINT, INK, LINE, MARGIN, MARK, Paint, Paragraphs, SIZE, SLACK, SMALL, Scale,
    Text, document,
};
use crate::geometry::{Area, Point};
use crate::svg::{Anchor, N, Svg};
use crate::text::{Weight, fitting, width as measured};

/// A picture with lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// A short title.
    pub title: String,
    /// What the numbers are. Any length.
    pub about: String,
    /// The parts, each with its own scales.
    pub panels: Vec<Panel>,
    /// Notes below the lines; one for each line of text.
    pub notes: Vec<String>,
    /// Whether to draw only the lines, because the surrounding page has the rest.
    pub bare: bool,
}

/// Lines that are compared with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What the lines have in common; may be empty.
    pub title: String,
    /// The unit of the horizontal axis.
    pub along: Along,
    /// The kind of the vertical axis.
    pub upwards: Upwards,
    /// The lines. The fewer, the clearer.
    pub lines: Vec<Curve>,
    /// The number of lines that are not drawn.
    pub left_out: usize,
}

/// The unit of a horizontal axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// Whole numbers of something, such as `round`.
    Numbers(&'static str),
    /// Months, counted from January of the year 0.
    Months,
}

impl Along {
    /// Returns the title of the axis.
    fn title(self) -> &'static str {
        match self {
            Along::Numbers(unit) => unit,
            Along::Months => "month",
        }
    }

    /// Formats a number of the axis.
    fn format(self, number: f64) -> String {
        match self {
            Along::Numbers(_) => format!("{number:.0}"),
            Along::Months => {
                let month = number.rem_euclid(12.0);
                format!("{:.0}-{:02.0}", (number - month) / 12.0, month + 1.0)
            }
        }
    }
}

/// The kind of a vertical axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upwards {
    /// Fractions of 1, in percent, from 0.
    Parts,
    /// Any numbers.
    Numbers,
    /// Ranks, with 1 at the top.
    Places,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The label.
    pub label: String,
    /// Its points, from left to right.
    pub spots: Vec<Spot>,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The horizontal position.
    pub along: f64,
    /// The number.
    pub number: f64,
    /// The interval of the number, if known.
    pub span: Option<(f64, f64)>,
}

/// Paints and dashes of the lines, in order.
const PAINTS: [Paint; 4] = [ABOVE, BELOW, INK, MARK];
const DASHES: [&str; 4] = ["", "8 3", "2 3", "10 3 2 3"];

/// The height of a panel, and of a rank in a panel of ranks.
const HIGH: f64 = 230.0;
const PLACE: f64 = 21.0;

/// The least distance between labels at the ends of lines.
const APART: f64 = 15.0;

/// The area and scales of a panel.
struct Plot<'a> {
    area: Area,
    along: &'a Scale,
    upwards: &'a Scale,
    /// Whether small numbers are at the top.
    turned: bool,
}

impl Plot<'_> {
    fn at(&self, along: f64, number: f64) -> Point {
        let part = |scale: &Scale, number: f64| {
            ((number - scale.least) / (scale.most - scale.least)).clamp(0.0, 1.0)
        };
        let up = part(self.upwards, number);
        let down = if self.turned { up } else { 1.0 - up };
        Point::new(
            self.area.x + part(self.along, along) * self.area.width,
            self.area.y + down * self.area.height,
        )
    }
}

/// Whether all numbers of a point are finite.
fn is_finite(spot: &&Spot) -> bool {
    spot.along.is_finite() && spot.number.is_finite()
}

impl Panel {
    fn spots(&self) -> impl Iterator<Item = &Spot> {
        self.lines
            .iter()
            .flat_map(|line| &line.spots)
            .filter(is_finite)
    }

    fn scale_upwards(&self) -> Scale {
        let numbers = self.spots().map(|spot| spot.number);
        match self.upwards {
            Upwards::Parts => {
                let spans = self.spots().filter_map(|spot| spot.span);
                let all = numbers.chain(spans.map(|(_, high)| high)).chain([0.0]);
                Scale::containing(all, 4.0, false, true)
            }
            Upwards::Numbers => {
                let spans = self.spots().filter_map(|spot| spot.span);
                let all = numbers.chain(spans.flat_map(|(low, high)| [low, high]));
                Scale::containing(all, 4.0, false, false)
            }
            Upwards::Places => Scale::containing(numbers.chain([1.0]), f64::INFINITY, true, false),
        }
    }

    fn high(&self, scale: &Scale) -> f64 {
        match self.upwards {
            Upwards::Places => (PLACE * (scale.most - scale.least)).max(2.0 * PLACE),
            _ => HIGH,
        }
    }

    /// Describes a line in words.
    fn describe(&self, line: &Curve) -> String {
        let format_spot = |spot: &Spot| match self.upwards {
            Upwards::Parts => format!("{:.0}%", spot.number * 100.0),
            Upwards::Numbers => format!("{:.1}", spot.number),
            Upwards::Places => format!("place {:.0}", spot.number),
        };
        let mut spots = line.spots.iter().filter(is_finite);
        match (spots.next(), spots.next_back()) {
            (Some(first), Some(last)) => format!(
                "{}: {} at {} {}, {} at {} {}",
                line.label,
                format_spot(first),
                self.along.title(),
                self.along.format(first.along),
                format_spot(last),
                self.along.title(),
                self.along.format(last.along)
            ),
            (Some(only), None) => {
                format!(
                    "{}: {} at {} {}",
                    line.label,
                    format_spot(only),
                    self.along.title(),
                    self.along.format(only.along)
                )
            }
            _ => format!("{}: nothing", line.label),
        }
    }
}

/// Returns a picture of lines as SVG of this width; the height follows.
pub fn curves(curves: &Curves, width: u32, theme: Theme) -> String {
    let width = f64::from(width);
    let mut body = Svg::new(theme);
    let mut text = Paragraphs {
        margin: if curves.bare { 1.0 } else { MARGIN },
        width,
        y: if curves.bare { 1.0 } else { MARGIN },
    };
    if !curves.bare {
        text.head(&mut body, &curves.title, &curves.about);
    }
    let drawn = || {
        curves
            .panels
            .iter()
            .filter(|panel| panel.spots().next().is_some())
    };
    if drawn().next().is_none() {
        text.y += 10.0;
        text.write(
            &mut body,
            "There are no numbers to draw.",
            &Text::new(INK, SIZE),
        );
    }
    for panel in drawn() {
        text.y += 12.0;
        if !panel.title.is_empty() {
            text.write(&mut body, &panel.title, &Text::new(INK, SIZE).bold());
        }
        draw(&mut body, panel, &mut text);
        if panel.left_out > 0 {
            let omitted = format!("{} lines are not drawn", panel.left_out);
            text.write(&mut body, &omitted, &Text::new(FAINT, SMALL));
        }
    }
    text.y += 6.0;
    for note in curves.notes.iter().filter(|_| !curves.bare) {
        text.write(&mut body, note, &Text::new(FAINT, SMALL));
    }
    let height = (text.y + text.margin * 0.7).ceil();
    let lines = drawn().flat_map(|panel| {
        let lines = panel.lines.iter().map(|line| panel.describe(line));
        [panel.title.clone()].into_iter().chain(lines)
    });
    let description: Vec<String> = [curves.about.clone()]
        .into_iter()
        .chain(lines)
        .filter(|text| !text.is_empty())
        .collect();
    document(width, height, &curves.title, &description, &body)
}

/// Draws a panel, and continues below it.
fn draw(svg: &mut Svg, panel: &Panel, text: &mut Paragraphs) {
    let upwards = panel.scale_upwards();
    let longest = panel
        .lines
        .iter()
        .map(|line| measured(&line.label, SIZE, Weight::Medium));
    let names = (longest.fold(0.0, f64::max) * SLACK).min(text.width * 0.3);
    let ticks = upwards.ticks();
    let figures = ticks
        .iter()
        .map(|tick| measured(&upwards.format(*tick), SMALL, Weight::Medium));
    let left = text.margin + figures.fold(0.0, f64::max) * SLACK + 10.0;
    let right = text.width - text.margin - names - if names > 0.0 { 16.0 } else { 8.0 };
    let top = text.y + 10.0;
    let spots = || panel.spots().map(|spot| spot.along);
    let figures = spots().map(|along| measured(&panel.along.format(along), SMALL, Weight::Medium));
    // Figures of the horizontal axis do not touch.
    let most = (right - left) / (figures.fold(0.0, f64::max) * SLACK + 10.0);
    let along = Scale::containing(spots(), most.floor().clamp(1.0, 8.0), true, false);
    let plot = Plot {
        area: Area::new(left, top, (right - left).max(10.0), panel.high(&upwards)),
        along: &along,
        upwards: &upwards,
        turned: panel.upwards == Upwards::Places,
    };
    scales(svg, panel, &plot);
    for (place, line) in panel.lines.iter().enumerate() {
        svg.open("");
        svg.title(&panel.describe(line));
        stroke(svg, line, &plot, place);
        svg.close();
    }
    labels(svg, panel, &plot, names / SLACK);
    text.y = plot.area.bottom() + 10.0 + 2.0 * SMALL * 1.4;
}

/// Draws the grid lines of both scales, with their figures.
fn scales(svg: &mut Svg, panel: &Panel, plot: &Plot<'_>) {
    let Plot {
        area,
        along,
        upwards,
        ..
    } = plot;
    let mut grid = String::new();
    for tick in upwards.ticks() {
        let y = plot.at(along.least, tick).y;
        grid.push_str(&format!("M{} {}H{}", N(area.x), N(y), N(area.right())));
        let small = Text::new(FAINT, SMALL).anchored(Anchor::End);
        small.write(
            svg,
            Point::new(area.x - 6.0, y + 4.0),
            &upwards.format(tick),
        );
    }
    for tick in along.ticks() {
        let x = plot.at(tick, upwards.least).x;
        grid.push_str(&format!("M{} {}v5", N(x), N(area.bottom())));
        let small = Text::new(FAINT, SMALL).anchored(Anchor::Middle);
        small.write(
            svg,
            Point::new(x, area.bottom() + 6.0 + SMALL),
            &panel.along.format(tick),
        );
    }
    svg.path(&grid, &svg.stroke(LINE, 1.0));
    let at = Point::new(area.centre().x, area.bottom() + 8.0 + 2.2 * SMALL);
    let small = Text::new(FAINT, SMALL).anchored(Anchor::Middle);
    small.write(svg, at, panel.along.title());
}

/// Returns paint and dashes of the line with this index.
fn look(place: usize) -> (Paint, String) {
    let own = place % PAINTS.len();
    // The first four differ in both.
    let dashed = DASHES[(own + place / PAINTS.len()) % DASHES.len()];
    let dashed = match dashed {
        "" => String::new(),
        dashed => format!(r#" stroke-dasharray="{dashed}""#),
    };
    (PAINTS[own], dashed)
}

/// Draws a line and the band of its intervals.
fn stroke(svg: &mut Svg, line: &Curve, plot: &Plot<'_>, place: usize) {
    let (paint, dashed) = look(place);
    let spots = || line.spots.iter().filter(is_finite);
    let spans = spots().filter_map(|spot| Some((spot.along, spot.span?)));
    let (mut upper, mut lower) = (Vec::new(), Vec::new());
    for (along, (low, high)) in spans {
        upper.push(plot.at(along, high));
        lower.push(plot.at(along, low));
    }
    let path = |points: &[Point], first: char| {
        let mut path = String::new();
        for (number, point) in points.iter().enumerate() {
            let command = if number == 0 { first } else { 'L' };
            path.push_str(&format!("{command}{} {}", N(point.x), N(point.y)));
        }
        path
    };
    if upper.len() > 1 {
        lower.reverse();
        let band = format!("{}{}z", path(&upper, 'M'), path(&lower, 'L'));
        svg.path(&band, &format!(r#"{} fill-opacity=".16""#, svg.fill(paint)));
    }
    let points: Vec<Point> = spots()
        .map(|spot| plot.at(spot.along, spot.number))
        .collect();
    let round = r#" stroke-linejoin="round""#;
    svg.path(
        &path(&points, 'M'),
        &format!("{}{round}{dashed}", svg.stroke(paint, 2.0)),
    );
    if let Some(last) = points.last() {
        svg.circle(*last, 3.5, &svg.fill(paint));
    }
}

/// Draws the labels at the ends of the lines, moved apart where they would overlap.
fn labels(svg: &mut Svg, panel: &Panel, plot: &Plot<'_>, most: f64) {
    let mut ends: Vec<(&Curve, usize, Point)> = Vec::new();
    for (place, line) in panel.lines.iter().enumerate() {
        if let Some(last) = line.spots.iter().rfind(is_finite) {
            ends.push((line, place, plot.at(last.along, last.number)));
        }
    }
    ends.sort_by(|(.., one), (.., other)| one.y.total_cmp(&other.y));
    let mut heights: Vec<f64> = ends.iter().map(|(.., end)| end.y).collect();
    for number in 1..heights.len() {
        heights[number] = heights[number].max(heights[number - 1] + APART);
    }
    // A label that is too low pushes those above it up.
    let mut lowest = plot.area.bottom() + 4.0;
    for height in heights.iter_mut().rev() {
        *height = height.min(lowest);
        lowest = *height - APART;
    }
    for ((line, place, end), height) in ends.iter().zip(heights) {
        let x = plot.area.right() + 12.0;
        let way = format!(
            "M{} {}L{} {}",
            N(end.x + 4.5),
            N(end.y),
            N(x - 3.0),
            N(height)
        );
        svg.path(&way, &svg.stroke(look(*place).0, 0.8));
        let label = fitting(&line.label, SIZE, Weight::Medium, most);
        Text::new(INK, SIZE).write(svg, Point::new(x, height + 4.6), &label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(label: &str, numbers: &[f64]) -> Curve {
        let spots = numbers.iter().enumerate().map(|(place, number)| Spot {
            along: place as f64 + 1.0,
            number: *number,
            span: Some((number - 1.0, number + 1.0)),
        });
        Curve {
            label: label.to_owned(),
            spots: spots.collect(),
        }
    }

    fn of(upwards: Upwards, lines: Vec<Curve>) -> Curves {
        let panel = Panel {
            title: "Antike East".to_owned(),
            along: Along::Numbers("game"),
            upwards,
            lines,
            left_out: 2,
        };
        Curves {
            title: "<Ratings>".to_owned(),
            about: "after each game".to_owned(),
            panels: vec![panel],
            notes: vec!["12 games".to_owned()],
            bare: false,
        }
    }

    #[test]
    fn labels_of_lines_are_apart_and_inside() {
        let lines: Vec<Curve> = (0..12)
            .map(|number| {
                line(
                    &format!("player {number}"),
                    &[20.0, 25.0 + f64::from(number) / 50.0],
                )
            })
            .collect();
        for width in [crate::WIDE, crate::NARROW] {
            let svg = curves(&of(Upwards::Numbers, lines.clone()), width, Theme::Light);
            let tree = roxmltree::Document::parse(&svg).expect("XML");
            let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
                let text = node.attribute(name).expect("an attribute");
                text.parse().expect("a number")
            };
            let names = tree.descendants().filter(|node| {
                node.has_tag_name("text")
                    && node.text().is_some_and(|text| text.starts_with("player"))
            });
            let mut heights: Vec<f64> = Vec::new();
            for name in names {
                let text = name.text().unwrap_or_default();
                let right = number(name, "x") + measured(text, SIZE, Weight::Medium);
                assert!(right <= f64::from(width), "{text}: {right}");
                heights.push(number(name, "y"));
            }
            heights.sort_by(f64::total_cmp);
            assert_eq!(heights.len(), 12);
            assert!(
                heights
                    .windows(2)
                    .all(|pair| pair[1] - pair[0] > APART - 0.1),
                "{heights:?}"
            );
            let high = number(tree.root_element(), "height");
            assert!(
                heights[0] > 0.0 && heights[11] < high,
                "{heights:?} in {high}"
            );
        }
    }

    #[test]
    fn months_have_their_names() {
        let months = |number: f64| Along::Months.format(2026.0 * 12.0 + number);
        assert_eq!(
            [months(0.0), months(10.0), months(12.0)],
            ["2026-01", "2026-11", "2027-01"]
        );
    }

    #[test]
    fn labels_with_room_are_complete() {
        for name in [
            "Dido", "Hanno", "Mago", "Elissa", "Xerxes", "Gorgo", "Pyrrhus", "Zenobia",
        ] {
            let picture = of(Upwards::Numbers, vec![line(name, &[1.0, 2.0])]);
            let svg = curves(&picture, crate::NARROW, Theme::Light);
            assert!(svg.contains(&format!(">{name}</text>")), "{name}: {svg}");
        }
    }

    #[test]
    fn rank_1_is_at_the_top_and_everything_is_in_words() {
        let places = vec![line("dido", &[1.0, 1.0]), line("hanno", &[2.0, 2.0])];
        let picture = of(Upwards::Places, places);
        let panel = &picture.panels[0];
        let (along, upwards) = (
            Scale::containing([1.0, 2.0].into_iter(), 8.0, true, false),
            panel.scale_upwards(),
        );
        let plot = Plot {
            area: Area::new(0.0, 0.0, 100.0, 100.0),
            along: &along,
            upwards: &upwards,
            turned: true,
        };
        assert!(plot.at(1.0, 1.0).y < plot.at(1.0, 2.0).y);
        let svg = curves(&picture, crate::WIDE, Theme::Dark);
        assert!(
            svg.contains("dido: place 1 at game 1, place 1 at game 2"),
            "{svg}"
        );
        assert!(svg.contains("2 lines are not drawn"), "{svg}");
    }

    #[test]
    fn empty_pictures_and_infinite_numbers_can_be_drawn() {
        let odd = [
            line("odd", &[f64::NAN, f64::INFINITY, 3.0]),
            line("none", &[]),
            line("one", &[3.0]),
        ];
        for upwards in [Upwards::Parts, Upwards::Numbers, Upwards::Places] {
            let svg = curves(&of(upwards, odd.to_vec()), crate::NARROW, Theme::Dark);
            roxmltree::Document::parse(&svg).expect("XML");
        }
        let nothing = curves(&of(Upwards::Numbers, Vec::new()), crate::WIDE, Theme::Light);
        assert!(
            nothing.contains("There are no numbers to draw."),
            "{nothing}"
        );
    }
}
