//! Lists of games, as they are asked for by anybody, by a player, or of a player.

use std::sync::Arc;

use bots::Spec;
use engine::content::Library;
use uuid::Uuid;

use crate::accounts::service::Accounts;
use crate::db::Store;
use crate::games::access::GameAccess;
use crate::games::bodies::GameSummary;
use crate::games::model::Status;
use crate::games::queries::cursor::Cursor;
use crate::games::queries::lists::{GameCount, GameFilter};
use crate::games::table::summary;
use crate::http::call::{Access, Call};
use crate::http::error::ServiceError;
use crate::http::scope::Scope;

/// A part of the list of games.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedGames {
    /// The games, newest first.
    pub items: Vec<GameSummary>,
    /// The ids of games of this part that cannot be read.
    pub damaged: Vec<String>,
    /// Where the next part begins; `None` at the end.
    pub next: Option<String>,
}

impl ListedGames {
    /// Whether there are games, also if they cannot be read, or may be on a later page.
    pub fn has_games(&self) -> bool {
        !self.items.is_empty() || !self.damaged.is_empty() || self.next.is_some()
    }
}

/// Lists and counts games.
#[derive(Debug)]
pub struct GameLists {
    store: Arc<Store>,
    library: Arc<Library>,
    accounts: Arc<Accounts>,
    access: Arc<GameAccess>,
}

impl GameLists {
    /// The lists of the games of a store.
    pub fn new(
        store: Arc<Store>,
        library: Arc<Library>,
        accounts: Arc<Accounts>,
        access: Arc<GameAccess>,
    ) -> GameLists {
        GameLists {
            store,
            library,
            accounts,
            access,
        }
    }

    /// The boards and rulesets by which games are found.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Games that fit a filter, in its order, after one.
    pub fn list(
        &self,
        filter: &GameFilter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<ListedGames, ServiceError> {
        let found = self.store.games(filter, after, limit)?;
        let mut listed = ListedGames {
            items: Vec::with_capacity(found.games.len()),
            damaged: found.damaged,
            next: found.next.map(|next| next.to_string()),
        };
        for (stored, seats) in &found.games {
            match summary(stored, seats) {
                Ok(summary) => listed.items.push(summary),
                Err(ServiceError::Damaged { id, .. }) => listed.damaged.push(id),
                Err(error) => return Err(error),
            }
        }
        Ok(listed)
    }

    /// Refuses a player whom nobody knows: no account has this id, no bot this name, and nobody else by it plays a
    /// public game.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] for `field`; when the store fails.
    pub fn check_player(&self, field: &str, player: &str) -> Result<(), ServiceError> {
        if player.parse::<Spec>().is_ok() {
            return Ok(());
        }
        if let Ok(id) = Uuid::try_parse(player)
            && self.store.account_by_id(id)?.is_some()
        {
            return Ok(());
        }
        let public = GameFilter {
            player: Some(player.to_owned()),
            only_public: true,
            ..GameFilter::default()
        };
        if self.list(&public, None, 1)?.has_games() {
            return Ok(());
        }
        let message = format!(
            "{player:?} is unknown: no account has this id and no bot this name; /v1/players/HANDLE shows the id of an \
             account"
        );
        Err(ServiceError::invalid(field, message))
    }

    /// Refuses a league that the caller cannot know: none that it may see has this id, and neither a public game nor
    /// one of its own is of a league with this name.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] for `league`; when the store fails.
    pub fn check_league(&self, call: &Call, league: &str) -> Result<(), ServiceError> {
        if let Ok(id) = Uuid::try_parse(league) {
            match self.access.sees_league(call, id) {
                Ok(true) => return Ok(()),
                Err(ServiceError::Store(error)) => return Err(error.into()),
                _ => {}
            }
        }
        let public = GameFilter {
            league: Some(league.to_owned()),
            only_public: true,
            ..GameFilter::default()
        };
        let account = call
            .access
            .as_ref()
            .map(|access| access.account.to_string());
        let own = account.map(|account| GameFilter {
            player: Some(account),
            only_public: false,
            ..public.clone()
        });
        for filter in [Some(public), own].into_iter().flatten() {
            if self.list(&filter, None, 1)?.has_games() {
                return Ok(());
            }
        }
        let message =
            format!("{league:?} is unknown: no league has this id, and no game this name");
        Err(ServiceError::invalid("league", message))
    }

    /// How many games fit a filter, as far as they are counted.
    pub fn count(&self, filter: &GameFilter) -> Result<GameCount, ServiceError> {
        Ok(self.store.count_games(filter)?)
    }

    /// Games of the caller's account, newest first, after one; those that wait for it, where that is
    /// asked for, or those in which a seat is kept for it.
    pub fn mine(
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

    /// Games of a player, by id or handle, as [`GameLists::mine`]: all of them for the player, else public ones.
    pub fn of_player(
        &self,
        call: &Call,
        named: &str,
        mut filter: GameFilter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<ListedGames, ServiceError> {
        let player = self.accounts.player(named)?.id;
        let is_own =
            |access: &Arc<Access>| access.account == player && access.scopes.allow(Scope::Read);
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
}
