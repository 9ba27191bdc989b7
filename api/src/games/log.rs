//! Stored rows as the engine's log: its fold tells states and events of them.

use engine::play::{Action, Game, Names};
use engine::record::{Entry, EntryError, EventRow, Fold, Path};
use engine::state::State;
use jiff::Timestamp;
use uuid::Uuid;

use super::bodies::{EventBody, EventKind};
use super::error::GameError;
use crate::store::StoredEvent;

/// The stored form of a moment as RFC 3339, UTC; the same number always gives the same text.
pub fn time_text(micros: i64) -> String {
    timestamp(micros).to_string()
}

/// The stored form of a moment. Numbers beyond what a calendar can hold become its first day.
pub fn timestamp(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// The engine's form of a stored row.
pub fn event_row(stored: &StoredEvent) -> EventRow {
    EventRow {
        seq: stored.seq as u64,
        turn: stored.turn as u32,
        player: stored.player.clone(),
        nation: stored.nation.clone(),
        notation: stored.notation.clone(),
        digest: stored.digest.clone(),
        at: time_text(stored.at),
        hash: stored.hash.clone(),
    }
}

/// The rows of a log from row 0 on, with their whole hashes. A row whose hash does not begin as the one
/// that follows from the rows before keeps what is stored of it.
pub fn chained(mut rows: Vec<StoredEvent>) -> Vec<StoredEvent> {
    let mut previous: Option<String> = None;
    for row in &mut rows {
        let hash = event_row(row).chained_hash(previous.as_deref());
        if !row.hash.is_empty() && hash.starts_with(&row.hash) {
            row.hash.clone_from(&hash);
        }
        previous = Some(hash);
    }
    rows
}

impl EventKind {
    /// The kind of an entry.
    pub fn of(entry: &Entry) -> EventKind {
        match entry {
            Entry::Setup(_) => EventKind::Setup,
            Entry::Action(_) => EventKind::Action,
            Entry::Undo(_) => EventKind::Undo,
            Entry::Seat { .. } => EventKind::Seat,
            Entry::Adjudicate(_) | Entry::Abandon => EventKind::Adjudicate,
        }
    }
}

fn damaged(row: &StoredEvent, error: &impl std::fmt::Display) -> GameError {
    GameError::Damaged {
        id: row.game_id.clone(),
        message: format!("event {}: {error}", row.seq),
    }
}

/// The fold of a log from row 0 on. What rows tell besides what they say, their hashes too, is taken
/// as it is: `tabularium verify` looks at it.
///
/// # Errors
/// When a row does not follow from those before it.
pub fn fold<'a>(
    game: &'a Game,
    first: &State,
    rows: &[StoredEvent],
) -> Result<Fold<'a>, GameError> {
    let mut fold = Fold::new(game, first.clone());
    for row in rows {
        follow(&mut fold, row)?;
    }
    Ok(fold)
}

fn follow(
    fold: &mut Fold<'_>,
    row: &StoredEvent,
) -> Result<(Entry, Option<Action<Names>>), GameError> {
    let entry: Entry = (row.notation.parse()).map_err(|error: EntryError| damaged(row, &error))?;
    let told = fold.follow(&entry, row.player.as_deref());
    let told = told.map_err(|error| damaged(row, &error))?;
    let action = told.act.map(|(_, action)| action);
    let body = action.map(|action| action.named(fold.game()));
    Ok((entry, body))
}

/// The events that a log tells, from its row `from` on. The log must begin with row 0.
///
/// # Errors
/// When the rows do not replay.
pub fn events(
    id: Uuid,
    game: &Game,
    first: &State,
    rows: &[StoredEvent],
    from: usize,
) -> Result<Vec<EventBody>, GameError> {
    let mut events = Vec::with_capacity(rows.len().saturating_sub(from));
    let mut fold = Fold::new(game, first.clone());
    for (index, row) in rows.iter().enumerate() {
        let round = if row.turn == 0 { 0 } else { fold.state().round };
        let (entry, action) = follow(&mut fold, row)?;
        if index < from {
            continue;
        }
        let nation = row.nation.as_deref().and_then(|n| game.nation_by_name(n));
        events.push(EventBody {
            seq: row.seq as u64,
            game: id,
            kind: EventKind::of(&entry),
            round,
            turn: row.turn as u32,
            nation: row.nation.clone(),
            seat: nation.map(|nation| game.seat_of(nation)),
            player: row.player.clone(),
            action,
            notation: row.notation.clone(),
            effects: (fold.effects().iter())
                .map(|effect| effect.named(game))
                .collect(),
            digest: row.digest.clone(),
            hash: row.hash.clone(),
            at: timestamp(row.at),
            position: Some(row.position as u64),
        });
    }
    Ok(events)
}

/// The actions of a log in notation; those that were undone have a `-` before them. What cannot be
/// read is told as an action, as it is stored.
pub fn actions(rows: &[StoredEvent]) -> Vec<String> {
    let mut path = Path::default();
    let mut actions: Vec<(u64, &str)> = Vec::new();
    for row in rows {
        let seq = row.seq as u64;
        // Row 0 is long, and neither an action nor an undo.
        let entry: Entry = match row.seq {
            0 => Entry::Action(String::new()),
            _ => (row.notation.parse()).unwrap_or_else(|_| Entry::Action(row.notation.clone())),
        };
        // An undo to where nobody can go back to undoes nothing.
        let _ = path.add(seq, &entry);
        if seq > 0 && matches!(entry, Entry::Action(_)) {
            actions.push((seq, &row.notation));
        }
    }
    let told = actions
        .into_iter()
        .map(|(seq, text)| match path.contains(seq) {
            true => text.to_owned(),
            false => format!("-{text}"),
        });
    told.collect()
}
