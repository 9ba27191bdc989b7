//! Updates games when an account changes its handle, is deleted, or receives the seats of a guest.

use std::sync::Arc;

use uuid::Uuid;

use crate::games::bodies::{AdoptedSeat, SeatProof};
use crate::games::create::{other_seat_of_account, seat_of};
use crate::games::draft::Draft;
use crate::games::model::{Seat, Status};
use crate::games::queries::lists::GameFilter;
use crate::games::service::Games;
use crate::http::call::{Access, Call};
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::scope::{Scope, Scopes};
use crate::http::secret::hashed;

/// How many games are read at a time.
const TOGETHER: usize = 1_000;

impl Games {
    /// Lets the caller's account leave its games that have not started.
    /// The token does not need the scope `play`.
    pub fn leave_open_games(&self, call: &Call, access: &Access) -> Result<(), ServiceError> {
        let account: Uuid = access.account;
        let with_play_scope = Call {
            token: call.token.clone(),
            access: Some(Arc::new(Access {
                scopes: Scopes::from_iter([Scope::Play]),
                ..access.clone()
            })),
            ..Call::default()
        };
        let open = GameFilter {
            player: Some(account.to_string()),
            status: Some(Status::Open),
            ..GameFilter::default()
        };
        let mut open_games = Vec::new();
        let mut after = None;
        loop {
            let page = self.store.games(&open, after, TOGETHER)?;
            open_games.extend(page.games);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        for (game, seats) in open_games {
            let seat = seats.iter().find(|seat| seat.account() == Some(account));
            if let Some(seat) = seat {
                match self.leave(game.id, &with_play_scope, seat.number) {
                    // The game has started since, or another request has freed the seat.
                    Ok(_)
                    | Err(
                        ServiceError::Conflict(..)
                        | ServiceError::Forbidden(_)
                        | ServiceError::GameOver { .. },
                    ) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Moves the seat of a guest or a placeholder to the caller's account, by the token of the seat.
    ///
    /// # Errors
    /// 404 if the token is of no seat of the game, also if there is no such game; 409 if the account already has a seat
    /// or the game is over; or the error of the store.
    pub fn adopt_seat(&self, call: &Call, proof: &SeatProof) -> Result<AdoptedSeat, ServiceError> {
        let access = call.account(Scope::Play)?;
        let hash = Some(hashed(&proof.token));
        let missing = || ServiceError::NotFound("seat with this token in this game".to_owned());
        let account = self.store.account_by_id(access.account)?;
        let account = account.ok_or_else(missing)?;
        let adopted = self.change(proof.game, call, |table| {
            let seat = table.seats.iter().find(|seat| seat.token == hash);
            let seat = seat.ok_or_else(missing)?;
            if table.status().is_over() {
                return Err(ServiceError::over(table.seq()));
            }
            let own = Seat {
                orders: seat.orders.clone(),
                // An organizer may be replacing the player.
                invited: seat.invited.filter(|invited| *invited != account.id),
                ..seat_of(seat.number, &account)
            };
            if let Some(other) = other_seat_of_account(&table.seats, &own) {
                let message = format!("your account already plays seat {other} of this game, or the seat is reserved for it");
                return Err(ServiceError::conflict(ConflictKind::AlreadySeated, message));
            }
            let adopted = AdoptedSeat {
                game: proof.game,
                seat: seat.number,
            };
            let mut draft = Draft::new(table, self.store.now());
            draft.seat_player(own);
            // The same person plays on.
            if let Some(bidding) = table.stored.pending_bidding() {
                draft.change_bidding(|changed, _| changed.clone_from(bidding));
            }
            Ok((draft, adopted))
        });
        adopted.map_err(|error| match error {
            ServiceError::NotFound(_) => missing(),
            other => other,
        })
    }

    /// Loads games again that are in memory and were just written, by their stored ids.
    pub fn refresh(&self, games: &[String]) -> Result<(), ServiceError> {
        for id in games.iter().filter_map(|id| id.parse().ok()) {
            if self.live.contains_key(&id) {
                self.learn_stored(id)?;
            }
        }
        Ok(())
    }
}
