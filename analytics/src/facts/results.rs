//! Results of over-the-board games, which have no record: seats, nations and ranks.
//!
//! A league enters, corrects and voids results. Each of these is a revision with its offset and time. Rows are only
//! appended, so an earlier table can be computed again.

use std::sync::Arc;

use engine::content::Library;
use engine::setup::Player;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use xxhash_rust::xxh3::xxh3_64;

use super::ResultRow;
use super::column::RowKeys;
use super::derive::{WIN_PARTS, cluster_of};

/// The board of a result that names no board.
pub const UNKNOWN_BOARD: &str = "unknown";

/// A seat of an over-the-board game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableResultSeat {
    /// The player who is credited with the rank.
    pub player: Player,
    /// The nations of the seat.
    pub nations: Vec<String>,
    /// The rank, from 1; equal seats share a rank.
    pub rank: u8,
}

/// A revision of the result of an over-the-board game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableResult {
    /// The id of the game, the same in all revisions.
    pub game: String,
    /// The number of the revision; a higher number replaces a lower one.
    pub revision: u32,
    /// False if the league has voided the game.
    pub counts: bool,
    /// The first offset in the log of all games at which this revision is included.
    pub log_position: i64,
    /// The time when the revision was recorded.
    pub recorded_at: Timestamp,
    /// The time when the game was played, the same in all revisions.
    pub played_at: Timestamp,
    /// The edition.
    pub edition: String,
    /// The board, if it is known.
    pub board: Option<String>,
    /// True if the game counts for ratings.
    pub rated: bool,
    /// The league, if it is public.
    pub league: Option<String>,
    /// The seats.
    pub seats: Vec<TableResultSeat>,
}

impl TableResult {
    /// Returns the rows of the result.
    /// There are none if the edition, the board or a nation is not in the library, or if a seat names no nation.
    pub fn rows(&self, library: &Library) -> Vec<ResultRow> {
        let seats = self.seats.len() as u32;
        let nations: Vec<&String> = self.seats.iter().flat_map(|seat| &seat.nations).collect();
        let has_nations = self.seats.iter().all(|seat| !seat.nations.is_empty());
        let named = self.board.as_ref();
        let mut boards = library.boards().filter(|board| {
            board.data.edition == self.edition && named.is_none_or(|id| board.data.id == *id)
        });
        let is_known = boards.any(|board| {
            let known = board.nations();
            let mut text = nations.iter();
            text.all(|nation| known.contains(&nation.as_str()))
        });
        if !has_nations || !is_known {
            return Vec::new();
        }
        let text = |text: &str| -> Arc<str> { text.into() };
        let month = self.played_at.to_zoned(TimeZone::UTC).strftime("%Y-%m");
        let keys = RowKeys {
            edition: text(&self.edition),
            month: text(&month.to_string()),
            game: text(&self.game),
        };
        let content = self.content();
        let board = text(self.board.as_deref().unwrap_or(UNKNOWN_BOARD));
        let league = self.league.as_deref().map(text);
        let winners = self.seats.iter().filter(|seat| seat.rank == 1).count() as u32;
        let mut rows = Vec::with_capacity(nations.len());
        for (number, seat) in (0_u32..).zip(&self.seats) {
            let in_seat = seat.nations.len() as u32;
            // A whole number for up to six seats with up to two nations each.
            let share_parts = match seat.rank {
                1 => WIN_PARTS / (winners * in_seat),
                _ => 0,
            };
            let expected_parts = WIN_PARTS / (seats * in_seat);
            rows.extend(seat.nations.iter().map(|nation| ResultRow {
                revision: self.revision,
                counts: self.counts,
                log_position: self.log_position,
                recorded_at: self.recorded_at,
                content_1: (content >> 32) as u32,
                content_2: content as u32,
                board: board.clone(),
                nations: nations.len() as u32,
                players: seats,
                played_at: self.played_at,
                rated: self.rated,
                league: league.clone(),
                nation: text(nation),
                seat: number,
                player_kind: seat.player.kind().name(),
                player: text(seat.player.actor().unwrap_or_default()),
                cluster: cluster_of(&seat.player),
                rank_of_seat: u32::from(seat.rank),
                share_parts,
                share: f64::from(share_parts) / f64::from(WIN_PARTS),
                expected_parts,
                expected: f64::from(expected_parts) / f64::from(WIN_PARTS),
                ..ResultRow::for_game(&keys)
            }));
        }
        rows
    }

    /// Returns a hash of everything that tables depend on, without the revision and its time.
    fn content(&self) -> u64 {
        let seats = self.seats.iter().map(|seat| {
            let player = seat.player.actor().unwrap_or_default();
            (player, &seat.nations, seat.rank)
        });
        let played_at = self.played_at.as_microsecond();
        let of_game = (&self.game, &self.edition, &self.board, played_at);
        let of_table = (self.counts, self.rated, &self.league);
        // Texts are quoted, so that adjacent texts cannot be confused.
        let text = format!("{of_game:?} {of_table:?} {:?}", seats.collect::<Vec<_>>());
        xxh3_64(text.as_bytes())
    }
}
