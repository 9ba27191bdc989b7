//! Placement of labels without overlaps.
//!
//! Each label has candidate positions around its anchor, with costs. In a few rounds every label takes the best
//! position among the others. The same input gives the same result.

use charts::geometry::{Area, Point};

/// A label to place.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// The box that it labels and must not cover.
    pub anchor: Area,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// The position of a label.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// Its box.
    pub area: Area,
    /// Whether it is so far away that a line must connect it.
    pub far: bool,
}

/// The surroundings of labels.
#[derive(Debug)]
pub struct Ground<'a> {
    /// The area that contains the labels.
    pub map: Area,
    /// Boxes that no label may cover.
    pub tokens: &'a [Area],
    /// Points of lines that labels should not cover.
    pub lines: &'a [Point],
}

/// The gap between labels.
const GAP: f64 = 1.0;

/// The cost of covering something, higher than all preferences together.
const COVERED: f64 = 1000.0;

/// The cost of each step away from the anchor, and of each covered point of a line.
const AWAY: f64 = 3.0;
const LINE: f64 = 0.8;

/// The maximum number of rounds.
const ROUNDS: usize = 8;

struct LabelPosition {
    area: Area,
    far: bool,
    cost: f64,
}

/// Places labels. None covers another or a token, unless a map is so full that no free position exists.
pub fn place(labels: &[Label], ground: &Ground<'_>) -> Vec<Placement> {
    let lists: Vec<Vec<LabelPosition>> = labels
        .iter()
        .map(|label| candidates(label, ground))
        .collect();
    let mut chosen: Vec<Option<usize>> = vec![None; labels.len()];
    // The label with the fewest free positions chooses first.
    let mut order: Vec<usize> = (0..labels.len()).collect();
    let free = |list: &[LabelPosition]| list.iter().filter(|one| one.cost < COVERED).count();
    order.sort_by_key(|label| free(&lists[*label]));
    for _ in 0..ROUNDS {
        let mut changed = false;
        for label in &order {
            let others: Vec<Area> = (0..labels.len())
                .filter(|other| other != label)
                .filter_map(|other| Some(lists[other][chosen[other]?].area))
                .collect();
            let best = best(&lists[*label], &others);
            changed |= chosen[*label] != best;
            chosen[*label] = best;
        }
        if !changed {
            break;
        }
    }
    let pick = |(list, choice): (&Vec<LabelPosition>, &Option<usize>)| {
        // Every label has candidates, and the first round chooses one for each.
        let candidate = &list[choice.unwrap_or(0)];
        Placement {
            area: candidate.area,
            far: candidate.far,
        }
    };
    lists.iter().zip(&chosen).map(pick).collect()
}

fn best(list: &[LabelPosition], others: &[Area]) -> Option<usize> {
    let mut least: Option<(f64, usize)> = None;
    for (index, candidate) in list.iter().enumerate() {
        // Most candidates are too expensive even without overlaps.
        if least.is_some_and(|(cost, _)| candidate.cost >= cost) {
            continue;
        }
        let grown = candidate.area.grown(GAP);
        let covered = others.iter().filter(|other| grown.overlap(other) > 0.0);
        let cost = candidate.cost + COVERED * covered.count() as f64;
        if least.is_none_or(|(best, _)| cost < best) {
            least = Some((cost, index));
        }
    }
    least.map(|(_, index)| index)
}

/// The possible positions of a label, the preferred ones first, with their costs without others.
fn candidates(label: &Label, ground: &Ground<'_>) -> Vec<LabelPosition> {
    const SIDES: [(f64, f64); 12] = [
        (1.0, 0.0),
        (-1.0, 0.0),
        (0.0, 1.0),
        (0.0, -1.0),
        (1.0, -0.6),
        (1.0, 0.6),
        (-1.0, 0.6),
        (-1.0, -0.6),
        (0.5, 1.0),
        (-0.5, 1.0),
        (0.5, -1.0),
        (-0.5, -1.0),
    ];
    const STEPS: [f64; 9] = [1.5, 5.0, 10.0, 17.0, 25.0, 34.0, 45.0, 60.0, 80.0];
    let centre = label.anchor.centre();
    let reach = label.anchor.grown(label.width.max(label.height) + 90.0);
    let near = |area: &&Area| reach.overlap(area) > 0.0;
    let tokens: Vec<&Area> = ground.tokens.iter().filter(near).collect();
    let lines = ground.lines.iter().filter(|point| reach.contains(**point));
    let lines: Vec<Point> = lines.copied().collect();
    let mut list = Vec::with_capacity(SIDES.len() * STEPS.len());
    for (step, distance) in STEPS.iter().enumerate() {
        for (side, (x, y)) in SIDES.iter().enumerate() {
            let out = |half: f64, size: f64| half + distance + size / 2.0;
            let middle = Point::new(
                centre.x + x * out(label.anchor.width / 2.0, label.width),
                centre.y + y * out(label.anchor.height / 2.0, label.height),
            );
            let area = Area::new(
                middle.x - label.width / 2.0,
                middle.y - label.height / 2.0,
                label.width,
                label.height,
            );
            let grown = area.grown(GAP);
            let covered = tokens.iter().filter(|token| grown.overlap(token) > 0.0);
            let outside = if ground.map.holds(&area) { 0.0 } else { 4.0 };
            let crossed = lines.iter().filter(|point| area.contains(**point)).count();
            list.push(LabelPosition {
                area,
                far: *distance >= 17.0,
                cost: COVERED * (covered.count() as f64 + outside)
                    + AWAY * step as f64 * (1.0 + step as f64 / 3.0)
                    + LINE * crossed as f64
                    + side as f64 / 5.0,
            });
        }
    }
    list
}
