//! The rounds of a season: the members at each table with their nations, and the results.

use std::collections::BTreeMap;

use charts::titled;
use maud::{Markup, html};

use crate::leagues::league::TableState;
use crate::leagues::model::{LeagueSeatBody, LeagueTableBody, MemberBody};
use crate::leagues::overview::{LeagueOverview, SeasonOverview};
use crate::site::badge::Nations;
use crate::site::frame::time;
use crate::site::leagues::links::{asked, named};
use crate::site::texts::Texts;

/// The rounds, the last one first, then the tables without a round.
pub fn section(texts: Texts, shown: &LeagueOverview, season: &SeasonOverview) -> Markup {
    let mut rounds: BTreeMap<Option<u16>, Vec<&LeagueTableBody>> = BTreeMap::new();
    for table in &season.tables {
        rounds.entry(table.round).or_default().push(table);
    }
    html! {
        section class="rounds-of" aria-labelledby="rounds" {
            h2 id="rounds" { (texts.text("league-rounds")) }
            @if rounds.is_empty() { p { (texts.text("league-no-tables")) } }
            @for (round, tables) in rounds.iter().rev() {
                @let counted = tables.iter().filter(|table| table.state == TableState::Counted).count();
                h3 {
                    (round.map_or_else(|| texts.text("league-other-tables").to_owned(), |round| texts.round(u32::from(round))))
                    " " span class="faint" { (texts.counted_of(counted, tables.len())) }
                }
                @let byes: Vec<_> = byes(tables).collect();
                @if !byes.is_empty() {
                    p class="hint" {
                        (texts.text("league-byes"))
                        @for (place, member) in byes.iter().enumerate() {
                            @if place > 0 { "," }
                            " " (named(member))
                        }
                    }
                }
                ul class="sittings" { @for table in tables { (sitting(texts, shown, season, table)) } }
            }
        }
    }
}

/// The members who sit out the round of some tables.
pub fn byes<'a>(tables: &[&'a LeagueTableBody]) -> impl Iterator<Item = &'a MemberBody> {
    let valid = tables
        .iter()
        .filter(|table| table.state != TableState::Void);
    valid.flat_map(|table| &table.byes)
}

/// A table with its players, its state and its result.
pub fn sitting(
    texts: Texts,
    shown: &LeagueOverview,
    season: &SeasonOverview,
    table: &LeagueTableBody,
) -> Markup {
    let name = texts.league_table(table.table);
    let board = (table.board.as_deref())
        .map_or_else(|| titled(&table.edition), |board| texts.short_board(board));
    let names = table.seats.iter().flat_map(|seat| &seat.nations);
    let nations = Nations::called(texts, &names.map(String::as_str).collect::<Vec<_>>());
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
                @if !plain { " " span class=(class) { (texts.table_state(table.state)) } }
                @if table.game.is_none() { " " span class="tag" { (texts.text("league-real")) } }
                @if table.adjudicated { " " span class="tag" { (texts.text("league-decided")) } }
            }
            ul class="sits" { @for seat in &table.seats { (sits(texts, seat, &nations)) } }
            @if table.state == TableState::Playing { (due(texts, table)) }
            @if let Some(note) = &table.note { p class="note" { (note) } }
            p class="hint" {
                @if let Some(at) = table.ended_at {
                    (time(texts, table.played_at.unwrap_or(at))) " · "
                    a href=(then(at)) aria-label=(texts.standings_after(table.table)) { (texts.text("league-then")) } " · "
                }
                a href={ "/leagues/" (shown.league.summary.id) "/tables/" (table.table) } aria-label={ (texts.text("table-more")) ": " (name) } { (texts.text("table-more")) }
            }
        }
    }
}

/// The deadline of a table that is being played, and when the time of a player runs out.
fn due(texts: Texts, table: &LeagueTableBody) -> Markup {
    let is_late = table.deadline.is_some_and(|at| at < jiff::Timestamp::now());
    html! {
        @if let Some(at) = table.deadline {
            p class="due" {
                (texts.text("league-deadline")) " " (time(texts, at))
                @if table.deadline_moves > 0 { " " span class="tag" { (texts.text("league-moved")) } }
                @if is_late { " " span class="tag late" { (texts.text("league-late")) } }
            }
        }
        @if let Some(at) = table.due_at { p class="due" { (texts.text("league-turn")) " " (time(texts, at)) } }
    }
}

fn sits(texts: Texts, seat: &LeagueSeatBody, nations: &Nations) -> Markup {
    html! {
        li class=[(seat.rank == Some(1)).then_some("winner")] {
            span class="who" {
                @for (place, member) in seat.members.iter().enumerate() {
                    @if place > 0 { " → " }
                    (named(member))
                }
            }
            span class="nations" {
                @for name in &seat.nations { (nations.named(name)) " " }
                @if let Some(price) = seat.price {
                    span class="faint" { (texts.format("seat-price", [("points", texts.decimal(price, 1).into())])) }
                }
            }
            @if let Some(rank) = seat.rank { span class="rank" { (texts.place(rank)) } }
            @if let Some(points) = seat.points {
                span class="score" { (texts.amount(points)) span class="visually-hidden" { " " (texts.text("points")) } }
            }
        }
    }
}
