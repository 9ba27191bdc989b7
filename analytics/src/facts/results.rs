//! Results of games at real tables, of which there is no record: who sat where with which nations, and the ranks. A
//! league enters them, corrects them and declares them void; each of these is a revision, with the place and the time
//! at which it was recorded, so that facts are only ever added to and what was told before can be told again.

use std::sync::Arc;

use engine::content::Library;
use engine::setup::Player;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use xxhash_rust::xxh3::xxh3_64;

use super::ResultRow;
use super::column::RowKeys;
use super::derive::{WIN_PARTS, cluster_of};

/// The board of a result that names none.
pub const UNKNOWN_BOARD: &str = "unknown";

/// A seat of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableResultSeat {
    /// Who is credited with it.
    pub player: Player,
    /// Its nations.
    pub nations: Vec<String>,
    /// Its rank, from 1; equal seats share one.
    pub rank: u8,
}

/// The result of a table as it was known from a moment on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableResult {
    /// A name for the table, the same in all its revisions.
    pub game: String,
    /// Which revision it is; a higher number replaces a lower one.
    pub revision: u32,
    /// Whether the table counts.
    pub counts: bool,
    /// The first place in the log of all games that was given away after it.
    pub log_position: i64,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// When the game was played, the same in all revisions.
    pub played_at: Timestamp,
    /// The edition.
    pub edition: String,
    /// The board, where it is known.
    pub board: Option<String>,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The league, where it may be told.
    pub league: Option<String>,
    /// The seats round the table.
    pub seats: Vec<TableResultSeat>,
}

impl TableResult {
    /// Its rows; none when edition, board or a nation is not of the library, or a seat does not tell its nations: then
    /// nobody can say what it counts for.
    pub fn rows(&self, library: &Library) -> Vec<ResultRow> {
        let seats = self.seats.len() as u32;
        let nations: Vec<&String> = self.seats.iter().flat_map(|seat| &seat.nations).collect();
        let is_told = self.seats.iter().all(|seat| !seat.nations.is_empty());
        let named = self.board.as_ref();
        let mut boards = library.boards().filter(|board| {
            board.data.edition == self.edition && named.is_none_or(|id| board.data.id == *id)
        });
        let is_known = boards.any(|board| {
            let known = board.nations();
            let mut told = nations.iter();
            told.all(|nation| known.contains(&nation.as_str()))
        });
        if !is_told || !is_known {
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
            // Whole for up to six seats of up to two nations.
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
                ..ResultRow::of_game(&keys)
            }));
        }
        rows
    }

    /// A hash of all that tables depend on. Which revision said so, and when, is none of it.
    fn content(&self) -> u64 {
        let seats = self.seats.iter().map(|seat| {
            let player = seat.player.actor().unwrap_or_default();
            (player, &seat.nations, seat.rank)
        });
        let played_at = self.played_at.as_microsecond();
        let of_game = (&self.game, &self.edition, &self.board, played_at);
        let of_table = (self.counts, self.rated, &self.league);
        // Texts are written with quotes, so that nothing runs into what comes behind it.
        let told = format!("{of_game:?} {of_table:?} {:?}", seats.collect::<Vec<_>>());
        xxh3_64(told.as_bytes())
    }
}
