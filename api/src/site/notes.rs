//! The annotations of a game as a list: who wrote them, and about which action.

use maud::{Markup, html};
use records::Note;
use uuid::Uuid;

use crate::annotations::model::GameAnnotations;
use crate::games::bodies::EventBody;
use crate::site::badge::Nations;
use crate::site::events::EventTexts;
use crate::site::frame::time;

/// The events with actions: the action of a note is a place in this list.
pub fn actions(events: &[EventBody]) -> Vec<&EventBody> {
    let is_action = |event: &&EventBody| event.action.is_some();
    events.iter().filter(is_action).collect()
}

fn paragraphs(comment: Option<&String>) -> Markup {
    html! {
        @for part in comment.into_iter().flat_map(|text| text.split("\n\n")) { p { (part) } }
    }
}

/// The annotations of a game, whose events are all given.
pub fn notes(
    annotated: &[GameAnnotations],
    events: &[EventBody],
    game: Uuid,
    event_texts: EventTexts<'_>,
    nations: &Nations,
) -> Markup {
    let texts = nations.texts();
    let actions = actions(events);
    let about = |note: &Note| {
        let event = actions.get(note.action)?;
        let nation = event.nation.as_deref().map(|nation| texts.nation(nation));
        Some(html! {
            a href={ "/games/" (game) "?at=" (event.seq) } {
                (event.turn) ". " @if let Some(nation) = nation { (nation) ": " } (event_texts.describe(event).done)
            }
        })
    };
    html! {
        @for own in annotated {
            section class="annotations" {
                h3 { a href={ "/players/" (own.handle) } { (own.handle) } " " small { (time(texts, own.updated_at)) } }
                (paragraphs(own.comment.as_ref()))
                ol class="notes" {
                    @for note in &own.notes {
                        li {
                            (about(note).unwrap_or_default())
                            @if let Some(verdict) = note.verdict {
                                " " b title=(texts.name("verdict", verdict.name())) { (verdict) }
                            }
                            (paragraphs(note.comment.as_ref()))
                            @for variation in &note.variations {
                                p class="variation" { code { (variation.actions.join("; ")) } }
                                (paragraphs(variation.comment.as_ref()))
                            }
                        }
                    }
                }
                p { a href={ "/games/" (game) "/annotations/" (own.player) ".txt" } { (texts.text("notes-as-text")) } }
            }
        }
        @if annotated.is_empty() { p class="hint" { (texts.text("notes-none")) } }
    }
}
