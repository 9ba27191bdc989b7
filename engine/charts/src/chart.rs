//! Tables of rates and other numbers as pictures: a point with its interval for each row, and what it is
//! made of in figures beside it.
//!
//! The same picture stands by itself, with the colours of paper, and in a page, whose style sheet gives the
//! classes its own. What is told by colour is told by shape too, so that it can be printed in grey.
//!
//! It is one long file because layout, scale and drawing of a row are changed together.

use crate::Theme;
use crate::geometry::{Area, Point};
use crate::svg::{Anchor, Escaped, N, Svg};
use crate::text::{Weight, fitting, lines, width as measured};

/// The width of a picture for a screen or a sheet.
pub const WIDE: u32 = 800;

/// The width of a picture for half a screen: each label stands above its row.
pub const MIDDLE: u32 = 520;

/// The same for a telephone, where it is shown as wide as it is.
pub const NARROW: u32 = 340;

/// A table as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What it tells, in a few words.
    pub title: String,
    /// What the numbers are, such as what is counted and under which filters. Any length.
    pub about: String,
    /// Its rows, in groups that are not compared with each other.
    pub groups: Vec<Group>,
    /// What is said below, such as what it is made of; a line each.
    pub notes: Vec<String>,
    /// Whether what it stands in tells all but the rows, so that it need not.
    pub bare: bool,
}

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they have in common.
    pub title: String,
    /// Whether the numbers are parts of 1, shown in per cent.
    pub parts: bool,
    /// The rows, from top to bottom.
    pub rows: Vec<Row>,
    /// How many rows of the table are not drawn.
    pub left_out: usize,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it is about.
    pub label: String,
    /// How many games it is made of, or nations in games.
    pub count: u64,
    /// Whether that is too few to rely on.
    pub few: bool,
    /// Its numbers.
    pub shape: Shape,
}

/// The numbers of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A number with its interval.
    Interval {
        /// The number.
        at: f64,
        /// Where its interval begins.
        low: f64,
        /// Where it ends.
        high: f64,
        /// What the number is compared with, if with anything.
        expected: Option<f64>,
    },
    /// What a tenth, a quarter, half, three quarters and nine tenths are no more than.
    Quantiles([f64; 5]),
    /// A number of winners beside that of the others.
    Pair {
        /// Of winners.
        winners: f64,
        /// Of the others.
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
            } => {
                let mut numbers = vec![at, low, high];
                numbers.extend(expected);
                numbers
            }
            Shape::Quantiles(all) => all.to_vec(),
            Shape::Pair { winners, others } => vec![winners, others],
        }
    }

    /// Where an interval lies beside what is expected.
    fn side(&self) -> Side {
        match *self {
            Shape::Interval {
                low,
                expected: Some(expected),
                ..
            } if low > expected => Side::Above,
            Shape::Interval {
                high,
                expected: Some(expected),
                ..
            } if high < expected => Side::Below,
            _ => Side::Even,
        }
    }
}

/// Where an interval lies beside what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Above,
    Below,
    Even,
}

/// A class that style sheets of pages know, and its colours without one, light and dark.
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
    /// The attributes of an area of a paint.
    pub fn fill(&self, paint: Paint) -> String {
        format!(
            r#" class="{}" fill="{}""#,
            paint.0,
            paint.colour(self.theme)
        )
    }

    /// The attributes of a line of a paint.
    pub fn stroke(&self, paint: Paint, width: f64) -> String {
        format!(
            r#" class="{}-line" stroke="{}" stroke-width="{}" fill="none""#,
            paint.0,
            paint.colour(self.theme),
            N(width)
        )
    }
}

/// What is left free at all sides.
pub const MARGIN: f64 = 16.0;

/// Sizes of texts: of labels and numbers, of what stands beside them, of titles.
pub const SIZE: f64 = 13.5;
pub const SMALL: f64 = 12.0;
const TITLE: f64 = 18.0;

/// How much wider a text can be in the font that there is than in ours.
pub const SLACK: f64 = 1.4;

/// Where the parts of rows go.
struct Layout {
    width: f64,
    /// What is left free at all sides.
    margin: f64,
    /// Whether labels stand above their rows.
    narrow: bool,
    /// The widest that a label may be, in our font.
    label: f64,
    /// Where the scale begins and ends.
    from: f64,
    to: f64,
    /// How high a row is, and where in it the point lies.
    row: f64,
    middle: f64,
}

impl Layout {
    fn of(chart: &Chart, width: u32) -> Layout {
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

/// A scale with few round steps.
pub struct Scale {
    pub least: f64,
    pub most: f64,
    step: f64,
    parts: bool,
}

/// The smallest of 1, 2, 2.5, 5 and their tens that is no less.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| *step >= rough);
    step.unwrap_or(rough)
}

impl Scale {
    /// One that begins at nothing and holds all numbers, with few round steps.
    fn of<'a>(rows: impl Iterator<Item = &'a Row>, parts: bool) -> Scale {
        let numbers = rows.flat_map(|row| row.shape.numbers());
        let most = numbers.filter(|number| number.is_finite());
        let most = most.fold(0.0, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let step = round_step(most / 5.0);
        Scale {
            least: 0.0,
            most: (most / step).ceil() * step,
            step,
            parts,
        }
    }

    /// One that holds all numbers, in about so many steps, whole ones where `whole`. Numbers that are not are left
    /// out.
    pub fn holding(
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

    /// Where its steps are.
    pub fn ticks(&self) -> Vec<f64> {
        let count = ((self.most - self.least) / self.step).round() as u32;
        (0..=count)
            .map(|number| self.least + f64::from(number) * self.step)
            .collect()
    }

    /// A step in figures.
    pub fn written(&self, number: f64) -> String {
        let fine = self.step < if self.parts { 0.02 } else { 1.0 };
        match (self.parts, fine) {
            (true, false) => format!("{:.0}%", number * 100.0),
            (true, true) => format!("{:.1}%", number * 100.0),
            (false, false) => format!("{number:.0}"),
            (false, true) => format!("{number:.1}"),
        }
    }
}

/// A number as it stands beside its row.
pub fn written(number: f64, parts: bool) -> String {
    match parts {
        true if number.abs() < 0.0995 => format!("{:.1}%", number * 100.0),
        true => format!("{:.0}%", number * 100.0),
        false if number.fract() == 0.0 => format!("{number:.0}"),
        false => format!("{number:.1}"),
    }
}

/// From and to, the unit once.
pub fn span(low: f64, high: f64, parts: bool) -> String {
    let (low, high) = (written(low, parts), written(high, parts));
    format!("{} to {high}", low.trim_end_matches('%'))
}

/// A count with its thousands apart; many millions as such.
pub fn counted(count: u64) -> String {
    if count >= 10_000_000 {
        return format!("{}M", count / 1_000_000);
    }
    let digits = count.to_string();
    let mut written = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            written.push('\u{a0}');
        }
        written.push(digit);
    }
    written
}

impl Row {
    /// Its number, and what stands behind it.
    fn figures(&self, parts: bool) -> (String, String) {
        match self.shape {
            Shape::Interval { at, low, high, .. } => (written(at, parts), span(low, high, parts)),
            Shape::Quantiles([low, _, median, _, high]) => {
                (written(median, parts), span(low, high, parts))
            }
            Shape::Pair { winners, others } => (
                written(winners, parts),
                format!("others {}", written(others, parts)),
            ),
        }
    }

    /// All of it in words.
    fn told(&self, parts: bool) -> String {
        let count = counted(self.count);
        let few = if self.few { ", too few to rely on" } else { "" };
        match self.shape {
            Shape::Interval {
                at,
                low,
                high,
                expected,
            } => {
                let expected =
                    expected.map(|number| format!(", expected {}", written(number, parts)));
                format!(
                    "{}: {}, 95% interval {}{}, n {count}{few}",
                    self.label,
                    written(at, parts),
                    span(low, high, parts),
                    expected.unwrap_or_default()
                )
            }
            Shape::Quantiles([q10, q25, median, q75, q90]) => format!(
                "{}: median {}, half of all {}, eight of ten {}, n {count}{few}",
                self.label,
                written(median, parts),
                span(q25, q75, parts),
                span(q10, q90, parts)
            ),
            Shape::Pair { winners, others } => format!(
                "{}: winners {}, others {}, n {count}{few}",
                self.label,
                written(winners, parts),
                written(others, parts)
            ),
        }
    }
}

/// What a text looks like and where it begins or ends.
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

    /// Writes without a fixed length: pages have fonts of their own.
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
            Escaped(text)
        ));
    }
}

/// Texts in lines from the left margin on, each below the one before; `y` is where they have come to.
pub struct Paragraphs {
    pub margin: f64,
    pub width: f64,
    pub y: f64,
}

impl Paragraphs {
    /// Writes one more.
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

    /// Writes what a picture is called and what it is about.
    pub fn head(&mut self, svg: &mut Svg, title: &str, about: &str) {
        self.write(svg, title, &Text::new(INK, TITLE).bold());
        self.y += 2.0;
        self.write(svg, about, &Text::new(FAINT, SMALL));
    }
}

/// A whole picture round its parts, called so and told in words.
pub fn whole(width: f64, height: f64, title: &str, told: &[String], body: &Svg) -> String {
    let mut svg = Svg::of(body.theme);
    let (wide, high) = (N(width), N(height));
    svg.raw(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img" font-family="'Fira Sans Condensed','Roboto Condensed','Arial Narrow',Arial,sans-serif" font-weight="500">"#
    ));
    svg.title(title);
    svg.raw(format_args!(
        "<desc>{}</desc>\n",
        Escaped(&told.join(" · "))
    ));
    let page = Area::new(0.0, 0.0, width, height);
    svg.rect(&page, 0.0, &svg.fill(PAGE));
    svg.raw(format_args!("{}</svg>\n", body.out));
    svg.out
}

/// A table as SVG, so wide; it is as high as it needs to be. At less than 600, labels stand above their rows.
pub fn chart(chart: &Chart, width: u32, theme: Theme) -> String {
    let layout = Layout::of(chart, width);
    let mut body = Svg::of(theme);
    let height = draw(&mut body, chart, &layout);
    let rows = chart.groups.iter().flat_map(|group| {
        let told = |row: &Row| row.told(group.parts);
        let rows: Vec<String> = group.rows.iter().map(told).collect();
        [format!("{}.", group.title)].into_iter().chain(rows)
    });
    let told: Vec<String> = [chart.about.clone()].into_iter().chain(rows).collect();
    whole(layout.width, height, &chart.title, &told, &body)
}

/// Draws everything, and returns how high it is.
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
        text.write(svg, "No game fits.", &Text::new(INK, SIZE));
    }
    // Parts are compared across groups; other numbers have a unit for each group.
    let of_parts = chart.groups.iter().filter(|group| group.parts);
    let shared = Scale::of(of_parts.flat_map(|group| &group.rows), true);
    for group in chart.groups.iter().filter(|group| !group.rows.is_empty()) {
        text.y += 14.0;
        let own = Scale::of(group.rows.iter(), false);
        let scale = if group.parts { &shared } else { &own };
        if !group.title.is_empty() {
            text.write(svg, &group.title, &Text::new(INK, SIZE).bold());
        }
        text.y = rows(svg, group, layout, scale, text.y + 4.0);
        if group.left_out > 0 {
            let told = format!("{} rows with fewer games are not drawn", group.left_out);
            text.write(svg, &told, &Text::new(FAINT, SMALL));
        }
    }
    text.y = legend(svg, chart, layout, text.y + 8.0);
    for note in chart.notes.iter().filter(|_| !chart.bare) {
        text.write(svg, note, &Text::new(FAINT, SMALL));
    }
    (text.y + layout.margin * 0.7).ceil()
}

/// Draws the rows of a group with their scale; returns where they end.
fn rows(svg: &mut Svg, group: &Group, layout: &Layout, scale: &Scale, top: f64) -> f64 {
    let bottom = top + layout.row * group.rows.len() as f64;
    let mut grid = String::new();
    // Labels that stand above their rows are not crossed.
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
        // The last one stands wholly below the scale.
        let x = scale.place(layout, *tick) + if last { 4.0 } else { 0.0 };
        let anchor = if last { Anchor::End } else { Anchor::Middle };
        let small = Text::new(FAINT, SMALL).anchored(anchor);
        let at = Point::new(x, bottom + 4.0 + SMALL);
        small.write(svg, at, &scale.written(*tick));
    }
    for (place, row) in group.rows.iter().enumerate() {
        let y = top + layout.row * place as f64;
        svg.open("");
        svg.title(&row.told(group.parts));
        figures(svg, row, group.parts, layout, y);
        mark(svg, row, layout, scale, y + layout.middle);
        svg.close();
    }
    bottom + 8.0 + SMALL
}

/// What a row is about and its numbers in figures.
fn figures(svg: &mut Svg, row: &Row, parts: bool, layout: &Layout, y: f64) {
    let label = fitting(&row.label, SIZE, Weight::Medium, layout.label);
    let (number, behind) = row.figures(parts);
    let few = if row.few { " few" } else { "" };
    let count = format!("n\u{a0}{}{few}", counted(row.count));
    let end = layout.width - layout.margin;
    // Label and number, interval and count: in two lines, or in one.
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

/// The point of a row with its interval.
fn mark(svg: &mut Svg, row: &Row, layout: &Layout, scale: &Scale, y: f64) {
    let x = |number: f64| scale.place(layout, number);
    match row.shape {
        Shape::Interval {
            at,
            low,
            high,
            expected,
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
            let paint = of_side(row.shape.side());
            svg.path(&line, &format!("{}{dashed}", svg.stroke(paint, 2.0)));
            point(svg, Point::new(x(at), y), row.shape.side());
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
            point(svg, Point::new(x(others), y), Side::Even);
            point(svg, Point::new(x(winners), y), Side::Above);
        }
    }
}

const fn of_side(side: Side) -> Paint {
    match side {
        Side::Above => ABOVE,
        Side::Below => BELOW,
        Side::Even => INK,
    }
}

/// A point: filled and pointing up or down where the interval is above or below what is expected, an open
/// circle where it is not.
pub fn point(svg: &mut Svg, at: Point, side: Side) {
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
        Side::Above => svg.path(&triangle(7.0), &svg.fill(ABOVE)),
        Side::Below => svg.path(&triangle(-7.0), &svg.fill(BELOW)),
        Side::Even => {
            let (page, ink) = (PAGE.colour(svg.theme), INK.colour(svg.theme));
            let open = format!(r#" class="open" fill="{page}" stroke="{ink}" stroke-width="2""#);
            svg.circle(at, 4.6, &open);
        }
    }
}

/// What the marks mean that the chart has; returns where it ends.
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
            |svg, at| point(svg, at, Side::Above),
            "whole interval above expected",
        ),
        (
            compared,
            |svg, at| point(svg, at, Side::Below),
            "whole interval below",
        ),
        (compared, |svg, at| point(svg, at, Side::Even), "neither"),
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
        (pair, |svg, at| point(svg, at, Side::Above), "winners"),
        (pair, |svg, at| point(svg, at, Side::Even), "the others"),
    ];
    let (mut x, mut y) = (layout.margin, top);
    let mut drawn = false;
    let most = (layout.width - 2.0 * layout.margin - 24.0) / SLACK;
    for (_, draw, words) in entries.iter().filter(|(is, ..)| *is) {
        let told = lines(words, SMALL, Weight::Medium, most);
        let widths = told
            .iter()
            .map(|line| measured(line, SMALL, Weight::Medium));
        let wide = 26.0 + widths.fold(0.0, f64::max) * SLACK + 12.0;
        if drawn && x + wide > layout.width - layout.margin {
            (x, y) = (layout.margin, y + 20.0);
        }
        draw(svg, Point::new(x + 9.0, y + 8.0));
        for (place, line) in told.iter().enumerate() {
            let below = 15.0 * place as f64;
            let at = Point::new(x + 24.0, y + 12.0 + below);
            Text::new(FAINT, SMALL).write(svg, at, line);
        }
        y += 15.0 * (told.len() - 1) as f64;
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
            },
        }
    }

    fn of(rows: Vec<Row>) -> Chart {
        let group = Group {
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

    /// Where texts are: what, left, right and baseline, in our font.
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
    fn points_lie_on_the_scale_in_their_intervals_and_tell_by_shape() {
        let table = of(vec![
            row(0.5, 0.4, 0.6),
            row(0.25, 0.2, 0.3),
            row(0.1, 0.05, 0.2),
        ]);
        let layout = Layout::of(&table, WIDE);
        let scale = Scale::of(table.groups[0].rows.iter(), true);
        assert!((scale.most - 0.6).abs() < 1e-9, "{}", scale.most);
        assert_eq!(scale.place(&layout, 0.0), layout.from);
        assert!((scale.place(&layout, 0.6) - layout.to).abs() < 1e-6);
        let svg = chart(&table, WIDE, Theme::Light);
        // Once in the rows and once in the legend.
        assert_eq!(svg.matches(r#"class="open""#).count(), 2);
        assert_eq!(svg.matches(r#"<path d="M"#).count(), 1 + 3 + 3 + 2 + 3);
        for told in [
            "50%",
            "40 to 60%",
            "10%",
            "5.0 to 20%",
            "n\u{a0}12\u{a0}345",
        ] {
            assert!(svg.contains(&format!(">{told}</text>")), "{told}: {svg}");
        }
        assert!(svg.contains("3 rows with fewer games are not drawn"));
    }

    #[test]
    fn a_table_without_rows_says_so_and_odd_numbers_break_nothing() {
        let none = Chart {
            groups: Vec::new(),
            ..of(Vec::new())
        };
        assert!(chart(&none, WIDE, Theme::Light).contains("No game fits."));
        let odd = of(vec![row(f64::NAN, f64::INFINITY, -1.0), row(0.0, 0.0, 0.0)]);
        let svg = chart(&odd, NARROW, Theme::Light);
        roxmltree::Document::parse(&svg).expect("XML");
    }

    #[test]
    fn what_is_light_can_be_dark_and_is_as_easy_to_read() {
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
        // As WCAG 2.2 has it: 4.5 for texts, 3 for what is told by a shape.
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
