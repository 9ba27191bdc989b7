//! Reads analyses of games: the lines that `tabularium-bots analyse --format ndjson` writes.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// A turn that loses at least this much win probability is a blunder.
pub const BLUNDER: f64 = 0.10;

/// Tolerance for shares, which are written as rounded decimals.
const ROUNDED: f64 = 1e-6;

/// The bot that evaluated turns. Shares of different judges are never summed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Judge {
    /// The bot with its budget a turn, such as `search:400`.
    pub judge: String,
    /// SHA-256 of the weights that the bot uses to evaluate playouts.
    pub numbers: String,
    /// The version of the program that analysed.
    pub version: String,
}

/// The evaluation of one turn. Shares are win probabilities of the seat that plays, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnAnalysis {
    /// The nation that plays the turn.
    pub nation: String,
    /// Its seat.
    pub seat: u32,
    /// The share before the turn, if the best known turn is played.
    pub before: f64,
    /// The share after the turn that was played.
    pub after: f64,
    /// The win probability lost: `before` less `after`, and 0 if no better turn is known.
    pub lost: f64,
    /// True if the turn is one of those that lost most in the game.
    pub turning_point: bool,
}

/// The analysis of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameAnalysis {
    /// The turns by number.
    pub turns: BTreeMap<u32, TurnAnalysis>,
    /// A hash of the analysis; equal analyses have equal hashes.
    pub hash: u64,
}

/// The analysed games, each at most once for each judge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analyses {
    games: BTreeMap<(String, Judge), GameAnalysis>,
}

/// The reason why a line of an analysis is refused.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The line is not valid JSON of an analysis.
    #[error("not a line written by `tabularium-bots analyse --format ndjson`: {0}")]
    Json(#[from] serde_json::Error),
    /// Shares that are not from 0 to 1, are missing for a seat, or do not add up to 1.
    #[error(
        "turn {0}: `before` and `after` must list every seat in order, with shares from 0 to 1 that add up to 1"
    )]
    Shares(u32),
    /// A loss that differs from the difference of the shares.
    #[error(
        "turn {0}: `lost` must be the share in `before` less the share in `after`, and not negative"
    )]
    Loss(u32),
    /// The same game analysed with another seed.
    #[error("game {game} has two analyses, with the seeds {seeds:?}: pass only one of them")]
    Seeds {
        /// The game's id.
        game: String,
        /// The seeds.
        seeds: [String; 2],
    },
    /// The same turn or game with other values.
    #[error(
        "game {0} has two different analyses with the same judge and seed: pass only one of them"
    )]
    Differs(String),
}

/// The reason why files of analyses are refused.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisFileError {
    /// A file cannot be read.
    #[error("{file}: {error}")]
    Read {
        /// Its name.
        file: String,
        /// The cause.
        error: io::Error,
    },
    /// A line is refused.
    #[error("{file}:{line}: {reason}")]
    Line {
        /// The name of the file.
        file: String,
        /// The number of the line, from 1.
        line: u64,
        /// The cause.
        reason: LineError,
    },
    /// Lines are missing, for example because a file was cut off.
    #[error(
        "the analysis of game {0} is incomplete: lines are missing or belong to another analysis; run `tabularium-bots analyse` again"
    )]
    Incomplete(String),
}

/// A line, by its `kind`. Members that are not listed here are ignored.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum AnalysisLine {
    Turn(TurnAnalysisLine),
    Game(GameAnalysisLine),
}

#[derive(Deserialize)]
struct TurnAnalysisLine {
    game: String,
    #[serde(flatten)]
    judge: Judge,
    seed: String,
    turn: u32,
    nation: String,
    seat: u32,
    before: Vec<Share>,
    after: Vec<Share>,
    lost: f64,
}

/// The share of one seat. Lists contain all seats in order.
#[derive(Deserialize)]
struct Share {
    seat: usize,
    share: f64,
}

#[derive(Deserialize)]
struct GameAnalysisLine {
    game: String,
    #[serde(flatten)]
    judge: Judge,
    seed: String,
    players: Vec<PlayerTurns>,
    turning_points: Vec<u32>,
}

#[derive(Deserialize)]
struct PlayerTurns {
    turns: usize,
}

/// The lines of one game read so far.
struct GameLines {
    seed: String,
    /// Each turn by number, with the number of seats that its line lists.
    turns: BTreeMap<u32, (TurnAnalysis, usize)>,
    /// The number of turns of each seat, and the turning points; from the line of the game.
    whole: Option<(Vec<usize>, Vec<u32>)>,
}

impl TurnAnalysisLine {
    /// Returns the share of the seat that plays, or `None` if the list is invalid.
    fn share(&self, shares: &[Share]) -> Option<f64> {
        let in_order = shares
            .iter()
            .enumerate()
            .all(|(seat, one)| one.seat == seat);
        let possible = shares.iter().all(|one| (0.0..=1.0).contains(&one.share));
        let sum: f64 = shares.iter().map(|one| one.share).sum();
        let own = shares.get(self.seat as usize)?;
        (in_order && possible && (sum - 1.0).abs() < ROUNDED).then_some(own.share)
    }

    fn analysis(&self) -> Result<TurnAnalysis, LineError> {
        let shares = self.share(&self.before).zip(self.share(&self.after));
        let (before, after) = shares
            .filter(|_| self.before.len() == self.after.len())
            .ok_or(LineError::Shares(self.turn))?;
        if self.lost < 0.0 || (before - after - self.lost).abs() > ROUNDED {
            return Err(LineError::Loss(self.turn));
        }
        Ok(TurnAnalysis {
            nation: self.nation.clone(),
            seat: self.seat,
            before,
            after,
            lost: self.lost,
            turning_point: false,
        })
    }
}

impl GameLines {
    fn new(seed: &str) -> GameLines {
        GameLines {
            seed: seed.to_owned(),
            turns: BTreeMap::new(),
            whole: None,
        }
    }

    /// Returns the analysis of the game, or `None` if lines are missing.
    fn game(self, judge: &Judge) -> Option<GameAnalysis> {
        let (counts, turning_points) = self.whole?;
        let mut turns = BTreeMap::new();
        let mut seen = vec![0; counts.len()];
        let mut text = format!("{judge:?} {} {turning_points:?}", self.seed);
        for (number, (turn, seats)) in self.turns {
            if seats != counts.len() {
                return None;
            }
            // Each seat number is less than the number of seats: `share` has checked it.
            seen[turn.seat as usize] += 1;
            text += &format!("\n{number} {turn:?}");
            turns.insert(number, turn);
        }
        for point in &turning_points {
            let turn = turns.get_mut(point)?;
            if std::mem::replace(&mut turn.turning_point, true) {
                return None;
            }
        }
        (seen == counts).then(|| GameAnalysis {
            turns,
            hash: xxh3_64(text.as_bytes()),
        })
    }
}

impl Analyses {
    /// Reads analyses from named files.
    /// The order of lines and files does not matter. A line that occurs twice counts once.
    ///
    /// # Errors
    /// If a line is invalid or contradicts another one, or if lines of a game are missing.
    pub fn read<R: BufRead>(
        files: impl IntoIterator<Item = (String, R)>,
    ) -> Result<Analyses, AnalysisFileError> {
        let mut games: BTreeMap<(String, Judge), GameLines> = BTreeMap::new();
        for (file, lines) in files {
            for (number, line) in (1..).zip(lines.lines()) {
                let line = line.map_err(|error| AnalysisFileError::Read {
                    file: file.clone(),
                    error,
                })?;
                let added = match line.trim().is_empty() {
                    true => Ok(()),
                    false => add_line(&mut games, &line),
                };
                added.map_err(|reason| AnalysisFileError::Line {
                    file: file.clone(),
                    line: number,
                    reason,
                })?;
            }
        }
        let games = games
            .into_iter()
            .map(|(key, games)| match games.game(&key.1) {
                Some(game) => Ok((key, game)),
                None => Err(AnalysisFileError::Incomplete(key.0)),
            });
        Ok(Analyses {
            games: games.collect::<Result<_, AnalysisFileError>>()?,
        })
    }

    /// Lists the games by id and judge, in this order.
    pub fn games(&self) -> impl Iterator<Item = (&str, &Judge, &GameAnalysis)> {
        let games = self.games.iter();
        games.map(|((id, judge), game)| (id.as_str(), judge, game))
    }
}

/// Finds or creates the entry of a game and judge.
fn entry<'a>(
    games: &'a mut BTreeMap<(String, Judge), GameLines>,
    game: &str,
    judge: &Judge,
    seed: &str,
) -> Result<&'a mut GameLines, LineError> {
    let key = (game.to_owned(), judge.clone());
    let known = games.entry(key).or_insert_with(|| GameLines::new(seed));
    match known.seed == seed {
        true => Ok(known),
        false => Err(LineError::Seeds {
            game: game.to_owned(),
            seeds: [known.seed.clone(), seed.to_owned()],
        }),
    }
}

fn add_line(games: &mut BTreeMap<(String, Judge), GameLines>, line: &str) -> Result<(), LineError> {
    match serde_json::from_str(line)? {
        AnalysisLine::Turn(line) => {
            let turn = line.analysis()?;
            let game = entry(games, &line.game, &line.judge, &line.seed)?;
            let value = (turn, line.before.len());
            match game.turns.insert(line.turn, value.clone()) {
                Some(known) if known != value => Err(LineError::Differs(line.game)),
                _ => Ok(()),
            }
        }
        AnalysisLine::Game(line) => {
            let game = entry(games, &line.game, &line.judge, &line.seed)?;
            let counts = line.players.iter().map(|player| player.turns).collect();
            let value = (counts, line.turning_points);
            match game.whole.replace(value.clone()) {
                Some(known) if known != value => Err(LineError::Differs(line.game)),
                _ => Ok(()),
            }
        }
    }
}
