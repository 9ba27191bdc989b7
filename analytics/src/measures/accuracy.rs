//! The measure `accuracy`: win probability lost by turns, from facts and analyses.

use std::collections::{BTreeMap, BTreeSet};

use polars::prelude::*;

use super::measure::{FORMAT, Measure, RowFigures, TableShape};
use super::rates::{self, INSUFFICIENT, INSUFFICIENT_BELOW};
use super::summary::{ALL_CLUSTERS, games_of, seats_of, with_joined};
use super::sums::{RulesetGames, with_format};
use crate::analyses::{Analyses, BLUNDER, Judge, TurnAnalysis};
use crate::facts::{ColumnInfo, LazyFacts, columns};
use crate::question::Filters;
use crate::statistics::interval::{Evidence, SkillVariance, Squares};

/// The columns of `seats` by which turns are grouped.
const KINDS: [&str; 4] = ["player", "nation", "place", "opening"];

/// The columns that identify a judge. Rows are divided by them, as by the format.
pub(crate) const JUDGE: [&str; 3] = ["judge", "numbers", "version"];

/// The reason why analyses do not match the facts.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The facts cannot be read, or a table cannot be built.
    #[error(transparent)]
    Frame(#[from] PolarsError),
    /// The game does not have a turn of the analysis.
    #[error(
        "the analysis of game {game} does not match its record: turn {turn} is not a turn of {nation} in seat {seat}; analyse the record again"
    )]
    Another {
        /// The game's id.
        game: String,
        /// The number of the turn.
        turn: u32,
        /// The nation in the analysis.
        nation: String,
        /// The seat in the analysis.
        seat: u32,
    },
}

/// The rows of the measure, and the games behind them.
pub(crate) struct AccuracyResult {
    pub rows: DataFrame,
    pub rulesets: Vec<RulesetGames>,
    /// The sum of the hashes of the games and of their analyses.
    pub content: u64,
    /// The number of games that passed the filters.
    pub games: u64,
    /// The number of analysed games that are not among the facts.
    pub unknown: usize,
}

const LOST: &str = "wins a turn";

/// The measure `accuracy`.
pub static ACCURACY: Measure = Measure {
    name: "accuracy",
    path: "accuracy",
    label: "Accuracy",
    meaning: "Win probability lost by the turns of players, nations, places and openings, in games that were analysed. \
        It is computed from facts and from the output of `tabularium-bots analyse`.",
    caveat: "Rows of different judges cannot be compared. A judge is not always right: shares are based on short \
        playouts and a fitted evaluation.",
    keys: &KEYS,
    figures: &[&FIGURES],
    shape: TableShape::Rows(RowFigures::Losses),
    group: Some("by"),
    ..rates::MEASURE
};

const KEYS: [ColumnInfo; 2] = columns! {
    /// How turns are grouped: by player, nation, place (in the seat order) or opening.
    by: Text, "";
    /// The player (a person's id, or a bot's name with its budget), the nation, the place or the opening.
    level: Text, "";
};

const FIGURES: [ColumnInfo; 13] = columns! {
    /// The bot that analysed the games, with its budget a turn.
    judge: Text, "";
    /// SHA-256 of the weights that the bot uses to evaluate playouts.
    numbers: Text, "";
    /// The version of the program that analysed.
    version: Text, "";
    /// Analysed games with a turn that belongs to the row.
    games: Count, "games";
    /// Analysed turns that belong to the row.
    turns: Count, "turns";
    /// Mean win probability lost by a turn.
    /// It is the player's share of the win if the best known turn is played, less the share after the turn that was
    /// played. A judge with a small budget overestimates losses: compare only rows of the same judge.
    lost: Number, LOST;
    /// Lower end of the 95% interval of lost, from the variance between games and between persons.
    /// It shows how certain the mean is for such games, not how good the judge is.
    low: Number, LOST;
    /// Upper end of that interval.
    high: Number, LOST;
    /// The part of the win probability that was kept.
    /// It is the sum of shares after turns, divided by the sum of shares before them. Turns with little left to win
    /// count little.
    accuracy: Number, "";
    /// The part of the turns for which no better turn is known.
    best: Number, "";
    /// Turns that lost 0.10 win probability or more.
    blunders: Count, "turns";
    /// Turns that are among the five that lost most in their game and lost 0.02 or more.
    turning_points: Count, "turns";
    ..INSUFFICIENT
};

/// A nation in an analysed game, from the facts.
struct AccuracySeat {
    format: Vec<String>,
    seat: u32,
    cluster: u32,
    /// The values of the columns in [`KINDS`].
    levels: Vec<String>,
    passes: bool,
}

/// An analysed game, from the facts.
struct AnalysedGame {
    ruleset: (String, u32, String),
    content: u64,
    /// The number of the last turn that began.
    turns: u32,
    seats: BTreeMap<String, AccuracySeat>,
}

/// The sums of several turns.
#[derive(Clone, Copy, Default)]
struct AccuracyTally {
    turns: f64,
    lost: f64,
    before: f64,
    after: f64,
    best: u32,
    blunders: u32,
    turning_points: u32,
}

impl AccuracyTally {
    fn add(&mut self, turn: &TurnAnalysis) {
        self.turns += 1.0;
        self.lost += turn.lost;
        self.before += turn.before;
        self.after += turn.after;
        self.best += u32::from(turn.lost == 0.0);
        self.blunders += u32::from(turn.lost >= BLUNDER);
        self.turning_points += u32::from(turn.turning_point);
    }
}

/// The sums of a row. Maps are ordered, so that sums are the same to the last bit.
#[derive(Default)]
struct AccuracyRow {
    all: AccuracyTally,
    by_game: BTreeMap<String, AccuracyTally>,
    /// Sums of persons, as in the next field; bots are not a sample of players.
    by_seat: BTreeMap<(String, u32), AccuracyTally>,
    by_person: BTreeMap<u32, AccuracyTally>,
}

impl AccuracyRow {
    fn add(&mut self, game: &str, cluster: u32, turn: &TurnAnalysis) {
        self.all.add(turn);
        self.by_game.entry(game.to_owned()).or_default().add(turn);
        if cluster != ALL_CLUSTERS {
            let seat = (game.to_owned(), cluster);
            self.by_seat.entry(seat).or_default().add(turn);
            self.by_person.entry(cluster).or_default().add(turn);
        }
    }

    /// Treats the mean loss as a rate, with turns as games and losses as wins.
    fn evidence(&self) -> Evidence {
        fn squares<'a>(tallies: impl Iterator<Item = &'a AccuracyTally>) -> Squares {
            tallies.fold(Squares::default(), |sum, own| Squares {
                nn: sum.nn + own.turns * own.turns,
                nw: sum.nw + own.turns * own.lost,
                ww: sum.ww + own.lost * own.lost,
            })
        }
        let skill = SkillVariance::for_sample(
            self.by_person.values().map(|own| own.turns).sum(),
            squares(self.by_person.values()),
            squares(self.by_seat.values()),
            self.all.lost / self.all.turns,
        );
        Evidence {
            games: self.by_game.len() as f64,
            nation_games: self.all.turns,
            wins: self.all.lost,
            by_game: squares(self.by_game.values()),
            skill,
        }
    }
}

/// The sort key of rows: the format, the judge, and the kind, number and name of the level.
type Key = (Vec<String>, Judge, (usize, u32, String));

/// Computes the rows from facts and analyses.
///
/// # Errors
/// If the facts cannot be read, or if an analysis has turns that the game with this id does not have.
pub(crate) fn analysed_rows(
    facts: &LazyFacts,
    analyses: &Analyses,
    filters: &Filters,
) -> Result<AccuracyResult, AnalysisError> {
    answer(
        &analysed_games(facts, analyses, filters)?,
        analyses,
        filters,
    )
}

/// Reads the analysed games from the facts.
fn analysed_games(
    facts: &LazyFacts,
    analyses: &Analyses,
    filters: &Filters,
) -> PolarsResult<BTreeMap<String, AnalysedGame>> {
    let ids: BTreeSet<&str> = analyses.games().map(|(id, ..)| id).collect();
    let ids = StringChunked::from_iter_values("game".into(), ids.into_iter()).into_column();
    let ids = DataFrame::new(ids.len(), vec![ids])?.lazy();
    let analysed = |rows: LazyFrame| -> PolarsResult<DataFrame> {
        let rows = rows.join(
            ids.clone(),
            [col("game")],
            [col("game")],
            JoinType::Inner.into(),
        );
        Ok(rows.collect_with_engine(Engine::Streaming)?.unwrap_single())
    };
    let text = |frame: &DataFrame, name: &str| -> PolarsResult<StringChunked> {
        Ok(frame.column(name)?.cast(&DataType::String)?.str()?.clone())
    };
    let number = |frame: &DataFrame, name: &str| -> PolarsResult<UInt32Chunked> {
        Ok(frame.column(name)?.u32()?.clone())
    };
    let cell = |texts: &StringChunked, row| texts.get(row).unwrap_or_default().to_owned();
    let count = |numbers: &UInt32Chunked, row| numbers.get(row).unwrap_or_default();

    let numbers = ["ruleset_version", "content_1", "content_2", "turns"];
    let texts = ["game", "edition", "ruleset_hash"];
    let games = analysed(
        games_of(facts)?.select(
            texts
                .iter()
                .chain(&numbers)
                .map(|name| col(*name))
                .collect::<Vec<Expr>>(),
        ),
    )?;
    let [ids_of, editions, hashes] = [
        text(&games, texts[0])?,
        text(&games, texts[1])?,
        text(&games, texts[2])?,
    ];
    let numbers = numbers.iter().map(|name| number(&games, name));
    let numbers = numbers.collect::<PolarsResult<Vec<UInt32Chunked>>>()?;
    let mut known = BTreeMap::new();
    for row in 0..games.height() {
        let of = |index: usize| count(&numbers[index], row);
        let game = AnalysedGame {
            ruleset: (cell(&editions, row), of(0), cell(&hashes, row)),
            content: u64::from(of(1)) << 32 | u64::from(of(2)),
            turns: of(3),
            seats: BTreeMap::new(),
        };
        known.insert(cell(&ids_of, row), game);
    }

    let passes = match filters.nation_condition() {
        Some(condition) => filters.game_condition().and(condition),
        None => filters.game_condition(),
    };
    // The filter on bots applies to the bot of the seat, but the format has a column of the same name.
    let seats = with_joined(seats_of(facts)?, facts, filters)?;
    let seats = seats.with_column(passes.alias("passes"));
    let seats = with_format(seats, filters.is_by_ruleset(), false);
    let seats = analysed(seats)?;
    let (ids_of, nations) = (text(&seats, "game")?, text(&seats, "nation")?);
    let texts = |names: &[&str]| -> PolarsResult<Vec<StringChunked>> {
        names.iter().map(|name| text(&seats, name)).collect()
    };
    let (format, levels) = (texts(&FORMAT)?, texts(&KINDS)?);
    let (places, clusters) = (number(&seats, "seat")?, number(&seats, "cluster")?);
    let passes = seats.column("passes")?.bool()?;
    for row in 0..seats.height() {
        let seat = AccuracySeat {
            format: format.iter().map(|texts| cell(texts, row)).collect(),
            seat: count(&places, row),
            cluster: count(&clusters, row),
            levels: levels.iter().map(|texts| cell(texts, row)).collect(),
            passes: passes.get(row).unwrap_or_default(),
        };
        // `games` and `seats` contain the same games.
        if let Some(game) = known.get_mut(&cell(&ids_of, row)) {
            game.seats.insert(cell(&nations, row), seat);
        }
    }
    Ok(known)
}

fn answer(
    known: &BTreeMap<String, AnalysedGame>,
    analyses: &Analyses,
    filters: &Filters,
) -> Result<AccuracyResult, AnalysisError> {
    let mut rows: BTreeMap<Key, AccuracyRow> = BTreeMap::new();
    let mut content: u64 = 0;
    let (mut counted, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for (id, judge, analysed) in analyses.games() {
        let Some(game) = known.get(id) else {
            unknown.insert(id);
            continue;
        };
        let mut passes = false;
        for (number, turn) in &analysed.turns {
            let own = game.seats.get(&turn.nation);
            let own = own.filter(|own| own.seat == turn.seat && *number <= game.turns);
            let own = own.ok_or_else(|| AnalysisError::Another {
                game: id.to_owned(),
                turn: *number,
                nation: turn.nation.clone(),
                seat: turn.seat,
            })?;
            if !own.passes {
                continue;
            }
            passes = true;
            for (kind, level) in own.levels.iter().enumerate() {
                let place = level.parse().unwrap_or_default();
                let place = if KINDS[kind] == "place" { place } else { 0 };
                let key = (
                    own.format.clone(),
                    judge.clone(),
                    (kind, place, level.clone()),
                );
                rows.entry(key).or_default().add(id, own.cluster, turn);
            }
        }
        if passes {
            content = content.wrapping_add(analysed.hash);
            counted.insert(id);
        }
    }
    rows.retain(|_, row| row.by_game.len() >= filters.min_games.unwrap_or(0) as usize);
    let mut rulesets: BTreeMap<&(String, u32, String), u64> = BTreeMap::new();
    for game in counted.iter().filter_map(|id| known.get(*id)) {
        content = content.wrapping_add(game.content);
        *rulesets.entry(&game.ruleset).or_default() += 1;
    }
    let rulesets = rulesets
        .into_iter()
        .map(|((edition, version, hash), games)| RulesetGames {
            edition: edition.clone(),
            version: *version,
            hash: hash.clone(),
            games,
        });
    Ok(AccuracyResult {
        rows: frame(&rows)?,
        rulesets: rulesets.collect(),
        content,
        games: counted.len() as u64,
        unknown: unknown.len(),
    })
}

fn frame(rows: &BTreeMap<Key, AccuracyRow>) -> PolarsResult<DataFrame> {
    let texts = |name: &str, text: &dyn Fn(&Key) -> String| {
        let texts = rows.keys().map(text);
        StringChunked::from_iter_values(name.into(), texts).into_column()
    };
    let counts = |name: &str, count: &dyn Fn(&AccuracyRow) -> u32| {
        let counts = rows.values().map(count);
        UInt32Chunked::from_iter_values(name.into(), counts).into_column()
    };
    let numbers = |name: &str, number: &dyn Fn(&AccuracyRow) -> f64| {
        let numbers = rows.values().map(number);
        Float64Chunked::from_iter_values(name.into(), numbers).into_column()
    };
    let few = rows
        .values()
        .map(|row| row.by_game.len() < INSUFFICIENT_BELOW as usize);
    let mut columns = vec![
        texts("by", &|(_, _, (kind, ..))| KINDS[*kind].to_owned()),
        texts("level", &|(_, _, (.., level))| level.clone()),
        texts("judge", &|(_, judge, _)| judge.judge.clone()),
        texts("numbers", &|(_, judge, _)| judge.numbers.clone()),
        texts("version", &|(_, judge, _)| judge.version.clone()),
        counts("games", &|row| row.by_game.len() as u32),
        counts("turns", &|row| row.all.turns as u32),
        numbers("lost", &|row| row.evidence().rate()),
        numbers("low", &|row| row.evidence().interval().0),
        numbers("high", &|row| row.evidence().interval().1),
        numbers("accuracy", &|row| match row.all.before > 0.0 {
            true => row.all.after / row.all.before,
            false => 1.0,
        }),
        numbers("best", &|row| f64::from(row.all.best) / row.all.turns),
        counts("blunders", &|row| row.all.blunders),
        counts("turning_points", &|row| row.all.turning_points),
        BooleanChunked::from_iter_values("insufficient".into(), few).into_column(),
    ];
    for (index, name) in FORMAT.into_iter().enumerate() {
        let texts = texts(name, &|(format, ..)| format[index].clone());
        columns.push(match name {
            "nations" | "players" => texts.cast(&DataType::UInt32)?,
            _ => texts,
        });
    }
    let frame = DataFrame::new(rows.len(), columns)?;
    frame.select(ACCURACY.columns().iter().map(|column| column.name))
}
