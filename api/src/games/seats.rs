//! Seats: claiming, leaving, replacing, standing orders.

use engine::record::{Entry, Player};
use uuid::Uuid;

use super::bodies::{Claim, Claimed, GameBody, Replaced, Replacement, Status};
use super::create::{check_name, new_seat};
use super::orders::{self, StandingOrder};
use super::play::{check_running, reply};
use super::table::Draft;
use super::{Call, GameError, Games, secret, token};
use crate::store::Seat;

/// The most standing orders of a seat.
const MOST_ORDERS: usize = 200;

impl Draft {
    /// Puts a player on a seat and notes it in the log.
    fn seat_player(&mut self, seat: Seat) {
        let Seat { number, player, .. } = seat.clone();
        let id = player.actor().map(str::to_owned);
        self.set_seat(number, |old| *old = seat);
        let open = |seat: &Seat| seat.player == Player::Open;
        if self.table.status() == Status::Open && !self.table.seats.iter().any(open) {
            self.table.stored.status = Status::Running;
        }
        let entry = Entry::Seat {
            seat: number,
            player,
        };
        self.note(&entry, id);
    }
}

impl Games {
    /// Claims an open seat. The game starts when it was the last one.
    ///
    /// # Errors
    /// When there is no such seat, it is taken, or the store fails.
    pub fn claim(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
        claim: &Claim,
    ) -> Result<Claimed, GameError> {
        if let Some(name) = &claim.name {
            check_name("name", name)?;
        }
        let claimed = self.change(id, call, |table| {
            if table.seat(number)?.player != Player::Open {
                let message = format!("seat {number} is taken");
                return Err(GameError::Conflict(message));
            }
            if table.status().is_over() {
                return Err(GameError::over(table.seq()));
            }
            self.check_length(table)?;
            let token = token::fresh()?;
            let account = Uuid::now_v7().to_string();
            let player = Player::Person {
                id: account.clone(),
                name: claim.name.clone(),
            };
            let mut draft = Draft::new(table);
            draft.seat_player(Seat::new(number, player, Some(secret::hashed(&token))));
            reply(&mut draft);
            let claimed = Claimed {
                seat: number,
                player: account,
                token,
                game: draft.table.body()?,
            };
            Ok((draft, claimed))
        })?;
        let told = format!(
            "this request has claimed seat {number}; its token was shown then. Send a bearer token of \
             your own choice with a claim to be able to repeat it"
        );
        self.show_once(call, &told);
        Ok(claimed)
    }

    /// Leaves a seat of a game that has not started; it is open again.
    ///
    /// # Errors
    /// When the caller does not play the seat, the game has started, or the store fails.
    pub fn leave(&self, id: Uuid, call: &Call, number: u8) -> Result<GameBody, GameError> {
        self.change(id, call, |table| {
            call.own_seat(table, number)?;
            match table.status() {
                Status::Open => {}
                Status::Running => {
                    let message = "the game has started: resign, or ask the organizer";
                    return Err(GameError::Conflict(message.to_owned()));
                }
                _ => return Err(GameError::over(table.seq())),
            }
            let open = super::bodies::SeatPlayer::Open;
            let (seat, _) = new_seat(number, &open, "player")?;
            let mut draft = Draft::new(table);
            draft.seat_player(seat);
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }

    /// Puts another player or a bot on a seat, for the organizer.
    ///
    /// # Errors
    /// When the caller is not the organizer, the game is over, or the store fails.
    pub fn replace(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
        replacement: &Replacement,
    ) -> Result<Replaced, GameError> {
        self.change(id, call, |table| {
            call.organizer(table)?;
            table.seat(number)?;
            if table.status().is_over() {
                return Err(GameError::over(table.seq()));
            }
            self.check_length(table)?;
            let (seat, token) = new_seat(number, &replacement.player, "player")?;
            if seat.player == Player::Open && table.status() == Status::Running {
                let message = "a seat of a game that has started cannot be open";
                return Err(GameError::Conflict(message.to_owned()));
            }
            let mut draft = Draft::new(table);
            draft.seat_player(seat);
            reply(&mut draft);
            let game = draft.table.body()?;
            Ok((draft, Replaced { token, game }))
        })
    }

    /// The standing orders of a seat, for its player.
    ///
    /// # Errors
    /// When the caller does not play the seat, or the store fails.
    pub fn orders(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
    ) -> Result<Vec<StandingOrder>, GameError> {
        let table = self.table(id)?;
        call.own_seat(&table, number)?;
        Ok(table.orders(number))
    }

    /// Replaces the standing orders of a seat. A question that they answer is answered at once.
    ///
    /// # Errors
    /// When the caller does not play the seat, an order names what the game does not have, or the
    /// store fails.
    pub fn set_orders(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
        orders: &[StandingOrder],
    ) -> Result<Vec<StandingOrder>, GameError> {
        if orders.len() > MOST_ORDERS {
            let message = format!("at most {MOST_ORDERS} orders are kept");
            return Err(GameError::invalid("", message));
        }
        let text = serde_json::to_string(orders).map_err(|e| GameError::invalid("", e))?;
        self.change(id, call, |table| {
            call.own_seat(table, number)?;
            if table.status() != Status::Open {
                check_running(table)?;
            }
            if let Some((index, field)) = orders::first_unknown(&table.game, orders) {
                let message = "the game has nothing of this name";
                return Err(GameError::invalid(format!("[{index}].{field}"), message));
            }
            let mut draft = Draft::new(table);
            draft.set_seat(number, |seat| seat.orders.clone_from(&text));
            reply(&mut draft);
            Ok((draft, orders.to_vec()))
        })
    }
}
