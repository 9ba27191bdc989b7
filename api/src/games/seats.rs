//! Seats: claiming, leaving, replacing, standing orders.

use engine::setup::{GUEST, Player};
use uuid::Uuid;

use crate::accounts::token;
use crate::games::bodies::{Claim, Claimed, GameBody, Replaced, Replacement};
use crate::games::create::{seat_of, seated_twice};
use crate::games::draft::Draft;
use crate::games::model::{Claims, Seat, Status};
use crate::games::orders::{self, StandingOrder};
use crate::games::play::{check_running, reply};
use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::scope::Scope;
use crate::http::secret;

/// The most standing orders of a seat.
const MOST_ORDERS: usize = 200;

/// Whether a seat is kept for the caller's account.
fn is_kept_for(seat: &Seat, call: &Call) -> bool {
    let account = call.access.as_deref().map(|access| access.account);
    seat.invited.is_some() && seat.invited == account
}

/// A seat that is kept for an account is no one else's, and others may be for nobody.
fn check_kept(seat: &Seat, claims: Claims, call: &Call) -> Result<(), ServiceError> {
    match (seat.invited, call.access.as_deref()) {
        (Some(account), Some(access)) if account != access.account => Err(ServiceError::Forbidden(
            format!("seat {} is kept for another player", seat.number),
        )),
        (None, _) if claims == Claims::Invited => Err(ServiceError::Forbidden(
            "the seats of this game are for players who are invited".to_owned(),
        )),
        (Some(_), None) => Err(ServiceError::Unauthenticated(
            "this seat is kept for a player, who claims it with a token of the account",
        )),
        _ => Ok(()),
    }
}

impl Games {
    /// Claims an open seat, for the caller's account or for a guest, or one that is kept for the account in a game that
    /// has started. The game starts when it was the last open one.
    pub fn claim(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
        claim: &Claim,
    ) -> Result<Claimed, ServiceError> {
        match &call.access {
            Some(access) => access.needs(Scope::Play)?,
            None if !self.accounts.admission.guests => {
                let message = "seats are claimed with a token of an account here";
                return Err(ServiceError::Unauthenticated(message));
            }
            None => {}
        }
        if call.access.is_some() && claim.name.is_some() {
            let message = "an account is shown by its handle";
            return Err(ServiceError::invalid("name", message));
        }
        self.change(id, call, |table| {
            let seat = table.seat(number)?;
            if seat.player != Player::Open && !is_kept_for(seat, call) {
                let message = format!("seat {number} is taken");
                return Err(ServiceError::Conflict(message));
            }
            check_kept(seat, table.stored.claims, call)?;
            if table.status().is_over() {
                return Err(ServiceError::over(table.seq()));
            }
            self.check_length(table)?;
            let (seat, token) = self.claimed_seat(table, call, number, claim)?;
            let player = seat.player.actor().unwrap_or_default().to_owned();
            let account = seat.account();
            let mut draft = Draft::new(table, self.store.now());
            draft.seat_player(seat);
            // Nobody sits twice, so what else is kept for the account is free.
            let others = table.seats.iter().filter(|seat| seat.invited.is_some());
            for other in others.filter(|seat| seat.number != number && seat.invited == account) {
                draft.set_seat(other.number, |seat| seat.invited = None);
            }
            reply(&mut draft);
            draft.secret_of = token.as_ref().map(|_| format!("/v1/games/{id}"));
            let claimed = Claimed {
                seat: number,
                player,
                token,
                game: draft.table.body()?,
            };
            Ok((draft, claimed))
        })
    }

    /// The seat of who claims it, with the token of a guest.
    fn claimed_seat(
        &self,
        table: &Table,
        call: &Call,
        number: u8,
        claim: &Claim,
    ) -> Result<(Seat, Option<String>), ServiceError> {
        let Some(access) = &call.access else {
            let token = token::fresh()?;
            let player = Player::Person {
                id: format!("{GUEST}{}", Uuid::now_v7()),
                name: claim.name.clone(),
            };
            let seat = Seat::new(number, player, Some(secret::hashed(&token)));
            return Ok((seat, Some(token)));
        };
        if let Some(other) = table.seat_of(access.account) {
            let message = format!("your account plays seat {other} of this game already");
            return Err(ServiceError::Conflict(message));
        }
        let account = self.store.account_by_id(access.account)?;
        let account = account.filter(|account| account.deleted_at.is_none());
        let account = account.ok_or(ServiceError::Unauthenticated("the account is deleted"))?;
        Ok((seat_of(number, &account), None))
    }

    /// Leaves a seat of a game that has not started, or ends an invitation: an account declines a seat that is kept for
    /// it, an organizer keeps it no longer. Before the start the seat is open for anybody then.
    pub fn leave(&self, id: Uuid, call: &Call, number: u8) -> Result<GameBody, ServiceError> {
        self.change(id, call, |table| {
            let seat = table.seat(number)?;
            let ends_invitation = seat.invited.is_some()
                && (is_kept_for(seat, call) || self.access.check_organizer(call, table).is_ok());
            match call.access.as_deref() {
                Some(access) if is_kept_for(seat, call) => access.needs(Scope::Play)?,
                _ if ends_invitation => {}
                _ => call.own_seat(table, number)?,
            }
            match table.status() {
                Status::Open => {}
                Status::Running if ends_invitation => {
                    let mut draft = Draft::new(table, self.store.now());
                    draft.set_seat(number, |seat| seat.invited = None);
                    let body = draft.table.body()?;
                    return Ok((draft, body));
                }
                Status::Running => {
                    let message = "the game has started: resign, or ask the organizer";
                    return Err(ServiceError::Conflict(message.to_owned()));
                }
                _ => return Err(ServiceError::over(table.seq())),
            }
            let mut draft = Draft::new(table, self.store.now());
            draft.seat_player(Seat::new(number, Player::Open, None));
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }

    /// Puts another player or a bot on a seat, for the organizer. In a game that has started the seat is kept for an
    /// account other than the caller's, and its player plays on until the account claims it.
    pub fn replace(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
        replacement: &Replacement,
    ) -> Result<Replaced, ServiceError> {
        self.change(id, call, |table| {
            self.access.check_organizer(call, table)?;
            table.seat(number)?;
            if table.status().is_over() {
                return Err(ServiceError::over(table.seq()));
            }
            if call.own_seat(table, number).is_err() {
                self.access.check_impartial(call, table)?;
            }
            self.check_length(table)?;
            let (seat, token) = self.new_seat(call, number, &replacement.player, "player")?;
            if let Some(other) = seated_twice(&table.seats, &seat) {
                let message = format!("this account sits at seat {other} of this table, or may");
                return Err(ServiceError::Conflict(message));
            }
            let mut draft = Draft::new(table, self.store.now());
            if table.status() == Status::Running {
                let account = seat.account().or(seat.invited);
                if account.is_some() && !table.is_in_game(number) {
                    let message = format!("seat {number} has resigned: nothing is left to play");
                    return Err(ServiceError::Conflict(message));
                }
                let plays = account.is_some() && table.seat(number)?.account() == account;
                if plays || seat.invited.is_some() {
                    let invited = seat.invited.filter(|_| !plays);
                    draft.set_seat(number, |seat| seat.invited = invited);
                    let game = draft.table.body()?;
                    return Ok((draft, Replaced { token, game }));
                }
                if seat.player == Player::Open {
                    let message = "a seat of a game that has started cannot be open: name an account, a \
                                   placeholder or a bot";
                    return Err(ServiceError::Conflict(message.to_owned()));
                }
            }
            let is_bot = matches!(seat.player, Player::Bot { .. });
            draft.seat_player(seat);
            if is_bot {
                draft.charged_to = self.bots_charged(call, &draft.table)?;
            }
            reply(&mut draft);
            let game = draft.table.body()?;
            Ok((draft, Replaced { token, game }))
        })
    }

    /// The standing orders of a seat, for its player.
    pub fn orders(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
    ) -> Result<Vec<StandingOrder>, ServiceError> {
        let table = self.table(id)?;
        call.own_seat(&table, number)?;
        Ok(table.orders(number))
    }

    /// Replaces the standing orders of a seat. A question that they answer is answered at once.
    pub fn set_orders(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
        orders: &[StandingOrder],
    ) -> Result<Vec<StandingOrder>, ServiceError> {
        if orders.len() > MOST_ORDERS {
            let message = format!("at most {MOST_ORDERS} orders are kept");
            return Err(ServiceError::invalid("", message));
        }
        let text = serde_json::to_string(orders).map_err(|e| ServiceError::invalid("", e))?;
        self.change(id, call, |table| {
            call.own_seat(table, number)?;
            if table.status() != Status::Open {
                check_running(table)?;
            }
            if let Some((index, field)) = orders::first_unknown(&table.game, orders) {
                let message = "the game has nothing of this name";
                return Err(ServiceError::invalid(format!("[{index}].{field}"), message));
            }
            let mut draft = Draft::new(table, self.store.now());
            draft.set_seat(number, |seat| seat.orders.clone_from(&text));
            reply(&mut draft);
            Ok((draft, orders.to_vec()))
        })
    }
}
