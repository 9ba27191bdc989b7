//! What players are told as it happens.

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

use crate::games::feed::{Feed, Listening};
use crate::games::handlers::events::{EVENT_STREAM, last_event_id};
use crate::games::handlers::reader::{COMMENT, CountedStream, KEEP_ALIVE, greeting, send_at_once};
use crate::games::news::{AccountNews, Look, PlayerNews, PlayerNewsType, Standing};
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

/// The longest that is waited for the end of a time: clocks may be set.
const LONGEST: Duration = Duration::from_secs(60);

/// Where the stream begins.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct NewsQuery {
    /// The last `id` that is known, for clients that cannot send `Last-Event-ID`.
    after: Option<u64>,
}

/// Follow what concerns the caller
///
/// A live stream of server-sent events, each named by its `type`, whose data are `PlayerNews`: `your_turn`,
/// `undo_wish` (another player wishes to take back), `invitation`, `deadline_near`, `game_started`,
/// `game_finished`, `game_abandoned` and `seat_lost` (a bot or another player plays the seat from now on), of the
/// games of the caller's account. The first event, `begin`, has the `id` from which to resume. Then comes what waits
/// for the account as things stand, and after that what happens. An `id` is a position in the log of all games:
/// `Last-Event-ID` resumes behind it without loss, and without `begin`. Wishes, invitations and deadlines are no
/// events of a game: they have no `id`, and those that stand are sent again after resuming. A comment line comes at least every 10
/// seconds. The stream ends when the token is revoked. Needs the scope `read`.
#[utoipa::path(tag = "players", security(("token" = ["read"])), params(NewsQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last `id` that is known")),
    responses(
        (status = 200, description = "The stream", body = String,
            content_type = "text/event-stream", example = json!("retry: 2000\nid: 1204\nevent: begin\ndata: {\"after\":1204}\n\n\
                event: your_turn\n\
                data: {\"type\":\"your_turn\",\"game\":\"019aa5a4-1234-7abc-8def-0123456789ab\",\"seq\":12,\
                \"seat\":1,\"timestamp\":\"2026-11-21T18:00:00Z\",\"due_at\":null}\n\n")),
        ReadingMineRendered,
    ))]
#[get("/v1/me/events")]
pub async fn my_events(
    _: Bearer,
    request: HttpRequest,
    Query(query): Query<NewsQuery>,
    Caller(call): Caller,
    news: web::Data<AccountNews>,
    feed: web::Data<Feed>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    let account = call.account(Scope::Read)?.account;
    negotiate(&request, &[EVENT_STREAM])?;
    let after = last_event_id(&request)?.or(query.after);
    charge(&request, Policy::Expensive)?;
    let guard = stream(&request, false)?;
    // Before anything is read, so that nothing falls in between.
    let listening = feed.listen(account);
    let now = blocking(&news, AccountNews::last_position).await?;
    let mut beat = interval_at(Instant::now() + KEEP_ALIVE, KEEP_ALIVE);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let teller = NewsTeller {
        account,
        token: call.token.unwrap_or_default(),
        after: after.unwrap_or(now),
        is_resumed: after.is_some(),
        look: Look::Everywhere,
        greeting: Some(greeting(after.is_none().then_some(now))),
        standing: BTreeMap::new(),
        listening,
        beat,
        closing: closing.0.clone(),
        news,
        _counted: CountedStream::new(),
        _guard: guard,
    };
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, EVENT_STREAM));
    response.insert_header((CACHE_CONTROL, "private, no-store"));
    send_at_once(&mut response);
    Ok(response.streaming(teller.stream()))
}

/// Tells an account what concerns it.
struct NewsTeller {
    news: web::Data<AccountNews>,
    account: Uuid,
    /// SHA-256 of the token, which may be revoked.
    token: String,
    /// The position in the log of all games up to which everything was told.
    after: u64,
    /// Whether the client has been told before what waits for it.
    is_resumed: bool,
    look: Look,
    greeting: Option<Bytes>,
    /// How the games stand in which something waits for the account or will.
    standing: BTreeMap<Uuid, Standing>,
    listening: Listening,
    beat: Interval,
    closing: watch::Receiver<bool>,
    _counted: CountedStream,
    _guard: Option<StreamGuard>,
}

impl NewsTeller {
    fn stream(self) -> impl Stream<Item = Result<Bytes, Problem>> {
        unfold(Some(self), |teller| async move {
            let mut teller = teller?;
            match teller.next().await {
                Ok(Some(bytes)) => Some((Ok(bytes), Some(teller))),
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
            let told = match self.look {
                Look::Nowhere => {
                    let until = self.near_at();
                    tokio::select! {
                        changed = self.listening.next() => {
                            self.look = match changed {
                                Ok(game) => Look::At(game),
                                Err(RecvError::Lagged(_)) => Look::Everywhere,
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
                            self.look = until.map_or(Look::Nowhere, |(game, _)| Look::At(game));
                            String::new()
                        }
                    }
                }
                look => self.look(look).await?,
            };
            if !told.is_empty() {
                return Ok(Some(Bytes::from(told)));
            }
        }
    }

    /// Whether the token is still good.
    async fn is_allowed(&self) -> Result<bool, Problem> {
        let (token, account) = (self.token.clone(), self.account);
        blocking(&self.news, move |news| Ok(news.is_of(account, &token))).await
    }

    /// In which game a time will be near its end next, and how long that is to be waited for.
    fn near_at(&self) -> Option<(Uuid, Duration)> {
        let games = self.standing.iter();
        let near = games.filter_map(|(game, standing)| Some((standing.near_at?, *game)));
        let (at, game) = near.min()?;
        let wait = Duration::try_from(at.duration_since(Timestamp::now())).unwrap_or_default();
        Some((game, wait.min(LONGEST)))
    }

    /// Reads what there may be to tell.
    async fn look(&mut self, look: Look) -> Result<String, Problem> {
        let (account, after) = (self.account, self.after);
        let found = blocking(&self.news, move |news| news.read(account, after, look)).await?;
        // What happened is told before how things stand, part by part.
        if !found.since.more {
            self.look = Look::Nowhere;
        }
        let mut told = String::new();
        let last = found.since.news.len().saturating_sub(1);
        for (number, news) in found.since.news.iter().enumerate() {
            // Whoever is cut off before the last of them is told all of them again.
            told += &line(news, (number == last).then_some(found.since.reached));
        }
        self.after = self.after.max(found.since.reached);
        if found.since.more {
            return Ok(told);
        }
        let is_first = matches!(look, Look::Everywhere) && !self.is_resumed;
        self.is_resumed = true;
        if matches!(look, Look::Everywhere) {
            let there: HashSet<Uuid> = found.standing.iter().map(|(game, _)| *game).collect();
            self.standing.retain(|game, _| there.contains(game));
        }
        for (game, standing) in found.standing {
            let known = self.standing.get(&game);
            for news in &standing.news {
                // Turns that come are events, and told as such.
                let is_event = news.r#type == PlayerNewsType::YourTurn && !is_first;
                if !is_event
                    && !known
                        .is_some_and(|known| known.news.iter().any(|known| is_same(known, news)))
                {
                    told += &line(news, None);
                }
            }
            match standing == Standing::default() {
                true => self.standing.remove(&game),
                false => self.standing.insert(game, standing),
            };
        }
        Ok(told)
    }
}

/// Whether what was told of a game still stands.
fn is_same(known: &PlayerNews, news: &PlayerNews) -> bool {
    let same = known.r#type == news.r#type && known.seat == news.seat;
    // An invitation stays the same whatever others do.
    let is_invitation = news.r#type == PlayerNewsType::Invitation;
    same && known.due_at == news.due_at && (is_invitation || known.timestamp == news.timestamp)
}

/// News as a stream tells them.
fn line(news: &PlayerNews, position: Option<u64>) -> String {
    // They are plain data with string keys, which is always JSON.
    let json = serde_json::to_string(news).unwrap_or_default();
    let name = serde_json::to_string(&news.r#type).unwrap_or_default();
    let id = position
        .map(|position| format!("id: {position}\n"))
        .unwrap_or_default();
    format!("{id}event: {}\ndata: {json}\n\n", name.trim_matches('"'))
}
