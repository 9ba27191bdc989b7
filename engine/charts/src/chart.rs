//! Tables of rates and other numbers as pictures: for each row a point, its interval and figures.
//!
//! The same picture works alone, with colours for paper, and in a page, whose style sheet sets the classes. Whatever
//! colour shows is also shown by shape, so the picture can be printed in grey.
//!
//! The file is long because layout, scale and drawing of a row change together.

use crate::Theme;
use crate::geometry::{Area, Point};
use crate::svg::{Anchor, EscapedText, N, Svg};
use crate::text::{Weight, fitting, lines, width as measured};

/// The width of a picture for a screen or a sheet of paper.
pub const WIDE: u32 = 800;

/// The width of a picture for half a screen, with each label above its row.
pub const MIDDLE: u32 = 520;

/// The width of a picture for a phone, which shows it at full size.
pub const NARROW: u32 = 340;

/// A table to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// A short title.
    pub title: String,
    /// What the numbers are, such as the format_count events and the filters. Any length.
    pub about: String,
    /// The rows, in groups that are not compared with each other.
    pub groups: Vec<RowGroup>,
    /// Notes below the rows, such as the source; one for each line.
    pub notes: Vec<String>,
    /// Whether to draw only the rows, because the surrounding page has the rest.
    pub bare: bool,
}

/// Rows that are compared with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct RowGroup {
    /// What the rows have in common.
    pub title: String,
    /// Whether the numbers are fractions of 1, shown in percent.
    pub parts: bool,
    /// The rows, from top to bottom.
    pub rows: Vec<Row>,
    /// The number of rows of the table that are not drawn.
    pub left_out: usize,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The label.
    pub label: String,
    /// The number of games, or of nations in games.
    pub count: u64,
    /// Whether the count is too small to rely on.
    pub few: bool,
    /// The numbers.
    pub shape: Shape,
}

/// The numbers of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A number with its interval.
    Interval {
        /// The number.
        at: f64,
        /// The lower end of its interval.
        low: f64,
        /// The upper end of its interval.
        high: f64,
        /// The value to compare it with, if any.
        expected: Option<f64>,
        /// The side of that value on which the number is at 95%.
        /// If the value is uncertain too, the interval alone does not tell.
        side: IntervalSide,
    },
    /// The quantiles at 10, 25, 50, 75 and 90 %.
    Quantiles([f64; 5]),
    /// A number for winners and one for the others.
    Pair {
        /// The number for winners.
        winners: f64,
        /// The number for the others.
        others: f64,
    },
}

impl Shape {
    fn numbers(&self) -> Vec<f64> {
        match *self {
            Shape::Interval {
                at,
                low,
                high,
                expected,
                ..
            } => {
                let mut numbers = vec![at, low, high];
                numbers.extend(expected);
                numbers
            }
            Shape::Quantiles(all) => all.to_vec(),
            Shape::Pair { winners, others } => vec![winners, others],
        }
    }
}

/// The side of the expected value on which a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalSide {
    /// Above the value.
    Above,
    /// Below the value.
    Below,
    /// Neither: the value can be the right one.
    Even,
}

impl IntervalSide {
    /// Returns the side of `expected` on which the whole interval lies.
    pub fn of((low, high): (f64, f64), expected: f64) -> IntervalSide {
        if low > expected {
            IntervalSide::Above
        } else if high < expected {
            IntervalSide::Below
        } else {
            IntervalSide::Even
        }
    }
}

/// A class for style sheets of pages, and its light and dark colour without one.
#[derive(Clone, Copy)]
pub struct Paint(&'static str, &'static str, &'static str);

pub const PAGE: Paint = Paint("page", "#fffdf8", "#1d2329");
pub const INK: Paint = Paint("ink", "#2b2620", "#ece6d9");
pub const FAINT: Paint = Paint("faint", "#645b4d", "#b3ac9e");
pub const LINE: Paint = Paint("line", "#e2d9c5", "#3a444e");
pub const MARK: Paint = Paint("mark", "#8a7f6c", "#948d80");
pub const ABOVE: Paint = Paint("above", "#0b5f97", "#6cbcf0");
pub const BELOW: Paint = Paint("below", "#b04a00", "#f29c52");

impl Paint {
    const fn colour(self, theme: Theme) -> &'static str {
        match theme {
            Theme::Light => self.1,
            Theme::Dark => self.2,
        }
    }
}

impl Svg {
    /// The attributes of an area with this paint.
    pub fn fill(&self, paint: Paint) -> String {
        format!(
            r#" class="{}" fill="{}""#,
            paint.0,
            paint.colour(self.theme)
        )
    }

    /// The attributes of a line with this paint.
    pub fn stroke(&self, paint: Paint, width: f64) -> String {
        format!(
            r#" class="{}-line" stroke="{}" stroke-width="{}" fill="none""#,
            paint.0,
            paint.colour(self.theme),
            N(width)
        )
    }
}

/// The margin at all sides.
pub const MARGIN: f64 = 16.0;

/// Sizes of text: of labels and numbers, of smaller text, of titles.
pub const SIZE: f64 = 13.5;
pub const SMALL: f64 = 12.0;
const TITLE: f64 = 18.0;

/// How much wider text can be in the available font than in ours.
pub const SLACK: f64 = 1.4;

/// The positions of the parts of rows.
struct Layout {
    width: f64,
    /// The margin at all sides.
    margin: f64,
    /// Whether labels are above their rows.
    narrow: bool,
    /// The maximum width of a label, in our font.
    label: f64,
    /// The left and right end of the scale.
    from: f64,
    to: f64,
    /// The height of a row, and of the point within it.
    row: f64,
    middle: f64,
}

impl Layout {
    fn new(chart: &Chart, width: u32) -> Layout {
        let width = f64::from(width);
        let narrow = width < 600.0;
        let margin = if chart.bare { 1.0 } else { MARGIN };
        if narrow {
            return Layout {
                width,
                margin,
                narrow,
                label: (width - 2.0 * margin - 56.0) / SLACK,
                from: margin + 12.0,
                to: width - margin - 12.0,
                row: 58.0,
                middle: 44.0,
            };
        }
        let rows = chart.groups.iter().flat_map(|group| &group.rows);
        let longest = rows.map(|row| measured(&row.label, SIZE, Weight::Medium) * SLACK);
        let label = longest.fold(90.0, f64::max).min(width * 0.36);
        Layout {
            width,
            margin,
            narrow,
            label: label / SLACK,
            from: margin + label + 20.0,
            to: width - margin - 230.0,
            row: 26.0,
            middle: 13.0,
        }
    }
}

/// A scale with a few round steps.
pub struct Scale {
    pub least: f64,
    pub most: f64,
    step: f64,
    parts: bool,
}

/// The smallest of 1, 2, 2.5, 5 and their powers of ten that is at least `rough`.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| *step >= rough);
    step.unwrap_or(rough)
}

impl Scale {
    /// Returns a scale that contains 0 and all numbers of the rows.
    fn new<'a>(rows: impl Iterator<Item = &'a Row>, parts: bool) -> Scale {
        let numbers = rows.flat_map(|row| row.shape.numbers());
        let numbers = numbers.filter(|number| number.is_finite());
        let (least, most) = numbers.fold((0.0_f64, 0.0_f64), |(least, most), number| {
            (least.min(number), most.max(number))
        });
        let most = if most > least { most } else { 1.0 };
        let step = round_step((most - least) / 5.0);
        Scale {
            least: (least / step).floor() * step,
            most: (most / step).ceil() * step,
            step,
            parts,
        }
    }

    /// Returns a scale that contains all numbers, in about `steps` steps, which are integers if `whole`.
    ///
    /// It ignores numbers that are not finite.
    pub fn containing(
        numbers: impl Iterator<Item = f64>,
        steps: f64,
        whole: bool,
        parts: bool,
    ) -> Scale {
        let ends = numbers.filter(|number| number.is_finite()).fold(
            None,
            |ends: Option<(f64, f64)>, number| {
                let (least, most) = ends.unwrap_or((number, number));
                Some((least.min(number), most.max(number)))
            },
        );
        let (least, most) = ends.unwrap_or((0.0, 1.0));
        let rough = round_step(((most - least) / steps).max(1e-6 * most.abs().max(1.0)));
        let step = if whole { rough.max(1.0).ceil() } else { rough };
        let (from, to) = ((least / step).floor() * step, (most / step).ceil() * step);
        Scale {
            least: from,
            most: if to > from { to } else { from + step },
            step,
            parts,
        }
    }

    fn place(&self, layout: &Layout, number: f64) -> f64 {
        let part = (number - self.least) / (self.most - self.least);
        layout.from + part.clamp(0.0, 1.0) * (layout.to - layout.from)
    }

    /// The values of its steps.
    pub fn ticks(&self) -> Vec<f64> {
        let count = ((self.most - self.least) / self.step).round() as u32;
        (0..=count)
            .map(|number| self.least + f64::from(number) * self.step)
            .collect()
    }

    /// Formats a value of the scale.
    pub fn format(&self, number: f64) -> String {
        let fine = self.step < if self.parts { 0.02 } else { 1.0 };
        match (self.parts, fine) {
            (true, false) => format!("{:.0}%", number * 100.0),
            (true, true) => format!("{:.1}%", number * 100.0),
            (false, false) => format!("{number:.0}"),
            (false, true) => format!("{number:.1}"),
        }
    }
}

/// Formats the number of a row.
pub fn format_number(number: f64, parts: bool) -> String {
    match parts {
        true if number.abs() < 0.0995 => format!("{:.1}%", number * 100.0),
        true => format!("{:.0}%", number * 100.0),
        false if number.fract() == 0.0 => format!("{number:.0}"),
        false => format!("{number:.1}"),
    }
}

/// Formats an interval, with one unit.
pub fn format_interval(low: f64, high: f64, parts: bool) -> String {
    let (low, high) = (format_number(low, parts), format_number(high, parts));
    format!("{} to {high}", low.trim_end_matches('%'))
}

/// Formats a count with separated thousands; many millions as such.
pub fn format_count(count: u64) -> String {
    if count >= 10_000_000 {
        return format!("{}M", count / 1_000_000);
    }
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

impl Row {
    /// The number, and the smaller text after it.
    fn figures(&self, parts: bool) -> (String, String) {
        match self.shape {
            Shape::Interval { at, low, high, .. } => {
                (format_number(at, parts), format_interval(low, high, parts))
            }
            Shape::Quantiles([low, _, median, _, high]) => (
                format_number(median, parts),
                format_interval(low, high, parts),
            ),
            Shape::Pair { winners, others } => (
                format_number(winners, parts),
                format!("others {}", format_number(others, parts)),
            ),
        }
    }

    /// Describes the row in words.
    fn describe(&self, parts: bool) -> String {
        let count = format_count(self.count);
        let few = if self.few { ", too few to rely on" } else { "" };
        match self.shape {
            Shape::Interval {
                at,
                low,
                high,
                expected,
                ..
            } => {
                let expected =
                    expected.map(|number| format!(", expected {}", format_number(number, parts)));
                format!(
                    "{}: {}, 95% interval {}{}, n {count}{few}",
                    self.label,
                    format_number(at, parts),
                    format_interval(low, high, parts),
                    expected.unwrap_or_default()
                )
            }
            Shape::Quantiles([q10, q25, median, q75, q90]) => format!(
                "{}: median {}, half of all {}, eight of ten {}, n {count}{few}",
                self.label,
                format_number(median, parts),
                format_interval(q25, q75, parts),
                format_interval(q10, q90, parts)
            ),
            Shape::Pair { winners, others } => format!(
                "{}: winners {}, others {}, n {count}{few}",
                self.label,
                format_number(winners, parts),
                format_number(others, parts)
            ),
        }
    }
}

/// The look of a text and its alignment.
pub struct Text {
    paint: Paint,
    size: f64,
    bold: bool,
    anchor: Anchor,
}

impl Text {
    pub const fn new(paint: Paint, size: f64) -> Text {
        Text {
            paint,
            size,
            bold: false,
            anchor: Anchor::Start,
        }
    }

    pub const fn bold(self) -> Text {
        Text { bold: true, ..self }
    }

    pub const fn anchored(self, anchor: Anchor) -> Text {
        Text { anchor, ..self }
    }

    /// Writes text without a fixed length, since pages have their own fonts.
    pub fn write(&self, svg: &mut Svg, at: Point, text: &str) {
        let bold = if self.bold {
            r#" font-weight="700""#
        } else {
            ""
        };
        let anchor = match self.anchor {
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
            Anchor::Start | Anchor::Inherited => "",
        };
        let fill = svg.fill(self.paint);
        svg.raw(format_args!(
            r#"<text x="{}" y="{}" font-size="{}"{bold}{anchor}{fill}>{}</text>"#,
            N(at.x),
            N(at.y),
            N(self.size),
            EscapedText(text)
        ));
    }
}

/// Lines of text from the left margin, each below the one before; `y` is the current height.
pub struct Paragraphs {
    pub margin: f64,
    pub width: f64,
    pub y: f64,
}

impl Paragraphs {
    /// Writes one more paragraph.
    pub fn write(&mut self, svg: &mut Svg, text: &str, kind: &Text) {
        let weight = if kind.bold {
            Weight::Bold
        } else {
            Weight::Medium
        };
        let most = (self.width - 2.0 * self.margin) / SLACK;
        for line in lines(text, kind.size, weight, most) {
            self.y += kind.size * 1.32;
            let at = Point::new(self.margin, self.y - kind.size * 0.32);
            kind.write(svg, at, &line);
        }
    }

    /// Writes title and subtitle of a picture.
    pub fn head(&mut self, svg: &mut Svg, title: &str, about: &str) {
        self.write(svg, title, &Text::new(INK, TITLE).bold());
        self.y += 2.0;
        self.write(svg, about, &Text::new(FAINT, SMALL));
    }
}

/// Returns a whole picture around its parts, with its title and its description in words.
pub fn document(
    width: f64,
    height: f64,
    title: &str,
    description: &[String],
    body: &Svg,
) -> String {
    let mut svg = Svg::new(body.theme);
    let (wide, high) = (N(width), N(height));
    svg.raw(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img" font-family="'Fira Sans Condensed','Roboto Condensed','Arial Narrow',Arial,sans-serif" font-weight="500">"#
    ));
    svg.title(title);
    svg.raw(format_args!(
        "<desc>{}</desc>\n",
        EscapedText(&description.join(" · "))
    ));
    let page = Area::new(0.0, 0.0, width, height);
    svg.rect(&page, 0.0, &svg.fill(PAGE));
    svg.raw(format_args!("{}</svg>\n", body.out));
    svg.out
}

/// Returns a table as SVG of this width; the height follows. Below 600, labels are above their rows.
pub fn chart(chart: &Chart, width: u32, theme: Theme) -> String {
    let layout = Layout::new(chart, width);
    let mut body = Svg::new(theme);
    let height = draw(&mut body, chart, &layout);
    let rows = chart.groups.iter().flat_map(|group| {
        let describe = |row: &Row| row.describe(group.parts);
        let rows: Vec<String> = group.rows.iter().map(describe).collect();
        [format!("{}.", group.title)].into_iter().chain(rows)
    });
    let description: Vec<String> = [chart.about.clone()].into_iter().chain(rows).collect();
    document(layout.width, height, &chart.title, &description, &body)
}

/// Draws everything, and returns the height.
fn draw(svg: &mut Svg, chart: &Chart, layout: &Layout) -> f64 {
    let mut text = Paragraphs {
        margin: layout.margin,
        width: layout.width,
        y: layout.margin,
    };
    if !chart.bare {
        text.head(svg, &chart.title, &chart.about);
    }
    if chart.groups.iter().all(|group| group.rows.is_empty()) {
        text.y += 10.0;
        text.write(svg, "No game matches.", &Text::new(INK, SIZE));
    }
    // Fractions share a scale across groups. Other numbers have their own unit in each group.
    let of_parts = chart.groups.iter().filter(|group| group.parts);
    let shared = Scale::new(of_parts.flat_map(|group| &group.rows), true);
    for group in chart.groups.iter().filter(|group| !group.rows.is_empty()) {
        text.y += 14.0;
        let own = Scale::new(group.rows.iter(), false);
        let scale = if group.parts { &shared } else { &own };
        if !group.title.is_empty() {
            text.write(svg, &group.title, &Text::new(INK, SIZE).bold());
        }
        text.y = rows(svg, group, layout, scale, text.y + 4.0);
        if group.left_out > 0 {
            let omitted = format!("{} rows with fewer games are not drawn", group.left_out);
            text.write(svg, &omitted, &Text::new(FAINT, SMALL));
        }
    }
    text.y = legend(svg, chart, layout, text.y + 8.0);
    for note in chart.notes.iter().filter(|_| !chart.bare) {
        text.write(svg, note, &Text::new(FAINT, SMALL));
    }
    (text.y + layout.margin * 0.7).ceil()
}

/// Draws the rows of a group with their scale. Returns the lower end.
fn rows(svg: &mut Svg, group: &RowGroup, layout: &Layout, scale: &Scale, top: f64) -> f64 {
    let bottom = top + layout.row * group.rows.len() as f64;
    let mut grid = String::new();
    // Grid lines do not cross labels above rows.
    let spans: Vec<(f64, f64)> = match layout.narrow {
        true => (0..group.rows.len())
            .map(|place| top + layout.row * (place as f64 + 1.0))
            .map(|end| (end - 22.0, end - 4.0))
            .collect(),
        false => vec![(top, bottom + 4.0)],
    };
    for tick in scale.ticks() {
        for (from, to) in &spans {
            let x = N(scale.place(layout, tick));
            grid.push_str(&format!("M{x} {}V{}", N(*from), N(*to)));
        }
    }
    svg.path(&grid, &svg.stroke(LINE, 1.0));
    let ticks = scale.ticks();
    for (place, tick) in ticks.iter().enumerate() {
        let last = place + 1 == ticks.len();
        // The last figure is entirely below the scale.
        let x = scale.place(layout, *tick) + if last { 4.0 } else { 0.0 };
        let anchor = if last { Anchor::End } else { Anchor::Middle };
        let small = Text::new(FAINT, SMALL).anchored(anchor);
        let at = Point::new(x, bottom + 4.0 + SMALL);
        small.write(svg, at, &scale.format(*tick));
    }
    for (place, row) in group.rows.iter().enumerate() {
        let y = top + layout.row * place as f64;
        svg.open("");
        svg.title(&row.describe(group.parts));
        figures(svg, row, group.parts, layout, y);
        mark(svg, row, layout, scale, y + layout.middle);
        svg.close();
    }
    bottom + 8.0 + SMALL
}

/// Draws the label of a row and its figures.
fn figures(svg: &mut Svg, row: &Row, parts: bool, layout: &Layout, y: f64) {
    let label = fitting(&row.label, SIZE, Weight::Medium, layout.label);
    let (number, behind) = row.figures(parts);
    let few = if row.few { " few" } else { "" };
    let count = format!("n\u{a0}{}{few}", format_count(row.count));
    let end = layout.width - layout.margin;
    // Label with number, then interval with count: in two lines, or in one.
    let [at, below] = match layout.narrow {
        true => [y + 15.0, y + 31.0],
        false => [y + layout.middle + 4.6; 2],
    };
    let [number_ends, behind_begins] = match layout.narrow {
        true => [end, layout.margin],
        false => [end - 176.0, end - 166.0],
    };
    Text::new(INK, SIZE).write(svg, Point::new(layout.margin, at), &label);
    let bold = Text::new(INK, SIZE).bold().anchored(Anchor::End);
    bold.write(svg, Point::new(number_ends, at), &number);
    Text::new(FAINT, SMALL).write(svg, Point::new(behind_begins, below), &behind);
    let faint = Text::new(FAINT, SMALL).anchored(Anchor::End);
    faint.write(svg, Point::new(end, below), &count);
}

/// Draws the point of a row with its interval.
fn mark(svg: &mut Svg, row: &Row, layout: &Layout, scale: &Scale, y: f64) {
    let x = |number: f64| scale.place(layout, number);
    match row.shape {
        Shape::Interval {
            at,
            low,
            high,
            expected,
            side,
        } => {
            if let Some(expected) = expected {
                let tick = format!("M{} {}V{}", N(x(expected)), N(y - 9.0), N(y + 9.0));
                svg.path(&tick, &svg.stroke(MARK, 2.0));
            }
            let dashed = if row.few {
                r#" stroke-dasharray="3 3""#
            } else {
                ""
            };
            let line = format!(
                "M{} {}H{}M{} {}V{}M{} {}V{}",
                N(x(low)),
                N(y),
                N(x(high)),
                N(x(low)),
                N(y - 4.0),
                N(y + 4.0),
                N(x(high)),
                N(y - 4.0),
                N(y + 4.0)
            );
            let paint = paint_of_side(side);
            svg.path(&line, &format!("{}{dashed}", svg.stroke(paint, 2.0)));
            point(svg, Point::new(x(at), y), side);
        }
        Shape::Quantiles([q10, q25, median, q75, q90]) => {
            let line = format!("M{} {y}H{}", N(x(q10)), N(x(q90)), y = N(y));
            svg.path(&line, &svg.stroke(MARK, 2.0));
            let half = Area::new(x(q25), y - 6.0, (x(q75) - x(q25)).max(1.0), 12.0);
            svg.rect(&half, 2.0, &svg.fill(ABOVE));
            let tick = format!("M{} {}V{}", N(x(median)), N(y - 9.0), N(y + 9.0));
            svg.path(&tick, &svg.stroke(INK, 2.5));
        }
        Shape::Pair { winners, others } => {
            let line = format!("M{} {y}H{}", N(x(others)), N(x(winners)), y = N(y));
            svg.path(&line, &svg.stroke(MARK, 2.0));
            point(svg, Point::new(x(others), y), IntervalSide::Even);
            point(svg, Point::new(x(winners), y), IntervalSide::Above);
        }
    }
}

const fn paint_of_side(side: IntervalSide) -> Paint {
    match side {
        IntervalSide::Above => ABOVE,
        IntervalSide::Below => BELOW,
        IntervalSide::Even => INK,
    }
}

/// Draws a point: up or down for an interval above or below the expected value, else a circle.
pub fn point(svg: &mut Svg, at: Point, side: IntervalSide) {
    let Point { x, y } = at;
    let triangle = |tip: f64| {
        format!(
            "M{} {}L{} {}L{} {}z",
            N(x),
            N(y - tip),
            N(x + 6.2),
            N(y + tip * 0.72),
            N(x - 6.2),
            N(y + tip * 0.72)
        )
    };
    match side {
        IntervalSide::Above => svg.path(&triangle(7.0), &svg.fill(ABOVE)),
        IntervalSide::Below => svg.path(&triangle(-7.0), &svg.fill(BELOW)),
        IntervalSide::Even => {
            let (page, ink) = (PAGE.colour(svg.theme), INK.colour(svg.theme));
            let open = format!(r#" class="open" fill="{page}" stroke="{ink}" stroke-width="2""#);
            svg.circle(at, 4.6, &open);
        }
    }
}

/// Draws the legend of the marks in the chart. Returns its lower end.
fn legend(svg: &mut Svg, chart: &Chart, layout: &Layout, top: f64) -> f64 {
    let rows = || chart.groups.iter().flat_map(|group| &group.rows);
    let any = |is: &dyn Fn(&Row) -> bool| rows().any(is);
    let compared = any(&|row| {
        matches!(
            row.shape,
            Shape::Interval {
                expected: Some(_),
                ..
            }
        )
    });
    let quantiles = any(&|row| matches!(row.shape, Shape::Quantiles(_)));
    let pair = any(&|row| matches!(row.shape, Shape::Pair { .. }));
    let few = any(&|row| row.few && matches!(row.shape, Shape::Interval { .. }));
    type Draw = fn(&mut Svg, Point);
    let entries: [(bool, Draw, &str); 8] = [
        (
            compared,
            |svg, at| point(svg, at, IntervalSide::Above),
            "above expected at 95%",
        ),
        (
            compared,
            |svg, at| point(svg, at, IntervalSide::Below),
            "below",
        ),
        (
            compared,
            |svg, at| point(svg, at, IntervalSide::Even),
            "neither",
        ),
        (
            compared,
            |svg, Point { x, y }| {
                let tick = format!("M{} {}V{}", N(x), N(y - 7.0), N(y + 7.0));
                svg.path(&tick, &svg.stroke(MARK, 2.0));
            },
            "expected",
        ),
        (
            few,
            |svg, Point { x, y }| {
                let line = format!("M{} {}H{}", N(x - 8.0), N(y), N(x + 8.0));
                let dashed = format!(r#"{} stroke-dasharray="3 3""#, svg.stroke(INK, 2.0));
                svg.path(&line, &dashed);
            },
            "few games",
        ),
        (
            quantiles,
            |svg, Point { x, y }| {
                svg.rect(
                    &Area::new(x - 8.0, y - 5.0, 16.0, 10.0),
                    2.0,
                    &svg.fill(ABOVE),
                );
                let tick = format!("M{} {}V{}", N(x), N(y - 7.0), N(y + 7.0));
                svg.path(&tick, &svg.stroke(INK, 2.5));
            },
            "half of all games round the median; the line: eight of ten",
        ),
        (
            pair,
            |svg, at| point(svg, at, IntervalSide::Above),
            "winners",
        ),
        (
            pair,
            |svg, at| point(svg, at, IntervalSide::Even),
            "the others",
        ),
    ];
    let (mut x, mut y) = (layout.margin, top);
    let mut drawn = false;
    let most = (layout.width - 2.0 * layout.margin - 24.0) / SLACK;
    for (_, draw, words) in entries.iter().filter(|(is, ..)| *is) {
        let entry = lines(words, SMALL, Weight::Medium, most);
        let widths = entry
            .iter()
            .map(|line| measured(line, SMALL, Weight::Medium));
        let wide = 26.0 + widths.fold(0.0, f64::max) * SLACK + 12.0;
        if drawn && x + wide > layout.width - layout.margin {
            (x, y) = (layout.margin, y + 20.0);
        }
        draw(svg, Point::new(x + 9.0, y + 8.0));
        for (place, line) in entry.iter().enumerate() {
            let below = 15.0 * place as f64;
            let at = Point::new(x + 24.0, y + 12.0 + below);
            Text::new(FAINT, SMALL).write(svg, at, line);
        }
        y += 15.0 * (entry.len() - 1) as f64;
        x += wide;
        drawn = true;
    }
    if drawn { y + 24.0 } else { y }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(at: f64, low: f64, high: f64) -> Row {
        Row {
            label: "<Romans & others>".to_owned(),
            count: 12_345,
            few: false,
            shape: Shape::Interval {
                at,
                low,
                high,
                expected: Some(0.25),
                side: IntervalSide::of((low, high), 0.25),
            },
        }
    }

    fn of(rows: Vec<Row>) -> Chart {
        let group = RowGroup {
            title: "Antike East, 4 nations".to_owned(),
            parts: true,
            rows,
            left_out: 3,
        };
        Chart {
            title: "Win rates".to_owned(),
            about: "of nations".to_owned(),
            groups: vec![group],
            notes: vec!["64 games".to_owned()],
            bare: false,
        }
    }

    /// Returns the texts with left, right and baseline, in our font.
    fn texts(svg: &str) -> Vec<(String, f64, f64, f64)> {
        let tree = roxmltree::Document::parse(svg).expect("XML");
        let texts = tree.descendants().filter(|node| node.has_tag_name("text"));
        texts
            .map(|node| {
                let number = |name: &str| -> f64 {
                    node.attribute(name)
                        .and_then(|text| text.parse().ok())
                        .expect("a number")
                };
                let weight = match node.attribute("font-weight") {
                    Some(_) => Weight::Bold,
                    None => Weight::Medium,
                };
                let text = node.text().unwrap_or_default().to_owned();
                let wide = measured(&text, number("font-size"), weight);
                let left = match node.attribute("text-anchor") {
                    Some("end") => number("x") - wide,
                    Some("middle") => number("x") - wide / 2.0,
                    _ => number("x"),
                };
                (text, left, left + wide, number("y"))
            })
            .collect()
    }

    #[test]
    fn no_text_covers_another_or_leaves_the_picture() {
        let long = Row {
            label: "citizen, general, scholar, navigator, citizen".repeat(3),
            count: 123_456_789,
            few: true,
            ..row(0.0312, 0.0123, 0.0456)
        };
        let table = of(vec![row(0.5, 0.4, 0.6), long, row(0.1, 0.05, 0.2)]);
        let bare = Chart {
            bare: true,
            ..table.clone()
        };
        for (table, width) in [
            (&table, WIDE),
            (&table, NARROW),
            (&table, 600),
            (&bare, NARROW),
        ] {
            let svg = chart(table, width, Theme::Light);
            let texts = texts(&svg);
            assert!(texts.len() > 15, "{texts:?}");
            for (index, (text, left, right, y)) in texts.iter().enumerate() {
                assert!(
                    *left >= 0.0 && *right <= f64::from(width),
                    "{width}: {text}"
                );
                for (other, other_left, other_right, other_y) in &texts[..index] {
                    let apart =
                        right <= other_left || other_right <= left || (y - other_y).abs() > 11.0;
                    assert!(apart, "{width}: {text:?} and {other:?}");
                }
            }
        }
    }

    #[test]
    fn points_are_inside_their_intervals_and_have_shapes() {
        let table = of(vec![
            row(0.5, 0.4, 0.6),
            row(0.25, 0.2, 0.3),
            row(0.1, 0.05, 0.2),
        ]);
        let layout = Layout::new(&table, WIDE);
        let scale = Scale::new(table.groups[0].rows.iter(), true);
        assert!((scale.most - 0.6).abs() < 1e-9, "{}", scale.most);
        assert_eq!(scale.place(&layout, 0.0), layout.from);
        assert!((scale.place(&layout, 0.6) - layout.to).abs() < 1e-6);
        let svg = chart(&table, WIDE, Theme::Light);
        // One in the rows and one in the legend.
        assert_eq!(svg.matches(r#"class="open""#).count(), 2);
        assert_eq!(svg.matches(r#"<path d="M"#).count(), 1 + 3 + 3 + 2 + 3);
        for figure in [
            "50%",
            "40 to 60%",
            "10%",
            "5.0 to 20%",
            "n\u{a0}12\u{a0}345",
        ] {
            assert!(
                svg.contains(&format!(">{figure}</text>")),
                "{figure}: {svg}"
            );
        }
        assert!(svg.contains("3 rows with fewer games are not drawn"));
    }

    #[test]
    fn empty_tables_and_infinite_numbers_can_be_drawn() {
        let none = Chart {
            groups: Vec::new(),
            ..of(Vec::new())
        };
        assert!(chart(&none, WIDE, Theme::Light).contains("No game matches."));
        let odd = of(vec![row(f64::NAN, f64::INFINITY, -1.0), row(0.0, 0.0, 0.0)]);
        let svg = chart(&odd, NARROW, Theme::Light);
        roxmltree::Document::parse(&svg).expect("XML");
    }

    #[test]
    fn dark_pictures_differ_in_colour_only_and_have_contrast() {
        let paints = [PAGE, INK, FAINT, LINE, MARK, ABOVE, BELOW];
        let table = of(vec![row(0.5, 0.4, 0.6), row(0.1, 0.05, 0.2)]);
        let [light, dark] = [Theme::Light, Theme::Dark].map(|theme| chart(&table, WIDE, theme));
        for Paint(class, own, other) in paints {
            assert!(light.contains(own) && !light.contains(other), "{class}");
            assert!(dark.contains(other) && !dark.contains(own), "{class}");
        }
        let strip = |svg: &str| {
            let mut svg = svg.to_owned();
            for Paint(_, own, other) in paints {
                svg = svg.replace(own, "").replace(other, "");
            }
            svg
        };
        assert_eq!(strip(&light), strip(&dark), "only colours differ");
        // By WCAG 2.2: 4.5 for text, 3 for shapes.
        let luminance = |colour: &str| {
            let part = |at: usize| {
                let part = u8::from_str_radix(&colour[at..at + 2], 16).expect("two digits");
                let part = f64::from(part) / 255.0;
                match part <= 0.04045 {
                    true => part / 12.92,
                    false => ((part + 0.055) / 1.055).powf(2.4),
                }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        for theme in [Theme::Light, Theme::Dark] {
            let page = luminance(PAGE.colour(theme));
            for (paint, least) in [
                (INK, 4.5),
                (FAINT, 4.5),
                (ABOVE, 4.5),
                (BELOW, 4.5),
                (MARK, 3.0),
            ] {
                let own = luminance(paint.colour(theme));
                let contrast = (own.max(page) + 0.05) / (own.min(page) + 0.05);
                assert!(contrast >= least, "{theme:?} {}: {contrast}", paint.0);
            }
        }
    }
}
