//! The search bot: Monte-Carlo tree search over whole turns.
//!
//! Each nation maximizes its share of the win.
//!
//! A playout deals the hidden cards at random and walks down the tree, balancing the best plans against little tried
//! ones. It adds a position, plays a few turns by heuristics and evaluates the result ([`value`]). The plan for the
//! rest of a turn is kept and carried out until something unexpected happens.
//!
//! Each decision has its own tree. The visits of the new position in the previous tree could be reused. In
//! matches of 6 to 24 games with 40 to 1,000 playouts for each decision, they were 14 to 20 % of the budget in Duellum
//! and 7 to 10 % with four nations, for plans that were searched less broadly. But then a turn would depend on the
//! search history of the process. A game would continue differently after a restart or on another node.

pub mod features;
pub mod network;
pub(crate) mod plan;
pub(crate) mod tree;
pub mod value;
pub mod win;

use std::collections::VecDeque;
use std::time::Instant;

use engine::chance::Chance;
use engine::play::Action;

use crate::{Bot, Budget, Observation};
use plan::{Planner, key_of};
use tree::SearchTree;
use value::Value;
use win::{Replies, winning_replies};

/// The search bot.
#[derive(Clone, Debug)]
pub struct Search {
    value: &'static Value,
    /// The rest of the plan for this turn: the action for each position.
    planned: VecDeque<(u64, Action)>,
    /// The rest of a turn that wins, with an action for each answer of others.
    replies: Replies,
}

impl Default for Search {
    fn default() -> Search {
        Search::with(Value::embedded())
    }
}

impl Bot for Search {
    fn choose(
        &mut self,
        seen: &Observation,
        budget: Budget,
        chance: &mut Chance,
    ) -> Option<Action> {
        if !self.is_ready(seen) {
            self.plan(seen, budget, chance)?;
        }
        let planned = self.planned.pop_front().map(|(_, action)| action);
        planned.or_else(|| self.replies.get(&key_of(seen.state())).copied())
    }

    fn is_ready(&self, seen: &Observation) -> bool {
        let key = key_of(seen.state());
        let next = self.planned.front();
        next.is_some_and(|(planned, _)| *planned == key) || self.replies.contains_key(&key)
    }
}

impl Search {
    /// Returns a search with other weights than those of the crate.
    pub fn with(value: &'static Value) -> Search {
        Search {
            value,
            planned: VecDeque::new(),
            replies: Replies::default(),
        }
    }

    /// Searches, and keeps the best plan.
    fn plan(&mut self, seen: &Observation, budget: Budget, chance: &mut Chance) -> Option<()> {
        self.planned.clear();
        self.replies.clear();
        let planner = Planner {
            game: seen.game(),
            value: self.value,
        };
        let mut tree = SearchTree::new(planner, seen.state(), chance)?;
        if !tree.is_won() {
            think(&mut tree, seen, budget, chance);
        } else if let Some(replies) = winning_replies(seen.game(), seen.state()) {
            self.replies = replies;
            return Some(());
        }
        let mut state = seen.state().clone();
        let own = seen.nation()?;
        for (nation, action) in &tree.best_steps(seen.state()) {
            let key = key_of(&state);
            let applied = seen
                .game()
                .apply(&mut state, *nation, *action, &mut Vec::new());
            if applied.is_err() {
                // This card came up only in a playout.
                break;
            }
            if *nation == own {
                self.planned.push_back((key, *action));
            }
        }
        Some(())
    }
}

/// Adds playouts up to the budget, each with a newly dealt deck. Returns their number.
pub(crate) fn think(
    tree: &mut SearchTree<'_>,
    seen: &Observation,
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
        tree.playout(seen.redeal(chance), None, chance);
        playouts += 1;
    }
}
