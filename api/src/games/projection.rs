//! The projection `lists`: the content of finished games by which lists filter.

use std::cmp::Ordering;
use std::sync::Arc;

use analytics::GameFacts;
use analytics::facts::DeriveError;
use engine::content::Library;
use rayon::prelude::*;
use records::Record;

use crate::db::projections::offsets::{Offset, Transaction};
use crate::db::projections::{BatchOutcome, Projection, ProjectionError};
use crate::games::model::{Seat, StoredGame, Visibility, known_id};
use crate::games::queries::audit::ListRows;
use crate::games::queries::players::{FinishedGame, FinishedSeat, PlayerRow};
use crate::games::records::GameRecords;
use crate::http::error::ServiceError;

/// The name of the projection.
pub(in crate::games) const NAME: &str = "lists";

/// Raised with each change of what the projection stores, so that all games are processed again.
const VERSION: i64 = 1;

/// How many games are written in one transaction.
const TOGETHER: usize = 64;

/// The projection `lists`.
struct Lists(Arc<GameRecords>);

/// Creates the projection `lists`.
pub fn lists(records: Arc<GameRecords>) -> Box<dyn Projection> {
    Box::new(Lists(records))
}

impl Lists {
    /// Returns the finished games after an offset, and the offset of the last one.
    /// `None` if there are none.
    fn next_games(
        &self,
        from: Offset,
        limit: usize,
    ) -> Result<Option<(FinishedIds, Offset)>, ProjectionError> {
        let ended = (self.0).finished_after(from.position, limit, Visibility::ALL)?;
        let last = ended.last().map(|(_, position)| *position);
        Ok(last.map(|position| (ended, Offset { position, ..from })))
    }
}

/// Ids of finished games, with the position of their last event.
type FinishedIds = Vec<(String, i64)>;

impl Projection for Lists {
    fn name(&self) -> &'static str {
        NAME
    }

    fn batch(&self) -> usize {
        TOGETHER
    }

    fn apply(&mut self, limit: usize) -> Result<BatchOutcome, ProjectionError> {
        let store = &self.0.store;
        let from = store.offset(NAME)?;
        match from.version.cmp(&VERSION) {
            // A newer program on another node runs the projection.
            Ordering::Greater => return Ok(BatchOutcome::All),
            Ordering::Less => {
                self.restart()?;
                return Ok(BatchOutcome::More);
            }
            Ordering::Equal => {}
        }
        let Some((ended, to)) = self.next_games(from, limit)? else {
            return Ok(BatchOutcome::All);
        };
        let found: Result<Vec<_>, _> = ended
            .par_iter()
            .map(|(id, _)| self.0.list_entry(id))
            .collect();
        let found = found?.into_iter().flatten().collect();
        let list = |transaction: &mut Transaction<'_>| transaction.list_finished(found);
        store.advance(NAME, from, to, list)?;
        Ok(BatchOutcome::More)
    }

    fn skip(&mut self) -> Result<Option<String>, ProjectionError> {
        let from = self.0.store.offset(NAME)?;
        let Some((ended, to)) = self.next_games(from, 1)? else {
            return Ok(None);
        };
        self.0.store.advance(NAME, from, to, |_| Ok(()))?;
        Ok(ended.into_iter().next().map(|(id, _)| id))
    }

    fn restart(&mut self) -> Result<(), ProjectionError> {
        let store = &self.0.store;
        let from = store.offset(NAME)?;
        if from.version > VERSION {
            let message = "a newer version of the program has written the rows of the lists: run that version";
            return Err(ProjectionError::new(message));
        }
        store.advance(NAME, from, from.restart(VERSION), |_| Ok(()))?;
        Ok(())
    }
}

/// Derives the row of a finished game from its facts.
fn finished_game(facts: &GameFacts) -> FinishedGame {
    let seats = facts.seats.iter().map(|seat| FinishedSeat {
        seat: i64::from(seat.seat),
        nation: seat.nation.to_string(),
        opening: seat.opening,
        won: seat.share > 0.0,
    });
    FinishedGame {
        id: facts.game.game.to_string(),
        rounds: i64::from(facts.game.rounds),
        reason: facts.game.reason,
        seats: seats.collect(),
    }
}

/// Compares the rows of the lists with a game and returns the difference, if there is one.
/// `reached` is the position up to which the projection has read the log.
pub(in crate::games) fn audit(
    library: &Library,
    (stored, seats): (&StoredGame, &[Seat]),
    rows: &ListRows,
    record: Option<&Record>,
    reached: i64,
) -> Option<String> {
    let facts = record.and_then(|record| GameFacts::derive(record, library).ok());
    // If the game has no facts, the verification of its record says why.
    let facts = facts.map(|facts| finished_game(&facts));
    let is_reached = rows.finished_position.is_some_and(|at| at <= reached);
    if rows.rounds.is_none() && is_reached && facts.is_some() {
        return Some("the lists lack the content of the game".to_owned());
    }
    let facts = facts.filter(|_| rows.rounds.is_some());
    let found = (rows.rounds, rows.reason.as_deref());
    let expected = facts
        .as_ref()
        .map(|game| (Some(game.rounds), Some(game.reason)));
    let expected = expected.unwrap_or_default();
    if found != expected {
        return Some(format!(
            "the lists have {found:?} as rounds and reason instead of {expected:?}"
        ));
    }
    let seats = seats.iter().filter_map(|seat| PlayerRow::new(stored, seat));
    let expected: Vec<PlayerRow> = seats
        .map(|row| match &facts {
            Some(game) => row.finished(stored, game),
            None => row,
        })
        .collect();
    let wrong = expected
        .iter()
        .zip(&rows.players)
        .find(|(expected, kept)| expected != kept);
    match wrong {
        Some((expected, kept)) => Some(format!(
            "the lists have the player {kept:?} instead of {expected:?}"
        )),
        None if expected.len() != rows.players.len() => Some(format!(
            "the lists have {} players of the game instead of {}",
            rows.players.len(),
            expected.len()
        )),
        None => None,
    }
}

impl GameRecords {
    /// Returns the content of a game for the lists; `None` for a damaged game.
    fn list_entry(&self, id: &str) -> Result<Option<FinishedGame>, ProjectionError> {
        match self.finished_game(id) {
            Ok(game) => Ok(Some(game)),
            Err(error @ (ServiceError::Damaged { .. } | ServiceError::NotFound(_))) => {
                tracing::warn!(game = id, %error, "cannot read a finished game; lists cannot filter by its content");
                Ok(None)
            }
            Err(error) => Err(ProjectionError::at(id, error)),
        }
    }

    fn finished_game(&self, id: &str) -> Result<FinishedGame, ServiceError> {
        let known = known_id(id)?;
        let record = self.record(known, true)?.record;
        let damaged = |error: DeriveError| ServiceError::damaged(known, error);
        let facts = GameFacts::derive(&record, &self.library).map_err(damaged)?;
        Ok(finished_game(&facts))
    }
}
