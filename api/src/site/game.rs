//! A game: the board at any moment, its turns, its points, who is waited for and how it ended.

use actix_web::http::header::{CONTENT_DISPOSITION, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, get, web};
use charts::{titled, words};
use engine::content::Library;
use engine::forms::{RankBody, ResultBody};
use engine::setup::{Player, PlayerKind};
use engine::words::Personage;
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use crate::annotations;
use crate::annotations::model::GameAnnotations;
use crate::chat::service::may_send;
use crate::games::Games;
use crate::games::bodies::{EventBody, GameBody, GameSummary, SeatBody};
use crate::games::handlers::path::GameId;
use crate::games::model::{Status, Visibility};
use crate::games::records::GameRecords;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{blocking, text};
use crate::http::request::base;
use crate::http::request::caller::identity;
use crate::http::request::query::Query;
use crate::leagues::overview::TableReference;
use crate::services::Services;
use crate::site::analysis::{analysis, hint};
use crate::site::badge::Nations;
use crate::site::chat::{ChatRights, chat};
use crate::site::choice::Visit;
use crate::site::events::EventTexts;
use crate::site::frame::{Frame, page, time};
use crate::site::log::turns;
use crate::site::notes::notes;
use crate::site::orders::orders;
use crate::site::play::panel;
use crate::site::preview::Preview;
use crate::site::regions::{MomentQuery, regions};
use crate::site::snippet::{Embedded, snippet};
use crate::site::strip::strip;
use crate::site::texts::Texts;

/// The most events that a page lists; of a longer game the last ones.
const MOST_EVENTS: u64 = 4_000;

/// Events that are read at a time.
const PART: usize = 1_000;

/// What the page of the reader shows already.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownQuery {
    /// The number of the last event on it. All turns are listed if it is omitted, as after an undo.
    after: Option<u64>,
}

/// The contents of the page of a game.
pub(super) struct GameContent {
    pub(super) body: GameBody,
    /// The events after the known one.
    events: Vec<EventBody>,
    /// All events for the strip, if they are not too many.
    whole: Option<Vec<EventBody>>,
    worth: [u8; Personage::COUNT],
    /// The result of the verification of a finished game.
    verified: Option<Result<(), String>>,
    signed: bool,
    /// The table of a league to which it belongs.
    table_of: Option<TableReference>,
    annotated: Vec<GameAnnotations>,
}

impl GameContent {
    fn worth(&self) -> impl Fn(Personage) -> u32 {
        let worth = self.worth;
        move |personage| u32::from(worth[personage.index()])
    }

    /// The turn in which the game went on after an event.
    fn turn_after(&self, seq: u64) -> u32 {
        let events = self.whole.as_ref().unwrap_or(&self.events);
        let next = events.iter().find(|event| event.seq > seq);
        next.map_or(self.body.state.turn, |next| next.turn)
    }

    /// The round after an event.
    pub(super) fn round_at(&self, seq: u64) -> u32 {
        let moment = self.events.iter().find(|event| event.seq == seq);
        moment.map_or(self.body.state.round, |event| event.round)
    }

    /// The events after a number, as turns.
    fn turns(&self, after: Option<u64>, event_texts: EventTexts<'_>, nations: &Nations) -> Markup {
        let events = self.whole.as_ref().unwrap_or(&self.events);
        let state = &self.body.state;
        turns(
            events,
            after,
            (state.turn, &state.to_move),
            event_texts,
            nations,
        )
    }
}

/// The events after a number, up to the last.
pub(super) fn events(
    games: &Games,
    id: Uuid,
    mut after: Option<u64>,
) -> Result<Vec<EventBody>, ServiceError> {
    let mut events = Vec::new();
    let mut reading = None;
    loop {
        let part = games.read_events(id, after, PART, reading)?;
        let last = part.events.last().map(|event| event.seq);
        events.extend(part.events);
        if !part.more || last.is_none() {
            return Ok(events);
        }
        (after, reading) = (last, Some(part.reading));
    }
}

/// Reads a game with its events after the number `after`.
pub(super) fn read(
    services: &Services,
    id: Uuid,
    after: Option<u64>,
) -> Result<GameContent, ServiceError> {
    let games = &services.games;
    let body = games.table(id)?.body()?;
    let last = body.summary.seq;
    let from = after.or(last.checked_sub(MOST_EVENTS));
    let mut events = events(games, id, from)?;
    // Others may have come since the game was read.
    events.retain(|event| event.seq <= last);
    let whole = match from {
        None => Some(events.clone()),
        Some(_) if last < MOST_EVENTS => Some(crate::site::game::events(games, id, None)?),
        Some(_) => None,
    };
    let worth = games.show_position(id, 0, |game, _| game.rules.points)?;
    let (verified, signed) = match body.summary.status {
        Status::Finished => {
            let record = games.records.proven_record(id, true)?;
            let verified = record.verify(games.library());
            (
                Some(verified.map(|_| ()).map_err(|error| error.to_string())),
                record.signature.is_some(),
            )
        }
        _ => (None, false),
    };
    let league = body.summary.league.as_deref();
    Ok(GameContent {
        table_of: services.leagues.table_of(id, league, &Call::default())?,
        body,
        events,
        whole,
        worth,
        verified,
        signed,
        annotated: annotations::service::list(games, id)?.items,
    })
}

/// A game.
#[get("/games/{game}")]
pub async fn game_page(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<MomentQuery>,
    visit: Visit,
    services: web::Data<Services>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    charge(&request, Policy::Expensive)?;
    let call = identity(&request);
    let read = move |services: &Services| {
        let shown = read(services, id, None)?;
        let rights = chat_rights(&services.games, &call, id)?;
        let last = shown.body.summary.seq;
        let at = query.at.map_or(last, |at| at.min(last));
        let regions = regions(&services.games, texts, id, at)?;
        Ok((shown, regions, rights))
    };
    let (shown, regions, rights) = blocking(&services, read).await?;
    let last = shown.body.summary.seq;
    let at = query.at.unwrap_or(last);
    if at > last {
        let detail = format!("there is no event {at}; the last is {last}");
        return Err(Problem::new(Code::NotFound, detail));
    }
    let event_texts = EventTexts::of(texts, &services.library, &shown.body.summary);
    let title = title(texts, &services.games, &shown.body.summary);
    let base = base(&request);
    let main = whole_page(
        &shown,
        &services.library,
        (&title, &base, &regions),
        at,
        event_texts,
        rights,
    );
    let over = matches!(
        shown.body.summary.status,
        Status::Finished | Status::Abandoned
    );
    let frame = Frame {
        title: &title,
        part: "/games",
        scripts: if over {
            &["game.js", "analysis.js", "rematch.js", "chat.js"]
        } else {
            &[
                "game.js",
                "analysis.js",
                "orders.js",
                "play.js",
                "rematch.js",
                "chat.js",
            ]
        },
        class: "game",
    };
    let game = &shown.body.summary;
    let preview = Preview::new(texts, &about(&shown, &Nations::of(texts, game)))
        .with_audience(game.visibility.into())
        .with_game(game.id, at, &title)
        .with_frame();
    let page_of_game = frame.previewed(&visit, &preview, &main);
    Ok(page(&request, texts, page_of_game))
}

fn chat_rights(games: &Games, call: &Call, id: Uuid) -> Result<ChatRights, ServiceError> {
    let table = games.table(id)?;
    Ok(ChatRights {
        writes: may_send(games, call, &table),
        organizes: games.access.check_organizer(call, &table).is_ok(),
    })
}

/// A game in one line: players, round and turn, and winners.
fn about(shown: &GameContent, nations: &Nations) -> String {
    let texts = nations.texts();
    let game = &shown.body.summary;
    let seats = game.seats.iter().map(|seat| {
        let nations: Vec<String> = seat.nations.iter().map(|name| texts.nation(name)).collect();
        let name = player(texts, &seat.player);
        match nations.is_empty() {
            true => name,
            false => format!("{}: {name}", texts.listed(&nations)),
        }
    });
    let mut parts = vec![texts.status(game.status).to_owned()];
    if shown.body.state.round > 0 {
        parts.push(texts.round_and_turn(shown.body.state.round, shown.body.state.turn));
    }
    parts.extend(game.result.as_ref().map(|result| {
        let winners = result.ranks.iter().filter(|rank| rank.rank == 1);
        let winners: Vec<String> = winners
            .map(|rank| {
                let names = rank.nations.iter().map(|name| texts.nation(name));
                texts.listed(&names.collect::<Vec<_>>())
            })
            .collect();
        texts.won(&winners)
    }));
    parts.extend(seats);
    parts.join(" · ")
}

/// The changed parts of a game's page, by their ids, and the turns to append or replace.
#[get("/games/{game}/live")]
pub async fn live_parts(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<KnownQuery>,
    visit: Visit,
    services: web::Data<Services>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    charge(&request, Policy::Expensive)?;
    let shown = blocking(&services, move |services| read(services, id, query.after)).await?;
    let event_texts = EventTexts::of(texts, &services.library, &shown.body.summary);
    let nations = Nations::of(texts, &shown.body.summary);
    Ok(page(
        &request,
        texts,
        html! {
            (status_part(&shown, &nations))
            (result_part(&shown, &nations))
            (seats_part(&shown, &nations))
            (strip_part(&shown, &nations))
            (hint(texts, &shown.body.summary))
            ol id="turns" { (shown.turns(query.after, event_texts, &nations)) }
        },
    ))
}

/// A record in notation, for download: a link cannot send an `Accept` header.
#[get("/games/{game}/record.txt")]
pub async fn record_text(
    request: HttpRequest,
    GameId(id): GameId,
    records: web::Data<GameRecords>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let (record, _) = blocking(&records, move |records| {
        records.check_texts_shown(id)?;
        records.record_text(id)
    })
    .await?;
    let mut answer = text(&request, "text/plain; charset=utf-8", record);
    let name = format!("attachment; filename=\"{id}.txt\"");
    if let Ok(name) = HeaderValue::from_str(&name) {
        answer.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    Ok(answer)
}

/// The edition and the board of a game in words.
pub fn title(texts: Texts, games: &Games, game: &GameSummary) -> String {
    let board = games.library().board_version(&game.board, &game.board_hash);
    let board = match board {
        Some(board) => texts.board(&game.board, &board.data.name),
        None => words(&game.board),
    };
    texts.game_title(&titled(&game.edition), &board)
}

/// The player of a seat, as text.
pub fn player(texts: Texts, player: &Player) -> String {
    match player {
        Player::Bot { name } => name.clone(),
        Player::Person {
            name: Some(name), ..
        } => name.clone(),
        Player::Person { id, .. } => match player.kind() {
            PlayerKind::Guest => texts.text("guest").to_owned(),
            _ => id.clone(),
        },
        Player::Open => texts.text("open-seat").to_owned(),
    }
}

/// The player of a seat; an account is a link to its page.
pub fn player_shown(texts: Texts, seat: &SeatBody) -> Markup {
    let name = player(texts, &seat.player);
    html! {
        @match &seat.player {
            Player::Person { id, .. } if seat.player.kind() == PlayerKind::Account => a href={ "/players/" (id) } { (name) },
            Player::Bot { .. } => { (name) " " span class="tag" { (texts.text("bot")) } }
            _ => (name)
        }
    }
}

/// A picture of a position, light or dark as the reader prefers.
pub fn picture(game: Uuid, seq: u64, about: &str) -> Markup {
    let path = format!("/v1/games/{game}/states/{seq}.svg");
    html! {
        picture {
            source media="(prefers-color-scheme: dark)" srcset={ (path) "?theme=dark" };
            img src=(path) width="1200" height="849" alt=(about);
        }
    }
}

fn whole_page(
    shown: &GameContent,
    library: &Library,
    (title, base, regions): (&str, &str, &Markup),
    at: u64,
    event_texts: EventTexts<'_>,
    rights: ChatRights,
) -> Markup {
    let game = &shown.body.summary;
    let texts = event_texts.texts();
    let nations = Nations::of(texts, game);
    let last = game.seq;
    let moment = shown.events.iter().find(|event| event.seq == at);
    let round = moment.map_or(shown.body.state.round, |event| event.round);
    let mover = moment
        .and_then(|event| event.nation.as_deref())
        .unwrap_or(&shown.body.state.to_move);
    let about = texts.position(at, round, &texts.nation(mover));
    let step = |label: &str, sign: &str, to: Option<u64>, name: &str| {
        html! {
            @match to {
                Some(to) => a class="step" href={ "?at=" (to) } data-step=(name) aria-label=(label) title=(label) { (sign) }
                None => a class="step" data-step=(name) aria-label=(label) title=(label) aria-disabled="true" role="link" { (sign) }
            }
        }
    };
    let zoom = |label: &str, sign: &str, by: &str| {
        html! { button type="button" class="step script" data-zoom=(by) aria-label=(label) title=(label) { (sign) } }
    };
    let live = matches!(game.status, Status::Running | Status::Open);
    html! {
        div id="game" class="stage" data-game=(game.id) data-last=(last) data-at=(at) data-live=[live.then_some("")]
            data-play=(texts.text("game-play")) data-pause=(texts.text("game-pause")) {
            figure class="board" tabindex="0" role="group" aria-label=(texts.text("game-board")) {
                div class="view" { (picture(game.id, at, &about)) }
            }
            div class="steps" role="group" aria-label=(texts.text("game-steps")) {
                (step(texts.text("game-first"), "⏮", Some(0).filter(|_| at > 0), "first"))
                (step(texts.text("game-back"), "◀", at.checked_sub(1), "back"))
                button class="step script" type="button" data-step="play" aria-label=(texts.text("game-play")) title=(texts.text("game-play")) { "⏵" }
                (step(texts.text("game-forward"), "▶", Some(at + 1).filter(|next| *next <= last), "forward"))
                (step(texts.text("game-last"), "⏭", Some(last).filter(|_| at < last), "last"))
                input class="script" id="slider" type="range" min="0" max=(last) value=(at) step="1"
                    aria-label=(texts.text("game-slider"));
                output id="place" { (at) " / " (last) }
                (zoom(texts.text("game-zoom-out"), "−", "0.667"))
                (zoom(texts.text("game-zoom-fit"), "□", "0"))
                (zoom(texts.text("game-zoom-in"), "+", "1.5"))
                @let text = moment.map(|event| event_texts.describe(event));
                p id="moment" aria-live="polite" {
                    @if let (Some(event), Some(text)) = (moment, text) {
                        @if let Some(nation) = &event.nation { b { (texts.nation(nation)) ":" } " " }
                        (text.done)
                        @for follow in &text.follows { "; " (follow) }
                    }
                }
            }
        }
        // A section with a class of its own and a heading is a tab.
        div class="side" data-tabs=(texts.text("game-tabs")) {
            h1 { (title) }
            @if let Some(of) = &shown.table_of {
                p class="of-league" {
                    (texts.table_in(of.table, of.round)) " "
                    a href={ "/leagues/" (of.league) } { (of.name) }
                }
            }
            (status_part(shown, &nations))
            (result_part(shown, &nations))
            (panel(&shown.body, &nations, &orders(library, &shown.body.summary, &nations)))
            section class="tab" id="turns-tab" aria-labelledby="turns-title" {
                h2 id="turns-title" { (texts.text("game-turns")) }
                @if shown.whole.is_none() { p class="hint" { (texts.text("game-earlier")) } }
                div class="turns" tabindex="0" role="group" aria-labelledby="turns-title" {
                    ol id="turns" { (shown.turns(None, event_texts, &nations)) }
                }
            }
            (chat(texts, rights))
            @if game.status == Status::Finished { (notes_part(shown, at, event_texts, &nations)) }
            section class="tab" id="points-tab" aria-labelledby="points" {
                h2 id="points" { (texts.text("game-points")) }
                (seats_part(shown, &nations))
                (strip_part(shown, &nations))
                p class="hint" { (texts.text("game-points-hint")) " " span class="script" { (texts.text("game-keys")) } }
            }
            (analysis(game, &nations))
            section class="tab" id="regions-tab" aria-labelledby="regions-title" {
                h2 id="regions-title" { (texts.text("regions")) }
                (regions)
            }
            (downloads(texts, game, at, (base, title)))
        }
    }
}

/// The annotations of a finished game, with a link to annotate the event that is shown.
fn notes_part(
    shown: &GameContent,
    at: u64,
    event_texts: EventTexts<'_>,
    nations: &Nations,
) -> Markup {
    let texts = nations.texts();
    let id = shown.body.summary.id;
    let address = format!("/games/{id}/annotations?at=");
    html! {
        section class="tab" id="notes-tab" aria-labelledby="notes-title" {
            h2 id="notes-title" { (texts.text("notes-title")) }
            p { a class="button" data-branch=(address) href={ (address) (at) } { (texts.text("notes-write")) } }
            @match &shown.whole {
                Some(events) => { (notes(&shown.annotated, events, id, event_texts, nations)) }
                None => { p { a href={ "/games/" (id) "/annotations" } { (texts.text("notes-all")) } } }
            }
        }
    }
}

pub(super) fn status_part(shown: &GameContent, nations: &Nations) -> Markup {
    let texts = nations.texts();
    let body = &shown.body;
    let game = &body.summary;
    let seat = |number: u8| game.seats.iter().find(|seat| seat.seat == number);
    let name =
        |number: u8| seat(number).map_or_else(String::new, |seat| player(texts, &seat.player));
    html! {
        div id="status" class="status-line" {
            span class={ "state " (game.status.name()) } { (texts.status(game.status)) }
            @if body.state.round > 0 { " " span { (texts.round_and_turn(body.state.round, body.state.turn)) } }
            @for question in game.pending.iter().filter(|_| game.status == Status::Running) {
                " " span class="waits" {
                    (nations.sign(&question.nation)) " "
                    span class="for" { (texts.waiting_for(&texts.nation(&question.nation), &name(question.seat), &question.asked)) } " "
                    "· " (time(texts, game.updated_at))
                    @if let Some(due) = game.due_at { " · " (texts.text("game-due")) " " (due_time(texts, due)) }
                }
            }
            @if game.status == Status::Open {
                " " span class="waits" { span class="for" { (texts.text("game-waits-open")) } }
                " " a href={ "/games/" (game.id) "/lobby" } { (texts.text("table-link")) }
            }
            @if let Some(wish) = &body.undo_request {
                @let missing: Vec<String> = wish.missing.iter().map(|seat| name(*seat)).collect();
                " " span class="wish" data-to=(wish.to) { (texts.undo_request(&name(wish.by), shown.turn_after(wish.to), &missing)) }
            }
            @if let Some(result) = &game.result { " " b { (won(texts, result)) } }
        }
    }
}

/// The result of a game: winner, points, reason, and what the reader can do next.
/// It is empty until the end.
fn result_part(shown: &GameContent, nations: &Nations) -> Markup {
    let texts = nations.texts();
    let game = &shown.body.summary;
    let Some(result) = &game.result else {
        return html! {
            section id="result" class="tab" hidden[game.status != Status::Abandoned] {
                @if game.status == Status::Abandoned {
                    h2 { (texts.text("result")) }
                    p { (texts.text("result-abandoned")) }
                }
            }
        };
    };
    let seat = |number: u8| game.seats.iter().find(|seat| seat.seat == number);
    let prices = (shown.body.bidding.as_ref()).map_or(&[][..], |bidding| &bidding.prices);
    // The standings of a league take the prices off.
    let has_scores = prices.iter().any(|price| price.score.is_some());
    html! {
        section id="result" class="tab result" aria-labelledby="result-title" {
            h2 id="result-title" { (texts.text("result")) }
            p class="winners" { (won(texts, result)) }
            p { (texts.decided(result.reason, shown.body.state.round)) " " (time(texts, game.updated_at)) "." }
            table class="ranks" {
                thead { tr {
                    th scope="col" { (texts.text("result-rank")) }
                    th scope="col" { (texts.text("game-seats")) }
                    th scope="col" { (texts.text("result-points")) }
                    @if !prices.is_empty() {
                        th scope="col" { (texts.text("result-price")) }
                        @if has_scores { th scope="col" { (texts.text("result-score")) } }
                    }
                } }
                tbody {
                    @for rank in &result.ranks {
                        tr class=[(rank.rank == 1).then_some("winner")] {
                            td { (texts.place(rank.rank)) }
                            td {
                                @for name in &rank.nations { (nations.named(name)) " " }
                                @if let Some(seat) = seat(rank.seat) { span class="player" { (player_shown(texts, seat)) } }
                            }
                            td { (rank.points) }
                            @for price in prices.iter().filter(|price| price.seat == rank.seat) {
                                td { (texts.decimal(price.price, 1)) }
                                @if let Some(score) = price.score { td { (texts.decimal(score, 1)) } }
                            }
                        }
                    }
                }
            }
            div class="actions" {
                @match game.rematch {
                    Some(next) => a class="button first" href={ "/games/" (next) } { (texts.text("result-rematch-open")) }
                    None => button type="button" class="first" id="rematch" hidden { (texts.text("result-rematch")) }
                }
                button type="button" class="script" data-tab="analysis" { (texts.text("result-analyze")) }
                button type="button" class="script" data-tab="points-tab" { (texts.text("result-course")) }
            }
            p id="rematch-refused" role="alert" class="bad" hidden {}
            @match &shown.verified {
                Some(Ok(())) => p class="proof" {
                    "✓ " (texts.verified(game.seq)) " "
                    @if shown.signed { (texts.text("game-signed")) } @else { (texts.text("game-unsigned")) }
                }
                Some(Err(error)) => p class="proof bad" { "✗ " (texts.not_verified(error)) }
                None => {}
            }
        }
    }
}

/// The winners of a game.
fn won(texts: Texts, result: &ResultBody) -> String {
    let winners = result.ranks.iter().filter(|rank| rank.rank == 1);
    let named = |rank: &RankBody| {
        let names = rank.nations.iter().map(|name| texts.nation(name));
        texts.listed(&names.collect::<Vec<_>>())
    };
    texts.won(&winners.map(named).collect::<Vec<_>>())
}

pub(super) fn seats_part(shown: &GameContent, nations: &Nations) -> Markup {
    let texts = nations.texts();
    let game = &shown.body.summary;
    let worth = shown.worth();
    let points = |name: &str| {
        let personages = shown
            .body
            .state
            .nations
            .get(name)
            .map(|nation| &nation.personages);
        let each = personages.into_iter().flatten();
        each.map(|(personage, count)| worth(*personage) * u32::from(*count))
            .sum::<u32>()
    };
    let rank = |seat: u8| {
        let ranks = game.result.iter().flat_map(|result| &result.ranks);
        ranks
            .clone()
            .find(|rank| rank.seat == seat)
            .map(|rank| rank.rank)
    };
    html! {
        ul id="seats" class="seats" {
            @for seat in &game.seats {
                li {
                    span class="nations" { @for name in &seat.nations { (nations.named(name)) } }
                    span class="player" { (player_shown(texts, seat)) }
                    span class="score" {
                        @for name in &seat.nations { " " (texts.points(points(name))) }
                        @if rank(seat.seat) == Some(1) { " " span class="tag won" { (texts.text("winner")) } }
                    }
                }
            }
        }
    }
}

fn strip_part(shown: &GameContent, nations: &Nations) -> Markup {
    html! {
        @match &shown.whole {
            Some(events) => (strip(events, nations, shown.body.state.goal, &shown.worth())),
            None => div id="strip" {}
        }
    }
}

fn downloads(texts: Texts, game: &GameSummary, at: u64, (host, title): (&str, &str)) -> Markup {
    let base = format!("/v1/games/{}", game.id);
    html! {
        section class="tab" id="downloads-tab" aria-labelledby="downloads-title" {
            h2 id="downloads-title" { (texts.text("game-downloads")) }
            ul class="downloads" {
                li { a href={ (base) "/record" } { (texts.text("game-record")) } }
                li { a href={ (base) "/record?events=true" } { (texts.text("game-record-events")) } }
                li { a href={ "/games/" (game.id) "/record.txt" } { (texts.text("game-record-text")) } }
                li { a data-state=".svg" href={ (base) "/states/" (at) ".svg" } { (texts.text("game-picture")) } }
                li { a data-state=".png" href={ (base) "/states/" (at) ".png" } { (texts.text("game-pixels")) } }
            }
            @if game.visibility != Visibility::Private {
                (snippet(texts, host, Embedded::Game(game.id, None), title))
            }
            @if !game.rated || matches!(game.status, Status::Finished | Status::Abandoned) {
                p class="script" { a data-branch={ "/play?from=" (game.id) "&seq=" } href={ "/play?from=" (game.id) "&seq=" (at) } {
                    (texts.text("branch-from-here"))
                } }
            }
        }
    }
}

/// A moment until which a clock counts down.
fn due_time(texts: Texts, at: jiff::Timestamp) -> Markup {
    html! { time data-due datetime=(at.strftime("%FT%TZ")) { (texts.time(at)) } }
}
