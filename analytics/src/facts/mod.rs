//! Facts: five tables that say what happened in finished games, and summaries of them. They are
//! appended to and never recomputed.

pub mod column;
pub mod derive;
mod manifest;
pub mod rows;
pub mod store;
mod summary;
mod version;
mod writer;

use engine::content::Library;
use engine::record::Record;
use polars::prelude::*;
use rayon::prelude::*;

pub use column::{ColumnInfo, FactRow, Kind};
pub use derive::{DeriveError, GameFacts, OPENING_TURNS, Opening};
pub use manifest::{FORM, Manifest, Part, Reached};
pub use rows::{AwardRow, CardRow, GameRow, STOP_COLUMNS, STOPS, SeatRow, TurnRow};
pub use store::{Store, StoreError};
pub use summary::Summary;
pub(crate) use summary::{QUANTITIES, SHARE_PART, add_up};
pub use version::Version;
pub use writer::Writer;

/// The fact tables by name, each with its columns.
pub const DICTIONARY: [(&str, &[ColumnInfo]); 5] = [
    ("games", GameRow::COLUMNS),
    ("seats", SeatRow::COLUMNS),
    ("turns", TurnRow::COLUMNS),
    ("awards", AwardRow::COLUMNS),
    ("cards", CardRow::COLUMNS),
];

/// Facts in memory.
#[derive(Clone, Debug)]
pub struct Facts {
    games: DataFrame,
    seats: DataFrame,
    turns: DataFrame,
    awards: DataFrame,
    cards: DataFrame,
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
        let mut tables = (vec![], vec![], vec![], vec![], vec![]);
        for game in games {
            tables.0.push(game.game);
            tables.1.extend(game.seats);
            tables.2.extend(game.turns);
            tables.3.extend(game.awards);
            tables.4.extend(game.cards);
        }
        Facts::of_tables([
            GameRow::frame(&tables.0)?,
            SeatRow::frame(&tables.1)?,
            TurnRow::frame(&tables.2)?,
            AwardRow::frame(&tables.3)?,
            CardRow::frame(&tables.4)?,
        ])
    }

    /// The facts in these tables, which are in the order of [`DICTIONARY`].
    fn of_tables([games, seats, turns, awards, cards]: [DataFrame; 5]) -> PolarsResult<Facts> {
        Ok(Facts {
            version: Version::of(&games)?,
            games,
            seats,
            turns,
            awards,
            cards,
        })
    }

    /// The facts whose rows a filter lets pass, which sees each table.
    fn filtered(
        &self,
        mut filter: impl FnMut(&DataFrame) -> PolarsResult<DataFrame>,
    ) -> PolarsResult<Facts> {
        Facts::of_tables([
            filter(&self.games)?,
            filter(&self.seats)?,
            filter(&self.turns)?,
            filter(&self.awards)?,
            filter(&self.cards)?,
        ])
    }

    /// Adds other facts. A game that is in both counts twice: see to it that it is not.
    ///
    /// # Errors
    /// When the frames cannot be joined.
    pub fn append(&mut self, other: &Facts) -> PolarsResult<()> {
        let pairs = self.tables_mut().into_iter().zip(other.tables());
        for (table, (_, more)) in pairs {
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
        self.games.height()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.height() == 0
    }

    /// The tables by name.
    pub fn tables(&self) -> [(&'static str, &DataFrame); 5] {
        [
            ("games", &self.games),
            ("seats", &self.seats),
            ("turns", &self.turns),
            ("awards", &self.awards),
            ("cards", &self.cards),
        ]
    }

    fn tables_mut(&mut self) -> [&mut DataFrame; 5] {
        [
            &mut self.games,
            &mut self.seats,
            &mut self.turns,
            &mut self.awards,
            &mut self.cards,
        ]
    }

    /// What measures read.
    pub fn lazy(&self) -> LazyFacts {
        LazyFacts {
            games: self.games.clone().lazy(),
            seats: self.seats.clone().lazy(),
            turns: self.turns.clone().lazy(),
            awards: self.awards.clone().lazy(),
            cards: self.cards.clone().lazy(),
            version: self.version,
        }
    }
}

/// Facts to be read when a measure asks for them, from memory or from Parquet files. A cheap
/// value: cloning it copies no data.
#[derive(Clone)]
pub struct LazyFacts {
    /// One row a game, see [`GameRow`].
    pub games: LazyFrame,
    /// One row a nation in a game, see [`SeatRow`].
    pub seats: LazyFrame,
    /// One row a turn, see [`TurnRow`].
    pub turns: LazyFrame,
    /// One row a personage won, see [`AwardRow`].
    pub awards: LazyFrame,
    /// One row an event card taken or played, see [`CardRow`].
    pub cards: LazyFrame,
    /// What the facts are.
    pub version: Version,
}
