//! Signs the records of finished games, in the transaction that finishes a game or in the background.
//!
//! The others were imported, or finished while the server had no key.

use engine::content::Library;
use records::SecretKey;
use uuid::Uuid;

use crate::db::work::TaskOutcome;
use crate::games::model::{Append, LogRow, Seat, Status};
use crate::games::records::{GameRecords, build_record};
use crate::http::error::ServiceError;
use crate::signing::service::Signing;

/// Signs the record of a game that an append finishes.
/// `rows` are the game's events before the append, `seats` all of its seats.
pub fn sign(
    append: &mut Append,
    mut rows: Vec<LogRow>,
    seats: &[Seat],
    library: &Library,
    key: &SecretKey,
) -> Result<(), ServiceError> {
    let added = append.events.iter().cloned();
    rows.extend(added.map(|row| LogRow { position: 0, row }));
    let record = build_record(&append.game, seats, &rows, false, library)?;
    let signature = record.sign(key, append.game.seq, &append.game.hash);
    let signature = signature.map_err(|error| ServiceError::damaged(append.game.id, error))?;
    append.game.signature = Some(signature);
    Ok(())
}

impl GameRecords {
    /// Signs the record of a game that an append finishes, if there is a key.
    /// A game that cannot be signed now is signed in the background.
    pub(in crate::games) fn sign_finished(
        &self,
        signing: &Signing,
        append: &mut Append,
        seats: &[Seat],
    ) {
        let Some(key) = signing.key() else {
            return;
        };
        if append.game.result.is_none() {
            return;
        }
        let rows = match append.events.first() {
            Some(first) if first.seq > 0 => self.store.events(append.game.id, Some(first.seq - 1)),
            _ => Ok(Vec::new()),
        };
        let signed = rows.map_err(ServiceError::from);
        let signed = signed.and_then(|rows| sign(append, rows, seats, &self.library, &key));
        if let Err(error) = signed {
            tracing::warn!(game = %append.game.id, %error, "cannot sign the record of a finished game; it is retried");
        }
    }

    /// Verifies and signs a finished game that has no signature.
    ///
    /// # Errors
    /// [`ServiceError::Damaged`] if the record does not verify, or the error of the store.
    pub(in crate::games) fn sign_later(
        &self,
        signing: &Signing,
        id: Uuid,
    ) -> Result<TaskOutcome, ServiceError> {
        let Some(key) = signing.key() else {
            return Ok(TaskOutcome::Nothing);
        };
        let found = self.store.game(id)?;
        let (stored, _) = found.ok_or_else(|| ServiceError::NotFound(format!("game {id}")))?;
        if stored.status != Status::Finished {
            return Ok(TaskOutcome::Nothing);
        }
        let signature = self.verified_signature(id, &key)?;
        self.store.sign_game(&id.to_string(), &signature)?;
        Ok(TaskOutcome::Stored)
    }

    /// Verifies a stored record and returns its signature as JSON.
    fn verified_signature(&self, id: Uuid, key: &SecretKey) -> Result<String, ServiceError> {
        let damaged = |message: String| ServiceError::damaged(id, message);
        let record = self.record(id, true)?.record;
        record
            .verify(&self.library)
            .map_err(|error| damaged(error.to_string()))?;
        let last = record.events.as_ref().and_then(|events| events.last());
        let last = last.ok_or_else(|| damaged("the record has no events".to_owned()))?;
        let signature = record.sign(key, last.seq, &last.hash);
        signature
            .and_then(|signature| serde_json::to_string(&signature))
            .map_err(|error| damaged(error.to_string()))
    }
}
