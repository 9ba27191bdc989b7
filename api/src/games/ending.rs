//! Going back, and ending a game by decision.

use engine::record::{Decision, DecisionError, Entry, Player};
use engine::words::EndReason;
use uuid::Uuid;

use super::bodies::{Acted, Adjudication, GameBody, Status, Undo, Undone};
use super::play::{check_running, reply};
use super::table::{Draft, Table};
use super::{Call, GameError, Games};
use crate::store::{Consent, LogRow, Seat};

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
            self.check_length(table)?;
            if undo.to >= table.seq() {
                let message = format!("only events before {} can be gone back to", table.seq());
                return Err(GameError::invalid("to", message));
            }
            let mut fold = self.reading(id, table.seq() + 1)?.into_fold();
            if !fold.counts(undo.to) {
                let message = "this event was undone; name one that still counts";
                return Err(GameError::invalid("to", message));
            }
            let drawn = fold.drew_behind(undo.to);
            if drawn && let Some(bot) = players(table, is_bot).next() {
                return Err(GameError::Conflict(format!(
                    "an event card was drawn since, and seat {bot}, a bot, does not agree to take \
                     that back"
                )));
            }
            let mut draft = Draft::new(table);
            let wish = Consent {
                seq: table.seq(),
                to: undo.to,
            };
            draft.set_seat(seat, |seat| seat.consent = Some(wish));
            let since = self.rows_between(id, undo.to + 1, table.seq())?;
            let agreed = |table: &Table| seats_that_agree(table, wish);
            let missing = match !drawn && within_own_turn(table, &since, seat) {
                true => Vec::new(),
                false => players(table, is_person)
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
            let player = table.seat(seat)?.player.actor().map(str::to_owned);
            let undone = fold.follow(&Entry::Undo(undo.to), player.as_deref());
            undone.map_err(|fault| GameError::damaged(id, fault))?;
            draft.go_back(undo.to, fold.into_state(), player);
            for number in 0..table.seats.len() as u8 {
                draft.set_seat(number, |seat| seat.consent = None);
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
        let checked = note.map_or(Ok(()), engine::record::check_note);
        checked.map_err(|message| GameError::invalid("note", message))?;
        let reason = adjudication.reason.unwrap_or(EndReason::Adjudication);
        self.change(id, call, |table| {
            call.organizer(table)?;
            check_running(table)?;
            let ranks = adjudication.ranks.iter().map(|r| (r.seat, r.rank));
            let result = table.game.decide(&table.state, reason, ranks);
            let result = result.map_err(|error| {
                let field = match error {
                    DecisionError::Reason(_) => "reason",
                    _ => "ranks",
                };
                GameError::invalid(field, error)
            })?;
            let mut draft = Draft::new(table);
            draft.finish(Some(&result));
            let decision = Decision {
                result,
                note: adjudication.note.clone(),
                declared: false,
            };
            draft.note(&Entry::Adjudicate(Box::new(decision)), None);
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
            draft.note(&Entry::Abandon, None);
            draft.finish(None);
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }
}

/// Whether everything since the event is the seat's own doing in the turn that it still has.
fn within_own_turn(table: &Table, since: &[LogRow], seat: u8) -> bool {
    let own = |LogRow { row, .. }: &LogRow| {
        let nation = row
            .nation
            .as_deref()
            .and_then(|n| table.game.nation_by_name(n));
        let own = nation.is_some_and(|nation| table.game.seat_of(nation) == seat);
        (own && row.turn == table.state.turn) || matches!(row.notation.parse(), Ok(Entry::Undo(_)))
    };
    table.game.seat_of(table.state.to_move) == seat && since.iter().all(own)
}

fn is_bot(player: &Player) -> bool {
    matches!(player, Player::Bot { .. })
}

fn is_person(player: &Player) -> bool {
    matches!(player, Player::Person { .. })
}

/// The seats of such players who are still in the game: without the people nothing is undone.
fn players(table: &Table, such: fn(&Player) -> bool) -> impl Iterator<Item = u8> {
    let plays = |seat: &u8| {
        let left = |nation| !table.state.nation(nation).resigned;
        table.game.nations_of(*seat).any(left)
    };
    let seats = table.seats.iter().filter(move |seat| such(&seat.player));
    seats.map(|seat| seat.number).filter(plays)
}

fn seats_that_agree(table: &Table, wish: Consent) -> Vec<u8> {
    let agrees = |seat: &&Seat| seat.consent == Some(wish);
    let agreeing = table.seats.iter().filter(agrees);
    agreeing.map(|seat| seat.number).collect()
}
