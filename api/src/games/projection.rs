//! The projection `lists`: what happened in finished games, by which lists find them.

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

/// Counts up with each change of what lists find games by, so that all games are listed again.
const VERSION: i64 = 1;

/// How many games are written together.
const TOGETHER: usize = 64;

/// The projection of what lists find finished games by.
struct Lists(Arc<GameRecords>);

/// The projection of what lists find finished games by.
pub fn lists(records: Arc<GameRecords>) -> Box<dyn Projection> {
    Box::new(Lists(records))
}

impl Lists {
    /// The finished games behind an offset, at most `limit`, and the offset behind them; `None` where there are none.
    fn behind(
        &self,
        from: Offset,
        limit: usize,
    ) -> Result<Option<(Ended, Offset)>, ProjectionError> {
        let ended = (self.0).finished_after(from.position, limit, Visibility::ALL)?;
        let last = ended.last().map(|(_, position)| *position);
        Ok(last.map(|position| (ended, Offset { position, ..from })))
    }
}

/// Ids of finished games, with the position of their last event.
type Ended = Vec<(String, i64)>;

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
            // Nodes of a later program go on with theirs.
            Ordering::Greater => return Ok(BatchOutcome::All),
            Ordering::Less => {
                self.restart()?;
                return Ok(BatchOutcome::More);
            }
            Ordering::Equal => {}
        }
        let Some((ended, to)) = self.behind(from, limit)? else {
            return Ok(BatchOutcome::All);
        };
        let found: Result<Vec<_>, _> = ended.par_iter().map(|(id, _)| self.0.listed(id)).collect();
        let found = found?.into_iter().flatten().collect();
        let list = |transaction: &mut Transaction<'_>| transaction.list_finished(found);
        store.advance(NAME, from, to, list)?;
        Ok(BatchOutcome::More)
    }

    fn skip(&mut self) -> Result<Option<String>, ProjectionError> {
        let from = self.0.store.offset(NAME)?;
        let Some((ended, to)) = self.behind(from, 1)? else {
            return Ok(None);
        };
        self.0.store.advance(NAME, from, to, |_| Ok(()))?;
        Ok(ended.into_iter().next().map(|(id, _)| id))
    }

    fn restart(&mut self) -> Result<(), ProjectionError> {
        let store = &self.0.store;
        let from = store.offset(NAME)?;
        if from.version > VERSION {
            let message = "a later program has written what lists find games by";
            return Err(ProjectionError::new(message));
        }
        store.advance(NAME, from, from.restarted(VERSION), |_| Ok(()))?;
        Ok(())
    }
}

/// What lists find a finished game by.
fn finished(facts: &GameFacts) -> FinishedGame {
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

/// Compares the rows by which lists find a game with the game itself; `reached` is how far the projection has read the
/// log. Returns what is wrong.
pub(in crate::games) fn audit(
    library: &Library,
    (stored, seats): (&StoredGame, &[Seat]),
    rows: &ListRows,
    record: Option<&Record>,
    reached: i64,
) -> Option<String> {
    let facts = record.and_then(|record| GameFacts::derive(record, library).ok());
    // Of games that have no facts verifying the record says why.
    let facts = facts.map(|facts| finished(&facts));
    let is_reached = rows.finished_position.is_some_and(|at| at <= reached);
    if rows.rounds.is_none() && is_reached && facts.is_some() {
        return Some("lists do not find it by what happened in it".to_owned());
    }
    let facts = facts.filter(|_| rows.rounds.is_some());
    let found = (rows.rounds, rows.reason.as_deref());
    let expected = facts
        .as_ref()
        .map(|game| (Some(game.rounds), Some(game.reason)));
    let expected = expected.unwrap_or_default();
    if found != expected {
        return Some(format!(
            "lists find it by {found:?}, not by {expected:?}, as rounds and reason"
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
        Some((expected, kept)) => Some(format!("lists find it by {kept:?}, not by {expected:?}")),
        None if expected.len() != rows.players.len() => Some(format!(
            "lists find it by {} players, and it has {}",
            rows.players.len(),
            expected.len()
        )),
        None => None,
    }
}

impl GameRecords {
    /// What lists find a game by; nothing of one that is damaged.
    fn listed(&self, id: &str) -> Result<Option<FinishedGame>, ProjectionError> {
        match self.finished_game(id) {
            Ok(game) => Ok(Some(game)),
            Err(error @ (ServiceError::Damaged { .. } | ServiceError::NotFound(_))) => {
                tracing::warn!(game = id, %error, "lists do not find it by what happened in it");
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
        Ok(finished(&facts))
    }
}
