//! Seats: claim, leave, replace the player, standing orders.

use engine::setup::Player;
use uuid::Uuid;

use crate::games::bidding::NewBids;
use crate::games::bodies::{Claim, ClaimOutcome, GameBody, Replacement, ReplacementOutcome};
use crate::games::create::{new_guest, other_seat_of_account, seat_of};
use crate::games::draft::Draft;
use crate::games::model::{Claims, Seat, Status};
use crate::games::orders::{self, StandingOrder};
use crate::games::play::{check_running, reply};
use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::scope::Scope;

/// The most standing orders of a seat.
const MAX_ORDERS: usize = 200;

/// Returns true if a seat is reserved for the caller's account.
pub(in crate::games) fn is_reserved_for(seat: &Seat, call: &Call) -> bool {
    let account = call.access.as_deref().map(|access| access.account);
    seat.invited.is_some() && seat.invited == account
}

/// Refuses a seat that has a player and is not reserved for the caller's account.
pub(in crate::games) fn check_free(seat: &Seat, call: &Call) -> Result<(), ServiceError> {
    if seat.player == Player::Open || is_reserved_for(seat, call) {
        return Ok(());
    }
    let message = format!("seat {} is taken: choose an open seat", seat.number);
    Err(ServiceError::conflict(ConflictKind::SeatTaken, message))
}

/// Refuses a caller who may not claim the seat: it is for another account, or for invited ones only.
pub(in crate::games) fn check_reservation(
    seat: &Seat,
    claims: Claims,
    call: &Call,
) -> Result<(), ServiceError> {
    match (seat.invited, call.access.as_deref()) {
        (Some(account), Some(access)) if account != access.account => Err(ServiceError::Forbidden(
            format!("seat {} is reserved for another account", seat.number),
        )),
        (None, _) if claims == Claims::Invited => Err(ServiceError::Forbidden(
            "only invited accounts can claim a seat of this game: ask the organizer for an invitation".to_owned(),
        )),
        (Some(_), None) => Err(ServiceError::Unauthenticated(
            "this seat is reserved for an account: send a token of that account",
        )),
        _ => Ok(()),
    }
}

impl Games {
    /// Claims an open or reserved seat for the caller's account, or an open seat for a guest.
    /// The game starts when no seat is open. A reserved seat can also be claimed in a running game.
    pub fn claim(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
        claim: &Claim,
    ) -> Result<ClaimOutcome, ServiceError> {
        self.claim_chosen(id, call, claim, |table| {
            let seat = table.seat(number)?;
            check_free(seat, call)?;
            check_reservation(seat, table.stored.claims, call)?;
            Ok(number)
        })
    }

    /// Claims the seat that `choose` returns, which has checked that the caller may claim it.
    pub(in crate::games) fn claim_chosen(
        &self,
        id: Uuid,
        call: &Call,
        claim: &Claim,
        choose: impl Fn(&Table) -> Result<u8, ServiceError>,
    ) -> Result<ClaimOutcome, ServiceError> {
        match &call.access {
            Some(access) => access.needs(Scope::Play)?,
            None if !self.accounts.admission.guests => {
                let message =
                    "this server has no guests: send a token of an account to claim a seat";
                return Err(ServiceError::Unauthenticated(message));
            }
            None => {}
        }
        if call.access.is_some() && claim.name.is_some() {
            let message = "an account is shown by its handle: omit the name";
            return Err(ServiceError::invalid("name", message));
        }
        self.change(id, call, |table| {
            let number = choose(table)?;
            if table.status().is_over() {
                return Err(ServiceError::over(table.seq()));
            }
            self.check_length(table)?;
            let (seat, token) = self.seat_of_claimant(table, call, number, claim)?;
            let player = seat.player.actor().unwrap_or_default().to_owned();
            let account = seat.account();
            let mut draft = Draft::new(table, self.store.now());
            draft.seat_player(seat);
            // An account has at most one seat, so its other reservations end.
            let others = table.seats.iter().filter(|seat| seat.invited.is_some());
            for other in others.filter(|seat| seat.number != number && seat.invited == account) {
                draft.set_seat(other.number, |seat| seat.invited = None);
            }
            reply(&mut draft);
            draft.secret_of = token.as_ref().map(|_| format!("/v1/games/{id}"));
            let claimed = ClaimOutcome {
                seat: number,
                player,
                token,
                game: draft.table.body()?,
            };
            Ok((draft, claimed))
        })
    }

    /// Returns the seat with its new player, and the token if that is a guest.
    fn seat_of_claimant(
        &self,
        table: &Table,
        call: &Call,
        number: u8,
        claim: &Claim,
    ) -> Result<(Seat, Option<String>), ServiceError> {
        let Some(access) = &call.access else {
            let (seat, token) = new_guest(number, claim.name.clone())?;
            return Ok((seat, Some(token)));
        };
        if let Some(other) = table.seat_of(access.account) {
            let message = format!("your account already plays seat {other} of this game");
            return Err(ServiceError::conflict(ConflictKind::AlreadySeated, message));
        }
        let account = self.store.account_by_id(access.account)?;
        let account = account.filter(|account| account.deleted_at.is_none());
        let account = account.ok_or(ServiceError::Unauthenticated(
            "the account of this token is deleted",
        ))?;
        Ok((seat_of(number, &account), None))
    }

    /// Leaves a seat of a game that has not started, or ends an invitation.
    /// An account declines a reserved seat, or an organizer withdraws the invitation. Before the start the seat
    /// becomes open.
    pub fn leave(&self, id: Uuid, call: &Call, number: u8) -> Result<GameBody, ServiceError> {
        self.change(id, call, |table| {
            let seat = table.seat(number)?;
            let ends_invitation = seat.invited.is_some()
                && (is_reserved_for(seat, call)
                    || self.access.check_organizer(call, table).is_ok());
            match call.access.as_deref() {
                Some(access) if is_reserved_for(seat, call) => access.needs(Scope::Play)?,
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
                    let message =
                        "the game has started: resign, or ask the organizer to replace you";
                    return Err(ServiceError::conflict(
                        ConflictKind::AlreadyStarted,
                        message,
                    ));
                }
                _ => return Err(ServiceError::over(table.seq())),
            }
            let mut draft = Draft::new(table, self.store.now());
            draft.seat_player(Seat::new(number, Player::Open, None));
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }

    /// Replaces the player of a seat, for the organizer.
    /// In a running game, the seat is reserved for an account other than the caller's, and its player plays on until
    /// the account claims it.
    pub fn replace(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
        replacement: &Replacement,
    ) -> Result<ReplacementOutcome, ServiceError> {
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
            if let Some(other) = other_seat_of_account(&table.seats, &seat) {
                let message = format!("this account already plays seat {other} of this game, or the seat is reserved for it");
                return Err(ServiceError::conflict(ConflictKind::AlreadySeated, message));
            }
            let mut draft = Draft::new(table, self.store.now());
            if table.status() == Status::Running {
                let account = seat.account().or(seat.invited);
                if account.is_some() && !table.is_in_game(number) {
                    let message = format!("seat {number} has resigned: it has nothing left to play");
                    return Err(ServiceError::conflict(ConflictKind::SeatResigned, message));
                }
                let plays = account.is_some() && table.seat(number)?.account() == account;
                if plays || seat.invited.is_some() {
                    let invited = seat.invited.filter(|_| !plays);
                    draft.set_seat(number, |seat| seat.invited = invited);
                    let game = draft.table.body()?;
                    return Ok((draft, ReplacementOutcome { token, game }));
                }
                if seat.player == Player::Open {
                    let message = "a seat of a running game cannot be open: name an account, a \
                                   placeholder or a bot";
                    return Err(ServiceError::conflict(ConflictKind::AlreadyStarted, message));
                }
            }
            let is_bot = matches!(seat.player, Player::Bot { .. });
            draft.seat_player(seat);
            if is_bot {
                draft.charged_to = self.charge_bots(call, &draft.table)?;
            }
            reply(&mut draft);
            let game = draft.table.body()?;
            Ok((draft, ReplacementOutcome { token, game }))
        })
    }

    /// Bids for the seats of a game, for the player of a seat. The game starts when no bid is missing.
    pub fn bid(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
        bids: &NewBids,
    ) -> Result<GameBody, ServiceError> {
        self.change(id, call, |table| {
            call.own_seat(table, number)?;
            if table.status().is_over() {
                return Err(ServiceError::over(table.seq()));
            }
            let Some(mut bidding) = table.stored.pending_bidding().cloned() else {
                let message = "the seats of this game are not bid for, or the bidding is over";
                return Err(ServiceError::conflict(
                    ConflictKind::AlreadyStarted,
                    message,
                ));
            };
            self.check_length(table)?;
            let mut draft = Draft::new(table, self.store.now());
            bidding.bid(number, bids, &table.players(), draft.now())?;
            draft.change_bidding(|old, _| *old = bidding);
            reply(&mut draft);
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }

    /// Returns the standing orders of a seat, for its player.
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

    /// Replaces the standing orders of a seat. A pending question that they answer is answered immediately.
    pub fn set_orders(
        &self,
        id: Uuid,
        call: &Call,
        number: u8,
        orders: &[StandingOrder],
    ) -> Result<Vec<StandingOrder>, ServiceError> {
        if orders.len() > MAX_ORDERS {
            let message = format!(
                "there are {} orders, at most {MAX_ORDERS} are allowed: remove some",
                orders.len()
            );
            return Err(ServiceError::invalid("", message));
        }
        let text = serde_json::to_string(orders).map_err(|e| ServiceError::invalid("", e))?;
        self.change(id, call, |table| {
            call.own_seat(table, number)?;
            if table.status() != Status::Open {
                check_running(table)?;
            }
            if let Some((index, field)) = orders::first_unknown(&table.game, orders) {
                let message = "the game has no nation, region or unit of this name";
                return Err(ServiceError::invalid(format!("[{index}].{field}"), message));
            }
            let mut draft = Draft::new(table, self.store.now());
            draft.set_seat(number, |seat| seat.orders.clone_from(&text));
            reply(&mut draft);
            Ok((draft, orders.to_vec()))
        })
    }
}
