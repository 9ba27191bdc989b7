//! The first page: what Tabularium is, a game, and links to all parts.

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
use crate::site::choice::Visit;
use crate::site::frame::time;
use crate::site::frame::{Frame, page};
use crate::site::game::{picture, player_shown, title};
use crate::site::texts::Texts;
use crate::site::texts::phrases::PARTS;

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
    visit: Visit,
    games: web::Data<Games>,
    lists: web::Data<GameLists>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
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
                h1 { (texts.text("home-title")) }
                p { (texts.text("home-lead")) }
                p class="actions" {
                    a class="button first" href="/play" { (texts.text("home-play")) }
                    " " a class="button" href="/games" { (texts.text("home-games")) }
                    " " a class="button" href="/docs" { (texts.text("home-api")) }
                }
                p class="faint" { (texts.finished_games(finished.count, finished.exact)) }
            }
            @match &game {
                Some(game) => (preview(texts, &games, game)),
                None => p class="faint" { (texts.text("home-none")) }
            }
        }
        ul class="parts" {
            @for (href, name, about) in PARTS {
                li { h2 { a href=(href) { (texts.text(name)) } } p { (texts.text(about)) } }
            }
        }
    };
    let frame = Frame {
        title: "",
        part: "/",
        scripts: &[],
        class: "home",
    };
    Ok(page(&request, texts, frame.around(&visit, &main)))
}

fn preview(texts: Texts, games: &Games, game: &GameSummary) -> Markup {
    let nations = Nations::of(texts, game);
    let runs = game.status == Status::Running;
    let path = format!("/games/{}", game.id);
    html! {
        section class="preview" aria-labelledby="preview-title" {
            h2 id="preview-title" {
                @if runs { (texts.text("home-running")) } @else { (texts.text("home-last")) }
                " " span class={ "state " (game.status.name()) } { (texts.status(game.status)) }
            }
            a href=(path) { (picture(game.id, game.seq, &title(texts, games, game))) }
            p { b { (title(texts, games, game)) } " · " (time(texts, game.updated_at)) }
            ul class="table" {
                @for seat in &game.seats {
                    li { @for name in &seat.nations { (nations.named(name)) " " } span class="player" { (player_shown(texts, seat)) } }
                }
            }
            p { a class="button" href=(path) { @if runs { (texts.text("home-watch")) } @else { (texts.text("home-replay")) } } }
        }
    }
}
