//! Reading: lists, logs, old positions, records.

use bots::Spec;
use engine::content::Library;
use engine::forms::View;
use engine::play::Game;
use records::{Entry, RECORD_FORMAT, Record, ReplayError};
use uuid::Uuid;

use crate::db::time::time_text;
use crate::games::bodies::{GameSummary, Moment};
use crate::games::log::{Reading, WHOLE_HASH};
use crate::games::model::{LogRow, Seat, StoredGame};
use crate::games::queries::cursor::Cursor;
use crate::games::queries::lists::{GameCount, GameFilter};
use crate::games::{Games, log, table};
use crate::http::call::Call;
use crate::http::error::ServiceError;

/// A part of the list of games.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedGames {
    /// The games, newest first.
    pub items: Vec<GameSummary>,
    /// The ids of games of this part that cannot be read.
    pub damaged: Vec<String>,
    /// Where the next part begins; `None` at the end.
    pub next: Option<String>,
}

/// A game's record. While its seed is secret the record's `setup.seed` is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The record.
    pub record: Record,
    /// SHA-256 of the seed, where the seed itself is still secret.
    pub seed_commitment: Option<String>,
    /// The last event that it tells.
    pub seq: u64,
}

impl ListedGames {
    /// Whether there are games, also if they cannot be read, or may be on a later page.
    pub fn has_games(&self) -> bool {
        !self.items.is_empty() || !self.damaged.is_empty() || self.next.is_some()
    }
}

impl Games {
    /// Games that fit a filter, in its order, after one.
    pub fn list(
        &self,
        filter: &GameFilter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<ListedGames, ServiceError> {
        let found = self.store.games(filter, after, limit)?;
        let mut listed = ListedGames {
            items: Vec::with_capacity(found.games.len()),
            damaged: found.damaged,
            next: found.next.map(|next| next.to_string()),
        };
        for (stored, seats) in &found.games {
            match table::summary(stored, seats) {
                Ok(summary) => listed.items.push(summary),
                Err(ServiceError::Damaged { id, .. }) => listed.damaged.push(id),
                Err(error) => return Err(error),
            }
        }
        Ok(listed)
    }

    /// Refuses a player whom nobody knows: no account has this id, no bot this name, and nobody else by it plays a
    /// public game.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] for `field`; when the store fails.
    pub fn check_player(&self, field: &str, player: &str) -> Result<(), ServiceError> {
        if player.parse::<Spec>().is_ok() {
            return Ok(());
        }
        if let Ok(id) = Uuid::try_parse(player)
            && self.store.account_by_id(id)?.is_some()
        {
            return Ok(());
        }
        let public = GameFilter {
            player: Some(player.to_owned()),
            only_public: true,
            ..GameFilter::default()
        };
        if self.list(&public, None, 1)?.has_games() {
            return Ok(());
        }
        let message = format!(
            "{player:?} is unknown: no account has this id and no bot this name; /v1/players/HANDLE shows the id of an \
             account"
        );
        Err(ServiceError::invalid(field, message))
    }

    /// Refuses a league that the caller cannot know: none that it may see has this id, and neither a public game nor
    /// one of its own is of a league with this name.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] for `league`; when the store fails.
    pub fn check_league(&self, call: &Call, league: &str) -> Result<(), ServiceError> {
        if let Ok(id) = Uuid::try_parse(league) {
            match (self.leagues.rights)(call, id, None) {
                Ok(Some(rights)) if rights.sees => return Ok(()),
                Err(ServiceError::Store(error)) => return Err(error.into()),
                _ => {}
            }
        }
        let public = GameFilter {
            league: Some(league.to_owned()),
            only_public: true,
            ..GameFilter::default()
        };
        let account = call
            .access
            .as_ref()
            .map(|access| access.account.to_string());
        let own = account.map(|account| GameFilter {
            player: Some(account),
            only_public: false,
            ..public.clone()
        });
        for filter in [Some(public), own].into_iter().flatten() {
            if self.list(&filter, None, 1)?.has_games() {
                return Ok(());
            }
        }
        let message =
            format!("{league:?} is unknown: no league has this id, and no game this name");
        Err(ServiceError::invalid("league", message))
    }

    /// How many games fit a filter, as far as they are counted.
    pub fn count(&self, filter: &GameFilter) -> Result<GameCount, ServiceError> {
        Ok(self.store.count_games(filter)?)
    }

    /// The position after an event.
    pub fn position(&self, id: Uuid, seq: u64) -> Result<Moment, ServiceError> {
        let table = self.table(id)?;
        if seq > table.seq() {
            let what = format!("event {seq}; the last is {}", table.seq());
            return Err(ServiceError::NotFound(what));
        }
        let reading = self.reading(id, seq + 1)?;
        let (game, state) = (reading.game(), reading.state());
        Ok(Moment {
            game: id,
            seq,
            pending: game.questions(state),
            state: View::from_state(game, state),
        })
    }

    /// What `show` makes of the position after an event.
    ///
    /// # Errors
    /// As [`Games::position`].
    pub fn shown<T>(
        &self,
        id: Uuid,
        seq: u64,
        show: impl FnOnce(&Game, &View) -> T,
    ) -> Result<T, ServiceError> {
        let position = self.position(id, seq)?;
        let reading = self.reading(id, seq + 1)?;
        Ok(show(reading.game(), &position.state))
    }

    /// The record of a game, with its event log when that is asked for. When the game is over, its setup
    /// spells out the decks of event cards.
    ///
    /// # Errors
    /// [`ServiceError::Damaged`] when the stored game does not follow from its log; when there is no such game, or the
    /// store fails.
    pub fn record(&self, id: Uuid, with_events: bool) -> Result<GameRecord, ServiceError> {
        let mut found = self.stored_record(id, |_| with_events)?;
        if found.seed_commitment.is_some() {
            found.record.setup.seed.clear();
        }
        Ok(found)
    }

    /// As [`Games::record`], with the event log also where nothing else proves the result: that of a
    /// game that people ended.
    ///
    /// # Errors
    /// As [`Games::record`].
    pub fn proven_record(&self, id: Uuid, with_events: bool) -> Result<Record, ServiceError> {
        let by_people = |stored: &StoredGame| {
            let result = stored.result.as_ref();
            result.is_some_and(|result| result.reason.is_decision())
        };
        let mut found = self.stored_record(id, |stored| with_events || by_people(stored))?;
        if found.seed_commitment.is_some() {
            found.record.setup.seed.clear();
        }
        Ok(found.record)
    }

    /// The record of a game as text, and what it was made of; its seed may be secret.
    ///
    /// # Errors
    /// As [`Games::record`].
    pub fn record_text(&self, id: Uuid) -> Result<(String, GameRecord), ServiceError> {
        let found = self.stored_record(id, |_| false)?;
        let text = match found.seed_commitment {
            None => found.record.to_text(&self.library),
            Some(_) => found.record.to_text_without_seed(&self.library),
        };
        let damaged = |error: ReplayError| ServiceError::damaged(id, error);
        Ok((text.map_err(damaged)?, found))
    }

    /// A game's record with its seed, secret or not. Every row is checked before any is shown.
    fn stored_record(
        &self,
        id: Uuid,
        with_events: impl Fn(&StoredGame) -> bool,
    ) -> Result<GameRecord, ServiceError> {
        let stored = self.store.game(id)?;
        let (stored, seats) = stored.ok_or_else(|| ServiceError::NotFound(format!("game {id}")))?;
        let mut reading = Reading::begin(&stored, &self.library)?;
        let rows = self.store.events(id, Some(stored.seq))?.into_iter();
        let rows: Vec<LogRow> = rows
            .map(|row| reading.complete(row))
            .collect::<Result<_, ServiceError>>()?;
        reading.check_end(&stored, &seats)?;
        check_rows(&stored, &rows)?;
        let record = record_of(&stored, &seats, &rows, with_events(&stored), &self.library)?;
        let secret = !stored.seed_known && !stored.status.is_over();
        Ok(GameRecord {
            seed_commitment: secret.then(|| engine::chance::seed_commitment(&record.setup.seed)),
            record,
            seq: stored.seq,
        })
    }
}

/// Checks what of a game's rows neither their fold nor the last hash binds.
fn check_rows(stored: &StoredGame, rows: &[LogRow]) -> Result<(), ServiceError> {
    let damaged = |message: String| ServiceError::damaged(stored.id, message);
    if let Some(event) = rows.iter().find(|event| event.row.hash.len() != WHOLE_HASH) {
        let message = "its hash does not follow from the events before it";
        return Err(damaged(format!("event {}: {message}", event.row.seq)));
    }
    let setup = table::stored_setup(stored).map_err(|error| damaged(error.to_string()))?;
    let told = rows.first().map(|first| first.row.notation.parse());
    if !matches!(told, Some(Ok(Entry::Setup(told))) if told.tells(&setup)) {
        return Err(damaged(
            "event 0 has another setup than the game".to_owned(),
        ));
    }
    let ended = rows.last().map(|last| last.row.at.clone());
    if ended != Some(time_text(stored.updated_at)) {
        return Err(damaged(
            "its last event has another time than the game".to_owned(),
        ));
    }
    let signature = stored.signature.as_ref();
    if signature.is_some_and(|one| (one.seq, &one.hash) != (stored.seq, &stored.hash)) {
        return Err(damaged("its signature is that of another log".to_owned()));
    }
    Ok(())
}

/// The record of a stored game with its seed, secret or not; `rows` are its log, with all that follows
/// where the record is to tell it.
pub fn record_of(
    stored: &StoredGame,
    seats: &[Seat],
    rows: &[LogRow],
    with_events: bool,
    library: &Library,
) -> Result<Record, ServiceError> {
    let damaged = |message: String| ServiceError::damaged(stored.id, message);
    let last = rows
        .last()
        .ok_or_else(|| damaged("it has no events".to_owned()))?;
    let mut setup = table::stored_setup(stored).map_err(|error| damaged(error.to_string()))?;
    for (seat, seated) in setup.seats.iter_mut().zip(seats) {
        seat.player = seated.player.clone();
    }
    let mut record = Record {
        format: RECORD_FORMAT.to_owned(),
        id: stored.id.to_string(),
        setup,
        actions: log::actions(rows),
        events: with_events.then(|| rows.iter().map(|event| event.row.clone()).collect()),
        result: stored.result.clone(),
        digest: last.row.digest.clone(),
        played_at: time_text(stored.updated_at),
        source: stored.source,
        rated: stored.rated,
        league: stored.league.clone(),
        signature: stored.signature.clone(),
    };
    if stored.status.is_over() {
        // A damaged game is told as it is stored.
        let _ = record.spell_out(library);
    }
    Ok(record)
}
