//! The rounds of a season: who sits where with which nation, and how it came out.

use std::collections::BTreeMap;

use charts::titled;
use maud::{Markup, html};

use crate::leagues::league::TableState;
use crate::leagues::model::{LeagueSeatBody, LeagueTableBody};
use crate::leagues::overview::{LeagueOverview, SeasonOverview};
use crate::site::badge::Nations;
use crate::site::english;
use crate::site::game::time;
use crate::site::leagues::links::{asked, named};
use crate::site::stats::filter::board_name;

/// The rounds, the last one first, and behind them the tables of none.
pub fn section(shown: &LeagueOverview, season: &SeasonOverview) -> Markup {
    let mut rounds: BTreeMap<Option<u16>, Vec<&LeagueTableBody>> = BTreeMap::new();
    for table in &season.tables {
        rounds.entry(table.round).or_default().push(table);
    }
    html! {
        section class="rounds-of" aria-labelledby="rounds" {
            h2 id="rounds" { (english::LEAGUE_ROUNDS) }
            @if rounds.is_empty() { p { (english::LEAGUE_NO_TABLES) } }
            @for (round, tables) in rounds.iter().rev() {
                @let counted = tables.iter().filter(|table| table.state == TableState::Counted).count();
                h3 {
                    (round.map_or_else(|| english::LEAGUE_OTHER_TABLES.to_owned(), |round| english::round(u32::from(round))))
                    " " span class="faint" { (english::counted_of(counted, tables.len())) }
                }
                ul class="sittings" { @for table in tables { (sitting(shown, season, table)) } }
            }
        }
    }
}

fn sitting(shown: &LeagueOverview, season: &SeasonOverview, table: &LeagueTableBody) -> Markup {
    let name = english::league_table(table.table);
    let board = (table.board.as_deref()).map_or_else(|| titled(&table.edition), board_name);
    let names = table.seats.iter().flat_map(|seat| &seat.nations);
    let nations = Nations::called(&names.map(String::as_str).collect::<Vec<_>>());
    let plain = table.state == TableState::Counted;
    let class = match table.state {
        TableState::Playing => "state running",
        TableState::Counted | TableState::Abandoned | TableState::Void => "state",
    };
    let then = |at: jiff::Timestamp| {
        let query = asked(&shown.league, season.season.season, Some(&at.to_string()));
        format!("/leagues/{}{query}", shown.league.summary.id)
    };
    html! {
        li class={ "entry " (if table.state == TableState::Void { "void" } else { "" }) } id={ "table-" (table.table) } {
            div class="about" {
                @match table.game {
                    Some(game) => a href={ "/games/" (game) } { (name) },
                    None => b { (name) },
                }
                " " span class="faint" { (board) }
                @if !plain { " " span class=(class) { (english::table_state(table.state)) } }
                @if table.game.is_none() { " " span class="tag" { (english::LEAGUE_REAL) } }
                @if table.adjudicated { " " span class="tag" { (english::LEAGUE_DECIDED) } }
            }
            ul class="sits" { @for seat in &table.seats { (sits(seat, &nations)) } }
            @if table.state == TableState::Playing { (due(table)) }
            @if let Some(note) = &table.note { p class="note" { (note) } }
            @if let Some(at) = table.ended_at {
                p class="hint" {
                    (time(table.played_at.unwrap_or(at))) " · "
                    a href=(then(at)) aria-label=(english::standings_after(table.table)) { (english::LEAGUE_THEN) }
                }
            }
        }
    }
}

/// By when a table that is being played is to be over, and when somebody's time runs out.
fn due(table: &LeagueTableBody) -> Markup {
    let is_late = table.deadline.is_some_and(|at| at < jiff::Timestamp::now());
    html! {
        @if let Some(at) = table.deadline {
            p class="due" {
                (english::LEAGUE_DEADLINE) " " (time(at))
                @if table.deadline_moves > 0 { " " span class="tag" { (english::LEAGUE_MOVED) } }
                @if is_late { " " span class="tag late" { (english::LEAGUE_LATE) } }
            }
        }
        @if let Some(at) = table.due_at { p class="due" { (english::LEAGUE_TURN) " " (time(at)) } }
    }
}

fn sits(seat: &LeagueSeatBody, nations: &Nations) -> Markup {
    html! {
        li class=[(seat.rank == Some(1)).then_some("winner")] {
            span class="who" {
                @for (place, member) in seat.members.iter().enumerate() {
                    @if place > 0 { " → " }
                    (named(member))
                }
            }
            span class="nations" { @for name in &seat.nations { (nations.named(name)) " " } }
            @if let Some(rank) = seat.rank { span class="rank" { (english::place(rank)) } }
            @if let Some(points) = seat.points {
                span class="score" { (english::amount(points)) span class="visually-hidden" { " " (english::POINTS) } }
            }
        }
    }
}
