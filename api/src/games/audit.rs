//! Auditing: every row of the database is accounted for, and what does not fit is named. Games are read a few at a
//! time.

use engine::content::Library;
use records::{Checkpoint, Fold, Record};

use crate::db::Store;
use crate::db::time::time_text;
use crate::games::log::{WHOLE_HASH, whole_log};
use crate::games::model::{LogRow, Seat, Status, StoredGame};
use crate::games::projection;
use crate::games::queries::audit::{RowCounts, WholeGame};
use crate::games::records::record_of;
use crate::games::setup::{start_stored, stored_setup};
use crate::http::error::ServiceError;
use crate::signing::checkpoints::{Covered, KeptCheckpoint, first_unlike};

/// How many games are read at a time.
const TOGETHER: i64 = 64;

/// What an audit comes upon.
#[derive(Debug)]
pub enum Finding<'a> {
    /// The record of a game that is kept as finished, with its log; whether it holds is still to be
    /// verified.
    Record(&'a Record),
    /// Something that does not fit, in words that name the game and the event.
    Fault(String),
}

/// How much was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditedGames {
    /// Games.
    pub games: u64,
    /// Games that are not over.
    pub unfinished: u64,
    /// Seats.
    pub seats: u64,
    /// Events.
    pub events: u64,
}

/// Goes through every game, seat and event: each row follows from those before it, each game is as its log says, no
/// place in the log of all games is empty, nothing belongs to no game, and the log is that of the checkpoints, also
/// of `elsewhere`, which are kept outside the database. The rows by which lists find games follow from the games.
/// `each` receives what does not fit.
pub fn audit<E: From<ServiceError>>(
    store: &Store,
    library: &Library,
    checkpoints: &[Checkpoint],
    elsewhere: &[KeptCheckpoint],
    mut each: impl FnMut(Finding<'_>) -> Result<(), E>,
) -> Result<AuditedGames, E> {
    let account = store.account().map_err(ServiceError::from)?;
    let mut taken = Places::new(account.events);
    for fault in missing(&account) {
        each(Finding::Fault(fault))?;
    }
    let mut covered = vec![Covered::default(); checkpoints.len()];
    let mut covered_elsewhere = vec![Covered::default(); elsewhere.len()];
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
                let (seq, place) = (event.row.seq, event.position);
                let message = "of the log of all games has another event already";
                each(fault(format!("event {seq}: its place {place} {message}")))?;
            }
            for message in places(&stored, number, listed.finished_position, &rows, end) {
                each(fault(message))?;
            }
            audited.unfinished += u64::from(!stored.status.is_over());
            let mut record = None;
            if stored.status == Status::Finished {
                if stored.signature.is_none() {
                    each(fault(
                        "it is finished, and its signature is missing".to_owned(),
                    ))?;
                }
                // The whole hash of the last event is stored, not computed.
                if let Some(last) = rows.last_mut() {
                    last.row.hash.clone_from(&stored.hash);
                }
                match record_of(&stored, &seats, &rows, true, library) {
                    Ok(told) => {
                        each(Finding::Record(&told))?;
                        record = Some(told);
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
            if let Err(message) = follows(library, &stored, &seats, &rows) {
                // The record of a finished game shows it as well.
                if stored.status != Status::Finished || message.starts_with(KEPT) {
                    each(fault(message))?;
                }
            }
        }
    }
    if let Some(place) = taken.first_free() {
        let fault = format!("the log of all games has no event that can be read at {place}");
        each(Finding::Fault(fault))?;
    }
    let outside = elsewhere.iter().map(|kept| &kept.checkpoint);
    let unlike = [
        first_unlike(checkpoints, covered),
        first_unlike(outside, covered_elsewhere),
    ];
    for fault in unlike.into_iter().flatten() {
        each(Finding::Fault(fault))?;
    }
    Ok(audited)
}

/// Whether a game is as its log says.
fn follows(
    library: &Library,
    stored: &StoredGame,
    seats: &[Seat],
    rows: &[LogRow],
) -> Result<(), String> {
    let start = start_stored(stored, library);
    let (game, first) = start.map_err(|error| error.to_string())?;
    let mut fold = Fold::new(game.into(), first);
    for LogRow { row, .. } in rows {
        let taken = fold.take(row);
        taken.map_err(|fault| format!("event {}: {fault}", row.seq))?;
    }
    let told: Vec<_> = seats.iter().map(|seat| seat.player.clone()).collect();
    if fold.players() != told {
        return Err(format!("{KEPT}with other seats than its log tells"));
    }
    let result = fold.result();
    let open = |player: &engine::setup::Player| *player == engine::setup::Player::Open;
    let status = match (&result, fold.is_abandoned()) {
        (_, true) => Status::Abandoned,
        (Some(_), _) => Status::Finished,
        (None, _) if fold.players().iter().any(open) => Status::Open,
        (None, _) => Status::Running,
    };
    if status != stored.status {
        let (kept, told) = (stored.status.name(), status.name());
        return Err(format!(
            "{KEPT}as {kept}, and its log tells that it is {told}"
        ));
    }
    if result != stored.result {
        return Err(format!("{KEPT}with another result than its log tells"));
    }
    let setup = stored_setup(stored).map_err(|error| error.to_string())?;
    if (&setup.edition, &setup.board) != (&stored.edition, &stored.board) {
        return Err(format!(
            "{KEPT}as a game of {} on {}, and its setup tells {} on {}",
            stored.edition, stored.board, setup.edition, setup.board
        ));
    }
    Ok(())
}

/// How messages begin that hold the game's row against its log.
const KEPT: &str = "it is kept ";

/// Rows that are not where they should be, or are not there.
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
            "the log of all games has {events} events, and {end} places were given away"
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
            "lists find {players_of_no_game} players of no game"
        ));
    }
    faults
}

/// Which places of the log of all games are taken, of as many as it has events: a bit for each.
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

    /// Takes the place of an event and says whether it was free. One that came in since the events were
    /// counted has its place behind them.
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

    /// The first position at which no event was found.
    fn first_free(&self) -> Option<u64> {
        let is_free = |place: &u64| self.bits[(place / 64) as usize] & (1 << (place % 64)) == 0;
        (0..self.count).find(is_free).map(|place| place + 1)
    }
}

/// What of a game's row does not fit the places and numbers of its events.
fn places(
    stored: &StoredGame,
    number: i64,
    finished_position: Option<i64>,
    rows: &[LogRow],
    end: i64,
) -> Vec<String> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return vec!["it has no events".to_owned()];
    };
    let mut faults = Vec::new();
    if last.row.seq != stored.seq {
        let (found, kept) = (last.row.seq, stored.seq);
        faults.push(format!(
            "event {found} is its last, and the game is kept at {kept}"
        ));
    }
    // Where a row before it was altered, that one is named.
    let unbroken = rows.iter().all(|event| event.row.hash.len() == WHOLE_HASH);
    if unbroken && last.row.hash != stored.hash {
        let seq = last.row.seq;
        faults.push(format!(
            "event {seq}: its hash is not the one that the game is kept with"
        ));
    }
    if first.position != number as u64 {
        faults.push(format!(
            "it has the number {number}, and its log begins at {}",
            first.position
        ));
    }
    if !rows.is_sorted_by(|one, other| one.position < other.position) {
        faults.push("its events do not stand in their order in the log of all games".to_owned());
    }
    if last.position > end as u64 {
        let place = last.position;
        faults.push(format!(
            "its last event stands at {place}, and the log of all games ends at {end}"
        ));
    }
    let finished = (stored.status == Status::Finished).then_some(last.position as i64);
    if finished_position != finished {
        faults.push(format!(
            "{KEPT}as finished at {finished_position:?}, not {finished:?}"
        ));
    }
    for (what, kept, row) in [
        ("created", stored.created_at, first),
        ("updated", stored.updated_at, last),
    ] {
        if time_text(kept) != row.row.at {
            faults.push(format!(
                "{KEPT}as {what} at {}, its log says {}",
                time_text(kept),
                row.row.at
            ));
        }
    }
    faults
}
