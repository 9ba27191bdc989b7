//! What the search player thinks of a position, told while it thinks.

use engine::chance::Chance;
use engine::ids::Nation;
use engine::play::{Action, Effect, Game};
use engine::state::State;

use crate::search::plan::Planner;
use crate::search::think;
use crate::search::tree::{Edge, SearchTree};
use crate::search::value::Value;
use crate::{Budget, Seen};

/// Of a normal distribution, within so many standard deviations lie 95 %.
const NORMAL_95: f64 = 1.959_964;

/// A line goes on for so many plans behind the candidate.
const PLANS_BEHIND: usize = 3;

/// A share of the win as playouts have found it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean, from 0 to 1.
    pub share: f64,
    /// Where its 95 % interval begins, which follows from how much the playouts differ.
    ///
    /// It says how far the number may still move as the analysis grows, not how right it is: playouts stop
    /// after a few turns and are valued by a fitted model of the game ([`crate::search::value`]), whose own mistakes no
    /// number of playouts shows, and the candidate on which playouts gather looks a little better than it is.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// Something that is done in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who does it.
    pub nation: Nation,
    /// What is done, in canonical form.
    pub action: Action,
    /// The same in notation, with the nation before it where it is not its turn.
    pub notation: String,
}

/// What may be done: a turn from the decision to its end, or the rest of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// In how many playouts it was tried.
    pub visits: u32,
    /// By seat in table order; the shares sum up to 1.
    pub shares: Vec<Estimate>,
    /// What is done, then what was tried most behind it, for a few turns. It ends where a card is drawn
    /// that nobody knows.
    pub line: Vec<Move>,
    /// So many moves of the line are the candidate; others may be asked something among them.
    pub own: usize,
}

/// How far an analysis has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// Playouts so far.
    pub playouts: u32,
    /// Who decides.
    pub nation: Nation,
    /// What was tried, most tried first: that is what the search player would do.
    pub candidates: Vec<Candidate>,
}

/// What somebody did beside what the search player would have done, with as many playouts.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// What the search player would have done.
    pub best: Candidate,
    /// What was done.
    pub done: Candidate,
    /// Whether both are the same, or lead to the same position.
    pub same: bool,
}

/// An analysis of a position as anybody may know it who plays or watches: all decks are guesses, dealt anew
/// for each playout.
///
/// The same position, seed and playouts give the same analysis; in how many portions they were asked for
/// changes nothing.
///
/// ```
/// use bots::{Analysis, Budget, Seen};
/// use engine::{chance::Chance, content::Library, setup::Setup};
///
/// let setup: Setup = serde_json::from_str(
///     r#"{"edition": "antike", "board": "antike-east", "seed": "a game",
///         "seats": [{"nations": ["greeks", "arabs"], "player": {"kind": "open"}},
///                   {"nations": ["persians", "phoenicians"], "player": {"kind": "open"}}]}"#,
/// )?;
/// let (game, state) = setup.start(Library::embedded())?;
/// let seen = Seen::new(&game, &state, &mut Chance::new("sight"));
/// let mut analysis = Analysis::new(&seen, "a seed").expect("somebody must act");
/// for _ in 0..3 {
///     analysis.think(Budget::Playouts(4));
///     let so_far = analysis.assess(5);
///     println!("{} playouts: {}", so_far.playouts, so_far.candidates[0].line[0].notation);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Analysis<'a> {
    seen: &'a Seen,
    nation: Nation,
    tree: SearchTree<'a>,
    chance: Chance,
    playouts: u32,
}

impl<'a> Analysis<'a> {
    /// An analysis that has not begun; nothing when the game is over. The seed must not be that of the game.
    pub fn new(seen: &'a Seen, seed: &str) -> Option<Analysis<'a>> {
        let planner = Planner {
            game: seen.game(),
            value: Value::embedded(),
        };
        let mut chance = Chance::new(&format!("{seed} analysis"));
        Some(Analysis {
            nation: seen.nation()?,
            tree: SearchTree::new(planner, seen.state(), &mut chance)?,
            seen,
            chance,
            playouts: 0,
        })
    }

    /// Thinks on, for so many playouts or so long.
    pub fn think(&mut self, budget: Budget) {
        self.playouts += think(&mut self.tree, self.seen, budget, &mut self.chance);
    }

    /// Playouts so far.
    pub fn playouts(&self) -> u32 {
        self.playouts
    }

    /// How far it has come, with so many candidates at most.
    pub fn assess(&self, most: usize) -> Assessment {
        let candidates = self.tree.ranked().into_iter().take(most);
        Assessment {
            playouts: self.playouts,
            nation: self.nation,
            candidates: candidates.map(|edge| self.candidate(edge)).collect(),
        }
    }

    /// Thinks for as long as the budget allows, then plays out what somebody did (each action with who does it,
    /// from here on) until it was tried as often as what was tried most.
    pub fn judge(&mut self, done: &[(Nation, Action)], budget: Budget) -> Judgement {
        let key = self
            .tree
            .consider(self.seen.state(), done, &mut self.chance);
        self.think(budget);
        let (best, most) = (self.tree.best().plan.key, self.tree.best().visits);
        while self.visits(key) < most.max(1) {
            let state = self.seen.redealt(&mut self.chance);
            self.tree.playout(state, Some(key), &mut self.chance);
            self.playouts += 1;
        }
        let candidate = |key| {
            let edge = self.tree.edge(key);
            self.candidate(edge.expect("plans of the decision are never taken away"))
        };
        Judgement {
            best: candidate(best),
            done: candidate(key),
            same: best == key,
        }
    }

    fn visits(&self, key: u64) -> u32 {
        self.tree.edge(key).map_or(0, |edge| edge.visits)
    }

    fn candidate(&self, edge: &Edge) -> Candidate {
        let estimate = |seat| {
            let share = edge.share(seat);
            let margin = NORMAL_95 * edge.variance(seat).sqrt();
            Estimate {
                share,
                low: (share - margin).max(0.0),
                high: (share + margin).min(1.0),
            }
        };
        let game = self.seen.game();
        let mut state = self.seen.state().clone();
        let mut line = Vec::new();
        let mut goes_on = carry_out(game, &mut state, &edge.plan.steps, &mut line);
        let own = line.len();
        let mut behind = self.tree.next(edge);
        for _ in 0..PLANS_BEHIND {
            let Some(edge) = behind.filter(|_| goes_on) else {
                break;
            };
            goes_on = carry_out(game, &mut state, &edge.plan.steps, &mut line);
            behind = self.tree.next(edge);
        }
        Candidate {
            visits: edge.visits,
            shares: (0..game.seats()).map(estimate).collect(),
            line,
            own,
        }
    }
}

/// Carries a plan out as far as it does not depend on what nobody knows, and says whether that is all of it.
fn carry_out(
    game: &Game,
    state: &mut State,
    steps: &[(Nation, Action)],
    line: &mut Vec<Move>,
) -> bool {
    let mut effects = Vec::new();
    for (nation, action) in steps {
        let action = game.canonical(state, *action);
        let notation = game.print_by(state, *nation, &action);
        effects.clear();
        // A plan was made with another guess at the deck.
        if game.apply(state, *nation, action, &mut effects).is_err() {
            return false;
        }
        line.push(Move {
            nation: *nation,
            action,
            notation,
        });
        let drawn = |effect: &Effect| matches!(effect, Effect::CardRevealed { .. });
        if effects.iter().any(drawn) {
            return false;
        }
    }
    true
}
