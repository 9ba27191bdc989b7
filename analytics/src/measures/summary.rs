//! Summaries: rows of facts added up by everything that filters ask of games, but for the time. A
//! part has one file of each beside its tables. They are small and merge exactly, as all that is
//! added up is whole numbers; the same sums come from them as from the rows.
//!
//! A summary stands for nations in games by its keys. Its rows are of two kinds. Those of
//! the cluster [`ALL_CLUSTERS`] add up all nations, and the squares and products of what each *game*
//! adds to a row (`nn`, `nw`, `ww`): what nations of one game win they take from each other. Those of
//! the other clusters add up what persons add to a row, with the squares of what each *seat* adds:
//! games of one person have the person's skill in common. [`crate::statistics::interval`] makes intervals of both.

use std::fmt;
use std::hash::{Hash, Hasher};

use polars::prelude::*;

use crate::facts::derive::{CLUSTERS, WIN_PARTS};
use crate::facts::{FactTable, LazyFacts};
use crate::question::Filters;

/// The column with the bot that has a nation's seat, by name with budget; empty for people.
pub(crate) const SEAT_BOT: &str = "seat_bot";

/// The column with the league of a game.
pub(crate) const LEAGUE: &str = "league";

/// What filters ask of a game. Lists are texts here, joined by commas.
const GAME: [&str; 14] = [
    "edition",
    "board",
    "variants",
    "nations",
    "players",
    "play",
    "bots",
    LEAGUE,
    "rated",
    "reason",
    "from_position",
    "declared",
    "ruleset_version",
    "ruleset_hash",
];

/// The sums of rows that stand for nations in games: games, nations in games, their shares of wins and
/// those expected (in parts), and for each game squares and products of its nations and their shares.
const RATE_SUMS: [&str; 7] = [
    "games",
    "nation_games",
    "wins",
    "expected",
    "nn",
    "nw",
    "ww",
];

/// Parts of a win, as a number.
pub(crate) const SHARE_PART: f64 = WIN_PARTS as f64;

/// The cluster of rows that add up all nations.
pub(crate) const ALL_CLUSTERS: u32 = CLUSTERS + 1;

/// The column with the id of one game of a row, the first in the order of ids.
pub(crate) const EXAMPLE: &str = "example";

/// What a row of a summary is added up from.
pub(crate) enum SummaryRows {
    /// Nations as `seats` has them; the keys are columns of it.
    Seats,
    /// Nations by what they did, as a table says: the keys are columns of it, `times` is how often, and these of its
    /// columns are added up, each by its name in the sums.
    Done(FactTable, &'static [(&'static str, &'static str)]),
    /// Nations in games, found by a query of its own, with the columns of [`joined`].
    Nations(fn(&SummarySource) -> PolarsResult<LazyFrame>),
    /// Each nation in a game by itself.
    Each,
    /// Games.
    Games(fn(&SummarySource) -> PolarsResult<LazyFrame>),
}

/// Where a summary is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// In each part, by leagues too, and without leagues those of all parts together in memory: it is asked for most.
    InMemory,
    /// In each part, but not by leagues: there are so many that it would not be shorter than the facts.
    OnDisk,
    /// Nowhere: what is asked of single games, persons or positions would be as long as the facts.
    Nowhere,
}

/// Rows of facts added up.
pub struct Summary {
    /// The name of its folder.
    pub name: &'static str,
    /// What its rows differ by, besides what filters ask of games and the cluster.
    pub(crate) keys: &'static [&'static str],
    /// What is added up in it besides [`RATE_SUMS`], all of them whole numbers.
    pub(crate) sums: &'static [&'static str],
    pub(crate) rows: SummaryRows,
    pub(crate) kept: Kept,
    /// Whether its rows are win rates, which have intervals.
    pub(crate) has_rates: bool,
    /// Whether its rows name a game as an example.
    pub(crate) has_example: bool,
    /// Which of its rows are asked for, beside the filters on games, if not all.
    pub(crate) asked: Option<fn(&Filters) -> Expr>,
    /// Its rows in SQL, where they do not follow from [`Summary::rows`].
    pub(crate) sql: Option<SqlRows>,
}

/// The rows of a summary in SQL.
pub(crate) struct SqlRows {
    /// A query with `game`, `nation` and the keys of the measure; `passing` is the table of nations in games that pass
    /// the filters.
    pub rows: fn(&Filters) -> String,
    /// The nations in games with which rows are compared: `chosen` for all that pass the filters.
    pub all: &'static str,
    /// Whether `expected` is the rate of equally likely seats.
    pub is_beside_seats: bool,
}

impl SqlRows {
    /// Rows that are compared with all nations and equally likely seats.
    pub const fn new(rows: fn(&Filters) -> String) -> SqlRows {
        SqlRows {
            rows,
            all: "chosen",
            is_beside_seats: true,
        }
    }
}

/// What a summary is added up from: the games and the nations in them that pass (see [`games_of`] and [`seats_of`]).
pub(crate) struct SummarySource<'a> {
    pub games: LazyFrame,
    pub seats: LazyFrame,
    pub facts: &'a LazyFacts,
    pub filters: &'a Filters,
}

impl SummarySource<'_> {
    /// Rows of a table by nations: those of the nation that the filters name, or all. Adding up rows before they are
    /// joined with the nations that pass then reads no others.
    pub fn by_nation(&self, table: FactTable) -> PolarsResult<LazyFrame> {
        let rows = self.facts.table(table)?;
        Ok(match &self.filters.nation {
            Some(nation) => rows.filter(col("nation").eq(lit(nation.as_str()))),
            None => rows,
        })
    }
}

/// What most summaries have.
pub(crate) const RATES: Summary = Summary {
    name: "",
    keys: &[],
    sums: &[],
    rows: SummaryRows::Seats,
    kept: Kept::OnDisk,
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
    kept: Kept::InMemory,
    has_example: true,
    ..RATES
};

/// All nations in games, by the bots that play them.
pub(crate) static ALL_BY_BOT: Summary = Summary {
    name: "all_by_bot",
    keys: &[SEAT_BOT],
    ..ALL_NATIONS
};

/// A nation in a game, by which tables are joined.
pub(crate) fn nation() -> [Expr; 2] {
    [col("game"), col("nation")]
}

/// These columns of a nation in a game.
pub(crate) fn of_nation(columns: &[Expr]) -> Vec<Expr> {
    [&nation()[..], columns].concat()
}

/// Nations in games with what each of them did, had or was.
pub(crate) fn joined(seats: &LazyFrame, own: LazyFrame) -> LazyFrame {
    // Only what is needed: tables have columns of the same names.
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

/// The sum of a column, under another name.
pub(crate) fn sum(column: &str, name: &str) -> Expr {
    col(column).cast(DataType::Int64).sum().alias(name)
}

/// How many rows there are.
pub(crate) fn times() -> Expr {
    len().cast(DataType::Int64).alias("times")
}

/// The rows of all these.
pub(crate) fn union(frames: Vec<LazyFrame>) -> PolarsResult<LazyFrame> {
    concat(frames, UnionArgs::default())
}

/// The columns of a game by which rows differ, with these.
pub(crate) fn of_game(columns: impl IntoIterator<Item = Expr>) -> Vec<Expr> {
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
    /// Whether it has a row for each league.
    pub(crate) fn is_by_league(&self) -> bool {
        self.kept == Kept::InMemory
    }

    /// What is added up in it.
    pub(crate) fn all_sums(&self) -> Vec<&'static str> {
        let example: &[&str] = if self.has_example { &[EXAMPLE] } else { &[] };
        match self.rows {
            SummaryRows::Games(_) | SummaryRows::Each => self.sums.to_vec(),
            _ => [&RATE_SUMS, self.sums, example].concat(),
        }
    }

    /// What its rows differ by beside its own keys.
    pub(crate) fn cluster(&self) -> &'static [&'static str] {
        match self.rows {
            SummaryRows::Games(_) | SummaryRows::Each => &[],
            _ => &["cluster"],
        }
    }

    /// The rows that it adds up, in a form that can be added up further. `persons` says whether persons may be among
    /// the players.
    pub(crate) fn rows(&self, source: &SummarySource, persons: bool) -> PolarsResult<LazyFrame> {
        let rows = match &self.rows {
            SummaryRows::Games(games) => return games(source),
            SummaryRows::Each => {
                let own = self.keys.iter().map(|name| col(*name));
                let share = col("share_parts").cast(DataType::Int64);
                return Ok(source.seats.clone().select(of_game(own.chain([share]))));
            }
            SummaryRows::Seats => source.seats.clone(),
            SummaryRows::Done(table, sums) => {
                // What a nation did several times in a game is one row.
                let keys = self.keys.iter().filter(|key| **key != SEAT_BOT);
                let keys: Vec<Expr> = keys.map(|key| col(*key)).collect();
                let sums = sums.iter().map(|(column, name)| sum(column, name));
                let sums: Vec<Expr> = sums.chain([times()]).collect();
                let done = source.by_nation(*table)?;
                joined(&source.seats, done.group_by(of_nation(&keys)).agg(sums))
            }
            SummaryRows::Nations(nations) => nations(source)?,
        };
        self.by_game(rows, persons)
    }

    /// From rows of nations to rows of games and, for persons, of seats in them.
    pub(crate) fn by_game(&self, rows: LazyFrame, persons: bool) -> PolarsResult<LazyFrame> {
        let keys: Vec<Expr> = self.keys.iter().map(|name| col(*name)).collect();
        let whole = |column: &str| col(column).cast(DataType::Int64).sum();
        let base = GAME.map(|name| col(name).first()).into_iter().chain([
            len().cast(DataType::Int64).alias("nation_games"),
            whole("share_parts").alias("wins"),
            whole("expected_parts").alias("expected"),
        ]);
        let moments = [
            (col("nation_games") * col("nation_games")).alias("nn"),
            (col("nation_games") * col("wins")).alias("nw"),
            (col("wins") * col("wins")).alias("ww"),
            whole_number(1).alias("games"),
        ];
        let own = self.sums.iter();
        let sums: Vec<Expr> = base.chain(own.map(|name| whole(name))).collect();
        let by_game = rows
            .clone()
            .group_by([&[col("game")], &keys[..]].concat())
            .agg(&sums)
            .with_columns(&moments)
            .with_columns([
                lit(ALL_CLUSTERS).cast(DataType::UInt32).alias("cluster"),
                col("game").alias(EXAMPLE),
            ]);
        let by_seat = rows
            .filter(col("cluster").lt(lit(CLUSTERS)))
            .group_by([&[col("game"), col("seat"), col("cluster")], &keys[..]].concat())
            .agg(&sums)
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

    /// What its rows differ by.
    fn all_keys(&self) -> Vec<&'static str> {
        let game = GAME.into_iter();
        let game = game.filter(|name| self.is_by_league() || *name != LEAGUE);
        let own = self.cluster().iter().chain(self.keys);
        game.chain(own.copied()).collect()
    }

    /// The summary of facts.
    ///
    /// # Errors
    /// When the facts cannot be read.
    pub(crate) fn of(&self, facts: &LazyFacts) -> PolarsResult<DataFrame> {
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
        };
        let rows = self.rows(&source, persons)?;
        self.add_up(rows).collect()
    }

    /// Several summaries in one.
    ///
    /// # Errors
    /// When the frames are no summaries of this kind.
    pub(crate) fn merge(&self, summaries: Vec<DataFrame>) -> PolarsResult<DataFrame> {
        let summaries: Vec<LazyFrame> = summaries.into_iter().map(DataFrame::lazy).collect();
        let rows = concat(summaries, UnionArgs::default())?;
        self.add_up(rows).collect()
    }

    /// Rows of summaries, or of such totals, added up without leagues: by leagues a summary has no room in memory, so its
    /// rows are streamed.
    ///
    /// # Errors
    /// As [`Summary::merge`].
    pub(crate) fn total(&self, rows: LazyFrame) -> PolarsResult<DataFrame> {
        let mut keys = self.all_keys();
        keys.retain(|name| *name != LEAGUE);
        let total = add_up(self, rows, &keys);
        let mut total = total
            .collect_with_engine(Engine::Streaming)?
            .unwrap_single();
        // It is stored and read often.
        total.rechunk_mut();
        Ok(total)
    }

    fn add_up(&self, rows: LazyFrame) -> LazyFrame {
        add_up(self, rows, &self.all_keys())
    }
}

/// The games, with lists as texts.
///
/// # Errors
/// When a file is damaged.
pub(crate) fn games_of(facts: &LazyFacts) -> PolarsResult<LazyFrame> {
    Ok(as_texts(facts.table(FactTable::Games)?))
}

/// The nations in games, with lists as texts and their bots.
///
/// # Errors
/// As [`games_of`].
pub(crate) fn seats_of(facts: &LazyFacts) -> PolarsResult<LazyFrame> {
    let bot = when(col("bot").is_null())
        .then(lit(""))
        .otherwise(col("player"));
    let seats = facts.table(FactTable::Seats)?;
    Ok(as_texts(seats).with_column(bot.alias(SEAT_BOT)))
}

fn as_texts(frame: LazyFrame) -> LazyFrame {
    let text = |name: &str| {
        let is_text =
            |_: &Schema, own: &Field| Ok(Field::new(own.name().clone(), DataType::String));
        col(name).map(|lists| joined_by_commas(&lists), is_text)
    };
    frame.with_columns(["variants", "bots"].map(text))
}

/// Lists of texts as texts. Polars joins any lists by any separator, and takes several times as long for these, which
/// are of most rows that are read.
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

/// The sum of these columns of a row.
pub(crate) fn together(columns: &[&str]) -> Expr {
    let columns = columns
        .iter()
        .map(|column| col(*column).cast(DataType::Int64));
    columns
        .reduce(|one, other| one + other)
        .unwrap_or_else(|| whole_number(0))
}

/// A constant as sums have them; a bare literal takes the type that polars thinks best.
pub(crate) fn whole_number(number: i64) -> Expr {
    lit(number).cast(DataType::Int64)
}

/// Rows of a summary added up by keys.
pub(crate) fn add_up(summary: &Summary, rows: LazyFrame, keys: &[&str]) -> LazyFrame {
    let sums = summary.all_sums();
    match summary.rows {
        // Each is there once.
        SummaryRows::Each => rows.select(
            [keys, &sums]
                .concat()
                .into_iter()
                .map(col)
                .collect::<Vec<_>>(),
        ),
        _ => summed(rows, keys, &sums),
    }
}

/// Rows added up by keys.
pub(crate) fn summed(rows: LazyFrame, keys: &[&str], sums: &[&str]) -> LazyFrame {
    let keys: Vec<Expr> = keys.iter().map(|name| col(*name)).collect();
    let sums = sums.iter().map(|name| match *name {
        EXAMPLE => col(EXAMPLE).min(),
        name => col(name).sum(),
    });
    rows.group_by(keys).agg(sums.collect::<Vec<Expr>>())
}
