//! Derives public facts from stored games and results.

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

/// The number of finished games in a batch.
pub const BATCH: usize = 256;

/// The prefix of the names that replace the ids of unlisted games in facts.
///
/// It sorts after ids, so examples prefer games that can be looked up.
pub const UNLISTED: &str = "unlisted-";

/// The outcome of deriving the facts of a finished game.
pub enum DerivedFacts {
    /// The facts.
    Facts(Box<GameFacts>),
    /// The game is damaged, so it has no facts. Contains the reason.
    WithoutFacts(String),
    /// A temporary failure; retry later.
    Later(ServiceError),
}

/// Derives the facts of a finished game, whose last event has a position in the log of all games.
pub fn derive_facts(games: &Games, library: &Library, id: &str, position: i64) -> DerivedFacts {
    let read = |id: Uuid| -> Result<(Record, (Timestamp, Visibility)), ServiceError> {
        Ok((games.records.rated_record(id)?, games.records.recorded(id)?))
    };
    let (record, (recorded_at, visibility)) = match known_id(id).and_then(read) {
        Ok(read) => read,
        Err(error @ (ServiceError::Damaged { .. } | ServiceError::NotFound(_))) => {
            return DerivedFacts::WithoutFacts(error.to_string());
        }
        Err(error) => return DerivedFacts::Later(error),
    };
    match GameFacts::derive(&record, library) {
        Ok(facts) => {
            let facts = facts.with_position(position, recorded_at);
            DerivedFacts::Facts(Box::new(match visibility {
                // Anyone with its id may see the game, so public facts must not contain the id.
                Visibility::Unlisted | Visibility::Private => {
                    facts.with_id(&format!("{UNLISTED}{}", &hashed(id)[..32]))
                }
                Visibility::Public => facts,
            }))
        }
        Err(error) => DerivedFacts::WithoutFacts(error.to_string()),
    }
}

/// Removes the names of games and leagues that are not public from a result.
/// Anyone with the name of an unlisted league may see it.
pub fn anonymize((result, visibility): (TableResult, Visibility)) -> TableResult {
    match visibility {
        Visibility::Public => result,
        Visibility::Unlisted | Visibility::Private => TableResult {
            game: format!("{UNLISTED}{}", &hashed(&result.game)[..32]),
            league: None,
            ..result
        },
    }
}
