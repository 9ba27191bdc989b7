//! Creates and connects the services of all features.
//!
//! [`audit`] is `tabularium verify --database`: it computes all derived data again and compares. It reads a few games
//! at a time and never writes. A new derived table needs a comparison there, or a line in `UNPROTECTED` and in
//! `api/docs/records-and-verification.md`.

pub mod audit;

use std::sync::Arc;

use engine::content::Library;

use crate::accounts::service::{AccountHooks, Accounts, Admission};
use crate::annotations::queries::remove_annotations_of;
use crate::chat::queries::remove_messages_of;
use crate::db::projections::Projection;
use crate::db::{Store, StoreError};
use crate::games::import::Imports;
use crate::games::invitations::Invitations;
use crate::games::lists::GameLists;
use crate::games::notifications::AccountNotifications;
use crate::games::{GameLimits, Games, projection};
use crate::http::error::ServiceError;
use crate::leagues::log::LeagueLog;
use crate::leagues::service::Leagues;
use crate::moderation::service::Moderation;
use crate::notices::queries::remove_notices_of;
use crate::notices::service::Notices;
use crate::oauth::queries::{remove_apps_of, stop_apps_of};
use crate::oauth::service::OAuth;
use crate::ratings::service::Ratings;
use crate::sessions::queries::{find_session, remove_sign_in_of};
use crate::sessions::service::Sessions;
use crate::signing::keys::SigningKey;
use crate::signing::service::Signing;
use crate::webhooks::queries::{disable_webhooks_of, remove_webhooks_of};

/// The services on one store.
#[derive(Clone, Debug)]
pub struct Services {
    /// Boards and rulesets.
    pub library: Arc<Library>,
    /// Accounts and tokens.
    pub accounts: Arc<Accounts>,
    /// Sign-in of people.
    pub sessions: Arc<Sessions>,
    /// Apps, and the tokens that people allow them.
    pub oauth: Arc<OAuth>,
    /// The signing key and checkpoints.
    pub signing: Arc<Signing>,
    /// Games.
    pub games: Arc<Games>,
    /// Lists of games.
    pub lists: Arc<GameLists>,
    /// Imported games.
    pub imports: Arc<Imports>,
    /// Invitations to games.
    pub invitations: Arc<Invitations>,
    /// Notifications of accounts about their games.
    pub notifications: Arc<AccountNotifications>,
    /// Leagues.
    pub leagues: Arc<Leagues>,
    /// Mails and push messages.
    pub notices: Arc<Notices>,
    /// What administrators do, and the reports of players.
    pub moderation: Arc<Moderation>,
    /// Ratings.
    pub ratings: Arc<Ratings>,
}

impl Services {
    /// Creates the services for reading stored data: no bot moves. Without a key nothing is signed.
    pub fn open(store: Arc<Store>, library: Arc<Library>, key: Option<SigningKey>) -> Services {
        Services::new(store, library, key, GameLimits::NONE, Admission::default())
    }

    /// Creates the services and starts their threads.
    pub fn start(
        store: Arc<Store>,
        library: Arc<Library>,
        key: SigningKey,
        limits: GameLimits,
        admission: Admission,
    ) -> Result<Services, ServiceError> {
        let services = Services::new(store, library, Some(key), limits, admission);
        services.games.start()?;
        Ok(services)
    }

    fn new(
        store: Arc<Store>,
        library: Arc<Library>,
        key: Option<SigningKey>,
        limits: GameLimits,
        admission: Admission,
    ) -> Services {
        let accounts = Arc::new(Accounts::new(store.clone(), admission));
        let sessions = Arc::new(Sessions::new(store.clone(), accounts.clone()));
        let oauth = Arc::new(OAuth::new(store.clone(), accounts.clone()));
        let signing = Arc::new(Signing::new(store.clone(), key));
        let log = Arc::new(LeagueLog::new(store.clone()));
        let games = Arc::new(Games::new(
            store.clone(),
            library.clone(),
            (accounts.clone(), signing.clone()),
            log.hooks(),
            limits,
        ));
        let access = games.access.clone();
        let lists = GameLists::new(
            store.clone(),
            library.clone(),
            accounts.clone(),
            access.clone(),
        );
        let imports = Imports::new(store.clone(), library.clone(), signing.clone(), access);
        let leagues = Leagues::new(store.clone(), accounts.clone(), games.clone(), log.clone());
        let leagues = Arc::new(leagues);
        let moderation = Moderation::new(
            store.clone(),
            accounts.clone(),
            games.clone(),
            leagues.clone(),
        );
        let notices = Arc::new(Notices::new(store.clone()));
        let ratings = Arc::new(Ratings::new(store, accounts.clone(), log));
        accounts.connect(account_hooks(&games, &leagues));
        Services {
            library,
            accounts,
            sessions,
            oauth,
            signing,
            lists: Arc::new(lists),
            imports: Arc::new(imports),
            invitations: Arc::new(Invitations::new(games.clone())),
            notifications: Arc::new(AccountNotifications::new(games.clone())),
            games,
            leagues,
            notices,
            moderation: Arc::new(moderation),
            ratings,
        }
    }

    /// Returns the projections of games and ratings.
    pub fn projections(&self) -> Vec<Box<dyn Projection>> {
        let lists = projection::lists(self.games.records.clone());
        vec![lists, self.ratings.projection()]
    }
}

/// Returns what games, leagues, webhooks and apps do when an account changes.
fn account_hooks(games: &Arc<Games>, leagues: &Arc<Leagues>) -> AccountHooks {
    // Weak references, because games and leagues hold the accounts.
    let (games, leagues) = (Arc::downgrade(games), Arc::downgrade(leagues));
    let own = games.clone();
    AccountHooks {
        before_deletion: Box::new(move |call, access| {
            let (Some(games), Some(leagues)) = (games.upgrade(), leagues.upgrade()) else {
                return Err(StoreError::Unavailable("the server is stopping".to_owned()).into());
            };
            leagues.check_leagues_of(access.account)?;
            games.leave_open_games(call, access)
        }),
        find_session,
        delete_of: |connection, account| {
            remove_webhooks_of(connection, account)?;
            remove_messages_of(connection, account)?;
            remove_annotations_of(connection, account)?;
            remove_apps_of(connection, account)?;
            remove_notices_of(connection, account)?;
            remove_sign_in_of(connection, account)
        },
        suspend: |connection, account| {
            stop_apps_of(connection, account)?;
            disable_webhooks_of(connection, account)
        },
        changed_in: Box::new(move |changed| match own.upgrade() {
            Some(games) => games.refresh(changed),
            None => Ok(()),
        }),
    }
}
