//! Queries of the transparency log: leaves, hashes of tiles, and the last signed head.

use diesel::dsl::max;
use diesel::prelude::*;
use jiff::Timestamp;
use records::tlog::{Leaf, LeafKind, TILE_WIDTH, Tile, TreeHash, fold_level, leaf_hash};

use crate::db::connection::AnyConnection;
use crate::db::schema::{games, tlog_hashes, tlog_head, tlog_leaves};
use crate::db::writer::conflict;
use crate::db::{Store, StoreError};

/// The last signed head of the log.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable, AsChangeset)]
#[diesel(table_name = tlog_head)]
pub struct HeadRow {
    id: i64,
    /// The name of the log.
    pub origin: String,
    /// The number of leaves.
    pub size: i64,
    /// The signed note.
    pub note: String,
}

impl HeadRow {
    /// Creates the row.
    pub fn new(origin: String, size: i64, note: String) -> HeadRow {
        HeadRow {
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

/// Appends a leaf, unless the log has it. Every writer has locked the end of the log of all games before.
pub(crate) fn append_leaf(
    connection: &mut AnyConnection,
    subject: &str,
    leaf: &Leaf,
) -> Result<(), StoreError> {
    let text = leaf.to_string();
    if has_leaf(connection, leaf.kind, subject, &text)? {
        return Ok(());
    }
    let index = size(connection)?;
    diesel::insert_into(tlog_leaves::table)
        .values((
            tlog_leaves::leaf_index.eq(index),
            tlog_leaves::kind.eq(leaf.kind.to_string()),
            tlog_leaves::subject.eq(subject),
            tlog_leaves::leaf.eq(text),
            tlog_leaves::added_at.eq(Timestamp::now().as_microsecond()),
        ))
        .execute(connection)
        .map_err(conflict)?;
    complete_tiles(connection, index as u64 + 1)
}

/// Stores the hashes of the tiles that are full with the last leaf.
fn complete_tiles(connection: &mut AnyConnection, size: u64) -> Result<(), StoreError> {
    let (mut level, mut count) = (0, size);
    while count.is_multiple_of(TILE_WIDTH) {
        let full = Tile {
            level,
            index: count / TILE_WIDTH - 1,
            width: TILE_WIDTH as u16,
        };
        let hash = fold_level(tile_hashes(connection, full)?).unwrap_or_default();
        level += 1;
        count /= TILE_WIDTH;
        diesel::insert_into(tlog_hashes::table)
            .values((
                tlog_hashes::level.eq(i64::from(level)),
                tlog_hashes::hash_index.eq(count as i64 - 1),
                tlog_hashes::hash.eq(hex::encode(hash)),
            ))
            .execute(connection)
            .map_err(conflict)?;
    }
    Ok(())
}

fn has_leaf(
    connection: &mut AnyConnection,
    kind: LeafKind,
    subject: &str,
    leaf: &str,
) -> Result<bool, StoreError> {
    let found: i64 = tlog_leaves::table
        .filter(tlog_leaves::kind.eq(kind.to_string()))
        .filter(tlog_leaves::subject.eq(subject))
        .filter(tlog_leaves::leaf.eq(leaf))
        .count()
        .get_result(connection)?;
    Ok(found > 0)
}

fn size(connection: &mut AnyConnection) -> QueryResult<i64> {
    let last: Option<i64> = tlog_leaves::table
        .select(max(tlog_leaves::leaf_index))
        .first(connection)?;
    Ok(last.map_or(0, |last| last + 1))
}

/// Returns the hashes of a tile, which are fewer than its width if the log is shorter.
fn tile_hashes(connection: &mut AnyConnection, tile: Tile) -> Result<Vec<TreeHash>, StoreError> {
    if tile.level == 0 {
        let leaves = tile_leaves(connection, tile)?;
        return Ok(leaves
            .iter()
            .map(|leaf| leaf_hash(leaf.as_bytes()))
            .collect());
    }
    let first = tile_start(tile);
    let hashes: Vec<String> = tlog_hashes::table
        .filter(tlog_hashes::level.eq(i64::from(tile.level)))
        .filter(tlog_hashes::hash_index.ge(first))
        .filter(tlog_hashes::hash_index.lt(first.saturating_add(i64::from(tile.width))))
        .order(tlog_hashes::hash_index)
        .select(tlog_hashes::hash)
        .load(connection)?;
    let decoded = hashes.iter().map(|hash| {
        let mut bytes = [0; 32];
        hex::decode_to_slice(hash, &mut bytes).map(|()| bytes)
    });
    let decoded: Result<Vec<_>, _> = decoded.collect();
    decoded.map_err(|error| StoreError::Damaged {
        id: format!("(no id: {} of the transparency log)", tile.path()),
        message: error.to_string(),
    })
}

fn tile_leaves(connection: &mut AnyConnection, tile: Tile) -> QueryResult<Vec<String>> {
    let first = tile_start(tile);
    tlog_leaves::table
        .filter(tlog_leaves::leaf_index.ge(first))
        .filter(tlog_leaves::leaf_index.lt(first.saturating_add(i64::from(tile.width))))
        .order(tlog_leaves::leaf_index)
        .select(tlog_leaves::leaf)
        .load(connection)
}

/// Returns the index of the first hash of a tile within its level. No log is so long that it does not fit.
fn tile_start(tile: Tile) -> i64 {
    let start = tile.index.saturating_mul(TILE_WIDTH);
    i64::try_from(start).unwrap_or(i64::MAX)
}

impl Store {
    /// Returns the number of leaves.
    pub(super) fn log_size(&self) -> Result<u64, StoreError> {
        Ok(size(&mut *self.connection()?)? as u64)
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
        let known = games::table.select(games::id);
        Ok(tlog_leaves::table
            .filter(tlog_leaves::kind.eq(LeafKind::Game.to_string()))
            .filter(tlog_leaves::subject.ne_all(known))
            .count()
            .get_result(connection)?)
    }

    /// Returns whether the log has a leaf.
    pub(crate) fn has_leaf(&self, subject: &str, leaf: &Leaf) -> Result<bool, StoreError> {
        let connection = &mut *self.connection()?;
        has_leaf(connection, leaf.kind, subject, &leaf.to_string())
    }

    /// Returns the last stored head.
    pub(super) fn log_head(&self) -> Result<Option<HeadRow>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(tlog_head::table.find(1).first(connection).optional()?)
    }

    /// Stores a head, unless the stored one is of the same log and as large.
    pub(super) fn store_log_head(&self, row: HeadRow) -> Result<(), StoreError> {
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
