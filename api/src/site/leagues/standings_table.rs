//! The table of standings, on the page of a league, in print and in frames.

use maud::{Markup, html};

use crate::leagues::model::{StandingBody, StandingsBody};
use crate::site::leagues::links::named;
use crate::site::texts::Texts;

/// The table of the standings. A heading with the id `standings` names it.
pub fn table(texts: Texts, standings: &StandingsBody, season: &str) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="group" aria-labelledby="standings" {
            table class="standings" {
                caption class="visually-hidden" { (texts.standings_of(season)) }
                thead {
                    tr {
                        th scope="col" class="rank" { abbr title=(texts.text("league-rank")) { "#" } }
                        th scope="col" { (texts.text("league-member")) }
                        th scope="col" class="figure" { (texts.text("league-points")) }
                        th scope="col" class="figure" { (texts.text("league-games")) }
                        @for tie_break in &standings.rules.tie_breaks {
                            @let (head, about) = texts.tie_break(*tie_break);
                            th scope="col" class="figure tie-break" title=(about) { (head) }
                        }
                    }
                }
                tbody {
                    @for row in &standings.rows {
                        tr class=[(row.rank == 1 && row.games > 0.0).then_some("first")] {
                            td class="rank" { (row.rank) }
                            th scope="row" {
                                (named(&row.member))
                                @if !row.member.active { " " span class="tag" { (texts.text("league-left")) } }
                            }
                            td class="figure points" { (points(texts, row)) }
                            td class="figure" { (texts.amount(row.games)) }
                            @for value in &row.tie_breaks { td class="figure tie-break" { (texts.amount(*value)) } }
                        }
                    }
                }
            }
        }
        p class="hint" { (texts.standings_at(standings.at, standings.seq)) }
    }
}

/// The points of a member, with those that do not count.
fn points(texts: Texts, row: &StandingBody) -> Markup {
    let dropped = row.results.iter().filter(|result| !result.counted);
    let dropped: Vec<String> = dropped.map(|result| texts.amount(result.points)).collect();
    html! {
        @if dropped.is_empty() { (texts.amount(row.points)) }
        @else { abbr title=(texts.dropped(&dropped)) { (texts.amount(row.points)) } }
    }
}
