//! Summaries: rows of facts added up by everything that filters ask of games, but for the time. A
//! part has one file of each beside its tables. They are small and merge exactly, as all that is
//! added up is whole numbers; the same sums come from them as from the rows.
//!
//! A summary stands for nations in games, told apart by its keys. Its rows are of two kinds. Those of
//! the cluster [`ALL_CLUSTERS`] add up all nations, and the squares and products of what each *game*
//! adds to a row (`nn`, `nw`, `ww`): what nations of one game win they take from each other. Those of
//! the other clusters add up what persons add to a row, with the squares of what each *seat* adds:
//! games of one person have the person's skill in common. [`crate::interval`] makes intervals of both.

use std::ops::Range;

use polars::prelude::*;

use super::derive::{CLUSTERS, WIN_PARTS};
use super::{FactTable, LazyFacts, STOP_COLUMNS};

/// The column with the league of a game.
const LEAGUE: &str = "league";

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

/// What each nation in a game is told apart by.
pub(crate) const EACH: [&str; 6] = ["game", "nation", "seat", "place", "opening", "player"];

/// What is counted in a game: columns of `games`.
pub(crate) const QUANTITIES: [&str; 3] = ["rounds", "turns", "actions"];

/// The rounds by which [`Summary::Timing`] asks who had what.
const BY_ROUNDS: [u32; 10] = [4, 6, 8, 10, 12, 15, 20, 25, 30, 40];

/// The turns of their own by which [`Summary::Income`] asks what nations had.
const BY_TURNS: [u32; 9] = [2, 4, 6, 8, 10, 12, 15, 20, 30];

/// What [`Summary::Income`] counts from the first turn on: columns of `turns`.
const FLOWS: [(&str, &[&str]); 2] = [
    ("produced", &["chips_produced", "chips_gained"]),
    ("spent", &["chips_spent", "coins_spent"]),
];

/// What it counts when the turn is over: columns of `snapshots`.
const STOCKS: [(&str, &[&str]); 7] = [
    ("chips", &["marble", "iron", "gold"]),
    ("coins", &["coins"]),
    ("units", &["legions", "galleys"]),
    ("cities", &["cities"]),
    ("temples", &["temples"]),
    ("know_hows", &["know_hows"]),
    ("points", &["points"]),
];

/// What is asked of summaries that are made of some rows only.
pub(crate) struct SummaryQuery {
    /// Which stops of a nation, as places among those that are kept.
    pub stops: Range<usize>,
    /// The digest of a position.
    pub digest: Option<String>,
}

/// Rows of facts added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Summary {
    /// All nations in games together.
    All,
    /// Nations in games by nation.
    Nations,
    /// By opening.
    Openings,
    /// By place in turn order.
    Places,
    /// By next stop, those before it and behind a path, and what was done there.
    Stops,
    /// Turns that began in a position, and their stops.
    Positions,
    /// By their first personages: a row for each number of them.
    Personages,
    /// By kind of personage, and how many they had at the end.
    FinalPersonages,
    /// By what personages they had by a round.
    Timing,
    /// By the event cards that they took and played.
    Cards,
    /// By the know-hows that they developed.
    KnowHows,
    /// By the cities that they founded and conquered.
    Cities,
    /// By what they traded.
    Trades,
    /// By their openings and those of their neighbours in turn order.
    Neighbours,
    /// By what they had by a turn of theirs, and how much of it.
    Income,
    /// By their players and each of those of the other seats.
    HeadToHead,
    /// Each nation in a game by itself.
    Each,
    /// Games by how long they were.
    Lengths,
}

impl Summary {
    /// Those that are asked for most, which a service keeps in memory: the first that parts have.
    pub const WARM: &'static [Summary] = Summary::KEPT.split_at(8).0;

    /// Those that parts have. What is asked of single games, persons or positions would be as long as the facts and is
    /// added up from rows each time.
    pub const KEPT: &'static [Summary] = &[
        Summary::All,
        Summary::Nations,
        Summary::Openings,
        Summary::Places,
        Summary::Stops,
        Summary::Personages,
        Summary::Cards,
        Summary::Lengths,
        Summary::FinalPersonages,
        Summary::Timing,
        Summary::KnowHows,
        Summary::Cities,
        Summary::Trades,
        Summary::Neighbours,
        Summary::Income,
    ];

    /// The name of its folder.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether it tells leagues apart, of which there are many: others have so many rows for each that they would not
    /// be shorter than the facts.
    pub(crate) fn tells_leagues(self) -> bool {
        Summary::WARM.contains(&self)
    }

    /// Whether its rows are win rates, which have intervals.
    fn has_rates(self) -> bool {
        !matches!(self, Summary::FinalPersonages | Summary::Income)
    }

    /// What its rows are told apart by, besides what filters ask of and the cluster.
    fn own_keys(self) -> &'static [&'static str] {
        match self {
            Summary::All => &[],
            Summary::Nations => &["nation"],
            Summary::Openings => &["opening"],
            Summary::Places => &["place"],
            Summary::Stops => &["since", "field"],
            Summary::Positions => &["nation", "turn", "field"],
            Summary::Personages => &["nth", "is_half", "by", "personages"],
            Summary::FinalPersonages => &["kind"],
            Summary::Timing => &["by", "personages", "by_round"],
            Summary::Cards => &["card", "act"],
            Summary::KnowHows => &["know_how"],
            Summary::Cities => &["act", "region"],
            Summary::Trades => &["know_hows"],
            Summary::Neighbours => &["opening", "neighbours"],
            Summary::Income => &["quantity", "by_turn"],
            Summary::HeadToHead => &["player", "opponent"],
            Summary::Each => &EACH,
            Summary::Lengths => &["quantity", "value"],
        }
    }

    /// What is added up in it besides [`RATE_SUMS`], all of them whole numbers.
    fn own_sums(self) -> &'static [&'static str] {
        const STOPS: [&str; STOP_SUMS.len()] = {
            let mut names = [""; STOP_SUMS.len()];
            let mut index = 0;
            while index < names.len() {
                names[index] = STOP_SUMS[index].0;
                index += 1;
            }
            names
        };
        match self {
            Summary::Stops => &STOPS,
            Summary::FinalPersonages | Summary::Income => &["owned", "owned_parts"],
            Summary::HeadToHead => &["halves_ahead", "meetings"],
            Summary::Cards | Summary::Cities => &["times"],
            Summary::KnowHows => &["times", "rounds", "chips", "coins", "firsts"],
            Summary::Trades => &["times", "given", "taken"],
            _ => &[],
        }
    }

    /// The table of what nations did, if it stands for those that did something, which are told apart by
    /// columns of that table.
    pub(crate) fn done_in(self) -> Option<FactTable> {
        match self {
            Summary::Cards => Some(FactTable::Cards),
            Summary::KnowHows => Some(FactTable::KnowHows),
            Summary::Cities => Some(FactTable::Cities),
            _ => None,
        }
    }

    /// Whether its rows name a game as an example.
    fn has_example(self) -> bool {
        matches!(self, Summary::All | Summary::Stops | Summary::Positions)
    }

    /// What is added up in it.
    pub(crate) fn sums(self) -> Vec<&'static str> {
        match self {
            Summary::Lengths => vec!["games", "content_1", "content_2"],
            Summary::Each => vec!["share_parts"],
            _ if self.has_example() => [&RATE_SUMS, self.own_sums(), &[EXAMPLE]].concat(),
            _ => [&RATE_SUMS, self.own_sums()].concat(),
        }
    }

    /// What its rows are told apart by beside its own keys.
    pub(crate) fn cluster(self) -> &'static [&'static str] {
        match self {
            Summary::Lengths | Summary::Each => &[],
            _ => &["cluster"],
        }
    }

    /// The rows that it adds up, in a form that can be added up further: of the games and the nations
    /// in them that are given (see [`games_of`] and [`seats_of`]). `asked` is what is asked of
    /// [`Summary::Stops`] and [`Summary::Positions`], and `persons` whether persons may be among the players.
    pub(crate) fn rows(
        self,
        games: LazyFrame,
        seats: LazyFrame,
        facts: &LazyFacts,
        asked: &SummaryQuery,
        persons: bool,
    ) -> PolarsResult<LazyFrame> {
        if self == Summary::Lengths {
            let of = |quantity: &str| {
                let half = |name: &str| col(name).cast(DataType::Int64);
                let own = [
                    lit(quantity).alias("quantity"),
                    col(quantity).alias("value"),
                    whole_number(1).alias("games"),
                    half("content_1"),
                    half("content_2"),
                ];
                let columns = GAME.map(col).into_iter().chain(own);
                games.clone().select(columns.collect::<Vec<Expr>>())
            };
            return concat(QUANTITIES.map(of), UnionArgs::default());
        }
        if self == Summary::Each {
            let own = self.own_keys().iter().map(|name| col(*name));
            let share = col("share_parts").cast(DataType::Int64);
            let columns = GAME.map(col).into_iter().chain(own).chain([share]);
            return Ok(seats.select(columns.collect::<Vec<Expr>>()));
        }
        let rows = self.nation_rows(seats, facts, asked)?;
        self.by_game(rows, persons)
    }

    /// A row for each nation in a game and value of the keys.
    fn nation_rows(
        self,
        seats: LazyFrame,
        facts: &LazyFacts,
        asked: &SummaryQuery,
    ) -> PolarsResult<LazyFrame> {
        let pair = || [col("game"), col("nation")];
        let joined = |seats: LazyFrame, own: LazyFrame| {
            // Only what is needed: tables have columns of the same names.
            let needed = [
                "game",
                "nation",
                "seat",
                "cluster",
                "share_parts",
                "expected_parts",
            ];
            let needed = GAME.iter().chain(&needed).map(|name| col(*name));
            let needed: Vec<Expr> = needed.collect();
            let inner = JoinArgs::new(JoinType::Inner);
            seats.select(needed).join(own, pair(), pair(), inner)
        };
        let with = |columns: &[Expr]| [&pair()[..], columns].concat();
        let union = |frames: Vec<LazyFrame>| concat(frames, UnionArgs::default());
        let sum = |column: &str, name: &str| col(column).cast(DataType::Int64).sum().alias(name);
        if let Some(table) = self.done_in() {
            // What a nation did several times in a game is one row.
            let keys: Vec<Expr> = self.own_keys().iter().map(|key| col(*key)).collect();
            let mut sums = vec![len().cast(DataType::Int64).alias("times")];
            if self == Summary::KnowHows {
                sums.extend([
                    sum("round", "rounds"),
                    sum("chips", "chips"),
                    sum("coins", "coins"),
                    sum("is_first", "firsts"),
                ]);
            }
            let done = facts.table(table)?.group_by(with(&keys)).agg(sums);
            return Ok(joined(seats, done));
        }
        Ok(match self {
            Summary::All | Summary::Nations | Summary::Openings | Summary::Places => seats,
            Summary::Lengths
            | Summary::Each
            | Summary::Cards
            | Summary::KnowHows
            | Summary::Cities => seats.limit(0),
            Summary::Stops => {
                let all_turns = facts.table(FactTable::Turns)?;
                let of = |place: usize| {
                    let next = col(STOP_COLUMNS[place]).alias("field");
                    let before = STOP_COLUMNS[asked.stops.start..place].iter();
                    let before = before.map(|name| col(*name));
                    let before = before.reduce(|one, next| one + lit(",") + next);
                    let since = before.unwrap_or_else(|| lit("")).alias("since");
                    let turns = all_turns
                        .clone()
                        .filter(col("own_turn").eq(lit(place as u32 + 1)));
                    let sums = STOP_SUMS.map(|(name, columns)| together(columns).alias(name));
                    let stops = seats.clone().select(with(&[since, next]));
                    let stops = stops.filter(col("field").is_not_null());
                    let inner = JoinArgs::new(JoinType::Inner);
                    stops.join(turns.select(with(&sums)), pair(), pair(), inner)
                };
                joined(seats.clone(), union(asked.stops.clone().map(of).collect())?)
            }
            Summary::Positions => {
                let digest = asked.digest.clone().unwrap_or_default();
                // There are few, and where there is none no other table is read.
                let turns = facts
                    .table(FactTable::Turns)?
                    .filter(col("digest").eq(lit(digest)))
                    .select(with(&[col("turn"), col("field")]))
                    .collect()?;
                let nations = turns.column("nation")?.str()?.unique()?;
                let is_one = nations
                    .iter()
                    .flatten()
                    .map(|nation| col("nation").eq(lit(nation)));
                let seats = match is_one.reduce(Expr::or) {
                    Some(is_one) => seats.filter(is_one),
                    None => seats.limit(0),
                };
                joined(seats, turns.lazy())
            }
            Summary::Personages => {
                let half = (col("goal") + lit(1u32)).floor_div(lit(2u32));
                let goals = facts.table(FactTable::Games)?;
                let goals = goals.select([col("game"), half.alias("half")]);
                let awards = facts.table(FactTable::Awards)?;
                let awards = awards.inner_join(goals, col("game"), col("game"));
                let kinds = || col("kinds").list();
                let each = [
                    ("all", lit("all")),
                    ("mix", col("mix")),
                    ("leading", col("leading_kind")),
                    ("kinds", kinds().len().cast(DataType::String)),
                    ("order", kinds().join(lit(", "), false)),
                ];
                let each = each.map(|(by, personages)| {
                    awards.clone().select(with(&[
                        col("nth"),
                        col("nth").eq(col("half")).alias("is_half"),
                        lit(by).alias("by"),
                        personages.alias("personages"),
                    ]))
                });
                joined(seats, union(each.into())?)
            }
            Summary::FinalPersonages => {
                let kinds = ["king", "scholar", "general", "citizen", "navigator"];
                let of = |kind: &str| {
                    let owned = col(kind).cast(DataType::Int64);
                    seats.clone().with_columns([
                        lit(kind).alias("kind"),
                        owned.clone().alias("owned"),
                        (owned * col("share_parts").cast(DataType::Int64)).alias("owned_parts"),
                    ])
                };
                union(kinds.map(of).into())?
            }
            Summary::Timing => {
                // Each award with each round by which it was won and after which the game went on: at its end, having
                // won is the same as having the last personage.
                let one = || whole_number(1).alias("one");
                let by_round = UInt32Chunked::from_slice("by_round".into(), &BY_ROUNDS);
                let rounds = DataFrame::new(BY_ROUNDS.len(), vec![by_round.into_column()])?;
                let awards = facts.table(FactTable::Awards)?.with_column(one());
                let games = facts.table(FactTable::Games)?;
                let games = games.select([col("game"), col("goal"), col("rounds")]);
                let awards = awards
                    .inner_join(rounds.lazy().with_column(one()), col("one"), col("one"))
                    .inner_join(games, col("game"), col("game"))
                    .filter(col("round").lt_eq(col("by_round")))
                    .filter(col("rounds").gt(col("by_round")))
                    .filter(col("nth").lt(col("goal")));
                let of = |awards: LazyFrame, by: &str, personages: Expr| {
                    let by = lit(by).alias("by");
                    awards.select(with(&[by, personages.alias("personages"), col("by_round")]))
                };
                let first = awards.clone().filter(col("nth_of_kind").eq(lit(1u32)));
                let each = vec![
                    of(awards, "number", col("nth").cast(DataType::String)),
                    of(first, "kind", col("personage")),
                ];
                joined(seats, union(each)?)
            }
            Summary::Neighbours => {
                let (place, count) = (|| col("place"), || col("nations"));
                let round = |steps: Expr| (place() + steps) % count() + lit(1u32);
                let others = facts.table(FactTable::Seats)?;
                let beside = |name: &str| {
                    let opening = col("opening").alias(format!("opening_{name}"));
                    let others = others.clone();
                    others.select([col("game"), place().alias(name), opening])
                };
                let at = |name: &str| [col("game"), col(name)];
                let inner = || JoinArgs::new(JoinType::Inner);
                // One place back, and one on; places are counted from 1.
                let seats = seats.with_columns([
                    round(count() - lit(2u32)).alias("before"),
                    round(lit(0u32)).alias("behind"),
                ]);
                let seats = seats.join(beside("before"), at("before"), at("before"), inner());
                let seats = seats.join(beside("behind"), at("behind"), at("behind"), inner());
                let (one, other) = (|| col("opening_before"), || col("opening_behind"));
                let two = |one: Expr, other: Expr| one + lit(", ") + other;
                let neighbours = when(count().eq(lit(2u32)))
                    .then(one())
                    .when(one().lt_eq(other()))
                    .then(two(one(), other()))
                    .otherwise(two(other(), one()));
                seats.with_column(neighbours.alias("neighbours"))
            }
            Summary::Income => {
                let turn = || col("by_turn");
                let turns = UInt32Chunked::from_slice("by_turn".into(), &BY_TURNS);
                let turns = DataFrame::new(BY_TURNS.len(), vec![turns.into_column()])?;
                let own = |column: &str| with(&[turn(), col(column).alias("owned")]);
                let of = |frame: LazyFrame, quantity: &str| {
                    frame
                        .select(own(quantity))
                        .with_column(lit(quantity).alias("quantity"))
                };
                // Who had so many turns.
                let stocks = STOCKS.map(|(name, columns)| together(columns).alias(name));
                let snapshots = facts.table(FactTable::Snapshots)?;
                let snapshots = snapshots
                    .select([with(&[col("own_turn")]), stocks.to_vec()].concat())
                    .inner_join(turns.clone().lazy(), col("own_turn"), turn())
                    .with_column(col("own_turn").alias("by_turn"));
                // Each turn with each turn by which it is over.
                let one = || whole_number(1).alias("one");
                let flows = FLOWS.map(|(name, columns)| together(columns).alias(name));
                let sums = FLOWS.map(|(name, _)| col(name).sum());
                let flows = facts
                    .table(FactTable::Turns)?
                    .select([with(&[col("own_turn"), one()]), flows.to_vec()].concat())
                    .inner_join(turns.lazy().with_column(one()), col("one"), col("one"))
                    .filter(col("own_turn").lt_eq(turn()))
                    .group_by(with(&[turn()]))
                    .agg(sums);
                let reached = snapshots.clone().select(with(&[turn()]));
                let by = || with(&[turn()]);
                let flows = flows.join(reached, by(), by(), JoinArgs::new(JoinType::Inner));
                let flows = FLOWS.map(|(name, _)| of(flows.clone(), name));
                let stocks = STOCKS.map(|(name, _)| of(snapshots.clone(), name));
                let all = union(flows.into_iter().chain(stocks).collect())?;
                let parts = col("owned") * col("share_parts").cast(DataType::Int64);
                joined(seats, all).with_column(parts.alias("owned_parts"))
            }
            Summary::HeadToHead => {
                let known = |name: &str| col(name).neq(lit(""));
                let others = facts.table(FactTable::Players)?.filter(known("player"));
                let others = others.select([
                    col("game"),
                    col("seat").alias("other_seat"),
                    col("player").alias("opponent"),
                    col("rank_of_seat").alias("other_rank"),
                ]);
                let rank = || col("rank_of_seat").cast(DataType::Int64);
                let other = || col("other_rank").cast(DataType::Int64);
                let one_if = |condition: Expr| condition.cast(DataType::Int64);
                let ahead = one_if(rank().lt(other())) + one_if(rank().lt_eq(other()));
                let own = with(&[col("seat"), col("player"), col("rank_of_seat")]);
                let met = seats
                    .clone()
                    .filter(known("player"))
                    .select(own)
                    .inner_join(others, col("game"), col("game"))
                    .filter(col("seat").neq(col("other_seat")))
                    .filter(col("player").neq(col("opponent")))
                    .group_by(with(&[col("player"), col("opponent")]))
                    .agg([
                        ahead.sum().alias("halves_ahead"),
                        len().cast(DataType::Int64).alias("meetings"),
                    ]);
                joined(seats, met)
            }
            Summary::Trades => {
                let sums = [sum("given_count", "given"), sum("taken_count", "taken")];
                let names = col("know_hows").list().join(lit(", "), false);
                let traded = facts.table(FactTable::Trades)?.with_column(names);
                let times = [len().cast(DataType::Int64).alias("times")];
                let traded = traded.group_by(with(&[col("know_hows")]));
                joined(seats, traded.agg([&times[..], &sums].concat()))
            }
        })
    }

    /// From rows of nations to rows of games and, for persons, of seats in them.
    pub(crate) fn by_game(self, rows: LazyFrame, persons: bool) -> PolarsResult<LazyFrame> {
        let keys: Vec<Expr> = self.own_keys().iter().map(|name| col(*name)).collect();
        let whole = |column: &str| col(column).cast(DataType::Int64).sum();
        let base = || {
            let game = GAME.map(|name| col(name).first()).into_iter();
            game.chain([
                len().cast(DataType::Int64).alias("nation_games"),
                whole("share_parts").alias("wins"),
                whole("expected_parts").alias("expected"),
            ])
        };
        let moments = [
            (col("nation_games") * col("nation_games")).alias("nn"),
            (col("nation_games") * col("wins")).alias("nw"),
            (col("wins") * col("wins")).alias("ww"),
            whole_number(1).alias("games"),
        ];
        let own = self.own_sums().iter();
        let sums: Vec<Expr> = base().chain(own.clone().map(|name| whole(name))).collect();
        let by_game = rows
            .clone()
            .group_by([&[col("game")], &keys[..]].concat())
            .agg(sums)
            .with_columns(&moments)
            .with_columns([
                lit(ALL_CLUSTERS).cast(DataType::UInt32).alias("cluster"),
                col("game").alias(EXAMPLE),
            ]);
        let nothing = own.map(|name| whole_number(0).alias(*name));
        let none = lit(NULL).cast(DataType::String).alias(EXAMPLE);
        let by_seat = rows
            .filter(col("cluster").lt(lit(CLUSTERS)))
            .group_by([&[col("game"), col("seat"), col("cluster")], &keys[..]].concat())
            .agg(base().collect::<Vec<Expr>>())
            .with_columns(&moments)
            .with_columns(nothing.chain([none]).collect::<Vec<Expr>>());
        let names = self.keys().into_iter().chain(self.sums());
        let names: Vec<Expr> = names.map(col).collect();
        let by_game = by_game.select(&names);
        match persons && self.has_rates() {
            true => concat([by_game, by_seat.select(&names)], UnionArgs::default()),
            false => Ok(by_game),
        }
    }

    /// What its rows are told apart by.
    fn keys(self) -> Vec<&'static str> {
        let told = |name: &&str| self.tells_leagues() || *name != LEAGUE;
        let game = GAME.into_iter().filter(told);
        let own = self.cluster().iter().chain(self.own_keys());
        game.chain(own.copied()).collect()
    }

    /// The summary of facts.
    ///
    /// # Errors
    /// When the facts cannot be read.
    pub(crate) fn of(self, facts: &LazyFacts) -> PolarsResult<DataFrame> {
        let person = facts
            .table(FactTable::Seats)?
            .select([col("cluster").min()]);
        let least = person.collect()?.column("cluster")?.u32()?.get(0);
        let persons = least.is_some_and(|cluster| cluster < CLUSTERS);
        let first = SummaryQuery {
            stops: 0..1,
            digest: None,
        };
        let rows = self.rows(games_of(facts)?, seats_of(facts)?, facts, &first, persons)?;
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
        add_up(self, rows, &self.keys())
    }
}

/// The games, with lists as texts.
///
/// # Errors
/// When a file is damaged.
pub(crate) fn games_of(facts: &LazyFacts) -> PolarsResult<LazyFrame> {
    Ok(as_texts(facts.table(FactTable::Games)?))
}

/// The nations in games, with lists as texts.
///
/// # Errors
/// As [`games_of`].
pub(crate) fn seats_of(facts: &LazyFacts) -> PolarsResult<LazyFrame> {
    Ok(as_texts(facts.table(FactTable::Seats)?))
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
fn together(columns: &[&str]) -> Expr {
    let columns = columns
        .iter()
        .map(|column| col(*column).cast(DataType::Int64));
    columns
        .reduce(|one, other| one + other)
        .unwrap_or_else(|| whole_number(0))
}

/// A constant as sums have them; a bare literal takes the type that polars thinks best.
fn whole_number(number: i64) -> Expr {
    lit(number).cast(DataType::Int64)
}

/// Rows of a summary added up by keys.
pub(crate) fn add_up(summary: Summary, rows: LazyFrame, keys: &[&str]) -> LazyFrame {
    let sums = summary.sums();
    match summary {
        // Each is there once.
        Summary::Each => rows.select(
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
