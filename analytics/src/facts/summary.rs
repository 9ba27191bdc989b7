//! Summaries: rows of facts added up by everything that filters ask of, but for the time and the
//! first stops. A part has one file of each beside its tables. They are small and merge exactly, as
//! all that is added up is whole numbers; the same sums come from them as from the rows.

use polars::prelude::*;

use super::{LazyFacts, STOP_COLUMNS};

/// What filters ask of a game.
const GAME: [&str; 13] = [
    "edition",
    "board",
    "nations",
    "variants",
    "players",
    "league",
    "bots",
    "rated",
    "reason",
    "from_position",
    "declared",
    "ruleset_version",
    "ruleset_hash",
];

/// What they ask of a nation in it.
const NATION: [&str; 2] = ["nation", "seat"];

/// The sums of rows that stand for nations in games: how many, their shares of wins and those
/// expected, both in parts of [`SHARE_PART`].
const RATE_SUMS: [&str; 3] = ["games", "wins", "expected"];

/// Shares are 1/k of a seat's win (k up to 6) split among up to two nations: all are whole numbers
/// of this part.
pub(crate) const SHARE_PART: f64 = 120.0;

/// What is added up of the turn in which a nation made a stop: the name of the sum and the columns
/// of `turns` that it adds.
const STOP_SUMS: [(&str, &[&str]); 8] = [
    ("produced", &["chips_produced"]),
    ("temples", &["temples_built"]),
    ("walls", &["walls_built"]),
    ("units", &["units_armed"]),
    ("recruited", &["units_recruited"]),
    ("know_hows", &["know_hows_developed"]),
    ("cities", &["cities_founded", "cities_conquered"]),
    ("extra_steps", &["extra_steps"]),
];

/// What is counted in a game: columns of `games`.
pub(crate) const QUANTITIES: [&str; 3] = ["rounds", "turns", "actions"];

/// Rows of facts added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::VariantArray, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Summary {
    /// Nations in games by place and opening.
    Seats,
    /// Nations in games by their personages at the end.
    Personages,
    /// Nations in games by their first stop, and what was done there.
    Stops,
    /// Nations in games by the event cards that they took and played.
    Cards,
    /// Games by how long they were.
    Lengths,
}

impl Summary {
    /// Every summary.
    pub const ALL: &'static [Summary] = <Summary as strum::VariantArray>::VARIANTS;

    /// The name of its folder.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What its rows are told apart by, besides what filters ask of.
    fn own_keys(self) -> &'static [&'static str] {
        match self {
            Summary::Seats => &["place", "opening"],
            Summary::Personages => &["king", "scholar", "general", "citizen", "navigator"],
            Summary::Stops => &["field"],
            Summary::Cards => &["card", "act"],
            Summary::Lengths => &["quantity", "value"],
        }
    }

    /// What its rows are told apart by.
    fn keys(self) -> Vec<&'static str> {
        let nation: &[&str] = match self {
            Summary::Lengths => &[],
            _ => &NATION,
        };
        [&GAME, nation, self.own_keys()].concat()
    }

    /// What is added up in it, all of them whole numbers.
    pub(crate) fn sums(self) -> Vec<&'static str> {
        let more: Vec<&str> = match self {
            Summary::Lengths => return vec!["games"],
            Summary::Stops => STOP_SUMS.iter().map(|(name, _)| *name).collect(),
            Summary::Cards => vec!["times"],
            Summary::Seats | Summary::Personages => vec![],
        };
        [&RATE_SUMS, &more[..]].concat()
    }

    /// The rows that it adds up, each with 1 in `games`: of the games and the nations in them that
    /// are given. `depth` is how many stops there are before that of [`Summary::Stops`].
    pub(crate) fn rows(
        self,
        games: LazyFrame,
        seats: LazyFrame,
        facts: &LazyFacts,
        depth: usize,
    ) -> PolarsResult<LazyFrame> {
        let pair = || [col("game"), col("nation")];
        // Only what is needed: tables have columns of the same names.
        let needed = |names: &[&str]| -> Vec<Expr> {
            let names = GAME.iter().chain(&NATION).chain(&RATE_SUMS).chain(names);
            names.map(|name| col(*name)).collect()
        };
        let seats = seats.with_columns([
            one().alias("games"),
            parts("share").alias("wins"),
            parts("expected"),
        ]);
        Ok(match self {
            Summary::Seats | Summary::Personages => seats,
            Summary::Stops => {
                // The longest path leaves room for one more stop.
                let next = col(STOP_COLUMNS[depth]);
                let turns = facts
                    .turns
                    .clone()
                    .filter(col("own_turn").eq(lit(depth as u32 + 1)));
                let sums = STOP_SUMS.map(|(name, columns)| {
                    let sum = columns.iter().map(|column| col(*column));
                    let sum = sum.reduce(|a, b| a + b).unwrap_or(lit(0u32));
                    sum.alias(name)
                });
                let turns = turns.select([&pair()[..], &sums].concat());
                seats
                    .filter(next.clone().is_not_null())
                    .with_column(next.alias("field"))
                    .select(needed(&["game", "field"]))
                    .join(turns, pair(), pair(), JoinArgs::new(JoinType::Inner))
            }
            Summary::Cards => {
                // A nation that did it twice in a game is one row.
                let done = [&pair()[..], &[col("card"), col("act")]].concat();
                let done = facts.cards.clone().group_by(done);
                let done = done.agg([len().alias("times")]);
                seats.select(needed(&["game"])).join(
                    done,
                    pair(),
                    pair(),
                    JoinArgs::new(JoinType::Inner),
                )
            }
            Summary::Lengths => {
                let of = |quantity: &str| {
                    let own = [
                        lit(quantity).alias("quantity"),
                        col(quantity).alias("value"),
                        one().alias("games"),
                    ];
                    let columns = GAME.map(col).into_iter().chain(own);
                    games.clone().select(columns.collect::<Vec<Expr>>())
                };
                concat(QUANTITIES.map(of), UnionArgs::default())?
            }
        })
    }

    /// The summary of facts.
    ///
    /// # Errors
    /// When the facts cannot be read.
    pub(crate) fn of(self, facts: &LazyFacts) -> PolarsResult<DataFrame> {
        let rows = self.rows(facts.games.clone(), facts.seats.clone(), facts, 0)?;
        self.add_up(rows).collect()
    }

    /// Several summaries in one.
    ///
    /// # Errors
    /// When the frames are no summaries of this kind.
    pub(crate) fn merge(self, summaries: Vec<DataFrame>) -> PolarsResult<DataFrame> {
        let summaries: Vec<LazyFrame> = summaries.into_iter().map(DataFrame::lazy).collect();
        let rows = concat(summaries, UnionArgs::default())?;
        let mut merged = self.add_up(rows).collect()?;
        // They are kept and read often.
        merged.rechunk_mut();
        Ok(merged)
    }

    fn add_up(self, rows: LazyFrame) -> LazyFrame {
        add_up(rows, &self.keys(), &self.sums())
    }
}

/// Rows added up by keys.
pub(crate) fn add_up(rows: LazyFrame, keys: &[&str], sums: &[&str]) -> LazyFrame {
    let keys: Vec<Expr> = keys.iter().map(|name| col(*name)).collect();
    let sums: Vec<Expr> = sums.iter().map(|name| col(*name).sum()).collect();
    rows.group_by(keys).agg(sums)
}

/// One, as what is counted; a bare literal takes the type that polars thinks best.
fn one() -> Expr {
    lit(1u32).cast(DataType::UInt32)
}

/// A column of shares in whole parts: sums of floats would depend on their order.
fn parts(column: &str) -> Expr {
    let parts = (col(column) * lit(SHARE_PART)).round(0, RoundMode::HalfToEven);
    parts.cast(DataType::Int64)
}
