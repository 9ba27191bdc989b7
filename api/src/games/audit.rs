//! Audits the games of a database: accounts for every row and describes what is inconsistent.
//!
//! Games are read a few at a time.

use std::sync::Arc;

use engine::content::Library;
use records::tlog::Leaf;
use records::{Checkpoint, Fold, Record};

use crate::db::Store;
use crate::db::time::time_text;
use crate::games::log::{WHOLE_HASH, whole_log};
use crate::games::model::{LogRow, Seat, Status, StoredGame};
use crate::games::projection;
use crate::games::queries::audit::{RowCounts, WholeGame};
use crate::games::records::build_record;
use crate::games::setup::{start_stored, stored_setup};
use crate::http::error::ServiceError;
use crate::signing::checkpoints::{KeptCheckpoint, LogDigest, find_game_log_difference};

/// How many games are read at a time.
const TOGETHER: i64 = 64;

/// A finding of an audit.
#[derive(Debug)]
pub enum Finding<'a> {
    /// The record of a finished game with its log. The caller still has to verify it.
    Record(&'a Record),
    /// An inconsistency, as a sentence that names the game and the event.
    Fault(String),
}

/// The numbers of audited items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditedGames {
    /// All games.
    pub games: u64,
    /// The games that are not over.
    pub unfinished: u64,
    /// Seats.
    pub seats: u64,
    /// Events.
    pub events: u64,
}

/// Checks every game, seat and event.
///
/// - Each event must follow from those before it, and each game must match its log.
/// - Every position of the log of all games must be used once, and every row must belong to a game.
/// - The logs must match the checkpoints, including `elsewhere`, which are stored outside the database.
/// - The rows of the lists must follow from the games.
///
/// `each` receives the findings.
pub fn audit<E: From<ServiceError>>(
    store: &Store,
    library: &Library,
    checkpoints: &[Checkpoint],
    elsewhere: &[KeptCheckpoint],
    mut each: impl FnMut(Finding<'_>) -> Result<(), E>,
) -> Result<AuditedGames, E> {
    let account = store.count_rows().map_err(ServiceError::from)?;
    let mut taken = Places::new(account.events);
    for fault in missing(&account) {
        each(Finding::Fault(fault))?;
    }
    let mut covered = vec![LogDigest::default(); checkpoints.len()];
    let mut covered_elsewhere = vec![LogDigest::default(); elsewhere.len()];
    let reached = store.offset(projection::NAME).map_err(ServiceError::from)?;
    let reached = reached.position;
    let mut audited = AuditedGames::default();
    let mut number = i64::MIN;
    loop {
        let games = store.whole_games_after(number, TOGETHER);
        let games = games.map_err(ServiceError::from)?;
        let Some(last) = games.last() else {
            break;
        };
        number = last.number;
        for game in games {
            audited.games += 1;
            let id = game.id.clone();
            let fault = |message: String| Finding::Fault(format!("{id}: {message}"));
            let WholeGame {
                number,
                listed,
                content,
                end,
                ..
            } = game;
            let ((stored, seats), rows) = match content {
                Ok(content) => content,
                Err(message) => {
                    each(fault(message))?;
                    continue;
                }
            };
            audited.seats += seats.len() as u64;
            audited.events += rows.len() as u64;
            let mut rows = whole_log(&stored, rows, library);
            let outside = elsewhere.iter().map(|kept| &kept.checkpoint);
            let outside = outside.zip(&mut covered_elsewhere);
            for (one, covered) in checkpoints.iter().zip(&mut covered).chain(outside) {
                covered.add(one.position, &id, &rows, |event: &LogRow| {
                    (event.position, event.row.seq, &event.row.hash)
                });
            }
            if let Some(event) = rows.iter().find(|event| !taken.take(event)) {
                let (seq, position) = (event.row.seq, event.position);
                let message = "of the log of all games belongs to another event too";
                each(fault(format!(
                    "event {seq}: its position {position} {message}"
                )))?;
            }
            for message in check_positions(&stored, number, listed.finished_position, &rows, end) {
                each(fault(message))?;
            }
            audited.unfinished += u64::from(!stored.status.is_over());
            let mut record = None;
            if stored.status == Status::Finished {
                if stored.signature.is_none() {
                    each(fault(
                        "the game is finished, and its signature is missing".to_owned(),
                    ))?;
                }
                if let Some(signature) = &stored.signature {
                    let leaf = Leaf::of_game(&id, signature);
                    let is_in_log = store.has_leaf(&id, &leaf).map_err(ServiceError::from)?;
                    if !is_in_log {
                        each(fault(
                            "its signature is not in the transparency log".to_owned(),
                        ))?;
                    }
                }
                // The whole hash of the last event is stored; the others are computed.
                if let Some(last) = rows.last_mut() {
                    last.row.hash.clone_from(&stored.hash);
                }
                match build_record(&stored, &seats, &rows, true, library) {
                    Ok(finished) => {
                        each(Finding::Record(&finished))?;
                        record = Some(finished);
                    }
                    Err(error) => each(fault(error.to_string()))?,
                }
            }
            let wrong = projection::audit(
                library,
                (&stored, &seats),
                &listed,
                record.as_ref(),
                reached,
            );
            if let Some(message) = wrong {
                each(fault(message))?;
            }
            if let Err(message) = check_log(library, &stored, &seats, &rows) {
                // The verification of a finished game's record finds the other errors too.
                if stored.status != Status::Finished || message.starts_with(STORED) {
                    each(fault(message))?;
                }
            }
        }
    }
    if let Some(position) = taken.first_free() {
        let fault = format!("the log of all games has no readable event at position {position}");
        each(Finding::Fault(fault))?;
    }
    let outside = elsewhere.iter().map(|kept| &kept.checkpoint);
    let differences = [
        find_game_log_difference(checkpoints, covered),
        find_game_log_difference(outside, covered_elsewhere),
    ];
    for fault in differences.into_iter().flatten() {
        each(Finding::Fault(fault))?;
    }
    Ok(audited)
}

/// Compares a game with its log.
fn check_log(
    library: &Library,
    stored: &StoredGame,
    seats: &[Seat],
    rows: &[LogRow],
) -> Result<(), String> {
    let start = start_stored(stored, library);
    let (game, first) = start.map_err(|error| error.to_string())?;
    let game = Arc::new(game);
    let mut fold = Fold::new(game.clone(), first);
    for LogRow { row, .. } in rows {
        let taken = fold.apply_row(row);
        taken.map_err(|fault| format!("event {}: {fault}", row.seq))?;
    }
    let players: Vec<_> = seats.iter().map(|seat| seat.player.clone()).collect();
    if fold.players() != players {
        return Err(format!("{STORED}with other seats than in its log"));
    }
    let result = fold.result();
    let open = |player: &engine::setup::Player| *player == engine::setup::Player::Open;
    let status = match (&result, fold.is_abandoned()) {
        (_, true) => Status::Abandoned,
        (Some(_), _) => Status::Finished,
        (None, _) if fold.players().iter().any(open) => Status::Open,
        (None, _) if stored.pending_bidding().is_some() => Status::Open,
        (None, _) => Status::Running,
    };
    if status != stored.status {
        let (kept, logged) = (stored.status.name(), status.name());
        return Err(format!(
            "{STORED}as {kept}, but according to its log it is {logged}"
        ));
    }
    if result != stored.result {
        return Err(format!("{STORED}with another result than in its log"));
    }
    let pending = match status {
        Status::Running => game.questions(fold.state()),
        _ => Vec::new(),
    };
    let asked = pending
        .first()
        .and_then(|one| seats.get(usize::from(one.seat)));
    let account = asked.and_then(Seat::account).map(|id| id.to_string());
    if (&pending, &account) != (&stored.pending, &stored.waiting_for) {
        return Err(format!(
            "{STORED}as waiting for other decisions or another account than follow from its log"
        ));
    }
    let setup = stored_setup(stored).map_err(|error| error.to_string())?;
    if (&setup.edition, &setup.board) != (&stored.edition, &stored.board) {
        return Err(format!(
            "{STORED}as a game of {} on {}, but its setup names {} on {}",
            stored.edition, stored.board, setup.edition, setup.board
        ));
    }
    Ok(())
}

/// The beginning of messages about differences between the row of a game and its log.
const STORED: &str = "the game is stored ";

/// Describes rows that are missing or belong to no game.
fn missing(account: &RowCounts) -> Vec<String> {
    let mut faults = Vec::new();
    let RowCounts {
        events,
        end,
        events_of_no_game,
        seats_of_no_game,
        players_of_no_game,
        ..
    } = *account;
    if events != end {
        faults.push(format!(
            "the log of all games has {events} events, but {end} positions were assigned"
        ));
    }
    if events_of_no_game > 0 {
        faults.push(format!("{events_of_no_game} events belong to no game"));
    }
    if seats_of_no_game > 0 {
        faults.push(format!("{seats_of_no_game} seats belong to no game"));
    }
    if players_of_no_game > 0 {
        faults.push(format!(
            "the lists have {players_of_no_game} players who belong to no game"
        ));
    }
    faults
}

/// The taken positions of the log of all games, one bit each.
struct Places {
    bits: Vec<u64>,
    count: u64,
}

impl Places {
    fn new(events: i64) -> Places {
        let count = events as u64;
        Places {
            bits: vec![0; count.div_ceil(64) as usize],
            count,
        }
    }

    /// Marks the position of an event as taken and returns whether it was free.
    /// Events added since the events were counted have later positions and are ignored.
    fn take(&mut self, event: &LogRow) -> bool {
        let place = event.position.wrapping_sub(1);
        if place >= self.count {
            return true;
        }
        let (bits, bit) = (&mut self.bits[(place / 64) as usize], 1 << (place % 64));
        let was_free = *bits & bit == 0;
        *bits |= bit;
        was_free
    }

    /// Returns the first position without an event.
    fn first_free(&self) -> Option<u64> {
        let is_free = |place: &u64| self.bits[(place / 64) as usize] & (1 << (place % 64)) == 0;
        (0..self.count).find(is_free).map(|place| place + 1)
    }
}

/// Describes the differences between a game's row and the positions and numbers of its events.
fn check_positions(
    stored: &StoredGame,
    number: i64,
    finished_position: Option<i64>,
    rows: &[LogRow],
    end: i64,
) -> Vec<String> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return vec!["the game has no events".to_owned()];
    };
    let mut faults = Vec::new();
    if last.row.seq != stored.seq {
        let (found, kept) = (last.row.seq, stored.seq);
        faults.push(format!(
            "event {found} is the last one, but the game is stored with {kept} as its last"
        ));
    }
    // If an earlier row was changed, that one is reported.
    let unbroken = rows.iter().all(|event| event.row.hash.len() == WHOLE_HASH);
    if unbroken && last.row.hash != stored.hash {
        let seq = last.row.seq;
        faults.push(format!(
            "event {seq}: its hash is not the one stored with the game"
        ));
    }
    if first.position != number as u64 {
        faults.push(format!(
            "the game has the number {number}, but its log begins at position {}",
            first.position
        ));
    }
    if !rows.is_sorted_by(|one, other| one.position < other.position) {
        faults.push("its events are not in order in the log of all games".to_owned());
    }
    if last.position > end as u64 {
        let place = last.position;
        faults.push(format!(
            "its last event is at position {place}, but the log of all games ends at {end}"
        ));
    }
    let finished = (stored.status == Status::Finished).then_some(last.position as i64);
    if finished_position != finished {
        faults.push(format!(
            "{STORED}as finished at {finished_position:?} instead of {finished:?}"
        ));
    }
    for (what, kept, row) in [
        ("created", stored.created_at, first),
        ("updated", stored.updated_at, last),
    ] {
        if time_text(kept) != row.row.at {
            faults.push(format!(
                "{STORED}as {what} at {}, but its log says {}",
                time_text(kept),
                row.row.at
            ));
        }
    }
    faults
}
