//! Plans: whole turns, from a decision to the beginning of the next nation's turn.
//!
//! There are far too many sequences of marches and payments to try them all. So plans come from the heuristics of
//! the greedy bot, and are varied at random points.

use std::hash::{Hash, Hasher};

use engine::chance::Chance;
use engine::ids::Nation;
use engine::play::{Action, Game, Payments};
use engine::state::{Question, State};
use engine::words::{Field, Phase};
use rustc_hash::FxHasher;

use super::value::{PLACE, Shares, Value, standing};
use super::win::{FEW_TRIALS, MOST_TRIALS, threat, winning_turn_within};
use crate::Temperament;
use crate::greedy::GreedyDecision;
use crate::greedy::evaluation::Evaluation;

/// No turn has more actions.
const LONGEST_TURN: usize = 200;
/// The most answers or actions that are all tried.
const MOST_ACTIONS: usize = 48;
/// The temperament of the heuristics where only one is tried.
const USUAL: Temperament = Temperament::Growth;
const ALL: [Temperament; 3] = [
    Temperament::Growth,
    Temperament::Military,
    Temperament::Progress,
];

/// One action of a plan, with its nation. Other nations may have to answer within a turn.
pub type Step = (Nation, Action);

/// A plan with its outcome.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The actions, in order.
    pub steps: Vec<Step>,
    /// The static evaluation of the position after it.
    pub shares: Shares,
    /// The standing of each seat after it: [`standing`].
    pub places: Shares,
    /// Whether it wins whatever other nations answer: [`super::win`].
    pub wins: bool,
    /// A hash of the position after it. Plans with equal hashes are the same.
    pub key: u64,
}

impl Plan {
    /// Whether it begins with the same move of the stone, with any payment, or with the same other action.
    pub fn begins_like(&self, other: &Plan) -> bool {
        let begins = |plan: &Plan| plan.steps.first().map(|(_, action)| *action);
        match (begins(self), begins(other)) {
            (
                Some(Action::MoveStone { field: one, .. }),
                Some(Action::MoveStone { field: another, .. }),
            ) => one == another,
            (one, another) => one == another,
        }
    }

    /// The static evaluation for a seat, with its place.
    pub fn worth(&self, seat: usize) -> f64 {
        self.shares[seat] + PLACE * self.places[seat]
    }
}

/// How many plans are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// All plans of the heuristics, for the decision at hand.
    Wide,
    /// One plan for each nearby field.
    Narrow,
}

/// Creates plans.
#[derive(Clone, Copy)]
pub struct Planner<'a> {
    /// The game, without its seed.
    pub game: &'a Game,
    /// The evaluation of positions.
    pub value: &'a Value,
}

/// Returns a hash of everything known about a position.
///
/// Plans of equal worth are sorted by it, so games depend on it. The hash of the standard library may change with the
/// version of Rust; this one does not.
pub fn key_of(state: &State) -> u64 {
    let mut hasher = FxHasher::default();
    (state.turn, state.phase, state.to_move, state.question).hash(&mut hasher);
    (state.bank, &state.nations).hash(&mut hasher);
    // As one slice: otherwise each pair of numbers is hashed with its length.
    let units = state.units.as_flattened().as_flattened();
    units.hash(&mut hasher);
    (state.produces, state.temples, state.neutral_temples).hash(&mut hasher);
    (state.walls, state.cards.open, state.bellona).hash(&mut hasher);
    (state.turn_state, state.outcome).hash(&mut hasher);
    hasher.finish()
}

/// Whether a nation is about to begin its turn.
pub fn begins_turn(question: Question, state: &State) -> bool {
    matches!(question, Question::Turn { .. }) && state.phase == Phase::Stone
}

impl Planner<'_> {
    /// Returns the plans of the nation that must act, best first for its seat; none if the game is over.
    pub fn plans(&self, state: &State, breadth: Breadth, chance: &mut Chance) -> Vec<Plan> {
        let mut plans: Vec<Plan> = Vec::new();
        let Some(question) = self.game.question(state) else {
            return plans;
        };
        if let Some((plan, _)) = self.win(state, MOST_TRIALS) {
            plans.push(plan);
            if breadth == Breadth::Narrow {
                return plans;
            }
        }
        for (first, temperament) in self.beginnings(state, question, breadth) {
            let made = self.complete(state.clone(), first, temperament, chance);
            plans.extend(made.map(|(steps, after)| {
                let mut plan = self.plan(steps, &after);
                if breadth == Breadth::Wide {
                    self.beware(&mut plan, &after);
                }
                plan
            }));
        }
        self.sort(&mut plans, question.nation());
        plans
    }

    /// Returns a plan that wins the game at once, and the position after it.
    fn win(&self, state: &State, trials: u32) -> Option<(Plan, State)> {
        let steps = winning_turn_within(self.game, state, trials)?;
        let mut after = state.clone();
        for (nation, action) in &steps {
            let applied = self
                .game
                .apply(&mut after, *nation, *action, &mut Vec::new());
            applied.ok()?;
        }
        let plan = Plan {
            wins: true,
            ..self.plan(steps, &after)
        };
        Some((plan, after))
    }

    /// Lowers the evaluation of a plan after which another nation could win in its next turn.
    ///
    /// The next nation then does so. If others move before it, they may prevent it: that counts half.
    pub fn beware(&self, plan: &mut Plan, after: &State) {
        let count = self.game.nations.len() as u8;
        let mover = plan
            .steps
            .first()
            .map(|(nation, _)| self.game.seat_of(*nation));
        for step in 0..count {
            let other = Nation((after.to_move.0 + step) % count);
            let seat = self.game.seat_of(other);
            if Some(seat) == mover || after.nation(other).resigned {
                continue;
            }
            if threat(self.game, after, other) {
                let kept = if step == 0 { 0.0 } else { 0.5 };
                plan.shares = plan.shares.map(|share| kept * share);
                plan.shares[usize::from(seat)] += 1.0 - kept;
                return;
            }
        }
    }

    /// Returns the position after the best plan by static evaluation, and its shares.
    pub fn best(&self, state: &State, chance: &mut Chance) -> Option<(State, Shares)> {
        let question = self.game.question(state)?;
        if let Some((plan, after)) = self.win(state, FEW_TRIALS) {
            return Some((after, plan.shares));
        }
        let seat = self.seat(question.nation());
        let mut best: Option<(f64, State, Shares)> = None;
        for (first, temperament) in self.beginnings(state, question, Breadth::Narrow) {
            let made = self.complete(state.clone(), first, temperament, chance);
            let Some((_, after)) = made else {
                continue;
            };
            let shares = self.value.shares(self.game, &after);
            let worth = shares[seat] + PLACE * standing(self.game, &after)[seat];
            if best.as_ref().is_none_or(|(most, ..)| worth > *most) {
                best = Some((worth, after, shares));
            }
        }
        best.map(|(_, after, shares)| (after, shares))
    }

    /// Returns a plan that differs from another one at a random point and continues by the heuristics, and the position
    /// after it.
    pub fn variation(
        &self,
        state: &State,
        plan: &Plan,
        chance: &mut Chance,
    ) -> Option<(Plan, State)> {
        let mut after = state.clone();
        let mover = self.game.question(state)?.nation();
        let own: Vec<usize> = (0..plan.steps.len())
            .filter(|at| plan.steps[*at].0 == mover)
            .collect();
        let at = *own.get(chance.below(own.len().max(1) as u32) as usize)?;
        let mut effects = Vec::new();
        for (nation, action) in &plan.steps[..at] {
            self.game
                .apply(&mut after, *nation, *action, &mut effects)
                .ok()?;
            effects.clear();
        }
        let mut actions = Vec::new();
        self.game
            .legal_actions(&after, Payments::Default, &mut actions);
        actions.retain(|action| *action != plan.steps[at].1);
        if actions.is_empty() {
            return None;
        }
        let other = actions[chance.below(actions.len() as u32) as usize];
        let mut steps = plan.steps[..at].to_vec();
        let temperament = ALL[chance.below(ALL.len() as u32) as usize];
        let turn = state.turn;
        self.game
            .apply(&mut after, mover, other, &mut effects)
            .ok()?;
        steps.push((mover, other));
        // Later steps of the old plan may still be legal.
        for (nation, action) in &plan.steps[at + 1..] {
            let asked = self.game.question(&after).map(|question| question.nation());
            if asked != Some(*nation) || after.turn != turn || *action == Action::EndTurn {
                break;
            }
            effects.clear();
            if self
                .game
                .apply(&mut after, *nation, *action, &mut effects)
                .is_ok()
            {
                steps.push((*nation, *action));
            }
        }
        self.finish(&mut after, turn, temperament, chance, &mut steps);
        Some((self.plan(steps, &after), after))
    }

    /// Returns the steps of a plan without trades that it does not need and marches that achieve nothing.
    ///
    /// A trade is needed if a later step is not legal without it. A march achieves something if the position after the
    /// plan is better with it, or if the heuristics want the unit there.
    pub fn trimmed(&self, state: &State, plan: &Plan) -> Vec<Step> {
        let mut steps = plan.steps.clone();
        let Some(mover) = steps.first().map(|(nation, _)| *nation) else {
            return steps;
        };
        let seat = self.seat(mover);
        let Some(after) = self.carry_out(state, &steps).filter(|_| !plan.wins) else {
            return steps;
        };
        let worth = |after: &State| {
            self.value.shares(self.game, after)[seat] + PLACE * standing(self.game, after)[seat]
        };
        let mut least = worth(&after) - 1e-9;
        while let Some(fewer) = self.without_round_trip(state, &steps, key_of(&after)) {
            steps = fewer;
        }
        for at in (0..steps.len()).rev() {
            let (nation, action) = steps[at];
            let Some(before) = self.carry_out(state, &steps[..at]) else {
                continue;
            };
            let spare = match action {
                Action::Trade { .. } => true,
                Action::March { .. } => !self.decision(nation, USUAL).wants_march(&before, action),
                _ => false,
            };
            if nation != mover || !spare {
                continue;
            }
            let mut fewer = steps.clone();
            fewer.remove(at);
            let Some(after) = self.carry_out(state, &fewer) else {
                continue;
            };
            let worth = worth(&after);
            if matches!(action, Action::Trade { .. }) || worth >= least {
                steps = fewer;
                least = least.min(worth - 1e-9);
            }
        }
        steps
    }

    /// Returns the steps without a unit's marches over a border and back, if they lead to the same position.
    fn without_round_trip(&self, state: &State, steps: &[Step], key: u64) -> Option<Vec<Step>> {
        let march = |step: &Step| match *step {
            (nation, Action::March { unit, from, to, .. }) => Some((nation, unit, from, to)),
            _ => None,
        };
        let pairs = (0..steps.len()).flat_map(|back| (0..back).map(move |there| (there, back)));
        let undo = |(there, back): &(usize, usize)| {
            march(&steps[*there]).is_some_and(|(nation, unit, from, to)| {
                march(&steps[*back]) == Some((nation, unit, to, from))
            })
        };
        let one_fewer = |(there, back)| {
            let mut fewer = Vec::with_capacity(steps.len());
            for (at, (nation, action)) in steps.iter().enumerate() {
                let mut action = *action;
                if let Action::March { count, .. } = &mut action
                    && (at == there || at == back)
                {
                    *count -= 1;
                    if *count == 0 {
                        continue;
                    }
                }
                fewer.push((*nation, action));
            }
            fewer
        };
        let same = |fewer: &Vec<Step>| {
            let after = self.carry_out(state, fewer);
            after.is_some_and(|after| key_of(&after) == key)
        };
        pairs.filter(undo).map(one_fewer).find(same)
    }

    /// Returns the position after these steps, if all are legal and end as the turn did.
    fn carry_out(&self, state: &State, steps: &[Step]) -> Option<State> {
        let mut after = state.clone();
        let mut effects = Vec::new();
        for (nation, action) in steps {
            let asked = self.game.question(&after)?.nation();
            if asked != *nation {
                return None;
            }
            effects.clear();
            self.game
                .apply(&mut after, *nation, *action, &mut effects)
                .ok()?;
        }
        Some(after)
    }

    /// Applies a plan as far as it is legal, and continues by the heuristics.
    /// Unknown cards of the position may differ from those of the plan.
    pub fn follow(&self, state: &mut State, plan: &[Step], chance: &mut Chance) {
        let turn = state.turn;
        let mut effects = Vec::new();
        for (nation, action) in plan {
            let asked = self.game.question(state).map(|question| question.nation());
            let applied = asked == Some(*nation)
                && self
                    .game
                    .apply(state, *nation, *action, &mut effects)
                    .is_ok();
            effects.clear();
            if !applied {
                self.finish(state, turn, USUAL, chance, &mut Vec::new());
                return;
            }
        }
    }

    /// Returns the plan of the given steps. Where a step is not legal, or the turn goes on after them, it continues by
    /// the heuristics.
    pub fn plan_from_steps(&self, mut state: State, steps: &[Step], chance: &mut Chance) -> Plan {
        let (turn, mut steps) = (state.turn, steps.to_vec());
        self.follow(&mut state, &steps, chance);
        self.finish(&mut state, turn, USUAL, chance, &mut steps);
        let mut plan = self.plan(steps, &state);
        self.beware(&mut plan, &state);
        plan
    }

    /// Sorts plans, best first for a nation's seat, and removes duplicates.
    pub fn sort(&self, plans: &mut Vec<Plan>, nation: Nation) {
        let seat = self.seat(nation);
        plans.sort_by(|a, b| {
            let worth = b.worth(seat).total_cmp(&a.worth(seat));
            let same = worth.then(b.wins.cmp(&a.wins)).then(a.key.cmp(&b.key));
            same.then(a.steps.len().cmp(&b.steps.len()))
        });
        plans.dedup_by_key(|plan| plan.key);
    }

    /// The seat of a nation, as an index into [`Shares`].
    pub fn seat(&self, nation: Nation) -> usize {
        usize::from(self.game.seat_of(nation))
    }

    /// Returns the first actions of plans, each with the temperament that continues it.
    fn beginnings(
        &self,
        state: &State,
        question: Question,
        breadth: Breadth,
    ) -> Vec<(Option<Action>, Temperament)> {
        let temperaments = match breadth {
            Breadth::Wide => &ALL[..],
            Breadth::Narrow => &[USUAL],
        };
        let mut firsts = Vec::new();
        if begins_turn(question, state) {
            let most_extra = match breadth {
                Breadth::Wide => 4,
                Breadth::Narrow => 1,
            };
            let decision = self.decision(question.nation(), USUAL);
            for field in Field::ALL {
                let steps = self.game.steps(state, question.nation(), *field);
                let extra = steps.saturating_sub(self.game.rules.data.rondel.free_steps);
                if extra <= most_extra
                    && let Some(pay) = decision.cheapest(state, extra)
                {
                    firsts.push(Some(Action::MoveStone { field: *field, pay }));
                }
            }
        } else {
            firsts.push(None);
        }
        let is_turn = matches!(question, Question::Turn { .. });
        if !is_turn || (breadth == Breadth::Wide && state.phase != Phase::Stone) {
            let mut actions = Vec::new();
            self.game
                .legal_actions(state, Payments::Default, &mut actions);
            actions.truncate(MOST_ACTIONS);
            firsts.extend(actions.into_iter().map(Some));
        }
        let pairs = firsts.iter().flat_map(|first| {
            let several = temperaments
                .iter()
                .map(move |temperament| (*first, *temperament));
            several.take(if is_turn { usize::MAX } else { 1 })
        });
        pairs.collect()
    }

    fn decision(&self, nation: Nation, temperament: Temperament) -> GreedyDecision<'_> {
        let view = Evaluation {
            game: self.game,
            nation,
            weights: temperament.weights(),
        };
        GreedyDecision {
            view,
            thorough: false,
        }
    }

    /// Returns the plan that begins with an action, or that of the heuristics, and the position after it.
    fn complete(
        &self,
        mut state: State,
        first: Option<Action>,
        temperament: Temperament,
        chance: &mut Chance,
    ) -> Option<(Vec<Step>, State)> {
        let mut steps = Vec::new();
        let turn = state.turn;
        if let Some(first) = first {
            let nation = self.game.question(&state)?.nation();
            self.game
                .apply(&mut state, nation, first, &mut Vec::new())
                .ok()?;
            steps.push((nation, first));
        }
        self.finish(&mut state, turn, temperament, chance, &mut steps);
        (!steps.is_empty()).then_some((steps, state))
    }

    fn plan(&self, steps: Vec<Step>, after: &State) -> Plan {
        Plan {
            steps,
            shares: self.value.shares(self.game, after),
            places: standing(self.game, after),
            wins: false,
            key: key_of(after),
        }
    }

    /// Continues by the heuristics until another turn begins.
    fn finish(
        &self,
        state: &mut State,
        turn: u32,
        temperament: Temperament,
        chance: &mut Chance,
        steps: &mut Vec<Step>,
    ) {
        let mut effects = Vec::new();
        for _ in 0..LONGEST_TURN {
            let Some(question) = self.game.question(state) else {
                return;
            };
            if begins_turn(question, state) && state.turn != turn {
                return;
            }
            let nation = question.nation();
            let decided = self
                .decision(nation, temperament)
                .decide(state, question, chance);
            let mut apply = |action: Option<Action>| {
                let action = action?;
                effects.clear();
                let applied = self.game.apply(state, nation, action, &mut effects);
                applied.ok().map(|()| action)
            };
            let Some(done) = apply(decided).or_else(|| apply(Some(Action::EndTurn))) else {
                return;
            };
            steps.push((nation, done));
        }
    }
}
