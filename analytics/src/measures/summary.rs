//! Summaries: rows of facts added up by all columns of games that filters use, except the time.
//!
//! Each part has a file for each summary beside its tables. Summaries are small and can be merged without rounding,
//! because only whole numbers are added. They lead to the same sums as the rows.
//!
//! A summary has two kinds of rows for its keys. Rows of the cluster [`ALL_CLUSTERS`] add up all nations, with the
//! squares and products of what each *game* adds to a row (`nn`, `nw`, `ww`), because nations of one game win at the
//! expense of each other. Rows of the other clusters add up what persons add to a row, with the squares of what each
//! *seat* adds, because all games of a person depend on that person's skill. [`crate::statistics::interval`]
//! computes intervals from both.

use std::cell::OnceCell;
use std::fmt;
use std::hash::{Hash, Hasher};

use polars::prelude::*;

use crate::facts::derive::{CLUSTERS, WIN_PARTS};
use crate::facts::{FactTable, LazyFacts};
use crate::question::{AGAINST, Filters};

/// The bot that plays the nation's seat, by name with budget; empty for people.
pub(crate) const SEAT_BOT: &str = "seat_bot";

/// The column with the league of a game.
pub(crate) const LEAGUE: &str = "league";

/// The columns of games that filters use. Lists are texts here, joined by commas.
const GAME: [&str; 15] = [
    "edition",
    "board",
    "variants",
    "nations",
    "players",
    "play",
    "bots",
    LEAGUE,
    "time_control",
    "rated",
    "reason",
    "from_position",
    "declared",
    "ruleset_version",
    "ruleset_hash",
];

/// The sums for win rates: games, nations, shares in parts, and squares and products by game.
const RATE_SUMS: [&str; 7] = [
    "games",
    "nation_games",
    "wins",
    "expected",
    "nn",
    "nw",
    "ww",
];

/// The number of parts of a win, as a floating-point number.
pub(crate) const SHARE_PART: f64 = WIN_PARTS as f64;

/// The cluster of rows that add up all nations.
pub(crate) const ALL_CLUSTERS: u32 = CLUSTERS + 1;

/// The column with the id of one game of a row, the first in alphabetical order.
pub(crate) const EXAMPLE: &str = "example";

/// The rows that a summary adds up.
pub(crate) enum SummaryRows {
    /// Nations, from `seats`; the keys are columns of it.
    Seats,
    /// Nations by what they did, from a table whose columns are the keys.
    /// `times` counts the rows. The listed columns are added up, each under the given name.
    Table(FactTable, &'static [(&'static str, &'static str)]),
    /// Nations in games, from a query with the columns of [`joined`].
    Nations(fn(&SummarySource) -> PolarsResult<LazyFrame>),
    /// Each row of a query by itself, without sums.
    Each(fn(&SummarySource) -> PolarsResult<LazyFrame>),
    /// Games, from a query.
    Games(fn(&SummarySource) -> PolarsResult<LazyFrame>),
}

/// Where a summary is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SummaryStorage {
    /// In each part, divided by league. The total without leagues is also in memory.
    InMemory,
    /// In each part, but not divided by league: it would be as large as the facts.
    OnDisk,
    /// Not stored: summaries by game, person or position would be as large as the facts.
    Nowhere,
}

/// A summary: rows of facts added up by keys.
pub struct Summary {
    /// The name of its folder.
    pub name: &'static str,
    /// The columns that identify a row, besides the cluster and the columns of games.
    pub(crate) keys: &'static [&'static str],
    /// The columns that are added up, besides [`RATE_SUMS`]; all are whole numbers.
    pub(crate) sums: &'static [&'static str],
    pub(crate) rows: SummaryRows,
    pub(crate) storage: SummaryStorage,
    /// True if its rows are win rates, which have intervals.
    pub(crate) has_rates: bool,
    /// True if its rows have the id of a game as an example.
    pub(crate) has_example: bool,
    /// Selects the rows that a question needs; all if `None`.
    pub(crate) asked: Option<fn(&Filters) -> Expr>,
    /// Its rows in SQL, if they do not follow from [`Summary::rows`].
    pub(crate) sql: Option<SqlRows>,
}

/// The SQL of a summary's rows.
pub(crate) struct SqlRows {
    /// Returns a query with `game`, `nation` and the keys of the measure.
    /// It reads `passing`, the nations in games that pass the filters.
    pub rows: fn(&Filters) -> String,
    /// The nations in games to compare with: `chosen` for all that pass the filters.
    pub all: &'static str,
    /// True if `expected` is the rate of equally likely seats.
    pub is_against_seats: bool,
}

impl SqlRows {
    /// Rows that are compared with all nations and with equally likely seats.
    pub const fn new(rows: fn(&Filters) -> String) -> SqlRows {
        SqlRows {
            rows,
            all: "chosen",
            is_against_seats: true,
        }
    }
}

/// The input of a summary: games and nations that pass the filters, see [`games_of`] and [`seats_of`].
pub(crate) struct SummarySource<'a> {
    pub games: LazyFrame,
    pub seats: LazyFrame,
    pub facts: &'a LazyFacts,
    pub filters: &'a Filters,
    pub engine: Engine,
    /// The ids of the games that pass, once they are known.
    pub ids: OnceCell<Series>,
}

impl SummarySource<'_> {
    /// Returns the ids of the games that pass. Ask only where they are few.
    fn ids(&self) -> PolarsResult<Series> {
        if let Some(ids) = self.ids.get() {
            return Ok(ids.clone());
        }
        let ids = self.games.clone().select([col("game")]);
        let ids = ids.collect_with_engine(self.engine)?.unwrap_single();
        let ids = ids.column("game")?.as_materialized_series();
        Ok(self.ids.get_or_init(|| ids.clone()).clone())
    }

    /// Returns the rows of a table, only those of the nations that pass the filters on nations.
    /// Rows are added up before they are joined with the nations that pass, so this reads fewer rows.
    pub fn by_nation(&self, table: FactTable) -> PolarsResult<LazyFrame> {
        let rows = self.facts.table(table)?;
        // With this condition polars skips the other rows when it reads files. With a join it reads all of them.
        let rows = match self.filters.league.is_some() || self.filters.player.is_some() {
            true => rows.filter(col("game").is_in(lit(self.ids()?).implode(true), false)),
            false => rows,
        };
        let rows = match &self.filters.nation {
            Some(nation) => rows.filter(col("nation").eq(lit(nation.as_str()))),
            None => rows,
        };
        Ok(match self.filters.has_more_than_nation() {
            true => {
                let passing = self.seats.clone().select(nation());
                let semi = JoinArgs::new(JoinType::Semi);
                rows.join(passing, nation(), nation(), semi)
            }
            false => rows,
        })
    }
}

/// The default values of summaries.
pub(crate) const RATES: Summary = Summary {
    name: "",
    keys: &[],
    sums: &[],
    rows: SummaryRows::Seats,
    storage: SummaryStorage::OnDisk,
    has_rates: true,
    has_example: false,
    asked: None,
    sql: None,
};

/// All nations in games together.
pub(crate) static ALL: Summary = Summary {
    name: "all",
    ..ALL_NATIONS
};

const ALL_NATIONS: Summary = Summary {
    storage: SummaryStorage::InMemory,
    has_example: true,
    ..RATES
};

/// All nations in games, by the bots that play them.
pub(crate) static ALL_BY_BOT: Summary = Summary {
    name: "all_by_bot",
    keys: &[SEAT_BOT],
    ..ALL_NATIONS
};

/// Returns the columns that identify a nation in a game.
pub(crate) fn nation() -> [Expr; 2] {
    [col("game"), col("nation")]
}

/// Returns these columns together with those that identify a nation in a game.
pub(crate) fn with_nation_columns(columns: &[Expr]) -> Vec<Expr> {
    [&nation()[..], columns].concat()
}

/// Joins nations in games with rows about them.
pub(crate) fn joined(seats: &LazyFrame, own: LazyFrame) -> LazyFrame {
    // Tables have columns with the same names, so only the needed ones are selected.
    let needed = [
        "game",
        "nation",
        "seat",
        "cluster",
        SEAT_BOT,
        "share_parts",
        "expected_parts",
    ];
    let needed = GAME.iter().chain(&needed).map(|name| col(*name));
    let needed: Vec<Expr> = needed.collect();
    let inner = JoinArgs::new(JoinType::Inner);
    seats
        .clone()
        .select(needed)
        .join(own, nation(), nation(), inner)
}

/// Returns the sum of a column, under another name.
pub(crate) fn sum(column: &str, name: &str) -> Expr {
    col(column).cast(DataType::Int64).sum().alias(name)
}

/// Returns the number of rows.
pub(crate) fn times() -> Expr {
    len().cast(DataType::Int64).alias("times")
}

/// Concatenates frames.
pub(crate) fn union(frames: Vec<LazyFrame>) -> PolarsResult<LazyFrame> {
    concat(frames, UnionArgs::default())
}

/// Returns the columns of a game that identify rows, and these columns.
pub(crate) fn with_game_columns(columns: impl IntoIterator<Item = Expr>) -> Vec<Expr> {
    GAME.map(col).into_iter().chain(columns).collect()
}

impl PartialEq for Summary {
    fn eq(&self, other: &Summary) -> bool {
        self.name == other.name
    }
}

impl Eq for Summary {}

impl Hash for Summary {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl Summary {
    /// True if the summary has rows for each league.
    pub(crate) fn is_by_league(&self) -> bool {
        self.storage == SummaryStorage::InMemory
    }

    /// Returns the columns that are added up.
    pub(crate) fn all_sums(&self) -> Vec<&'static str> {
        let example: &[&str] = if self.has_example { &[EXAMPLE] } else { &[] };
        match self.rows {
            SummaryRows::Games(_) | SummaryRows::Each(_) => self.sums.to_vec(),
            _ => [&RATE_SUMS, self.sums, example].concat(),
        }
    }

    /// Returns the key columns for clusters.
    pub(crate) fn cluster(&self) -> &'static [&'static str] {
        match self.rows {
            SummaryRows::Games(_) | SummaryRows::Each(_) => &[],
            _ => &["cluster"],
        }
    }

    /// Returns the rows to add up. `persons` is true if persons can be among the players.
    pub(crate) fn rows(&self, source: &SummarySource, persons: bool) -> PolarsResult<LazyFrame> {
        let rows = match &self.rows {
            SummaryRows::Games(games) => return games(source),
            SummaryRows::Each(each) => {
                let own = self.keys.iter().map(|name| col(*name));
                let share = col("share_parts").cast(DataType::Int64);
                return Ok(each(source)?.select(with_game_columns(own.chain([share]))));
            }
            SummaryRows::Seats => source.seats.clone(),
            SummaryRows::Table(table, sums) => {
                // What a nation did several times in a game is one row.
                let keys = self.keys.iter().filter(|key| **key != SEAT_BOT);
                let keys: Vec<Expr> = keys.map(|key| col(*key)).collect();
                let sums = sums.iter().map(|(column, name)| sum(column, name));
                let sums: Vec<Expr> = sums.chain([times()]).collect();
                let done = source.by_nation(*table)?;
                joined(
                    &source.seats,
                    done.group_by(with_nation_columns(&keys)).agg(sums),
                )
            }
            SummaryRows::Nations(nations) => nations(source)?,
        };
        self.by_game(rows, persons, self.is_unique(source.filters))
    }

    /// True if no two rows of a game have the same keys, under these filters: a nation has one row for the same keys.
    fn is_unique(&self, filters: &Filters) -> bool {
        let by_nation = matches!(self.rows, SummaryRows::Seats | SummaryRows::Table(..));
        by_nation && (filters.nation.is_some() || self.keys.contains(&"nation"))
    }

    /// Adds up rows of nations by game and, for persons, by seat. Unique rows stay as they are.
    pub(crate) fn by_game(
        &self,
        rows: LazyFrame,
        persons: bool,
        are_unique: bool,
    ) -> PolarsResult<LazyFrame> {
        let keys: Vec<Expr> = self.keys.iter().map(|name| col(*name)).collect();
        let added = |number: Expr| match are_unique {
            true => number,
            false => number.sum(),
        };
        let whole = |column: &str| added(col(column).cast(DataType::Int64));
        let count = match are_unique {
            true => integer(1),
            false => len().cast(DataType::Int64),
        };
        let base = [
            count.alias("nation_games"),
            whole("share_parts").alias("wins"),
            whole("expected_parts").alias("expected"),
        ];
        let own = self.sums.iter();
        let sums: Vec<Expr> = (base.into_iter())
            .chain(own.map(|name| whole(name)))
            .collect();
        let added_up = |rows: LazyFrame, by: &[&str]| match are_unique {
            true => rows.with_columns(&sums),
            false => {
                let by: Vec<Expr> = by.iter().map(|name| col(*name)).collect();
                let game = GAME.map(|name| col(name).first());
                rows.group_by([&by[..], &keys].concat())
                    .agg([&game[..], &sums].concat())
            }
        };
        let moments = [
            (col("nation_games") * col("nation_games")).alias("nn"),
            (col("nation_games") * col("wins")).alias("nw"),
            (col("wins") * col("wins")).alias("ww"),
            integer(1).alias("games"),
        ];
        let by_game = added_up(rows.clone(), &["game"])
            .with_columns(&moments)
            .with_columns([
                lit(ALL_CLUSTERS).cast(DataType::UInt32).alias("cluster"),
                col("game").alias(EXAMPLE),
            ]);
        let seats = rows.filter(col("cluster").lt(lit(CLUSTERS)));
        let by_seat = added_up(seats, &["game", "seat", "cluster"])
            .with_columns(&moments)
            .with_column(lit(NULL).cast(DataType::String).alias(EXAMPLE));
        let names = self.all_keys().into_iter().chain(self.all_sums());
        let names: Vec<Expr> = names.map(col).collect();
        let by_game = by_game.select(&names);
        match persons && self.has_rates {
            true => concat([by_game, by_seat.select(&names)], UnionArgs::default()),
            false => Ok(by_game),
        }
    }

    /// Returns all columns that identify rows.
    fn all_keys(&self) -> Vec<&'static str> {
        let game = GAME.into_iter();
        let game = game.filter(|name| self.is_by_league() || *name != LEAGUE);
        let own = self.cluster().iter().chain(self.keys);
        game.chain(own.copied()).collect()
    }

    /// Computes the summary of facts.
    ///
    /// # Errors
    /// If the facts cannot be read.
    pub(crate) fn compute(&self, facts: &LazyFacts) -> PolarsResult<DataFrame> {
        let person = facts
            .table(FactTable::Seats)?
            .select([col("cluster").min()]);
        let least = person.collect()?.column("cluster")?.u32()?.get(0);
        let persons = least.is_some_and(|cluster| cluster < CLUSTERS);
        let source = SummarySource {
            games: games_of(facts)?,
            seats: seats_of(facts)?,
            facts,
            filters: &Filters::default(),
            engine: Engine::Auto,
            ids: OnceCell::new(),
        };
        let rows = self.rows(&source, persons)?;
        self.add_up(rows).collect()
    }

    /// Merges several frames of this summary.
    ///
    /// # Errors
    /// If the frames have other columns.
    pub(crate) fn merge(&self, summaries: Vec<DataFrame>) -> PolarsResult<DataFrame> {
        let summaries: Vec<LazyFrame> = summaries.into_iter().map(DataFrame::lazy).collect();
        let rows = concat(summaries, UnionArgs::default())?;
        self.add_up(rows).collect()
    }

    /// Adds up rows without dividing by league.
    /// The rows are streamed, because a summary by league does not fit in memory.
    ///
    /// # Errors
    /// See [`Summary::merge`].
    pub(crate) fn total(&self, rows: LazyFrame) -> PolarsResult<DataFrame> {
        let mut keys = self.all_keys();
        keys.retain(|name| *name != LEAGUE);
        let total = add_up(self, rows, &keys);
        let mut total = total
            .collect_with_engine(Engine::Streaming)?
            .unwrap_single();
        // The frame stays in memory and is read often.
        total.rechunk_mut();
        Ok(total)
    }

    fn add_up(&self, rows: LazyFrame) -> LazyFrame {
        add_up(self, rows, &self.all_keys())
    }
}

/// Returns the games, with lists as texts.
///
/// # Errors
/// If a file is damaged.
pub(crate) fn games_of(facts: &LazyFacts) -> PolarsResult<LazyFrame> {
    Ok(as_texts(facts.table(FactTable::Games)?))
}

/// Returns the nations in games, with lists as texts and with their bots.
///
/// # Errors
/// See [`games_of`].
pub(crate) fn seats_of(facts: &LazyFacts) -> PolarsResult<LazyFrame> {
    let bot = when(col("bot").is_null())
        .then(lit(""))
        .otherwise(col("player"));
    let seats = facts.table(FactTable::Seats)?;
    Ok(as_texts(seats).with_column(bot.alias(SEAT_BOT)))
}

/// Adds the columns that filters on nations need from other rows of the game.
///
/// # Errors
/// See [`games_of`].
pub(crate) fn with_joined(
    seats: LazyFrame,
    facts: &LazyFacts,
    filters: &Filters,
) -> PolarsResult<LazyFrame> {
    let mut seats = seats;
    if let Some(nation) = &filters.against {
        let other = facts.table(FactTable::Seats)?;
        let other = other
            .filter(col("nation").eq(lit(nation.as_str())))
            .select([col("game"), col("seat").alias("other_seat")]);
        let is_against = col("other_seat").neq(col("seat")).fill_null(lit(false));
        seats = seats
            .left_join(other, col("game"), col("game"))
            .with_column(is_against.alias(AGAINST));
    }
    for (column, know_how) in filters.know_how_columns() {
        let own = facts.table(FactTable::KnowHows)?;
        let own = own.filter(col("know_how").eq(lit(know_how)));
        let own = match filters.by_round {
            Some(round) => own.filter(col("round").lt_eq(lit(round))),
            None => own,
        };
        let own = own
            .select(nation())
            .unique(None, UniqueKeepStrategy::Any)
            .with_column(lit(true).alias(column));
        seats = seats
            .join(own, nation(), nation(), JoinArgs::new(JoinType::Left))
            .with_column(col(column).fill_null(lit(false)));
    }
    Ok(seats)
}

fn as_texts(frame: LazyFrame) -> LazyFrame {
    let text = |name: &str| {
        let is_text =
            |_: &Schema, own: &Field| Ok(Field::new(own.name().clone(), DataType::String));
        col(name).map(|lists| joined_by_commas(&lists), is_text)
    };
    frame.with_columns(["variants", "bots"].map(text))
}

/// Joins lists of texts by commas.
/// The function of polars for lists of any type is several times slower, and most queries need this.
fn joined_by_commas(lists: &Column) -> PolarsResult<Column> {
    let lists = lists.list()?.rechunk();
    let inner = lists.get_inner();
    let inner = inner.str()?;
    let mut texts = StringChunkedBuilder::new(lists.name().clone(), lists.len());
    let mut text = String::new();
    for place in lists.offsets()?.windows(2) {
        text.clear();
        for index in place[0]..place[1] {
            if index > place[0] {
                text.push(',');
            }
            text.push_str(inner.get(index as usize).unwrap_or_default());
        }
        texts.append_value(&text);
    }
    Ok(texts.finish().into_column())
}

/// Returns the sum of several columns.
pub(crate) fn sum_columns(columns: &[&str]) -> Expr {
    let columns = columns
        .iter()
        .map(|column| col(*column).cast(DataType::Int64));
    columns
        .reduce(|one, other| one + other)
        .unwrap_or_else(|| integer(0))
}

/// Returns a constant with the type of sums. Polars would select another type for a plain literal.
pub(crate) fn integer(number: i64) -> Expr {
    lit(number).cast(DataType::Int64)
}

/// Adds up the rows of a summary by keys.
pub(crate) fn add_up(summary: &Summary, rows: LazyFrame, keys: &[&str]) -> LazyFrame {
    let sums = summary.all_sums();
    match summary.rows {
        // Each of these rows is unique already.
        SummaryRows::Each(_) => rows.select(
            [keys, &sums]
                .concat()
                .into_iter()
                .map(col)
                .collect::<Vec<_>>(),
        ),
        _ => summed(rows, keys, &sums),
    }
}

/// Adds up rows by keys.
pub(crate) fn summed(rows: LazyFrame, keys: &[&str], sums: &[&str]) -> LazyFrame {
    let keys: Vec<Expr> = keys.iter().map(|name| col(*name)).collect();
    let sums = sums.iter().map(|name| match *name {
        EXAMPLE => col(EXAMPLE).min(),
        name => col(name).sum(),
    });
    rows.group_by(keys).agg(sums.collect::<Vec<Expr>>())
}
