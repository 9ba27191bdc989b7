//! Tables: who may see a game, whose games there are, who organizes one, and the next one of the same players.

use std::sync::Arc;

use engine::setup::{Player, PlayerKind};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::db::StoreError;
use crate::games::bodies::{First, GameBody, NewGame, NewOrganizer, NewSeat, SeatPlayer};
use crate::games::model::{Seat, Status, Visibility};
use crate::games::queries::cursor::Cursor;
use crate::games::queries::lists::GameFilter;
use crate::games::read::ListedGames;
use crate::games::table::{Draft, Table};
use crate::games::{Games, table};
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::scope::Scope;

impl Call {
    /// Whether the caller may see a game: of a private one who plays or organizes it, for whom a seat is kept, and
    /// administrators.
    pub fn sees(&self, table: &Table) -> bool {
        if table.stored.visibility != Visibility::Private {
            return true;
        }
        let token = self.token.as_deref();
        token.is_some_and(|token| table.has_token(token))
            || self.access.as_deref().is_some_and(|access| {
                access.scopes.allow(Scope::Admin) || table.is_shown_to(access.account)
            })
    }
}

impl Table {
    /// The hashes of the tokens of the game: of its seats and its organizer.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &str> {
        let seats = self.seats.iter().filter_map(|seat| seat.token.as_deref());
        seats.chain(self.stored.organizer.as_deref())
    }

    /// Whether a token is one of the game's, by its hash.
    pub(crate) fn has_token(&self, token: &str) -> bool {
        self.tokens().any(|own| own == token)
    }

    /// Whether an account that is no administrator's may see the game: a private one when it plays or organizes it
    /// or a seat is kept for it.
    pub fn is_shown_to(&self, account: Uuid) -> bool {
        let is_own = |other: Option<Uuid>| other == Some(account);
        self.stored.visibility != Visibility::Private
            || is_own(self.stored.organizer_account)
            || self.is_at(account)
    }

    /// Whether an account has a seat, or one is kept for it.
    pub fn is_at(&self, account: Uuid) -> bool {
        let is_own = |other: Option<Uuid>| other == Some(account);
        (self.seats.iter()).any(|seat| is_own(seat.account()) || is_own(seat.invited))
    }
}

impl Games {
    /// Games of the caller's account, newest first, after one; those that wait for it, where that is
    /// asked for, or those in which a seat is kept for it.
    pub fn my_games(
        &self,
        call: &Call,
        mut filter: GameFilter,
        (waiting, invited): (bool, bool),
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<ListedGames, ServiceError> {
        let account = call.account(Scope::Read)?.account.to_string();
        filter.only_public = false;
        filter.waiting_for = waiting.then(|| account.clone());
        if waiting {
            filter.status.get_or_insert(Status::Running);
        }
        match invited {
            true => filter.invited = Some(account.clone()),
            false => filter.player = Some(account.clone()),
        }
        let listed = self.list(&filter, after, limit)?;
        self.check_league_of(call, &filter, &listed)?;
        Ok(listed)
    }

    /// Games of a player, by id or handle, as [`Games::my_games`]: all of them for the player, else public ones.
    pub fn games_of(
        &self,
        call: &Call,
        named: &str,
        mut filter: GameFilter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<ListedGames, ServiceError> {
        let player = self.accounts.player(named)?.id;
        let is_own = |access: &Arc<crate::http::call::Access>| {
            access.account == player && access.scopes.allow(Scope::Read)
        };
        filter.only_public = !call.access.as_ref().is_some_and(is_own);
        filter.player = Some(player.to_string());
        let listed = self.list(&filter, after, limit)?;
        self.check_league_of(call, &filter, &listed)?;
        Ok(listed)
    }

    /// Refuses an unknown league of a list without games.
    fn check_league_of(
        &self,
        call: &Call,
        filter: &GameFilter,
        listed: &ListedGames,
    ) -> Result<(), ServiceError> {
        match &filter.league {
            Some(league) if !listed.has_games() => self.check_league(call, league),
            _ => Ok(()),
        }
    }

    /// Lets another account organize a game. Whoever did so does no more, and a token of the game's own for that is
    /// void.
    pub fn change_organizer(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewOrganizer,
    ) -> Result<GameBody, ServiceError> {
        let found = self.accounts.account_named(&new.id)?;
        let account = found.filter(|account| account.deleted_at.is_none());
        self.change(id, call, |table| {
            self.check_organizer(call, table)?;
            if self.is_of_league(table)? {
                let message = "whoever organizes its league organizes the game";
                return Err(ServiceError::Conflict(message.to_owned()));
            }
            let account = account
                .as_ref()
                .ok_or_else(|| ServiceError::invalid("id", "no account has this id or handle"))?;
            if table.status().is_over() {
                return Err(ServiceError::over(table.seq()));
            }
            let mut draft = Draft::new(table, self.store.now());
            draft.table.stored.organizer = None;
            draft.table.stored.organizer_account = Some(account.id);
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }

    /// The next game of the players of one that is over, each of them a seat further: what is there already, and
    /// whether it is new. The caller and bots sit, other accounts are invited, all other seats are open. Who calls
    /// first organizes it. There is one of each game, whoever asks and however often.
    pub fn rematch(
        &self,
        id: Uuid,
        call: &Call,
    ) -> Result<(crate::games::bodies::Created, bool), ServiceError> {
        let table = self.table(id)?;
        call.any_seat(&table)?;
        if !table.status().is_over() {
            let message = "the game is not over";
            return Err(ServiceError::Conflict(message.to_owned()));
        }
        let next = next_id(&table);
        let there = || -> Result<_, ServiceError> {
            let created = crate::games::bodies::Created {
                game: self.table(next)?.body()?,
                tokens: crate::games::bodies::Tokens::default(),
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
        let setup = table::stored_setup(stored);
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
            Some(league) if !self.is_league_here(league)? => Some(league.clone()),
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
