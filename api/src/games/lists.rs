//! Lists of games: public ones, a player's and the caller's.

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

/// A page of a list of games.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedGames {
    /// The games, in the order of the filter.
    pub items: Vec<GameSummary>,
    /// The ids of games of this page that cannot be read.
    pub damaged: Vec<String>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<String>,
}

impl ListedGames {
    /// Returns true if there are games, including damaged ones and those of later pages.
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
    /// Creates the lists of the games of a store.
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

    /// Returns the library of boards and rulesets.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Lists games that match a filter, in its order, after a cursor.
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

    /// Refuses an unknown player: one that is neither an account, nor a bot, nor in a public game.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] for `field`, or the error of the store.
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
            "{player:?} is unknown: give the id of an account or the name of a bot; /v1/players/HANDLE returns the id \
             of an account"
        );
        Err(ServiceError::invalid_parameter(field, message))
    }

    /// Refuses an unknown league.
    /// A league is known if it has this id and the caller may see it, or if a public game or a game of the caller
    /// names it.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] for `league`, or the error of the store.
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
        let message = format!(
            "{league:?} is unknown: give the id of a league that you may see, or the name of a league of a game"
        );
        Err(ServiceError::invalid_parameter("league", message))
    }

    /// Counts games that match a filter, up to a limit.
    pub fn count(&self, filter: &GameFilter) -> Result<GameCount, ServiceError> {
        Ok(self.store.count_games(filter)?)
    }

    /// Lists games of the caller's account, newest first, after a cursor.
    /// With `waiting`, only games that wait for its move; with `invited`, games in which a seat is reserved for it.
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

    /// Lists games of a player, by id or handle: all of them for the player, otherwise public ones.
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

    /// Refuses an unknown league if the list is empty.
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
