//! The start of a game, from a stored setup or a new one.

use engine::content::Library;
use engine::play::Game;
use engine::setup::Setup;
use engine::state::State;
use serde_json::Value;

use crate::games::bodies::First;
use crate::games::model::StoredGame;
use crate::http::error::ServiceError;

/// Returns the setup of a stored game, with its seed.
pub fn stored_setup(stored: &StoredGame) -> Result<Setup, serde_json::Error> {
    let mut value: Value = serde_json::from_str(&stored.setup)?;
    if let Value::Object(fields) = &mut value {
        fields.remove("seed_commitment");
        fields.insert("seed".to_owned(), Value::String(stored.seed.clone()));
    }
    serde_json::from_value(value)
}

/// Returns the game and the first state of a stored game.
pub fn start_stored(stored: &StoredGame, library: &Library) -> Result<(Game, State), ServiceError> {
    let damaged = |message: String| ServiceError::damaged(stored.id, message);
    let setup = stored_setup(stored).map_err(|error| damaged(error.to_string()))?;
    setup
        .start(library)
        .map_err(|error| damaged(error.to_string()))
}

/// Starts a game. The start player is the given nation or the first nation of the given seat.
pub fn start_new(
    setup: Setup,
    first: Option<&First>,
    library: &Library,
) -> Result<(Setup, Game, State), ServiceError> {
    let edition = setup.edition.clone();
    let refused = |error| ServiceError::Setup {
        error,
        edition: edition.clone(),
    };
    let name = match first {
        None => None,
        Some(First::Nation(name)) => Some(name.clone()),
        Some(First::Seat(number)) => {
            // The nations are drawn first from the seed, so drawing them again gives the same result.
            let seats = setup.spelled_out(library).map_err(refused)?.seats;
            let seat = seats.get(usize::from(*number));
            let nation = seat.and_then(|seat| seat.nations.first());
            let missing = || ServiceError::invalid("first", format!("there is no seat {number}"));
            Some(nation.ok_or_else(missing)?.clone())
        }
    };
    let setup = Setup {
        first: name,
        ..setup
    };
    let setup = setup.spelled_out(library).map_err(refused)?;
    let (game, state) = setup.start(library).map_err(refused)?;
    Ok((setup, game, state))
}
