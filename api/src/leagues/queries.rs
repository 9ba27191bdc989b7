//! The queries of leagues: their logs, and the games whose ends they wait for.

use std::collections::{BTreeMap, BTreeSet};

use diesel::dsl::{count_star, exists, max, min, not};
use diesel::prelude::*;
use jiff::Timestamp;
use records::tlog::Leaf;
use records::{LeagueSignature, SecretKey, chained_places};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::db::answers::{KeptRequest, keep_answer};
use crate::db::connection::AnyConnection;
use crate::db::jobs::{Task, WorkKind, schedule_deadline};
use crate::db::schema::{biddings, games, league_events, league_games, leagues, log_end};
use crate::db::writer::{Writing, conflict};
use crate::db::{Store, StoreError};
use crate::games::model::{Append, AppendedEvents, StoredGame, Visibility};
use crate::games::queries::append::write;
use crate::games::queries::audit::at_one_moment;
use crate::games::queries::read::read_bidding;
use crate::games::queries::rows::GameRow;
use crate::signing::leaves::append_leaf;

/// The start of the hash chain, before row 0.
const GENESIS: &str = "tabularium-league/1";

/// The number of games that are looked up at a time.
const NAMED: usize = 500;

/// How long an event may wait until it is written, in microseconds.
/// Its time must not be much in the past.
pub const LONGEST_WAIT: i64 = analytics::question::LEAGUE_WAIT.as_secs() * 1_000_000;

/// The current time, in microseconds since 1970.
pub(in crate::leagues) fn now() -> i64 {
    Timestamp::now().as_microsecond()
}

/// The row of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredLeague {
    /// UUIDv7, so that ids sort by creation.
    pub id: Uuid,
    /// The name.
    pub name: String,
    /// Who may see the league.
    pub visibility: Visibility,
    /// The sequence number of the last event.
    pub seq: u64,
    /// The chained hash of the last event, 64 hexadecimal digits.
    pub hash: String,
    /// When the league was created, in microseconds since 1970.
    pub created_at: i64,
    /// When the last event was recorded, in microseconds since 1970.
    pub updated_at: i64,
    /// When an administrator closed it, in microseconds since 1970; `None` if it is open.
    /// The log does not contain this.
    pub closed_at: Option<i64>,
}

/// A row of a league's log. Row 0 is the creation of the league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueRow {
    /// The position in the league's log, from 0 without gaps.
    pub seq: u64,
    /// When it was recorded, in microseconds since 1970; never earlier than the row before.
    pub at: i64,
    /// The account that caused the event; `None` for events that the server records itself.
    pub by: Option<String>,
    /// The event, as JSON.
    pub text: String,
    /// The chained hash, 64 hexadecimal digits.
    pub hash: String,
    /// The position in the log of all leagues, from 1 without gaps; `None` before it is written.
    pub position: Option<u64>,
    /// The end of the log of all games when it was written; `None` before.
    pub log_position: Option<u64>,
}

impl LeagueRow {
    /// Returns the hash of this row after a row with the hash `previous` (`None` for row 0).
    ///
    /// It is the SHA-256 of these lines, each ended by a line feed: previous hash (`tabularium-league/1` for row 0),
    /// league, seq, microseconds since 1970, account (empty if none) and text.
    pub fn chained_hash(&self, league: Uuid, previous: Option<&str>) -> String {
        let mut hash = Sha256::new();
        let mut line = |text: &str| {
            hash.update(text.as_bytes());
            hash.update(b"\n");
        };
        line(previous.unwrap_or(GENESIS));
        line(&league.to_string());
        line(&self.seq.to_string());
        line(&self.at.to_string());
        line(self.by.as_deref().unwrap_or(""));
        line(&self.text);
        hex::encode(hash.finalize())
    }

    /// Returns the row with its hash.
    pub fn chained(mut self, league: Uuid, previous: Option<&str>) -> LeagueRow {
        self.hash = self.chained_hash(league, previous);
        self
    }
}

/// A change of a league, which is written as a whole or not at all.
#[derive(Clone, Debug)]
pub struct LeagueAppend {
    /// The league after the change.
    pub league: StoredLeague,
    /// The new events, in order. Row 0 creates the league.
    pub rows: Vec<LeagueRow>,
    /// New games of the league, for whose ends it waits, and games that it changes.
    pub games: Vec<Append>,
    /// Games that end by a deadline, and when, in microseconds since 1970.
    pub ends: Vec<(Uuid, i64)>,
    /// The answer to store for a repeated request.
    pub answer: Option<KeptRequest>,
}

/// Everything that is stored about a league.
#[derive(Clone, Debug)]
pub struct WholeLeague {
    /// The row of the league.
    pub head: StoredLeague,
    /// The signature of its log; `None` if there was no key, or if it cannot be read.
    pub signature: Option<LeagueSignature>,
    /// The events.
    pub rows: Vec<LeagueRow>,
    /// The ids of games for whose ends the league waits.
    pub waits_for: Vec<String>,
    /// The games that belong to the league or are named by its events, by id.
    pub games: BTreeMap<Uuid, StoredGame>,
}

/// The end of a league's log.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct LeagueHead {
    /// The id of the league.
    pub id: String,
    /// The sequence number of the last event.
    pub seq: i64,
    /// The chained hash of that event, 64 hexadecimal digits.
    pub hash: String,
}

/// An event of a league with its position in the log of all leagues.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct PlacedEvent {
    /// The id of the league.
    pub league: String,
    /// The position in the league's log.
    pub seq: i64,
    /// The event, as JSON.
    pub text: String,
    /// The chained hash, 64 hexadecimal digits.
    pub hash: String,
    /// The position in the log of all leagues, from 1 without gaps.
    pub position: i64,
    /// The end of the log of all games when the event received its position.
    pub log_position: i64,
}

/// The numbers of rows about leagues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeagueCounts {
    /// The number of leagues.
    pub leagues: i64,
    /// The number of their events.
    pub events: i64,
    /// The last position in the log of all leagues.
    pub end: i64,
    /// The number of events whose league does not exist.
    pub events_of_no_league: i64,
    /// The number of games that belong to a table of a league that does not exist.
    pub games_of_no_league: i64,
}

/// A row of `leagues`.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = leagues)]
struct HeadRow {
    id: String,
    name: String,
    visibility: String,
    seq: i64,
    hash: String,
    /// Replaced together with the row, when events are written.
    signature: Option<String>,
    created_at: i64,
    updated_at: i64,
    /// Changed only by administrators: `None` leaves the column unchanged.
    closed_at: Option<i64>,
}

impl From<StoredLeague> for HeadRow {
    fn from(league: StoredLeague) -> HeadRow {
        HeadRow {
            id: league.id.to_string(),
            name: league.name,
            visibility: league.visibility.name().to_owned(),
            seq: league.seq as i64,
            hash: league.hash,
            created_at: league.created_at,
            updated_at: league.updated_at,
            signature: None,
            closed_at: None,
        }
    }
}

impl HeadRow {
    /// Returns the signature, if it can be read.
    fn signature(&self) -> Option<LeagueSignature> {
        serde_json::from_str(self.signature.as_deref()?).ok()
    }

    fn league(self) -> Result<StoredLeague, StoreError> {
        let damaged = |message: &str| StoreError::Damaged {
            id: self.id.clone(),
            message: message.to_owned(),
        };
        let id = Uuid::try_parse(&self.id).map_err(|_| damaged("its id is not a UUID"))?;
        let visibility = Visibility::by_name(&self.visibility);
        Ok(StoredLeague {
            id,
            visibility: visibility.ok_or_else(|| damaged("its visibility is unknown"))?,
            seq: u64::try_from(self.seq).map_err(|_| damaged("its seq is negative"))?,
            name: self.name,
            hash: self.hash,
            created_at: self.created_at,
            updated_at: self.updated_at,
            closed_at: self.closed_at,
        })
    }
}

/// A row of `league_events`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = league_events)]
struct LeagueEventRow {
    league: String,
    seq: i64,
    at: i64,
    account: Option<String>,
    text: String,
    hash: String,
    position: i64,
    log_position: i64,
}

impl LeagueEventRow {
    fn new(league: Uuid, row: LeagueRow, (position, log_position): (i64, i64)) -> LeagueEventRow {
        LeagueEventRow {
            league: league.to_string(),
            seq: row.seq as i64,
            at: row.at,
            account: row.by,
            text: row.text,
            hash: row.hash,
            position,
            log_position,
        }
    }
}

impl From<LeagueEventRow> for LeagueRow {
    fn from(row: LeagueEventRow) -> LeagueRow {
        LeagueRow {
            // A negative number never follows another row.
            seq: u64::try_from(row.seq).unwrap_or(u64::MAX),
            at: row.at,
            by: row.account,
            text: row.text,
            hash: row.hash,
            position: u64::try_from(row.position).ok(),
            log_position: u64::try_from(row.log_position).ok(),
        }
    }
}

/// Appends events to the log of a league, and signs the log.
///
/// Every writer locks the end of the log of all games first, so positions become visible in order. The league's row
/// must exist.
fn add_events(
    connection: &mut AnyConnection,
    writing: &Writing,
    league: Uuid,
    rows: Vec<LeagueRow>,
    signed: Option<LeagueSignature>,
) -> Result<(), StoreError> {
    let Some(last) = rows.last() else {
        return Ok(());
    };
    let (seq, hash) = (last.seq, last.hash.clone());
    let log_position: i64 = log_end::table
        .find(1)
        .select(log_end::position)
        .first(connection)?;
    let behind = end(connection)? + 1;
    for (row, position) in rows.into_iter().zip(behind..) {
        diesel::insert_into(league_events::table)
            .values(LeagueEventRow::new(league, row, (position, log_position)))
            .execute(connection)
            .map_err(conflict)?;
    }
    let signature = match &writing.key {
        Some(key) => {
            let signature = sign(connection, league, (seq, &hash), signed, key)?;
            let id = league.to_string();
            append_leaf(connection, &id, &Leaf::of_league(&id, &signature))?;
            let json = serde_json::to_string(&signature);
            Some(json.map_err(|error| StoreError::Damaged {
                id,
                message: error.to_string(),
            })?)
        }
        None => None,
    };
    diesel::update(leagues::table.find(league.to_string()))
        .set(leagues::signature.eq(signature))
        .execute(connection)?;
    Ok(())
}

/// Signs the log of a league up to its last event, and returns the signature.
///
/// `signed` is the previous signature, which saves reading the positions of earlier events.
fn sign(
    connection: &mut AnyConnection,
    league: Uuid,
    (seq, hash): (u64, &str),
    signed: Option<LeagueSignature>,
    key: &SecretKey,
) -> Result<LeagueSignature, StoreError> {
    let behind = signed.as_ref().map_or(-1, |signature| signature.seq as i64);
    let league = league.to_string();
    let places: Vec<(i64, i64)> = league_events::table
        .filter(league_events::league.eq(&league))
        .filter(league_events::seq.gt(behind))
        .order(league_events::seq)
        .select((league_events::position, league_events::log_position))
        .load(connection)?;
    let mut chained = signed.map(|signature| signature.places);
    for (position, log_position) in places {
        let places = chained_places(chained.as_deref(), position as u64, log_position as u64);
        chained = Some(places);
    }
    let places = chained.unwrap_or_default();
    Ok(LeagueSignature::sign(&league, seq, hash, &places, key))
}

fn events_behind(
    connection: &mut AnyConnection,
    id: Uuid,
    behind: Option<u64>,
    limit: i64,
) -> Result<Vec<LeagueRow>, StoreError> {
    let behind = behind.map_or(-1, |seq| i64::try_from(seq).unwrap_or(i64::MAX));
    let rows: Vec<LeagueEventRow> = league_events::table
        .filter(league_events::league.eq(id.to_string()))
        .filter(league_events::seq.gt(behind))
        .order(league_events::seq)
        .limit(limit)
        .load(connection)?;
    Ok(rows.into_iter().map(LeagueRow::from).collect())
}

/// Returns the last position in the log of all leagues.
fn end(connection: &mut AnyConnection) -> Result<i64, StoreError> {
    let last: Option<i64> = league_events::table
        .select(max(league_events::position))
        .first(connection)?;
    Ok(last.unwrap_or(0))
}

/// Loads the biddings for the seats of games.
fn load_biddings(
    connection: &mut AnyConnection,
    games: &mut BTreeMap<Uuid, StoredGame>,
) -> Result<(), StoreError> {
    let ids: Vec<String> = games.keys().map(Uuid::to_string).collect();
    for part in ids.chunks(NAMED) {
        let found: Vec<(String, String)> = biddings::table
            .filter(biddings::game.eq_any(part))
            .load(connection)?;
        for (id, text) in found {
            let game = Uuid::try_parse(&id).ok().and_then(|id| games.get_mut(&id));
            if let Some(game) = game {
                // The audit of games reports a bidding that cannot be read.
                game.bidding = read_bidding(&id, &text).ok();
            }
        }
    }
    Ok(())
}

/// Appends the end of a game to the log of its league, in the transaction that ends the game.
pub(in crate::leagues) fn add_end(
    connection: &mut AnyConnection,
    writing: &Writing,
    game: Uuid,
    text: String,
) -> Result<(), StoreError> {
    add_game_event(connection, writing, game, text)?;
    diesel::delete(league_games::table.find(game.to_string())).execute(connection)?;
    Ok(())
}

/// Appends an event of a game to the log of its league, in the transaction that changes the game.
/// Does nothing if the league does not wait for the end of the game.
pub(in crate::leagues) fn add_game_event(
    connection: &mut AnyConnection,
    writing: &Writing,
    game: Uuid,
    text: String,
) -> Result<(), StoreError> {
    let waits = league_games::table.find(game.to_string());
    let league: Option<String> = waits
        .select(league_games::league)
        .first(connection)
        .optional()?;
    let Some(league) = league else {
        return Ok(());
    };
    let head: HeadRow = leagues::table.find(&league).first(connection)?;
    let signed = head.signature();
    let mut head = head.league()?;
    let row = LeagueRow {
        seq: head.seq + 1,
        // Times within a league always increase.
        at: now().max(head.updated_at + 1),
        by: None,
        text,
        hash: String::new(),
        position: None,
        log_position: None,
    };
    let row = row.chained(head.id, Some(&head.hash));
    head.seq = row.seq;
    head.updated_at = row.at;
    head.hash.clone_from(&row.hash);
    diesel::update(leagues::table.find(&league))
        .set(HeadRow::from(head.clone()))
        .execute(connection)?;
    add_events(connection, writing, head.id, vec![row], signed)
}

impl Store {
    /// Writes a new league or a change of one, with the games that are created for it.
    /// Returns the written games.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when another writer was first: the league has changed, a game with one of the ids
    /// exists, or the idempotency key is used; when the change has waited longer than [`LONGEST_WAIT`]; when the
    /// database fails. Nothing is written then.
    pub(in crate::leagues) fn append_league(
        &self,
        append: LeagueAppend,
    ) -> Result<Vec<AppendedEvents>, StoreError> {
        let writing = self.writing();
        self.write(move |connection| {
            let LeagueAppend {
                league,
                rows,
                games,
                ends,
                answer,
            } = append;
            let id = league.id;
            let kept: Option<HeadRow> = leagues::table
                .find(id.to_string())
                .first(connection)
                .optional()?;
            let signed = kept.and_then(|kept| kept.signature());
            match rows.first().map(|row| row.seq) {
                None => {}
                Some(0) => {
                    diesel::insert_into(leagues::table)
                        .values(HeadRow::from(league))
                        .execute(connection)
                        .map_err(conflict)?;
                }
                // Answers about the time since then must not change.
                Some(_) if rows.iter().any(|row| row.at < now() - LONGEST_WAIT) => {
                    return Err(StoreError::Conflict);
                }
                Some(first) => {
                    let unchanged = leagues::table
                        .filter(leagues::id.eq(id.to_string()))
                        .filter(leagues::seq.eq(first as i64 - 1))
                        .filter(leagues::closed_at.is_null());
                    let updated = diesel::update(unchanged)
                        .set(HeadRow::from(league))
                        .execute(connection)?;
                    if updated != 1 {
                        return Err(StoreError::Conflict);
                    }
                }
            }
            add_events(connection, &writing, id, rows, signed)?;
            let mut written = Vec::with_capacity(games.len());
            for game in games {
                let pauses = match &*game.game.pauses {
                    [] => None,
                    pauses => serde_json::to_string(pauses).ok(),
                };
                let (is_new, own) = (game.game.version == 0, game.game.id.to_string());
                written.push(write(connection, &writing, game)?);
                if !is_new {
                    diesel::update(league_games::table.find(own))
                        .set(league_games::pauses.eq(pauses))
                        .execute(connection)?;
                    continue;
                }
                let waits = (
                    league_games::game.eq(own),
                    league_games::league.eq(id.to_string()),
                    league_games::pauses.eq(pauses),
                );
                diesel::insert_into(league_games::table)
                    .values(waits)
                    .execute(connection)
                    .map_err(conflict)?;
            }
            for (game, at) in ends {
                let task = Task {
                    kind: WorkKind::TableDeadline,
                    subject: game.to_string(),
                };
                schedule_deadline(connection, &task, at)?;
            }
            if let Some(answer) = answer {
                keep_answer(connection, answer)?;
            }
            Ok(written)
        })
    }

    /// Returns the end of every league's log, and the end of the log of all leagues.
    ///
    /// The leagues are in the order of their first events.
    ///
    /// Both are read at the same moment.
    pub fn league_heads(&self) -> Result<(i64, Vec<LeagueHead>), StoreError> {
        at_one_moment(&mut *self.connection()?, |connection| {
            let begin = (league_events::league.eq(leagues::id)).and(league_events::seq.eq(0));
            let heads = leagues::table
                .inner_join(league_events::table.on(begin))
                .order(league_events::position)
                .select((leagues::id, leagues::seq, leagues::hash))
                .load(connection)?;
            Ok((end(connection)?, heads))
        })
    }

    /// Returns the ids of all leagues, in the order of their first events.
    pub(in crate::leagues) fn leagues_in_order(&self) -> Result<Vec<String>, StoreError> {
        let begin = (league_events::league.eq(leagues::id)).and(league_events::seq.eq(0));
        Ok(leagues::table
            .left_join(league_events::table.on(begin))
            .order((league_events::position, leagues::id))
            .select(leagues::id)
            .load(&mut *self.connection()?)?)
    }

    /// Returns the last position in the log of all leagues.
    pub fn last_league_position(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        end(connection)
    }

    /// Whether the log of all leagues has events after a position.
    pub fn league_log_grew(&self, position: i64) -> Result<bool, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(end(connection)? > position)
    }

    /// Returns at most `limit` events of all leagues after a position, in the order of their log.
    pub(crate) fn placed_league_events(
        &self,
        behind: i64,
        limit: i64,
    ) -> Result<Vec<PlacedEvent>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(league_events::table
            .filter(league_events::position.gt(behind))
            .order(league_events::position)
            .limit(limit)
            .select((
                league_events::league,
                league_events::seq,
                league_events::text,
                league_events::hash,
                league_events::position,
                league_events::log_position,
            ))
            .load(connection)?)
    }

    /// Returns when the first league was created, in microseconds since 1970.
    pub fn leagues_begin(&self) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(leagues::table
            .select(min(leagues::created_at))
            .first(connection)?)
    }

    /// Returns the row of a league.
    pub fn league(&self, id: Uuid) -> Result<Option<StoredLeague>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<HeadRow> = leagues::table
            .find(id.to_string())
            .first(connection)
            .optional()?;
        found.map(HeadRow::league).transpose()
    }

    /// Returns events of a league, in order, after one or from the first.
    pub fn league_events(
        &self,
        id: Uuid,
        behind: Option<u64>,
        limit: i64,
    ) -> Result<Vec<LeagueRow>, StoreError> {
        events_behind(&mut *self.connection()?, id, behind, limit)
    }

    /// Returns events like [`Store::league_events`], with the signature of the log at the same moment.
    pub(in crate::leagues) fn signed_league_events(
        &self,
        id: Uuid,
        behind: Option<u64>,
        limit: i64,
    ) -> Result<(Vec<LeagueRow>, Option<LeagueSignature>), StoreError> {
        at_one_moment(&mut *self.connection()?, |connection| {
            let head: Option<HeadRow> = leagues::table
                .find(id.to_string())
                .first(connection)
                .optional()?;
            let rows = events_behind(connection, id, behind, limit)?;
            Ok((rows, head.and_then(|head| head.signature())))
        })
    }

    /// Returns the first events of a league, up to an event and a time in microseconds since 1970.
    pub(in crate::leagues) fn league_events_until(
        &self,
        id: Uuid,
        seq: Option<u64>,
        at: Option<i64>,
        limit: i64,
    ) -> Result<Vec<LeagueRow>, StoreError> {
        let connection = &mut *self.connection()?;
        let most = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
        let rows: Vec<LeagueEventRow> = league_events::table
            .filter(league_events::league.eq(id.to_string()))
            .filter(league_events::seq.le(seq.map_or(i64::MAX, most)))
            .filter(league_events::at.le(at.unwrap_or(i64::MAX)))
            .order(league_events::seq)
            .limit(limit)
            .load(connection)?;
        Ok(rows.into_iter().map(LeagueRow::from).collect())
    }

    /// Returns the games of a league with a running clock.
    ///
    /// The time is when the clock ends, in microseconds since 1970.
    pub(in crate::leagues) fn due_in_league(
        &self,
        id: Uuid,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let connection = &mut *self.connection()?;
        let due: Vec<(String, Option<i64>)> = games::table
            .filter(games::league.eq(id.to_string()))
            .filter(games::due_at.is_not_null())
            .select((games::id, games::due_at))
            .load(connection)?;
        Ok(due
            .into_iter()
            .filter_map(|(game, at)| Some((game, at?)))
            .collect())
    }

    /// Returns public leagues that were created before one, newest first.
    pub(in crate::leagues) fn public_leagues(
        &self,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<StoredLeague>, StoreError> {
        let connection = &mut *self.connection()?;
        let public = leagues::visibility.eq(Visibility::Public.name());
        let is_open = leagues::closed_at.is_null();
        let mut query = leagues::table.filter(public.and(is_open)).into_boxed();
        if let Some(before) = before {
            query = query.filter(leagues::id.lt(before.to_string()));
        }
        let rows: Vec<HeadRow> = query
            .order(leagues::id.desc())
            .limit(limit as i64)
            .load(connection)?;
        rows.into_iter().map(HeadRow::league).collect()
    }

    /// Closes a league at a time, or opens it again. Its games continue, and their ends are still entered.
    pub(crate) fn set_league_closed(
        &self,
        id: Uuid,
        closed_at: Option<i64>,
        kept: KeptRequest,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            diesel::update(leagues::table.find(id.to_string()))
                .set(leagues::closed_at.eq(closed_at))
                .execute(connection)?;
            keep_answer(connection, kept)
        })
    }

    /// Returns everything stored about a league, read at one moment.
    /// `named` returns the games that events name.
    pub(in crate::leagues) fn whole_league(
        &self,
        id: Uuid,
        named: impl FnOnce(&[LeagueRow]) -> Vec<Uuid>,
    ) -> Result<WholeLeague, StoreError> {
        at_one_moment(&mut *self.connection()?, |connection| {
            let head: HeadRow = leagues::table.find(id.to_string()).first(connection)?;
            let rows: Vec<LeagueEventRow> = league_events::table
                .filter(league_events::league.eq(id.to_string()))
                .order(league_events::seq)
                .load(connection)?;
            let rows: Vec<LeagueRow> = rows.into_iter().map(LeagueRow::from).collect();
            let named: Vec<String> = named(&rows).iter().map(Uuid::to_string).collect();
            let own = games::table.filter(games::league.eq(id.to_string()));
            let mut found: Vec<GameRow> = own.load(connection)?;
            for part in named.chunks(NAMED) {
                let part = games::table.filter(games::id.eq_any(part));
                found.extend(part.load::<GameRow>(connection)?);
            }
            // The audit of games reports games that cannot be read.
            let games = found.into_iter().filter_map(|row| row.game().ok());
            let mut games: BTreeMap<Uuid, StoredGame> = games.map(|game| (game.id, game)).collect();
            load_biddings(connection, &mut games)?;
            Ok(WholeLeague {
                signature: head.signature(),
                head: head.league()?,
                rows,
                waits_for: league_games::table
                    .filter(league_games::league.eq(id.to_string()))
                    .select(league_games::game)
                    .load(connection)?,
                games,
            })
        })
    }

    /// Counts the rows about leagues.
    pub(in crate::leagues) fn league_counts(&self) -> Result<LeagueCounts, StoreError> {
        let connection = &mut *self.connection()?;
        let known = leagues::table.filter(leagues::id.eq(league_events::league));
        let waiting = leagues::table.filter(leagues::id.eq(league_games::league));
        Ok(LeagueCounts {
            leagues: leagues::table.select(count_star()).first(connection)?,
            events: league_events::table
                .select(count_star())
                .first(connection)?,
            end: end(connection)?,
            events_of_no_league: league_events::table
                .filter(not(exists(known)))
                .count()
                .get_result(connection)?,
            games_of_no_league: league_games::table
                .filter(not(exists(waiting)))
                .count()
                .get_result(connection)?,
        })
    }

    /// Returns the ids of leagues in whose log an account has caused events.
    pub(in crate::leagues) fn leagues_written_by(
        &self,
        account: Uuid,
    ) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(league_events::table
            .filter(league_events::account.eq(account.to_string()))
            .select(league_events::league)
            .distinct()
            .load(connection)?)
    }

    /// Returns those of the accounts that are deleted, by id.
    pub(in crate::leagues) fn deleted(
        &self,
        ids: &[String],
    ) -> Result<BTreeSet<String>, StoreError> {
        crate::accounts::queries::deleted(&mut *self.connection()?, ids)
    }

    /// Returns the handles of accounts, by id; accounts that do not exist are omitted.
    pub(in crate::leagues) fn handles(
        &self,
        ids: &[String],
    ) -> Result<std::collections::HashMap<String, String>, StoreError> {
        crate::accounts::queries::handles(&mut *self.connection()?, ids)
    }
}
