//! The projections that write notices.
//!
//! `notices` reads the logs of games and leagues. `pending_notices` reads the games that have changed, by version: an
//! invitation or an undo request has no event in the log. A notice that is known is not stored again.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::db::projections::offsets::{Offset, Transaction};
use crate::db::projections::{BatchOutcome, Projection, ProjectionError};
use crate::db::time::timestamp;
use crate::games::Games;
use crate::games::notifications::{NotificationType, pending_notifications};
use crate::games::occurrences::{OccurrenceKind, affected_games};
use crate::games::queries::log::{LogFilter, LogPart};
use crate::http::error::ServiceError;
use crate::leagues::event::LeagueEvent;
use crate::leagues::league::{League, LeagueTable};
use crate::leagues::log::LeagueLog;
use crate::leagues::queries::PlacedEvent;
use crate::notices::model::{MailTiming, NoticeType};
use crate::notices::queries::{ChoiceRow, StoredNotice, SubscriptionRow};
use crate::webhooks::content::{deadlines_of, kind_of, member_of};
use crate::webhooks::deliveries::NEAR;

/// The names of the projections.
const NOTICES: &str = "notices";
const PENDING: &str = "pending_notices";

/// The maximum number of events or games in a batch.
const PART: usize = 500;

/// A day and the hour of the daily mail, in microseconds.
const HOUR: i64 = 60 * 60 * 1_000_000;
const DAY: i64 = 24 * HOUR;
const MAIL_HOUR: i64 = 6 * HOUR;

/// Returns the projections of notices.
pub fn projections(games: &Arc<Games>, leagues: &Arc<LeagueLog>) -> [Box<dyn Projection>; 2] {
    [
        Box::new(LogNotices {
            games: games.clone(),
            leagues: leagues.clone(),
        }),
        Box::new(PendingNotices {
            games: games.clone(),
        }),
    ]
}

fn no_restart() -> ProjectionError {
    ProjectionError::new("people would receive all notices again")
}

/// What an event means for an account.
#[derive(Clone, Debug)]
struct Occasion {
    kind: NotificationType,
    game: Option<String>,
    league: Option<String>,
    seq: Option<i64>,
    due_at: Option<i64>,
    /// When the notice is sent, if not immediately.
    at: Option<i64>,
    /// What the occasion has beside its kind and its game or league.
    mark: String,
}

/// The choices and browsers of accounts.
struct Receivers {
    choices: BTreeMap<(String, String), ChoiceRow>,
    subscriptions: Vec<SubscriptionRow>,
    now: i64,
}

impl Receivers {
    /// Reads the choices and browsers of accounts.
    fn read(games: &Games, accounts: Vec<String>) -> Result<Receivers, ProjectionError> {
        let store = games.store();
        let choices = store.choices_of(accounts)?;
        let pushed = choices.iter().filter(|choice| choice.push == 1);
        let subscriptions = store.subscriptions(pushed.map(|row| row.account.clone()).collect())?;
        let key = |choice: &ChoiceRow| (choice.account.clone(), choice.kind.clone());
        Ok(Receivers {
            choices: (choices.into_iter().map(|choice| (key(&choice), choice))).collect(),
            subscriptions,
            now: store.now(),
        })
    }

    /// Returns the accounts with a choice.
    fn accounts(&self) -> impl Iterator<Item = &String> {
        self.choices.keys().map(|(account, _)| account)
    }

    /// Returns the choice of an account for the notices about an event.
    fn choice(&self, account: &str, r#type: NoticeType) -> Option<&ChoiceRow> {
        let key = (account.to_owned(), r#type.name().to_owned());
        self.choices.get(&key)
    }

    /// Adds the notices of an account about an occasion.
    fn add(
        &self,
        new: &mut Vec<StoredNotice>,
        account: &str,
        r#type: NoticeType,
        occasion: &Occasion,
    ) {
        let Some(choice) = self.choice(account, r#type) else {
            return;
        };
        let now = self.now;
        let at = occasion.at.map_or(now, |at| at.max(now));
        let place = occasion.game.as_ref().or(occasion.league.as_ref());
        let place = place.map(String::as_str).unwrap_or_default();
        let mut add = |channel: &str, subscription: Option<&str>, next_at: i64| {
            new.push(StoredNotice {
                id: Uuid::now_v7().to_string(),
                account: account.to_owned(),
                channel: channel.to_owned(),
                kind: occasion.kind.name().to_owned(),
                occasion: format!(
                    "{account} {} {place} {} {}",
                    occasion.kind.name(),
                    occasion.mark,
                    subscription.unwrap_or("mail"),
                ),
                subscription: subscription.map(str::to_owned),
                game: occasion.game.clone(),
                league: occasion.league.clone(),
                seq: occasion.seq,
                due_at: occasion.due_at,
                created_at: now,
                next_at: Some(next_at),
                attempts: 0,
            });
        };
        match MailTiming::by_name(&choice.mail).unwrap_or_default() {
            MailTiming::Never => {}
            MailTiming::Each => add("mail", None, at),
            MailTiming::Daily => add("daily", None, next_daily(at)),
        }
        if choice.push == 1 {
            let own = self
                .subscriptions
                .iter()
                .filter(|one| one.account == account);
            own.for_each(|one| add("push", Some(&one.id), at));
        }
    }
}

/// Returns when the daily mail after a time is sent.
fn next_daily(at: i64) -> i64 {
    at + DAY - (at - MAIL_HOUR).rem_euclid(DAY)
}

/// The projection of the logs.
struct LogNotices {
    games: Arc<Games>,
    leagues: Arc<LeagueLog>,
}

/// A part of the logs.
struct UnreadEvents {
    offset: Offset,
    part: Option<LogPart>,
    league_events: Vec<PlacedEvent>,
}

impl LogNotices {
    /// Returns the next part of the logs; `None` if there is none, or no choice.
    fn unread(&self, limit: usize) -> Result<Option<UnreadEvents>, ProjectionError> {
        let store = self.games.store();
        let offset = store.offset(NOTICES)?;
        let Some((since, league_since)) = store.choices_begin()? else {
            return Ok(None);
        };
        let from = offset.position.max(since);
        let part = match store.last_position()? > from {
            true => Some(store.log_part(&LogFilter::default(), from.unsigned_abs(), limit)?),
            false => None,
        };
        let from = offset.league_position.max(league_since);
        let league_events = store.placed_league_events(from, limit as i64)?;
        let is_empty = part.is_none() && league_events.is_empty();
        Ok((!is_empty).then_some(UnreadEvents {
            offset,
            part,
            league_events,
        }))
    }

    fn game_notices(&self, part: &LogPart) -> Result<Vec<StoredNotice>, ProjectionError> {
        let affected = affected_games(part);
        let games: Vec<String> = affected.keys().cloned().collect();
        let mut at_games: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (game, account) in self.games.store().accounts_of_games(&games)? {
            at_games.entry(game).or_default().push(account);
        }
        let accounts = at_games.values().flatten().cloned().collect();
        let receivers = Receivers::read(&self.games, accounts)?;
        let mut new = Vec::new();
        for (game, mut accounts) in at_games {
            accounts.retain(|account| receivers.accounts().any(|one| one == account));
            let (first, last, position) = affected[&game];
            let Some(id) = game.parse::<Uuid>().ok().filter(|_| !accounts.is_empty()) else {
                continue;
            };
            let occurrences = match self.games.logs.occurrences(id, first, last) {
                Err(ServiceError::Store(error)) => return Err(ProjectionError::at(game, error)),
                Err(error) => {
                    tracing::error!(%game, %error, "nobody receives notices of a damaged game");
                    continue;
                }
                Ok(occurrences) => occurrences,
            };
            for (account, occurrence) in accounts
                .iter()
                .flat_map(|account| occurrences.iter().map(move |one| (account, one)))
            {
                let mut due_at = None;
                let kind = match &occurrence.kind {
                    OccurrenceKind::Turn { player, due_at: at } if player == account => {
                        due_at = at.map(|at| at.as_microsecond());
                        NotificationType::YourTurn
                    }
                    OccurrenceKind::SeatLost { player, .. } if player == account => {
                        NotificationType::SeatLost
                    }
                    OccurrenceKind::Turn { .. } | OccurrenceKind::SeatLost { .. } => continue,
                    // An account that has lost its seat receives no more notices of the game.
                    _ if occurrence.seat_of(account).is_none() => continue,
                    OccurrenceKind::Started => NotificationType::GameStarted,
                    OccurrenceKind::Finished => NotificationType::GameFinished,
                    OccurrenceKind::Abandoned => NotificationType::GameAbandoned,
                };
                let r#type = NoticeType::for_event(kind);
                let choice = receivers.choice(account, r#type);
                if choice.is_none_or(|choice| choice.since.unsigned_abs() >= position) {
                    continue;
                }
                let occasion = Occasion {
                    kind,
                    game: Some(game.clone()),
                    league: None,
                    seq: i64::try_from(occurrence.seq).ok(),
                    due_at,
                    at: None,
                    mark: occurrence.seq.to_string(),
                };
                receivers.add(&mut new, account, r#type, &occasion);
            }
        }
        Ok(new)
    }

    fn league_notices(&self, placed: &PlacedEvent) -> Result<Vec<StoredNotice>, ProjectionError> {
        let at = |error: ServiceError| ProjectionError::at(placed.league.clone(), error);
        let event = serde_json::from_str::<LeagueEvent>(&placed.text);
        let (Ok(id), Ok(event)) = (placed.league.parse::<Uuid>(), event) else {
            return Ok(Vec::new());
        };
        let league = match self.leagues.now(id) {
            Err(ServiceError::Store(error)) => return Err(at(error.into())),
            Err(_) => return Ok(Vec::new()),
            Ok(league) => league,
        };
        let audience = audience(&league, &event);
        let receivers = Receivers::read(&self.games, audience.clone())?;
        let occasion = |kind, due_at: Option<i64>, at| Occasion {
            kind,
            game: None,
            league: Some(placed.league.clone()),
            seq: Some(placed.seq),
            due_at,
            at,
            mark: format!("{} {}", placed.seq, due_at.unwrap_or_default()),
        };
        let mut new = Vec::new();
        for account in &audience {
            let mut add = |r#type, occasion: &Occasion| {
                let choice = receivers.choice(account, r#type);
                if choice.is_some_and(|choice| choice.league_since < placed.position) {
                    receivers.add(&mut new, account, r#type, occasion);
                }
            };
            let moved = match &event {
                LeagueEvent::DeadlineMoved { deadline, .. } => Some(deadline.as_microsecond()),
                _ => None,
            };
            match (&event, kind_of(&event)) {
                (LeagueEvent::Invited { .. }, _) => add(
                    NoticeType::Invitation,
                    &occasion(NotificationType::Invitation, None, None),
                ),
                // The players are notified of their games.
                (LeagueEvent::GameFinished { .. } | LeagueEvent::GameAbandoned { .. }, _) => {}
                (_, Some(kind)) => add(NoticeType::LeagueNews, &occasion(kind, moved, None)),
                (_, None) => {}
            }
            for deadline in deadlines_of(&event) {
                let due_at = deadline.as_microsecond();
                let near = occasion(
                    NotificationType::DeadlineNear,
                    Some(due_at),
                    Some(due_at - NEAR),
                );
                if plays_until(&league, &event, account, deadline) {
                    add(NoticeType::DeadlineNear, &near);
                }
            }
        }
        Ok(new)
    }
}

/// Returns the tables that an event names.
fn tables_of<'a>(league: &'a League, event: &LeagueEvent) -> Vec<&'a LeagueTable> {
    let numbers: Vec<u32> = match event {
        LeagueEvent::TablesCreated { tables } => tables.iter().map(|table| table.table).collect(),
        LeagueEvent::ResultEntered { table, .. } => vec![table.table],
        LeagueEvent::TableAdjudicated { table, .. }
        | LeagueEvent::TableVoided { table, .. }
        | LeagueEvent::PlayerReplaced { table, .. } => vec![*table],
        LeagueEvent::DeadlineMoved { tables, .. } => tables.clone(),
        _ => Vec::new(),
    };
    let named = |table: &&LeagueTable| numbers.contains(&table.number);
    league.tables.iter().filter(named).collect()
}

fn is_at(table: &LeagueTable, account: &str) -> bool {
    let mut seats = table.seats.iter();
    seats.any(|seat| seat.members.iter().any(|member| member == account))
}

/// Returns true if an account plays at a table of the event with this deadline.
fn plays_until(
    league: &League,
    event: &LeagueEvent,
    account: &str,
    deadline: jiff::Timestamp,
) -> bool {
    tables_of(league, event)
        .iter()
        .any(|table| table.deadline == Some(deadline) && is_at(table, account))
}

/// Returns the accounts that an event of a league concerns.
///
/// A new season or round concerns all active members, a table its players, and joining and leaving the organizers.
fn audience(league: &League, event: &LeagueEvent) -> Vec<String> {
    let members = || {
        let active = league.members.iter().filter(|member| member.active);
        active.map(|member| member.id.clone())
    };
    match event {
        LeagueEvent::Invited { account } => vec![account.to_string()],
        LeagueEvent::SeasonBegan { .. } | LeagueEvent::TablesCreated { .. } => members().collect(),
        _ if member_of(event).is_some() => league.organizers.iter().map(Uuid::to_string).collect(),
        _ => {
            let tables = tables_of(league, event);
            let at_table = |id: &String| tables.iter().any(|table| is_at(table, id));
            members().filter(at_table).collect()
        }
    }
}

impl Projection for LogNotices {
    fn name(&self) -> &'static str {
        NOTICES
    }

    fn batch(&self) -> usize {
        PART
    }

    fn apply(&mut self, limit: usize) -> Result<BatchOutcome, ProjectionError> {
        let Some(unread) = self.unread(limit)? else {
            return Ok(BatchOutcome::All);
        };
        let mut new = match &unread.part {
            Some(part) => self.game_notices(part)?,
            None => Vec::new(),
        };
        for event in &unread.league_events {
            new.extend(self.league_notices(event)?);
        }
        let more = unread.part.as_ref().is_some_and(|part| part.more)
            || unread.league_events.len() >= limit;
        let add = |transaction: &mut Transaction<'_>| transaction.add_notices(new);
        let store = self.games.store();
        store.advance(NOTICES, unread.offset, unread.end(), add)?;
        Ok(match more {
            true => BatchOutcome::More,
            false => BatchOutcome::All,
        })
    }

    fn skip(&mut self) -> Result<Option<String>, ProjectionError> {
        let Some(mut unread) = self.unread(1)? else {
            return Ok(None);
        };
        let game = unread.part.as_ref().and_then(|part| part.rows.first());
        let name = match game.map(|row| row.game.clone()) {
            Some(game) => {
                unread.league_events.clear();
                Some(game)
            }
            None => (unread.league_events.first()).map(|event| event.league.clone()),
        };
        let store = self.games.store();
        store.advance(NOTICES, unread.offset, unread.end(), |_| Ok(()))?;
        Ok(name)
    }

    fn restart(&mut self) -> Result<(), ProjectionError> {
        Err(no_restart())
    }
}

impl UnreadEvents {
    /// Returns the offset at its end.
    fn end(&self) -> Offset {
        let reached = self.part.as_ref().map(|part| part.reached);
        let reached = reached.map(|reached| i64::try_from(reached).unwrap_or(i64::MAX));
        let last = self.league_events.last().map(|event| event.position);
        Offset {
            position: reached.unwrap_or(self.offset.position),
            league_position: last.unwrap_or(self.offset.league_position),
            ..self.offset
        }
    }
}

/// The projection of changed games. Its position is a version of a game.
struct PendingNotices {
    games: Arc<Games>,
}

impl PendingNotices {
    fn notices(&self, changed: &[(String, i64)]) -> Result<Vec<StoredNotice>, ProjectionError> {
        let games: Vec<String> = changed.iter().map(|(game, _)| game.clone()).collect();
        let at_games = self.games.store().accounts_of_games(&games)?;
        let accounts = at_games.iter().map(|(_, account)| account.clone());
        let receivers = Receivers::read(&self.games, accounts.collect())?;
        let now = timestamp(receivers.now);
        let mut new = Vec::new();
        for (game, account) in at_games {
            if !receivers.accounts().any(|one| *one == account) {
                continue;
            }
            let (Ok(id), Ok(owner)) = (game.parse::<Uuid>(), account.parse::<Uuid>()) else {
                continue;
            };
            let table = match self.games.latest(id) {
                Ok(table) => table,
                Err(ServiceError::Store(error)) => return Err(ProjectionError::at(game, error)),
                Err(_) => continue,
            };
            let pending = pending_notifications(&table, owner, now);
            let seq = i64::try_from(table.seq()).ok();
            let mut add = |kind, at: Option<i64>, due_at: Option<i64>, mark: String| {
                let r#type = NoticeType::for_event(kind);
                let choice = receivers.choice(&account, r#type);
                // A game that has not changed since the choice has nothing new.
                if choice.is_none_or(|choice| table.stored.updated_at < choice.created_at) {
                    return;
                }
                let occasion = Occasion {
                    kind,
                    game: Some(game.clone()),
                    league: None,
                    seq,
                    due_at,
                    at,
                    mark,
                };
                receivers.add(&mut new, &account, r#type, &occasion);
            };
            for one in &pending.notifications {
                match one.r#type {
                    NotificationType::Invitation => {
                        add(one.r#type, None, None, one.seat.to_string());
                    }
                    NotificationType::YourBid => {
                        let due_at = one.due_at.map(|at| at.as_microsecond());
                        let mark = one.timestamp.as_microsecond().to_string();
                        add(one.r#type, None, due_at, mark);
                    }
                    NotificationType::UndoRequest => {
                        let since = one.timestamp.as_microsecond();
                        add(one.r#type, None, None, format!("{} {since}", one.seq));
                    }
                    _ => {}
                }
            }
            let asked = table.stored.waiting_for.as_ref() == Some(&account);
            if let Some(due_at) = table.stored.due_at.filter(|_| asked) {
                let near_at = pending.near_at.map(|at| at.as_microsecond());
                let kind = NotificationType::DeadlineNear;
                add(kind, near_at, Some(due_at), due_at.to_string());
            }
        }
        Ok(new)
    }
}

impl Projection for PendingNotices {
    fn name(&self) -> &'static str {
        PENDING
    }

    fn batch(&self) -> usize {
        PART
    }

    fn apply(&mut self, limit: usize) -> Result<BatchOutcome, ProjectionError> {
        let store = self.games.store();
        if store.choices_begin()?.is_none() {
            return Ok(BatchOutcome::All);
        }
        let offset = store.offset(PENDING)?;
        let changed = self.games.changed_after(offset.position, limit)?;
        let Some((_, position)) = changed.last().cloned() else {
            return Ok(BatchOutcome::All);
        };
        let new = self.notices(&changed)?;
        let to = Offset { position, ..offset };
        let add = |transaction: &mut Transaction<'_>| transaction.add_notices(new);
        store.advance(PENDING, offset, to, add)?;
        Ok(match changed.len() >= limit {
            true => BatchOutcome::More,
            false => BatchOutcome::All,
        })
    }

    fn skip(&mut self) -> Result<Option<String>, ProjectionError> {
        let store = self.games.store();
        let offset = store.offset(PENDING)?;
        let Some((game, position)) = self.games.changed_after(offset.position, 1)?.pop() else {
            return Ok(None);
        };
        store.advance(PENDING, offset, Offset { position, ..offset }, |_| Ok(()))?;
        Ok(Some(game))
    }

    fn restart(&mut self) -> Result<(), ProjectionError> {
        Err(no_restart())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_daily_mail_is_sent_at_six() {
        assert_eq!(next_daily(DAY), DAY + MAIL_HOUR);
        assert_eq!(next_daily(DAY + MAIL_HOUR), 2 * DAY + MAIL_HOUR);
        assert_eq!(next_daily(DAY + MAIL_HOUR - 1), DAY + MAIL_HOUR);
        assert_eq!(next_daily(DAY + 23 * HOUR), 2 * DAY + MAIL_HOUR);
    }
}
