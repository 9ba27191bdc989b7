//! Going back, and ending a game by decision.

use engine::words::EndReason;
use serde_json::json;
use uuid::Uuid;

use super::bodies::{Acted, Adjudication, EventKind, GameBody, Status, Undo, Undone};
use super::play::{check_running, reply};
use super::table::{self, Draft, Table};
use super::{Call, GameError, Games, log};
use crate::store::StoredEvent;

/// The longest note of an adjudication, in bytes.
const LONGEST_NOTE: usize = 1000;

impl Games {
    /// Goes back to an earlier event. Within the own turn, and where nobody but bots has acted
    /// since, at once; else when every other person at the table has asked for the same. A card that
    /// was drawn since is known for good: everybody else must agree to take that back, and bots do
    /// not.
    ///
    /// # Errors
    /// When the caller plays no seat, the event cannot be gone back to, a bot does not agree, or the
    /// store fails.
    pub fn undo(&self, id: Uuid, call: &Call, undo: Undo) -> Result<Undone, GameError> {
        self.change(id, call, |table| {
            let seat = call.any_seat(table)?;
            check_running(table)?;
            let rows = self.log(&table.row.id, Some(table.row.seq))?;
            let to = check_target(table, &rows, undo)?;
            let (game, first) = table::start(&table.row, &self.library)?;
            let drawn = log::draws_behind(&game, &first, &rows, to)?;
            if drawn && let Some(bot) = players(table, "bot").next() {
                return Err(GameError::Conflict(format!(
                    "an event card was drawn since, and seat {bot}, a bot, does not agree to take \
                     that back"
                )));
            }
            let mut draft = Draft::new(table);
            let wish = format!("{}:{}", table.seq(), to);
            draft.set_seat(seat, |row| row.consent = Some(wish.clone()));
            let agreed = |table: &Table| seats_that_agree(table, &wish);
            let missing = match !drawn && within_own_turn(table, &rows, seat, to) {
                true => Vec::new(),
                false => players(table, "person")
                    .filter(|person| !agreed(&draft.table).contains(person))
                    .collect(),
            };
            if !missing.is_empty() {
                let asked = Undone::Asked {
                    seq: table.seq(),
                    to: undo.to,
                    agreed: agreed(&draft.table),
                    missing,
                };
                return Ok((draft, asked));
            }
            let player = table.seat(seat)?.player_id.clone();
            draft.go_back(undo.to, log::state_at(&game, &first, &rows, to)?, player);
            for number in 0..table.seats.len() as u8 {
                draft.set_seat(number, |row| row.consent = None);
            }
            reply(&mut draft);
            let acted = draft.acted()?;
            Ok((draft, Undone::Done(Box::new(acted))))
        })
    }

    /// Ends a game with ranks that its organizer gives.
    ///
    /// # Errors
    /// When the caller is not the organizer, the ranks are none, the game is over, or the store
    /// fails.
    pub fn adjudicate(
        &self,
        id: Uuid,
        call: &Call,
        adjudication: &Adjudication,
    ) -> Result<Acted, GameError> {
        let note = adjudication.note.as_deref();
        if note.is_some_and(|note| note.len() > LONGEST_NOTE) {
            let message = format!("at most {LONGEST_NOTE} bytes are kept");
            return Err(GameError::invalid("note", message));
        }
        let reason = adjudication.reason.unwrap_or(EndReason::Adjudication);
        if !matches!(reason, EndReason::Adjudication | EndReason::Agreement) {
            let message = "only adjudication and agreement are decisions of people";
            return Err(GameError::invalid("reason", message));
        }
        self.change(id, call, |table| {
            call.organizer(table)?;
            check_running(table)?;
            let ranks = ranks_by_seat(table, adjudication)?;
            let result = table
                .game
                .rank_seats(&table.state, reason, ranks.into_iter());
            let told = json!({
                "reason": result.reason, "ranks": result.ranks, "note": adjudication.note,
            });
            let mut draft = Draft::new(table);
            draft.note(EventKind::Adjudicate, format!("adjudicate {told}"), None);
            draft.finish(Some(&result));
            let acted = draft.acted()?;
            Ok((draft, acted))
        })
    }

    /// Gives up a game without a result, for the organizer. Its log stays.
    ///
    /// # Errors
    /// When the caller is not the organizer, the game has started or is over, or the store fails.
    pub fn abandon(&self, id: Uuid, call: &Call) -> Result<GameBody, GameError> {
        self.change(id, call, |table| {
            call.organizer(table)?;
            match table.status() {
                Status::Open => {}
                Status::Running => {
                    let message = "the game has started: adjudicate it";
                    return Err(GameError::Conflict(message.to_owned()));
                }
                _ => return Err(GameError::GameOver { seq: table.seq() }),
            }
            let mut draft = Draft::new(table);
            draft.note(EventKind::Adjudicate, "adjudicate null".to_owned(), None);
            draft.finish(None);
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }
}

/// The row to go back to: an earlier one that the game still stands on, and not the present.
fn check_target(table: &Table, rows: &[StoredEvent], undo: Undo) -> Result<usize, GameError> {
    if undo.to >= table.seq() {
        let message = format!("only events before {} can be gone back to", table.seq());
        return Err(GameError::invalid("to", message));
    }
    let to = undo.to as usize;
    if log::path(rows, rows.len() - 1).contains(&to) {
        Ok(to)
    } else {
        let message = "this event was undone; name one that still counts";
        Err(GameError::invalid("to", message))
    }
}

/// Whether everything since the event is the seat's own doing in the turn that it still has.
fn within_own_turn(table: &Table, rows: &[StoredEvent], seat: u8, to: usize) -> bool {
    let turn = i64::from(table.state.turn);
    let own = |row: &StoredEvent| {
        let nation = row
            .nation
            .as_deref()
            .and_then(|n| table.game.nation_by_name(n));
        let own = nation.is_some_and(|nation| table.game.seat_of(nation) == seat);
        (own && row.turn == turn) || row.notation.starts_with("undo ")
    };
    table.game.seat_of(table.state.to_move) == seat && rows[to + 1..].iter().all(own)
}

/// The seats of people, or of bots, who are still in the game: without the people nothing is undone.
fn players(table: &Table, kind: &'static str) -> impl Iterator<Item = u8> {
    let plays = |seat: &u8| {
        let left = |nation| !table.state.nation(nation).resigned;
        table.game.nations_of(*seat).any(left)
    };
    let seats = table.seats.iter().filter(move |row| row.kind == kind);
    seats.map(|row| row.seat as u8).filter(plays)
}

fn seats_that_agree(table: &Table, wish: &str) -> Vec<u8> {
    let agrees = table
        .seats
        .iter()
        .filter(|row| row.consent.as_deref() == Some(wish));
    agrees.map(|row| row.seat as u8).collect()
}

/// The rank of each seat, every seat once and the best rank 1.
fn ranks_by_seat(table: &Table, given: &Adjudication) -> Result<Vec<(u8, u8)>, GameError> {
    let mut ranks: Vec<(u8, u8)> = given.ranks.iter().map(|r| (r.seat, r.rank)).collect();
    ranks.sort_unstable();
    let seats: Vec<u8> = ranks.iter().map(|(seat, _)| *seat).collect();
    if seats != (0..table.seats.len() as u8).collect::<Vec<u8>>() {
        return Err(GameError::invalid("ranks", "every seat has one rank"));
    }
    let most = ranks.len() as u8;
    let in_range = ranks.iter().all(|(_, rank)| (1..=most).contains(rank));
    if !in_range || ranks.iter().all(|(_, rank)| *rank != 1) {
        let message = format!("ranks go from 1 to {most}, and somebody is first");
        return Err(GameError::invalid("ranks", message));
    }
    Ok(ranks)
}
