//! Stored rows as the engine's log: its fold tells states and events of them.

use engine::play::{Action, Game, Names};
use engine::record::{Entry, EntryError, EventRow, Fold, Path};
use engine::state::State;
use uuid::Uuid;

use super::bodies::{EventBody, EventKind};
use super::error::GameError;
use crate::store::LogRow;

/// The rows of a log from row 0 on, with their whole hashes. A row whose hash does not begin as the one
/// that follows from the rows before keeps what is stored of it.
pub fn chained(mut rows: Vec<LogRow>) -> Vec<LogRow> {
    let mut previous: Option<String> = None;
    for LogRow { row, .. } in &mut rows {
        let hash = row.chained_hash(previous.as_deref());
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

fn damaged(game: Uuid, row: &EventRow, error: &impl std::fmt::Display) -> GameError {
    GameError::damaged(game, format!("event {}: {error}", row.seq))
}

/// The fold of a log from row 0 on. What rows tell besides what they say, their hashes too, is taken
/// as it is: `tabularium verify` looks at it.
///
/// # Errors
/// When a row does not follow from those before it.
pub fn fold<'a>(
    id: Uuid,
    game: &'a Game,
    first: &State,
    rows: &[LogRow],
) -> Result<Fold<'a>, GameError> {
    let mut fold = Fold::new(game, first.clone());
    for LogRow { row, .. } in rows {
        follow(id, &mut fold, row)?;
    }
    Ok(fold)
}

fn follow(
    id: Uuid,
    fold: &mut Fold<'_>,
    row: &EventRow,
) -> Result<(Entry, Option<Action<Names>>), GameError> {
    let entry: Entry =
        (row.notation.parse()).map_err(|error: EntryError| damaged(id, row, &error))?;
    let told = fold.follow(&entry, row.player.as_deref());
    let told = told.map_err(|error| damaged(id, row, &error))?;
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
    rows: &[LogRow],
    from: usize,
) -> Result<Vec<EventBody>, GameError> {
    let mut events = Vec::with_capacity(rows.len().saturating_sub(from));
    let mut fold = Fold::new(game, first.clone());
    for (index, LogRow { position, row }) in rows.iter().enumerate() {
        let round = if row.turn == 0 { 0 } else { fold.state().round };
        let (entry, action) = follow(id, &mut fold, row)?;
        if index < from {
            continue;
        }
        let nation = row.nation.as_deref().and_then(|n| game.nation_by_name(n));
        events.push(EventBody {
            seq: row.seq,
            game: id,
            kind: EventKind::of(&entry),
            round,
            turn: row.turn,
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
            at: (row.at.parse()).map_err(|error| damaged(id, row, &error))?,
            position: Some(*position),
        });
    }
    Ok(events)
}

/// The actions of a log in notation; those that were undone have a `-` before them. What cannot be
/// read is told as an action, as it is stored.
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
