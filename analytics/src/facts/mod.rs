//! Facts: tables of what happened in finished games. They are appended to and never recomputed.
//!
//! The table `results` has a revision for each correction of an over-the-board result. The last one up to `as_of`
//! counts. Only the measure `nations` reads it.

pub mod column;
pub(crate) mod counter;
pub mod derive;
mod openings;
pub(crate) mod parquet;
mod results;
pub mod rows;
mod version;

use std::sync::{Arc, OnceLock};

use engine::content::Library;
use polars::prelude::*;
use rayon::prelude::*;
use records::Record;

pub(crate) use column::columns;
pub use column::{ColumnInfo, FactRow, Kind};
pub use derive::{DeriveError, GameFacts, Opponents};
pub use openings::Opening;
pub use results::{TableResult, TableResultSeat, UNKNOWN_BOARD};
pub use rows::{
    AwardRow, CardRow, CityRow, GameRow, KnowHowRow, PlayerRow, ResultRow, STOP_COLUMNS, STOPS,
    SeatRow, SnapshotRow, TradeRow, TurnRow,
};
pub use version::Version;
pub(crate) use version::content;

/// The fact tables, in the order in which they are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FactTable {
    /// One row a game, see [`GameRow`].
    Games,
    /// One row a nation in a game, see [`SeatRow`].
    Seats,
    /// One row a turn, see [`TurnRow`].
    Turns,
    /// One row a personage won, see [`AwardRow`].
    Awards,
    /// One row an event card taken or played, see [`CardRow`].
    Cards,
    /// One row a seat in a game, see [`PlayerRow`].
    Players,
    /// One row a know-how developed, see [`KnowHowRow`].
    KnowHows,
    /// One row a city founded or conquered, see [`CityRow`].
    Cities,
    /// One row a lot traded, see [`TradeRow`].
    Trades,
    /// One row a nation and turn of its own, see [`SnapshotRow`].
    Snapshots,
    /// One row a nation in a revision of a result at a real table, see [`ResultRow`].
    Results,
}

impl FactTable {
    /// Every table.
    pub const ALL: &'static [FactTable] = <FactTable as strum::VariantArray>::VARIANTS;

    /// The name of its folder.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Declares what each table has: its rows, their name among those of all tables, and its primary key.
macro_rules! tables {
    ($($table:ident: $row:ident, $rows:ident, $key:expr;)+) => {
        impl FactTable {
            /// What a row is.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(FactTable::$table => $row::MEANING,)+
                }
            }

            /// Its columns, in order.
            pub fn columns(self) -> &'static [ColumnInfo] {
                match self {
                    $(FactTable::$table => $row::COLUMNS,)+
                }
            }

            /// For each of its columns whether a value can be missing.
            pub fn optional(self) -> &'static [bool] {
                match self {
                    $(FactTable::$table => $row::OPTIONAL,)+
                }
            }

            /// The columns of its primary key; none if rows can be equal.
            pub fn primary_key(self) -> &'static [&'static str] {
                match self {
                    $(FactTable::$table => &$key,)+
                }
            }
        }

        /// The rows of some games, table by table.
        #[derive(Default)]
        struct Rows {
            $($rows: Vec<$row>,)+
        }

        impl Rows {
            /// A frame for each of [`FactTable::ALL`].
            fn frames(&self) -> PolarsResult<Vec<DataFrame>> {
                Ok(vec![$($row::frame(&self.$rows)?),+])
            }
        }
    };
}

tables! {
    Games: GameRow, games, ["game"];
    Seats: SeatRow, seats, ["game", "nation"];
    Turns: TurnRow, turns, ["game", "turn"];
    Awards: AwardRow, awards, ["game", "nation", "nth"];
    Cards: CardRow, cards, ["game", "nation", "act", "nth"];
    Players: PlayerRow, players, ["game", "seat"];
    KnowHows: KnowHowRow, know_hows, ["game", "nation", "nth"];
    Cities: CityRow, cities, ["game", "nation", "region", "turn"];
    Trades: TradeRow, trades, [];
    Snapshots: SnapshotRow, snapshots, ["game", "turn"];
    Results: ResultRow, results, ["game", "revision", "nation"];
}

/// Facts in memory.
#[derive(Clone, Debug)]
pub struct Facts {
    /// A frame for each of [`FactTable::ALL`].
    tables: Vec<DataFrame>,
    version: Version,
}

/// A record that was left out, by its position among those given.
#[derive(Debug)]
pub struct LeftOut {
    /// Position among the records given, from 0.
    pub index: usize,
    /// Why.
    pub error: DeriveError,
}

impl Facts {
    /// No facts.
    ///
    /// # Errors
    /// None in practice: empty columns make a frame.
    pub fn empty() -> PolarsResult<Facts> {
        Facts::from_games(Vec::new())
    }

    /// Replays records, in parallel, and gathers the facts of those that are finished and replay;
    /// the others are told with the reason.
    ///
    /// # Errors
    /// When the frames cannot be built; never for a bad record.
    pub fn from_records(
        records: &[Record],
        library: &Library,
    ) -> PolarsResult<(Facts, Vec<LeftOut>)> {
        let derived: Vec<Result<GameFacts, DeriveError>> = records
            .par_iter()
            .map(|record| GameFacts::derive(record, library))
            .collect();
        let mut games = Vec::with_capacity(derived.len());
        let mut left_out = Vec::new();
        for (index, derived) in derived.into_iter().enumerate() {
            match derived {
                Ok(game) => games.push(game),
                Err(error) => left_out.push(LeftOut { index, error }),
            }
        }
        Ok((Facts::from_games(games)?, left_out))
    }

    /// The facts of these games.
    ///
    /// # Errors
    /// When the frames cannot be built.
    pub fn from_games(games: Vec<GameFacts>) -> PolarsResult<Facts> {
        let mut rows = Rows::default();
        for game in games {
            rows.games.push(game.game);
            rows.seats.extend(game.seats);
            rows.turns.extend(game.turns);
            rows.awards.extend(game.awards);
            rows.cards.extend(game.cards);
            rows.players.extend(game.players);
            rows.know_hows.extend(game.know_hows);
            rows.cities.extend(game.cities);
            rows.trades.extend(game.trades);
            rows.snapshots.extend(game.snapshots);
        }
        Facts::of_tables(rows.frames()?)
    }

    /// The facts of these revisions of results at real tables.
    ///
    /// # Errors
    /// When the frames cannot be built.
    pub fn from_results(results: Vec<ResultRow>) -> PolarsResult<Facts> {
        let rows = Rows {
            results,
            ..Rows::default()
        };
        Facts::of_tables(rows.frames()?)
    }

    /// The facts in these tables, which are in the order of [`FactTable::ALL`].
    pub(crate) fn of_tables(tables: Vec<DataFrame>) -> PolarsResult<Facts> {
        Ok(Facts {
            version: Version::of(
                &tables[FactTable::Games as usize],
                &tables[FactTable::Results as usize],
            )?,
            tables,
        })
    }

    /// The facts whose rows a filter lets pass, which sees each table.
    pub(crate) fn filtered(
        &self,
        filter: impl FnMut(&DataFrame) -> PolarsResult<DataFrame>,
    ) -> PolarsResult<Facts> {
        let tables = self.tables.iter().map(filter);
        Facts::of_tables(tables.collect::<PolarsResult<_>>()?)
    }

    /// Adds other facts. A game that is in both counts twice: see to it that it is not.
    ///
    /// # Errors
    /// When the frames cannot be joined.
    pub fn append(&mut self, other: &Facts) -> PolarsResult<()> {
        for (table, more) in self.tables.iter_mut().zip(&other.tables) {
            table.vstack_mut(more)?;
            // Many small appends would leave a chunk each; scans want few.
            if table.max_n_chunks() > 64 {
                table.rechunk_mut();
            }
        }
        self.version = self.version.merge(other.version);
        Ok(())
    }

    /// What the facts are.
    pub fn version(&self) -> Version {
        self.version
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games().height()
    }

    /// Whether there are neither games nor results at real tables.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && self.results().height() == 0
    }

    pub(crate) fn results(&self) -> &DataFrame {
        &self.tables[FactTable::Results as usize]
    }

    pub(crate) fn games(&self) -> &DataFrame {
        &self.tables[FactTable::Games as usize]
    }

    /// The tables by name.
    pub fn tables(&self) -> impl Iterator<Item = (&'static str, &DataFrame)> {
        let names = FactTable::ALL.iter().map(|table| table.name());
        names.zip(&self.tables)
    }

    /// What measures read.
    pub fn lazy(&self) -> LazyFacts {
        let tables = self.tables.iter().map(|table| table.clone().lazy());
        LazyFacts {
            source: FactsSource::Memory(tables.collect()),
            version: self.version,
        }
    }
}

/// Facts to be read when a measure asks for them, from memory or from Parquet files. A cheap
/// value: cloning it copies no data.
#[derive(Clone)]
pub struct LazyFacts {
    source: FactsSource,
    /// What the facts are.
    pub version: Version,
}

/// Where facts are.
#[derive(Clone)]
enum FactsSource {
    /// A frame for each of [`FactTable::ALL`].
    Memory(Arc<[LazyFrame]>),
    /// Files, with the tables that were asked for already.
    Files(Arc<ReadTable>, Arc<[OnceLock<LazyFrame>]>),
}

/// Opens the files of a table.
type ReadTable = dyn Fn(FactTable) -> PolarsResult<LazyFrame> + Send + Sync;

impl LazyFacts {
    /// Facts in files, whose tables are opened when they are first asked for.
    pub(crate) fn in_files(
        version: Version,
        read: impl Fn(FactTable) -> PolarsResult<LazyFrame> + Send + Sync + 'static,
    ) -> LazyFacts {
        let tables = FactTable::ALL.iter().map(|_| OnceLock::new());
        LazyFacts {
            source: FactsSource::Files(Arc::new(read), tables.collect()),
            version,
        }
    }

    /// A table. Its files are checked when they are first read.
    ///
    /// # Errors
    /// When a file is damaged.
    pub fn table(&self, table: FactTable) -> PolarsResult<LazyFrame> {
        match &self.source {
            FactsSource::Memory(tables) => Ok(tables[table as usize].clone()),
            FactsSource::Files(read, scanned) => {
                let known = &scanned[table as usize];
                if let Some(frame) = known.get() {
                    return Ok(frame.clone());
                }
                let frame = read(table)?;
                Ok(known.get_or_init(|| frame).clone())
            }
        }
    }
}
