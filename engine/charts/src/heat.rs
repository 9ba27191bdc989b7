//! Rates by two keys as heat maps: a row for each value of one key, a column for each of the other.
//!
//! As in [`chart()`](crate::chart()), nothing depends on colour alone: each cell has its rate and the difference from
//! what is expected.

use crate::Theme;
use crate::chart::{
    ABOVE, BELOW, FAINT, INK, IntervalSide, LINE, MARGIN, Paragraphs, SIZE, SLACK, SMALL, Text,
    document, format_count, format_interval, format_number,
};
use crate::geometry::{Area, Point};
use crate::svg::{Anchor, EscapedText, N, Svg};
use crate::text::{Weight, fitting, width as measured};

/// A picture with heat maps.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMaps {
    /// A short title.
    pub title: String,
    /// What the numbers are. Any length.
    pub about: String,
    /// The maps, which are not compared with each other.
    pub maps: Vec<HeatMap>,
    /// Notes below the maps; one for each line.
    pub notes: Vec<String>,
    /// Whether to draw only the maps, because the surrounding page has the rest.
    pub bare: bool,
}

/// A heat map.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// What the rates have in common.
    pub title: String,
    /// The labels of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The labels of the columns, from left to right.
    pub columns: Vec<String>,
    /// The cells by row and column; `None` without games.
    pub cells: Vec<Vec<Option<HeatCell>>>,
    /// The number of rows and columns that are not drawn.
    pub left_out: usize,
}

/// A cell of a heat map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatCell {
    /// The number of nations in games.
    pub count: u64,
    /// Whether the count is too small to rely on.
    pub few: bool,
    /// The fraction of them that won.
    pub rate: f64,
    /// The interval of the rate.
    pub interval: (f64, f64),
    /// The value to compare the rate with.
    pub expected: f64,
}

/// The height of a cell, and the width of the widest.
const HIGH: f64 = 40.0;
const WIDEST: f64 = 96.0;

/// The part of the width that labels of rows can have.
const LABELS: f64 = 0.3;

/// The opacity of a rate that is twice or half of what is expected, with which text is still legible.
const STRONGEST: f64 = 0.45;

/// The angle of slanted labels, in degrees.
const SLANT: f64 = 50.0;

impl HeatCell {
    /// Whether the whole interval is on one side of the expected rate.
    fn is_clear(&self) -> bool {
        IntervalSide::of(self.interval, self.expected) != IntervalSide::Even
    }

    /// The difference from the expected rate in points of a hundred, with its sign.
    fn difference(&self) -> String {
        let points = ((self.rate - self.expected) * 100.0).round();
        match points {
            0.0 => "±0".to_owned(),
            _ if points > 0.0 => format!("+{points}"),
            _ => format!("\u{2212}{}", -points),
        }
    }

    /// The opacity of the colour, by the ratio to the expected rate.
    fn opacity(&self) -> f64 {
        let ratio = (self.rate / self.expected).log2().abs();
        if ratio.is_nan() {
            0.0
        } else {
            ratio.min(1.0) * STRONGEST
        }
    }

    /// Describes the cell in words.
    fn describe(&self, row: &str, column: &str) -> String {
        let few = if self.few { ", too few to rely on" } else { "" };
        format!(
            "{row}, {column}: {}, 95% interval {}, expected {}, n {}{few}",
            format_number(self.rate, true),
            format_interval(self.interval.0, self.interval.1, true),
            format_number(self.expected, true),
            format_count(self.count)
        )
    }
}

impl HeatMap {
    fn described(&self) -> impl Iterator<Item = String> + '_ {
        let rows = self.rows.iter().zip(&self.cells);
        rows.flat_map(|(row, cells)| {
            let cells = self.columns.iter().zip(cells);
            cells.filter_map(|(column, cell)| Some(cell.as_ref()?.describe(row, column)))
        })
    }
}

/// Returns heat maps as SVG of this width; the height follows.
pub fn heat_maps(picture: &HeatMaps, width: u32, theme: Theme) -> String {
    let width = f64::from(width);
    let margin = if picture.bare { 1.0 } else { MARGIN };
    let mut body = Svg::new(theme);
    let mut text = Paragraphs {
        margin,
        width,
        y: margin,
    };
    if !picture.bare {
        text.head(&mut body, &picture.title, &picture.about);
    }
    let drawn = || picture.maps.iter().filter(|map| !map.rows.is_empty());
    if drawn().next().is_none() {
        text.y += 10.0;
        text.write(&mut body, "No game matches.", &Text::new(INK, SIZE));
    }
    for map in drawn() {
        text.y += 14.0;
        text.write(&mut body, &map.title, &Text::new(INK, SIZE).bold());
        draw(&mut body, map, &mut text);
        if map.left_out > 0 {
            let omitted = format!(
                "{} rows or columns with fewer games are not drawn",
                map.left_out
            );
            text.write(&mut body, &omitted, &Text::new(FAINT, SMALL));
        }
    }
    text.y += 6.0;
    if drawn().next().is_some() {
        let legend = "Each cell has the pooled rate, and the difference from the expected rate in points of a hundred. \
            A frame: the whole 95% interval is above or below what is expected. In brackets: too few games to rely on.";
        text.write(&mut body, legend, &Text::new(FAINT, SMALL));
    }
    for note in picture.notes.iter().filter(|_| !picture.bare) {
        text.write(&mut body, note, &Text::new(FAINT, SMALL));
    }
    let height = (text.y + margin * 0.7).ceil();
    let maps = drawn().flat_map(|map| {
        [format!("{}.", map.title)]
            .into_iter()
            .chain(map.described())
    });
    let description: Vec<String> = [picture.about.clone()].into_iter().chain(maps).collect();
    document(width, height, &picture.title, &description, &body)
}

/// Draws a map, and continues below it.
fn draw(svg: &mut Svg, map: &HeatMap, text: &mut Paragraphs) {
    let longest = |labels: &[String]| {
        let widths = labels
            .iter()
            .map(|label| measured(label, SIZE, Weight::Medium));
        widths.fold(0.0, f64::max)
    };
    let label = (longest(&map.rows) * SLACK).min(text.width * LABELS);
    let left = text.margin + label + 10.0;
    let right = text.width - text.margin;
    let head = longest(&map.columns) * SLACK;
    let wide = ((right - left) / map.columns.len() as f64).min(WIDEST);
    // Labels that are wider than their columns are slanted, and the last one needs room to its right.
    let slanted = head > wide;
    let (sine, cosine) = SLANT.to_radians().sin_cos();
    let (wide, high) = match slanted {
        true => {
            let room = (head * cosine).min((right - left) * LABELS);
            let wide = ((right - left - room) / map.columns.len() as f64).min(WIDEST);
            (wide, room / cosine * sine + SIZE)
        }
        false => (wide, SIZE + 4.0),
    };
    let most = match slanted {
        true => (high - SIZE) / sine / SLACK,
        false => wide / SLACK,
    };
    let top = text.y + 6.0 + high;
    for (place, column) in map.columns.iter().enumerate() {
        let middle = left + wide * (place as f64 + 0.5);
        let column = fitting(column, SIZE, Weight::Medium, most);
        match slanted {
            true => svg.raw(format_args!(
                r#"<text transform="translate({} {}) rotate(-{SLANT})" font-size="{}"{}>{}</text>"#,
                N(middle),
                N(top - 5.0),
                N(SIZE),
                svg.fill(INK),
                EscapedText(&column)
            )),
            false => {
                let middle = Point::new(middle, top - 6.0);
                let label = Text::new(INK, SIZE).anchored(Anchor::Middle);
                label.write(svg, middle, &column);
            }
        }
    }
    for (number, (row, cells)) in map.rows.iter().zip(&map.cells).enumerate() {
        let y = top + HIGH * number as f64;
        let label = fitting(row, SIZE, Weight::Medium, label / SLACK);
        let at = Point::new(text.margin, y + HIGH / 2.0 + 4.6);
        Text::new(INK, SIZE).write(svg, at, &label);
        for (place, (column, cell)) in map.columns.iter().zip(cells).enumerate() {
            let area = Area::new(left + wide * place as f64, y, wide - 2.0, HIGH - 2.0);
            match cell {
                Some(cell) => {
                    svg.open("");
                    svg.title(&cell.describe(row, column));
                    draw_cell(svg, cell, &area);
                    svg.close();
                }
                None => svg.rect(&area, 2.0, &svg.stroke(LINE, 1.0)),
            }
        }
    }
    text.y = top + HIGH * map.rows.len() as f64 + 4.0;
}

fn draw_cell(svg: &mut Svg, cell: &HeatCell, area: &Area) {
    let paint = if cell.rate > cell.expected {
        ABOVE
    } else {
        BELOW
    };
    svg.rect(area, 2.0, &svg.stroke(LINE, 1.0));
    let opacity = format!(
        r#"{} fill-opacity="{:.2}""#,
        svg.fill(paint),
        cell.opacity()
    );
    svg.rect(area, 2.0, &opacity);
    if cell.is_clear() && !cell.few {
        let inside = area.grown(-1.0);
        svg.rect(&inside, 2.0, &svg.stroke(paint, 2.0));
    }
    let rate = format!("{:.0}%", cell.rate * 100.0);
    let rate = if cell.few { format!("({rate})") } else { rate };
    let middle = area.centre();
    let number = Text::new(INK, SIZE).anchored(Anchor::Middle);
    let number = if cell.is_clear() && !cell.few {
        number.bold()
    } else {
        number
    };
    number.write(svg, Point::new(middle.x, middle.y - 2.0), &rate);
    let small = Text::new(INK, SMALL).anchored(Anchor::Middle);
    small.write(
        svg,
        Point::new(middle.x, middle.y + 13.0),
        &cell.difference(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(rate: f64, few: bool) -> Option<HeatCell> {
        Some(HeatCell {
            count: 120,
            few,
            rate,
            interval: (rate - 0.05, rate + 0.05),
            expected: 0.25,
        })
    }

    fn picture(columns: &[&str]) -> HeatMaps {
        let cells = |rate: f64| vec![cell(rate, false); columns.len()];
        let map = HeatMap {
            title: "Antike <East>".to_owned(),
            rows: vec!["Romans".to_owned(), "Greeks".to_owned()],
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            cells: vec![
                cells(0.31),
                [vec![None], cells(0.2)].concat()[..columns.len()].to_vec(),
            ],
            left_out: 3,
        };
        HeatMaps {
            title: "Nations and places".to_owned(),
            about: "Wins a nation in a game.".to_owned(),
            maps: vec![map],
            notes: vec!["240 games".to_owned()],
            bare: false,
        }
    }

    #[test]
    fn a_cell_says_in_words_and_signs_what_its_colour_shows() {
        let above = cell(0.31, false).expect("a cell");
        assert!(above.is_clear() && above.difference() == "+6");
        assert_eq!(
            above.describe("Romans", "Place 1"),
            "Romans, Place 1: 31%, 95% interval 26 to 36%, expected 25%, n 120"
        );
        let below = cell(0.21, true).expect("a cell");
        assert!(!below.is_clear() && below.difference() == "\u{2212}4");
        assert_eq!(cell(0.5, false).map(|cell| cell.opacity()), Some(STRONGEST));
        let never = HeatCell {
            expected: 0.0,
            rate: 0.0,
            ..above
        };
        assert_eq!(never.opacity(), 0.0);
    }

    #[test]
    fn all_cells_and_labels_are_inside() {
        let many = [
            "Growth",
            "Know-how and temples",
            "March",
            "Iron",
            "Gold",
            "Marble",
            "Mixed",
        ];
        for (columns, width) in [(&many[..], 340), (&many[..2], 800), (&many[..], 800)] {
            let svg = heat_maps(&picture(columns), width, Theme::Light);
            let tree = roxmltree::Document::parse(&svg).expect("XML");
            let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
                node.attribute(name)
                    .and_then(|text| text.parse().ok())
                    .unwrap_or_default()
            };
            let boxes = tree.descendants().filter(|node| node.has_tag_name("rect"));
            for own in boxes {
                let right = number(own, "x") + number(own, "width");
                assert!(right <= f64::from(width), "{right} of {width}");
            }
            assert!(svg.contains("3 rows or columns"), "{svg}");
        }
    }

    #[test]
    fn an_empty_picture_says_so() {
        let empty = HeatMaps {
            maps: Vec::new(),
            ..picture(&["Place 1"])
        };
        let svg = heat_maps(&empty, 340, Theme::Dark);
        assert!(svg.contains("No game matches."), "{svg}");
    }
}
