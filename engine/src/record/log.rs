//! The event log of a game: one row for each applied action, chained by hashes so that a record can
//! be shown to be complete and unaltered.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::chance::seed_commitment;
use crate::record::{Player, Setup, SetupSeat};

/// What the hash of row 0 is chained to.
const GENESIS: &str = "tabularium-event/1";

/// One row of a game's log. Row 0 is the setup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct EventRow {
    /// Position in the log, from 0 without gaps.
    pub seq: u64,
    /// The turn in which it happened; 0 in set-up.
    pub turn: u32,
    /// The account or bot that acted, if one did.
    pub player: Option<String>,
    /// The nation that acted, if one did.
    pub nation: Option<String>,
    /// Row 0: the setup as JSON, with `seed_commitment` in place of the seed. Else the action's
    /// notation, or `undo SEQ`, `seat N PLAYER` or `adjudicate RESULT` with JSON behind.
    pub notation: String,
    /// Digest of the state after it, 16 hexadecimal digits.
    pub digest: String,
    /// When it was recorded: RFC 3339, UTC.
    pub at: String,
    /// The chained hash: 64 hexadecimal digits, see [`EventRow::chained_hash`].
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

/// What row 0 tells of a setup: its JSON with `seed_commitment` in place of the seed, which is secret
/// while a game goes on, and without the decks that come from it. An order of the deck that the
/// position tells does not come from it: it stays, and everybody knows it.
///
/// # Errors
/// Never for a setup that came in as JSON.
pub fn public_setup(setup: &Setup) -> Result<Value, serde_json::Error> {
    let mut value = serde_json::to_value(setup)?;
    if let Value::Object(fields) = &mut value {
        for secret in ["seed", "deck", "reshuffles"] {
            fields.remove(secret);
        }
        let commitment = seed_commitment(&setup.seed);
        fields.insert("seed_commitment".to_owned(), Value::String(commitment));
    }
    Ok(value)
}

/// Whether the notation of a row 0 tells this setup, players aside: who sits where may have changed
/// since.
pub(crate) fn tells_setup(notation: &str, setup: &Setup) -> bool {
    let without_players = |mut value: Value| {
        let seats = value.get_mut("seats").and_then(Value::as_array_mut);
        for seat in seats.into_iter().flatten().filter_map(Value::as_object_mut) {
            seat.remove("player");
        }
        value
    };
    match (serde_json::from_str(notation), public_setup(setup)) {
        (Ok(told), Ok(expected)) => without_players(told) == without_players(expected),
        _ => false,
    }
}

/// The players that a row 0 tells, by seat.
pub(crate) fn told_players(notation: &str) -> Vec<Player> {
    #[derive(Deserialize)]
    struct Told {
        seats: Vec<SetupSeat>,
    }
    let told: Result<Told, _> = serde_json::from_str(notation);
    let seats = told.map(|told| told.seats).unwrap_or_default();
    seats.into_iter().map(|seat| seat.player).collect()
}

/// The seat and its new player that a `seat` row tells behind its first word.
pub(crate) fn told_player(told: &str) -> Option<(usize, Player)> {
    #[derive(Deserialize)]
    struct Told {
        player: Player,
    }
    let (seat, who) = told.split_once(' ')?;
    let who: Told = serde_json::from_str(who).ok()?;
    Some((seat.parse().ok()?, who.player))
}

/// The first row whose number or hash does not follow from the rows before it, if there is one.
pub fn first_broken(rows: &[EventRow]) -> Option<u64> {
    let mut previous: Option<&str> = None;
    for (expected, row) in (0..).zip(rows) {
        if row.seq != expected || row.hash != row.chained_hash(previous) {
            return Some(expected);
        }
        previous = Some(&row.hash);
    }
    None
}
