//! Games that were judged turn by turn, from the lines that `tabularium-bots analyse --format ndjson` writes.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// What of the win a turn loses at least to be a blunder.
pub const BLUNDER: f64 = 0.10;

/// How far shares may be from what follows from the others: they are written as decimals.
const ROUNDED: f64 = 1e-6;

/// What has judged turns. Shares of different judges are not to be summed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Judge {
    /// The bot with its budget a turn, such as `search:400`.
    pub judge: String,
    /// SHA-256 of the numbers by which it values playouts.
    pub numbers: String,
    /// The version of the program.
    pub version: String,
}

/// A turn as it was judged; shares are of the win, from 0 to 1, of the seat whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Whose turn it is.
    pub nation: String,
    /// Its seat.
    pub seat: u32,
    /// What the turn promised, if the best is done that is known.
    pub before: f64,
    /// What was done promises.
    pub after: f64,
    /// What was lost by it; 0 when nothing better is known.
    pub lost: f64,
    /// Whether it is among the turns by which most was lost in the game.
    pub turning_point: bool,
}

/// A game as it was judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedGame {
    /// By the number of the turn.
    pub turns: BTreeMap<u32, Turn>,
    /// Tells it from another analysis.
    pub hash: u64,
}

/// Games that were judged: each once by a judge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analyses {
    games: BTreeMap<(String, Judge), JudgedGame>,
}

/// Why a line is refused.
#[derive(Debug, thiserror::Error)]
pub enum BadLine {
    /// It is no line of an analysis.
    #[error("no line of an analysis as `tabularium-bots analyse --format ndjson` writes it: {0}")]
    Json(#[from] serde_json::Error),
    /// Shares that no win has.
    #[error("the shares of turn {0} are not from 0 to 1, not of every seat, or do not sum up to 1")]
    Shares(u32),
    /// A loss that does not follow from the shares.
    #[error("turn {0} has not lost what its shares say")]
    Lost(u32),
    /// The same game by another seed.
    #[error("game {game} was analysed with the seeds {seeds:?}: give one of these analyses")]
    Seeds {
        /// Its id.
        game: String,
        /// The seeds.
        seeds: [String; 2],
    },
    /// The same turn or game, told otherwise.
    #[error("game {0}: two analyses with the same judge and seed differ: give one of them")]
    Differs(String),
}

/// Files that hold no whole analyses.
#[derive(Debug, thiserror::Error)]
pub enum BadAnalysis {
    /// A file cannot be read.
    #[error("{file}: {error}")]
    Read {
        /// Its name.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// A line is refused.
    #[error("{file}:{line}: {reason}")]
    Line {
        /// The name of the file.
        file: String,
        /// The number of the line, from 1.
        line: u64,
        /// Why.
        reason: BadLine,
    },
    /// Lines are missing, as when a file was cut off.
    #[error("the analysis of game {0} is not whole: lines are missing, or not its own")]
    Cut(String),
}

/// A line, by its `kind`; what is not asked for here is passed over.
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

/// The share of a seat; the lists have all seats in order.
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
    players: Vec<JudgedPlayer>,
    turning_points: Vec<u32>,
}

#[derive(Deserialize)]
struct JudgedPlayer {
    turns: usize,
}

/// What lines have told of a game so far.
struct GameLines {
    seed: String,
    /// With how many seats the turn tells of.
    turns: BTreeMap<u32, (Turn, usize)>,
    /// How many turns of each seat there are, and which are turning points.
    whole: Option<(Vec<usize>, Vec<u32>)>,
}

impl TurnAnalysisLine {
    /// The share of the seat in a list of those of all seats.
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

    fn judged(&self) -> Result<Turn, BadLine> {
        let shares = self.share(&self.before).zip(self.share(&self.after));
        let (before, after) = shares
            .filter(|_| self.before.len() == self.after.len())
            .ok_or(BadLine::Shares(self.turn))?;
        if self.lost < 0.0 || (before - after - self.lost).abs() > ROUNDED {
            return Err(BadLine::Lost(self.turn));
        }
        Ok(Turn {
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

    /// The game, if all of it has been told.
    fn game(self, judge: &Judge) -> Option<JudgedGame> {
        let (counts, turning_points) = self.whole?;
        let mut turns = BTreeMap::new();
        let mut seen = vec![0; counts.len()];
        let mut told = format!("{judge:?} {} {turning_points:?}", self.seed);
        for (number, (turn, seats)) in self.turns {
            if seats != counts.len() {
                return None;
            }
            // A share is of one of so many seats.
            seen[turn.seat as usize] += 1;
            told += &format!("\n{number} {turn:?}");
            turns.insert(number, turn);
        }
        for point in &turning_points {
            let turn = turns.get_mut(point)?;
            if std::mem::replace(&mut turn.turning_point, true) {
                return None;
            }
        }
        (seen == counts).then(|| JudgedGame {
            turns,
            hash: xxh3_64(told.as_bytes()),
        })
    }
}

impl Analyses {
    /// Reads files by name and content. In which order lines and files come makes no difference; a line that is
    /// there twice counts once.
    ///
    /// # Errors
    /// At the first line that is no line of an analysis or contradicts itself or another one, and when the lines of
    /// a game are not all there.
    pub fn read<R: BufRead>(
        files: impl IntoIterator<Item = (String, R)>,
    ) -> Result<Analyses, BadAnalysis> {
        let mut gathered: BTreeMap<(String, Judge), GameLines> = BTreeMap::new();
        for (file, lines) in files {
            for (number, line) in (1..).zip(lines.lines()) {
                let line = line.map_err(|error| BadAnalysis::Read {
                    file: file.clone(),
                    error,
                })?;
                let taken = match line.trim().is_empty() {
                    true => Ok(()),
                    false => take(&mut gathered, &line),
                };
                taken.map_err(|reason| BadAnalysis::Line {
                    file: file.clone(),
                    line: number,
                    reason,
                })?;
            }
        }
        let games = gathered
            .into_iter()
            .map(|(key, gathered)| match gathered.game(&key.1) {
                Some(game) => Ok((key, game)),
                None => Err(BadAnalysis::Cut(key.0)),
            });
        Ok(Analyses {
            games: games.collect::<Result<_, BadAnalysis>>()?,
        })
    }

    /// The games by id and judge, in the order of these.
    pub fn games(&self) -> impl Iterator<Item = (&str, &Judge, &JudgedGame)> {
        let games = self.games.iter();
        games.map(|((id, judge), game)| (id.as_str(), judge, game))
    }
}

/// What has been told of a game by a judge.
fn of<'a>(
    gathered: &'a mut BTreeMap<(String, Judge), GameLines>,
    game: &str,
    judge: &Judge,
    seed: &str,
) -> Result<&'a mut GameLines, BadLine> {
    let key = (game.to_owned(), judge.clone());
    let known = gathered.entry(key).or_insert_with(|| GameLines::new(seed));
    match known.seed == seed {
        true => Ok(known),
        false => Err(BadLine::Seeds {
            game: game.to_owned(),
            seeds: [known.seed.clone(), seed.to_owned()],
        }),
    }
}

fn take(gathered: &mut BTreeMap<(String, Judge), GameLines>, line: &str) -> Result<(), BadLine> {
    match serde_json::from_str(line)? {
        AnalysisLine::Turn(line) => {
            let turn = line.judged()?;
            let game = of(gathered, &line.game, &line.judge, &line.seed)?;
            let told = (turn, line.before.len());
            match game.turns.insert(line.turn, told.clone()) {
                Some(known) if known != told => Err(BadLine::Differs(line.game)),
                _ => Ok(()),
            }
        }
        AnalysisLine::Game(line) => {
            let game = of(gathered, &line.game, &line.judge, &line.seed)?;
            let counts = line.players.iter().map(|player| player.turns).collect();
            let told = (counts, line.turning_points);
            match game.whole.replace(told.clone()) {
                Some(known) if known != told => Err(BadLine::Differs(line.game)),
                _ => Ok(()),
            }
        }
    }
}
