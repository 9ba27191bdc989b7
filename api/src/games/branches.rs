//! Branches: games that play on from a position of another game.
//!
//! A branch is a game that starts from a position, so its record needs no other game. It takes what its creator sees:
//! the order of the event deck is shuffled again from the seed of the branch.

use engine::forms::{Position, View};

use crate::games::bodies::{BranchPoint, First, NewGame, NewSeat};
use crate::games::model::{ContentHashes, Visibility};
use crate::games::service::Games;
use crate::games::setup::stored_setup;
use crate::http::call::Call;
use crate::http::error::ServiceError;

impl Games {
    /// Returns the request for a game that plays on from a position of another game.
    /// The new game has the rules and nations of the other.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] if the caller may not see the game or the request does not fit it,
    /// [`ServiceError::Forbidden`] for a rated game that is not over, or the error of the store.
    pub(in crate::games) fn branch(
        &self,
        call: &Call,
        request: &NewGame,
        point: &BranchPoint,
    ) -> Result<NewGame, ServiceError> {
        let unknown = || ServiceError::invalid("from.game", "you can see no game with this id");
        let table = match self.table(point.game) {
            Err(ServiceError::NotFound(_)) => return Err(unknown()),
            found => found?,
        };
        if !self.access.sees(call, &table)? {
            return Err(unknown());
        }
        let stored = &table.stored;
        if stored.rated && !table.status().is_over() {
            let message = "a rated game cannot be played on elsewhere while it is running";
            return Err(ServiceError::Forbidden(message.to_owned()));
        }
        if point.seq > table.seq() {
            let message = format!(
                "the game has no event {}: its last event is {}",
                point.seq,
                table.seq()
            );
            return Err(ServiceError::invalid("from.seq", message));
        }
        if stored.visibility == Visibility::Private && request.visibility != Visibility::Private {
            let message = "the game is private, so a game from it must be private too";
            return Err(ServiceError::invalid("visibility", message));
        }
        let setup = stored_setup(stored);
        let setup = setup.map_err(|error| ServiceError::damaged(stored.id, error))?;
        let fixed = [
            ("edition", request.edition == stored.edition),
            ("board", request.board == stored.board),
            (
                "variants",
                request.variants.is_empty() || request.variants == setup.variants,
            ),
            ("seats", request.seats.len() == setup.seats.len()),
            ("position", request.position.is_none()),
            ("first", request.first.is_none()),
        ];
        if let Some((field, _)) = fixed.iter().find(|(_, fits)| !fits) {
            let message = "this differs from the game named by `from`, which decides it";
            return Err(ServiceError::invalid(*field, message));
        }
        let mut seats = Vec::with_capacity(setup.seats.len());
        for (number, (seat, of_game)) in request.seats.iter().zip(&setup.seats).enumerate() {
            if !seat.nations.is_empty() && seat.nations != of_game.nations {
                let field = format!("seats[{number}].nations");
                let message = format!("this seat has {}", of_game.nations.join(" and "));
                return Err(ServiceError::invalid(field, message));
            }
            seats.push(NewSeat {
                nations: of_game.nations.clone(),
                player: seat.player.clone(),
            });
        }
        let reading = self.logs.reading(stored.id, point.seq + 1)?;
        let (game, state) = (reading.game(), reading.state());
        if game.question(state).is_none() {
            let message = "the game is over after this event: name an earlier one";
            return Err(ServiceError::invalid("from.seq", message));
        }
        // Nothing is drawn from the new seed yet.
        let position = Position {
            drawn: 0,
            ..Position::from(View::from_state(game, state))
        };
        Ok(NewGame {
            from: None,
            variants: setup.variants,
            seats,
            first: setup.first.map(First::Nation),
            max_rounds: request.max_rounds.or(setup.max_rounds),
            position: Some(Box::new(position)),
            content: Some(ContentHashes {
                ruleset: setup.ruleset_hash,
                board: setup.board_hash,
            }),
            ..request.clone()
        })
    }
}
