//! A row of a log, and the hash that chains it to the row before.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The text that the hash of row 0 is chained to.
const GENESIS: &str = "tabularium-event/1";

/// One row of a game's log. Row 0 is the setup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct EventRow {
    /// Position in the log, from 0 without gaps.
    pub seq: u64,
    /// The turn in which it happened; 0 in set-up and in row 0.
    pub turn: u32,
    /// The account or bot that acted; null if there is none.
    /// It is the player of the acting nation, the new player of a seat, or the player who requested an undo.
    pub player: Option<String>,
    /// The acting nation; null except for actions.
    pub nation: Option<String>,
    /// The entry as text, see `openapi/record-format.md`.
    /// Row 0 has the setup as JSON. Others have the notation of an action, or `undo SEQ`, `seat N PLAYER`, `timeout N
    /// THEN` or `adjudicate RESULT`, the last three with JSON.
    pub notation: String,
    /// Digest of the state after it, 16 hexadecimal digits.
    pub digest: String,
    /// When it was recorded: RFC 3339, UTC.
    pub at: String,
    /// The chained hash, 64 hexadecimal digits: SHA-256 over the row and the hash before it.
    pub hash: String,
}

impl EventRow {
    /// Returns the hash of this row after a row with the hash `previous` (`None` for row 0).
    ///
    /// It is the SHA-256 of these lines, each ended by a line feed: previous hash (`tabularium-event/1` for row 0),
    /// seq, turn, player, nation, notation, digest, at. An absent value is an empty line.
    pub fn chained_hash(&self, previous: Option<&str>) -> String {
        let mut hash = Sha256::new();
        let mut line = |text: &str| {
            hash.update(text.as_bytes());
            hash.update(b"\n");
        };
        line(previous.unwrap_or(GENESIS));
        line(&self.seq.to_string());
        line(&self.turn.to_string());
        line(self.player.as_deref().unwrap_or(""));
        line(self.nation.as_deref().unwrap_or(""));
        line(&self.notation);
        line(&self.digest);
        line(&self.at);
        hex::encode(hash.finalize())
    }

    /// Returns the row with its hash.
    pub fn chained(mut self, previous: Option<&str>) -> EventRow {
        self.hash = self.chained_hash(previous);
        self
    }
}
