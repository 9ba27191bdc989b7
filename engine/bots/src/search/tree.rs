//! The search tree: its edges are plans of whole turns, each for the share of its own nation.
//!
//! A win within a turn ([`super::win`]) is proven and backed up: the plan before it is a proven loss for its own nation.

use std::cmp::Ordering;

use engine::chance::Chance;
use engine::ids::MAX_NATIONS;
use engine::state::State;

use super::plan::{Breadth, Plan, Planner, Step};
use super::value::{PLACE, Shares, final_shares, standing};

/// The weight of exploration, in units of the spread between plans.
const EXPLORATION: f64 = 0.9;
/// The logarithm of how much likelier the best-looking plan is tried than the worst-looking one.
const SHARPNESS: f64 = 3.0;
/// The number of plans tried from the start, and how many more with the square root of the visits.
const FIRST_PLANS: f64 = 2.0;
const MORE_PLANS: f64 = 0.8;
/// The number of turns that are played from a leaf before the evaluation.
const ROLLOUT: usize = 4;
/// The number of variations of plans in each playout for the decision at hand.
const VARIATIONS: u32 = 4;
/// The most plans at the root.
const MOST_PLANS: usize = 64;
/// The number of best plans that are varied.
const VARIED: u32 = 6;

/// A plan in the tree.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The plan.
    pub plan: Plan,
    /// The number of playouts.
    pub visits: u32,
    sums: Shares,
    /// The sum of the squares of the shares.
    squares: Shares,
    /// The sum of the standings at the ends of the playouts.
    places: Shares,
    /// The shares that are certain: the plan wins, or a later nation can win after it.
    proven: Option<Shares>,
    child: Option<usize>,
}

#[derive(Clone, Debug)]
struct Node {
    /// The seat that decides.
    seat: usize,
    visits: u32,
    /// The plans, best first by static evaluation; empty before the first visit.
    edges: Vec<Edge>,
}

/// The tree.
pub struct SearchTree<'a> {
    planner: Planner<'a>,
    nodes: Vec<Node>,
    /// The keys of the given plans of the decision, which are varied as often as the best ones.
    given: Vec<u64>,
}

impl Edge {
    fn new(plan: Plan) -> Edge {
        Edge {
            proven: plan.wins.then_some(plan.shares),
            plan,
            visits: 0,
            sums: [0.0; MAX_NATIONS],
            squares: [0.0; MAX_NATIONS],
            places: [0.0; MAX_NATIONS],
            child: None,
        }
    }

    /// The expected share of a seat: the mean of the playouts and of one static evaluation, unless it is proven.
    pub fn share(&self, seat: usize) -> f64 {
        match self.proven {
            Some(shares) => shares[seat],
            None => (self.plan.shares[seat] + self.sums[seat]) / (1.0 + f64::from(self.visits)),
        }
    }

    /// The share of a seat, with its expected place.
    fn worth(&self, seat: usize) -> f64 {
        let places = self.plan.places[seat] + self.places[seat];
        self.share(seat) + PLACE * places / (1.0 + f64::from(self.visits))
    }

    /// Whether the seat certainly wins (1) or loses (-1) with it; otherwise 0.
    fn proof(&self, seat: usize) -> i32 {
        match self.proven {
            None => 0,
            Some(shares) if shares[seat] > 0.5 => 1,
            Some(_) => -1,
        }
    }

    /// Compares plans for the choice of a seat: by proof, then by visits, then by worth; the shorter one among equals.
    fn compare(&self, other: &Edge, seat: usize) -> Ordering {
        let proofs = self.proof(seat).cmp(&other.proof(seat));
        let visits = proofs.then(self.visits.cmp(&other.visits));
        let worth = visits.then(self.worth(seat).total_cmp(&other.worth(seat)));
        worth.then(other.plan.steps.len().cmp(&self.plan.steps.len()))
    }

    /// The variance of that mean.
    ///
    /// It assumes independent playouts and one more that differs as much as possible, so that a few equal playouts
    /// prove little.
    pub fn variance(&self, seat: usize) -> f64 {
        if self.proven.is_some() {
            return 0.0;
        }
        let count = 1.0 + f64::from(self.visits);
        let (first, mean) = (self.plan.shares[seat], self.share(seat));
        let spread = (first * first + self.squares[seat]) / count - mean * mean;
        (spread.max(0.0) + mean * (1.0 - mean) / count) / count
    }
}

impl Node {
    /// The shares after a plan that certainly wins for the nation that decides.
    fn proven(&self) -> Option<Shares> {
        let won = self.edges.iter().find(|edge| edge.proof(self.seat) > 0)?;
        won.proven
    }

    /// The index at which a plan is inserted, so that plans stay sorted by static evaluation.
    fn place_of(&self, plan: &Plan) -> usize {
        let worth = plan.worth(self.seat);
        self.edges
            .partition_point(|edge| edge.plan.worth(self.seat) >= worth)
    }

    /// Returns the indexes of the plans that may be tried.
    /// The best of each beginning come before the second best of any.
    ///
    /// Otherwise the many variations of one good move of the stone, found with a large budget, would displace all other
    /// moves.
    fn open(&self) -> Vec<usize> {
        let most = (FIRST_PLANS + MORE_PLANS * f64::from(self.visits).sqrt()) as usize;
        let mut seen: Vec<(&Edge, usize)> = Vec::new();
        let ranks = self.edges.iter().enumerate().map(|(index, edge)| {
            let before = |(first, _): &&mut (&Edge, usize)| first.plan.begins_like(&edge.plan);
            let rank = match seen.iter_mut().find(before) {
                Some((_, count)) => {
                    *count += 1;
                    *count
                }
                None => {
                    seen.push((edge, 0));
                    0
                }
            };
            (rank, index)
        });
        let mut ranks: Vec<(usize, usize)> = ranks.collect();
        ranks.sort_unstable();
        ranks.truncate(most);
        let mut open: Vec<usize> = ranks.into_iter().map(|(_, index)| index).collect();
        open.sort_unstable();
        open
    }
}

impl<'a> SearchTree<'a> {
    /// Returns the tree of a decision in a position; `None` if there is nothing to decide.
    pub fn new(planner: Planner<'a>, state: &State, chance: &mut Chance) -> Option<SearchTree<'a>> {
        let nation = planner.game.question(state)?.nation();
        let plans = planner.plans(state, Breadth::Wide, chance);
        let root = Node {
            seat: planner.seat(nation),
            visits: 0,
            edges: plans.into_iter().map(Edge::new).collect(),
        };
        (!root.edges.is_empty()).then(|| SearchTree {
            planner,
            nodes: vec![root],
            given: Vec::new(),
        })
    }

    /// The plans of the decision.
    pub fn edges(&self) -> &[Edge] {
        &self.nodes[0].edges
    }

    /// A plan that certainly wins, or else the most visited one that does not certainly lose.
    /// Among equals, the best one.
    pub fn best(&self) -> &Edge {
        let seat = self.nodes[0].seat;
        let best = self.edges().iter().max_by(|a, b| a.compare(b, seat));
        best.expect("a tree has at least one plan")
    }

    /// The steps of the best plan, without those that achieve nothing.
    pub fn best_steps(&self, state: &State) -> Vec<Step> {
        self.trimmed(state, self.best())
    }

    /// The steps of a plan of the decision, without those that achieve nothing.
    pub fn trimmed(&self, state: &State, edge: &Edge) -> Vec<Step> {
        self.planner.trimmed(state, &edge.plan)
    }

    /// Whether a plan of the decision certainly wins.
    pub fn is_won(&self) -> bool {
        self.nodes[0].proven().is_some()
    }

    /// The plan of the decision with this key.
    pub fn edge(&self, key: u64) -> Option<&Edge> {
        self.edges().iter().find(|edge| edge.plan.key == key)
    }

    /// The visited plans of the decision, sorted; the first is [`SearchTree::best`].
    pub fn ranked(&self) -> Vec<&Edge> {
        let seat = self.nodes[0].seat;
        let tried = self.edges().iter().rev().filter(|edge| edge.visits > 0);
        let mut ranked: Vec<&Edge> = tried.collect();
        ranked.sort_by(|a, b| b.compare(a, seat));
        ranked
    }

    /// The most visited plan after another one.
    pub fn next(&self, edge: &Edge) -> Option<&Edge> {
        let node = &self.nodes[edge.child?];
        let tried = node.edges.iter().rev().filter(|edge| edge.visits > 0);
        tried.max_by(|a, b| a.compare(b, node.seat))
    }

    /// Adds the given steps to the plans of the decision, and returns the key of that plan.
    pub fn consider(&mut self, state: &State, steps: &[Step], chance: &mut Chance) -> u64 {
        let plan = self.planner.plan_from_steps(state.clone(), steps, chance);
        let key = plan.key;
        self.given.push(key);
        if self.edge(key).is_none() {
            let root = &mut self.nodes[0];
            let at = root.place_of(&plan);
            root.edges.insert(at, Edge::new(plan));
        }
        key
    }

    /// Adds one playout from a possible position of the decision.
    /// It begins with the plan `first`, if given.
    pub fn playout(&mut self, mut state: State, first: Option<u64>, chance: &mut Chance) {
        self.vary(&state, chance);
        let mut path = Vec::new();
        let mut node = 0;
        let (shares, places) = loop {
            if let Some(shares) = final_shares(self.planner.game, &state) {
                break (shares, standing(self.planner.game, &state));
            }
            if self.nodes[node].edges.is_empty() {
                break self.expand(node, state, chance);
            }
            let of_key = |key| self.edges().iter().position(|edge| edge.plan.key == key);
            let edge = match first.filter(|_| node == 0).and_then(of_key) {
                Some(edge) => edge,
                None => self.select(node),
            };
            path.push((node, edge));
            let steps = &self.nodes[node].edges[edge].plan.steps;
            self.planner.follow(&mut state, steps, chance);
            node = match self.nodes[node].edges[edge].child {
                Some(child) => child,
                None => {
                    let child = self.nodes.len();
                    self.nodes[node].edges[edge].child = Some(child);
                    let asked = self.planner.game.question(&state);
                    self.nodes.push(Node {
                        seat: asked.map_or(0, |question| self.planner.seat(question.nation())),
                        visits: 0,
                        edges: Vec::new(),
                    });
                    child
                }
            };
        };
        // With hidden cards, the position after a plan differs between playouts, and nothing is certain there.
        let certain = self.planner.game.rules.data.cards.is_none();
        let mut proven = self.nodes[node].proven().filter(|_| certain);
        for (node, edge) in path.into_iter().rev() {
            let node = &mut self.nodes[node];
            node.visits += 1;
            let edge = &mut node.edges[edge];
            edge.visits += 1;
            edge.proven = edge.proven.or(proven);
            for (seat, share) in shares.into_iter().enumerate() {
                edge.sums[seat] += share;
                edge.squares[seat] += share * share;
                edge.places[seat] += places[seat];
            }
            proven = node.proven().filter(|_| certain);
        }
    }

    /// Creates the plans of a node at its first visit, and evaluates it.
    fn expand(&mut self, node: usize, mut state: State, chance: &mut Chance) -> (Shares, Shares) {
        let game = self.planner.game;
        let plans = self.planner.plans(&state, Breadth::Narrow, chance);
        let Some(first) = plans.first() else {
            return (
                self.planner.value.shares(game, &state),
                standing(game, &state),
            );
        };
        let mut shares = first.shares;
        self.planner.follow(&mut state, &first.steps, chance);
        for _ in 1..ROLLOUT {
            match self.planner.best(&state, chance) {
                Some((after, worth)) => (state, shares) = (after, worth),
                None => break,
            }
        }
        self.nodes[node].edges = plans.into_iter().map(Edge::new).collect();
        (shares, standing(game, &state))
    }

    /// Returns the plan to try next, which balances value and exploration for the deciding seat.
    fn select(&self, node: usize) -> usize {
        let node = &self.nodes[node];
        let visits = f64::from(node.visits);
        let open = node.open();
        if let Some(won) = node.edges.iter().position(|edge| edge.proof(node.seat) > 0) {
            return won;
        }
        // A plan that certainly loses is tried only if there is no other.
        let lost = |index: &usize| node.edges[*index].proof(node.seat) < 0;
        let open: Vec<usize> = match open.iter().all(lost) {
            false => open.into_iter().filter(|index| !lost(index)).collect(),
            true => {
                let left = (0..node.edges.len()).filter(|index| !lost(index));
                let left: Vec<usize> = left.collect();
                if left.is_empty() { open } else { left }
            }
        };
        let edges = || open.iter().map(|index| &node.edges[*index]);
        let shares = edges().map(|edge| edge.worth(node.seat));
        let (least, most) = shares.fold((f64::MAX, f64::MIN), |(least, most), share| {
            (least.min(share), most.max(share))
        });
        let spread = (most - least).max(1e-6);
        let still = |edge: &Edge| edge.plan.worth(node.seat);
        let (best, worst) = edges().fold((f64::MIN, f64::MAX), |(best, worst), edge| {
            (best.max(still(edge)), worst.min(still(edge)))
        });
        let range = (best - worst).max(1e-6);
        // A cheap approximation of the exponential function, the same on every machine.
        let likely = |edge: &Edge| {
            let short = (best - still(edge)) / range;
            1.0 / (1.0 + SHARPNESS * short + SHARPNESS * SHARPNESS * short * short / 2.0)
        };
        let sum: f64 = edges().map(likely).sum();
        let score = |edge: &Edge| {
            let good = (edge.worth(node.seat) - least) / spread;
            let tried = 1.0 + f64::from(edge.visits);
            good + EXPLORATION * likely(edge) / sum * (visits + 1.0).sqrt() / tried
        };
        let scores = open.iter().zip(edges().map(score));
        let best = scores.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(a.0)));
        best.map_or(0, |(index, _)| *index)
    }

    /// Adds plans of the decision that vary the best ones.
    fn vary(&mut self, state: &State, chance: &mut Chance) {
        let root = &mut self.nodes[0];
        for index in 0..VARIATIONS {
            let mut from = chance.below(VARIED.min(root.edges.len() as u32)) as usize;
            if index % 2 == 1 && !self.given.is_empty() {
                let given = self.given[chance.below(self.given.len() as u32) as usize];
                let place = root.edges.iter().position(|edge| edge.plan.key == given);
                from = place.unwrap_or(from);
            }
            let Some((mut plan, after)) =
                self.planner
                    .variation(state, &root.edges[from].plan, chance)
            else {
                continue;
            };
            let known = root.edges.iter().any(|edge| edge.plan.key == plan.key);
            if known || root.place_of(&plan) >= MOST_PLANS {
                continue;
            }
            self.planner.beware(&mut plan, &after);
            let at = root.place_of(&plan);
            root.edges.insert(at, Edge::new(plan));
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::content::Library;
    use engine::play::{Action, Game, Payments};
    use records::Record;

    use super::super::plan::begins_turn;
    use super::super::think;
    use super::*;
    use crate::{Budget, Observation};

    /// The number of different beginnings of these plans.
    fn beginnings<'a>(plans: impl Iterator<Item = &'a Edge>) -> usize {
        let mut seen: Vec<&Edge> = Vec::new();
        for edge in plans {
            if !seen.iter().any(|one| one.plan.begins_like(&edge.plan)) {
                seen.push(edge);
            }
        }
        seen.len()
    }

    /// Returns the game of a record and all its positions.
    fn positions(name: &str) -> (Game, Vec<State>) {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/records");
        let text = std::fs::read_to_string(format!("{folder}/{name}")).expect("a record");
        let record: Record = serde_json::from_str(&text).expect("a record");
        let mut positions = Vec::new();
        let replayed = record.replay(Library::embedded(), |step| {
            positions.push(step.state.clone());
        });
        let (game, _) = replayed.expect("it replays");
        (game, positions)
    }

    #[test]
    fn no_unit_marches_over_a_border_and_back_in_one_turn() {
        let (game, positions) = positions("greece_persia_2_goal.json");
        let planner = Planner {
            game: &game,
            value: super::super::value::Value::embedded(),
        };
        let (mut trips, mut chance) = (0, Chance::new("trips"));
        for state in positions {
            let mut legal = Vec::new();
            game.legal_actions(&state, Payments::Default, &mut legal);
            for action in legal {
                let Action::March {
                    unit,
                    count,
                    from,
                    to,
                    left,
                } = action
                else {
                    continue;
                };
                let back = Action::March {
                    unit,
                    count,
                    from: to,
                    to: from,
                    left: None,
                };
                let steps = [action, back, Action::EndTurn].map(|action| (state.to_move, action));
                let plan = planner.plan_from_steps(state.clone(), &steps, &mut chance);
                let still = planner.plan_from_steps(state.clone(), &steps[2..], &mut chance);
                // Elsewhere there is no way back.
                if left.is_none() && plan.key == still.key && plan.steps[..3] == steps {
                    let trimmed = planner.trimmed(&state, &plan);
                    assert_eq!(trimmed, still.steps, "{action:?}");
                    trips += 1;
                }
            }
        }
        assert!(trips > 20, "only {trips} marches have a way back");
    }

    #[test]
    fn variations_of_one_move_do_not_displace_the_others() {
        let (game, mut positions) = positions("east_4_progress.json");
        positions.retain(|state| {
            let question = game.question(state);
            question.is_some_and(|question| begins_turn(question, state))
        });
        let state = &positions[positions.len() / 2];
        let planner = Planner {
            game: &game,
            value: super::super::value::Value::embedded(),
        };
        let mut chance = Chance::new("variations");
        let seen = Observation::new(&game, state, &mut chance);
        let mut tree = SearchTree::new(planner, state, &mut chance).expect("a decision");
        think(&mut tree, &seen, Budget::Playouts(60), &mut chance);

        let root = &tree.nodes[0];
        let open = root.open();
        let looked_at = beginnings(open.iter().map(|index| &root.edges[*index]));
        let all = beginnings(root.edges.iter());
        assert!(open.len() < root.edges.len(), "all plans are open");
        assert_eq!(looked_at, all.min(open.len()), "of {} plans", open.len());
        // By static evaluation alone, some moves would never be tried.
        assert!(beginnings(root.edges[..open.len()].iter()) < looked_at);
    }
}
