//! The standings of a season, each tie-break a column, and who came out ahead of whom.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use maud::{Markup, html};

use crate::leagues::model::StandingsBody;
use crate::leagues::overview::{LeagueOverview, SeasonOverview};
use crate::site::english;
use crate::site::leagues::links::{asked, named};

/// The most members who are shown in a square against each other.
const MOST_SQUARED: usize = 40;

/// The standings, the way to those of before, and how they can be had otherwise.
pub fn section(
    base: &str,
    shown: &LeagueOverview,
    season: &SeasonOverview,
    earlier: bool,
) -> Markup {
    let league = &shown.league;
    let (id, number) = (league.summary.id, season.season.season);
    let seq = league.summary.seq.to_string();
    let own = asked(league, number, earlier.then_some(&*seq));
    let for_ever = format!("{base}/v1/leagues/{id}/standings?season={number}&as_of={seq}");
    html! {
        section class="panel" aria-labelledby="standings" {
            h2 id="standings" { (english::LEAGUE_STANDINGS) " · " (season.season.name) }
            (moments(shown, season, earlier))
            @if season.standings.rows.is_empty() { p { (english::LEAGUE_NOBODY) } }
            @else { (table(&season.standings, &season.season.name)) }
            details {
                summary { (english::LEAGUE_COUNTED) }
                p { (english::scoring(&season.season.rules.scoring)) }
                p { (english::tie_breaks(&season.season.rules.tie_breaks)) }
                p { (english::seat_credit(season.season.rules.replacement)) }
            }
            div class="ways" {
                ul class="downloads" {
                    li { a href={ "/leagues/" (id) "/standings.csv" (own) } { (english::LEAGUE_CSV) } }
                    li { a href={ "/v1/leagues/" (id) "/standings" (own) } { (english::LEAGUE_JSON) } }
                    li { a href={ "/leagues/" (id) "/head-to-head.csv" (own) } { (english::LEAGUE_MET_CSV) } }
                    li { a href={ "/v1/leagues/" (id) "/calendar.ics" } { (english::LEAGUE_CALENDAR) } }
                    li { a href={ "/v1/leagues/" (id) "/events" } { (english::LEAGUE_LOG) } }
                }
                details {
                    summary { (english::LEAGUE_KEEP) }
                    p { (english::LEAGUE_FOR_EVER) }
                    pre tabindex="0" { "curl '" (for_ever) "'" }
                }
            }
        }
    }
}

/// The way to the standings of any day, and of the end of each round.
fn moments(shown: &LeagueOverview, season: &SeasonOverview, earlier: bool) -> Markup {
    let league = &shown.league;
    let (path, number) = (
        format!("/leagues/{}", league.summary.id),
        season.season.season,
    );
    let day = |at: jiff::Timestamp| at.to_zoned(TimeZone::UTC).date().to_string();
    let seen = league.summary.updated_at;
    html! {
        div class="moments" {
            @if !season.rounds.is_empty() {
                nav class="tabs small" aria-label=(english::LEAGUE_MOMENTS) {
                    a href={ (path) (asked(league, number, None)) } aria-current=[(!earlier).then_some("true")] {
                        (english::LEAGUE_NOW)
                    }
                    @for (round, at) in season.rounds.iter().rev() {
                        @let is = earlier && *at == seen;
                        " " a href={ (path) (asked(league, number, Some(&at.to_string()))) } aria-current=[is.then_some("true")] {
                            (english::after_round(*round))
                        }
                    }
                }
            }
            form class="as-of" method="get" action=(path) {
                @if shown.league.seasons.len() > 1 { input type="hidden" name="season" value=(number); }
                label for="as-of" { (english::LEAGUE_AS_OF) }
                input id="as-of" type="date" name="as_of" required min=(day(league.summary.created_at))
                    max=(day(jiff::Timestamp::now())) value=[earlier.then(|| day(seen))];
                button { (english::LEAGUE_SHOW) }
            }
        }
    }
}

fn table(standings: &StandingsBody, season: &str) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="group" aria-labelledby="standings" {
            table class="standings" {
                caption class="visually-hidden" { (english::standings_of(season)) }
                thead {
                    tr {
                        th scope="col" class="rank" { abbr title=(english::LEAGUE_RANK) { "#" } }
                        th scope="col" { (english::LEAGUE_MEMBER) }
                        th scope="col" class="figure" { (english::LEAGUE_POINTS) }
                        th scope="col" class="figure" { (english::LEAGUE_GAMES) }
                        @for tie_break in &standings.rules.tie_breaks {
                            @let (head, about) = english::tie_break(*tie_break);
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
                                @if !row.member.active { " " span class="tag" { (english::LEAGUE_LEFT) } }
                            }
                            td class="figure points" { (english::amount(row.points)) }
                            td class="figure" { (english::amount(row.games)) }
                            @for value in &row.tie_breaks { td class="figure tie-break" { (english::amount(*value)) } }
                        }
                    }
                }
            }
        }
        p class="hint" { (english::standings_at(standings.at, standings.seq)) }
    }
}

/// Who came out ahead of whom: a square of those who have played, in the order of the standings.
pub fn met(season: &SeasonOverview) -> Markup {
    let mut cells: HashMap<(&str, &str), String> = HashMap::new();
    for met in &season.head_to_head.rows {
        let (one, other) = (&*met.one.id, &*met.other.id);
        cells.insert((one, other), english::met(met.ahead, met.behind, met.equal));
        cells.insert((other, one), english::met(met.behind, met.ahead, met.equal));
    }
    let rows = season.standings.rows.iter();
    let played: Vec<_> = rows.filter(|row| row.games > 0.0).collect();
    html! {
        @if !cells.is_empty() {
            section class="panel" aria-labelledby="head-to-head" {
                h2 id="head-to-head" { (english::LEAGUE_HEAD_TO_HEAD) }
                @if played.len() > MOST_SQUARED { p { (english::LEAGUE_MET_FILE) } }
                @else {
                    p class="hint" { (english::LEAGUE_MET_HINT) }
                    div class="scroll" tabindex="0" role="group" aria-labelledby="head-to-head" {
                        table class="met" {
                            thead {
                                tr {
                                    th scope="col" { (english::LEAGUE_MEMBER) }
                                    @for (place, row) in (1..).zip(&played) {
                                        th scope="col" { abbr title=(row.member.name) { (place) } }
                                    }
                                }
                            }
                            tbody {
                                @for (place, row) in (1..).zip(&played) {
                                    tr {
                                        th scope="row" { span class="faint" { (place) } " " (named(&row.member)) }
                                        @for other in &played {
                                            @match cells.get(&(&*row.member.id, &*other.member.id)) {
                                                Some(text) => td { (text) },
                                                None if row.member.id == other.member.id => td class="self" {},
                                                None => td class="faint" { "·" },
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
