//! Facts of stored games and results, as everybody may have them.

use analytics::GameFacts;
use analytics::facts::TableResult;
use engine::content::Library;
use jiff::Timestamp;
use records::Record;
use uuid::Uuid;

use crate::games::model::Visibility;
use crate::games::{Games, known_id};
use crate::http::error::ServiceError;
use crate::http::secret::hashed;

/// How many finished games are gathered together.
pub const TOGETHER: usize = 256;

/// How the names begin under which facts have games that are in no list. They come behind ids, so that an
/// example is a game that can be looked at, if there is one.
pub const UNLISTED: &str = "unlisted-";

/// What became of a finished game.
pub enum Gathered {
    /// Its facts.
    Facts(Box<GameFacts>),
    /// It is damaged.
    SetAside(String),
    /// It may be better later.
    Later(ServiceError),
}

/// The facts of a finished game, whose last event stands at a position of the log of all games.
pub fn gather(games: &Games, library: &Library, id: &str, position: i64) -> Gathered {
    let read = |id: Uuid| -> Result<(Record, (Timestamp, Visibility)), ServiceError> {
        Ok((
            games.records.proven_record(id, false)?,
            games.records.recorded(id)?,
        ))
    };
    let (record, (recorded_at, visibility)) = match known_id(id).and_then(read) {
        Ok(read) => read,
        Err(error @ (ServiceError::Damaged { .. } | ServiceError::NotFound(_))) => {
            return Gathered::SetAside(error.to_string());
        }
        Err(error) => return Gathered::Later(error),
    };
    match GameFacts::derive(&record, library) {
        Ok(facts) => {
            let facts = facts.recorded(position, recorded_at);
            Gathered::Facts(Box::new(match visibility {
                // Who knows its id sees the game, so facts, which everybody may have, do not tell it.
                Visibility::Unlisted | Visibility::Private => {
                    facts.under(&format!("{UNLISTED}{}", &hashed(id)[..32]))
                }
                Visibility::Public => facts,
            }))
        }
        Err(error) => Gathered::SetAside(error.to_string()),
    }
}

/// A result as everybody may have it: who knows the name of a league that is in no list sees it.
pub fn hidden((result, visibility): (TableResult, Visibility)) -> TableResult {
    match visibility {
        Visibility::Public => result,
        Visibility::Unlisted | Visibility::Private => TableResult {
            game: format!("{UNLISTED}{}", &hashed(&result.game)[..32]),
            league: None,
            ..result
        },
    }
}
