//! Appends leaves to the transparency log, and reads its leaves and hashes.

use diesel::dsl::max;
use diesel::prelude::*;
use jiff::Timestamp;
use records::tlog::{Leaf, LeafKind, TILE_WIDTH, Tile, TreeHash, fold_level, leaf_hash};

use crate::db::StoreError;
use crate::db::connection::AnyConnection;
use crate::db::schema::{tlog_hashes, tlog_leaves};
use crate::db::writer::conflict;

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
    let index = count_leaves(connection)?;
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

/// Returns whether the log has a leaf.
pub(super) fn has_leaf(
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

/// Returns the number of leaves.
pub(super) fn count_leaves(connection: &mut AnyConnection) -> QueryResult<i64> {
    let last: Option<i64> = tlog_leaves::table
        .select(max(tlog_leaves::leaf_index))
        .first(connection)?;
    Ok(last.map_or(0, |last| last + 1))
}

/// Returns the hashes of a tile, which are fewer than its width if the log is shorter.
pub(super) fn tile_hashes(
    connection: &mut AnyConnection,
    tile: Tile,
) -> Result<Vec<TreeHash>, StoreError> {
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

/// Returns the leaves of a tile of level 0.
pub(super) fn tile_leaves(connection: &mut AnyConnection, tile: Tile) -> QueryResult<Vec<String>> {
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
