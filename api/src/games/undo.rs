//! Undo: immediate, or after the other players agree to the request.

use engine::play::Payments;
use engine::setup::Player;
use records::{Entry, EventRow, Fold};
use uuid::Uuid;

use crate::games::bodies::{GameBody, Undo, UndoOutcome};
use crate::games::draft::Draft;
use crate::games::model::{Consent, LogRow, UndoAnswer};
use crate::games::orders;
use crate::games::play::{check_running, reply};
use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};

/// How many rows are searched at a time for a player's last decision.
const PART: u64 = 256;

impl Games {
    /// Goes back to an earlier event, by default to before the player's own last decision.
    /// The undo is immediate within the player's own turn, and if only bots have acted since. Otherwise every other
    /// person in the game must agree. If an event card was drawn since, everybody else must agree, and bots never do.
    /// There is one request at a time, and the next event makes it void.
    pub fn undo(&self, id: Uuid, call: &Call, undo: Undo) -> Result<UndoOutcome, ServiceError> {
        self.change(id, call, |table| {
            let seat = call.any_seat(table)?;
            check_running(table)?;
            self.check_length(table)?;
            let seq = table.seq();
            let mut fold = self.logs.reading(id, seq + 1)?.into_fold();
            let to = match undo.to {
                Some(to) => to,
                None => self.before_last_decision(table, seat, &fold)?,
            };
            if to > seq {
                let message = format!("the game has no event {to}: its last event is {seq}");
                return Err(ServiceError::invalid("to", message));
            }
            if !fold.counts(to) {
                let message = "this event was undone: name an event that was not";
                return Err(ServiceError::invalid("to", message));
            }
            if !fold.acted_after(to) {
                return Err(ServiceError::NothingToUndo { seq });
            }
            let drawn = fold.drew_after(to);
            if drawn && let Some(bot) = table.seats_in_game(is_bot).next() {
                return Err(ServiceError::conflict(ConflictKind::UndoRefused, format!(
                    "an event card was drawn since, and the bot in seat {bot} never agrees to undo a draw"
                )));
            }
            let since = self.logs.rows_between(id, to + 1, seq)?;
            let mut draft = Draft::new(table, self.store.now());
            if drawn || !within_own_turn(table, &since, seat) {
                agree(&mut draft, seat, to)?;
                if let Some(request) = draft.table.undo_request()
                    && !request.missing.is_empty()
                {
                    return Ok((draft, UndoOutcome::Pending(request)));
                }
            }
            let player = table.seat(seat)?.player.actor().map(str::to_owned);
            let undone = fold.apply_entry(&Entry::Undo(to), player.as_deref());
            undone.map_err(|fault| ServiceError::damaged(id, fault))?;
            draft.go_back(to, fold.into_state(), player);
            forget_consents(&mut draft);
            reply(&mut draft);
            let acted = draft.response()?;
            Ok((draft, UndoOutcome::Done(Box::new(acted))))
        })
    }

    /// Returns the event before the last valid decision of the player in a seat.
    /// What the player would only do again is not a decision ([`Games::had_choice`]).
    ///
    /// # Errors
    /// [`ServiceError::NothingToUndo`] if the player has decided nothing, or the error of the store.
    fn before_last_decision(
        &self,
        table: &Table,
        number: u8,
        fold: &Fold,
    ) -> Result<u64, ServiceError> {
        let player = table.seat(number)?.player.actor();
        let mut last = table.seq();
        while last > 0 {
            let first = last.saturating_sub(PART - 1).max(1);
            let rows = self.logs.rows_between(table.id(), first, last)?;
            for LogRow { row, .. } in rows.iter().rev() {
                let is_own = row.nation.is_some() && row.player.as_deref() == player;
                if is_own && fold.counts(row.seq) && self.had_choice(table, number, row)? {
                    return Ok(row.seq - 1);
                }
            }
            last = first - 1;
        }
        Err(ServiceError::NothingToUndo { seq: table.seq() })
    }

    /// Returns true if a seat could have acted differently at an event.
    /// It could not if its standing orders answered, or if the event was the only legal action, such as the end of a
    /// turn in which nothing else is possible.
    fn had_choice(&self, table: &Table, seat: u8, row: &EventRow) -> Result<bool, ServiceError> {
        let before = self.logs.reading(table.id(), row.seq)?;
        let (game, state) = (before.game(), before.state());
        let question = game.question(state);
        let Some(question) = question.filter(|asked| game.seat_of(asked.nation()) == seat) else {
            // The player resigned out of turn.
            return Ok(true);
        };
        if orders::decide(game, state, &table.orders(seat), &question).is_some() {
            return Ok(false);
        }
        let mut legal = Vec::new();
        game.legal_actions(state, Payments::Default, &mut legal);
        Ok(match legal.as_slice() {
            [only] => game.print_by(state, question.nation(), only) != row.notation,
            _ => true,
        })
    }

    /// Ends the undo request: the player who made it withdraws it, any other player declines it.
    pub fn decline_undo(&self, id: Uuid, call: &Call) -> Result<GameBody, ServiceError> {
        self.change(id, call, |table| {
            let seat = call.any_seat(table)?;
            check_running(table)?;
            let request = table.undo_request();
            let request =
                request.ok_or_else(|| ServiceError::NotFound("pending undo request".to_owned()))?;
            let mut draft = Draft::new(table, self.store.now());
            forget_consents(&mut draft);
            let end = Consent {
                seq: request.seq,
                to: request.to,
                answer: match request.by == seat {
                    true => UndoAnswer::Withdrawn,
                    false => UndoAnswer::Declined,
                },
            };
            draft.set_seat(seat, |seat| seat.consent = Some(end));
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }
}

/// Records that a seat makes the undo request or agrees to it.
fn agree(draft: &mut Draft, seat: u8, to: u64) -> Result<(), ServiceError> {
    let seq = draft.table.seq();
    let mut at = jiff::Timestamp::now().as_microsecond();
    if let Some(request) = draft.table.undo_request() {
        if request.to == to && request.agreed.contains(&seat) {
            return Ok(());
        }
        if request.to != to && request.by != seat {
            return Err(ServiceError::conflict(
                ConflictKind::UndoPending,
                format!(
                    "seat {} has requested to undo back to event {}: agree to that, or decline it first",
                    request.by, request.to
                ),
            ));
        }
        if request.to != to {
            // A player who requests something else must ask all others again.
            forget_consents(draft);
        }
        // The requester stays the same even if the nodes' clocks differ.
        at = at.max(request.since.as_microsecond() + 1);
    }
    let consent = Consent {
        seq,
        to,
        answer: UndoAnswer::Agreed { at },
    };
    draft.set_seat(seat, |seat| seat.consent = Some(consent));
    Ok(())
}

fn forget_consents(draft: &mut Draft) {
    for number in 0..draft.table.seats.len() as u8 {
        let seat = &draft.table.seats[usize::from(number)];
        if seat.consent.is_some() {
            draft.set_seat(number, |seat| seat.consent = None);
        }
    }
}

/// Returns true if all events since then are the seat's own, in the turn that is still its.
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
