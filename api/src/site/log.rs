//! The turns of a game as a list: each event in words, with a link to its moment.

use maud::{Markup, html};

use crate::games::bodies::{EventBody, EventPayload};
use crate::site::badge::Nations;
use crate::site::events::EventTexts;
use crate::site::play::regions;

/// The events that were undone, by place in the list.
pub fn undone(events: &[EventBody]) -> Vec<bool> {
    let mut undone = vec![false; events.len()];
    for (place, event) in events.iter().enumerate() {
        if let Some(EventPayload::Undo { to }) = event.payload {
            for (earlier, mark) in events[..place].iter().zip(&mut undone) {
                *mark |= earlier.seq > to;
            }
        }
    }
    undone
}

/// The turn to which each event belongs.
/// Until the first action everything is setup, and an undo belongs to the turn to which the game goes back.
fn turn_numbers(events: &[EventBody]) -> Vec<u32> {
    let first = events.first().map_or(0, |event| event.seq);
    let mut has_begun = first > 0;
    let number = |event: &EventBody| {
        has_begun |= event.action.is_some();
        match event.payload {
            _ if !has_begun => 0,
            Some(EventPayload::Undo { to }) => {
                // The turn after an event is the one in which the next event was recorded.
                let next = (to + 1).checked_sub(first);
                let next = next.and_then(|place| events.get(usize::try_from(place).ok()?));
                next.map_or(event.turn, |next| next.turn)
            }
            _ => event.turn,
        }
    };
    events.iter().map(number).collect()
}

/// An event in the list of turns.
#[derive(Clone, Copy)]
struct LogEntry<'a> {
    event: &'a EventBody,
    is_undone: bool,
    turn: u32,
}

impl LogEntry<'_> {
    /// The nation that has the turn, if the event contains it.
    /// Other nations may answer within a turn, but not move the stone.
    fn mover(&self) -> Option<&str> {
        let notation = &self.event.notation;
        let is_own = notation.starts_with("stone") || notation == "end";
        self.event.nation.as_deref().filter(|_| is_own)
    }
}

/// Groups the events after a number into turns, in order.
/// `now` is the turn at the end of the events and its nation.
pub fn turns(
    events: &[EventBody],
    after: Option<u64>,
    now: (u32, &str),
    event_texts: EventTexts<'_>,
    nations: &Nations,
) -> Markup {
    let marks = undone(events).into_iter().zip(turn_numbers(events));
    let entry = |(event, (is_undone, turn))| LogEntry {
        event,
        is_undone,
        turn,
    };
    let entries: Vec<LogEntry<'_>> = events.iter().zip(marks).map(entry).collect();
    let known = entries.partition_point(|entry| Some(entry.event.seq) <= after);
    let (before, shown) = entries.split_at(known);
    html! {
        @for turn in shown.chunk_by(|one, other| one.turn == other.turn) {
            @let number = turn[0].turn;
            @let same = |entry: &&LogEntry<'_>| entry.turn == number;
            @let nation = turn.iter().find_map(LogEntry::mover)
                .or_else(|| before.iter().rev().filter(same).find_map(LogEntry::mover))
                .or_else(|| shown.iter().filter(same).find_map(LogEntry::mover))
                .or_else(|| Some(now.1).filter(|_| now.0 == number))
                .or_else(|| turn.iter().find_map(|entry| entry.event.nation.as_deref()));
            (one_turn(turn, number, nation, event_texts, nations))
        }
    }
}

fn one_turn(
    entries: &[LogEntry<'_>],
    number: u32,
    own: Option<&str>,
    event_texts: EventTexts<'_>,
    nations: &Nations,
) -> Markup {
    let texts = nations.texts();
    html! {
        li class="turn" data-turn=(number) {
            h3 {
                @if number == 0 { (texts.text("game-setup")) } @else {
                    @if let Some(nation) = own { (nations.named(nation)) " " }
                    span class="faint" { (texts.turn(number)) }
                }
            }
            ol class="events" { @for entry in entries { (one_event(*entry, own, event_texts)) } }
        }
    }
}

fn one_event(entry: LogEntry<'_>, own: Option<&str>, event_texts: EventTexts<'_>) -> Markup {
    let LogEntry {
        event,
        is_undone: undone,
        turn,
    } = entry;
    let texts = event_texts.texts();
    let text = event_texts.describe(event);
    let other = event
        .nation
        .as_deref()
        .filter(|nation| Some(*nation) != own);
    html! {
        li id=(event.seq) class=[undone.then_some("undone")] data-round=(event.round) data-turn=(turn)
            data-seat=[event.seat] data-regions=(event.action.as_ref().map(regions).unwrap_or_default().join(" ")) {
            a href={ "?at=" (event.seq) "#" (event.seq) } {
                span class="number" { (event.seq) }
                span class="words" {
                    @if let Some(nation) = other { span class="by" { (texts.nation(nation)) ":" } " " }
                    (text.done)
                    @for follow in &text.follows { span class=(if text.important { "follows important" } else { "follows" }) { "; " (follow) } }
                    @if undone { " " span class="faint" { "(" (texts.text("game-undone")) ")" } }
                }
            }
        }
    }
}
