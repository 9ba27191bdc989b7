//! Records of finished games into the store: the log of events is built from the actions, or
//! taken over where the record carries it.

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
    SecretKey, Signature, Signed,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::db::time::time_text;
use crate::db::{Store, StoreError};
use crate::games::access::GameAccess;
use crate::games::model::{Append, Claims, LogRow, Seat, Status, StoredGame, Visibility, known_id};
use crate::games::records::record_of;
use crate::games::signatures::sign;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::signing::service::Signing;

/// A record that cannot be taken in.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It does not replay, or its chain of hashes is broken.
    #[error(transparent)]
    Replay(#[from] records::ReplayError),
    /// Its game goes on.
    #[error("the game is not over")]
    NotOver,
    /// Its actions make no log.
    #[error("its log cannot be written: {0}")]
    Log(#[from] LogFault),
    /// Its id is not one.
    #[error("the id {0:?} is no UUID")]
    Id(String),
    /// A moment in it cannot be read.
    #[error("{0:?} is no time in UTC as RFC 3339 gives it, such as 2026-11-20T18:00:00Z")]
    Time(String),
    /// A name, seed or note in it cannot be kept.
    #[error(transparent)]
    Name(#[from] NameError),
    /// It claims that this office has signed it, which it has not.
    #[error("this office's key {key} has not signed it: {reason}")]
    Signature {
        /// The key's id.
        key: String,
        /// What does not fit.
        reason: &'static str,
    },
    /// The store has a game with its id, and it is the same one.
    #[error("the game {0} is known")]
    Known(Uuid),
    /// The store has another game with its id.
    #[error(
        "another game has the id {id}: that one was played at {known}, this one at {told}; they \
         differ in {fields}"
    )]
    Another {
        /// The id.
        id: Uuid,
        /// When the game that is stored was played.
        known: String,
        /// When the record's game was played.
        told: String,
        /// The fields of their records that differ.
        fields: String,
    },
    /// What is stored with its id cannot be read.
    #[error(transparent)]
    Stored(#[from] crate::http::error::ServiceError),
    /// It cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What became of a record that can be taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRecord {
    /// Its game.
    pub id: Uuid,
    /// Whether the same game was there already.
    pub known: bool,
    /// The key that it came signed by, when this office does not know that key: the signature was neither
    /// checked nor kept.
    pub unknown_key: Option<String>,
}

/// Takes in records of games that were played elsewhere.
#[derive(Debug)]
pub struct Imports {
    store: Arc<Store>,
    library: Arc<Library>,
    signing: Arc<Signing>,
    access: Arc<GameAccess>,
}

impl Imports {
    /// Imports into a store.
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

    /// The boards and rulesets by which records are read.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Takes in the record of a finished game that was played elsewhere, and returns its id.
    ///
    /// # Errors
    /// As [`append_of`]; [`ImportError::Known`] or [`ImportError::Another`] when a game with this id
    /// is there already; when the store fails. Nothing is stored then.
    pub fn import(&self, record: &Record) -> Result<Uuid, ImportError> {
        let taken = self.take_in(std::slice::from_ref(record))?;
        let taken = taken.into_iter().next();
        match taken.expect("each record has an answer")? {
            StoredRecord {
                id, known: true, ..
            } => Err(ImportError::Known(id)),
            StoredRecord { id, .. } => Ok(id),
        }
    }

    /// Takes in records that a caller brings, each by itself: what became of them, in their order. What names a league
    /// that is kept here is refused, unless the caller organizes that league or the same game is there: it would be
    /// listed and counted as one of the league's games.
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
        let mut taken = self.take_in(&good)?.into_iter();
        let told = claims.into_iter().map(|claim| match claim {
            Some(claim) => Err(claim.into()),
            None => taken.next().expect("each record has an answer"),
        });
        Ok(told.collect())
    }

    /// Refuses a new game of a league here that the caller does not organize.
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

    /// Takes in records of finished games that were played elsewhere, each by itself: what became of them, in
    /// their order.
    pub fn take_in(
        &self,
        records: &[Record],
    ) -> Result<Vec<Result<StoredRecord, ImportError>>, ImportError> {
        let (key, keys) = (self.signing.key(), self.signing.public_keys()?);
        take_in(&self.store, &self.library, key.as_deref(), &keys, records)
    }
}

/// Verifies and signs records on all cores and appends them to the store, each by itself: what became of them,
/// in their order. `key` signs, `keys` are all that have signed here.
pub fn take_in(
    store: &Store,
    library: &Library,
    key: Option<&SecretKey>,
    keys: &PublicKeys,
    records: &[Record],
) -> Result<Vec<Result<StoredRecord, ImportError>>, ImportError> {
    let verified = records.par_iter().map(|record| {
        let unknown_key = match record.check_signature(keys)? {
            Signed::Wrong { key, reason } => return Err(ImportError::Signature { key, reason }),
            Signed::ByUnknown(key) => Some(key),
            _ => None,
        };
        let mut append = append_of(record, library)?;
        let seats = append.seats.clone();
        if let Some(key) = key {
            sign(&mut append, Vec::new(), &seats, library, key)?;
        }
        Ok((append, unknown_key))
    });
    let verified: Vec<Result<(Append, Option<String>), ImportError>> = verified.collect();
    let mut good = Vec::with_capacity(records.len());
    let mut told = Vec::with_capacity(records.len());
    for verified in verified {
        told.push(verified.map(|(append, unknown_key)| {
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
    let outcomes = records.iter().zip(told).map(|(record, told)| {
        let (mut taken, signature) = match told {
            Ok(told) => told,
            Err(error) => return Ok(Err(error)),
        };
        match appended.next().expect("each append has an outcome") {
            Ok(_) => Ok(Ok(taken)),
            Err(StoreError::Conflict) => {
                match check_known(store, library, record, signature.as_ref()) {
                    Ok(()) => {
                        taken.known = true;
                        Ok(Ok(taken))
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

/// Whether a record that the store did not take is of the game that it has with this id: the same
/// record, and the same log where the record has one. `signature` is the one that the record would
/// have got here.
///
/// # Errors
/// [`ImportError::Another`] when it is another game; when what is stored cannot be read.
fn check_known(
    store: &Store,
    library: &Library,
    record: &Record,
    signature: Option<&Signature>,
) -> Result<(), ImportError> {
    let id = id_of(record)?;
    // Without a game the store took offence at something else.
    let (game, seats) = store.game(id)?.ok_or(StoreError::Conflict)?;
    // A key signs the same in the same way.
    if signature.is_some() && game.signature.as_ref() == signature {
        return Ok(());
    }
    let append = append_of(record, library)?;
    let rows = store.events(id, Some(game.seq))?;
    let known = record_of(&game, &seats, &rows, false, library)?;
    let rows = append.events.into_iter();
    let rows: Vec<LogRow> = rows.map(|row| LogRow { position: 0, row }).collect();
    let told = record_of(&append.game, &append.seats, &rows, false, library)?;
    let mut fields = different_fields(&known, &told)?;
    if record.events.is_some() && append.game.hash != game.hash {
        fields.push("events".to_owned());
    }
    match fields.is_empty() {
        true => Ok(()),
        false => Err(ImportError::Another {
            id,
            known: known.played_at,
            told: told.played_at,
            fields: fields.join(", "),
        }),
    }
}

/// The fields in which two records differ, signatures aside.
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

/// What the store takes in for a finished game's record, verified.
fn append_of(record: &Record, library: &Library) -> Result<Append, ImportError> {
    record.check_names()?;
    record.verify(library)?;
    let Some(result) = &record.result else {
        return Err(ImportError::NotOver);
    };
    let id = id_of(record)?;
    let played_at = micros(&record.played_at)?;
    let spelled = (record.setup)
        .spelled_out(library)
        .map_err(records::ReplayError::Setup)?;
    let (game, first) = record.start(library).map_err(records::ReplayError::Setup)?;
    let rows = match &record.events {
        Some(rows) => rows.clone(),
        None => {
            let setup = Entry::Setup(Box::new(PublicSetup::of(&spelled)));
            rows_of(record, game, first, setup, &time_text(played_at))?
        }
    };
    // A log that was taken over has its own setup, with the players of the beginning.
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
            number: 0,
            hash: last.map_or_else(String::new, |row| row.hash.clone()),
            signature: None,
            version: 0,
            visibility: Visibility::Public,
            claims: Claims::Open,
            pending: Vec::new(),
            waiting_for: None,
            rematch: None,
        },
        seats: seats
            .map(|(seat, number)| Seat::new(number, seat.player.clone(), None))
            .collect(),
        events: rows,
        was_automatic: false,
        was_due_at: None,
        charged_to: None,
        league_end: None,
        answer: None,
    })
}

/// A setup as it is stored: with the decks that the record spells out, for they need not come from
/// its seed when the cards were shuffled at a table. Row 0 of the log is without them, as that of
/// any game; the digests of the states bind them.
fn with_decks(told: String, setup: &Setup) -> Result<String, serde_json::Error> {
    if setup.deck.is_none() && setup.reshuffles.is_empty() {
        return Ok(told);
    }
    let mut value: Value = serde_json::from_str(&told)?;
    if let Value::Object(fields) = &mut value {
        if let Some(deck) = &setup.deck {
            fields.insert("deck".to_owned(), json!(deck));
        }
        fields.insert("reshuffles".to_owned(), json!(setup.reshuffles));
    }
    Ok(value.to_string())
}

fn id_of(record: &Record) -> Result<Uuid, ImportError> {
    let id = record.id.parse();
    id.map_err(|_| ImportError::Id(record.id.clone()))
}

fn micros(time: &str) -> Result<i64, ImportError> {
    let parsed: Result<Timestamp, _> = time.parse();
    let moment = parsed.map_err(|_| ImportError::Time(time.to_owned()))?;
    Ok(moment.as_microsecond())
}

/// When a row was recorded, in microseconds since 1970.
fn recorded_at(row: &EventRow) -> Result<i64, ImportError> {
    let at = micros(&row.at)?;
    // Its hash is over the text, which is made again from the number.
    if time_text(at) != row.at {
        return Err(ImportError::Time(row.at.clone()));
    }
    Ok(at)
}

/// The log that the actions of a record make. A run of undone actions is applied and then undone by
/// an event, as it was when it was played; one that cannot have been played is left out.
fn rows_of(
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
    // Where the run of undone actions began.
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
            // An undone action that does not follow the one before it was tried in its place.
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
        // Nobody here decided so: the record says it.
        log.write(&Entry::Adjudicate(Box::new(Decision {
            result: result.clone(),
            note: None,
            declared: true,
        })))?;
    }
    Ok(log.rows)
}

/// A log that is written for a record without one.
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

    /// Applies and logs an action that was undone later; says whether it could be played. One that
    /// ends the game could not be undone.
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
