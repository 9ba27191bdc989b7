//! Reads stored rows as a log of records, whose fold derives states and events.

use std::sync::Arc;

use engine::content::Library;
use engine::forms::digest_text;
use engine::ids::Nation;
use engine::play::{Action, Game};
use engine::state::State;
use records::{Entry, EntryError, EventRow, Fold, Path, RowEffect};
use uuid::Uuid;

use crate::games::bodies::{EventBody, EventKind, EventPayload, hide_texts};
use crate::games::model::{LogRow, Seat, StoredGame};
use crate::games::setup::start_stored;
use crate::http::error::ServiceError;

/// The hexadecimal digits of a whole hash.
/// A row whose stored part does not match keeps its shorter hash.
pub const WHOLE_HASH: usize = 64;

/// Returns the rows of a game's log from row 0, completed with players, nations and whole hashes.
/// A row whose stored hash does not match the computed one keeps the stored part. From the first invalid row on,
/// players and nations stay as stored.
pub fn whole_log(stored: &StoredGame, mut rows: Vec<LogRow>, library: &Library) -> Vec<LogRow> {
    let mut reading = Reading::begin(stored, library).ok();
    let mut previous: Option<String> = None;
    for LogRow { row, .. } in &mut rows {
        if reading
            .as_mut()
            .is_some_and(|reading| reading.fill(row).is_err())
        {
            reading = None;
        }
        previous = Some(whole_hash(row, previous.as_deref()));
    }
    rows
}

/// Replaces the stored part of a row's hash by the whole hash, if it matches.
/// Returns the computed hash.
fn whole_hash(row: &mut EventRow, previous: Option<&str>) -> String {
    let hash = row.chained_hash(previous);
    if hash.starts_with(&row.hash) {
        row.hash.clone_from(&hash);
    }
    hash
}

fn damaged(game: Uuid, row: &EventRow, error: &impl std::fmt::Display) -> ServiceError {
    ServiceError::damaged(game, format!("event {}: {error}", row.seq))
}

/// The state of a stored log after some of its rows, with the chain of hashes.
/// The rows' derived columns are not checked; `tabularium verify` does that. A copy costs about 5 KiB and is
/// independent.
#[derive(Clone, Debug)]
pub struct Reading {
    id: Uuid,
    number: i64,
    fold: Fold,
    /// The whole hash of the last row.
    hash: Option<String>,
    /// The hash and digest in the last row.
    last: Option<LastRow>,
}

/// The nation that acted in a row, and its action.
type Act = Option<(Nation, Action)>;

#[derive(Clone, Debug)]
struct LastRow {
    hash: String,
    digest: String,
}

impl Reading {
    /// Creates a reading before the first row.
    pub fn begin(stored: &StoredGame, library: &Library) -> Result<Reading, ServiceError> {
        let (game, first) = start_stored(stored, library)?;
        Ok(Reading {
            id: stored.id,
            number: stored.number,
            fold: Fold::new(Arc::new(game), first),
            hash: None,
            last: None,
        })
    }

    /// Returns the number of the next row.
    pub fn next(&self) -> u64 {
        self.fold.len()
    }

    /// Returns the number by which the store's rows name the game.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        self.fold.game()
    }

    /// Returns the fold of the rows.
    pub fn fold(&self) -> &Fold {
        &self.fold
    }

    /// Returns the fold of the rows by value.
    pub fn into_fold(self) -> Fold {
        self.fold
    }

    /// Returns the state after the last row.
    pub fn state(&self) -> &State {
        self.fold.state()
    }

    /// Returns the hash of the last row: the whole one if the stored part matches, otherwise that part.
    pub fn hash(&self) -> Option<&str> {
        self.last.as_ref().map(|last| last.hash.as_str())
    }

    /// Returns the digest in the last row.
    fn digest(&self) -> Option<&str> {
        self.last.as_ref().map(|last| last.digest.as_str())
    }

    /// Checks that the stored game matches the end of its log.
    ///
    /// # Errors
    /// [`ServiceError::Damaged`] if it does not.
    pub fn check_end(&self, stored: &StoredGame, seats: &[Seat]) -> Result<(), ServiceError> {
        let damaged = |message: &str| Err(ServiceError::damaged(self.id, message));
        let fold = &self.fold;
        if self.digest() != Some(&digest_text(self.state().digest())) {
            return damaged("the state after the last event has another digest");
        }
        if self.hash() != Some(&stored.hash) {
            return damaged("the stored hash is not the one computed from its events");
        }
        if fold.result() != stored.result {
            return damaged("the stored result is not that of its log");
        }
        if !(fold.players().iter()).eq(seats.iter().map(|seat| &seat.player)) {
            return damaged("the stored players are not those of its log");
        }
        Ok(())
    }

    /// Returns the error that the next row is missing.
    pub fn missing(&self) -> ServiceError {
        ServiceError::damaged(self.id, format!("event {} is missing", self.next()))
    }

    /// Applies the next row.
    pub fn follow(&mut self, row: LogRow) -> Result<(), ServiceError> {
        self.take(row.row).map(|_| ())
    }

    /// Applies the next row and returns it with its player, nation and whole hash.
    ///
    /// # Errors
    /// Those of [`Reading::follow`].
    pub fn complete(&mut self, LogRow { position, row }: LogRow) -> Result<LogRow, ServiceError> {
        let (row, ..) = self.take(row)?;
        Ok(LogRow { position, row })
    }

    /// Applies the next row and returns it as an event.
    ///
    /// # Errors
    /// Those of [`Reading::follow`].
    pub fn event(&mut self, LogRow { position, row }: LogRow) -> Result<EventBody, ServiceError> {
        let round = if row.turn == 0 { 0 } else { self.state().round };
        let (row, entry, act) = self.take(row)?;
        let game = self.fold.game();
        Ok(EventBody {
            kind: EventKind::from_entry(&entry),
            round,
            seat: act.map(|(nation, _)| game.seat_of(nation)),
            action: act.map(|(_, action)| action.named(game)),
            payload: EventPayload::from_entry(entry),
            effects: (self.fold.effects().iter())
                .map(|effect| effect.named(game))
                .collect(),
            ..stored_event(self.id, position, row)?
        })
    }

    fn take(&mut self, mut row: EventRow) -> Result<(EventRow, Entry, Act), ServiceError> {
        let (entry, act) = self.fill(&mut row)?;
        self.hash = Some(whole_hash(&mut row, self.hash.as_deref()));
        self.last = Some(LastRow {
            hash: row.hash.clone(),
            digest: row.digest.clone(),
        });
        Ok((row, entry, act))
    }

    /// Applies the next row and completes its player and nation.
    fn fill(&mut self, row: &mut EventRow) -> Result<(Entry, Act), ServiceError> {
        let id = self.id;
        if row.seq != self.next() {
            return Err(self.missing());
        }
        let entry: Entry =
            (row.notation.parse()).map_err(|error: EntryError| damaged(id, row, &error))?;
        if self.fold.is_empty() || self.fold.clock().is_some() {
            let timed = self.fold.note_time(&row.at);
            timed.map_err(|error| damaged(id, row, &error))?;
        }
        let effect = self.fold.apply_entry(&entry, row.player.as_deref());
        let RowEffect { player, act, .. } = effect.map_err(|error| damaged(id, row, &error))?;
        row.player = row.player.take().or(player);
        if let (None, Some((nation, _))) = (&row.nation, act) {
            row.nation = Some(self.fold.game().nation_name(nation).to_owned());
        }
        Ok((entry, act))
    }
}

/// Removes the names and notes that people wrote from an event.
/// Its hash then does not follow from its notation.
pub fn hide_event_texts(event: &mut EventBody) {
    if let Ok(entry) = event.notation.parse::<Entry>() {
        let entry = hide_texts(entry);
        event.notation = entry.to_string();
        event.payload = EventPayload::from_entry(entry);
    }
}

/// Returns a row as an event without replaying the game, which is damaged.
pub fn stored_event(id: Uuid, position: u64, row: EventRow) -> Result<EventBody, ServiceError> {
    // An entry that cannot be read is returned as an action.
    let entry: Result<Entry, _> = row.notation.parse();
    let entry = entry.unwrap_or_else(|_| Entry::Action(row.notation.clone()));
    Ok(EventBody {
        seq: row.seq,
        game: id,
        kind: EventKind::from_entry(&entry),
        round: 0,
        turn: row.turn,
        at: (row.at.parse()).map_err(|error| damaged(id, &row, &error))?,
        nation: row.nation,
        seat: None,
        player: row.player,
        action: None,
        payload: EventPayload::from_entry(entry),
        notation: row.notation,
        effects: Vec::new(),
        digest: row.digest,
        hash: row.hash,
        position: Some(position),
    })
}

/// Returns the actions of a log in notation. Undone ones have the prefix `-`.
/// An entry that cannot be read counts as an action.
pub fn actions(rows: &[LogRow]) -> Vec<String> {
    let mut path = Path::default();
    let mut actions: Vec<(u64, &str)> = Vec::new();
    for LogRow { row, .. } in rows {
        let seq = row.seq;
        // Row 0 is long, and neither an action nor an undo.
        let entry: Entry = match row.seq {
            0 => Entry::Action(String::new()),
            _ => (row.notation.parse()).unwrap_or_else(|_| Entry::Action(row.notation.clone())),
        };
        // An undo to an impossible target undoes nothing.
        let _ = path.add(seq, &entry);
        if seq > 0 && matches!(entry, Entry::Action(_)) {
            actions.push((seq, &row.notation));
        }
    }
    actions
        .into_iter()
        .map(|(seq, text)| match path.contains(seq) {
            true => text.to_owned(),
            false => format!("-{text}"),
        })
        .collect()
}
