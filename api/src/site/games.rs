//! The list of games.

use actix_web::{HttpRequest, HttpResponse, get, web};
use maud::{Markup, html};
use serde::Deserialize;

use crate::games::Games;
use crate::games::bodies::GameSummary;
use crate::games::handlers::known::check_content;
use crate::games::lists::GameLists;
use crate::games::model::Status;
use crate::games::queries::lists::GameFilter;
use crate::http::page::cursor;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::query::Query;
use crate::site::badge::Nations;
use crate::site::choice::Visit;
use crate::site::forms::{editions, given, write_query};
use crate::site::frame::time;
use crate::site::frame::{Frame, page};
use crate::site::game::{player_shown, title};
use crate::site::texts::Texts;

/// The number of games on a page.
const PAGE: usize = 30;

/// Selects the games. Forms send empty texts for fields without a choice.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GamesQuery {
    edition: String,
    status: String,
    name: String,
    cursor: String,
}

fn status(name: &str) -> Result<Option<Status>, Problem> {
    let unknown = || {
        let known = STATUSES.map(Status::name).join(", ");
        let detail = format!("there is no status {name:?}; known are {known}");
        Problem::invalid_parameter("status", detail)
    };
    match name {
        "" => Ok(None),
        name => {
            let found = STATUSES.into_iter().find(|status| status.name() == name);
            found.map(Some).ok_or_else(unknown)
        }
    }
}

const STATUSES: [Status; 4] = [
    Status::Running,
    Status::Open,
    Status::Finished,
    Status::Abandoned,
];

/// Games, the newest first.
#[get("/games")]
pub async fn games_page(
    request: HttpRequest,
    Query(query): Query<GamesQuery>,
    visit: Visit,
    games: web::Data<Games>,
    lists: web::Data<GameLists>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    check_content(games.library(), given(&query.edition), None)?;
    let filter = GameFilter {
        edition: given(&query.edition).map(str::to_owned),
        status: status(&query.status)?,
        name: given(&query.name).map(str::to_owned),
        only_public: true,
        ..GameFilter::default()
    };
    let cursor = cursor(given(&query.cursor))?;
    let listed = blocking(&lists, move |lists| lists.list(&filter, cursor, PAGE)).await?;
    let next = listed.next.as_ref().map(|cursor| {
        write_query([
            ("edition", &query.edition),
            ("status", &query.status),
            ("name", &query.name),
            ("cursor", cursor),
        ])
    });
    let main = html! {
        h1 { (texts.text("games-title")) }
        (form(texts, &games, &query))
        @if listed.items.is_empty() { p { (texts.text("games-none")) } }
        ul class="games" { @for game in &listed.items { (entry(texts, &games, game)) } }
        @if let Some(next) = next { p { a class="button" rel="next" href={ "?" (next) } { (texts.text("games-next")) } } }
    };
    let frame = Frame {
        title: texts.text("games-title"),
        part: "/games",
        scripts: &[],
        class: "",
    };
    Ok(page(&request, texts, frame.around(&visit, &main)))
}

fn form(texts: Texts, games: &Games, query: &GamesQuery) -> Markup {
    html! {
        form class="filter" method="get" action="/games" aria-label=(texts.text("games-label")) {
            label { (texts.text("games-edition"))
                select name="edition" {
                    option value="" { (texts.text("any")) }
                    (editions(games.library(), &query.edition))
                }
            }
            label { (texts.text("games-status"))
                select name="status" {
                    option value="" { (texts.text("any")) }
                    @for status in STATUSES {
                        option value=(status.name()) selected[status.name() == query.status] { (texts.status(status)) }
                    }
                }
            }
            label { (texts.text("games-name"))
                input type="search" name="name" maxlength="64" value=(query.name) placeholder=(texts.text("games-name-hint"));
            }
            button { (texts.text("show")) }
        }
    }
}

/// A game as an entry of a list.
pub fn entry(texts: Texts, games: &Games, game: &GameSummary) -> Markup {
    entry_with(texts, games, game, &html! {}, game.status == Status::Open)
}

/// A game as an entry of a list, with a label. It leads to the table of the game, or to its board.
pub fn entry_with(
    texts: Texts,
    games: &Games,
    game: &GameSummary,
    label: &Markup,
    to_table: bool,
) -> Markup {
    let nations = Nations::of(texts, game);
    let won = |seat: u8| {
        let mut ranks = game.result.iter().flat_map(|result| &result.ranks);
        ranks.any(|rank| rank.seat == seat && rank.rank == 1)
    };
    html! {
        li class="entry" {
            div class="about" {
                a href={ "/games/" (game.id) @if to_table { "/lobby" } } { (title(texts, games, game)) }
                " " (label)
                " " span class={ "state " (game.status.name()) } { (texts.status(game.status)) }
                " " span class="faint" { (time(texts, game.updated_at)) }
            }
            ul class="table" {
                @for seat in &game.seats {
                    li class=[won(seat.seat).then_some("winner")] {
                        @for name in &seat.nations { (nations.named(name)) " " }
                        span class="player" { (player_shown(texts, seat)) }
                        @if won(seat.seat) { " " span class="tag won" { (texts.text("winner")) } }
                    }
                }
            }
        }
    }
}
