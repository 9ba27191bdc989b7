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
use crate::site::english;
use crate::site::forms::{editions, given, write_query};
use crate::site::frame::{Frame, page};
use crate::site::game::{player_shown, time, title};

/// How many games stand on a page.
const PAGE: usize = 30;

/// Which games are shown. Forms send empty texts for what is not chosen.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GamesQuery {
    edition: String,
    status: String,
    name: String,
    cursor: String,
}

fn status(name: &str) -> Result<Option<Status>, Problem> {
    let unknown = || Problem::invalid_parameter("status", format!("there is no status {name:?}"));
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
    games: web::Data<Games>,
    lists: web::Data<GameLists>,
) -> Result<HttpResponse, Problem> {
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
        h1 { (english::GAMES_TITLE) }
        (form(&games, &query))
        @if listed.items.is_empty() { p { (english::GAMES_NONE) } }
        ul class="games" { @for game in &listed.items { (entry(&games, game)) } }
        @if let Some(next) = next { p { a class="button" rel="next" href={ "?" (next) } { (english::GAMES_NEXT) } } }
    };
    let frame = Frame {
        title: english::GAMES_TITLE,
        part: "/games",
        scripts: &[],
        class: "",
    };
    Ok(page(&request, frame.around(&main)))
}

fn form(games: &Games, query: &GamesQuery) -> Markup {
    html! {
        form class="filter" method="get" action="/games" aria-label=(english::GAMES_LABEL) {
            label { (english::GAMES_EDITION)
                select name="edition" {
                    option value="" { (english::ANY) }
                    (editions(games.library(), &query.edition))
                }
            }
            label { (english::GAMES_STATUS)
                select name="status" {
                    option value="" { (english::ANY) }
                    @for status in STATUSES {
                        option value=(status.name()) selected[status.name() == query.status] { (english::status(status)) }
                    }
                }
            }
            label { (english::GAMES_NAME)
                input type="search" name="name" maxlength="64" value=(query.name) placeholder=(english::GAMES_NAME_HINT);
            }
            button { (english::GAMES_FILTER) }
        }
    }
}

/// A game as an entry of a list.
pub fn entry(games: &Games, game: &GameSummary) -> Markup {
    let nations = Nations::of(game);
    let won = |seat: u8| {
        let mut ranks = game.result.iter().flat_map(|result| &result.ranks);
        ranks.any(|rank| rank.seat == seat && rank.rank == 1)
    };
    html! {
        li class="entry" {
            div class="about" {
                a href={ "/games/" (game.id) } { (title(games, game)) }
                " " span class={ "state " (game.status.name()) } { (english::status(game.status)) }
                " " span class="faint" { (time(game.updated_at)) }
            }
            ul class="table" {
                @for seat in &game.seats {
                    li class=[won(seat.seat).then_some("winner")] {
                        @for name in &seat.nations { (nations.named(name)) " " }
                        span class="player" { (player_shown(seat)) }
                        @if won(seat.seat) { " " span class="tag won" { (english::WINNER) } }
                    }
                }
            }
        }
    }
}
