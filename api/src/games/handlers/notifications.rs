//! Handler of the notifications of an account, as a live stream.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get, web};
use futures_util::stream::{Stream, unfold};
use jiff::Timestamp;
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::games::feed::{AccountSubscription, Feed};
use crate::games::handlers::events::{EVENT_STREAM, last_event_id};
use crate::games::handlers::reader::{COMMENT, CountedStream, KEEP_ALIVE, greeting, send_at_once};
use crate::games::notifications::{
    AccountNotifications, Notification, NotificationScope, NotificationType, PendingNotifications,
};
use crate::http::answers::ReadingMineRendered;
use crate::http::limits::gate::{charge, stream};
use crate::http::limits::rates::Policy;
use crate::http::limits::streams::StreamGuard;
use crate::http::problem::Problem;
use crate::http::reply::{Closing, blocking};
use crate::http::request::accept::negotiate;
use crate::http::request::caller::{Bearer, Caller};
use crate::http::request::query::Query;
use crate::http::scope::Scope;

/// The longest wait for a deadline, because clocks may be changed.
const LONGEST: Duration = Duration::from_secs(60);

/// The start of the stream.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct NotificationQuery {
    /// The last `id` that was received, for clients that cannot send `Last-Event-ID`.
    after: Option<u64>,
}

/// Follow the notifications of the caller
///
/// A live stream of server-sent events about the games of the caller's account. The name of an event is its `type`,
/// and its data are `Notification`: `your_turn`, `your_bid`, `undo_request` (another player asks to undo), `invitation`,
/// `deadline_near`, `game_started`, `game_finished`, `game_abandoned` and `seat_lost` (another player has the seat,
/// or it is open).
///
/// The first event is `begin`; its `id` is where to resume. Then follow the pending notifications, and after them the
/// new ones. An `id` is a position in the log of all games. `Last-Event-ID` resumes after it without loss, and
/// without `begin`. Bids, undo requests, invitations and deadlines are not events of a game, so they have no `id`; the
/// pending ones are sent again after resuming. A comment line is sent at least every 10 seconds. The stream ends when
/// the token is revoked or the account suspended. Needs the scope `read`.
#[utoipa::path(tag = "players", security(("token" = ["read"])), params(NotificationQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last `id` that was received")),
    responses(
        (status = 200, description = "The stream", body = String,
            content_type = "text/event-stream", example = json!("retry: 2000\nid: 1204\nevent: begin\ndata: {\"after\":1204}\n\n\
                event: your_turn\n\
                data: {\"type\":\"your_turn\",\"game\":\"019aa5a4-1234-7abc-8def-0123456789ab\",\"seq\":12,\
                \"seat\":1,\"timestamp\":\"2026-11-21T18:00:00Z\",\"due_at\":null}\n\n")),
        ReadingMineRendered,
    ))]
#[get("/v1/me/events")]
pub async fn follow_my_events(
    _: Bearer,
    request: HttpRequest,
    Query(query): Query<NotificationQuery>,
    Caller(call): Caller,
    notifications: web::Data<AccountNotifications>,
    feed: web::Data<Feed>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    let account = call.account(Scope::Read)?.account;
    negotiate(&request, &[EVENT_STREAM])?;
    let after = last_event_id(&request)?.or(query.after);
    charge(&request, Policy::Expensive)?;
    let guard = stream(&request, false)?;
    // Subscribes before anything is read, so that nothing is missed in between.
    let subscription = feed.listen(account);
    let now = blocking(&notifications, AccountNotifications::last_position).await?;
    let mut beat = interval_at(Instant::now() + KEEP_ALIVE, KEEP_ALIVE);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let stream = NotificationStream {
        account,
        token: call.token.unwrap_or_default(),
        after: after.unwrap_or(now),
        is_resumed: after.is_some(),
        scope: NotificationScope::AllGames,
        greeting: Some(greeting(after.is_none().then_some(now))),
        pending: BTreeMap::new(),
        subscription,
        beat,
        closing: closing.0.clone(),
        notifications,
        _counted: CountedStream::new(),
        _guard: guard,
    };
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, EVENT_STREAM));
    response.insert_header((CACHE_CONTROL, "private, no-store"));
    send_at_once(&mut response);
    Ok(response.streaming(stream.into_bytes()))
}

/// The live stream of an account's notifications.
struct NotificationStream {
    notifications: web::Data<AccountNotifications>,
    account: Uuid,
    /// SHA-256 of the token, which may be revoked.
    token: String,
    /// The position in the log of all games up to which everything was sent.
    after: u64,
    /// Whether the client has received the pending notifications before.
    is_resumed: bool,
    /// The games that may have something to send.
    scope: NotificationScope,
    greeting: Option<Bytes>,
    /// What is pending or soon will be, by game.
    pending: BTreeMap<Uuid, PendingNotifications>,
    subscription: AccountSubscription,
    beat: Interval,
    closing: watch::Receiver<bool>,
    _counted: CountedStream,
    _guard: Option<StreamGuard>,
}

impl NotificationStream {
    fn into_bytes(self) -> impl Stream<Item = Result<Bytes, Problem>> {
        unfold(Some(self), |stream| async move {
            let mut stream = stream?;
            match stream.next().await {
                Ok(Some(bytes)) => Some((Ok(bytes), Some(stream))),
                Ok(None) => None,
                Err(problem) => Some((Err(problem), None)),
            }
        })
    }

    async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        if let Some(greeting) = self.greeting.take() {
            return Ok(Some(greeting));
        }
        loop {
            if *self.closing.borrow() {
                return Ok(None);
            }
            let text = match self.scope {
                NotificationScope::None => {
                    let until = self.next_deadline();
                    tokio::select! {
                        changed = self.subscription.next() => {
                            self.scope = match changed {
                                Ok(game) => NotificationScope::Game(game),
                                Err(RecvError::Lagged(_)) => NotificationScope::AllGames,
                                Err(RecvError::Closed) => return Ok(None),
                            };
                            String::new()
                        }
                        _ = self.closing.changed() => return Ok(None),
                        _ = self.beat.tick() => match self.is_allowed().await? {
                            true => COMMENT.to_owned(),
                            false => return Ok(None),
                        },
                        () = sleep(until.map_or(LONGEST, |(_, wait)| wait)), if until.is_some() => {
                            self.scope = until.map_or(NotificationScope::None, |(game, _)| NotificationScope::Game(game));
                            String::new()
                        }
                    }
                }
                scope => self.read(scope).await?,
            };
            if !text.is_empty() {
                return Ok(Some(Bytes::from(text)));
            }
        }
    }

    /// Returns true if the token is still valid.
    async fn is_allowed(&self) -> Result<bool, Problem> {
        let (token, account) = (self.token.clone(), self.account);
        blocking(&self.notifications, move |notifications| {
            Ok(notifications.is_token_of(account, &token))
        })
        .await
    }

    /// Returns the game whose deadline is near next, and how long to wait for that.
    fn next_deadline(&self) -> Option<(Uuid, Duration)> {
        let games = self.pending.iter();
        let near = games.filter_map(|(game, pending)| Some((pending.near_at?, *game)));
        let (at, game) = near.min()?;
        let wait = Duration::try_from(at.duration_since(Timestamp::now())).unwrap_or_default();
        Some((game, wait.min(LONGEST)))
    }

    /// Reads what happened and what is pending in some games, and returns what the client has not received.
    async fn read(&mut self, scope: NotificationScope) -> Result<String, Problem> {
        let (account, after) = (self.account, self.after);
        let found = blocking(&self.notifications, move |notifications| {
            notifications.read(account, after, scope)
        })
        .await?;
        // All past events are sent, part by part, before what is pending.
        if !found.recent.more {
            self.scope = NotificationScope::None;
        }
        let mut text = String::new();
        let last = found.recent.notifications.len().saturating_sub(1);
        for (number, notification) in found.recent.notifications.iter().enumerate() {
            // Only the last one has an id, so an interrupted client receives all of them again.
            text += &line(
                notification,
                (number == last).then_some(found.recent.reached),
            );
        }
        self.after = self.after.max(found.recent.reached);
        if found.recent.more {
            return Ok(text);
        }
        let is_first = matches!(scope, NotificationScope::AllGames) && !self.is_resumed;
        self.is_resumed = true;
        if matches!(scope, NotificationScope::AllGames) {
            let present: HashSet<Uuid> = found.pending.iter().map(|(game, _)| *game).collect();
            self.pending.retain(|game, _| present.contains(game));
        }
        for (game, pending) in found.pending {
            let sent = self.pending.get(&game);
            for notification in &pending.notifications {
                // A new turn is sent as an event, not as pending.
                let is_event = notification.r#type == NotificationType::YourTurn && !is_first;
                if !is_event
                    && !sent.is_some_and(|sent| {
                        sent.notifications
                            .iter()
                            .any(|sent| is_same(sent, notification))
                    })
                {
                    text += &line(notification, None);
                }
            }
            match pending == PendingNotifications::default() {
                true => self.pending.remove(&game),
                false => self.pending.insert(game, pending),
            };
        }
        Ok(text)
    }
}

/// Returns true if a pending notification is one that was sent.
fn is_same(sent: &Notification, notification: &Notification) -> bool {
    let same = sent.r#type == notification.r#type && sent.seat == notification.seat;
    // An invitation stays the same when other players act.
    let is_invitation = notification.r#type == NotificationType::Invitation;
    same && sent.due_at == notification.due_at
        && (is_invitation || sent.timestamp == notification.timestamp)
}

/// Formats a notification for a stream.
fn line(notification: &Notification, position: Option<u64>) -> String {
    // Plain data with string keys always serializes.
    let json = serde_json::to_string(notification).unwrap_or_default();
    let name = notification.r#type.name();
    let id = position
        .map(|position| format!("id: {position}\n"))
        .unwrap_or_default();
    format!("{id}event: {name}\ndata: {json}\n\n")
}
