//! Wins within one turn.
//!
//! [`winning_turn`] searches for a turn that wins whatever other nations answer. What it returns is proven: the engine
//! has carried the turn out against every possible answer. It tries each field that the nation can pay for, and on it
//! temples, know-hows, galleys, marches, conquests, event cards and cities, with the trades that they need. Only
//! marches are not tried exhaustively: units go by the shortest way without enemies, and not more than two cities are
//! conquered.
//!
//! [`may_win`] is a quick test that excludes most positions. [`threat`] asks for a nation that is not to move.

mod chances;
mod marches;
mod purchases;

use engine::chips::Payment;
use engine::ids::{Card, Nation, Region};
use engine::play::{Action, Game, Payments};
use engine::state::{NationState, Question, SpecialPlace, State};
use engine::words::{Field, Personage, Phase, Resource, Unit};
use rustc_hash::FxHashMap;

use super::plan::{Step, key_of};
use chances::Chances;
pub use chances::may_win;

/// The most positions that one search looks at.
pub(crate) const MOST_TRIALS: u32 = 2_000;

/// The most positions where many positions are searched.
pub(crate) const FEW_TRIALS: u32 = 150;

/// The most event cards played for a win.
const MOST_CARDS: u8 = 3;

/// Returns a turn, or the rest of one, with which the nation to move wins whatever others answer.
///
/// `None` if there is none, none was found, or the nation must first answer a question.
pub fn winning_turn(game: &Game, state: &State) -> Option<Vec<Step>> {
    winning_turn_within(game, state, MOST_TRIALS)
}

/// The same with a limit on the positions that it looks at.
pub(crate) fn winning_turn_within(game: &Game, state: &State, trials: u32) -> Option<Vec<Step>> {
    search(game, state, trials).map(|(steps, _)| steps)
}

/// The action that goes on to win in each position of a turn, by [`key_of`].
pub(crate) type Replies = FxHashMap<u64, Action>;

/// Returns how the nation to move wins in this turn, whatever others answer. `None` as for [`winning_turn`].
pub(crate) fn winning_replies(game: &Game, state: &State) -> Option<Replies> {
    search(game, state, MOST_TRIALS).map(|(_, replies)| replies)
}

fn search(game: &Game, state: &State, trials: u32) -> Option<(Vec<Step>, Replies)> {
    let in_turn = matches!(
        state.phase,
        Phase::Stone | Phase::Action | Phase::Conquest | Phase::Found
    );
    if state.outcome.is_some() || state.question.is_some() || !in_turn {
        return None;
    }
    let chances = Chances::new(game, state, state.to_move);
    if !chances.any() {
        return None;
    }
    let mut search = WinSearch {
        game,
        nation: state.to_move,
        chances,
        left: trials,
        replies: Replies::default(),
    };
    let steps = search.turn(state)?;
    Some((steps, search.replies))
}

/// Whether a nation could win in its next turn if nothing changed before it.
pub fn threat(game: &Game, state: &State, nation: Nation) -> bool {
    if state.outcome.is_some() || !may_win(game, state, nation) {
        return false;
    }
    let mut state = state.clone();
    state.to_move = nation;
    state.phase = Phase::Stone;
    state.question = None;
    state.turn_state.armable = state.nation(nation).boxed;
    let special = state.nation(nation).special;
    state.turn_state.special_armable = special == Some(SpecialPlace::Boxed);
    winning_turn_within(game, &state, FEW_TRIALS).is_some()
}

/// One deed of a turn after the stone has moved.
#[derive(Clone, Debug)]
enum Deed {
    /// One unit, with so many borders left, crosses a border from a region to another. Nothing happens if it has been
    /// lost.
    March(Unit, u8, Region, Region),
    /// A city or neutral temple is conquered with the units that are there.
    Conquer(Region),
    /// Actions with prices, after the trades that they need.
    Buy(Vec<Action>),
}

/// A search for a turn that wins.
struct WinSearch<'a> {
    game: &'a Game,
    nation: Nation,
    chances: Chances,
    /// How many more positions it may look at.
    left: u32,
    /// How to go on in each position from which it has found a win.
    replies: Replies,
}

impl WinSearch<'_> {
    fn turn(&mut self, state: &State) -> Option<Vec<Step>> {
        if state.phase != Phase::Stone {
            return self.after_stone(state, MOST_CARDS);
        }
        for field in Field::ALL.iter().copied() {
            if !self.chances.allow(field) {
                continue;
            }
            let steps = self.game.steps(state, self.nation, field);
            let extra = steps.saturating_sub(self.game.rules.data.rondel.free_steps);
            let mut payments = payments(state, self.nation, extra);
            if field.is_maneuver() && !self.chances.founds {
                payments.truncate(1);
            }
            for pay in payments {
                let stone = Action::MoveStone { field, pay };
                let mut next = state.clone();
                if !self.apply(&mut next, stone) {
                    continue;
                }
                if let Some(rest) = self.after_stone(&next, MOST_CARDS) {
                    return Some(self.steps(state, stone, rest));
                }
            }
        }
        None
    }

    /// Returns the steps of a win that begins with an action, and remembers this action as the reply to the position.
    fn steps(&mut self, state: &State, first: Action, rest: Vec<Step>) -> Vec<Step> {
        self.replies.insert(key_of(state), first);
        let mut steps = vec![(self.nation, first)];
        steps.extend(rest);
        steps
    }

    fn apply(&self, state: &mut State, action: Action) -> bool {
        let applied = self.game.apply(state, self.nation, action, &mut Vec::new());
        applied.is_ok()
    }

    /// Searches the rest of a turn whose stone has moved.
    fn after_stone(&mut self, state: &State, cards: u8) -> Option<Vec<Step>> {
        self.left = self.left.checked_sub(1)?;
        if let Some(Question::Chip { asked, .. }) = state.question {
            if asked != self.nation {
                return None;
            }
            return Resource::ALL.iter().find_map(|resource| {
                let action = Action::ChooseChip {
                    resource: *resource,
                };
                let mut next = state.clone();
                let applied = self.apply(&mut next, action);
                let rest = applied.then(|| self.after_stone(&next, cards)).flatten()?;
                Some(self.steps(state, action, rest))
            });
        }
        let maneuvers = state.turn_state.field.is_some_and(Field::is_maneuver);
        let marches = maneuvers && matches!(state.phase, Phase::Action | Phase::Conquest);
        let found = match marches {
            true => self.maneuver(state),
            false => self.purchases(state),
        };
        if found.is_some() || cards == 0 {
            return found;
        }
        let mut plays = Vec::new();
        for card in (0..).map(Card).take(state.nation(self.nation).hand.len()) {
            if state.nation(self.nation).hand[card.index()] > 0 {
                self.game
                    .ways_to_play(state, self.nation, card, |(region, unit)| {
                        plays.push(Action::PlayCard { card, region, unit });
                    });
            }
        }
        plays.into_iter().find_map(|play| {
            let mut next = state.clone();
            let applied = self.apply(&mut next, play);
            let rest = applied
                .then(|| self.after_stone(&next, cards - 1))
                .flatten()?;
            Some(self.steps(state, play, rest))
        })
    }

    /// The points that are missing.
    fn need(&self, state: &State) -> u32 {
        let rules = &self.game.rules;
        let earned: u32 = [Personage::Scholar, Personage::General]
            .iter()
            .map(|kind| {
                let due = self.game.personages_due(state, self.nation, *kind);
                let due = due.min(state.bank.personages[kind.index()].into());
                due * u32::from(rules.points[kind.index()])
            })
            .sum();
        u32::from(rules.goal).saturating_sub(self.game.points(state, self.nation) + earned)
    }

    /// How many more cities, temples or regions give this many more personages of a kind.
    /// `None` if the bank does not have them.
    fn missing(&self, state: &State, kind: Personage, personages: u32) -> Option<u32> {
        if personages > u32::from(state.bank.personages[kind.index()]) {
            return None;
        }
        let owned = state.nation(self.nation);
        let extra = u8::from(owned.extra_personage == Some(kind));
        let counted = u32::from(owned.personages[kind.index()] - extra);
        let every = u32::from(self.game.rules.personage_every[kind.index()]);
        let earned = self.game.achievements(state, self.nation, kind);
        Some(match personages {
            0 => 0,
            _ => (every * (counted + personages)).saturating_sub(earned),
        })
    }

    /// The fewest personages of a kind with this many points.
    fn personages(&self, kind: Personage, points: u32) -> u32 {
        points.div_ceil(u32::from(self.game.rules.points[kind.index()]).max(1))
    }

    /// The units of others of a kind that fight every unit that is set up in a region.
    fn fighting(&self, state: &State, region: Region, unit: Unit) -> u8 {
        match self.game.rules.data.battle.is_automatic() {
            true => self.hostile(state, region, unit, None),
            false => 0,
        }
    }

    /// The units of others of a kind in a region, without those of one nation.
    fn hostile(&self, state: &State, region: Region, unit: Unit, but: Option<Nation>) -> u8 {
        let others = self.game.all_nations();
        let others = others.filter(|other| *other != self.nation && Some(*other) != but);
        others
            .map(|other| self.game.fighters(state, region, other, unit))
            .fold(0, u8::saturating_add)
    }

    /// Carries deeds out, ends the turn, and returns the steps if the nation wins against every answer.
    fn carry_out(&mut self, state: &State, deeds: &[Deed]) -> Option<Vec<Step>> {
        self.left = self.left.checked_sub(1)?;
        if let Some(outcome) = state.outcome {
            let won = outcome.ranks[usize::from(self.game.seat_of(self.nation))] == 1;
            return won.then(Vec::new);
        }
        if let Some(question) = state.question {
            return self.answer(state, question, deeds);
        }
        if state.to_move != self.nation || state.phase == Phase::Stone {
            return None;
        }
        let mut next = state.clone();
        let (action, rest) = match deeds.split_first() {
            None => (Action::EndTurn, deeds),
            Some((Deed::March(unit, left, from, to), rest)) => {
                let stacks = state.turn_state.maneuvers_left[from.index()][unit.index()];
                if stacks[usize::from(*left) - 1] == 0 {
                    return self.carry_out(state, rest);
                }
                let march = Action::March {
                    unit: (*unit).into(),
                    count: 1,
                    from: *from,
                    to: *to,
                    left: Some(*left),
                };
                (march, rest)
            }
            Some((Deed::Conquer(region), rest)) => (self.conquest(state, *region)?, rest),
            Some((Deed::Buy(actions), rest)) => {
                let actions = self.with_trades(state, actions)?;
                for action in &actions {
                    if !self.apply(&mut next, *action) {
                        return None;
                    }
                }
                let rest = self.carry_out(&next, rest)?;
                let mut at = state.clone();
                for action in &actions {
                    self.replies.insert(key_of(&at), *action);
                    self.apply(&mut at, *action);
                }
                let bought = actions.into_iter().map(|action| (self.nation, action));
                return Some(bought.chain(rest).collect());
            }
        };
        let action = self.game.canonical(state, action);
        if !self.apply(&mut next, action) {
            return None;
        }
        let rest = self.carry_out(&next, rest)?;
        Some(self.steps(state, action, rest))
    }

    /// Continues after a question: any own answer will do, but others may answer in every way.
    fn answer(&mut self, state: &State, question: Question, deeds: &[Deed]) -> Option<Vec<Step>> {
        let asked = question.nation();
        if matches!(question, Question::Cards { .. } | Question::Chip { .. }) {
            return None;
        }
        let mut answers = Vec::new();
        self.game
            .legal_actions(state, Payments::Default, &mut answers);
        let mut first = None;
        for answer in answers {
            let mut next = state.clone();
            let applied = self.game.apply(&mut next, asked, answer, &mut Vec::new());
            let rest = applied.ok().and_then(|()| self.carry_out(&next, deeds));
            match rest {
                None if asked == self.nation => {}
                None => return None,
                Some(rest) if asked == self.nation => {
                    return Some(self.steps(state, answer, rest));
                }
                Some(rest) => {
                    let mut steps = vec![(asked, answer)];
                    steps.extend(rest);
                    first.get_or_insert(steps);
                }
            }
        }
        first
    }

    /// The conquest of a city with the units that are there.
    fn conquest(&self, state: &State, region: Region) -> Option<Action> {
        let defence = self.game.defence(state, region);
        let [legions, galleys] = self.game.conquerors(state, region);
        let lost = legions.min(defence);
        if defence - lost > galleys {
            return None;
        }
        let own = state.nation(self.nation).cities;
        let given = std::iter::once(None).chain((own - state.temples).iter().map(Some));
        let options = given.map(|give_up| Action::Conquer {
            region,
            legions: lost,
            galleys: defence - lost,
            give_up,
        });
        let mut options = options;
        options.find(|action| self.apply(&mut state.clone(), *action))
    }
}

/// Returns every payment of chips and coins of any kinds.
fn payments(state: &State, nation: Nation, count: u8) -> Vec<Payment> {
    let held = &state.nation(nation).holdings;
    let mut all = Vec::new();
    for marble in 0..=count {
        for iron in 0..=count - marble {
            for gold in 0..=count - marble - iron {
                let pay = Payment::from_parts([marble, iron, gold], count - marble - iron - gold);
                if held.holds(pay) {
                    all.push(pay);
                }
            }
        }
    }
    all
}

/// The chips of a nation by [`Resource`], at most 500 of each.
/// No turn needs more, and a given position can have so many that their sum would overflow.
fn usable_chips(nation: &NationState) -> [u32; Resource::COUNT] {
    nation.holdings.chips.map(|count| count.min(500))
}
