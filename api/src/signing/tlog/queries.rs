//! Queries of the published log: its tiles, and the last signed head.

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use records::tlog::{Leaf, LeafKind, Tile, TreeHash};

use crate::db::schema::{games, tlog_hashes, tlog_head, tlog_leaves};
use crate::db::writer::conflict;
use crate::db::{Store, StoreError};
use crate::signing::leaves::{count_leaves, has_leaf, tile_hashes, tile_leaves};

/// The last signed head of the log.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable, AsChangeset)]
#[diesel(table_name = tlog_head)]
pub struct LogHeadRow {
    id: i64,
    /// The name of the log.
    pub origin: String,
    /// The number of leaves.
    pub size: i64,
    /// The signed note.
    pub note: String,
}

impl LogHeadRow {
    /// Creates the row.
    pub fn new(origin: String, size: i64, note: String) -> LogHeadRow {
        LogHeadRow {
            id: 1,
            origin,
            size,
            note,
        }
    }
}

/// A stored leaf.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct LeafRow {
    /// From 0 without gaps.
    pub index: i64,
    /// The kind.
    pub kind: String,
    /// The id of the game or league, or the number of the checkpoint.
    pub subject: String,
    /// The bytes of the leaf.
    pub leaf: String,
}

impl Store {
    /// Returns the number of leaves.
    pub(super) fn log_size(&self) -> Result<u64, StoreError> {
        Ok(count_leaves(&mut *self.connection()?)? as u64)
    }

    /// Returns the hashes of a tile.
    pub(super) fn tile_hashes(&self, tile: Tile) -> Result<Vec<TreeHash>, StoreError> {
        tile_hashes(&mut *self.connection()?, tile)
    }

    /// Returns the leaves of a tile of level 0.
    pub(super) fn tile_leaves(&self, tile: Tile) -> Result<Vec<String>, StoreError> {
        Ok(tile_leaves(&mut *self.connection()?, tile)?)
    }

    /// Returns the leaf of a game's present signature; `None` if it has none.
    pub(super) fn game_leaf(&self, game: &str) -> Result<Option<LeafRow>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(tlog_leaves::table
            .filter(tlog_leaves::kind.eq(LeafKind::Game.to_string()))
            .filter(tlog_leaves::subject.eq(game))
            .order(tlog_leaves::leaf_index.desc())
            .select(leaf_columns())
            .first(connection)
            .optional()?)
    }

    /// Returns leaves from an index, in order.
    pub(super) fn leaves_from(&self, index: i64, limit: i64) -> Result<Vec<LeafRow>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(tlog_leaves::table
            .filter(tlog_leaves::leaf_index.ge(index))
            .order(tlog_leaves::leaf_index)
            .limit(limit)
            .select(leaf_columns())
            .load(connection)?)
    }

    /// Returns the number of stored hashes of tiles.
    pub(super) fn count_tile_hashes(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(tlog_hashes::table.count().get_result(connection)?)
    }

    /// Returns the number of leaves about games that do not exist.
    pub(super) fn leaves_of_no_game(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        let known = games::table.filter(games::id.eq(tlog_leaves::subject));
        Ok(tlog_leaves::table
            .filter(tlog_leaves::kind.eq(LeafKind::Game.to_string()))
            .filter(not(exists(known)))
            .count()
            .get_result(connection)?)
    }

    /// Returns whether the log has a leaf.
    pub(crate) fn has_leaf(&self, subject: &str, leaf: &Leaf) -> Result<bool, StoreError> {
        let connection = &mut *self.connection()?;
        has_leaf(connection, leaf.kind, subject, &leaf.to_string())
    }

    /// Returns the last stored head.
    pub(super) fn log_head(&self) -> Result<Option<LogHeadRow>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(tlog_head::table.find(1).first(connection).optional()?)
    }

    /// Stores a head, unless the stored one is of the same log and as large.
    pub(super) fn store_log_head(&self, row: LogHeadRow) -> Result<(), StoreError> {
        self.write(move |connection| {
            let stored: Option<i64> = tlog_head::table
                .find(1)
                .select(tlog_head::size)
                .first(connection)
                .optional()?;
            match stored {
                Some(size) if size >= row.size => {}
                Some(_) => {
                    diesel::update(tlog_head::table.find(1))
                        .set(row)
                        .execute(connection)?;
                }
                None => {
                    diesel::insert_into(tlog_head::table)
                        .values(row)
                        .execute(connection)
                        .map_err(conflict)?;
                }
            }
            Ok(())
        })
    }
}

fn leaf_columns() -> (
    tlog_leaves::leaf_index,
    tlog_leaves::kind,
    tlog_leaves::subject,
    tlog_leaves::leaf,
) {
    (
        tlog_leaves::leaf_index,
        tlog_leaves::kind,
        tlog_leaves::subject,
        tlog_leaves::leaf,
    )
}
