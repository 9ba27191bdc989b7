//! Which games count, and to whom.

use analytics::ratings::players_at_start;
use engine::forms::ResultBody;
use engine::setup::Player;
use records::Entry;
use uuid::Uuid;

use crate::games::model::{StoredGame, Visibility};
use crate::games::setup::stored_setup;
use crate::http::error::ServiceError;

/// Returns the result of a game if it counts for ratings.
/// The game must be rated, not private, started from its edition's setup, and ended by the rules. Results that people
/// decided (by adjudication or agreement) do not count.
pub fn result_that_counts(stored: &StoredGame) -> Result<Option<&ResultBody>, ServiceError> {
    let shown = stored.visibility != Visibility::Private;
    let result = stored.result.as_ref().filter(|_| stored.rated && shown);
    let Some(result) = result.filter(|result| !result.reason.is_decision()) else {
        return Ok(None);
    };
    let setup = stored_setup(stored);
    let setup = setup.map_err(|error| ServiceError::damaged(stored.id, error))?;
    Ok(Some(result).filter(|_| setup.position.is_none()))
}

/// Returns to whom each seat counts, see [`players_at_start`].
/// `seat_entries` are the log's entries about seats after its setup.
pub fn credited(
    stored: &StoredGame,
    seat_entries: &[String],
) -> Result<Vec<(u8, Player)>, ServiceError> {
    let (players, changes) = seatings(stored, seat_entries)?;
    Ok(players_at_start(players, changes))
}

/// Returns true if an account plays or has played in a game.
pub fn has_sat(
    stored: &StoredGame,
    seat_entries: &[String],
    account: Uuid,
) -> Result<bool, ServiceError> {
    let account = account.to_string();
    let (first, changes) = seatings(stored, seat_entries)?;
    let mut players = first.iter().chain(changes.iter().map(|(_, player)| player));
    Ok(players.any(|player| player.actor() == Some(&*account)))
}

/// The players in a game's setup, and later changes as seat and player.
type Seatings = (Vec<Player>, Vec<(u8, Player)>);

/// Reads the players of a game's setup and their changes.
fn seatings(stored: &StoredGame, seat_entries: &[String]) -> Result<Seatings, ServiceError> {
    let setup = stored_setup(stored);
    let setup = setup.map_err(|error| ServiceError::damaged(stored.id, error))?;
    let mut seated = Vec::new();
    for text in seat_entries {
        let entry: Entry = (text.parse())
            .map_err(|error| ServiceError::damaged(stored.id, format!("{text:?}: {error}")))?;
        if let Entry::Seat { seat, player } = entry {
            seated.push((seat, player));
        }
    }
    let seats = setup.seats.into_iter();
    Ok((seats.map(|seat| seat.player).collect(), seated))
}
