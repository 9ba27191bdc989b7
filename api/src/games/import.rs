//! Imports records of finished games. The log comes from the record, or is built from its actions.

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::content::Library;
use engine::play::Game;
use engine::setup::Setup;
use engine::state::State;
use jiff::Timestamp;
use rayon::prelude::*;
use records::{
    Decision, Entry, EventRow, Fold, LogFault, NameError, PublicKeys, PublicSetup, Record,
    SecretKey, Signature, SignatureStatus,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::db::answers::{KeptRequest, keep_answer};
use crate::db::time::time_text;
use crate::db::{Store, StoreError};
use crate::games::access::GameAccess;
use crate::games::model::{Append, Claims, LogRow, Seat, Status, StoredGame, Visibility, known_id};
use crate::games::records::build_record;
use crate::games::signatures::sign;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::signing::service::Signing;

/// Why a record was not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The record does not replay, or its chain of hashes is broken.
    #[error(transparent)]
    Replay(#[from] records::ReplayError),
    /// The game is not over.
    #[error("the game is not over: only finished games can be imported")]
    NotOver,
    /// The actions do not form a log.
    #[error("cannot build a log from the actions: {0}")]
    Log(#[from] LogFault),
    /// The id is not a UUID.
    #[error("the id {0:?} is not a UUID")]
    Id(String),
    /// A time cannot be read.
    #[error("{0:?} is not an RFC 3339 time in UTC: write it like 2026-11-20T18:00:00Z")]
    Time(String),
    /// A name, the seed or a note is not allowed.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The record claims a signature of this server, which is wrong.
    #[error("the signature by this server's key {key} is wrong: {reason}")]
    Signature {
        /// The id of the key.
        key: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// The store has the same game already.
    #[error("the game {0} is stored already")]
    Known(Uuid),
    /// The store has another game with the same id.
    #[error(
        "another game has the id {id}: it was played at {known}, this one at {other}; the records \
         differ in {fields}"
    )]
    Another {
        /// The id of both games.
        id: Uuid,
        /// When the stored game was played.
        known: String,
        /// When the record's game was played.
        other: String,
        /// The names of the members that differ.
        fields: String,
    },
    /// The stored game with the same id cannot be read.
    #[error(transparent)]
    Stored(#[from] crate::http::error::ServiceError),
    /// The record cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A record whose game is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRecord {
    /// The id of the game.
    pub id: Uuid,
    /// Whether the same game was stored before.
    pub known: bool,
    /// The key of the record's signature if this server does not know it.
    /// Such a signature is neither checked nor stored.
    pub unknown_key: Option<String>,
}

/// Imports records of games that were played elsewhere.
#[derive(Debug)]
pub struct Imports {
    store: Arc<Store>,
    library: Arc<Library>,
    signing: Arc<Signing>,
    access: Arc<GameAccess>,
}

impl Imports {
    /// Creates the imports into a store.
    pub fn new(
        store: Arc<Store>,
        library: Arc<Library>,
        signing: Arc<Signing>,
        access: Arc<GameAccess>,
    ) -> Imports {
        Imports {
            store,
            library,
            signing,
            access,
        }
    }

    /// Returns the library of boards and rulesets by which records are read.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Notes that an administrator imports records. Each record is then stored by itself.
    pub(in crate::games) fn note_act(&self, act: KeptRequest) -> Result<(), ServiceError> {
        Ok((self.store).write(move |connection| keep_answer(connection, act))?)
    }

    /// Imports the record of a finished game and returns the game's id.
    ///
    /// # Errors
    /// Those of [`build_append`], [`ImportError::Known`] or [`ImportError::Another`] if a game with this id is stored,
    /// or the error of the store. Nothing is stored then.
    pub fn import(&self, record: &Record) -> Result<Uuid, ImportError> {
        let stored = self.take_in(std::slice::from_ref(record))?;
        let stored = stored.into_iter().next();
        match stored.expect("each record has an outcome")? {
            StoredRecord {
                id, known: true, ..
            } => Err(ImportError::Known(id)),
            StoredRecord { id, .. } => Ok(id),
        }
    }

    /// Imports records for a caller, each independently, and returns their outcomes in order.
    /// A new game that names a league of this server is refused unless the caller organizes the league, because the
    /// game would count as one of the league's.
    pub fn take_in_for(
        &self,
        call: &Call,
        records: &[Record],
    ) -> Result<Vec<Result<StoredRecord, ImportError>>, ImportError> {
        let (mut good, mut claims) = (Vec::new(), Vec::new());
        for record in records {
            let claim = self.check_claim(call, record).err();
            if claim.is_none() {
                good.push(record.clone());
            }
            claims.push(claim);
        }
        let mut stored = self.take_in(&good)?.into_iter();
        let outcomes = claims.into_iter().map(|claim| match claim {
            Some(claim) => Err(claim.into()),
            None => stored.next().expect("each record has an outcome"),
        });
        Ok(outcomes.collect())
    }

    /// Refuses a new game of a league of this server that the caller does not organize.
    fn check_claim(&self, call: &Call, record: &Record) -> Result<(), ServiceError> {
        let Some(league) = record.league.as_deref().and_then(|id| known_id(id).ok()) else {
            return Ok(());
        };
        let (Some(_), Ok(game)) = (self.store.league(league)?, known_id(&record.id)) else {
            return Ok(());
        };
        match self.store.game(game)? {
            Some(_) => Ok(()),
            None => self.access.check_league_organizer(league, call),
        }
    }

    /// Imports records of finished games, each independently, and returns their outcomes in order.
    pub fn take_in(
        &self,
        records: &[Record],
    ) -> Result<Vec<Result<StoredRecord, ImportError>>, ImportError> {
        let (key, keys) = (self.signing.key(), self.signing.public_keys()?);
        take_in(&self.store, &self.library, key.as_deref(), &keys, records)
    }
}

/// Verifies and signs records on all cores and stores them, each independently.
/// Returns their outcomes in order. `key` signs; `keys` are all public keys of this server.
pub fn take_in(
    store: &Store,
    library: &Library,
    key: Option<&SecretKey>,
    keys: &PublicKeys,
    records: &[Record],
) -> Result<Vec<Result<StoredRecord, ImportError>>, ImportError> {
    let verified = records.par_iter().map(|record| {
        let unknown_key = match record.check_signature(keys)? {
            SignatureStatus::Invalid { key, reason } => {
                return Err(ImportError::Signature { key, reason });
            }
            SignatureStatus::UnknownKey(key) => Some(key),
            _ => None,
        };
        let mut append = build_append(record, library)?;
        let seats = append.seats.clone();
        if let Some(key) = key {
            sign(&mut append, Vec::new(), &seats, library, key)?;
        }
        Ok((append, unknown_key))
    });
    let verified: Vec<Result<(Append, Option<String>), ImportError>> = verified.collect();
    let mut good = Vec::with_capacity(records.len());
    let mut prepared = Vec::with_capacity(records.len());
    for verified in verified {
        prepared.push(verified.map(|(append, unknown_key)| {
            let id = append.game.id;
            let signature = append.game.signature.clone();
            good.push(append);
            let known = false;
            (
                StoredRecord {
                    id,
                    known,
                    unknown_key,
                },
                signature,
            )
        }));
    }
    let mut appended = store.append_all(good)?.into_iter();
    let outcomes = records.iter().zip(prepared).map(|(record, prepared)| {
        let (mut stored, signature) = match prepared {
            Ok(prepared) => prepared,
            Err(error) => return Ok(Err(error)),
        };
        match appended.next().expect("each append has an outcome") {
            Ok(_) => Ok(Ok(stored)),
            Err(StoreError::Conflict) => {
                match check_same_game(store, library, record, signature.as_ref()) {
                    Ok(()) => {
                        stored.known = true;
                        Ok(Ok(stored))
                    }
                    Err(error @ ImportError::Store(_)) => Err(error),
                    Err(error) => Ok(Err(error)),
                }
            }
            Err(error) => Err(error.into()),
        }
    });
    outcomes.collect()
}

/// Checks that a record with a stored id is of the stored game.
/// The record must be equal, and its log too if it has one.
/// `signature` is the one that this server would give to the record.
///
/// # Errors
/// [`ImportError::Another`] if it is another game, or the error of reading the stored game.
fn check_same_game(
    store: &Store,
    library: &Library,
    record: &Record,
    signature: Option<&Signature>,
) -> Result<(), ImportError> {
    let id = parse_id(record)?;
    // If there is no such game, something else was in conflict.
    let (game, seats) = store.game(id)?.ok_or(StoreError::Conflict)?;
    // A key signs equal content equally.
    if signature.is_some() && game.signature.as_ref() == signature {
        return Ok(());
    }
    let append = build_append(record, library)?;
    let rows = store.events(id, Some(game.seq))?;
    let known = build_record(&game, &seats, &rows, false, library)?;
    let rows = append.events.into_iter();
    let rows: Vec<LogRow> = rows.map(|row| LogRow { position: 0, row }).collect();
    let other = build_record(&append.game, &append.seats, &rows, false, library)?;
    let mut fields = different_fields(&known, &other)?;
    if record.events.is_some() && append.game.hash != game.hash {
        fields.push("events".to_owned());
    }
    match fields.is_empty() {
        true => Ok(()),
        false => Err(ImportError::Another {
            id,
            known: known.played_at,
            other: other.played_at,
            fields: fields.join(", "),
        }),
    }
}

/// Returns the names of the members in which two records differ, except the signature.
fn different_fields(one: &Record, other: &Record) -> Result<Vec<String>, serde_json::Error> {
    let (one, other) = (serde_json::to_value(one)?, serde_json::to_value(other)?);
    let names: BTreeSet<&String> = (one.as_object().into_iter())
        .chain(other.as_object())
        .flat_map(|fields| fields.keys())
        .collect();
    let differ = names
        .into_iter()
        .filter(|name| *name != "signature" && one.get(name) != other.get(name));
    Ok(differ.cloned().collect())
}

/// Verifies a finished game's record and returns what the store appends for it.
fn build_append(record: &Record, library: &Library) -> Result<Append, ImportError> {
    record.check_names()?;
    record.verify(library)?;
    let Some(result) = &record.result else {
        return Err(ImportError::NotOver);
    };
    let id = parse_id(record)?;
    let played_at = micros(&record.played_at)?;
    let spelled = (record.setup)
        .spelled_out(library)
        .map_err(records::ReplayError::Setup)?;
    let (game, first) = record.start(library).map_err(records::ReplayError::Setup)?;
    let rows = match &record.events {
        Some(rows) => rows.clone(),
        None => {
            let setup = Entry::Setup(Box::new(PublicSetup::new(&spelled)));
            build_rows(record, game, first, setup, &time_text(played_at))?
        }
    };
    // A log from the record has its own setup, with the players of the beginning.
    let setup = rows
        .first()
        .map_or(String::new(), |row| row.notation.clone());
    let setup = match record.decks_come_from_seed() {
        true => setup,
        false => with_decks(setup, &record.setup)?,
    };
    let times = rows.iter().map(recorded_at);
    let times = times.collect::<Result<Vec<i64>, _>>()?;
    let last = rows.last();
    let seats = spelled.seats.iter().zip(0..);
    Ok(Append {
        game: StoredGame {
            id,
            edition: record.setup.edition.clone(),
            board: record.setup.board.clone(),
            status: Status::Finished,
            setup,
            seed: record.setup.seed.clone(),
            seed_known: true,
            seq: last.map_or(0, |row| row.seq),
            created_at: times.first().copied().unwrap_or(played_at),
            updated_at: times.last().copied().unwrap_or(played_at),
            result: Some(result.clone()),
            rated: record.rated,
            league: record.league.clone(),
            source: record.source,
            organizer: None,
            organizer_account: None,
            automatic: false,
            due_at: None,
            pauses: Vec::new(),
            number: 0,
            hash: last.map_or_else(String::new, |row| row.hash.clone()),
            signature: None,
            version: 0,
            visibility: Visibility::Public,
            claims: Claims::Open,
            pending: Vec::new(),
            waiting_for: None,
            rematch: None,
            texts_hidden: false,
            chat_off: false,
            last_message: 0,
            bidding: None,
        },
        seats: seats
            .map(|(seat, number)| Seat::new(number, seat.player.clone(), None))
            .collect(),
        events: rows,
        bidding_changed: false,
        was_automatic: false,
        was_due_at: None,
        charged_to: None,
        league_event: None,
        answer: None,
    })
}

/// Adds the decks of a record to the stored setup.
/// If the cards were shuffled at a table, the decks do not come from the seed. Row 0 of the log does not contain
/// them; the digests of the states cover them.
fn with_decks(text: String, setup: &Setup) -> Result<String, serde_json::Error> {
    if setup.deck.is_none() && setup.reshuffles.is_empty() {
        return Ok(text);
    }
    let mut value: Value = serde_json::from_str(&text)?;
    if let Value::Object(fields) = &mut value {
        if let Some(deck) = &setup.deck {
            fields.insert("deck".to_owned(), json!(deck));
        }
        fields.insert("reshuffles".to_owned(), json!(setup.reshuffles));
    }
    Ok(value.to_string())
}

fn parse_id(record: &Record) -> Result<Uuid, ImportError> {
    let id = record.id.parse();
    id.map_err(|_| ImportError::Id(record.id.clone()))
}

fn micros(time: &str) -> Result<i64, ImportError> {
    let parsed: Result<Timestamp, _> = time.parse();
    let moment = parsed.map_err(|_| ImportError::Time(time.to_owned()))?;
    Ok(moment.as_microsecond())
}

/// Returns when a row was recorded, in microseconds since 1970.
fn recorded_at(row: &EventRow) -> Result<i64, ImportError> {
    let at = micros(&row.at)?;
    // The hash covers the text, which the server later formats from the number.
    if time_text(at) != row.at {
        return Err(ImportError::Time(row.at.clone()));
    }
    Ok(at)
}

/// Builds a log from the actions of a record.
/// A run of undone actions is applied and then undone by an event, as when it was played. An undone action that
/// cannot be played is omitted.
fn build_rows(
    record: &Record,
    game: Game,
    first: State,
    setup: Entry,
    at: &str,
) -> Result<Vec<EventRow>, LogFault> {
    let mut log = NewLog {
        fold: Fold::new(game.into(), first),
        at,
        rows: Vec::with_capacity(record.actions.len() + 1),
    };
    log.write(&setup)?;
    // The event before the run of undone actions.
    let mut base: Option<u64> = None;
    for text in &record.actions {
        let Some(undone) = text.strip_prefix('-') else {
            log.go_back(base.take())?;
            log.write(&Entry::Action(text.clone()))?;
            continue;
        };
        let base = *base.get_or_insert(log.rows.len() as u64 - 1);
        let done = log.try_out(undone);
        if !done {
            // It does not follow the previous undone action, so it was an alternative to it.
            log.go_back(Some(base))?;
            log.try_out(undone);
        }
    }
    log.go_back(base)?;
    if let Some(result) = record
        .result
        .as_ref()
        .filter(|_| log.fold.result().is_none())
    {
        // The decision is the record's; no one made it on this server.
        log.write(&Entry::Adjudicate(Box::new(Decision {
            result: result.clone(),
            note: None,
            declared: true,
        })))?;
    }
    Ok(log.rows)
}

/// A log that is built for a record without one.
struct NewLog<'a> {
    fold: Fold,
    at: &'a str,
    rows: Vec<EventRow>,
}

impl NewLog<'_> {
    fn write(&mut self, entry: &Entry) -> Result<(), LogFault> {
        self.rows.push(self.fold.write(entry, None, self.at)?);
        Ok(())
    }

    /// Applies and logs an action that was undone later. Returns false if it cannot be played.
    /// An action that ends the game could not have been undone.
    fn try_out(&mut self, text: &str) -> bool {
        let game = self.fold.game();
        let mut state = self.fold.state().clone();
        let Ok((nation, action)) = game.read(&state, text) else {
            return false;
        };
        let applied = game.apply(&mut state, nation, action, &mut Vec::new());
        let goes_on = applied.is_ok() && state.outcome.is_none();
        goes_on && self.write(&Entry::Action(text.to_owned())).is_ok()
    }

    fn go_back(&mut self, to: Option<u64>) -> Result<(), LogFault> {
        match to.filter(|to| to + 1 < self.rows.len() as u64) {
            Some(to) => self.write(&Entry::Undo(to)),
            None => Ok(()),
        }
    }
}
