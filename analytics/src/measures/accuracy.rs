//! How well games were played that were analysed: facts say who played what, analyses what turns lost.

use std::collections::{BTreeMap, BTreeSet};

use polars::prelude::*;

use super::measure::{FORMAT, Measure, RowFigures, TableShape};
use super::rates::{self, INSUFFICIENT, INSUFFICIENT_BELOW};
use super::summary::{ALL_CLUSTERS, games_of, seats_of};
use super::sums::{RulesetGames, with_format};
use crate::analyses::{Analyses, BLUNDER, Judge, Turn};
use crate::facts::{ColumnInfo, LazyFacts, columns};
use crate::question::Filters;
use crate::statistics::interval::{Evidence, SkillVariance, Squares};

/// What turns are told apart by: columns of `seats`.
const KINDS: [&str; 4] = ["player", "nation", "place", "opening"];

/// What has analysed: rows are told apart by it as by the format.
pub(crate) const JUDGE: [&str; 3] = ["judge", "numbers", "version"];

/// Analyses that do not go with the facts.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The facts cannot be read, or a table cannot be built.
    #[error(transparent)]
    Frame(#[from] PolarsError),
    /// A turn was played by nobody.
    #[error(
        "the analysis of game {game} is of another game: its turn {turn} is none of {nation} on seat {seat}"
    )]
    Another {
        /// The game's id.
        game: String,
        /// The number of the turn.
        turn: u32,
        /// The nation that it names.
        nation: String,
        /// The seat that it names.
        seat: u32,
    },
}

/// What was found in the analysed games.
pub(crate) struct JudgedGames {
    pub rows: DataFrame,
    pub rulesets: Vec<RulesetGames>,
    /// The sum of the hashes of the games and of their analyses.
    pub content: u64,
    /// How many games passed the filters.
    pub games: u64,
    /// How many analysed games are not among the facts.
    pub unknown: usize,
}

const LOST: &str = "wins a turn";

/// How well games were played that were analysed.
pub static ACCURACY: Measure = Measure {
    name: "accuracy",
    path: "accuracy",
    label: "Accuracy",
    meaning: "How well players, nations, places and openings were played in games that were analysed: what of the win \
        a turn lost to the best that the judge knows. It is made of facts and of what `tabularium-bots analyse` has \
        written of their games.",
    caveat: "Different judges have rows of their own, not to be compared; and no judge knows all: shares rest on short \
        playouts and a fitted evaluation.",
    keys: &KEYS,
    figures: &[&FIGURES],
    shape: TableShape::Rows(RowFigures::Losses),
    group: Some("by"),
    ..rates::MEASURE
};

const KEYS: [ColumnInfo; 2] = columns! {
    /// How turns are grouped: by player, nation, place (in turn order) or opening.
    by: Text, "";
    /// The player (a person's id, or a bot's name with its budget), the nation, the place or the opening.
    level: Text, "";
};

const FIGURES: [ColumnInfo; 13] = columns! {
    /// What has analysed the games: a bot with its budget a turn.
    judge: Text, "";
    /// SHA-256 of the numbers by which it values playouts.
    numbers: Text, "";
    /// The version of the program that analysed.
    version: Text, "";
    /// Analysed games with a turn that belongs to the row.
    games: Count, "games";
    /// Analysed turns that belong to the row.
    turns: Count, "turns";
    /// What a turn lost on average: the share of the win that the best known turn promised its player, less that of
    /// what was done. A judge finds better what is not better, the more the less it looks: compare rows of one
    /// judge.
    lost: Number, LOST;
    /// Lower end of the 95% interval of lost, by how far what games and persons add to it varies. It says how sure
    /// the mean is among such games, not how right the judge is.
    low: Number, LOST;
    /// Upper end of that interval.
    high: Number, LOST;
    /// What part was kept of the shares that the best known turns promised: the sum of shares after turns by that
    /// before them. Where little was left to win, little counts.
    accuracy: Number, "";
    /// In what part of the turns nothing better is known than what was done.
    best: Number, "";
    /// Turns that lost 0.10 of the win or more.
    blunders: Count, "turns";
    /// Turns that are among the five by which most was lost in their game, of those that lost 0.02 or more.
    turning_points: Count, "turns";
    ..INSUFFICIENT
};

/// What the facts say of a nation in an analysed game.
struct AccuracySeat {
    format: Vec<String>,
    seat: u32,
    cluster: u32,
    /// By [`KINDS`].
    levels: Vec<String>,
    passes: bool,
}

/// What the facts say of an analysed game.
struct AnalysedGame {
    ruleset: (String, u32, String),
    content: u64,
    /// The last turn that began.
    turns: u32,
    seats: BTreeMap<String, AccuracySeat>,
}

/// Turns added up.
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
    fn add(&mut self, turn: &Turn) {
        self.turns += 1.0;
        self.lost += turn.lost;
        self.before += turn.before;
        self.after += turn.after;
        self.best += u32::from(turn.lost == 0.0);
        self.blunders += u32::from(turn.lost >= BLUNDER);
        self.turning_points += u32::from(turn.turning_point);
    }
}

/// What a row is made of; maps are in order, so that sums come to the same last bit.
#[derive(Default)]
struct AccuracyRow {
    all: AccuracyTally,
    by_game: BTreeMap<String, AccuracyTally>,
    /// Of persons only, as are the next: bots are no sample of players.
    by_seat: BTreeMap<(String, u32), AccuracyTally>,
    by_person: BTreeMap<u32, AccuracyTally>,
}

impl AccuracyRow {
    fn add(&mut self, game: &str, cluster: u32, turn: &Turn) {
        self.all.add(turn);
        self.by_game.entry(game.to_owned()).or_default().add(turn);
        if cluster != ALL_CLUSTERS {
            let seat = (game.to_owned(), cluster);
            self.by_seat.entry(seat).or_default().add(turn);
            self.by_person.entry(cluster).or_default().add(turn);
        }
    }

    /// The mean loss as a rate: of turns in place of nations, with losses in place of wins.
    fn evidence(&self) -> Evidence {
        fn squares<'a>(tallies: impl Iterator<Item = &'a AccuracyTally>) -> Squares {
            tallies.fold(Squares::default(), |sum, own| Squares {
                nn: sum.nn + own.turns * own.turns,
                nw: sum.nw + own.turns * own.lost,
                ww: sum.ww + own.lost * own.lost,
            })
        }
        let skill = SkillVariance::of_sample(
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

/// The format, the judge, and what the row is of: its kind, its place if it is a number, its level. Rows are in
/// this order.
type Key = (Vec<String>, Judge, (usize, u32, String));

/// How well games were played, by an analysis of theirs.
///
/// # Errors
/// When the facts cannot be read, or an analysis has turns that the game of this id does not have.
pub(crate) fn judged_games(
    facts: &LazyFacts,
    analyses: &Analyses,
    filters: &Filters,
) -> Result<JudgedGames, AnalysisError> {
    answer(&known(facts, analyses, filters)?, analyses, filters)
}

/// What the facts say of the analysed games.
fn known(
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

    let passes = match filters.on_nations() {
        Some(condition) => filters.on_games().and(condition),
        None => filters.on_games(),
    };
    // The filters are on the bot of the seat, which the format replaces.
    let seats = seats_of(facts)?.with_column(passes.alias("passes"));
    let seats = with_format(seats, filters.tells_rulesets_apart(), false);
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
        // Both tables tell of the same games.
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
) -> Result<JudgedGames, AnalysisError> {
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
    Ok(JudgedGames {
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
