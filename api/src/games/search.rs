//! Searching finished games: the words that hold of each, which a thread writes down for those that have finished
//! since it last looked, whoever finished them.

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use analytics::GameFacts;
use analytics::facts::DeriveError;
use engine::record::Record;
use rayon::prelude::*;

use super::read::ListedGames;
use super::{GameError, Games, known_id, table};
use crate::store::{Count, Found, LOOKED_AT, Search, StoreError, StoredGame, Visibility, Words};
use crate::work::Next;

/// How often it is looked for games that have finished.
const LOOK: Duration = Duration::from_millis(500);

/// How many games are written down together.
const TOGETHER: i64 = 64;

/// The word of a game that has something of a kind.
pub fn word(kind: &str, name: &str) -> String {
    format!("{kind} {name}")
}

/// The word of a game in which a nation had an opening strategy.
pub fn nation_opening(nation: &str, opening: &str) -> String {
    format!("nation {nation} opening {opening}")
}

/// Starts the thread. It ends when the service stops or is gone.
pub fn start(games: &Arc<Games>) -> Result<(), GameError> {
    let weak = Arc::downgrade(games);
    let look = move || match Weak::upgrade(&weak) {
        Some(games) => games.make_searchable(),
        None => Ok(Next::End),
    };
    let supervised = games.supervisor.supervise("search", LOOK, look);
    Ok(supervised.map_err(|error| StoreError::Unavailable(error.to_string()))?)
}

/// What holds of a game.
fn words(facts: &GameFacts) -> Vec<String> {
    let game = &facts.game;
    let mut words = BTreeSet::from([
        word("edition", &game.edition),
        word("board", &game.board),
        word("reason", game.reason),
    ]);
    words.extend(game.league.iter().map(|league| word("league", league)));
    for seat in &facts.seats {
        words.insert(word("nation", &seat.nation));
        words.insert(word("opening", seat.opening));
        words.insert(nation_opening(&seat.nation, seat.opening));
        words.insert(word("player", &seat.player));
        if seat.share > 0.0 {
            words.insert(word("winner", &seat.player));
            words.insert(word("winning_nation", &seat.nation));
        }
    }
    words.into_iter().collect()
}

/// Compares what is kept for searches with what follows from the records of finished games.
pub(super) struct SearchAudit {
    /// Up to which finished game, by the position of its last event, games could be searched at the beginning.
    reached: i64,
    /// How many games and words of games follow from the records.
    games: i64,
    words: i64,
}

impl SearchAudit {
    /// Begins before the first game.
    pub(super) fn begin(games: &Games) -> Result<SearchAudit, GameError> {
        Ok(SearchAudit {
            reached: games.store.searchable_to()?,
            games: 0,
            words: 0,
        })
    }

    /// Compares what is kept of the next game; returns what is wrong.
    pub(super) fn check(
        &mut self,
        games: &Games,
        stored: &StoredGame,
        finished_position: Option<i64>,
        record: &Record,
    ) -> Result<Option<String>, GameError> {
        let is_reached = finished_position.is_some_and(|position| position <= self.reached);
        if !is_reached || stored.visibility != Visibility::Public {
            return Ok(None);
        }
        match GameFacts::derive(record, &games.library) {
            Ok(facts) => {
                let expected = Words {
                    id: record.id.clone(),
                    rounds: facts.game.rounds,
                    words: words(&facts),
                };
                self.compare(games, stored, &expected)
            }
            // It is not made searchable either, and verifying the record says why.
            Err(_) => Ok(None),
        }
    }

    fn compare(
        &mut self,
        games: &Games,
        stored: &StoredGame,
        expected: &Words,
    ) -> Result<Option<String>, GameError> {
        let count = expected.words.len() as i64;
        self.games += 1;
        self.words += count;
        let kept = games.store.kept_words(stored.number, &expected.words)?;
        let row = (
            stored.created_at,
            stored.updated_at,
            i64::from(expected.rounds),
        );
        let id = stored.id;
        Ok(match kept.row {
            None => Some(format!("search: game {id} is not kept")),
            Some(kept) if kept != row => Some(format!(
                "search: game {id} is kept with {kept:?} as creation, end and rounds, not {row:?}"
            )),
            Some(_) if kept.words < count => {
                let missing = count - kept.words;
                Some(format!("search: {missing} words of game {id} are not kept"))
            }
            Some(_) => None,
        })
    }

    /// Compares what became searchable since the audit began, and how much is kept at all; returns what is wrong.
    pub(super) fn finish(mut self, games: &Games) -> Result<Vec<String>, GameError> {
        let mut faults = Vec::new();
        let account = games.store.search_account()?;
        let mut position = self.reached;
        'later: loop {
            let later = (games.store).finished_after(position, TOGETHER, &[Visibility::Public])?;
            let Some((_, last)) = later.last() else {
                break;
            };
            position = *last;
            for (id, finished) in &later {
                if *finished > account.reached {
                    break 'later;
                }
                let stored = games.store.game(known_id(id)?)?;
                match (stored, games.words_of(id)) {
                    (Some((stored, _)), Ok(expected)) => {
                        faults.extend(self.compare(games, &stored, &expected)?);
                    }
                    (_, Err(GameError::Damaged { .. } | GameError::NotFound(_))) | (None, _) => {}
                    (_, Err(error)) => return Err(error),
                }
            }
        }
        let (kept, follow) = ((account.games, account.words), (self.games, self.words));
        if kept != follow {
            faults.push(format!(
                "search: {} games with {} words are kept, and {} with {} follow from the games",
                kept.0, kept.1, follow.0, follow.1
            ));
        }
        Ok(faults)
    }
}

impl Games {
    /// Writes down what holds of games that have finished.
    fn make_searchable(&self) -> Result<Next, GameError> {
        let reached = self.store.searchable_to()?;
        let finished = self
            .store
            .finished_after(reached, TOGETHER, &[Visibility::Public])?;
        let Some((_, last)) = finished.last() else {
            return Ok(Next::Later);
        };
        let told = finished.par_iter().map(|(id, _)| match self.words_of(id) {
            Ok(words) => Ok(Some(words)),
            Err(error @ (GameError::Damaged { .. } | GameError::NotFound(_))) => {
                tracing::warn!(game = id, %error, "it cannot be searched");
                Ok(None)
            }
            Err(error) => Err(error),
        });
        let told: Result<Vec<Option<Words>>, GameError> = told.collect();
        self.store
            .add_words(told?.into_iter().flatten().collect(), *last)?;
        Ok(Next::Now)
    }

    fn words_of(&self, id: &str) -> Result<Words, GameError> {
        let known = known_id(id)?;
        let record = self.record(known, true)?.record;
        let damaged = |error: DeriveError| GameError::damaged(known, error);
        let facts = GameFacts::derive(&record, &self.library).map_err(damaged)?;
        Ok(Words {
            id: id.to_owned(),
            rounds: facts.game.rounds,
            words: words(&facts),
        })
    }

    /// Finished games that fit, in their order, behind one.
    pub fn search(
        &self,
        search: &Search,
        behind: Option<Found>,
        limit: usize,
    ) -> Result<ListedGames, GameError> {
        let (found, next) = (self.store).search(search, behind, limit, LOOKED_AT)?;
        let mut listed = ListedGames {
            items: Vec::with_capacity(found.games.len()),
            damaged: found.damaged,
            next: next.map(|Found { place, game }| format!("{place}.{game}")),
        };
        for (stored, seats) in &found.games {
            match table::summary(stored, seats) {
                Ok(summary) => listed.items.push(summary),
                Err(GameError::Damaged { id, .. }) => listed.damaged.push(id),
                Err(error) => return Err(error),
            }
        }
        Ok(listed)
    }

    /// How many finished games fit, as far as they are looked at.
    pub fn count_search(&self, search: &Search) -> Result<Count, GameError> {
        Ok(self.store.count_search(search)?)
    }
}
