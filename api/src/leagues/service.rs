//! Leagues: who may do what in them, and what is written of it. What their events come to is in [`crate::leagues::limits`].

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use engine::setup::PLACEHOLDER;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::accounts::queries::StoredAccount;
use crate::db::StoreError;
use crate::db::time::timestamp;
use crate::games::Games;
use crate::games::bodies::NewOrganizer;
use crate::games::model::{Status, StoredGame, Visibility};
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::GameError;
use crate::http::scope::Scope;
use crate::leagues::event::{Joining, LeagueEvent};
use crate::leagues::fold::{League, Refused, TableState};
use crate::leagues::limits::{MOST_EVENTS, MOST_MEMBERS, MOST_TABLES};
use crate::leagues::model::{
    LeagueAccountBody, LeagueBody, LeagueEventBody, LeagueEventPage, LeaguePage, LeagueSummary,
    MemberBody, NewLeague, NewMember, NewSeason, SeasonBody,
};
use crate::leagues::queries::{LeagueAppend, LeagueRow, StoredLeague};

/// The most events of a league: ends of games come behind the most that anybody adds.
pub(crate) const MOST_ROWS: i64 = MOST_EVENTS as i64 + MOST_TABLES as i64;

/// How many members and events of those that a league may have are kept for organizers and whom they invite.
const KEPT_MEMBERS: usize = 100;
const KEPT_EVENTS: u64 = 5_000;

/// How often an event is tried when other writers are first: ends of games and other nodes, for this one's requests
/// write one after the other.
pub(crate) const ATTEMPTS: usize = 16;

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

pub(crate) fn not_found(id: Uuid) -> GameError {
    GameError::NotFound(format!("league {id}"))
}

pub(crate) fn now() -> i64 {
    jiff::Timestamp::now().as_microsecond()
}

/// What the row of a league says.
pub(crate) fn stored(league: &League) -> StoredLeague {
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
pub(crate) fn end_told(stored: &StoredGame) -> Result<Option<String>, GameError> {
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
    pub(crate) fn organizes(&self, league: &League) -> Result<Uuid, GameError> {
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
    /// A league as it is now: what is in memory, and what was written since.
    pub(crate) fn league_now(&self, id: Uuid) -> Result<Arc<League>, GameError> {
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
    pub(crate) fn load_league(&self, id: Uuid, until: Until) -> Result<League, GameError> {
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
            league.take(row).map_err(|refused| damaged(id, &refused))?;
        }
        Ok(league)
    }

    /// Held by the request of this node that writes to a league. What others write is found when the event is written.
    pub(crate) fn league_turn(&self, id: Uuid) -> Arc<Mutex<()>> {
        self.league_turns.get_with(id, Arc::default)
    }

    /// A league that the caller may see.
    pub(crate) fn seen_league(&self, id: Uuid, call: &Call) -> Result<Arc<League>, GameError> {
        let league = self.league_now(id)?;
        match call.sees_league(&league) {
            true => Ok(league),
            false => Err(not_found(id)),
        }
    }

    /// Changes a league that the caller may see: `work` says what happens, and is asked again when another writer was
    /// first; `answer` says what is told of the league after it.
    pub(crate) fn change_league<T: Serialize + DeserializeOwned>(
        &self,
        id: Uuid,
        call: &Call,
        work: impl Fn(&League) -> Result<(Uuid, LeagueEvent), GameError>,
        answer: impl Fn(&League) -> Result<T, GameError>,
    ) -> Result<T, GameError> {
        // Whoever may not do it waits for nobody, and nobody for them.
        if self.kept::<T>(call)?.is_none()
            && let Err(error @ GameError::Forbidden(_)) = work(&*self.seen_league(id, call)?)
        {
            return Err(error);
        }
        let turn = self.league_turn(id);
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..ATTEMPTS {
            // Whoever has left a private league is answered again all the same.
            if let Some(kept) = self.kept(call)? {
                return Ok(kept);
            }
            let mut league = League::clone(&*self.seen_league(id, call)?);
            let row = call.guarded(league.seq, || {
                let (by, event) = work(&league)?;
                Ok(league.add(now(), Some(by), &event)?)
            })?;
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
    pub fn league(&self, id: Uuid, call: &Call) -> Result<LeagueBody, GameError> {
        self.league_body(&*self.seen_league(id, call)?)
    }

    /// Events of a league behind one, or from the first on, and the `cursor` of the next page.
    pub fn league_events(
        &self,
        id: Uuid,
        call: &Call,
        behind: Option<u64>,
        limit: usize,
    ) -> Result<LeagueEventPage, GameError> {
        self.seen_league(id, call)?;
        let (mut rows, signature) =
            self.store
                .signed_league_events(id, behind, limit as i64 + 1)?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let items: Result<Vec<LeagueEventBody>, GameError> =
            rows.into_iter().map(|row| event_body(id, row)).collect();
        let items = items?;
        let last = items.last().map(|event| event.seq.to_string());
        Ok(LeagueEventPage {
            items,
            next: last.filter(|_| more),
            signature,
        })
    }

    /// Makes somebody a member, or invites an account.
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
                    let is_wanted = league.invited.contains(&own.account)
                        || league.organizers.contains(&own.account);
                    let member = own.account.to_string();
                    if !is_wanted {
                        may_join(league, &member)?;
                    }
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
    pub fn remove_member(
        &self,
        id: Uuid,
        call: &Call,
        named: &str,
    ) -> Result<LeagueBody, GameError> {
        let work = |league: &League| {
            // Who may ask comes before who is asked for.
            let member = self.member_named(league, named);
            let account = member.as_deref().ok();
            let account = account.and_then(|member| Uuid::try_parse(member).ok());
            let by = match call.access.as_deref() {
                Some(own) if account == Some(own.account) => {
                    own.needs(Scope::Play)?;
                    own.account
                }
                _ => call.organizes(league)?,
            };
            let member = member?;
            match account.filter(|account| league.invited.contains(account)) {
                Some(account) => Ok((by, LeagueEvent::Uninvited { account })),
                None => Ok((by, LeagueEvent::Left { member })),
            }
        };
        self.change_league(id, call, work, |league| self.league_body(league))
    }

    /// Lets another account organize a league too.
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
            if self.is_last_organizer(league, account)? {
                let message = "a league has at least one organizer";
                return Err(GameError::Conflict(message.to_owned()));
            }
            Ok((by, LeagueEvent::OrganizerRemoved { account }))
        };
        self.change_league(id, call, work, |league| self.league_body(league))
    }

    /// Begins a season.
    pub fn begin_season(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewSeason,
    ) -> Result<LeagueBody, GameError> {
        let work = |league: &League| Ok((call.organizes(league)?, season_event(league, new)?));
        self.change_league(id, call, work, |league| self.league_body(league))
    }

    /// Whether what a game says of its league is the id of a league here: whose games are those of its tables alone.
    pub(crate) fn is_league_here(&self, league: &str) -> Result<bool, GameError> {
        match Uuid::try_parse(league) {
            Ok(id) => Ok(self.store.league(id)?.is_some()),
            Err(_) => Ok(false),
        }
    }

    /// The caller organizes a league that is kept here.
    ///
    /// # Errors
    /// 401 when nobody knows the caller, 403 when it is somebody else's work or the token is not for it; when the store
    /// fails.
    pub(crate) fn check_league_organizer(&self, id: Uuid, call: &Call) -> Result<(), GameError> {
        call.organizes(&*self.league_now(id)?).map(|_| ())
    }

    /// The league here of which a game is a table.
    fn league_with(&self, table: &Table) -> Result<Option<Arc<League>>, GameError> {
        let named = table.stored.league.as_deref();
        let Some(id) = named.and_then(|id| Uuid::try_parse(id).ok()) else {
            return Ok(None);
        };
        let league = match self.league_now(id) {
            Ok(league) => league,
            Err(GameError::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let game = Some(table.id());
        let has = |league: &Arc<League>| league.tables.iter().any(|table| table.game == game);
        Ok(Some(league).filter(has))
    }

    /// The caller organizes a game: a table of a league whoever organizes the league now, as [`Call::organizer`] any
    /// other.
    ///
    /// # Errors
    /// 401 when nobody knows the caller, 403 when it is somebody else's work or the token is not for it; when the store
    /// fails.
    pub(crate) fn check_organizer(&self, call: &Call, table: &Table) -> Result<(), GameError> {
        match self.league_with(table)? {
            Some(league) => call.organizes(&league).map(|_| ()),
            None => call.organizer(table),
        }
    }

    /// Whether a game is a table of a league here.
    pub(crate) fn is_of_league(&self, table: &Table) -> Result<bool, GameError> {
        Ok(self.league_with(table)?.is_some())
    }

    /// Whether the caller may see a game: as [`Call::sees`], and a table of a league whoever sees the league.
    pub fn sees(&self, call: &Call, table: &Table) -> Result<bool, GameError> {
        let sees = call.sees(table);
        let Some(access) = call.access.as_deref() else {
            return Ok(sees);
        };
        // Whoever set a table up sees it no more when they organize its league no more.
        let by_account =
            table.stored.organizer_account == Some(access.account) && !table.is_at(access.account);
        if sees && (table.stored.visibility != Visibility::Private || !by_account) {
            return Ok(true);
        }
        let league = self.league_with(table)?;
        Ok(league.map_or(sees, |league| call.sees_league(&league)))
    }

    /// An account that is not deleted, by id or handle.
    fn living_account(&self, named: &str) -> Result<Option<StoredAccount>, GameError> {
        let found = self.account_named(named)?;
        Ok(found.filter(|account| account.deleted_at.is_none()))
    }

    /// Those of some accounts that are deleted, by id.
    pub(crate) fn deleted(
        &self,
        ids: impl Iterator<Item = String>,
    ) -> Result<BTreeSet<String>, GameError> {
        Ok(self.store.deleted(&ids.collect::<Vec<String>>())?)
    }

    /// Whether an account organizes a league, and nobody else does who is still there.
    fn is_last_organizer(&self, league: &League, account: Uuid) -> Result<bool, GameError> {
        let others = league.organizers.iter().filter(|other| **other != account);
        let others: BTreeSet<String> = others.map(Uuid::to_string).collect();
        let deleted = self.deleted(others.iter().cloned())?;
        Ok(league.organizers.contains(&account) && others.is_subset(&deleted))
    }

    /// An account may be deleted without leaving a league to nobody in which others play or something was played. Who
    /// was named an organizer and never did anything there has not agreed to be one; a league that cannot be read has
    /// nobody wait for it.
    pub(crate) fn check_leagues_of(&self, account: Uuid) -> Result<(), GameError> {
        let own = account.to_string();
        for id in self.store.leagues_written_by(account)? {
            let league = match crate::games::known_id(&id).and_then(|id| self.league_now(id)) {
                Err(GameError::Damaged { .. }) => continue,
                league => league?,
            };
            let mut members = league.members.iter();
            let is_used = !league.tables.is_empty()
                || members.any(|member| member.active && member.id != own);
            if is_used && self.is_last_organizer(&league, account)? {
                let message = format!("the account is the last one that organizes the league {id}");
                return Err(GameError::Conflict(message));
            }
        }
        Ok(())
    }

    /// The id of a member or of who is invited, by id or handle.
    pub(crate) fn member_named(&self, league: &League, named: &str) -> Result<String, GameError> {
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
    pub(crate) fn names_in(
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
    pub(crate) fn league_body(&self, league: &League) -> Result<LeagueBody, GameError> {
        let names = self.names_in(league)?;
        let name = |id: &str| names.get(id).cloned().unwrap_or_default();
        let account = |id: &Uuid| LeagueAccountBody {
            id: *id,
            handle: name(&id.to_string()),
        };
        let season = |(number, season): (u16, &crate::leagues::fold::Season)| {
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

pub(crate) fn damaged(id: Uuid, refused: &Refused) -> GameError {
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

/// Whether an account may become a member that no organizer has invited: in an open league once, and while there is
/// room for what organizers do.
fn may_join(league: &League, member: &str) -> Result<(), GameError> {
    let forbidden = |message: &str| Err(GameError::Forbidden(message.to_owned()));
    if league.joining != Joining::Open {
        return forbidden("the league is for members whom an organizer has invited");
    }
    if league.member(member).is_some_and(|known| !known.active) {
        return forbidden("who has left the league comes back when an organizer invites");
    }
    if league.members.len() >= MOST_MEMBERS - KEPT_MEMBERS
        || league.seq >= MOST_EVENTS - KEPT_EVENTS
    {
        let message = "the league is full but for those whom an organizer invites";
        return Err(GameError::Conflict(message.to_owned()));
    }
    Ok(())
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
        position: row.position,
        log_position: row.log_position,
        at_microseconds: row.at,
        at: timestamp(row.at),
        by: row.by,
        event,
        text: row.text,
        hash: row.hash,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_leave_room_for_organizers() {
        let organizer = Uuid::from_u128(1);
        let league = |joining| {
            let created = LeagueEvent::Created {
                name: "Cup".to_owned(),
                description: None,
                visibility: Visibility::Public,
                joining,
                organizer,
            };
            League::begin(Uuid::from_u128(2), 0, organizer, &created)
                .unwrap()
                .0
        };
        let member = |number: u128| Uuid::from_u128(number + 10).to_string();
        let mut open = league(Joining::Open);
        assert!(may_join(&league(Joining::Invited), &member(0)).is_err());
        may_join(&open, &member(0)).unwrap();
        let joined = |number| LeagueEvent::Joined {
            member: member(number),
            name: None,
        };
        for number in 0..(MOST_MEMBERS - KEPT_MEMBERS - 1) as u128 {
            open.add(0, None, &joined(number)).unwrap();
        }
        may_join(&open, &member(5_000)).unwrap();
        open.add(0, None, &LeagueEvent::Left { member: member(3) })
            .unwrap();
        let again = may_join(&open, &member(3));
        assert!(matches!(again, Err(GameError::Forbidden(_))), "{again:?}");
        let mut long = open.clone();
        long.seq = MOST_EVENTS - KEPT_EVENTS;
        let late = may_join(&long, &member(5_000));
        assert!(matches!(late, Err(GameError::Conflict(_))), "{late:?}");
        open.add(0, None, &joined(5_000)).unwrap();
        let last = may_join(&open, &member(5_001));
        assert!(matches!(last, Err(GameError::Conflict(_))), "{last:?}");
        open.add(0, None, &joined(5_001)).unwrap();
    }
}
