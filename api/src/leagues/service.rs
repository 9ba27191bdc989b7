//! The operations of leagues and their permissions.
//! The effects of events are in [`crate::leagues::fold`].

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use moka::sync::Cache;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::accounts::service::Accounts;
use crate::db::time::timestamp;
use crate::db::{Store, StoreError};
use crate::games::Games;
use crate::games::draft::Draft;
use crate::games::model::{Append, Visibility};
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::page::cut;
use crate::http::scope::Scope;
use crate::leagues::bodies::event_body;
use crate::leagues::event::LeagueEvent;
use crate::leagues::fold::LeagueEventError;
use crate::leagues::league::{League, TableState};
use crate::leagues::log::{LeagueLog, not_found};
use crate::leagues::model::{
    ChallengeBody, LeagueAccountBody, LeagueBody, LeagueEventBody, LeagueEventPage, LeaguePage,
    LeagueRoleBody, LeagueSummary, LineUp, MemberBody, NewLeague, NewSeason, SeasonBody,
};
use crate::leagues::queries::{LeagueAppend, LeagueRow, StoredLeague, now};

/// The most leagues with a lock, and how long an unused lock is kept.
const LOCKS: u64 = 100;
const LOCK_IDLE: Duration = Duration::from_secs(30 * 60);

/// How often a change is attempted when other writers are first: ends of games and other nodes.
///
/// Requests of this node write one after the other.
const ATTEMPTS: usize = 16;

impl From<LeagueEventError> for ServiceError {
    fn from(refused: LeagueEventError) -> ServiceError {
        match refused {
            LeagueEventError::Invalid { field, message } => {
                ServiceError::Invalid { field, message }
            }
            LeagueEventError::Conflict(kind, message) => ServiceError::Conflict(kind, message),
            LeagueEventError::Missing(what) => ServiceError::NotFound(what),
            LeagueEventError::Broken(message) => ServiceError::Damaged {
                id: "a league".to_owned(),
                message,
            },
        }
    }
}

impl From<&League> for StoredLeague {
    fn from(league: &League) -> StoredLeague {
        StoredLeague {
            id: league.id,
            name: league.name.clone(),
            visibility: league.visibility,
            seq: league.seq,
            hash: league.hash.clone(),
            created_at: league.created_at,
            updated_at: league.at,
            closed_at: None,
        }
    }
}

/// A change that a request makes to a league.
pub(in crate::leagues) struct LeagueStep<T> {
    /// The row of the event.
    pub(in crate::leagues) row: LeagueRow,
    /// The games that are created or changed with it.
    pub(in crate::leagues) tables: Vec<(Draft, Append)>,
    /// The answer to the request.
    pub(in crate::leagues) answer: T,
}

/// Changes that a request makes to a league together.
pub(in crate::leagues) struct LeagueSteps<T> {
    /// The rows of the events, in order.
    pub(in crate::leagues) rows: Vec<LeagueRow>,
    /// The games that are created with them.
    pub(in crate::leagues) tables: Vec<(Draft, Append)>,
    /// The answer to the request.
    pub(in crate::leagues) answer: T,
}

impl Call {
    /// Checks that the caller organizes the league or is an administrator, and returns the account.
    ///
    /// # Errors
    /// 401 without a token of an account; 403 for other accounts and for tokens without the scope.
    pub(in crate::leagues) fn organizes(&self, league: &League) -> Result<Uuid, ServiceError> {
        let (account, as_administrator) = self.organizer_of(league)?;
        if as_administrator {
            self.act_as_administrator();
        }
        Ok(account)
    }

    /// Returns the account like [`Call::organizes`], and whether it may do this only as an administrator.
    pub(in crate::leagues) fn organizer_of(
        &self,
        league: &League,
    ) -> Result<(Uuid, bool), ServiceError> {
        let access = self.account(Scope::Organize)?;
        let is_organizer = league.organizers.contains(&access.account);
        match is_organizer || access.scopes.allow(Scope::Admin) {
            true => Ok((access.account, !is_organizer)),
            false => Err(ServiceError::Forbidden(
                "only organizers of the league may do this".to_owned(),
            )),
        }
    }

    /// Whether the caller may see the league.
    pub(in crate::leagues) fn sees_league(&self, league: &League) -> bool {
        if league.deleted {
            return false;
        }
        league.visibility != Visibility::Private
            || self.access.as_deref().is_some_and(|access| {
                access.scopes.allow(Scope::Admin) || league.is_shown_to(access.account)
            })
    }
}

/// The service of leagues.
#[derive(Debug)]
pub struct Leagues {
    pub(in crate::leagues) store: Arc<Store>,
    pub(in crate::leagues) accounts: Arc<Accounts>,
    pub(crate) games: Arc<Games>,
    /// Reads the logs.
    pub log: Arc<LeagueLog>,
    /// A lock for each league, which the writing request holds.
    locks: Cache<Uuid, Arc<Mutex<()>>>,
}

impl Leagues {
    /// Creates the service for the leagues of a store, whose tables are games.
    pub fn new(
        store: Arc<Store>,
        accounts: Arc<Accounts>,
        games: Arc<Games>,
        log: Arc<LeagueLog>,
    ) -> Leagues {
        Leagues {
            store,
            accounts,
            games,
            log,
            locks: Cache::builder()
                .max_capacity(LOCKS)
                .time_to_idle(LOCK_IDLE)
                .build(),
        }
    }

    /// Returns the lock for writing to a league on this node.
    /// Writes of other nodes are detected in the transaction.
    fn lock_of(&self, id: Uuid) -> Arc<Mutex<()>> {
        self.locks.get_with(id, Arc::default)
    }

    /// Returns a league that the caller may see.
    pub(in crate::leagues) fn visible_league(
        &self,
        id: Uuid,
        call: &Call,
    ) -> Result<Arc<League>, ServiceError> {
        let league = self.log.now(id)?;
        match call.sees_league(&league) {
            true => Ok(league),
            false => Err(not_found(id)),
        }
    }

    /// Changes a league that the caller may see.
    ///
    /// `work` returns the event, and is called again if another writer was first. `answer` returns the answer about the
    /// changed league.
    pub(in crate::leagues) fn change<T: Serialize + DeserializeOwned>(
        &self,
        id: Uuid,
        call: &Call,
        work: impl Fn(&League) -> Result<(Uuid, LeagueEvent), ServiceError>,
        answer: impl Fn(&League) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        // A caller without permission does not wait for the lock.
        if call.stored_answer::<T>(&self.store)?.is_none()
            && let Err(error @ ServiceError::Forbidden(_)) = work(&*self.visible_league(id, call)?)
        {
            return Err(error);
        }
        self.write(id, call, |league| {
            let (by, event) = work(league)?;
            Ok(LeagueStep {
                row: league.add(now(), Some(by), &event)?,
                tables: Vec::new(),
                answer: answer(league)?,
            })
        })
    }

    /// Writes a change of a league that the caller may see.
    ///
    /// `work` applies it to the league, and is called again if another writer was first.
    pub(in crate::leagues) fn write<T: Serialize + DeserializeOwned>(
        &self,
        id: Uuid,
        call: &Call,
        work: impl Fn(&mut League) -> Result<LeagueStep<T>, ServiceError>,
    ) -> Result<T, ServiceError> {
        self.write_if(id, call, |league| call.sees_league(league), work)
    }

    /// Writes a change of a league that `sees` shows to the caller, like [`Leagues::write`].
    pub(in crate::leagues) fn write_if<T: Serialize + DeserializeOwned>(
        &self,
        id: Uuid,
        call: &Call,
        sees: impl Fn(&League) -> bool,
        work: impl Fn(&mut League) -> Result<LeagueStep<T>, ServiceError>,
    ) -> Result<T, ServiceError> {
        self.write_steps_if(id, call, sees, |league| {
            let LeagueStep {
                row,
                tables,
                answer,
            } = work(league)?;
            Ok(LeagueSteps {
                rows: vec![row],
                tables,
                answer,
            })
        })
    }

    /// Writes several changes of a league that the caller may see, all or none, as [`Leagues::write`] does.
    pub(in crate::leagues) fn write_steps<T: Serialize + DeserializeOwned>(
        &self,
        id: Uuid,
        call: &Call,
        work: impl Fn(&mut League) -> Result<LeagueSteps<T>, ServiceError>,
    ) -> Result<T, ServiceError> {
        self.write_steps_if(id, call, |league| call.sees_league(league), work)
    }

    fn write_steps_if<T: Serialize + DeserializeOwned>(
        &self,
        id: Uuid,
        call: &Call,
        sees: impl Fn(&League) -> bool,
        work: impl Fn(&mut League) -> Result<LeagueSteps<T>, ServiceError>,
    ) -> Result<T, ServiceError> {
        let lock = self.lock_of(id);
        let _guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..ATTEMPTS {
            // A repetition receives its answer even if the caller has left a private league since.
            if let Some(kept) = call.stored_answer(&self.store)? {
                return Ok(kept);
            }
            let before = self.log.now(id)?;
            let mut league = League::clone(&*before);
            if !sees(&league) {
                return Err(not_found(id));
            }
            self.check_open(id)?;
            let was_archived = league.archived;
            let step = call.guarded(league.seq, || work(&mut league))?;
            if was_archived && league.archived && !league.deleted {
                return Err(ServiceError::conflict(
                    ConflictKind::LeagueArchived,
                    "the league is archived, so it cannot be changed: an organizer can take it out of the archive",
                ));
            }
            let (drafts, games): (Vec<Draft>, Vec<Append>) = step.tables.into_iter().unzip();
            let append = LeagueAppend {
                league: StoredLeague::from(&league),
                rows: step.rows,
                games,
                ends: league.changed_ends(Some(&before)),
                answer: call.keep(&step.answer)?,
            };
            match self.store.append_league(append) {
                Ok(written) => {
                    for (draft, appended) in drafts.into_iter().zip(written) {
                        match draft.table.stored.version {
                            0 => self.games.show_written(draft, appended),
                            _ => self.games.show_paused(draft.table.id(), &appended),
                        }
                    }
                    return Ok(step.answer);
                }
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(ServiceError::conflict(
            ConflictKind::ConcurrentChange,
            "other requests change this league at the same time: retry",
        ))
    }

    /// Checks that no administrator has closed a league.
    fn check_open(&self, id: Uuid) -> Result<(), ServiceError> {
        match self.store.league(id)?.and_then(|league| league.closed_at) {
            None => Ok(()),
            Some(_) => Err(ServiceError::conflict(
                ConflictKind::LeagueClosed,
                "an administrator has closed this league, so it cannot be changed: ask the operator of the server",
            )),
        }
    }

    /// Creates a league, with the caller's account as organizer.
    pub fn create(&self, call: &Call, new: &NewLeague) -> Result<LeagueBody, ServiceError> {
        let organizer = call.account(Scope::Organize)?.account;
        if let Some(kept) = call.stored_answer(&self.store)? {
            return Ok(kept);
        }
        let created = LeagueEvent::Created {
            name: new.name.clone(),
            description: new.description.clone(),
            visibility: new.visibility,
            joining: new.joining,
            organizer,
        };
        let (mut league, row) = League::begin(Uuid::now_v7(), now(), organizer, &created)?;
        let mut rows = vec![row];
        if let Some(season) = &new.season {
            let event = season_event(&league, season).map_err(|error| within("season", error))?;
            let row = league.add(now(), Some(organizer), &event);
            rows.push(row.map_err(|refused| within("season", refused.into()))?);
        }
        let body = self.body(&league)?;
        let append = LeagueAppend {
            league: StoredLeague::from(&league),
            rows,
            games: Vec::new(),
            ends: Vec::new(),
            answer: call.keep(&body)?,
        };
        match self.store.append_league(append) {
            Ok(_) => Ok(body),
            Err(StoreError::Conflict) => {
                let kept = call.stored_answer(&self.store)?;
                kept.ok_or(ServiceError::Store(StoreError::Conflict))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Returns public leagues created before one, newest first, and the `cursor` of the next page.
    pub fn list(&self, before: Option<Uuid>, limit: usize) -> Result<LeaguePage, ServiceError> {
        let found = self.store.public_leagues(before, limit + 1)?;
        let (found, next) = cut(found, limit, |league| league.id.to_string());
        Ok(LeaguePage {
            items: found.into_iter().map(LeagueSummary::from).collect(),
            next,
        })
    }

    /// Returns a league.
    pub fn get(&self, id: Uuid, call: &Call) -> Result<LeagueBody, ServiceError> {
        self.body(&*self.visible_league(id, call)?)
    }

    /// Returns events of a league after one or from the first, and the `cursor` of the next page.
    pub(in crate::leagues) fn events(
        &self,
        id: Uuid,
        call: &Call,
        behind: Option<u64>,
        limit: usize,
    ) -> Result<LeagueEventPage, ServiceError> {
        self.visible_league(id, call)?;
        let (rows, signature) = self
            .store
            .signed_league_events(id, behind, limit as i64 + 1)?;
        let (rows, next) = cut(rows, limit, |row| row.seq.to_string());
        let items: Result<Vec<LeagueEventBody>, ServiceError> =
            rows.into_iter().map(|row| event_body(id, row)).collect();
        Ok(LeagueEventPage {
            items: items?,
            next,
            signature,
        })
    }

    /// Begins a season.
    pub(crate) fn begin_season(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewSeason,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| Ok((call.organizes(league)?, season_event(league, new)?));
        self.change(id, call, work, |league| self.body(league))
    }

    /// Returns the current names of members and other accounts, by id.
    pub(in crate::leagues) fn names_in(
        &self,
        league: &League,
    ) -> Result<std::collections::HashMap<String, String>, ServiceError> {
        let accounts = league.organizers.iter().chain(&league.invited);
        let accounts = accounts
            .chain(league.assistants.keys())
            .chain(&league.requests);
        let accounts = accounts.map(Uuid::to_string);
        let members = league.members.iter().map(|member| member.id.clone());
        let ids: BTreeSet<String> = accounts.chain(members).collect();
        let ids: Vec<String> = ids.into_iter().collect();
        let mut names = self.store.handles(&ids)?;
        for member in &league.members {
            if let Some(name) = &member.name {
                names.insert(member.id.clone(), name.clone());
            }
        }
        Ok(names)
    }

    /// Returns a league as in answers.
    pub(in crate::leagues) fn body(&self, league: &League) -> Result<LeagueBody, ServiceError> {
        let names = self.names_in(league)?;
        let name = |id: &str| names.get(id).cloned().unwrap_or_default();
        let account = |id: &Uuid| LeagueAccountBody {
            id: *id,
            handle: name(&id.to_string()),
        };
        let season = |(number, season): (u16, &crate::leagues::league::Season)| {
            let tables = league.tables.iter().filter(|table| table.season == number);
            let counted = tables.clone();
            SeasonBody {
                season: number,
                name: season.name.clone(),
                rules: season.rules.clone(),
                format: season.format,
                began_at: timestamp(season.began_at),
                closed: league.closed_seasons.contains(&number),
                tables: tables.count() as u64,
                counted: counted
                    .filter(|table| table.state == TableState::Counted)
                    .count() as u64,
                divisions: season.groups.divisions.clone(),
                moves: season.groups.moves,
                teams: season.groups.teams.clone(),
                line_ups: (season.groups.line_ups.iter())
                    .map(|((round, team), members)| LineUp {
                        team: *team,
                        round: *round,
                        members: members.clone(),
                    })
                    .collect(),
                challenges: (season.challenges.iter())
                    .map(|open| ChallengeBody {
                        member: open.member.clone(),
                        opponent: open.opponent.clone(),
                        at: timestamp(open.at),
                    })
                    .collect(),
            }
        };
        let members = league.members.iter();
        Ok(LeagueBody {
            summary: StoredLeague::from(league).into(),
            description: league.description.clone(),
            joining: league.joining,
            hash: league.hash.clone(),
            questions: league.questions.clone(),
            archived: league.archived,
            roles: (league.officials().into_iter())
                .map(|(id, role)| LeagueRoleBody {
                    id,
                    handle: name(&id.to_string()),
                    role,
                })
                .collect(),
            organizers: league.organizers.iter().map(account).collect(),
            requests: league.requests.iter().map(account).collect(),
            invited: league.invited.iter().map(account).collect(),
            members: members
                .map(|member| MemberBody {
                    id: member.id.clone(),
                    name: name(&member.id),
                    active: member.active,
                })
                .collect(),
            seasons: (1..).zip(&league.seasons).map(season).collect(),
        })
    }
}

/// Prefixes the field of an error.
pub(in crate::leagues) fn within(outer: &str, error: ServiceError) -> ServiceError {
    match error {
        ServiceError::Invalid { field, message } => ServiceError::Invalid {
            field: format!("{outer}.{field}"),
            message,
        },
        other => other,
    }
}

/// Returns the event that begins the next season.
fn season_event(league: &League, new: &NewSeason) -> Result<LeagueEvent, ServiceError> {
    let before = league.seasons.last();
    let rules = (new.rules.as_ref()).or(before.map(|season| &season.rules));
    let format = new.format.or(before.map(|season| season.format));
    let missing = || {
        ServiceError::invalid(
            "rules",
            "the first season needs rules: give at least `scoring`",
        )
    };
    Ok(LeagueEvent::SeasonBegan {
        season: u16::try_from(league.seasons.len() + 1).unwrap_or(u16::MAX),
        name: new.name.clone(),
        rules: rules.ok_or_else(missing)?.clone(),
        format: format.unwrap_or_default(),
    })
}
