//! The first page: what this is, a game, and the way to everything.

use actix_web::guard::GuardContext;
use actix_web::{HttpRequest, HttpResponse, get, web};
use maud::{Markup, html};

use crate::games::Games;
use crate::games::bodies::GameSummary;
use crate::games::lists::GameLists;
use crate::games::model::Status;
use crate::games::queries::lists::GameFilter;
use crate::http::error::ServiceError;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::accept::prefers;
use crate::site::badge::Nations;
use crate::site::english;
use crate::site::frame::{Frame, page};
use crate::site::game::{picture, player_shown, time, title};

/// Whether a page is wanted, unless JSON is preferred.
fn page_is_wanted(context: &GuardContext<'_>) -> bool {
    prefers(context.head().headers(), &["text/html", "application/json"]) == Some(0)
}

/// The game to show: the newest that runs, or else that has ended.
fn newest(lists: &GameLists) -> Result<Option<GameSummary>, ServiceError> {
    for status in [Status::Running, Status::Finished] {
        let filter = GameFilter {
            status: Some(status),
            only_public: true,
            ..GameFilter::default()
        };
        if let Some(game) = lists.list(&filter, None, 1)?.items.pop() {
            return Ok(Some(game));
        }
    }
    Ok(None)
}

/// The first page.
#[get("/", guard = "page_is_wanted")]
pub async fn home_page(
    request: HttpRequest,
    games: web::Data<Games>,
    lists: web::Data<GameLists>,
) -> Result<HttpResponse, Problem> {
    let (game, finished) = blocking(&lists, |lists| {
        let finished = GameFilter {
            status: Some(Status::Finished),
            only_public: true,
            ..GameFilter::default()
        };
        Ok((newest(lists)?, lists.count(&finished)?))
    })
    .await?;
    let main = html! {
        div class="hero" {
            div class="lead" {
                h1 { (english::HOME_TITLE) }
                p { (english::HOME_LEAD) }
                p class="actions" {
                    a class="button first" href="/play" { (english::HOME_PLAY) }
                    " " a class="button" href="/games" { (english::HOME_GAMES) }
                    " " a class="button" href="/docs" { (english::HOME_API) }
                }
                p class="faint" { (english::finished_games(finished.count, finished.exact)) }
            }
            @match &game {
                Some(game) => (preview(&games, game)),
                None => p class="faint" { (english::HOME_NONE) }
            }
        }
        ul class="parts" {
            @for (href, name, about) in english::HOME_PARTS {
                li { h2 { a href=(href) { (name) } } p { (about) } }
            }
        }
    };
    let frame = Frame {
        title: "",
        part: "/",
        scripts: &[],
        class: "home",
    };
    Ok(page(&request, frame.around(&main)))
}

fn preview(games: &Games, game: &GameSummary) -> Markup {
    let nations = Nations::of(game);
    let runs = game.status == Status::Running;
    let path = format!("/games/{}", game.id);
    html! {
        section class="preview" aria-labelledby="preview-title" {
            h2 id="preview-title" {
                (if runs { english::HOME_RUNNING } else { english::HOME_LAST })
                " " span class={ "state " (game.status.name()) } { (english::status(game.status)) }
            }
            a href=(path) { (picture(game.id, game.seq, &title(games, game))) }
            p { b { (title(games, game)) } " · " (time(game.updated_at)) }
            ul class="table" {
                @for seat in &game.seats {
                    li { @for name in &seat.nations { (nations.named(name)) " " } span class="player" { (player_shown(seat)) } }
                }
            }
            p { a class="button" href=(path) { (if runs { english::HOME_WATCH } else { english::HOME_REPLAY }) } }
        }
    }
}
