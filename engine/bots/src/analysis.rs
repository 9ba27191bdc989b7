//! Analysis: the evaluation of a position by the search bot, available while it runs.

use engine::chance::Chance;
use engine::ids::Nation;
use engine::play::{Action, Effect, Game};
use engine::state::State;

use crate::search::plan::Planner;
use crate::search::think;
use crate::search::tree::{Edge, SearchTree};
use crate::search::value::Value;
use crate::{Budget, Observation, TurnReason, reasons};

/// In 90 % of positions, the estimate of ten times as many playouts with another seed is within this many standard
/// deviations. Measured by `examples/intervals.rs` in 87 positions of four boards with 60 and 600 playouts: 92 %.
///
/// It is more than the 1.645 of a normal distribution, because playouts of one tree depend on each other.
const TENFOLD_90: f64 = 4.4;

/// The number of plans that a line shows after the candidate.
const PLANS_BEHIND: usize = 3;

/// An estimate from playouts of a seat's share of the win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean, from 0 to 1. STRENGTH.md shows how often seats with a share win.
    pub share: f64,
    /// The lower end of its interval: in 90 % of positions, ten times as many playouts with another seed give a number
    /// within the interval.
    ///
    /// It shows how far the number may still move, not how right it is. Playouts stop after a few turns and are valued
    /// by a fitted model of the game ([`crate::search::value`]), whose errors no number of playouts reveals.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// One action of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The acting nation.
    pub nation: Nation,
    /// The action, in canonical form.
    pub action: Action,
    /// The action in notation, with the nation before it if it acts out of turn.
    pub notation: String,
}

/// A possible choice: a turn from the decision to its end, or the rest of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The number of playouts that tried it.
    pub visits: u32,
    /// The estimates by seat. Their shares sum up to 1.
    pub shares: Vec<Estimate>,
    /// The actions of the candidate, then the most visited continuation for a few turns.
    /// It ends before an unknown card would be drawn.
    pub line: Vec<Move>,
    /// The number of moves of the line that are the candidate. They include answers of other nations.
    pub own: usize,
    /// What the candidate achieves.
    pub reasons: Vec<TurnReason>,
}

/// The state of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The number of playouts so far.
    pub playouts: u32,
    /// The nation that decides.
    pub nation: Nation,
    /// The candidates, most visited first. The search bot would choose the first one.
    pub candidates: Vec<Candidate>,
}

/// The played actions compared with the choice of the search bot, with equally many playouts.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The choice of the search bot.
    pub best: Candidate,
    /// The played actions.
    pub done: Candidate,
    /// Whether both are the same, or lead to the same position.
    pub same: bool,
    /// The actions of the choice of the search bot.
    pub(crate) steps: Vec<(Nation, Action)>,
}

/// An analysis of a position with the knowledge that players and spectators have.
///
/// All decks are guesses, dealt again for each playout. The same position, seed and playouts give the same analysis,
/// however the playouts are divided over calls.
///
/// ```
/// use bots::{Analysis, Budget, Observation};
/// use engine::{chance::Chance, content::Library, setup::Setup};
///
/// let setup: Setup = serde_json::from_str(
///     r#"{"edition": "antike", "board": "antike-east", "seed": "a game",
///         "seats": [{"nations": ["greeks", "arabs"], "player": {"kind": "open"}},
///                   {"nations": ["persians", "phoenicians"], "player": {"kind": "open"}}]}"#,
/// )?;
/// let (game, state) = setup.start(Library::embedded())?;
/// let seen = Observation::new(&game, &state, &mut Chance::new("sight"));
/// let mut analysis = Analysis::new(&seen, "a seed").expect("the game goes on");
/// for _ in 0..3 {
///     analysis.think(Budget::Playouts(4));
///     let so_far = analysis.assess(5);
///     println!("{} playouts: {}", so_far.playouts, so_far.candidates[0].line[0].notation);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Analysis<'a> {
    seen: &'a Observation,
    nation: Nation,
    tree: SearchTree<'a>,
    chance: Chance,
    playouts: u32,
}

impl<'a> Analysis<'a> {
    /// Returns an analysis without playouts, or `None` if the game is over.
    /// The seed must not be the game's.
    pub fn new(seen: &'a Observation, seed: &str) -> Option<Analysis<'a>> {
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

    /// Adds playouts, up to the budget.
    pub fn think(&mut self, budget: Budget) {
        self.playouts += think(&mut self.tree, self.seen, budget, &mut self.chance);
    }

    /// The number of playouts so far.
    pub fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Returns the state of the analysis, with at most `most` candidates.
    pub fn assess(&self, most: usize) -> Assessment {
        let candidates = self.tree.ranked().into_iter().take(most);
        Assessment {
            playouts: self.playouts,
            nation: self.nation,
            candidates: candidates.map(|edge| self.candidate(edge)).collect(),
        }
    }

    /// Compares played actions with the best candidate, with equally many playouts.
    /// It uses the budget first, then adds playouts of the played actions until they have as many as the most visited
    /// candidate.
    ///
    /// `done` has each action from here on with its nation.
    pub fn judge(&mut self, done: &[(Nation, Action)], budget: Budget) -> Judgement {
        let key = self.consider(done);
        self.think(budget);
        let best = self.tree.best().plan.key;
        self.equalize(&[key]);
        Judgement {
            best: self.candidate(self.edge(best)),
            done: self.candidate(self.edge(key)),
            same: best == key,
            steps: self.edge(best).plan.steps.clone(),
        }
    }

    /// Compares given actions with each other, with equally many playouts.
    ///
    /// It uses the budget first, then adds playouts until each has as many as the most visited candidate.
    pub fn compare(&mut self, plans: &[&[(Nation, Action)]], budget: Budget) -> Vec<Candidate> {
        let keys: Vec<u64> = plans.iter().map(|plan| self.consider(plan)).collect();
        self.think(budget);
        self.equalize(&keys);
        let candidates = keys.iter().map(|key| self.candidate(self.edge(*key)));
        candidates.collect()
    }

    fn consider(&mut self, plan: &[(Nation, Action)]) -> u64 {
        self.tree
            .consider(self.seen.state(), plan, &mut self.chance)
    }

    /// Adds playouts until each of these plans has as many as the most visited one.
    fn equalize(&mut self, keys: &[u64]) {
        let visits = self.tree.edges().iter().map(|edge| edge.visits);
        let most = visits.max().unwrap_or(0).max(1);
        for key in keys {
            while self.edge(*key).visits < most {
                let state = self.seen.redeal(&mut self.chance);
                self.tree.playout(state, Some(*key), &mut self.chance);
                self.playouts += 1;
            }
        }
    }

    fn edge(&self, key: u64) -> &Edge {
        let edge = self.tree.edge(key);
        edge.expect("plans of the decision are never removed")
    }

    fn candidate(&self, edge: &Edge) -> Candidate {
        let estimate = |seat| {
            let share = edge.share(seat);
            let margin = TENFOLD_90 * edge.variance(seat).sqrt();
            Estimate {
                share,
                low: (share - margin).max(0.0),
                high: (share + margin).min(1.0),
            }
        };
        let game = self.seen.game();
        let mut state = self.seen.state().clone();
        let mut line = Vec::new();
        let steps = self.tree.trimmed(&state, edge);
        let mut goes_on = carry_out(game, &mut state, &steps, &mut line);
        let own = line.len();
        let reasons = reasons(game, self.nation, self.seen.state(), &state);
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
            reasons,
        }
    }
}

/// Applies a plan as far as it does not depend on unknown cards. Returns whether that is all of it.
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
        // The plan was found with another guess at the deck.
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
