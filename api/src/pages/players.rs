//! A player: since when, and what was played.

use actix_web::{HttpRequest, HttpResponse, get, web};
use maud::html;

use super::frame::Frame;
use super::game::time;
use super::games::entry;
use super::{english, page};
use crate::games::Games;
use crate::problem::Problem;
use crate::reply::blocking;
use crate::store::GameFilter;

/// How many games are listed.
const PAGE: usize = 30;

/// Somebody with an account.
#[get("/players/{player}")]
pub async fn player_page(
    request: HttpRequest,
    path: web::Path<String>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let named = path.into_inner();
    let (player, listed, count) = blocking(&games, move |games| {
        let player = games.player(&named)?;
        let filter = GameFilter {
            player: Some(player.id.to_string()),
            only_public: true,
            ..GameFilter::default()
        };
        let (listed, count) = (games.list(&filter, None, PAGE)?, games.count(&filter)?);
        Ok((player, listed, count))
    })
    .await?;
    let main = html! {
        h1 { (player.handle) }
        p class="faint" {
            (english::PLAYER_SINCE) " " (time(player.created_at))
            @if let Some(deleted) = player.deleted_at { " · " (english::PLAYER_GONE) " " (time(deleted)) }
            " · " (english::public_games(count.count, count.exact))
        }
        h2 { (english::GAMES_TITLE) }
        @if listed.items.is_empty() { p { (english::GAMES_NONE) } }
        ul class="games" { @for game in &listed.items { (entry(&games, game)) } }
    };
    let frame = Frame {
        title: &player.handle,
        part: "/players",
        scripts: &[],
        class: "",
    };
    Ok(page(&request, frame.around(&main)))
}
