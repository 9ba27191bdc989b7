//! Pairing a round: a preview, in which seats can be exchanged, and the creation of its tables.
//!
//! The preview is not stored. Its form contains every seat as table, place of the member in the league's list, and
//! nation. Members are only added to that list, so a place always means the same member.

use std::collections::BTreeMap;

use actix_web::{HttpResponse, get, post};
use engine::setup::TimeoutThen;
use jiff::Timestamp;
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::games::handlers::known::check_content;
use crate::http::limits::gate::charge_as;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::request::query::Query;
use crate::leagues::event::{LeagueRole, MemberGroup, SeasonFormat};
use crate::leagues::league::TableState;
use crate::leagues::model::{
    CreatedTables, LeagueBody, LeagueTableBody, NewDeadline, NewPairing, NewTables, PairingBody,
    SeasonBody,
};
use crate::site::leagues::links::named;
use crate::site::leagues::organize::page::{
    DoneQuery, Fields, OrganizerPage, act, choice, read, refused,
};
use crate::site::lobby::parts::{consequence, duration};
use crate::site::texts::Texts;

/// The most tables of a season that the page reads.
const MOST_TABLES: usize = 5_000;

/// The offered time limits: seconds for a turn, and for the whole game beyond that.
const PACES: [(u32, u32); 3] = [(86_400, 259_200), (259_200, 604_800), (604_800, 1_209_600)];

/// The choices of a round. They are kept while seats are exchanged.
const KEPT: [&str; 13] = [
    "round", "division", "board", "size", "smallest", "nations", "bidding", "seed", "pace", "then",
    "deadline", "rated", "seq",
];

/// A round before its tables are created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RoundDraft {
    /// The seats of each table: the place of a member in the league's list, and the nation.
    tables: BTreeMap<u32, Vec<(usize, String)>>,
    /// The places of the members who sit out.
    byes: Vec<usize>,
}

impl RoundDraft {
    /// Reads the seats of a form. Table 0 contains the members who sit out.
    fn of(fields: &Fields) -> RoundDraft {
        let mut draft = RoundDraft::default();
        for seat in fields.all("seat") {
            let mut parts = seat.splitn(3, '.');
            let number = |part: Option<&str>| part.and_then(|part| part.parse::<u32>().ok());
            let (Some(table), Some(member)) = (number(parts.next()), number(parts.next())) else {
                continue;
            };
            let nation = parts.next().unwrap_or_default().to_owned();
            match table {
                0 => draft.byes.push(member as usize),
                table => draft
                    .tables
                    .entry(table)
                    .or_default()
                    .push((member as usize, nation)),
            }
        }
        draft
    }

    fn paired(league: &LeagueBody, pairing: &PairingBody) -> RoundDraft {
        let place = |id: &String| league.members.iter().position(|member| member.id == *id);
        let Some(round) = pairing.rounds.first() else {
            return RoundDraft::default();
        };
        let seats = |table: &crate::leagues::model::PairedTable| {
            let seats = table.seats.iter().filter_map(|seat| {
                let nation = seat.nations.first().cloned().unwrap_or_default();
                Some((place(&seat.member)?, nation))
            });
            seats.collect()
        };
        RoundDraft {
            tables: (1..).zip(round.tables.iter().map(seats)).collect(),
            byes: round.byes.iter().filter_map(place).collect(),
        }
    }

    /// Exchanges two members. Each receives the table, the place and the nation of the other.
    fn swap(&mut self, one: usize, other: usize) {
        let seats = self.tables.values_mut().flatten().map(|(member, _)| member);
        for member in seats.chain(&mut self.byes) {
            if *member == one {
                *member = other;
            } else if *member == other {
                *member = one;
            }
        }
    }
}

/// The boards as options: edition and board.
fn boards(page: &OrganizerPage, chosen: &str) -> Markup {
    let texts = page.texts();
    html! {
        @for board in page.leagues.games.library().boards() {
            @let data = &board.data;
            option value=(data.id) selected[data.id == chosen] { (texts.board(&data.id, &data.name)) }
        }
    }
}

/// Returns the edition of a board.
pub fn edition_of(page: &OrganizerPage, board: &str) -> Option<String> {
    let mut boards = page.leagues.games.library().boards();
    let found = boards.find(|known| known.data.id == board);
    found.map(|board| board.data.edition.clone())
}

/// Returns the nations of a full table, in the order of the board.
fn nations_of(page: &OrganizerPage, board: &str, size: u8) -> Vec<String> {
    let mut boards = page.leagues.games.library().boards();
    let found = boards.find(|known| known.data.id == board);
    let starts = found.and_then(|board| board.data.starts.get(&size).cloned());
    starts.map_or_else(Vec::new, |starts| starts.keys().cloned().collect())
}

/// The round that follows the tables of a season, and the division that plays it next, if there are divisions.
fn next_round(tables: &[LeagueTableBody], season: &SeasonBody) -> (u16, Option<usize>) {
    let tables = tables
        .iter()
        .filter(|table| table.season == season.season && table.state != TableState::Void);
    let last = tables.clone().filter_map(|table| table.round).max();
    if season.divisions.is_empty() {
        return (last.unwrap_or(0) + 1, None);
    }
    let plays = |division: &MemberGroup| {
        let mut seats = tables.clone().filter(|table| table.round == last);
        seats.any(|table| {
            let mut members = table.seats.iter().flat_map(|seat| &seat.members);
            members.any(|member| division.members.contains(&member.id))
        })
    };
    match season
        .divisions
        .iter()
        .position(|division| !plays(division))
    {
        Some(next) => (last.unwrap_or(1), Some(next + 1)),
        None => (last.unwrap_or(0) + 1, Some(1)),
    }
}

fn settings(
    page: &OrganizerPage,
    fields: &Fields,
    (season, tables): (&SeasonBody, &[LeagueTableBody]),
) -> Markup {
    let (round, division) = next_round(tables, season);
    let size = match season.format {
        SeasonFormat::Spread | SeasonFormat::Swiss { .. } => 4_u8,
        _ => 2,
    };
    let chosen = fields
        .number::<usize>("division")
        .unwrap_or_default()
        .or(division);
    let texts = page.texts();
    let sizes: Vec<(String, String)> = (2..=6_u8)
        .map(|size| {
            (
                size.to_string(),
                texts.format("round-seats", [("count", size.into())]),
            )
        })
        .collect();
    let sizes: Vec<(&str, &str)> = sizes
        .iter()
        .map(|(value, text)| (&**value, &**text))
        .collect();
    let nations = [
        ("drawn", texts.text("round-nations-drawn")),
        ("balanced", texts.text("round-nations-balanced")),
    ];
    let bids = [
        ("", texts.text("round-bid-none")),
        ("sealed", texts.text("bid-sealed")),
        ("open", texts.text("bid-open")),
    ];
    let size = fields
        .given("size")
        .map_or_else(|| size.to_string(), str::to_owned);
    html! {
        label { (texts.text("round-number")) input name="round" type="number" min="1" max="200" required
            value=(fields.given("round").map_or_else(|| round.to_string(), str::to_owned)); }
        @if !season.divisions.is_empty() {
            label { (texts.text("round-division"))
                select name="division" {
                    @for (number, division) in (1..).zip(&season.divisions) {
                        option value=(number) selected[Some(number) == chosen] { (division.name) }
                    }
                }
            }
        }
        label { (texts.text("play-board")) select name="board" { (boards(page, fields.get("board"))) } }
        (choice("size", texts.text("round-size"), &sizes, &size))
        label { (texts.text("round-smallest")) input name="smallest" type="number" min="2" max="6" value=(fields.get("smallest")); }
        (choice("nations", texts.text("round-nations"), &nations, fields.get("nations")))
        @if season.format.counts_points() {
            (choice("bidding", texts.text("round-bidding"), &bids, fields.get("bidding")))
        }
        label { (texts.text("new-pace"))
            select name="pace" {
                option value="" { (texts.text("pace-none")) }
                @for (turn, reserve) in PACES {
                    @let value = format!("{turn} {reserve}");
                    option value=(value) selected[value == fields.get("pace")] {
                        (texts.format("pace-with-reserve", [
                            ("turn", duration(texts, turn).into()), ("reserve", duration(texts, reserve).into())]))
                    }
                }
            }
        }
        label { (texts.text("new-then"))
            select name="then" {
                @for then in [TimeoutThen::Bot, TimeoutThen::Resign, TimeoutThen::Wait] {
                    option value=(then.name()) selected[then.name() == fields.get("then")] { (consequence(texts, then)) }
                }
            }
        }
        label { (texts.text("round-deadline")) input name="deadline" type="date" value=(fields.get("deadline")); }
        label class="tick" { input type="checkbox" name="rated" value="yes" checked[fields.given("rated").is_some()]; " " (texts.text("round-rated")) }
    }
}

/// The preview of a round: each seat can be marked, and two marked seats are exchanged.
fn preview(
    page: &OrganizerPage,
    league: &LeagueBody,
    fields: &Fields,
    draft: &RoundDraft,
) -> Markup {
    let texts = page.texts();
    let seat = |table: u32, member: usize, nation: &str| {
        let name = league.members.get(member).map_or("", |member| &member.name);
        html! {
            li {
                input type="hidden" name="seat" value={ (table) "." (member) "." (nation) };
                label class="tick" { input type="checkbox" name="swap" value=(member); " " (name) }
                @if !nation.is_empty() { " " span class="faint" { (texts.nation(nation)) } }
            }
        }
    };
    html! {
        section class="panel" aria-labelledby="preview" {
            h2 id="preview" { (texts.text("round-preview")) }
            p class="hint" { (texts.text("round-preview-hint")) }
            form method="post" {
                @for name in KEPT { @if let Some(value) = fields.given(name) { input type="hidden" name=(name) value=(value); } }
                ol class="sittings" {
                    @for (number, seats) in &draft.tables {
                        li class="entry" {
                            b { (texts.league_table(*number)) }
                            ol class="draft" { @for (member, nation) in seats { (seat(*number, *member, nation)) } }
                        }
                    }
                    @if !draft.byes.is_empty() {
                        li class="entry" {
                            b { (texts.text("league-byes")) }
                            ol class="draft" { @for member in &draft.byes { (seat(0, *member, "")) } }
                        }
                    }
                }
                p class="actions" {
                    (act("swap", texts.text("round-swap")))
                    (act("again", texts.text("round-again")))
                    button class="first" name="action" value="create" { (texts.text("round-create")) }
                }
            }
        }
    }
}

/// How good a pairing is, in one sentence.
fn quality(texts: Texts, pairing: &PairingBody) -> Markup {
    let figures = &pairing.figures;
    html! {
        p class="hint" {
            (texts.format("round-quality", [
                ("repeated", figures.repeated.into()), ("unavoidable", figures.unavoidable.into())]))
        }
    }
}

/// The tables without a result, and the form that moves their deadline.
fn running(texts: Texts, league: &LeagueBody, tables: &[LeagueTableBody]) -> Markup {
    let playing = tables
        .iter()
        .filter(|table| table.state == TableState::Playing);
    let playing: Vec<&LeagueTableBody> = playing.collect();
    let rounds: std::collections::BTreeSet<u16> =
        playing.iter().filter_map(|table| table.round).collect();
    html! {
        @if !playing.is_empty() {
            section class="panel" aria-labelledby="running" {
                h2 id="running" { (texts.text("round-running")) }
                ul class="rows" {
                    @for table in &playing {
                        li {
                            a href={ "/leagues/" (league.summary.id) "/tables/" (table.table) } { (texts.league_table(table.table)) }
                            span class="faint" {
                                @for (place, seat) in table.seats.iter().enumerate() {
                                    @if place > 0 { ", " }
                                    @if let Some(member) = seat.members.last() { (named(member)) }
                                }
                            }
                        }
                    }
                }
                @if let Some(last) = rounds.last() {
                    form method="post" class="fields" {
                        label { (texts.text("round-number")) input name="of_round" type="number" min="1" max="200" required value=(last); }
                        label { (texts.text("round-deadline")) input name="until" type="date" required; }
                        label { (texts.text("table-reason")) input name="note" required maxlength="1000"; }
                        (act("deadline", texts.text("round-deadline-move")))
                    }
                }
            }
        }
    }
}

/// The tokens of seats without an account, which are shown once.
fn tokens(texts: Texts, league: &LeagueBody, created: &CreatedTables) -> Markup {
    let name = |id: &str| {
        let mut members = league.members.iter();
        members
            .find(|member| member.id == id)
            .map_or("", |member| &member.name)
    };
    html! {
        p class="good" role="status" { (texts.format("round-created", [("count", created.tables.len().into())])) }
        @if !created.tokens.is_empty() {
            section class="panel" aria-labelledby="tokens" {
                h2 id="tokens" { (texts.text("round-tokens")) }
                p { (texts.text("round-tokens-once")) }
                ul class="rows" {
                    @for one in &created.tokens {
                        li { span { (name(&one.member)) " · " (texts.league_table(one.table)) } code { (one.token) } }
                    }
                }
            }
        }
    }
}

struct RoundContent<'a> {
    fields: &'a Fields,
    done: &'a str,
    /// What is shown on top: a preview, or new tables.
    top: Markup,
    problem: Option<&'a Problem>,
}

async fn shown(page: &OrganizerPage, shown: RoundContent<'_>) -> Result<HttpResponse, Problem> {
    let texts = page.texts();
    let league = page.organized(LeagueRole::Organizer).await?;
    let Some(season) = league.seasons.last() else {
        return Ok(page.to("/organize/season"));
    };
    let number = season.season;
    let tables = page
        .run(move |leagues, id, call| leagues.tables(id, call, Some(number), None, MOST_TABLES));
    let tables = tables.await?.0.items;
    let main = html! {
        (shown.top)
        @if season.closed { p class="notice" { (texts.text("season-closed")) } }
        section class="panel" aria-labelledby="pair" {
            h2 id="pair" { (texts.season(season.season, &season.name)) }
            p class="hint" { (texts.season_format(season.format)) }
            form method="post" class="fields" {
                (settings(page, shown.fields, (season, &tables)))
                (act("preview", texts.text("round-pair")))
            }
        }
        (running(texts, &league, &tables))
    };
    let title = (texts.text("organize-round"), shown.done);
    Ok(page.organizer_page(&league, "/organize/round", title, &main, shown.problem))
}

/// The page to pair a round.
#[get("/leagues/{league}/organize/round")]
pub async fn round_page(
    page: OrganizerPage,
    Query(query): Query<DoneQuery>,
) -> Result<HttpResponse, Problem> {
    let content = RoundContent {
        fields: &Fields::default(),
        done: &query.done,
        top: html! {},
        problem: None,
    };
    shown(&page, content).await
}

/// The end of a day that a form sends, as a time.
pub fn end_of_day(day: Option<&str>) -> Option<String> {
    day.map(|day| format!("{day}T23:59:59Z"))
}

async fn pair(
    page: &OrganizerPage,
    league: &LeagueBody,
    fields: &Fields,
) -> Result<PairingBody, Problem> {
    let size: u8 = fields.number("size")?.unwrap_or(4);
    let nations = match fields.get("nations") == "balanced" && size > 2 {
        true => nations_of(page, fields.get("board"), size),
        false => Vec::new(),
    };
    let seed = fields
        .given("seed")
        .map_or_else(|| league.hash.clone(), str::to_owned);
    let mut value = json!({"seed": seed, "rounds": 1, "size": size, "nations": nations});
    if let Some(smallest) = fields.number::<u8>("smallest")? {
        value["smallest"] = json!(smallest);
    }
    if let Some(division) = fields.number::<u16>("division")? {
        value["division"] = json!(division);
    }
    let new: NewPairing = read(value)?;
    page.run(move |leagues, id, call| leagues.pair(id, call, &new))
        .await
}

fn new_tables(
    page: &OrganizerPage,
    league: &LeagueBody,
    fields: &Fields,
) -> Result<NewTables, Problem> {
    let draft = RoundDraft::of(fields);
    let id = |place: usize| {
        let unknown = || Problem::invalid("seat", "there is no such member: pair the round again");
        league
            .members
            .get(place)
            .map(|member| member.id.clone())
            .ok_or_else(unknown)
    };
    let mut tables = Vec::with_capacity(draft.tables.len());
    for seats in draft.tables.values() {
        let mut table = Vec::with_capacity(seats.len());
        for (place, nation) in seats {
            let nations: Vec<&String> = Some(nation)
                .filter(|name| !name.is_empty())
                .into_iter()
                .collect();
            table.push(json!({"member": id(*place)?, "nations": nations}));
        }
        tables.push(json!({"seats": table}));
    }
    let byes: Result<Vec<String>, Problem> = draft.byes.iter().map(|place| id(*place)).collect();
    let pace = fields.given("pace").and_then(|pace| pace.split_once(' '));
    let pace = pace.map(|(turn, reserve)| {
        json!({"turn_seconds": turn.parse::<u32>().ok(), "reserve_seconds": reserve.parse::<u32>().ok(),
            "timeouts": 1, "then": fields.given("then").unwrap_or("bot")})
    });
    let bidding = fields.given("bidding").map(|kind| json!({"kind": kind}));
    let board = fields.get("board");
    let edition = edition_of(page, board);
    check_content(
        page.leagues.games.library(),
        edition.as_deref(),
        Some(board),
    )?;
    let value: Value = json!({"round": fields.number::<u16>("round")?, "edition": edition.unwrap_or_default(),
        "board": board, "rated": fields.given("rated").is_some(), "pace": pace, "bidding": bidding, "byes": byes?,
        "deadline": end_of_day(fields.given("deadline")), "tables": tables});
    read(value)
}

/// Proposes a round, exchanges seats, creates the tables, or moves a deadline.
#[post("/leagues/{league}/organize/round")]
pub async fn post_round(
    mut page: OrganizerPage,
    mut fields: Fields,
) -> Result<HttpResponse, Problem> {
    let league = page.organized(LeagueRole::Organizer).await?;
    let texts = page.texts();
    if fields.get("action") == "deadline" {
        let moved = async {
            let new: NewDeadline = read(json!({"round": fields.number::<u16>("of_round")?,
                "deadline": end_of_day(fields.given("until")), "note": fields.get("note")}))?;
            page.run(move |leagues, id, call| leagues.move_deadline(id, call, &new))
                .await
        };
        return match refused(moved.await)? {
            Ok(_) => Ok(page.to("/organize/round?done=deadline")),
            Err(problem) => {
                let fields = &Fields::default();
                let top = html! {};
                shown(
                    &page,
                    RoundContent {
                        fields,
                        done: "",
                        top,
                        problem: Some(&problem),
                    },
                )
                .await
            }
        };
    }
    let outcome = async {
        match fields.get("action") {
            "swap" => {
                let mut draft = RoundDraft::of(&fields);
                let marked: Result<Vec<usize>, _> = fields.all("swap").map(str::parse).collect();
                let Ok(&[one, other]) = marked.as_deref() else {
                    let top = preview(&page, &league, &fields, &draft);
                    return Err((top, Problem::invalid("swap", texts.text("round-swap-two"))));
                };
                draft.swap(one, other);
                Ok(preview(&page, &league, &fields, &draft))
            }
            "create" => {
                page.only_as_seen(&fields);
                let keep = || preview(&page, &league, &fields, &RoundDraft::of(&fields));
                let created = async {
                    let new = new_tables(&page, &league, &fields)?;
                    charge_as(&page.request, Policy::Games, new.tables.len())?;
                    page.run(move |leagues, id, call| leagues.create_tables(id, call, &new))
                        .await
                };
                match created.await {
                    Ok(created) => {
                        // The form proposes the next round.
                        let of_round = ["round", "division", "seed", "seq"];
                        fields.0.retain(|(name, _)| !of_round.contains(&&**name));
                        Ok(tokens(texts, &league, &created))
                    }
                    // The league has changed since the preview, so the round is paired again.
                    Err(problem) if problem.code == Code::StaleView => Err((html! {}, problem)),
                    Err(problem) => Err((keep(), problem)),
                }
            }
            _ => {
                if fields.get("action") == "again" {
                    let seed = format!("{} {}", league.hash, Timestamp::now());
                    fields.0.retain(|(name, _)| name != "seed");
                    fields.0.push(("seed".to_owned(), seed));
                }
                let pairing = pair(&page, &league, &fields).await;
                let pairing = pairing.map_err(|problem| (html! {}, problem))?;
                fields.0.retain(|(name, _)| name != "seq");
                fields.0.push(("seq".to_owned(), pairing.seq.to_string()));
                // A bracket gives the round: the next games of its matches, or the next matches.
                if let Some(round) = pairing.rounds.first().and_then(|round| round.round) {
                    fields.0.retain(|(name, _)| name != "round");
                    fields.0.push(("round".to_owned(), round.to_string()));
                }
                let draft = RoundDraft::paired(&league, &pairing);
                Ok(html! { (preview(&page, &league, &fields, &draft)) (quality(texts, &pairing)) })
            }
        }
    };
    let outcome = outcome.await;
    let (top, problem) = match outcome {
        Ok(top) => (top, None),
        Err((top, problem)) => (top, Some(problem)),
    };
    let content = RoundContent {
        fields: &fields,
        done: "",
        top,
        problem: problem.as_ref(),
    };
    shown(&page, content).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_members_exchange_their_seats() {
        let seats = ["1.4.greeks", "1.0.romans", "2.7.", "2.2.", "0.9.", "odd"];
        let fields = seats.map(|seat| ("seat".to_owned(), seat.to_owned()));
        let mut draft = RoundDraft::of(&Fields(fields.to_vec()));
        draft.swap(0, 7);
        draft.swap(9, 4);
        let seat = |member, nation: &str| (member, nation.to_owned());
        assert_eq!(draft.tables[&1], [seat(9, "greeks"), seat(7, "romans")]);
        assert_eq!(draft.tables[&2], [seat(0, ""), seat(2, "")]);
        assert_eq!(draft.byes, [4]);
    }
}
