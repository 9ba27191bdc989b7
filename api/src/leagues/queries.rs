//! Leagues: a chain of events each, and which games they wait for.

use std::collections::{BTreeMap, BTreeSet};

use diesel::dsl::{count_star, exists, max, min, not};
use diesel::prelude::*;
use jiff::Timestamp;
use records::{LeagueSignature, SecretKey, chained_places};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::db::answers::{KeptAnswer, keep_answer};
use crate::db::connection::AnyConnection;
use crate::db::schema::{games, league_events, league_games, leagues, log_end};
use crate::db::writer::{Writing, conflict};
use crate::db::{Store, StoreError};
use crate::games::model::{Append, Appended, StoredGame, Visibility};
use crate::games::queries::append::write;
use crate::games::queries::audit::at_one_moment;
use crate::games::queries::rows::GameRow;

/// What the hash of row 0 is chained to.
const GENESIS: &str = "tabularium-league/1";

/// How many games are looked up at a time.
const NAMED: usize = 500;

/// How long an event of a league may wait until it is written, in microseconds: it tells the time at which it was made.
pub const LONGEST_WAIT: i64 = analytics::question::LEAGUE_WAIT.as_secs() * 1_000_000;

/// Microseconds since 1970.
pub(in crate::leagues) fn now() -> i64 {
    Timestamp::now().as_microsecond()
}

/// What the row of a league says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredLeague {
    /// UUIDv7, so that ids sort by creation.
    pub id: Uuid,
    /// What it is called.
    pub name: String,
    /// Who may see it.
    pub visibility: Visibility,
    /// Its last event.
    pub seq: u64,
    /// The chained hash of the last event, 64 hexadecimal digits.
    pub hash: String,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// When its last event was recorded, in microseconds since 1970.
    pub updated_at: i64,
}

/// One row of a league's log. Row 0 is its creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueRow {
    /// Position in the log, from 0 without gaps.
    pub seq: u64,
    /// When it was recorded, in microseconds since 1970; never before the row before.
    pub at: i64,
    /// The account that did it; `None` for what the service found out.
    pub by: Option<String>,
    /// What happened, as JSON.
    pub text: String,
    /// The chained hash, 64 hexadecimal digits.
    pub hash: String,
    /// Its place in the log of all leagues, from 1 without gaps; `None` until it is written.
    pub position: Option<u64>,
    /// The end of the log of all games when it was written; `None` until then.
    pub log_position: Option<u64>,
}

impl LeagueRow {
    /// The hash that this row must carry behind a row with the hash `previous` (`None` for row 0): SHA-256 of the
    /// lines previous hash (`tabularium-league/1` for row 0), league, seq, microseconds since 1970, account (empty
    /// for nobody) and text, each ended by a line feed.
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

    /// The row with its hash filled in.
    pub fn chained(mut self, league: Uuid, previous: Option<&str>) -> LeagueRow {
        self.hash = self.chained_hash(league, previous);
        self
    }
}

/// A step of a league: what is written at once, all or nothing.
#[derive(Clone, Debug)]
pub struct LeagueAppend {
    /// The league as it is after the step.
    pub league: StoredLeague,
    /// Its events, in order. With row 0 the league is made.
    pub rows: Vec<LeagueRow>,
    /// Games that are created for it; it waits for their ends.
    pub games: Vec<Append>,
    /// The answer to keep for a repeated request.
    pub answer: Option<KeptAnswer>,
}

/// All that is kept of a league.
#[derive(Clone, Debug)]
pub struct WholeLeague {
    /// What its row says.
    pub head: StoredLeague,
    /// The signature of its log; `None` where there was no key, or it cannot be read.
    pub signature: Option<LeagueSignature>,
    /// Its events.
    pub rows: Vec<LeagueRow>,
    /// The ids of games whose ends it waits for.
    pub waits_for: Vec<String>,
    /// The games that say that they belong to it, or that its events name, by id.
    pub games: BTreeMap<Uuid, StoredGame>,
}

/// Where the log of a league ends.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct LeagueHead {
    /// The league.
    pub id: String,
    /// Its last event.
    pub seq: i64,
    /// The chained hash of that event, 64 hexadecimal digits.
    pub hash: String,
}

/// An event of a league with its place in the log of all leagues.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct PlacedEvent {
    /// The league.
    pub league: String,
    /// Position in the league's log.
    pub seq: i64,
    /// What happened, as JSON.
    pub text: String,
    /// The chained hash, 64 hexadecimal digits.
    pub hash: String,
    /// Its place in the log of all leagues, from 1 without gaps.
    pub position: i64,
    /// Where the log of all games ended when it got its place.
    pub log_position: i64,
}

/// How many rows leagues have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeagueAccount {
    /// Leagues.
    pub leagues: i64,
    /// Their events.
    pub events: i64,
    /// The last such place that was given away.
    pub end: i64,
    /// Events of no league.
    pub events_of_no_league: i64,
    /// Games whose end no league waits for that is there.
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
    /// Replaced by the signature of the events that are written with the row.
    signature: Option<String>,
    created_at: i64,
    updated_at: i64,
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
        }
    }
}

impl HeadRow {
    /// The signature, if it can be read.
    fn signature(&self) -> Option<LeagueSignature> {
        serde_json::from_str(self.signature.as_deref()?).ok()
    }

    fn league(self) -> Result<StoredLeague, StoreError> {
        let damaged = |message: &str| StoreError::Damaged {
            id: self.id.clone(),
            message: message.to_owned(),
        };
        let id = Uuid::try_parse(&self.id).map_err(|_| damaged("its id is no UUID"))?;
        let visibility = Visibility::by_name(&self.visibility);
        Ok(StoredLeague {
            id,
            visibility: visibility.ok_or_else(|| damaged("its visibility is unknown"))?,
            seq: u64::try_from(self.seq).map_err(|_| damaged("its seq is negative"))?,
            name: self.name,
            hash: self.hash,
            created_at: self.created_at,
            updated_at: self.updated_at,
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
            // A negative one follows no row.
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

/// Writes events of a league behind all others, and signs its log up to them. Every writer locks the end of the log of
/// all games first, so places become visible in their order. The league's row is there already.
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
        Some(key) => Some(sign(connection, league, (seq, &hash), signed, key)?),
        None => None,
    };
    diesel::update(leagues::table.find(league.to_string()))
        .set(leagues::signature.eq(signature))
        .execute(connection)?;
    Ok(())
}

/// Signs the log of a league up to its last event, as JSON. `signed` is the signature before, which saves reading the
/// places of the events up to there.
fn sign(
    connection: &mut AnyConnection,
    league: Uuid,
    (seq, hash): (u64, &str),
    signed: Option<LeagueSignature>,
    key: &SecretKey,
) -> Result<String, StoreError> {
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
    let signature = LeagueSignature::sign(&league, seq, hash, &places, key);
    serde_json::to_string(&signature).map_err(|error| StoreError::Damaged {
        id: league,
        message: error.to_string(),
    })
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

/// The last place in the log of all leagues that was given away.
fn end(connection: &mut AnyConnection) -> Result<i64, StoreError> {
    let last: Option<i64> = league_events::table
        .select(max(league_events::position))
        .first(connection)?;
    Ok(last.unwrap_or(0))
}

/// Tells the league that waits for a game's end of it, if one does: in the transaction that ends the game.
pub(in crate::leagues) fn note_end(
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
    diesel::delete(league_games::table.find(game.to_string())).execute(connection)?;
    let head: HeadRow = leagues::table.find(&league).first(connection)?;
    let signed = head.signature();
    let mut head = head.league()?;
    let row = LeagueRow {
        seq: head.seq + 1,
        // Time runs on within a league.
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
    /// Writes a new league or a step of one, with the games that are created for it. Returns what became of these.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody else was first: the league has gone on, a game with one of the ids is
    /// there, or the idempotency key is taken; when the step has waited for longer than [`LONGEST_WAIT`]; when the
    /// database fails. Nothing is written then.
    pub(in crate::leagues) fn append_league(
        &self,
        append: LeagueAppend,
    ) -> Result<Vec<Appended>, StoreError> {
        let writing = self.writing();
        self.write(move |connection| {
            let LeagueAppend {
                league,
                rows,
                games,
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
                // What was told of the time since must not change.
                Some(_) if rows.iter().any(|row| row.at < now() - LONGEST_WAIT) => {
                    return Err(StoreError::Conflict);
                }
                Some(first) => {
                    let unchanged = leagues::table
                        .filter(leagues::id.eq(id.to_string()))
                        .filter(leagues::seq.eq(first as i64 - 1));
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
                let waits = (
                    league_games::game.eq(game.game.id.to_string()),
                    league_games::league.eq(id.to_string()),
                );
                written.push(write(connection, &writing, game)?);
                diesel::insert_into(league_games::table)
                    .values(waits)
                    .execute(connection)
                    .map_err(conflict)?;
            }
            if let Some(answer) = answer {
                keep_answer(connection, answer)?;
            }
            Ok(written)
        })
    }

    /// Where the log of every league ends, in the order of their first events, all as at one moment, and the end of the
    /// log of all leagues at that moment.
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

    /// The ids of all leagues, in the order of their first events.
    pub(in crate::leagues) fn leagues_in_order(&self) -> Result<Vec<String>, StoreError> {
        let begin = (league_events::league.eq(leagues::id)).and(league_events::seq.eq(0));
        Ok(leagues::table
            .left_join(league_events::table.on(begin))
            .order((league_events::position, leagues::id))
            .select(leagues::id)
            .load(&mut *self.connection()?)?)
    }

    /// Whether there are events of leagues behind a place in the log of all leagues.
    pub fn league_log_grew(&self, position: i64) -> Result<bool, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(end(connection)? > position)
    }

    /// The events of all leagues behind a place in their log, in its order, at most so many.
    pub(in crate::leagues) fn placed_league_events(
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

    /// When the first league was made, in microseconds since 1970.
    pub fn leagues_begin(&self) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(leagues::table
            .select(min(leagues::created_at))
            .first(connection)?)
    }

    /// What the row of a league says.
    pub fn league(&self, id: Uuid) -> Result<Option<StoredLeague>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<HeadRow> = leagues::table
            .find(id.to_string())
            .first(connection)
            .optional()?;
        found.map(HeadRow::league).transpose()
    }

    /// The events of a league behind one, or from the first on, in order.
    pub fn league_events(
        &self,
        id: Uuid,
        behind: Option<u64>,
        limit: i64,
    ) -> Result<Vec<LeagueRow>, StoreError> {
        events_behind(&mut *self.connection()?, id, behind, limit)
    }

    /// The events of a league as [`Store::league_events`], and the signature of its log, both as at one moment.
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

    /// The first events of a league, in order: up to one, and those recorded up to a moment, in microseconds since 1970.
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

    /// The ids of the games of a league in which somebody's time runs, and when it is up, in microseconds since 1970.
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

    /// Leagues that everybody sees, the newest first, those before one.
    pub(in crate::leagues) fn public_leagues(
        &self,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<StoredLeague>, StoreError> {
        let connection = &mut *self.connection()?;
        let public = leagues::visibility.eq(Visibility::Public.name());
        let mut query = leagues::table.filter(public).into_boxed();
        if let Some(before) = before {
            query = query.filter(leagues::id.lt(before.to_string()));
        }
        let rows: Vec<HeadRow> = query
            .order(leagues::id.desc())
            .limit(limit as i64)
            .load(connection)?;
        rows.into_iter().map(HeadRow::league).collect()
    }

    /// All that is kept of a league, as at one moment. `named` returns the games that its events name.
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
            // The audit of games reports those that cannot be read.
            let games = found.into_iter().filter_map(|row| row.game().ok());
            Ok(WholeLeague {
                signature: head.signature(),
                head: head.league()?,
                rows,
                waits_for: league_games::table
                    .filter(league_games::league.eq(id.to_string()))
                    .select(league_games::game)
                    .load(connection)?,
                games: games.map(|game| (game.id, game)).collect(),
            })
        })
    }

    /// Counts the rows of leagues.
    pub(in crate::leagues) fn league_account(&self) -> Result<LeagueAccount, StoreError> {
        let connection = &mut *self.connection()?;
        let known = leagues::table.filter(leagues::id.eq(league_events::league));
        let waiting = leagues::table.filter(leagues::id.eq(league_games::league));
        Ok(LeagueAccount {
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

    /// The ids of leagues in whose log an account has written.
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

    /// Those of some accounts that are deleted, by id.
    pub(in crate::leagues) fn deleted(
        &self,
        ids: &[String],
    ) -> Result<BTreeSet<String>, StoreError> {
        crate::accounts::queries::deleted(&mut *self.connection()?, ids)
    }

    /// The handles of accounts, by id; none of those that are not there.
    pub(in crate::leagues) fn handles(
        &self,
        ids: &[String],
    ) -> Result<std::collections::HashMap<String, String>, StoreError> {
        crate::accounts::queries::handles(&mut *self.connection()?, ids)
    }
}
