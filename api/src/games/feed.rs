//! The feed: a channel for each followed game, each listening account and the log of all games.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver as Waiting, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver, Sender};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::bodies::{EventBody, UndoRequestChange};
use crate::games::model::Visibility;
use crate::games::queries::log::LogFilter;
use crate::games::table::Table;

/// How many events a slow follower of a game may lag before it reads from the store.
const BEHIND: usize = 128;

/// How many events a slow follower of the log of all games may lag.
const BEHIND_LOG: usize = 4_096;

/// The most steps of this node that wait to be published.
/// The follower reads further ones from the store.
const STEPS: usize = 4_096;

/// An event as its followers receive it. All of them share it.
#[derive(Debug)]
pub struct PublishedEvent {
    /// The id of the game.
    pub game: Uuid,
    /// The number in the game's log.
    pub seq: u64,
    /// The position in the log of all games.
    pub position: u64,
    /// The event as JSON.
    pub json: String,
    /// Whether the event ends the game.
    pub over: bool,
    /// The players of the game, by account or bot. Empty if no one follows the log of all games.
    players: Vec<String>,
    league: Option<String>,
    is_public: bool,
    /// The event as the stream of a game sends it, formatted for its first follower.
    pub line: OnceLock<Bytes>,
    /// The event as the stream of all games sends it, formatted for its first follower.
    pub log_line: OnceLock<Bytes>,
}

impl PublishedEvent {
    /// Returns true if the event's game matches a filter.
    pub fn matches(&self, filter: &LogFilter) -> bool {
        matches(filter, &self.players, self.league.as_ref(), self.is_public)
    }
}

fn matches(
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

/// Returns the players of a table, by account or bot.
fn players_of(table: &Table) -> Vec<String> {
    let players = table.seats.iter().filter_map(|seat| seat.player.actor());
    players.map(str::to_owned).collect()
}

fn is_public(table: &Table) -> bool {
    table.stored.visibility == Visibility::Public
}

/// A change of an undo request as followers receive it.
#[derive(Debug)]
pub struct PublishedUndoRequest {
    /// The change.
    pub change: UndoRequestChange,
    players: Vec<String>,
    league: Option<String>,
    is_public: bool,
}

impl PublishedUndoRequest {
    /// Returns true if the request's game matches a filter.
    pub fn matches(&self, filter: &LogFilter) -> bool {
        matches(filter, &self.players, self.league.as_ref(), self.is_public)
    }
}

/// A new message in the chat of a game, or its switch, in live streams as events named `chat` without an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChatChange {
    /// The id of the game.
    pub game: Uuid,
    /// The number of the last message; 0 without one.
    pub last: u64,
    /// Whether messages can be sent.
    pub on: bool,
}

impl ChatChange {
    /// Returns the chat of a game as it is now.
    pub fn of(table: &Table) -> ChatChange {
        ChatChange {
            game: table.id(),
            last: table.stored.last_message,
            on: !table.stored.chat_off,
        }
    }
}

/// A change of the bidding for the seats of a game, in live streams as events named `bidding` without an id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BiddingChange {
    /// The id of the game.
    pub game: Uuid,
    /// The seats whose players must bid now.
    pub missing: Vec<u8>,
}

/// A message to followers.
#[derive(Clone, Debug)]
pub enum FeedMessage {
    /// An event.
    Event(Arc<PublishedEvent>),
    /// A change of an undo request. It may arrive before the events that precede it in the log.
    UndoRequest(Arc<PublishedUndoRequest>),
    /// An event without an id, as it is sent, for the followers of this game only.
    Notice(Bytes),
}

/// A step of a game that this node has written.
#[derive(Debug)]
pub struct WrittenStep {
    /// The position of its first event.
    pub position: u64,
    /// Its events, without their positions.
    pub events: Vec<EventBody>,
}

/// A step that waits to be published.
#[derive(Debug)]
struct QueuedStep {
    /// The position of its last event.
    last: u64,
    /// Its events; none if they have no followers.
    events: Vec<PublishedEvent>,
}

/// A subscription to the events of a game, or of all games.
#[derive(Debug)]
pub struct EventSubscription {
    feed: Arc<Feed>,
    game: Option<Uuid>,
    /// `None` only while the subscription ends.
    receiver: Option<Receiver<FeedMessage>>,
}

impl EventSubscription {
    /// Waits for the next message.
    pub async fn next(&mut self) -> Result<FeedMessage, RecvError> {
        match &mut self.receiver {
            Some(receiver) => receiver.recv().await,
            None => Err(RecvError::Closed),
        }
    }
}

impl Drop for EventSubscription {
    fn drop(&mut self) {
        let Some(game) = self.game else {
            return;
        };
        let mut games = locked(&self.feed.games);
        // Dropped under the lock, so that the last of several followers sees that no one is left.
        self.receiver = None;
        if (games.get(&game)).is_some_and(|sender| sender.receiver_count() == 0) {
            games.remove(&game);
        }
    }
}

/// A subscription to the changed games of an account: as a player, invited, or after losing a seat.
#[derive(Debug)]
pub struct AccountSubscription {
    feed: Arc<Feed>,
    account: Uuid,
    /// `None` only while the subscription ends.
    receiver: Option<Receiver<Uuid>>,
}

impl AccountSubscription {
    /// Waits for the next changed game.
    pub async fn next(&mut self) -> Result<Uuid, RecvError> {
        match &mut self.receiver {
            Some(receiver) => receiver.recv().await,
            None => Err(RecvError::Closed),
        }
    }
}

impl Drop for AccountSubscription {
    fn drop(&mut self) {
        let mut accounts = locked(&self.feed.accounts);
        // See `EventSubscription`.
        self.receiver = None;
        if (accounts.get(&self.account)).is_some_and(|sender| sender.receiver_count() == 0) {
            accounts.remove(&self.account);
        }
    }
}

/// The channels, and the steps of this node that are to be published.
#[derive(Debug)]
pub struct Feed {
    games: Mutex<HashMap<Uuid, Sender<FeedMessage>>>,
    accounts: Mutex<HashMap<Uuid, Sender<Uuid>>>,
    log: Sender<FeedMessage>,
    /// The steps by their first position.
    steps: Mutex<BTreeMap<u64, QueuedStep>>,
    /// Whether other nodes may have written.
    check_store: AtomicBool,
    waker: SyncSender<()>,
    wakeups: Mutex<Option<Waiting<()>>>,
}

impl Default for Feed {
    fn default() -> Feed {
        let (waker, wakeups) = sync_channel(1);
        Feed {
            games: Mutex::default(),
            accounts: Mutex::default(),
            log: broadcast::channel(BEHIND_LOG).0,
            steps: Mutex::default(),
            check_store: AtomicBool::new(false),
            waker,
            wakeups: Mutex::new(Some(wakeups)),
        }
    }
}

// Each change under these locks is one step, so a panic elsewhere cannot leave half of one.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Feed {
    /// Subscribes to the events of one game, or of all.
    pub fn follow(self: &Arc<Feed>, game: Option<Uuid>) -> EventSubscription {
        let receiver = match game {
            None => self.log.subscribe(),
            Some(game) => locked(&self.games)
                .entry(game)
                .or_insert_with(|| broadcast::channel(BEHIND).0)
                .subscribe(),
        };
        EventSubscription {
            feed: self.clone(),
            game,
            receiver: Some(receiver),
        }
    }

    /// Subscribes to the changes of an account's games.
    pub fn listen(self: &Arc<Feed>, account: Uuid) -> AccountSubscription {
        let receiver = locked(&self.accounts)
            .entry(account)
            .or_insert_with(|| broadcast::channel(BEHIND).0)
            .subscribe();
        AccountSubscription {
            feed: self.clone(),
            account,
            receiver: Some(receiver),
        }
    }

    /// Returns true if any account is subscribed.
    pub(in crate::games) fn has_listeners(&self) -> bool {
        !locked(&self.accounts).is_empty()
    }

    /// Notifies the accounts of a game that it has changed.
    /// These are its players, invited accounts and those that lost a seat.
    pub(in crate::games) fn notify_accounts(&self, table: &Table) {
        let seats = table.seats.iter();
        seats
            .flat_map(|seat| [seat.account(), seat.invited, seat.former])
            .flatten()
            .for_each(|account| self.notify_account(account, table.id()));
    }

    /// Notifies an account that one of its games has changed.
    pub(in crate::games) fn notify_account(&self, account: Uuid, game: Uuid) {
        if let Some(listeners) = locked(&self.accounts).get(&account) {
            // The last subscription may just have ended.
            let _ = listeners.send(game);
        }
    }

    /// Returns true if a game, or the log of all games, has a follower.
    pub(in crate::games) fn is_followed(&self, game: Uuid) -> bool {
        self.is_log_followed() || locked(&self.games).contains_key(&game)
    }

    fn is_log_followed(&self) -> bool {
        self.log.receiver_count() > 0
    }

    /// Prepares an event for followers. `table` is its game after the event or later.
    pub(in crate::games) fn prepare_event(
        &self,
        event: &EventBody,
        table: Option<&Table>,
    ) -> PublishedEvent {
        let about = table.filter(|_| self.is_log_followed());
        let over = table.is_some_and(|t| t.status().is_over() && t.seq() == event.seq);
        PublishedEvent {
            game: event.game,
            seq: event.seq,
            position: event.position.unwrap_or(0),
            // Plain data with string keys always serializes.
            json: serde_json::to_string(event).unwrap_or_default(),
            over,
            players: about.map(players_of).unwrap_or_default(),
            league: about.and_then(|table| table.stored.league.clone()),
            // Only the followers of a game receive its events if the game cannot be read.
            is_public: about.is_some_and(is_public),
            line: OnceLock::new(),
            log_line: OnceLock::new(),
        }
    }

    /// Queues a step to be published. All callers must be able to see it in its game already: events are prepared
    /// only if they have followers, and later ones read the game.
    pub(in crate::games) fn enqueue(&self, step: WrittenStep, table: &Table) {
        let WrittenStep { position, events } = step;
        if events.is_empty() {
            return;
        }
        let last = position + events.len() as u64 - 1;
        let events = match self.is_followed(table.id()) {
            true => (events.into_iter().zip(position..))
                .map(|(mut event, position)| {
                    event.position = Some(position);
                    self.prepare_event(&event, Some(table))
                })
                .collect(),
            false => Vec::new(),
        };
        self.queue(position, QueuedStep { last, events });
    }

    fn queue(&self, position: u64, step: QueuedStep) {
        let mut steps = locked(&self.steps);
        if steps.len() < STEPS {
            steps.insert(position, step);
        }
        drop(steps);
        self.wake();
    }

    /// Publishes the queued steps that follow a position without a gap, and drops those before it.
    /// Returns the position of the last event.
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

    /// Returns true if a queued step begins at a position.
    pub(in crate::games) fn has_step(&self, position: u64) -> bool {
        locked(&self.steps).contains_key(&position)
    }

    /// Returns true if steps are queued.
    pub(in crate::games) fn has_steps(&self) -> bool {
        !locked(&self.steps).is_empty()
    }

    /// Sends an event to the followers of its game, and to those of the log of all games.
    pub(in crate::games) fn publish(&self, event: PublishedEvent) {
        self.send(event.game, FeedMessage::Event(Arc::new(event)));
    }

    /// Prepares a change of an undo request for followers.
    pub(in crate::games) fn prepare_undo_request(
        &self,
        change: UndoRequestChange,
        table: &Table,
    ) -> PublishedUndoRequest {
        PublishedUndoRequest {
            change,
            players: players_of(table),
            league: table.stored.league.clone(),
            is_public: is_public(table),
        }
    }

    /// Sends a change of an undo request to followers.
    pub(in crate::games) fn publish_undo_request(&self, request: PublishedUndoRequest) {
        self.send(
            request.change.game,
            FeedMessage::UndoRequest(Arc::new(request)),
        );
    }

    /// Sends an event without an id to the followers of a game.
    pub(in crate::games) fn publish_notice(&self, game: Uuid, name: &str, data: &impl Serialize) {
        // The last subscription may just have ended.
        if let Some(followers) = locked(&self.games).get(&game) {
            // Plain data with string keys always serializes.
            let data = serde_json::to_string(data).unwrap_or_default();
            let line = format!("event: {name}\ndata: {data}\n\n");
            let _ = followers.send(FeedMessage::Notice(line.into()));
        }
    }

    fn send(&self, game: Uuid, message: FeedMessage) {
        let followers = locked(&self.games).get(&game).cloned();
        // The last subscription may just have ended.
        if let Some(followers) = followers {
            let _ = followers.send(message.clone());
        }
        if self.is_log_followed() {
            let _ = self.log.send(message);
        }
    }

    /// Wakes the follower's thread because other nodes may have written.
    pub(in crate::games) fn request_check(&self) {
        self.check_store.store(true, Ordering::Release);
        self.wake();
    }

    /// Returns whether other nodes may have written, and resets this.
    pub(in crate::games) fn take_check_request(&self) -> bool {
        self.check_store.swap(false, Ordering::Acquire)
    }

    fn wake(&self) {
        // If the channel is full, a wake-up is pending already.
        let _ = self.waker.try_send(());
    }

    /// Returns the channel on which the follower's thread waits. Only the first call returns it.
    pub(in crate::games) fn take_wakeups(&self) -> Option<Waiting<()>> {
        locked(&self.wakeups).take()
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast::error::TryRecvError;

    use super::*;

    fn event(game: Uuid, seq: u64, position: u64) -> PublishedEvent {
        PublishedEvent {
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

    fn received(following: &mut EventSubscription) -> Result<Arc<PublishedEvent>, TryRecvError> {
        match following.receiver.as_mut().unwrap().try_recv()? {
            FeedMessage::Event(event) => Ok(event),
            other => panic!("{other:?} is no event"),
        }
    }

    #[test]
    fn an_event_wakes_only_the_followers_of_its_game() {
        let feed = Arc::new(Feed::default());
        let (quiet, played) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut sleepers: Vec<EventSubscription> =
            (0..3).map(|_| feed.follow(Some(quiet))).collect();
        let mut awake = feed.follow(Some(played));
        feed.publish(event(played, 0, 1));
        assert_eq!(received(&mut awake).unwrap().position, 1);
        for sleeper in &mut sleepers {
            assert_eq!(received(sleeper).unwrap_err(), TryRecvError::Empty);
        }
        // The last follower removes the channel.
        sleepers.pop();
        assert!(feed.is_followed(quiet));
        sleepers.clear();
        assert!(!feed.is_followed(quiet));
        assert!(feed.is_followed(played));
    }

    #[test]
    fn steps_are_published_in_order_of_position() {
        let feed = Arc::new(Feed::default());
        let mut following = feed.follow(None);
        let queue = |first: u64, count: u64| {
            let positions = first..first + count;
            let events = positions.map(|p| event(Uuid::nil(), p, p)).collect();
            let last = first + count - 1;
            feed.queue(first, QueuedStep { last, events });
        };
        queue(4, 2);
        assert_eq!(feed.publish_steps(0), 0);
        assert!(feed.has_step(4));
        queue(1, 2);
        assert_eq!(feed.publish_steps(0), 2);
        // Another node wrote the third event, and this node read it from the store.
        feed.publish(event(Uuid::nil(), 3, 3));
        assert_eq!(feed.publish_steps(3), 5);
        assert!(!feed.has_steps());
        let positions: Vec<u64> = std::iter::from_fn(|| received(&mut following).ok())
            .map(|event| event.position)
            .collect();
        assert_eq!(positions, [1, 2, 3, 4, 5]);
        // A step that has been read from the store is not published twice.
        queue(5, 1);
        assert_eq!(feed.publish_steps(5), 5);
        assert!(!feed.has_steps());
    }

    #[test]
    fn a_filter_matches_player_and_league() {
        let one = event(Uuid::nil(), 0, 1);
        let filter = |player: Option<&str>, league: Option<&str>| LogFilter {
            player: player.map(str::to_owned),
            league: league.map(str::to_owned),
            only_public: true,
            or_former: false,
        };
        assert!(one.matches(&filter(None, None)));
        assert!(one.matches(&filter(Some("ada"), None)));
        assert!(!one.matches(&filter(Some("bob"), None)));
        assert!(!one.matches(&filter(Some("ada"), Some("cup"))));
    }
}
