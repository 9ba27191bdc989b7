//! The bracket of a knock-out season: a column for each round.

use maud::{Markup, html};

use crate::leagues::model::{BracketBody, MatchBody};
use crate::site::leagues::links::named;
use crate::site::texts::Texts;

/// The bracket, from round 1 to the final.
pub fn section(texts: Texts, bracket: &BracketBody) -> Markup {
    let last = bracket.rounds.len();
    html! {
        section class="panel" aria-labelledby="bracket" {
            h2 id="bracket" { (texts.text("league-bracket")) }
            @if bracket.rounds.is_empty() { p { (texts.text("league-bracket-none")) } }
            @else {
                div class="scroll" tabindex="0" role="group" aria-labelledby="bracket" {
                    ol class="bracket" {
                        @for (round, matches) in (1..).zip(&bracket.rounds) {
                            li {
                                h3 {
                                    @if round as usize == last { (texts.text("league-bracket-final")) }
                                    @else { (texts.round(round)) }
                                }
                                ol { @for one in matches { (match_of(texts, one)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A match: both members, and a link to its table.
fn match_of(texts: Texts, one: &MatchBody) -> Markup {
    let winner = one.winner.as_ref().map(|winner| &winner.id);
    html! {
        li {
            @for (place, member) in one.members.iter().enumerate() {
                @match member {
                    Some(member) if winner == Some(&member.id) => b { (named(member)) },
                    Some(member) => span { (named(member)) },
                    None if one.bye && place > 0 => span class="faint" { (texts.text("league-bracket-bye")) },
                    None => span class="faint" { (texts.text("league-bracket-open")) },
                }
            }
            @if let Some(table) = one.table {
                a class="faint" href={ "#table-" (table) } { (texts.league_table(table)) }
            }
        }
    }
}
