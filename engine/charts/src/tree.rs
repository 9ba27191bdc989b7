//! Sequences that branch, such as openings, as trees from left to right.
//!
//! The thicker a branch, the more frequent it is.
//!
//! As in [`chart()`](crate::chart()), nothing depends on colour alone. In a narrow picture the same tree is an outline
//! with one line below the other.

use crate::Theme;
use crate::chart::{
    ABOVE, BELOW, FAINT, INK, IntervalSide, LINE, MARGIN, MARK, PAGE, Paint, Paragraphs, SIZE,
    SLACK, SMALL, Text, document, format_count, format_interval, format_number, point,
};
use crate::geometry::{Area, Point};
use crate::svg::{Anchor, N, Svg};
use crate::text::{Weight, fitting, lines, width as measured};

/// A picture with trees.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// A short title.
    pub title: String,
    /// What the numbers are. Any length.
    pub about: String,
    /// The trees, which are not compared with each other.
    pub trees: Vec<Tree>,
    /// Notes below the trees; one for each line.
    pub notes: Vec<String>,
    /// Whether to draw only the trees, because the surrounding page has the rest.
    pub bare: bool,
}

/// A tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// What the tree is about.
    pub title: String,
    /// The root.
    pub root: Branch,
    /// The number of branches that are not drawn.
    pub left_out: usize,
}

/// A branch of a tree, with its further branches.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The label.
    pub label: String,
    /// The number of nations that took it.
    pub count: u64,
    /// Whether the count is too small to rely on.
    pub few: bool,
    /// The fraction of them that won.
    pub rate: f64,
    /// The interval of the rate.
    pub interval: (f64, f64),
    /// The value to compare the rate with.
    pub expected: f64,
    /// The further branches, from top to bottom.
    pub next: Vec<Branch>,
}

impl Branch {
    /// The number of branches after it.
    pub fn len(&self) -> usize {
        self.next.iter().map(|next| 1 + next.len()).sum()
    }

    /// Whether it has no further branches.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    fn side(&self) -> IntervalSide {
        IntervalSide::of(self.interval, self.expected)
    }

    /// The paint of the line that leads to it.
    fn paint(&self) -> Paint {
        match self.side() {
            IntervalSide::Above => ABOVE,
            IntervalSide::Below => BELOW,
            IntervalSide::Even => MARK,
        }
    }

    fn number(&self) -> String {
        let count = format_count(self.count);
        let few = if self.few { " few" } else { "" };
        format!("n\u{a0}{count}{few}")
    }

    fn levels(&self) -> usize {
        let next = self.next.iter().map(|next| 1 + next.levels());
        next.max().unwrap_or(0)
    }

    fn leaves(&self) -> usize {
        match self.is_empty() {
            true => 1,
            false => self.next.iter().map(Branch::leaves).sum(),
        }
    }

    /// Describes the branch and those after it in words.
    fn describe(&self, behind: &str, all: &mut Vec<String>) {
        let way = match behind {
            "" => self.label.clone(),
            behind => format!("{behind}, {}", self.label),
        };
        all.push(self.describe_alone(&way));
        // The root is omitted from the descriptions.
        let behind = if all.len() > 1 { way.as_str() } else { "" };
        for next in &self.next {
            next.describe(behind, all);
        }
    }

    fn describe_alone(&self, way: &str) -> String {
        let (low, high) = self.interval;
        let few = if self.few { ", too few to rely on" } else { "" };
        format!(
            "{way}: {}, 95% interval {}, expected {}, n {}{few}",
            format_number(self.rate, true),
            format_interval(low, high, true),
            format_number(self.expected, true),
            format_count(self.count)
        )
    }
}

/// The height of a box, and the distance between boxes.
const BOX: f64 = 40.0;
const PITCH: f64 = 48.0;

/// The padding of a box.
const INSIDE: f64 = 8.0;

/// The maximum width of a box, and the least and greatest distance between two levels.
const WIDEST: f64 = 210.0;
const BETWEEN: (f64, f64) = (52.0, 150.0);

/// The thickness of all branches together, and the least one of a branch.
const THICK: f64 = 32.0;
const THIN: f64 = 1.5;

/// The height of a line of an outline, the indent of a level, and the thickness of all branches.
const ROW: f64 = 42.0;
const INDENT: f64 = 20.0;
const THICK_LINE: f64 = 9.0;

/// The opacity of branches, since labels can be on them.
const FADED: &str = r#" stroke-opacity=".55""#;

/// Returns trees as SVG of this width; the height follows. Below 600 they are outlines.
pub fn tree(forest: &Forest, width: u32, theme: Theme) -> String {
    let width = f64::from(width);
    let mut body = Svg::new(theme);
    let margin = if forest.bare { 1.0 } else { MARGIN };
    let mut text = Paragraphs {
        margin,
        width,
        y: margin,
    };
    if !forest.bare {
        text.head(&mut body, &forest.title, &forest.about);
    }
    if forest.trees.is_empty() {
        text.y += 10.0;
        text.write(&mut body, "No game matches.", &Text::new(INK, SIZE));
    }
    for tree in &forest.trees {
        text.y += 14.0;
        if !tree.title.is_empty() {
            text.write(&mut body, &tree.title, &Text::new(INK, SIZE).bold());
        }
        text.y += 6.0;
        match width < 600.0 {
            true => outline(&mut body, &tree.root, &mut text),
            false => boxes(&mut body, &tree.root, &mut text),
        }
        if tree.left_out > 0 {
            let omitted = format!("{} branches with fewer games are not drawn", tree.left_out);
            text.write(&mut body, &omitted, &Text::new(FAINT, SMALL));
        }
    }
    if !forest.trees.is_empty() {
        legend(&mut body, forest, &mut text);
    }
    for note in forest.notes.iter().filter(|_| !forest.bare) {
        text.write(&mut body, note, &Text::new(FAINT, SMALL));
    }
    let height = (text.y + margin * 0.7).ceil();
    let mut description = vec![forest.about.clone()];
    for tree in &forest.trees {
        description.push(format!("{}.", tree.title));
        let mut own = Vec::new();
        tree.root.describe("", &mut own);
        description.append(&mut own);
    }
    document(width, height, &forest.title, &description, &body)
}

/// The positions of the boxes of a tree.
struct TreeLayout {
    left: f64,
    top: f64,
    wide: f64,
    between: f64,
    /// The count of the root.
    all: f64,
}

impl TreeLayout {
    fn new(root: &Branch, text: &Paragraphs) -> TreeLayout {
        let room = text.width - 2.0 * text.margin;
        let levels = root.levels() as f64;
        let wide = ((room - levels * BETWEEN.0) / (levels + 1.0)).min(WIDEST);
        let between = (room - wide * (levels + 1.0)) / levels.max(1.0);
        TreeLayout {
            left: text.margin,
            top: text.y,
            wide,
            between: between.min(BETWEEN.1),
            all: (root.count as f64).max(1.0),
        }
    }

    /// Returns the box of a branch on a level whose leaves begin at `leaf`.
    fn area(&self, branch: &Branch, level: usize, leaf: usize) -> Area {
        let middle = leaf as f64 + (branch.leaves() as f64 - 1.0) / 2.0;
        Area::new(
            self.left + level as f64 * (self.wide + self.between),
            self.top + middle * PITCH,
            self.wide,
            BOX,
        )
    }

    fn thick(&self, branch: &Branch) -> f64 {
        (THICK * branch.count as f64 / self.all).max(THIN)
    }
}

/// Draws a tree from left to right, and continues below it.
fn boxes(svg: &mut Svg, root: &Branch, text: &mut Paragraphs) {
    let layout = TreeLayout::new(root, text);
    ways(svg, root, &layout, 0, 0);
    all_boxes(svg, root, &layout, 0, 0);
    text.y = layout.top + root.leaves() as f64 * PITCH;
}

/// Draws the lines after a branch, as thick as their counts, side by side where they begin.
fn ways(svg: &mut Svg, branch: &Branch, layout: &TreeLayout, level: usize, leaf: usize) {
    let from = layout.area(branch, level, leaf);
    let sum: f64 = branch.next.iter().map(|next| layout.thick(next)).sum();
    let mut y = from.centre().y - sum / 2.0;
    let mut leaf = leaf;
    for next in &branch.next {
        let thick = layout.thick(next);
        let to = layout.area(next, level + 1, leaf);
        let (start, end) = (
            Point::new(from.right(), y + thick / 2.0),
            Point::new(to.x, to.centre().y),
        );
        let middle = (start.x + end.x) / 2.0;
        let way = format!(
            "M{} {}C{m} {} {m} {} {} {}",
            N(start.x),
            N(start.y),
            N(start.y),
            N(end.y),
            N(end.x),
            N(end.y),
            m = N(middle)
        );
        let dashed = dashes(next);
        svg.path(
            &way,
            &format!("{}{FADED}{dashed}", svg.stroke(next.paint(), thick)),
        );
        ways(svg, next, layout, level + 1, leaf);
        y += thick;
        leaf += next.leaves();
    }
}

fn dashes(branch: &Branch) -> &'static str {
    match branch.few {
        true => r#" stroke-dasharray="4 3""#,
        false => "",
    }
}

/// Draws the box of a branch and of all after it.
fn all_boxes(svg: &mut Svg, branch: &Branch, layout: &TreeLayout, level: usize, leaf: usize) {
    let area = layout.area(branch, level, leaf);
    svg.open("");
    svg.title(&branch.describe_alone(&branch.label));
    svg.rect(&area, 4.0, &svg.fill(PAGE));
    let edge = match branch.side() {
        IntervalSide::Even => svg.stroke(LINE, 1.0),
        _ => svg.stroke(branch.paint(), 1.5),
    };
    // It needs attributes of its own, since rectangles are filled by default.
    svg.rect(&area, 4.0, &edge);
    figures(
        svg,
        branch,
        (area.x + INSIDE, area.right() - INSIDE),
        area.y,
        layout.wide,
    );
    svg.close();
    let mut leaf = leaf;
    for next in &branch.next {
        all_boxes(svg, next, layout, level + 1, leaf);
        leaf += next.leaves();
    }
}

/// Draws label and numbers of a branch in two lines, with its mark before them.
fn figures(svg: &mut Svg, branch: &Branch, (left, right): (f64, f64), top: f64, wide: f64) {
    let rate = format_number(branch.rate, true);
    let (first, second) = (top + 17.0, top + 33.0);
    point(svg, Point::new(left + 6.0, top + 12.5), branch.side());
    let label = left + 18.0;
    let room = right - label - measured(&rate, SIZE, Weight::Bold) - 6.0;
    let name = fitting(&branch.label, SIZE, Weight::Medium, room);
    Text::new(INK, SIZE).write(svg, Point::new(label, first), &name);
    let bold = Text::new(INK, SIZE).bold().anchored(Anchor::End);
    bold.write(svg, Point::new(right, first), &rate);
    let (low, high) = branch.interval;
    let (interval, number) = (format_interval(low, high, true), branch.number());
    let both =
        measured(&interval, SMALL, Weight::Medium) + measured(&number, SMALL, Weight::Medium);
    // The title has what does not fit into the narrowest boxes.
    let size = if both * SLACK > wide {
        SMALL - 1.0
    } else {
        SMALL
    };
    Text::new(FAINT, size).write(svg, Point::new(left, second), &interval);
    let faint = Text::new(FAINT, size).anchored(Anchor::End);
    faint.write(svg, Point::new(right, second), &number);
}

/// Draws a tree as lines below each other, each indented by its level.
fn outline(svg: &mut Svg, root: &Branch, text: &mut Paragraphs) {
    let all = (root.count as f64).max(1.0);
    let top = text.y;
    let rows = outlined(svg, root, text, (all, top), 0, 0);
    text.y = top + rows as f64 * ROW;
}

/// Draws a branch in a row and those after it in the next rows. Returns the row after them.
fn outlined(
    svg: &mut Svg,
    branch: &Branch,
    text: &Paragraphs,
    (all, top): (f64, f64),
    level: usize,
    row: usize,
) -> usize {
    let left = text.margin + level as f64 * INDENT;
    let y = top + row as f64 * ROW;
    let mut next_row = row + 1;
    let mut rows = Vec::new();
    for next in &branch.next {
        rows.push(next_row);
        next_row += 1 + next.len();
    }
    // From the last to the first, so that the thicker lines of the upper ones end on top.
    for (next, row) in branch.next.iter().zip(&rows).rev() {
        let thick = (THICK_LINE * next.count as f64 / all).max(THIN);
        let end = top + *row as f64 * ROW + 12.5;
        let way = format!(
            "M{} {}V{}H{}",
            N(left + 6.0),
            N(y + 22.0),
            N(end),
            N(left + INDENT)
        );
        let stroke = svg.stroke(next.paint(), thick);
        svg.path(&way, &format!("{stroke}{FADED}{}", dashes(next)));
    }
    svg.open("");
    svg.title(&branch.describe_alone(&branch.label));
    let right = text.width - text.margin;
    let indented = if level == 0 { left } else { left + 2.0 };
    figures_of_row(svg, branch, (indented, right), y);
    svg.close();
    for (next, row) in branch.next.iter().zip(rows) {
        outlined(svg, next, text, (all, top), level + 1, row);
    }
    next_row
}

fn figures_of_row(svg: &mut Svg, branch: &Branch, (left, right): (f64, f64), top: f64) {
    let (low, high) = branch.interval;
    point(svg, Point::new(left + 4.0, top + 12.5), branch.side());
    let rate = format_number(branch.rate, true);
    let label = left + 18.0;
    let room = right - label - 50.0;
    let name = fitting(&branch.label, SIZE, Weight::Medium, room / SLACK);
    Text::new(INK, SIZE).write(svg, Point::new(label, top + 17.0), &name);
    let bold = Text::new(INK, SIZE).bold().anchored(Anchor::End);
    bold.write(svg, Point::new(right, top + 17.0), &rate);
    let figures = format!("{}, {}", format_interval(low, high, true), branch.number());
    Text::new(FAINT, SMALL).write(svg, Point::new(label, top + 32.0), &figures);
}

/// Draws the legend of marks and lines.
fn legend(svg: &mut Svg, forest: &Forest, text: &mut Paragraphs) {
    fn any(branch: &Branch, is: &dyn Fn(&Branch) -> bool) -> bool {
        is(branch) || branch.next.iter().any(|next| any(next, is))
    }
    let has = |is: &dyn Fn(&Branch) -> bool| forest.trees.iter().any(|tree| any(&tree.root, is));
    let entries = [
        (
            has(&|branch| branch.side() == IntervalSide::Above),
            Some(IntervalSide::Above),
            "above expected at 95%",
        ),
        (
            has(&|branch| branch.side() == IntervalSide::Below),
            Some(IntervalSide::Below),
            "below",
        ),
        (
            has(&|branch| branch.side() == IntervalSide::Even),
            Some(IntervalSide::Even),
            "neither",
        ),
        (has(&|branch| branch.few), None, "few games"),
    ];
    text.y += 8.0;
    let (mut x, mut y) = (text.margin, text.y);
    for (_, side, words) in entries.iter().filter(|(is, ..)| *is) {
        let wide = measured(words, SMALL, Weight::Medium) * SLACK + 40.0;
        if x > text.margin && x + wide > text.width - text.margin {
            (x, y) = (text.margin, y + SMALL * 1.6);
        }
        match side {
            Some(side) => point(svg, Point::new(x + 8.0, y + 7.0), *side),
            None => {
                let line = format!("M{} {}h16", N(x), N(y + 7.0));
                svg.path(
                    &line,
                    &format!(r#"{} stroke-dasharray="4 3""#, svg.stroke(MARK, 2.0)),
                );
            }
        }
        Text::new(FAINT, SMALL).write(svg, Point::new(x + 22.0, y + 11.0), words);
        x += wide;
    }
    text.y = y + SMALL * 1.6;
    let thick = "The thicker a line, the more nations took it.";
    for line in lines(thick, SMALL, Weight::Medium, f64::INFINITY) {
        text.write(svg, &line, &Text::new(FAINT, SMALL));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(label: &str, count: u64, rate: f64, next: Vec<Branch>) -> Branch {
        Branch {
            label: label.to_owned(),
            count,
            few: count < 30,
            rate,
            interval: (rate - 0.05, rate + 0.05),
            expected: 0.25,
            next,
        }
    }

    fn forest() -> Forest {
        let deep = |name: &str, count: u64, rate: f64| {
            let next = (1..4).map(|place| {
                branch(
                    "Maneuver 2",
                    count / 4,
                    rate,
                    vec![branch("Know how", count / (4 + place), 0.25, Vec::new())],
                )
            });
            branch(name, count, rate, next.collect())
        };
        let root = branch(
            "All of them",
            1_000,
            0.25,
            vec![
                deep("<Marble>", 600, 0.4),
                deep("Gold", 300, 0.1),
                deep("Iron", 100, f64::NAN),
            ],
        );
        Forest {
            title: "Openings".to_owned(),
            about: "by stop".to_owned(),
            trees: vec![Tree {
                title: "Antike East".to_owned(),
                root,
                left_out: 7,
            }],
            notes: vec!["250 games".to_owned()],
            bare: false,
        }
    }

    #[test]
    fn every_branch_is_drawn_inside_and_described_in_words() {
        for width in [crate::WIDE, crate::MIDDLE, crate::NARROW] {
            let svg = tree(&forest(), width, Theme::Light);
            let parsed = roxmltree::Document::parse(&svg).expect("XML");
            let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
                node.attribute(name)
                    .expect("an attribute")
                    .parse()
                    .expect("a number")
            };
            let (wide, high) = (
                number(parsed.root_element(), "width"),
                number(parsed.root_element(), "height"),
            );
            let texts: Vec<_> = parsed
                .descendants()
                .filter(|node| node.has_tag_name("text"))
                .collect();
            for node in &texts {
                let (x, y) = (number(*node, "x"), number(*node, "y"));
                assert!(
                    (0.0..=wide).contains(&x) && (0.0..=high).contains(&y),
                    "{width}: {x} {y}"
                );
            }
            let with = |text: &str| {
                texts
                    .iter()
                    .filter(|node| node.text() == Some(text))
                    .count()
            };
            assert_eq!(with("Maneuver 2"), 9);
            assert_eq!(with("Know how"), 9);
            assert!(
                svg.contains("7 branches with fewer games are not drawn"),
                "{svg}"
            );
            assert!(
                svg.contains("&lt;Marble&gt;, Maneuver 2: 40%, 95% interval 35 to 45%"),
                "{svg}"
            );
        }
    }

    #[test]
    fn boxes_of_a_level_do_not_cover_each_other() {
        let root = &forest().trees[0].root;
        let text = Paragraphs {
            margin: MARGIN,
            width: 800.0,
            y: 0.0,
        };
        let layout = TreeLayout::new(root, &text);
        let last = layout.area(root, root.levels(), 0);
        assert!(last.right() <= 800.0 - MARGIN + 0.1, "{last:?}");
        assert!(layout.between >= BETWEEN.0 - 0.1);
        let tops: Vec<f64> = (0..3)
            .map(|leaf| layout.area(&root.next[leaf], 1, leaf * 3).y)
            .collect();
        assert!(
            tops.windows(2).all(|pair| pair[1] - pair[0] >= PITCH),
            "{tops:?}"
        );
    }

    #[test]
    fn an_empty_forest_can_be_drawn() {
        let nothing = Forest {
            trees: Vec::new(),
            ..forest()
        };
        assert!(tree(&nothing, crate::WIDE, Theme::Light).contains("No game matches."));
        let mut lonely = forest();
        lonely.trees[0].root.next.clear();
        lonely.trees[0].root.count = 0;
        for width in [crate::WIDE, crate::NARROW] {
            roxmltree::Document::parse(&tree(&lonely, width, Theme::Light)).expect("XML");
        }
    }
}
