//! The signatures of records: of each game that finishes, in the transaction that finishes it; of games that finished
//! elsewhere or before there was a key, in the background.

use engine::content::Library;
use records::SecretKey;
use uuid::Uuid;

use crate::db::work::Done;
use crate::games::model::{Append, LogRow, Seat, Status};
use crate::games::records::{GameRecords, record_of};
use crate::http::error::ServiceError;
use crate::signing::service::Signing;

/// Signs the record that an append finishes. `rows` are the game's events before it, `seats` all of the
/// game's.
pub fn sign(
    append: &mut Append,
    mut rows: Vec<LogRow>,
    seats: &[Seat],
    library: &Library,
    key: &SecretKey,
) -> Result<(), ServiceError> {
    let added = append.events.iter().cloned();
    rows.extend(added.map(|row| LogRow { position: 0, row }));
    let record = record_of(&append.game, seats, &rows, false, library)?;
    let signature = record.sign(key, append.game.seq, &append.game.hash);
    let signature = signature.map_err(|error| ServiceError::damaged(append.game.id, error))?;
    append.game.signature = Some(signature);
    Ok(())
}

impl GameRecords {
    /// Signs the record that an append finishes, if it finishes one and there is a key. What cannot be
    /// signed now is signed later.
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
            tracing::warn!(game = %append.game.id, %error, "its record is not signed yet");
        }
    }

    /// Signs a finished game that is not signed, if it verifies.
    ///
    /// # Errors
    /// [`ServiceError::Damaged`] when it does not; when the store fails.
    pub(in crate::games) fn sign_later(
        &self,
        signing: &Signing,
        id: Uuid,
    ) -> Result<Done, ServiceError> {
        let Some(key) = signing.key() else {
            return Ok(Done::Nothing);
        };
        let found = self.store.game(id)?;
        let (stored, _) = found.ok_or_else(|| ServiceError::NotFound(format!("game {id}")))?;
        if stored.status != Status::Finished {
            return Ok(Done::Nothing);
        }
        let signature = self.verified_signature(id, &key)?;
        self.store.sign_game(&id.to_string(), &signature)?;
        Ok(Done::Stored)
    }

    /// The signature of a stored record, as JSON, once the record is verified.
    fn verified_signature(&self, id: Uuid, key: &SecretKey) -> Result<String, ServiceError> {
        let damaged = |message: String| ServiceError::damaged(id, message);
        let record = self.record(id, true)?.record;
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
}
