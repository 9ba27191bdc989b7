//! The turns of a game as a list: each event in words and notation, with a link to its moment.

use drawing::words;
use maud::{Markup, html};

use super::badge::Nations;
use super::english;
use super::events::Teller;
use crate::games::{EventBody, EventPayload};

/// Which of these events were taken back, by place in the list.
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

/// Events as turns, in order.
pub fn turns(events: &[EventBody], teller: Teller<'_>, nations: &Nations) -> Markup {
    let undone = undone(events);
    let marked: Vec<(&EventBody, bool)> = events.iter().zip(undone).collect();
    html! {
        @for turn in marked.chunk_by(|(one, _), (other, _)| one.turn == other.turn) {
            (one_turn(turn, teller, nations))
        }
    }
}

fn one_turn(events: &[(&EventBody, bool)], teller: Teller<'_>, nations: &Nations) -> Markup {
    let number = events.first().map_or(0, |(event, _)| event.turn);
    // Others may answer within a turn, so its nation is the one that moves the stone.
    let acts = |(event, _): &&(&EventBody, bool)| {
        event.notation.starts_with("stone") || event.notation == "end"
    };
    let own = events.iter().find(acts).or(events.first());
    let own = own.and_then(|(event, _)| event.nation.as_deref());
    html! {
        li class="turn" data-turn=(number) {
            h3 {
                @match own.filter(|_| number > 0) {
                    Some(nation) => { (nations.named(nation)) }
                    None => { (english::GAME_SETUP) }
                }
                @if number > 0 { " " span class="faint" { (english::turn(number)) } }
            }
            ol class="events" { @for (event, undone) in events { (one_event(event, *undone, own, teller)) } }
        }
    }
}

fn one_event(event: &EventBody, undone: bool, own: Option<&str>, teller: Teller<'_>) -> Markup {
    let told = teller.tell(event);
    let other = event
        .nation
        .as_deref()
        .filter(|nation| Some(*nation) != own);
    html! {
        li id=(event.seq) class=[undone.then_some("undone")] data-round=(event.round) data-turn=(event.turn) {
            a href={ "?at=" (event.seq) "#" (event.seq) } {
                span class="number" { (event.seq) }
                span class="words" {
                    @if let Some(nation) = other { (words(nation)) " " }
                    (told.done)
                    @for follow in &told.follows { span class=(if told.weighty { "follows weighty" } else { "follows" }) { "; " (follow) } }
                    @if undone { " " span class="faint" { "(" (english::GAME_UNDONE) ")" } }
                }
                @if event.action.is_some() { code { (event.notation) } }
            }
        }
    }
}
