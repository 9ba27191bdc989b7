//! Leagues: who may do what in them, and what is written of it. What their events come to is in [`crate::leagues`].

mod audit;
mod bodies;
mod shown;
mod standings;
mod tables;

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::record::PLACEHOLDER;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

pub use bodies::*;
pub use shown::{LeagueShown, SeasonShown, TableOf};

use super::bodies::{NewOrganizer, Status};
use super::{ATTEMPTS, Call, GameError, Games, known_id};
use crate::leagues::{Joining, League, LeagueEvent, MOST_EVENTS, MOST_TABLES, Refused, TableState};
use crate::store::{
    LeagueAppend, LeagueRow, Scope, StoreError, StoredAccount, StoredGame, StoredLeague,
    Visibility, timestamp,
};

/// The most events of a league: ends of games come behind the most that anybody adds.
const MOST_ROWS: i64 = MOST_EVENTS as i64 + MOST_TABLES as i64;

impl From<Refused> for GameError {
    fn from(refused: Refused) -> GameError {
        match refused {
            Refused::Invalid { field, message } => GameError::Invalid { field, message },
            Refused::Conflict(message) => GameError::Conflict(message),
            Refused::Missing(what) => GameError::NotFound(what),
            Refused::Broken(message) => GameError::Damaged {
                id: "of a league".to_owned(),
                message,
            },
        }
    }
}

fn not_found(id: Uuid) -> GameError {
    GameError::NotFound(format!("league {id}"))
}

fn now() -> i64 {
    jiff::Timestamp::now().as_microsecond()
}

/// What the row of a league says.
fn stored(league: &League) -> StoredLeague {
    StoredLeague {
        id: league.id,
        name: league.name.clone(),
        visibility: league.visibility,
        seq: league.seq,
        hash: league.hash.clone(),
        created_at: league.created_at,
        updated_at: league.at,
    }
}

fn summary(stored: StoredLeague) -> LeagueSummary {
    LeagueSummary {
        id: stored.id,
        name: stored.name,
        visibility: stored.visibility,
        seq: stored.seq,
        created_at: timestamp(stored.created_at),
        updated_at: timestamp(stored.updated_at),
    }
}

/// What a league that waits for the end of a game is told of it.
///
/// # Errors
/// When it cannot be written.
pub(super) fn end_told(stored: &StoredGame) -> Result<Option<String>, GameError> {
    if stored.league.is_none() || !stored.status.is_over() {
        return Ok(None);
    }
    let game = stored.id;
    let event = match &stored.result {
        Some(result) if stored.status == Status::Finished => {
            let mut ranks: Vec<(u8, u8)> = (result.ranks.iter())
                .map(|rank| (rank.seat, rank.rank))
                .collect();
            ranks.sort_unstable();
            LeagueEvent::GameFinished {
                game,
                reason: result.reason,
                ranks: ranks.into_iter().map(|(_, rank)| rank).collect(),
            }
        }
        _ => LeagueEvent::GameAbandoned { game },
    };
    let text = serde_json::to_string(&event);
    Ok(Some(text.map_err(|error| GameError::damaged(game, error))?))
}

impl Call {
    /// The caller organizes the league, or is an administrator: the account.
    ///
    /// # Errors
    /// 401 when nobody knows the caller, 403 when it is somebody else's work or the token is not for it.
    fn organizes(&self, league: &League) -> Result<Uuid, GameError> {
        let access = self.account(Scope::Organize)?;
        match league.organizers.contains(&access.account) || access.scopes.allow(Scope::Admin) {
            true => Ok(access.account),
            false => Err(GameError::Forbidden(
                "this is for the organizers of the league".to_owned(),
            )),
        }
    }

    /// Whether the caller may see the league.
    fn sees_league(&self, league: &League) -> bool {
        league.visibility != Visibility::Private
            || self.access.as_deref().is_some_and(|access| {
                access.scopes.allow(Scope::Admin) || league.is_shown_to(access.account)
            })
    }
}

impl Games {
    /// Tells leagues of games that have ended without them hearing of it, under a program of before; at most so many.
    /// Says how many there were.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) fn tell_leagues(&self, most: i64) -> Result<usize, GameError> {
        let over = self.store.ends_not_noted(most)?;
        for game in &over {
            let told = known_id(game).and_then(|id| {
                let stored = self.store.game(id)?;
                let stored = stored.map(|(stored, _)| stored);
                let stored = stored.ok_or_else(|| GameError::NotFound(format!("game {id}")))?;
                Ok((end_told(&stored)?, stored))
            });
            match told {
                Ok((Some(text), stored)) => {
                    self.store.note_end(stored.id, text, stored.updated_at)?
                }
                Ok((None, _)) => {}
                Err(error @ (GameError::Damaged { .. } | GameError::NotFound(_))) => {
                    tracing::error!(game, %error, "a league cannot be told of a game's end");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(over.len())
    }

    /// A league as it is now: what is in memory, and what was written since.
    fn league_now(&self, id: Uuid) -> Result<Arc<League>, GameError> {
        let head = self.store.league(id)?.ok_or_else(|| not_found(id))?;
        let kept = self.leagues.get(&id);
        let league = match kept.filter(|kept| kept.seq <= head.seq) {
            Some(kept) if kept.hash == head.hash => return Ok(kept),
            Some(kept) => {
                let mut league = League::clone(&kept);
                for row in self.store.league_events(id, Some(kept.seq), MOST_ROWS)? {
                    let taken = league.take(&row);
                    taken.map_err(|refused| damaged(id, &refused))?;
                }
                league
            }
            None => self.load_league(id, Until::Now)?,
        };
        let league = Arc::new(league);
        self.leagues.insert(id, league.clone());
        Ok(league)
    }

    /// A league as it is now, or as it was after an event or at a moment (microseconds since 1970), from its log.
    fn load_league(&self, id: Uuid, until: Until) -> Result<League, GameError> {
        let rows = self.store.league_events(id, None, MOST_ROWS)?;
        let mut rows = rows.iter();
        let first = rows.next().ok_or_else(|| not_found(id))?;
        let mut league = League::first(id, first).map_err(|refused| damaged(id, &refused))?;
        for row in rows {
            let is_behind = match until {
                Until::Now => false,
                Until::Event(seq) => row.seq > seq,
                Until::Moment(at) => row.at > at,
            };
            if is_behind {
                break;
            }
            league.take(row).map_err(|refused| damaged(id, &refused))?;
        }
        Ok(league)
    }

    /// A league that the caller may see.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    fn seen_league(&self, id: Uuid, call: &Call) -> Result<Arc<League>, GameError> {
        let league = self.league_now(id)?;
        match call.sees_league(&league) {
            true => Ok(league),
            false => Err(not_found(id)),
        }
    }

    /// Changes a league that the caller may see: `work` says what happens, and is asked again when another writer was
    /// first; `answer` says what is told of the league after it.
    fn change_league<T: Serialize + DeserializeOwned>(
        &self,
        id: Uuid,
        call: &Call,
        work: impl Fn(&League) -> Result<(Uuid, LeagueEvent), GameError>,
        answer: impl Fn(&League) -> Result<T, GameError>,
    ) -> Result<T, GameError> {
        for _ in 0..ATTEMPTS {
            let mut league = League::clone(&*self.seen_league(id, call)?);
            if let Some(kept) = self.kept(call)? {
                return Ok(kept);
            }
            let (by, event) = work(&league)?;
            let row = league.add(now(), Some(by), &event)?;
            let answer = answer(&league)?;
            let append = LeagueAppend {
                league: stored(&league),
                rows: vec![row],
                games: Vec::new(),
                answer: call.keep(&answer)?,
            };
            match self.store.append_league(append) {
                Ok(_) => return Ok(answer),
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(GameError::Conflict(
            "others write to this league at the same time; try again".to_owned(),
        ))
    }

    /// Makes a league, which the caller's account organizes.
    ///
    /// # Errors
    /// When no account with the scope `organize` calls, a value cannot be, or the store fails.
    pub fn create_league(&self, call: &Call, new: &NewLeague) -> Result<LeagueBody, GameError> {
        let organizer = call.account(Scope::Organize)?.account;
        if let Some(kept) = self.kept(call)? {
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
        let body = self.league_body(&league)?;
        let append = LeagueAppend {
            league: stored(&league),
            rows,
            games: Vec::new(),
            answer: call.keep(&body)?,
        };
        match self.store.append_league(append) {
            Ok(_) => Ok(body),
            Err(StoreError::Conflict) => {
                let kept = self.kept(call)?;
                kept.ok_or(GameError::Store(StoreError::Conflict))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Leagues that everybody sees, the newest first, those before one, and the `cursor` of the next page.
    ///
    /// # Errors
    /// When the store fails.
    pub fn leagues(&self, before: Option<Uuid>, limit: usize) -> Result<LeaguePage, GameError> {
        let mut found = self.store.leagues(true, before, limit + 1)?;
        let more = found.len() > limit;
        found.truncate(limit);
        let last = found.last().map(|league| league.id.to_string());
        Ok(LeaguePage {
            items: found.into_iter().map(summary).collect(),
            next: last.filter(|_| more),
        })
    }

    /// A league.
    ///
    /// # Errors
    /// When there is none that the caller may see, or the store fails.
    pub fn league(&self, id: Uuid, call: &Call) -> Result<LeagueBody, GameError> {
        self.league_body(&*self.seen_league(id, call)?)
    }

    /// Events of a league behind one, or from the first on, and the `cursor` of the next page.
    ///
    /// # Errors
    /// When there is none that the caller may see, or the store fails.
    pub fn league_events(
        &self,
        id: Uuid,
        call: &Call,
        behind: Option<u64>,
        limit: usize,
    ) -> Result<LeagueEventPage, GameError> {
        self.seen_league(id, call)?;
        let mut rows = self.store.league_events(id, behind, limit as i64 + 1)?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let items: Result<Vec<LeagueEventBody>, GameError> =
            rows.into_iter().map(|row| event_body(id, row)).collect();
        let items = items?;
        let last = items.last().map(|event| event.seq.to_string());
        Ok(LeagueEventPage {
            items,
            next: last.filter(|_| more),
        })
    }

    /// Makes somebody a member, or invites an account.
    ///
    /// # Errors
    /// When the caller may not do so, there is no such account, it is a member, or the store fails.
    pub fn add_member(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewMember,
    ) -> Result<LeagueBody, GameError> {
        let placeholder = format!("{PLACEHOLDER}{}", Uuid::now_v7());
        let work = |league: &League| {
            let named = match new {
                NewMember::Placeholder(name) => {
                    let event = LeagueEvent::Joined {
                        member: placeholder.clone(),
                        name: Some(name.clone()),
                    };
                    return Ok((call.organizes(league)?, event));
                }
                NewMember::Id(named) => named,
            };
            let account = self.living_account(named)?;
            match call.access.as_deref() {
                Some(own)
                    if account
                        .as_ref()
                        .is_some_and(|found| found.id == own.account) =>
                {
                    own.needs(Scope::Play)?;
                    let may = league.joining == Joining::Open
                        || league.invited.contains(&own.account)
                        || league.organizers.contains(&own.account);
                    if !may {
                        let message = "the league is for members whom an organizer has invited";
                        return Err(GameError::Forbidden(message.to_owned()));
                    }
                    let member = own.account.to_string();
                    Ok((own.account, LeagueEvent::Joined { member, name: None }))
                }
                _ => {
                    let by = call.organizes(league)?;
                    let account = account.ok_or_else(no_account)?.id;
                    Ok((by, LeagueEvent::Invited { account }))
                }
            }
        };
        self.change_league(id, call, work, |league| self.league_body(league))
    }

    /// Lets a member leave, or takes an invitation back: by the account itself or an organizer.
    ///
    /// # Errors
    /// When the caller may not do so, there is no such member, or the store fails.
    pub fn remove_member(
        &self,
        id: Uuid,
        call: &Call,
        named: &str,
    ) -> Result<LeagueBody, GameError> {
        let work = |league: &League| {
            let member = self.member_named(league, named)?;
            let account = Uuid::try_parse(&member).ok();
            let by = match call.access.as_deref() {
                Some(own) if account == Some(own.account) => {
                    own.needs(Scope::Play)?;
                    own.account
                }
                _ => call.organizes(league)?,
            };
            match account.filter(|account| league.invited.contains(account)) {
                Some(account) => Ok((by, LeagueEvent::Uninvited { account })),
                None => Ok((by, LeagueEvent::Left { member })),
            }
        };
        self.change_league(id, call, work, |league| self.league_body(league))
    }

    /// Lets another account organize a league too.
    ///
    /// # Errors
    /// When the caller does not organize it, there is no such account, or the store fails.
    pub fn add_league_organizer(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewOrganizer,
    ) -> Result<LeagueBody, GameError> {
        let work = |league: &League| {
            let by = call.organizes(league)?;
            let account = self.living_account(&new.id)?.ok_or_else(no_account)?.id;
            Ok((by, LeagueEvent::OrganizerAdded { account }))
        };
        self.change_league(id, call, work, |league| self.league_body(league))
    }

    /// Lets an account organize a league no more.
    ///
    /// # Errors
    /// When the caller does not organize it, the account does not or is the last, or the store fails.
    pub fn remove_league_organizer(
        &self,
        id: Uuid,
        call: &Call,
        named: &str,
    ) -> Result<LeagueBody, GameError> {
        let work = |league: &League| {
            let by = call.organizes(league)?;
            let found = self.account_named(named)?;
            let missing = || GameError::NotFound(format!("organizer {named:?}"));
            let account = found.ok_or_else(missing)?.id;
            Ok((by, LeagueEvent::OrganizerRemoved { account }))
        };
        self.change_league(id, call, work, |league| self.league_body(league))
    }

    /// Begins a season.
    ///
    /// # Errors
    /// When the caller does not organize the league, a value cannot be, or the store fails.
    pub fn begin_season(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewSeason,
    ) -> Result<LeagueBody, GameError> {
        let work = |league: &League| Ok((call.organizes(league)?, season_event(league, new)?));
        self.change_league(id, call, work, |league| self.league_body(league))
    }

    /// An account that is not deleted, by id or handle.
    fn living_account(&self, named: &str) -> Result<Option<StoredAccount>, GameError> {
        let found = self.account_named(named)?;
        Ok(found.filter(|account| account.deleted_at.is_none()))
    }

    /// The id of a member or of who is invited, by id or handle.
    fn member_named(&self, league: &League, named: &str) -> Result<String, GameError> {
        if league.member(named).is_some() {
            return Ok(named.to_owned());
        }
        let found = self.account_named(named)?;
        let known = found.filter(|account| {
            league.invited.contains(&account.id) || league.member(&account.id.to_string()).is_some()
        });
        let missing = || GameError::NotFound(format!("member {named:?}"));
        Ok(known.ok_or_else(missing)?.id.to_string())
    }

    /// What members and other accounts are called now, by id.
    fn names_in(
        &self,
        league: &League,
    ) -> Result<std::collections::HashMap<String, String>, GameError> {
        let accounts = league.organizers.iter().chain(&league.invited);
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

    /// What is told of a league.
    fn league_body(&self, league: &League) -> Result<LeagueBody, GameError> {
        let names = self.names_in(league)?;
        let name = |id: &str| names.get(id).cloned().unwrap_or_default();
        let account = |id: &Uuid| LeagueAccountBody {
            id: *id,
            handle: name(&id.to_string()),
        };
        let season = |(number, season): (u16, &crate::leagues::Season)| {
            let tables = league.tables.iter().filter(|table| table.season == number);
            let counted = tables.clone();
            SeasonBody {
                season: number,
                name: season.name.clone(),
                rules: season.rules.clone(),
                began_at: timestamp(season.began_at),
                tables: tables.count() as u64,
                counted: counted
                    .filter(|table| table.state == TableState::Counted)
                    .count() as u64,
            }
        };
        let members = league.members.iter();
        Ok(LeagueBody {
            summary: summary(stored(league)),
            description: league.description.clone(),
            joining: league.joining,
            hash: league.hash.clone(),
            organizers: league.organizers.iter().map(account).collect(),
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

/// Up to where a league is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To its end.
    Now,
    /// Up to an event.
    Event(u64),
    /// Up to a moment, in microseconds since 1970.
    Moment(i64),
}

fn damaged(id: Uuid, refused: &Refused) -> GameError {
    GameError::Damaged {
        id: format!("of league {id}"),
        message: refused.to_string(),
    }
}

fn no_account() -> GameError {
    GameError::invalid("id", "no account has this id or handle")
}

/// An error whose field stands within another.
fn within(outer: &str, error: GameError) -> GameError {
    match error {
        GameError::Invalid { field, message } => GameError::Invalid {
            field: format!("{outer}.{field}"),
            message,
        },
        other => other,
    }
}

/// That the next season begins.
fn season_event(league: &League, new: &NewSeason) -> Result<LeagueEvent, GameError> {
    let before = league.seasons.last().map(|season| &season.rules);
    let rules = new.rules.as_ref().or(before);
    let missing = || GameError::invalid("rules", "the first season needs rules");
    Ok(LeagueEvent::SeasonBegan {
        season: u16::try_from(league.seasons.len() + 1).unwrap_or(u16::MAX),
        name: new.name.clone(),
        rules: rules.ok_or_else(missing)?.clone(),
    })
}

fn event_body(league: Uuid, row: LeagueRow) -> Result<LeagueEventBody, GameError> {
    let event = serde_json::from_str(&row.text);
    let event = event.map_err(|error| GameError::Damaged {
        id: format!("of league {league}"),
        message: error.to_string(),
    })?;
    Ok(LeagueEventBody {
        seq: row.seq,
        at_microseconds: row.at,
        at: timestamp(row.at),
        by: row.by,
        event,
        text: row.text,
        hash: row.hash,
    })
}
