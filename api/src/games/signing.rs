//! Signing: the record of each game that finishes, in the transaction that finishes it; those that
//! finished elsewhere or before there was a key, later; and once a day a checkpoint of the log of all
//! games.

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use engine::content::Library;
use engine::record::{PublicKeys, SecretKey};

use super::read::record_of;
use super::{GameError, Games};
use crate::store::{Append, LogRow, Seat, Store, StoreError};

/// How often the thread looks for what is due.
const TICK: Duration = Duration::from_secs(2);

/// How many unsigned games are looked up at a time.
const TOGETHER: i64 = 256;

/// Starts the thread that signs what is due. It ends when the service stops or is gone.
///
/// # Errors
/// When the system gives no thread.
pub fn start(games: &Arc<Games>) -> Result<(), GameError> {
    let games = Arc::downgrade(games);
    let spawned = std::thread::Builder::new()
        .name("office".to_owned())
        .spawn(move || {
            // Games that cannot be signed, each told once.
            let mut damaged = BTreeSet::new();
            while let Some(games) = still_running(&games) {
                if let Err(error) = games.sign_due(&mut damaged) {
                    tracing::warn!(%error, "cannot sign finished games");
                }
                if let Err(error) = games.checkpoint_when_due() {
                    tracing::warn!(%error, "cannot make a checkpoint");
                }
                drop(games);
                std::thread::sleep(TICK);
            }
        });
    spawned.map_err(|error| StoreError::Unavailable(error.to_string()))?;
    Ok(())
}

fn still_running(games: &Weak<Games>) -> Option<Arc<Games>> {
    games.upgrade().filter(|games| !games.driver.is_stopped())
}

/// Signs the record that an append finishes. `rows` are the game's events before it, `seats` all of the
/// game's.
///
/// # Errors
/// When what is appended gives no record.
pub fn sign(
    append: &mut Append,
    mut rows: Vec<LogRow>,
    seats: &[Seat],
    library: &Library,
    key: &SecretKey,
) -> Result<(), GameError> {
    let added = append.events.iter().cloned();
    rows.extend(added.map(|row| LogRow { position: 0, row }));
    let record = record_of(&append.game, seats, &rows, false, library)?;
    let signature = record.sign(key, append.game.seq, &append.game.hash);
    let signature = signature.map_err(|error| GameError::damaged(append.game.id, error))?;
    append.game.signature = Some(signature);
    Ok(())
}

impl Games {
    /// Signs the record that an append finishes, if it finishes one and there is a key. What cannot be
    /// signed now is signed later.
    pub(super) fn sign_finished(&self, append: &mut Append, seats: &[Seat]) {
        let Some(office) = &self.office else {
            return;
        };
        if append.game.result.is_none() {
            return;
        }
        let rows = match append.events.first() {
            Some(first) if first.seq > 0 => self.log(append.game.id, Some(first.seq - 1)),
            _ => Ok(Vec::new()),
        };
        let signed = rows.and_then(|rows| sign(append, rows, seats, &self.library, &office.key()));
        if let Err(error) = signed {
            tracing::warn!(game = %append.game.id, %error, "its record is not signed yet");
        }
    }

    /// Signs finished games that are not signed, of those that verify; others are noted in `damaged`
    /// and told once. Takes up a rotated key.
    ///
    /// # Errors
    /// When the key file cannot be used or the store fails.
    pub fn sign_due(&self, damaged: &mut BTreeSet<String>) -> Result<(), GameError> {
        let Some(office) = &self.office else {
            return Ok(());
        };
        let unusable =
            |error: crate::office::OfficeError| StoreError::Unavailable(error.to_string());
        office.reload(&self.store).map_err(unusable)?;
        let mut after = String::new();
        loop {
            let due = self.store.games_not_signed(&after, TOGETHER)?;
            for id in &due {
                if damaged.contains(id) {
                    continue;
                }
                match self.verified_signature(id, &office.key()) {
                    Ok(signature) => self.store.sign_game(id, &signature)?,
                    Err(GameError::Store(error)) => return Err(error.into()),
                    Err(error) => {
                        tracing::error!(game = id, %error, "it is not signed");
                        damaged.insert(id.clone());
                    }
                }
            }
            match due.last() {
                Some(last) if due.len() == TOGETHER as usize => after.clone_from(last),
                _ => return Ok(()),
            }
        }
    }

    /// The signature of a stored record, as JSON, once the record is verified.
    fn verified_signature(&self, id: &str, key: &SecretKey) -> Result<String, GameError> {
        let damaged = |message: String| GameError::Damaged {
            id: id.to_owned(),
            message,
        };
        let uuid = id
            .parse()
            .map_err(|_| damaged("its id is no UUID".to_owned()))?;
        let record = self.record(uuid, true)?.record;
        record
            .verify(&self.library)
            .map_err(|error| damaged(error.to_string()))?;
        let last = record.events.as_ref().and_then(|events| events.last());
        let last = last.ok_or_else(|| damaged("it has no events".to_owned()))?;
        let signature = record.sign(key, last.seq, &last.hash);
        signature
            .and_then(|signature| serde_json::to_string(&signature))
            .map_err(|error| damaged(error.to_string()))
    }

    /// The public keys that have signed here.
    ///
    /// # Errors
    /// When the store fails, or what it keeps is no key.
    pub fn public_keys(&self) -> Result<PublicKeys, GameError> {
        public_keys(&self.store)
    }
}

/// The public keys that have signed what a store keeps.
///
/// # Errors
/// When the store fails, or what it keeps is no key.
pub fn public_keys(store: &Store) -> Result<PublicKeys, GameError> {
    let mut keys = PublicKeys::default();
    for row in store.keys()? {
        let key = row.public_key.parse();
        keys.add(
            key.map_err(|error: engine::record::KeyError| GameError::Damaged {
                id: format!("of the key {}", row.id),
                message: error.to_string(),
            })?,
        );
    }
    Ok(keys)
}
