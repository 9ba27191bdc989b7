//! What goes to followers: a channel for each game that has some, and one for the log of all games.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver as Waiting, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver, Sender};
use uuid::Uuid;

use crate::games::bodies::{EventBody, UndoWishNews};
use crate::games::model::Visibility;
use crate::games::queries::log::LogFilter;
use crate::games::table::Table;

/// How many events a slow follower of a game may be behind before it reads from the store.
const BEHIND: usize = 128;

/// The same of the log of all games.
const BEHIND_LOG: usize = 4_096;

/// The most steps written here that wait for the follower's thread; beyond it reads them from the store.
const STEPS: usize = 4_096;

/// An event as followers get it. All of them share it.
#[derive(Debug)]
pub struct Published {
    /// The game.
    pub game: Uuid,
    /// Position in the game's log.
    pub seq: u64,
    /// Position in the log of all games.
    pub position: u64,
    /// The event as JSON.
    pub json: String,
    /// Whether the game is over with it.
    pub over: bool,
    /// Who sits at the table, by account or bot, where the log of all games is followed.
    players: Vec<String>,
    league: Option<String>,
    is_public: bool,
    /// As followers of the game receive it, once the first of them has.
    pub line: OnceLock<Bytes>,
    /// As followers of the log of all games receive it, once the first of them has.
    pub log_line: OnceLock<Bytes>,
}

impl Published {
    /// Whether it belongs to a game that fits a filter.
    pub fn fits(&self, filter: &LogFilter) -> bool {
        fits(filter, &self.players, self.league.as_ref(), self.is_public)
    }
}

fn fits(
    filter: &LogFilter,
    players: &[String],
    of_league: Option<&String>,
    is_public: bool,
) -> bool {
    let LogFilter {
        player,
        league,
        only_public,
        ..
    } = filter;
    (is_public || !only_public)
        && (player.as_ref()).is_none_or(|player| players.contains(player))
        && (league.as_ref()).is_none_or(|league| of_league == Some(league))
}

/// Who sits at a table, by account or bot.
fn players_of(table: &Table) -> Vec<String> {
    let players = table.seats.iter().filter_map(|seat| seat.player.actor());
    players.map(str::to_owned).collect()
}

fn is_public(table: &Table) -> bool {
    table.stored.visibility == Visibility::Public
}

/// A wish to go back as followers get it.
#[derive(Debug)]
pub struct Wish {
    /// The news.
    pub news: UndoWishNews,
    players: Vec<String>,
    league: Option<String>,
    is_public: bool,
}

impl Wish {
    /// Whether it belongs to a game that fits a filter.
    pub fn fits(&self, filter: &LogFilter) -> bool {
        fits(filter, &self.players, self.league.as_ref(), self.is_public)
    }
}

/// What followers receive.
#[derive(Clone, Debug)]
pub enum News {
    /// An event.
    Event(Arc<Published>),
    /// That an undo request came or went. It may come before the events that it belongs
    /// behind.
    Wish(Arc<Wish>),
}

/// A step of a game that was written here.
#[derive(Debug)]
pub struct WrittenStep {
    first: u64,
    /// The position of its last event; before the first when it has none.
    last: u64,
    events: Vec<Published>,
}

/// A receiver of a game's events, or of all.
#[derive(Debug)]
pub struct Following {
    feed: Arc<Feed>,
    game: Option<Uuid>,
    /// There until the end.
    receiver: Option<Receiver<News>>,
}

impl Following {
    /// Waits for the next news.
    pub async fn next(&mut self) -> Result<News, RecvError> {
        match &mut self.receiver {
            Some(receiver) => receiver.recv().await,
            None => Err(RecvError::Closed),
        }
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        let Some(game) = self.game else {
            return;
        };
        let mut games = locked(&self.feed.games);
        // Under the lock: of several that leave at once the last one sees that nobody is left.
        self.receiver = None;
        if (games.get(&game)).is_some_and(|sender| sender.receiver_count() == 0) {
            games.remove(&game);
        }
    }
}

/// A receiver of changed games in which an account has a seat, is invited or has lost a seat.
#[derive(Debug)]
pub struct Listening {
    feed: Arc<Feed>,
    account: Uuid,
    /// There until the end.
    receiver: Option<Receiver<Uuid>>,
}

impl Listening {
    /// Waits for the next game that has changed.
    pub async fn next(&mut self) -> Result<Uuid, RecvError> {
        match &mut self.receiver {
            Some(receiver) => receiver.recv().await,
            None => Err(RecvError::Closed),
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut accounts = locked(&self.feed.accounts);
        // As with `Following`.
        self.receiver = None;
        if (accounts.get(&self.account)).is_some_and(|sender| sender.receiver_count() == 0) {
            accounts.remove(&self.account);
        }
    }
}

/// The channels, and what was written here and is to be published.
#[derive(Debug)]
pub struct Feed {
    games: Mutex<HashMap<Uuid, Sender<News>>>,
    accounts: Mutex<HashMap<Uuid, Sender<Uuid>>>,
    log: Sender<News>,
    /// By their first position.
    steps: Mutex<BTreeMap<u64, WrittenStep>>,
    /// Whether others may have written.
    look_around: AtomicBool,
    poke: SyncSender<()>,
    poked: Mutex<Option<Waiting<()>>>,
}

impl Default for Feed {
    fn default() -> Feed {
        let (poke, poked) = sync_channel(1);
        Feed {
            games: Mutex::default(),
            accounts: Mutex::default(),
            log: broadcast::channel(BEHIND_LOG).0,
            steps: Mutex::default(),
            look_around: AtomicBool::new(false),
            poke,
            poked: Mutex::new(Some(poked)),
        }
    }
}

// What is locked here is changed in single steps, so a panic elsewhere cannot have left half of one.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Feed {
    /// Events of one game, or of all, from now on.
    pub fn follow(self: &Arc<Feed>, game: Option<Uuid>) -> Following {
        let receiver = match game {
            None => self.log.subscribe(),
            Some(game) => locked(&self.games)
                .entry(game)
                .or_insert_with(|| broadcast::channel(BEHIND).0)
                .subscribe(),
        };
        Following {
            feed: self.clone(),
            game,
            receiver: Some(receiver),
        }
    }

    /// The games of an account that change from now on.
    pub fn listen(self: &Arc<Feed>, account: Uuid) -> Listening {
        let receiver = locked(&self.accounts)
            .entry(account)
            .or_insert_with(|| broadcast::channel(BEHIND).0)
            .subscribe();
        Listening {
            feed: self.clone(),
            account,
            receiver: Some(receiver),
        }
    }

    /// Whether any account listens.
    pub(in crate::games) fn has_listeners(&self) -> bool {
        !locked(&self.accounts).is_empty()
    }

    /// Notifies the accounts at a table that it has changed, and those that are invited or have lost a seat.
    pub(in crate::games) fn has_changed(&self, table: &Table) {
        let seats = table.seats.iter();
        let concerned = seats.flat_map(|seat| [seat.account(), seat.invited, seat.former]);
        let concerned = concerned.flatten();
        concerned.for_each(|account| self.concerns(account, table.id()));
    }

    /// Notifies an account that a game has changed which concerns it.
    pub(in crate::games) fn concerns(&self, account: Uuid, game: Uuid) {
        if let Some(listeners) = locked(&self.accounts).get(&account) {
            // Nobody may have stayed to listen.
            let _ = listeners.send(game);
        }
    }

    /// Whether anybody follows a game, or all.
    pub(in crate::games) fn is_followed(&self, game: Uuid) -> bool {
        self.is_log_followed() || locked(&self.games).contains_key(&game)
    }

    fn is_log_followed(&self) -> bool {
        self.log.receiver_count() > 0
    }

    /// An event as followers get it; `table` is its game after it or later.
    pub(in crate::games) fn published(
        &self,
        event: &EventBody,
        table: Option<&Table>,
    ) -> Published {
        let about = table.filter(|_| self.is_log_followed());
        let over = table.is_some_and(|t| t.status().is_over() && t.seq() == event.seq);
        Published {
            game: event.game,
            seq: event.seq,
            position: event.position.unwrap_or(0),
            // Events are plain data with string keys, which is always JSON.
            json: serde_json::to_string(event).unwrap_or_default(),
            over,
            players: about.map(players_of).unwrap_or_default(),
            league: about.and_then(|table| table.stored.league.clone()),
            // The events of a game that cannot be read go to nobody but its own followers.
            is_public: about.is_some_and(is_public),
            line: OnceLock::new(),
            log_line: OnceLock::new(),
        }
    }

    /// A step that was written here: its events, the first of them at `position`. They are made ready
    /// for followers if there are any: those that come later read them from the store.
    pub(in crate::games) fn step(
        &self,
        position: u64,
        events: Vec<EventBody>,
        table: &Table,
    ) -> WrittenStep {
        let last = position + events.len() as u64 - 1;
        let mut step = WrittenStep {
            first: position,
            last,
            events: Vec::new(),
        };
        if self.is_followed(table.id()) {
            let placed = events.into_iter().zip(position..);
            let published = placed.map(|(mut event, position)| {
                event.position = Some(position);
                self.published(&event, Some(table))
            });
            step.events = published.collect();
        }
        step
    }

    /// Hands in a step, once all callers see it in its game.
    pub(in crate::games) fn hand_in(&self, step: WrittenStep) {
        if step.last < step.first {
            return;
        }
        let mut steps = locked(&self.steps);
        if steps.len() < STEPS {
            steps.insert(step.first, step);
        }
        drop(steps);
        self.poke();
    }

    /// Publishes the steps that follow a position without a gap, and forgets those before. Returns the
    /// position of the last event.
    pub(in crate::games) fn publish_steps(&self, mut known: u64) -> u64 {
        loop {
            let step = {
                let mut steps = locked(&self.steps);
                *steps = steps.split_off(&(known + 1));
                steps.remove(&(known + 1))
            };
            let Some(step) = step else {
                return known;
            };
            known = step.last;
            step.events
                .into_iter()
                .for_each(|event| self.publish(event));
        }
    }

    /// Whether a step that was handed in begins at a position.
    pub(in crate::games) fn has_step(&self, position: u64) -> bool {
        locked(&self.steps).contains_key(&position)
    }

    /// Whether steps wait to be published.
    pub(in crate::games) fn has_steps(&self) -> bool {
        !locked(&self.steps).is_empty()
    }

    /// Sends an event to the followers of its game, and to those of the log of all games.
    pub(in crate::games) fn publish(&self, event: Published) {
        self.send(event.game, News::Event(Arc::new(event)));
    }

    /// An undo request, or that it is gone, as followers receive it.
    pub(in crate::games) fn wish(&self, news: UndoWishNews, table: &Table) -> Wish {
        Wish {
            news,
            players: players_of(table),
            league: table.stored.league.clone(),
            is_public: is_public(table),
        }
    }

    /// Sends an undo request to them.
    pub(in crate::games) fn publish_wish(&self, wish: Wish) {
        self.send(wish.news.game, News::Wish(Arc::new(wish)));
    }

    fn send(&self, game: Uuid, news: News) {
        let followers = locked(&self.games).get(&game).cloned();
        // Nobody may have stayed to listen.
        if let Some(followers) = followers {
            let _ = followers.send(news.clone());
        }
        if self.is_log_followed() {
            let _ = self.log.send(news);
        }
    }

    /// Wakes the follower's thread, for others may have written.
    pub(in crate::games) fn look_around(&self) {
        self.look_around.store(true, Ordering::Release);
        self.poke();
    }

    /// Whether others may have written since it was last asked.
    pub(in crate::games) fn is_to_look_around(&self) -> bool {
        self.look_around.swap(false, Ordering::Acquire)
    }

    fn poke(&self) {
        // Who is poked already need not be poked again.
        let _ = self.poke.try_send(());
    }

    /// What the one follower's thread waits at.
    pub(in crate::games) fn poked(&self) -> Option<Waiting<()>> {
        locked(&self.poked).take()
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast::error::TryRecvError;

    use super::*;

    fn event(game: Uuid, seq: u64, position: u64) -> Published {
        Published {
            game,
            seq,
            position,
            json: String::new(),
            over: false,
            players: vec!["ada".to_owned()],
            league: None,
            is_public: true,
            line: OnceLock::new(),
            log_line: OnceLock::new(),
        }
    }

    fn received(following: &mut Following) -> Result<Arc<Published>, TryRecvError> {
        match following.receiver.as_mut().unwrap().try_recv()? {
            News::Event(event) => Ok(event),
            News::Wish(wish) => panic!("{wish:?} is no event"),
        }
    }

    #[test]
    fn an_event_wakes_the_followers_of_its_game_only() {
        let feed = Arc::new(Feed::default());
        let (quiet, played) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut sleepers: Vec<Following> = (0..3).map(|_| feed.follow(Some(quiet))).collect();
        let mut awake = feed.follow(Some(played));
        feed.publish(event(played, 0, 1));
        assert_eq!(received(&mut awake).unwrap().position, 1);
        for sleeper in &mut sleepers {
            assert_eq!(received(sleeper).unwrap_err(), TryRecvError::Empty);
        }
        // The last follower takes the channel away.
        sleepers.pop();
        assert!(feed.is_followed(quiet));
        sleepers.clear();
        assert!(!feed.is_followed(quiet));
        assert!(feed.is_followed(played));
    }

    #[test]
    fn steps_are_published_in_their_order_whenever_they_come() {
        let feed = Arc::new(Feed::default());
        let mut following = feed.follow(None);
        let step = |first: u64, count: u64| WrittenStep {
            first,
            last: first + count - 1,
            events: (first..first + count)
                .map(|p| event(Uuid::nil(), p, p))
                .collect(),
        };
        feed.hand_in(step(4, 2));
        assert_eq!(feed.publish_steps(0), 0);
        assert!(feed.has_step(4));
        feed.hand_in(step(1, 2));
        assert_eq!(feed.publish_steps(0), 2);
        // Somebody else wrote the third event; the node has taken it in by itself.
        feed.publish(event(Uuid::nil(), 3, 3));
        assert_eq!(feed.publish_steps(3), 5);
        assert!(!feed.has_steps());
        let told = std::iter::from_fn(|| received(&mut following).ok());
        let told: Vec<u64> = told.map(|event| event.position).collect();
        assert_eq!(told, [1, 2, 3, 4, 5]);
        // What was read from the store in the meantime is not published twice.
        feed.hand_in(step(5, 1));
        assert_eq!(feed.publish_steps(5), 5);
        assert!(!feed.has_steps());
    }

    #[test]
    fn a_filter_asks_for_player_and_league() {
        let one = event(Uuid::nil(), 0, 1);
        let filter = |player: Option<&str>, league: Option<&str>| LogFilter {
            player: player.map(str::to_owned),
            league: league.map(str::to_owned),
            only_public: true,
            or_former: false,
        };
        assert!(one.fits(&filter(None, None)));
        assert!(one.fits(&filter(Some("ada"), None)));
        assert!(!one.fits(&filter(Some("bob"), None)));
        assert!(!one.fits(&filter(Some("ada"), Some("cup"))));
    }
}
