//! The standings of a season with a column for each tie-break, and the head-to-head results.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use maud::{Markup, html};

use crate::leagues::event::SeasonFormat;
use crate::leagues::group_model::TeamStandingsBody;
use crate::leagues::model::LeagueBody;
use crate::leagues::overview::{LeagueOverview, SeasonOverview};
use crate::site::leagues::links::{asked, named};
use crate::site::leagues::print;
use crate::site::leagues::standings_table::table;
use crate::site::texts::Texts;

/// The most members who are shown in a square against each other.
const MOST_SQUARED: usize = 40;

/// The standings, with links to earlier ones and to other formats.
pub fn section(
    texts: Texts,
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
            h2 id="standings" { (texts.text("league-standings")) " · " (season.season.name) }
            @if season.season.format != SeasonFormat::Spread {
                p class="hint" { (texts.season_format(season.season.format)) }
            }
            (moments(texts, shown, season, earlier))
            @if season.standings.rows.is_empty() { p { (texts.text("league-nobody")) } }
            @else if season.divisions.is_empty() { (table(texts, &season.standings, &season.season.name)) }
            @for (division, standings) in season.season.divisions.iter().zip(&season.divisions) {
                h3 { (division.name) }
                (table(texts, standings, &division.name))
            }
            @if season.season.moves > 0 { p class="hint" { (texts.moves(season.season.moves)) } }
            @if let Some(teams) = &season.teams { (team_table(texts, teams)) }
            @if !season.season.challenges.is_empty() {
                h3 { (texts.text("league-challenges")) }
                ul {
                    @for open in &season.season.challenges {
                        li { (texts.challenge(&name_of(league, &open.member), &name_of(league, &open.opponent))) }
                    }
                }
            }
            details {
                summary { (texts.text("league-counted")) }
                p { (texts.season_format(season.season.format)) }
                p { (texts.scoring(&season.season.rules.scoring)) }
                @for phrase in texts.counted_results(&season.season.rules) { p { (phrase) } }
                @if let Some(rule) = &season.season.rules.deadline { p { (texts.deadline_rule(rule)) } }
                p { (texts.tie_breaks(&season.season.rules.tie_breaks)) }
                p { (texts.seat_credit(season.season.rules.replacement)) }
            }
            div class="ways" {
                ul class="downloads" {
                    li { a href={ "/leagues/" (id) "/standings.csv" (own) } { (texts.text("league-csv")) } }
                    li { a href={ "/v1/leagues/" (id) "/standings" (own) } { (texts.text("league-json")) } }
                    li { a href={ "/leagues/" (id) "/head-to-head.csv" (own) } { (texts.text("league-met-csv")) } }
                    li { a href={ "/leagues/" (id) "/cross-table.csv" (own) } { (texts.text("league-cross-csv")) } }
                    li { a href={ "/leagues/" (id) "/standings.xlsx" (own) } { (texts.text("league-xlsx")) } }
                    li { a href={ "/leagues/" (id) "/results.csv?season=" (number) } { (texts.text("league-results-csv")) } }
                    li { a href={ "/leagues/" (id) "/results.xml?season=" (number) } { (texts.text("league-results-bgg")) } }
                    li { a href={ "/leagues/" (id) "/results.json?season=" (number) } { (texts.text("league-results-bgstats")) } }
                    li { a href={ "/v1/leagues/" (id) "/calendar.ics" } { (texts.text("league-calendar")) } }
                    li { a href={ "/v1/leagues/" (id) "/events" } { (texts.text("league-log")) } }
                }
                p class="hint" { (texts.text("print-lead")) }
                (print::links(texts, shown, season))
                details {
                    summary { (texts.text("league-keep")) }
                    p { (texts.text("league-for-ever")) }
                    pre tabindex="0" { "curl '" (for_ever) "'" }
                }
            }
        }
    }
}

/// Links to the standings of any day, and of the end of each round.
fn moments(texts: Texts, shown: &LeagueOverview, season: &SeasonOverview, earlier: bool) -> Markup {
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
                nav class="tabs small" aria-label=(texts.text("league-moments")) {
                    a href={ (path) (asked(league, number, None)) } aria-current=[(!earlier).then_some("true")] {
                        (texts.text("league-now"))
                    }
                    @for (round, at) in season.rounds.iter().rev() {
                        @let is = earlier && *at == seen;
                        " " a href={ (path) (asked(league, number, Some(&at.to_string()))) } aria-current=[is.then_some("true")] {
                            (texts.after_round(*round))
                        }
                    }
                }
            }
            form class="as-of" method="get" action=(path) {
                @if shown.league.seasons.len() > 1 { input type="hidden" name="season" value=(number); }
                label for="as-of" { (texts.text("league-as-of-day")) }
                input id="as-of" type="date" name="as_of" required min=(day(league.summary.created_at))
                    max=(day(jiff::Timestamp::now())) value=[earlier.then(|| day(seen))];
                button { (texts.text("show")) }
            }
        }
    }
}

/// The current name of a member.
fn name_of(league: &LeagueBody, id: &str) -> String {
    let mut members = league.members.iter();
    members
        .find(|member| member.id == id)
        .map_or_else(String::new, |member| member.name.clone())
}

/// The standings of the teams, each with the points of its members.
fn team_table(texts: Texts, teams: &TeamStandingsBody) -> Markup {
    html! {
        h3 id="teams" { (texts.text("league-teams")) }
        div class="scroll" tabindex="0" role="group" aria-labelledby="teams" {
            table class="standings" {
                thead {
                    tr {
                        th scope="col" class="rank" { abbr title=(texts.text("league-rank")) { "#" } }
                        th scope="col" { (texts.text("league-team")) }
                        th scope="col" class="figure" { (texts.text("league-points")) }
                        th scope="col" class="figure" { (texts.text("tie-break-wins")) }
                        th scope="col" class="figure" { (texts.text("league-games")) }
                        th scope="col" { (texts.text("league-members")) }
                    }
                }
                tbody {
                    @for row in &teams.rows {
                        tr class=[(row.rank == 1 && row.games > 0.0).then_some("first")] {
                            td class="rank" { (row.rank) }
                            th scope="row" { (row.name) }
                            td class="figure points" { (texts.amount(row.points)) }
                            td class="figure" { (texts.amount(row.wins)) }
                            td class="figure" { (texts.amount(row.games)) }
                            td {
                                @for (place, one) in row.members.iter().enumerate() {
                                    @if place > 0 { ", " }
                                    (named(&one.member)) " " (texts.amount(one.points))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The head-to-head results: a square of the members who have played, in the order of the standings.
///
/// For one member, a list of the opponents; a square of many members is too large for a page.
pub fn met(texts: Texts, season: &SeasonOverview, member: &str) -> Markup {
    let mut cells: HashMap<(&str, &str), String> = HashMap::new();
    for met in &season.head_to_head.rows {
        let (one, other) = (&*met.one.id, &*met.other.id);
        cells.insert((one, other), texts.met(met.ahead, met.behind, met.equal));
        cells.insert((other, one), texts.met(met.behind, met.ahead, met.equal));
    }
    let rows = season.standings.rows.iter();
    let played: Vec<_> = rows.filter(|row| row.games > 0.0).collect();
    html! {
        @if !cells.is_empty() {
            section class="panel" aria-labelledby="head-to-head" {
                h2 id="head-to-head" { (texts.text("league-head-to-head")) }
                form method="get" class="filter" action="#head-to-head" {
                    input type="hidden" name="season" value=(season.season.season);
                    label { (texts.text("league-member"))
                        select name="member" {
                            option value="" { (texts.text("league-met-all")) }
                            @for row in &played { option value=(row.member.id) selected[row.member.id == member] { (row.member.name) } }
                        }
                    }
                    button { (texts.text("show")) }
                }
                @if !member.is_empty() { (met_by(texts, season, member)) }
                @else if played.len() > MOST_SQUARED { p { (texts.text("league-met-file")) } }
                @else {
                    p class="hint" { (texts.text("league-met-hint")) }
                    div class="scroll" tabindex="0" role="group" aria-labelledby="head-to-head" {
                        table class="met" {
                            thead {
                                tr {
                                    th scope="col" { (texts.text("league-member")) }
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

/// The opponents of a member, with the results.
fn met_by(texts: Texts, season: &SeasonOverview, member: &str) -> Markup {
    let rows = season.head_to_head.rows.iter();
    let mine = rows.filter_map(|met| {
        if met.one.id == member {
            return Some((&met.other, met.ahead, met.behind, met.equal));
        }
        (met.other.id == member).then_some((&met.one, met.behind, met.ahead, met.equal))
    });
    html! {
        table class="met one" {
            tbody {
                @for (other, ahead, behind, equal) in mine {
                    tr { th scope="row" { (named(other)) } td { (texts.met(ahead, behind, equal)) } }
                }
            }
        }
    }
}
