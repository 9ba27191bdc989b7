//! Reads leagues from their logs, and caches them.

use std::sync::Arc;
use std::time::Duration;

use engine::forms::ResultBody;
use moka::sync::Cache;
use uuid::Uuid;

use crate::db::Store;
use crate::games::bidding::Bidding;
use crate::games::leagues::{LeagueHooks, LeagueRights};
use crate::games::model::{AddedLeagueEvent, Status, StoredGame};
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::scope::Scope;
use crate::leagues::event::LeagueEvent;
use crate::leagues::event::LeagueRole;
use crate::leagues::fold::LeagueEventError;
use crate::leagues::league::League;
use crate::leagues::limits::MOST_ROWS;
use crate::leagues::queries::{add_end, add_game_event};

/// The most leagues in the cache, and how long an unused one is kept.
const LEAGUES_IN_MEMORY: u64 = 100;
const IDLE: Duration = Duration::from_secs(30 * 60);

/// The point up to which the log of a league is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To the end of the log.
    Now,
    /// Up to an event.
    Event(u64),
    /// Up to a time, in microseconds since 1970.
    Moment(i64),
}

/// Reads leagues from their logs.
#[derive(Debug)]
pub struct LeagueLog {
    pub(in crate::leagues) store: Arc<Store>,
    /// The leagues that were read last.
    leagues: Cache<Uuid, Arc<League>>,
}

impl LeagueLog {
    /// Creates a reader of the logs in a store.
    pub fn new(store: Arc<Store>) -> LeagueLog {
        LeagueLog {
            store,
            leagues: Cache::builder()
                .max_capacity(LEAGUES_IN_MEMORY)
                .time_to_idle(IDLE)
                .build(),
        }
    }

    /// Returns the current state of a league.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`]; [`ServiceError::Damaged`] when its log cannot be read; when the store fails.
    pub fn now(&self, id: Uuid) -> Result<Arc<League>, ServiceError> {
        let head = self.store.league(id)?.ok_or_else(|| not_found(id))?;
        let kept = self.leagues.get(&id);
        let league = match kept.filter(|kept| kept.seq <= head.seq) {
            Some(kept) if kept.hash == head.hash => return Ok(kept),
            Some(kept) => {
                let mut league = League::clone(&kept);
                for row in self.store.league_events(id, Some(kept.seq), MOST_ROWS)? {
                    let taken = league.apply_row(&row);
                    taken.map_err(|refused| damaged(id, &refused))?;
                }
                league
            }
            None => self.load(id, Until::Now)?,
        };
        let league = Arc::new(league);
        self.leagues.insert(id, league.clone());
        Ok(league)
    }

    /// Reads the current or an earlier state of a league from its log.
    ///
    /// # Errors
    /// The errors of [`LeagueLog::now`].
    pub(in crate::leagues) fn load(&self, id: Uuid, until: Until) -> Result<League, ServiceError> {
        let (seq, at) = match until {
            Until::Now => (None, None),
            Until::Event(seq) => (Some(seq), None),
            Until::Moment(at) => (None, Some(at)),
        };
        let rows = (self.store).league_events_until(id, seq, at, MOST_ROWS)?;
        let mut rows = rows.iter();
        let first = rows.next().ok_or_else(|| not_found(id))?;
        let mut league = League::first(id, first).map_err(|refused| damaged(id, &refused))?;
        for row in rows {
            league
                .apply_row(row)
                .map_err(|refused| damaged(id, &refused))?;
        }
        Ok(league)
    }

    /// Returns the functions that games need from leagues.
    pub fn hooks(self: &Arc<LeagueLog>) -> LeagueHooks {
        let (log, deadlines) = (self.clone(), self.clone());
        LeagueHooks {
            due_end: Box::new(move |league, game, now| {
                Ok(deadlines.now(league)?.due_end(game, now))
            }),
            rights: Box::new(move |call, league, game| log.rights(call, league, game)),
            event_of,
        }
    }

    fn rights(
        &self,
        call: &Call,
        league: Uuid,
        game: Option<Uuid>,
    ) -> Result<Option<LeagueRights>, ServiceError> {
        let league = match self.now(league) {
            Ok(league) => league,
            Err(ServiceError::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        if game.is_some() && league.tables.iter().all(|table| table.game != game) {
            return Ok(None);
        }
        // Referees decide games, and replace players.
        let account = call.access.as_ref().map(|access| access.account);
        let role = account.and_then(|account| league.role_of(account));
        let organizer = match account.filter(|_| role == Some(LeagueRole::Referee)) {
            Some(_) => call
                .account(Scope::Organize)
                .map(|access| (access.account, false)),
            None => call.organizer_of(&league),
        };
        Ok(Some(LeagueRights {
            as_administrator: matches!(organizer, Ok((_, true))),
            organizes: organizer.map(|_| ()),
            sees: call.sees_league(&league),
        }))
    }
}

fn event_of(
    game: &StoredGame,
    bidding_changed: bool,
) -> Result<Option<AddedLeagueEvent>, ServiceError> {
    let event = |text, add| Some(AddedLeagueEvent { text, add });
    if let Some(text) = end_event(game)? {
        return Ok(event(text, add_end));
    }
    let seats = bidding_changed.then(|| seats_event(game)).transpose()?;
    Ok(seats.flatten().and_then(|text| event(text, add_game_event)))
}

/// Returns the rank of each seat of a game, in the order of the seats.
pub(in crate::leagues) fn ranks_of(result: &ResultBody) -> Vec<u8> {
    let mut ranks: Vec<_> = result.ranks.iter().collect();
    ranks.sort_unstable_by_key(|rank| rank.seat);
    ranks.iter().map(|rank| rank.rank).collect()
}

/// Returns the event that the end of a game adds to the log of its league.
pub(in crate::leagues) fn end_event(stored: &StoredGame) -> Result<Option<String>, ServiceError> {
    if stored.league.is_none() || !stored.status.is_over() {
        return Ok(None);
    }
    let game = stored.id;
    let event = match &stored.result {
        Some(result) if stored.status == Status::Finished => LeagueEvent::GameFinished {
            game,
            reason: result.reason,
            ranks: ranks_of(result),
        },
        _ => LeagueEvent::GameAbandoned { game },
    };
    let text = serde_json::to_string(&event);
    Ok(Some(
        text.map_err(|error| ServiceError::damaged(game, error))?,
    ))
}

/// Returns the event that the end of a bidding for seats adds to the log of the league.
pub(in crate::leagues) fn seats_event(stored: &StoredGame) -> Result<Option<String>, ServiceError> {
    let bidding = stored.bidding.as_ref().filter(|_| stored.league.is_some());
    let taken = bidding.map_or(&[][..], Bidding::taken);
    if taken.is_empty() {
        return Ok(None);
    }
    let event = LeagueEvent::SeatsTaken {
        game: stored.id,
        from: taken.iter().map(|seat| seat.from).collect(),
        prices: taken.iter().map(|seat| seat.price).collect(),
    };
    let text = serde_json::to_string(&event);
    let text = text.map_err(|error| ServiceError::damaged(stored.id, error))?;
    Ok(Some(text))
}

pub(in crate::leagues) fn not_found(id: Uuid) -> ServiceError {
    ServiceError::NotFound(format!("league {id}"))
}

pub(in crate::leagues) fn damaged(id: Uuid, refused: &LeagueEventError) -> ServiceError {
    ServiceError::Damaged {
        id: format!("league {id}"),
        message: refused.to_string(),
    }
}
