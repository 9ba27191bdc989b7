//! The bot that looks ahead: Monte-Carlo tree search over plans of whole turns, in which each nation
//! plays for its own share of the win.
//!
//! A playout deals what is hidden anew, walks down the tree by what was best so far and what has been
//! tried little, adds a position, plays a few turns on by a cheap policy and values where it gets to
//! ([`value`]). What is planned for the rest of a turn is kept and carried out as long as nothing
//! unforeseen happens.
//!
//! Each decision has a tree of its own. Where the position that is reached was in the tree of the decision before, its
//! visits there could be counted: they would be 14 to 20 % of the budget in Duellum and 7 to 10 % with four nations (in
//! matches with 40 to 1,000 playouts a decision, of 6 to 24 games each), at plans that were looked for less broadly than
//! those of a decision that is really to be taken. But then a turn would depend on what the same process has thought of
//! before, and a game would go on in another way after a restart, or on another node of a service.

pub(crate) mod plan;
pub(crate) mod tree;
pub mod value;

use std::collections::VecDeque;
use std::time::Instant;

use engine::chance::Chance;
use engine::play::Action;

use crate::{Bot, Budget, Seen};
use plan::{Planner, key_of};
use tree::SearchTree;
use value::Value;

/// Looks ahead.
#[derive(Clone, Debug)]
pub struct Search {
    value: &'static Value,
    /// What is left of the plan of this turn: what is done in which position.
    planned: VecDeque<(u64, Action)>,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            value: Value::embedded(),
            planned: VecDeque::new(),
        }
    }
}

impl Bot for Search {
    fn choose(&mut self, seen: &Seen, budget: Budget, chance: &mut Chance) -> Option<Action> {
        if !self.is_ready(seen) {
            self.plan(seen, budget, chance)?;
        }
        self.planned.pop_front().map(|(_, action)| action)
    }

    fn is_ready(&self, seen: &Seen) -> bool {
        let next = self.planned.front();
        next.is_some_and(|(key, _)| *key == key_of(seen.state()))
    }
}

impl Search {
    /// Thinks, and keeps what is to be done.
    fn plan(&mut self, seen: &Seen, budget: Budget, chance: &mut Chance) -> Option<()> {
        self.planned.clear();
        let planner = Planner {
            game: seen.game(),
            value: self.value,
        };
        let mut tree = SearchTree::new(planner, seen.state(), chance)?;
        think(&mut tree, seen, budget, chance);
        let mut state = seen.state().clone();
        let own = seen.nation()?;
        for (nation, action) in &tree.best().plan.steps {
            let key = key_of(&state);
            let applied = seen
                .game()
                .apply(&mut state, *nation, *action, &mut Vec::new());
            if applied.is_err() {
                // A card that came in a playout only.
                break;
            }
            if *nation == own {
                self.planned.push_back((key, *action));
            }
        }
        Some(())
    }
}

/// Plays out for as long as the budget allows, each time from a deck that is dealt anew, and returns how often.
pub(crate) fn think(
    tree: &mut SearchTree<'_>,
    seen: &Seen,
    budget: Budget,
    chance: &mut Chance,
) -> u32 {
    let begun = Instant::now();
    let mut playouts = 0;
    loop {
        let enough = match budget {
            Budget::Playouts(most) => playouts >= most,
            Budget::Time(time) => begun.elapsed() >= time,
        };
        if enough {
            return playouts;
        }
        tree.playout(seen.redealt(chance), None, chance);
        playouts += 1;
    }
}
