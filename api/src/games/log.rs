//! Folding the log of a game: states and events out of stored rows.

use engine::play::{Action, Effect, Game, Names};
use engine::record::EventRow;
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

/// What a row says.
pub enum Entry<'a> {
    /// The setup.
    Setup,
    /// An action in notation.
    Action(&'a str),
    /// Back to a row.
    Undo(usize),
    /// Another player on a seat.
    Seat,
    /// The end by decision.
    Adjudicate,
}

impl Entry<'_> {
    /// Reads a row.
    pub fn of(row: &StoredEvent) -> Entry<'_> {
        if row.seq == 0 {
            return Entry::Setup;
        }
        match row.notation.split_once(' ') {
            Some(("undo", to)) => to.parse().map_or(Entry::Action(&row.notation), Entry::Undo),
            Some(("seat", _)) => Entry::Seat,
            Some(("adjudicate", _)) => Entry::Adjudicate,
            _ => Entry::Action(&row.notation),
        }
    }

    fn kind(&self) -> EventKind {
        match self {
            Entry::Setup => EventKind::Setup,
            Entry::Action(_) => EventKind::Action,
            Entry::Undo(_) => EventKind::Undo,
            Entry::Seat => EventKind::Seat,
            Entry::Adjudicate => EventKind::Adjudicate,
        }
    }
}

/// The rows that lead to the row `seq` of a log, last first: back along the rows that count, where
/// an undo leads on from the row that it names.
pub fn path(rows: &[StoredEvent], seq: usize) -> Vec<usize> {
    let mut path = vec![seq];
    let mut at = seq;
    while at > 0 {
        at = match rows.get(at).map(Entry::of) {
            Some(Entry::Undo(to)) if to < at => to,
            _ => at - 1,
        };
        path.push(at);
    }
    path
}

/// The state after the row `seq` of a log, from the first state on.
///
/// # Errors
/// When the rows do not replay.
pub fn state_at(
    game: &Game,
    first: &State,
    rows: &[StoredEvent],
    seq: usize,
) -> Result<State, GameError> {
    let mut state = first.clone();
    let mut effects = Vec::new();
    for row in path(rows, seq)
        .into_iter()
        .rev()
        .filter_map(|at| rows.get(at))
    {
        if let Entry::Action(_) = Entry::of(row) {
            effects.clear();
            apply_row(game, &mut state, row, &mut effects)?;
        }
    }
    Ok(state)
}

/// Whether a card of the deck came to light: from then on its order is known to that card.
pub fn is_draw(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::CardRevealed { .. } | Effect::DeckShuffled { .. }
    )
}

/// Whether event cards were drawn behind the row `to`, in what counts of a log. The row itself must
/// count.
///
/// # Errors
/// When the rows do not replay.
pub fn draws_behind(
    game: &Game,
    first: &State,
    rows: &[StoredEvent],
    to: usize,
) -> Result<bool, GameError> {
    if game.rules.cards.is_none() {
        return Ok(false);
    }
    let mut state = state_at(game, first, rows, to)?;
    let mut effects = Vec::new();
    let path = path(rows, rows.len().saturating_sub(1));
    let behind = path.iter().rev().filter(|at| **at > to);
    for row in behind.filter_map(|at| rows.get(*at)) {
        if let Entry::Action(_) = Entry::of(row) {
            apply_row(game, &mut state, row, &mut effects)?;
        }
    }
    Ok(effects.iter().any(is_draw))
}

fn apply_row(
    game: &Game,
    state: &mut State,
    row: &StoredEvent,
    effects: &mut Vec<Effect>,
) -> Result<Action<Names>, GameError> {
    let damaged = |message: String| GameError::Damaged {
        id: row.game_id.clone(),
        message: format!("event {}: {message}", row.seq),
    };
    let (named, action) = game
        .parse(&row.notation)
        .map_err(|error| damaged(error.to_string()))?;
    let acts = game.question(state).map(|question| question.asked());
    let nation = named.or(acts).unwrap_or(state.to_move);
    let body = action.named(game);
    game.apply(state, nation, action, effects)
        .map_err(|error| damaged(error.to_string()))?;
    Ok(body)
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
    let mut state = first.clone();
    let mut effects = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        effects.clear();
        let entry = Entry::of(row);
        let round = if row.turn == 0 { 0 } else { state.round };
        let mut action = None;
        match entry {
            Entry::Action(_) => action = Some(apply_row(game, &mut state, row, &mut effects)?),
            Entry::Undo(to) if to < index => state = state_at(game, first, rows, to)?,
            _ => {}
        }
        if index < from {
            continue;
        }
        let nation = row.nation.as_deref().and_then(|n| game.nation_by_name(n));
        events.push(EventBody {
            seq: row.seq as u64,
            game: id,
            kind: entry.kind(),
            round,
            turn: row.turn as u32,
            nation: row.nation.clone(),
            seat: nation.map(|nation| game.seat_of(nation)),
            player: row.player.clone(),
            action,
            notation: row.notation.clone(),
            effects: effects.iter().map(|effect| effect.named(game)).collect(),
            digest: row.digest.clone(),
            hash: row.hash.clone(),
            at: timestamp(row.at),
            position: Some(row.position as u64),
        });
    }
    Ok(events)
}

/// The actions of a log in notation; those that were undone have a `-` before them.
pub fn actions(rows: &[StoredEvent]) -> Vec<String> {
    let mut actions: Vec<(usize, String)> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        match Entry::of(row) {
            Entry::Action(notation) => actions.push((index, notation.to_owned())),
            Entry::Undo(to) => {
                let undone = actions.iter_mut().rev().take_while(|(at, _)| *at > to);
                for (_, text) in undone.filter(|(_, text)| !text.starts_with('-')) {
                    text.insert(0, '-');
                }
            }
            _ => {}
        }
    }
    actions.into_iter().map(|(_, text)| text).collect()
}
