//! Rematches: the next game of the same players.

use engine::setup::{Player, PlayerKind};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::db::StoreError;
use crate::games::bodies::{Created, First, NewGame, NewSeat, SeatPlayer, Tokens};
use crate::games::model::{Seat, Visibility};
use crate::games::service::Games;
use crate::games::setup::stored_setup;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::scope::Scope;

impl Games {
    /// The next game of the players of one that is over, each of them a seat further: what is there already, and
    /// whether it is new. The caller and bots sit, other accounts are invited, all other seats are open. Who calls
    /// first organizes it. There is one of each game, however often players ask.
    pub fn rematch(&self, id: Uuid, call: &Call) -> Result<(Created, bool), ServiceError> {
        let table = self.table(id)?;
        call.any_seat(&table)?;
        if !table.status().is_over() {
            let message = "the game is not over";
            return Err(ServiceError::Conflict(message.to_owned()));
        }
        let next = next_id(&table);
        let there = || -> Result<_, ServiceError> {
            let created = Created {
                game: self.table(next)?.body()?,
                tokens: Tokens::default(),
            };
            Ok((created, false))
        };
        let outcome = match self.store.version(next)? {
            Some(_) => there()?,
            None => {
                if let Some(access) = &call.access {
                    access.needs(Scope::Organize)?;
                }
                // The game itself is how a repetition is known.
                let bare = Call {
                    idempotency: None,
                    if_match: None,
                    ..call.clone()
                };
                match self.create_as(next, &bare, &self.next_game(&table)?) {
                    Ok(created) => (created, true),
                    Err(ServiceError::Store(StoreError::Conflict)) => there()?,
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

    /// What the next game of the same players is.
    fn next_game(&self, table: &Table) -> Result<NewGame, ServiceError> {
        let stored = &table.stored;
        let setup = stored_setup(stored);
        let setup = setup.map_err(|error| ServiceError::damaged(stored.id, error))?;
        let before = table
            .seats
            .iter()
            .cycle()
            .skip(table.seats.len().saturating_sub(1));
        let mut seats = Vec::with_capacity(table.seats.len());
        for (seat, moved) in setup.seats.iter().zip(before) {
            seats.push(NewSeat {
                nations: seat.nations.clone(),
                player: self.player_again(moved)?,
            });
        }
        // It is no table of a league here.
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
            pace: setup.pace.clone(),
            visibility: stored.visibility,
            claims: Some(stored.claims),
        })
    }

    /// Who plays again: a bot or an account; the seats of all others are open.
    fn player_again(&self, seat: &Seat) -> Result<SeatPlayer, ServiceError> {
        match &seat.player {
            Player::Bot { name } => Ok(SeatPlayer::Bot(name.clone())),
            player if player.kind() == PlayerKind::Account => {
                let account = match seat.account() {
                    Some(account) => self.store.account_by_id(account)?,
                    None => None,
                };
                let there = account.filter(|account| account.deleted_at.is_none());
                Ok(there.map_or(SeatPlayer::Open, |account| {
                    SeatPlayer::Id(account.id.to_string())
                }))
            }
            _ => Ok(SeatPlayer::Open),
        }
    }
}

/// The id of the next game of the same players: a UUIDv7 of when this one ended, whose digits of chance follow from
/// this one's id and seed, so that there is one.
fn next_id(table: &Table) -> Uuid {
    let stored = &table.stored;
    let hash = Sha256::digest(format!("rematch {} {}", stored.id, stored.seed));
    let mut chance = [0; 10];
    chance.copy_from_slice(&hash[..10]);
    let millis = u64::try_from(stored.updated_at / 1_000).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &chance).into_uuid()
}
