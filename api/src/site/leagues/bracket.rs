//! The bracket of a knock-out season or a double elimination: a column for each round.

use maud::{Markup, html};

use crate::leagues::model::{BracketBody, MatchBody};
use crate::site::leagues::links::named;
use crate::site::texts::Texts;

/// The bracket, from round 1 to the final.
pub fn section(texts: Texts, bracket: &BracketBody) -> Markup {
    let is_double = !bracket.finals.is_empty();
    html! {
        section class="panel" aria-labelledby="bracket" {
            h2 id="bracket" { (texts.text("league-bracket")) }
            @if bracket.rounds.is_empty() { p { (texts.text("league-bracket-none")) } }
            @else if is_double {
                h3 id="bracket-winners" class="part" { (texts.text("league-bracket-winners")) }
                (columns(texts, "bracket-winners", &bracket.rounds, &bracket.finals))
                @if !bracket.losers.is_empty() {
                    h3 id="bracket-losers" class="part" { (texts.text("league-bracket-losers")) }
                    (columns(texts, "bracket-losers", &bracket.losers, &[]))
                }
            }
            @else {
                @let (last, before) = bracket.rounds.split_last().map_or((&[][..], &[][..]), |(last, before)| (&**last, before));
                (columns(texts, "bracket", before, last))
            }
        }
    }
}

/// A column for each round, and one for each final.
fn columns(texts: Texts, label: &str, rounds: &[Vec<MatchBody>], finals: &[MatchBody]) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="group" aria-labelledby=(label) {
            ol class="bracket" {
                @for matches in rounds {
                    li {
                        h3 { @if let Some(one) = matches.first() { (texts.round(u32::from(one.round))) } }
                        ol { @for one in matches { (match_of(texts, one)) } }
                    }
                }
                @for last in finals {
                    li {
                        h3 { (texts.text("league-bracket-final")) }
                        ol { (match_of(texts, last)) }
                    }
                }
            }
        }
    }
}

/// A match: both members with the games that they have won, and links to its tables.
fn match_of(texts: Texts, one: &MatchBody) -> Markup {
    let winner = one.winner.as_ref().map(|winner| &winner.id);
    let shows_wins = one.tables.len() > 1;
    html! {
        li {
            @for (place, (member, wins)) in one.members.iter().zip(&one.wins).enumerate() {
                @match member {
                    Some(member) if winner == Some(&member.id) => b { (named(member)) @if shows_wins { " " (wins) } },
                    Some(member) => span { (named(member)) @if shows_wins { " " (wins) } },
                    None if one.bye && place > 0 => span class="faint" { (texts.text("league-bracket-bye")) },
                    None => span class="faint" { (texts.text("league-bracket-open")) },
                }
            }
            @for table in &one.tables {
                a class="faint" href={ "#table-" (table) } { (texts.league_table(*table)) }
            }
        }
    }
}
