//! Facts: tables of what happened in finished games. Rows are appended, never changed.
//!
//! The table `results` has a revision for each correction of an over-the-board result. The last revision that
//! `as_of` includes counts. Only the measure `nations` reads this table.

pub mod column;
pub(crate) mod counter;
pub mod derive;
mod openings;
pub(crate) mod parquet;
mod rated;
mod rater;
mod results;
pub mod rows;
mod version;

use std::sync::{Arc, OnceLock};

use engine::content::Library;
use polars::prelude::*;
use rayon::prelude::*;
use records::Record;

pub(crate) use column::columns;
pub use column::{ColumnInfo, ColumnType, FactRow};
pub use derive::{DeriveError, GameFacts, Opponents, TimeControl};
pub use openings::Opening;
pub use rater::Rater;
pub use results::{TableResult, TableResultSeat, UNKNOWN_BOARD};
pub use rows::{
    AwardRow, CardRow, CityRow, GameRow, KnowHowRow, PlayerRow, RatingRow, ResultRow, STOP_COLUMNS,
    STOPS, SeatRow, SnapshotRow, TradeRow, TurnRow,
};
pub use version::Version;
pub(crate) use version::content;

/// The fact tables, in storage order.
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
    /// One row a rated player in a game, see [`RatingRow`].
    Ratings,
    /// One row a nation in a revision of an over-the-board result, see [`ResultRow`].
    Results,
}

impl FactTable {
    /// All tables.
    pub const ALL: &'static [FactTable] = <FactTable as strum::VariantArray>::VARIANTS;

    /// The name of the table and of its folder.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Declares the tables: row type, field in `Rows`, and primary key.
macro_rules! tables {
    ($($table:ident: $row:ident, $rows:ident, $key:expr;)+) => {
        impl FactTable {
            /// Returns what one row describes.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(FactTable::$table => $row::MEANING,)+
                }
            }

            /// Returns the columns, in order.
            pub fn columns(self) -> &'static [ColumnInfo] {
                match self {
                    $(FactTable::$table => $row::COLUMNS,)+
                }
            }

            /// Returns for each column whether values can be null.
            pub fn optional(self) -> &'static [bool] {
                match self {
                    $(FactTable::$table => $row::OPTIONAL,)+
                }
            }

            /// Returns the columns of the primary key; none if rows can be equal.
            pub fn primary_key(self) -> &'static [&'static str] {
                match self {
                    $(FactTable::$table => &$key,)+
                }
            }
        }

        /// The rows of several games, table by table.
        #[derive(Default)]
        struct Rows {
            $($rows: Vec<$row>,)+
        }

        impl Rows {
            /// Builds a frame for each of [`FactTable::ALL`].
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
    Ratings: RatingRow, ratings, ["game", "player"];
    Results: ResultRow, results, ["game", "revision", "nation"];
}

/// Facts in memory.
#[derive(Clone, Debug)]
pub struct Facts {
    /// A frame for each of [`FactTable::ALL`].
    tables: Vec<DataFrame>,
    version: Version,
}

/// A record without facts, and the reason.
#[derive(Debug)]
pub struct SkippedRecord {
    /// The position in the list of records, from 0.
    pub index: usize,
    /// The reason.
    pub error: DeriveError,
}

impl Facts {
    /// Returns empty facts.
    ///
    /// # Errors
    /// None in practice: empty columns make a frame.
    pub fn empty() -> PolarsResult<Facts> {
        Facts::from_games(Vec::new())
    }

    /// Replays records in parallel, rates them in this order, and collects the facts of the finished ones that replay.
    /// The other records are returned with the reason.
    ///
    /// # Errors
    /// If the frames cannot be built; never for a bad record.
    pub fn from_records(
        records: &[Record],
        library: &Library,
    ) -> PolarsResult<(Facts, Vec<SkippedRecord>)> {
        let derived: Vec<Result<GameFacts, DeriveError>> = records
            .par_iter()
            .map(|record| GameFacts::derive(record, library))
            .collect();
        let mut games = Vec::with_capacity(derived.len());
        let mut left_out = Vec::new();
        for (index, derived) in derived.into_iter().enumerate() {
            match derived {
                Ok(game) => games.push(game),
                Err(error) => left_out.push(SkippedRecord { index, error }),
            }
        }
        Rater::default().rate(&mut games);
        Ok((Facts::from_games(games)?, left_out))
    }

    /// Builds the facts of games, which a [`Rater`] has rated.
    ///
    /// # Errors
    /// If the frames cannot be built.
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
            rows.ratings.extend(game.ratings);
        }
        Facts::from_tables(rows.frames()?)
    }

    /// Builds the facts of revisions of over-the-board results.
    ///
    /// # Errors
    /// If the frames cannot be built.
    pub fn from_results(results: Vec<ResultRow>) -> PolarsResult<Facts> {
        let rows = Rows {
            results,
            ..Rows::default()
        };
        Facts::from_tables(rows.frames()?)
    }

    /// Builds facts from tables in the order of [`FactTable::ALL`].
    pub(crate) fn from_tables(tables: Vec<DataFrame>) -> PolarsResult<Facts> {
        Ok(Facts {
            version: Version::from_tables(
                &tables[FactTable::Games as usize],
                &tables[FactTable::Results as usize],
            )?,
            tables,
        })
    }

    /// Applies a filter to each table.
    pub(crate) fn filtered(
        &self,
        filter: impl FnMut(&DataFrame) -> PolarsResult<DataFrame>,
    ) -> PolarsResult<Facts> {
        let tables = self.tables.iter().map(filter);
        Facts::from_tables(tables.collect::<PolarsResult<_>>()?)
    }

    /// Appends other facts. The caller makes sure that no game is in both.
    ///
    /// # Errors
    /// If the frames cannot be joined.
    pub fn append(&mut self, other: &Facts) -> PolarsResult<()> {
        for (table, more) in self.tables.iter_mut().zip(&other.tables) {
            table.vstack_mut(more)?;
            // Many small appends would leave a chunk each, which slows scans.
            if table.max_n_chunks() > 64 {
                table.rechunk_mut();
            }
        }
        self.version = self.version.merge(other.version);
        Ok(())
    }

    /// Adds the rated games of these facts to the ratings of a rater.
    ///
    /// # Errors
    /// None in practice: facts have the columns.
    pub fn note_ratings(&self, rater: &mut Rater) -> PolarsResult<()> {
        rater.note(&self.tables[FactTable::Ratings as usize])
    }

    /// Returns the version of the facts.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.games().height()
    }

    /// True if there are neither games nor over-the-board results.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && self.results().height() == 0
    }

    pub(crate) fn results(&self) -> &DataFrame {
        &self.tables[FactTable::Results as usize]
    }

    pub(crate) fn games(&self) -> &DataFrame {
        &self.tables[FactTable::Games as usize]
    }

    /// Lists the tables by name.
    pub fn tables(&self) -> impl Iterator<Item = (&'static str, &DataFrame)> {
        let names = FactTable::ALL.iter().map(|table| table.name());
        names.zip(&self.tables)
    }

    /// Returns the facts in the form that measures read.
    pub fn lazy(&self) -> LazyFacts {
        let tables = self.tables.iter().map(|table| table.clone().lazy());
        LazyFacts {
            source: FactsSource::Memory(tables.collect()),
            version: self.version,
        }
    }
}

/// Facts that are read when a measure needs them, from memory or from Parquet files.
/// Cloning copies no data.
#[derive(Clone)]
pub struct LazyFacts {
    source: FactsSource,
    /// The version of the facts.
    pub version: Version,
}

/// The source of facts.
#[derive(Clone)]
enum FactsSource {
    /// A frame for each of [`FactTable::ALL`].
    Memory(Arc<[LazyFrame]>),
    /// Files, with the tables that were opened already.
    Files(Arc<ReadTable>, Arc<[OnceLock<LazyFrame>]>),
}

/// Opens the files of a table.
type ReadTable = dyn Fn(FactTable) -> PolarsResult<LazyFrame> + Send + Sync;

impl LazyFacts {
    /// Facts in files. A table is opened when it is first used.
    pub(crate) fn from_files(
        version: Version,
        read: impl Fn(FactTable) -> PolarsResult<LazyFrame> + Send + Sync + 'static,
    ) -> LazyFacts {
        let tables = FactTable::ALL.iter().map(|_| OnceLock::new());
        LazyFacts {
            source: FactsSource::Files(Arc::new(read), tables.collect()),
            version,
        }
    }

    /// Returns a table. Its files are checked when they are first read.
    ///
    /// # Errors
    /// If a file is damaged.
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
