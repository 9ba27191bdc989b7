//! Rematches: another game of the same players.

use engine::setup::{Player, PlayerKind};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::db::StoreError;
use crate::games::bidding::Bidding;
use crate::games::bodies::{CreatedGame, First, NewGame, NewSeat, SeatPlayer, Tokens};
use crate::games::model::{Seat, Visibility};
use crate::games::service::Games;
use crate::games::setup::stored_setup;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::scope::Scope;

impl Games {
    /// Returns the rematch of a game that is over, and whether it is new.
    /// Each player moves one seat further. The caller and bots take their seats, other accounts are invited, and all
    /// other seats are open. The first caller is the organizer. A caller without an account gets a new token, because
    /// the token of a seat is valid for one game. A game has at most one rematch.
    pub fn rematch(&self, id: Uuid, call: &Call) -> Result<(CreatedGame, bool), ServiceError> {
        let table = self.table(id)?;
        let seat = call.any_seat(&table)?;
        if !table.status().is_over() {
            let message = "the game is not over: a rematch can be created after its end";
            return Err(ServiceError::conflict(ConflictKind::NotFinished, message));
        }
        let next = next_id(&table);
        let existing = || -> Result<_, ServiceError> {
            let created = CreatedGame {
                game: self.table(next)?.body()?,
                tokens: Tokens::default(),
            };
            Ok((created, false))
        };
        let outcome = match self.store.version(next)? {
            Some(_) => existing()?,
            None => {
                if let Some(access) = &call.access {
                    access.needs(Scope::Organize)?;
                }
                // The rematch itself prevents duplicates, so the idempotency key is not needed.
                let bare = Call {
                    idempotency: None,
                    if_match: None,
                    ..call.clone()
                };
                let guest = self.guest_again(&table, seat);
                match self.create_as(next, &bare, &self.next_game(&table)?, guest) {
                    Ok(created) => (created, true),
                    Err(ServiceError::Store(StoreError::Conflict)) => existing()?,
                    Err(error) => return Err(error),
                }
            }
        };
        if table.stored.rematch.is_none() {
            let version = self.store.link_rematch(id, next)?;
            self.learn(id, |table| table.stored.version >= version)?;
        }
        Ok(outcome)
    }

    /// Builds the request for the rematch.
    fn next_game(&self, table: &Table) -> Result<NewGame, ServiceError> {
        let stored = &table.stored;
        let setup = stored_setup(stored);
        let setup = setup.map_err(|error| ServiceError::damaged(stored.id, error))?;
        let players = table
            .seats
            .iter()
            .cycle()
            .skip(table.seats.len().saturating_sub(1));
        let mut seats = Vec::with_capacity(table.seats.len());
        for (seat, player) in setup.seats.iter().zip(players) {
            seats.push(NewSeat {
                nations: seat.nations.clone(),
                player: self.player_again(player)?,
            });
        }
        // A rematch is never a table of a league of this server.
        let league = match &stored.league {
            Some(league) if !self.access.is_league_here(league)? => Some(league.clone()),
            _ => None,
        };
        Ok(NewGame {
            edition: stored.edition.clone(),
            board: stored.board.clone(),
            variants: setup.variants.clone(),
            seats,
            seed: None,
            first: setup.first.clone().map(First::Nation),
            max_rounds: setup.max_rounds,
            rated: stored.rated && stored.visibility != Visibility::Private,
            league,
            position: setup.position.clone(),
            from: None,
            content: None,
            pace: setup.pace.clone(),
            visibility: stored.visibility,
            claims: Some(stored.claims),
            bidding: stored.bidding.as_ref().map(Bidding::again),
        })
    }

    /// Returns the next seat and the name of the player of a seat, if that is a person without an account.
    fn guest_again(&self, table: &Table, seat: u8) -> Option<(u8, Option<String>)> {
        let seats = u8::try_from(table.seats.len()).ok()?;
        match &table.seat(seat).ok()?.player {
            player @ Player::Person { name, .. }
                if player.kind() != PlayerKind::Account && self.accounts.admission.guests =>
            {
                Some(((seat + 1) % seats, name.clone()))
            }
            _ => None,
        }
    }

    /// Returns a bot or an existing account again; the seats of all others become open.
    fn player_again(&self, seat: &Seat) -> Result<SeatPlayer, ServiceError> {
        match &seat.player {
            Player::Bot { name } => Ok(SeatPlayer::Bot(name.clone())),
            player if player.kind() == PlayerKind::Account => {
                let account = match seat.account() {
                    Some(account) => self.store.account_by_id(account)?,
                    None => None,
                };
                let existing = account.filter(|account| account.deleted_at.is_none());
                Ok(existing.map_or(SeatPlayer::Open, |account| {
                    SeatPlayer::Id(account.id.to_string())
                }))
            }
            _ => Ok(SeatPlayer::Open),
        }
    }
}

/// Returns the id of a game's rematch: a UUIDv7 with the time of the game's end.
/// Its random digits are derived from the game's id and seed, so that a game has only one rematch.
fn next_id(table: &Table) -> Uuid {
    let stored = &table.stored;
    let hash = Sha256::digest(format!("rematch {} {}", stored.id, stored.seed));
    let mut chance = [0; 10];
    chance.copy_from_slice(&hash[..10]);
    let millis = u64::try_from(stored.updated_at / 1_000).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &chance).into_uuid()
}
