//! A row of a log, and the hash that chains it to the row before.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What the hash of row 0 is chained to.
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
    /// The account or bot that acted: the player of the nation that acted, the new player of a seat,
    /// or who asked for an undo; null where nobody did.
    pub player: Option<String>,
    /// The nation that acted; null but for actions.
    pub nation: Option<String>,
    /// What it says, by `openapi/record-format.md`: row 0 the setup as JSON, else the action's
    /// notation, or `undo SEQ`, `seat N PLAYER`, `timeout N THEN` or `adjudicate RESULT` with JSON behind.
    pub notation: String,
    /// Digest of the state after it, 16 hexadecimal digits.
    pub digest: String,
    /// When it was recorded: RFC 3339, UTC.
    pub at: String,
    /// The chained hash, 64 hexadecimal digits: SHA-256 over the row and the hash before it.
    pub hash: String,
}

impl EventRow {
    /// The hash this row must carry behind a row with the hash `previous` (`None` for row 0):
    /// SHA-256 of the lines previous hash (`tabularium-event/1` for row 0), seq, turn, player,
    /// nation, notation, digest, at, each ended by a line feed, with an empty line for what is
    /// absent.
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

    /// The row with its hash filled in.
    pub fn chained(mut self, previous: Option<&str>) -> EventRow {
        self.hash = self.chained_hash(previous);
        self
    }
}
