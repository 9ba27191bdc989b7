//! The head of the transparency log, its tiles, and proofs that games are in it.

use records::tlog::{HashTree, InclusionProof, Tile, TreeError, TreeHead, write_entries};
use uuid::Uuid;

use crate::db::StoreError;
use crate::http::error::ServiceError;
use crate::signing::queries::KeyRow;
use crate::signing::service::Signing;
use crate::signing::tlog::queries::LogHeadRow;

impl From<TreeError<StoreError>> for ServiceError {
    fn from(error: TreeError<StoreError>) -> ServiceError {
        match error {
            TreeError::Read(error) => error.into(),
            other => ServiceError::Damaged {
                id: "(no id: the transparency log)".to_owned(),
                message: other.to_string(),
            },
        }
    }
}

/// Returns the name of a log that is signed first with this key.
fn origin_of(first_key: &str) -> String {
    format!("tabularium/{first_key}")
}

impl Signing {
    /// Returns the name of the log. It never changes: it has the id of the first key of the server.
    pub fn log_origin(&self) -> Result<Option<String>, ServiceError> {
        if let Some(stored) = self.store.log_head()? {
            return Ok(Some(stored.origin));
        }
        let keys = self.store.keys()?;
        Ok(keys.first().map(|key| origin_of(&key.id)))
    }

    /// Returns whether this node has the key that signs the log: the oldest one that is not retired.
    fn signs_log(&self, keys: &[KeyRow]) -> bool {
        let signer = keys.iter().find(|key| key.retired_at.is_none());
        let own = self.key().map(|key| key.public().id());
        signer.is_some_and(|signer| Some(&signer.id) == own.as_ref())
    }

    /// Returns the newest signed head of the log: its row, which is not stored yet.
    /// A node without the key of the log returns the one that was stored last.
    fn signed_head(&self) -> Result<Option<LogHeadRow>, ServiceError> {
        let stored = self.store.log_head()?;
        let size = self.store.log_size()?;
        let is_new = stored
            .as_ref()
            .is_none_or(|stored| stored.size < size as i64);
        let keys = self.store.keys()?;
        let (Some(key), true) = (self.key(), is_new && self.signs_log(&keys)) else {
            return Ok(stored);
        };
        let Some(origin) = self.log_origin()? else {
            return Ok(stored);
        };
        let root = HashTree::new(size, |tile| self.store.tile_hashes(tile)).root()?;
        let head = TreeHead { origin, size, root };
        let note = head.sign(&key).to_string();
        Ok(Some(LogHeadRow::new(head.origin, size as i64, note)))
    }

    /// Stores the newest head of the log, if this node signs it.
    pub(crate) fn store_head(&self) -> Result<(), ServiceError> {
        let stored = self.store.log_head()?;
        match self.signed_head()? {
            Some(head) if stored.as_ref() != Some(&head) => Ok(self.store.store_log_head(head)?),
            _ => Ok(()),
        }
    }

    /// Returns the signed note with the newest head of the log.
    pub fn log_checkpoint(&self) -> Result<String, ServiceError> {
        let head = self.signed_head()?;
        let missing = || ServiceError::NotFound("checkpoint of the log yet".to_owned());
        head.map(|head| head.note).ok_or_else(missing)
    }

    /// Returns the bytes of a tile; `None` if the log has no such tile.
    pub fn tile(&self, tile: Tile) -> Result<Option<Vec<u8>>, ServiceError> {
        if !self.has_tile(tile)? {
            return Ok(None);
        }
        let hashes = self.store.tile_hashes(tile)?;
        Ok((hashes.len() == usize::from(tile.width)).then(|| hashes.concat()))
    }

    /// Returns the bundle of the entries of a tile of level 0; `None` if the log has no such tile.
    pub fn entries(&self, tile: Tile) -> Result<Option<Vec<u8>>, ServiceError> {
        if !self.has_tile(tile)? {
            return Ok(None);
        }
        let leaves = self.store.tile_leaves(tile)?;
        Ok(write_entries(leaves.iter().map(String::as_bytes)))
    }

    fn has_tile(&self, tile: Tile) -> Result<bool, ServiceError> {
        let size = self.store.log_size()?;
        let present = Tile::in_tree(tile.level, tile.index, size).width;
        Ok(tile.width > 0 && tile.width <= present)
    }

    /// Returns the proof that the record of a finished game is in the log.
    pub fn prove_game(&self, game: Uuid) -> Result<InclusionProof, ServiceError> {
        let id = game.to_string();
        let missing = || {
            ServiceError::NotFound(format!(
                "proof of game {id}: it is not finished, or no signed checkpoint of the log covers it yet"
            ))
        };
        let leaf = self.store.game_leaf(&id)?.ok_or_else(missing)?;
        let head = self.signed_head()?.ok_or_else(missing)?;
        if leaf.index >= head.size {
            return Err(missing());
        }
        let index = leaf.index as u64;
        let mut tree = HashTree::new(head.size as u64, |tile| self.store.tile_hashes(tile));
        let hashes = tree.inclusion(index)?;
        Ok(InclusionProof::new(
            &id, &leaf.leaf, index, &hashes, head.note,
        ))
    }
}
