//! The players whom a rated game compares, from its record.

use engine::setup::Player;
use records::{Entry, Record};

use super::column::RowKeys;
use super::rows::RatingRow;
use crate::ratings::{KINDS, PLACES, RankedPlayer, participants, players_at_start, ranked};

/// Returns a row for each player whom a finished record compares, without ratings. Only rated games that the rules
/// ended from their edition's set-up compare players.
pub(crate) fn rated_players(keys: &RowKeys, record: &Record) -> Vec<RatingRow> {
    let result = record.result.as_ref().filter(|result| {
        record.rated && record.setup.position.is_none() && !result.reason.is_decision()
    });
    let Some(result) = result else {
        return Vec::new();
    };
    let ranked = ranked(result, credited(record));
    let compared = KINDS
        .into_iter()
        .flat_map(|kind| participants(&ranked, kind));
    let row = |player: RankedPlayer| RatingRow {
        player: player.player.into(),
        player_kind: player.kind.name(),
        rank: f64::from(player.place) / f64::from(PLACES),
        ..RatingRow::for_game(keys)
    };
    compared.map(row).collect()
}

/// Returns to whom each seat counts. Without its log, a record names only the players at the end.
fn credited(record: &Record) -> Vec<(u8, Player)> {
    let entries = record.events.iter().flatten();
    let (mut first, mut changes) = (None, Vec::new());
    for entry in entries.filter_map(|row| row.notation.parse::<Entry>().ok()) {
        match entry {
            Entry::Setup(setup) => first = Some(setup.seats),
            Entry::Seat { seat, player } => changes.push((seat, player)),
            _ => {}
        }
    }
    let seats = first.unwrap_or_else(|| record.setup.seats.clone());
    let players = seats.into_iter().map(|seat| seat.player).collect();
    players_at_start(players, changes)
}
