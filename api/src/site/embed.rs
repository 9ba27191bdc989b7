//! Pages for frames of other sites: a game, and the standings of a league; and oEmbed, which describes these frames.
//!
//! - Only these two pages may be in frames (`http/headers.rs`). They have no forms and no buttons, so a reader cannot be
//!   lured into a click, and they show nothing of the reader's account.
//! - What is private is never shown, not even to those who may see it.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, HttpResponse, get, web};
use maud::{DOCTYPE, Markup, html};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::games::handlers::path::GameId;
use crate::games::model::{Status, Visibility};
use crate::http::call::Call;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{blocking, not_json, text};
use crate::http::request::base;
use crate::http::request::path::not_found;
use crate::http::request::query::Query;
use crate::leagues::handlers::path::LeagueId;
use crate::leagues::log::Until;
use crate::leagues::overview::LeagueOverview;
use crate::leagues::seasons::SeasonAt;
use crate::leagues::service::Leagues;
use crate::services::Services;
use crate::site::assets::path;
use crate::site::badge::Nations;
use crate::site::choice::Visit;
use crate::site::frame::page;
use crate::site::game::{picture, read, seats_part, status_part, title};
use crate::site::leagues::standings_table::table;
use crate::site::snippet::{Embedded, frame};
use crate::site::texts::Texts;
use crate::site::texts::phrases::NAME;

/// The size of the picture of a game in pixels.
const PICTURE: (u32, u32) = (1200, 848);

/// Seconds for which another site may keep a description.
const CACHE_AGE: u32 = 3_600;

/// The moment that a frame shows.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmbedQuery {
    /// The event after which the game is shown; live without it.
    seq: Option<u64>,
}

/// What another program asks of a page. Parameters that are not defined here are ignored, as oEmbed allows more.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct OembedQuery {
    url: String,
    format: String,
    maxwidth: Option<u32>,
    maxheight: Option<u32>,
}

/// A page in a frame. Its links open outside of it.
fn framed(texts: Texts, title: &str, scripts: &[&str], main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(texts.0.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (title) " · " (NAME) }
                base target="_blank";
                link rel="stylesheet" href=(path("style.css"));
                @for script in scripts { script type="module" src=(path(script)) {} }
            }
            body { main class="embed" { (main) } }
        }
    }
}

/// A game in a frame.
#[get("/embed/games/{game}")]
pub async fn game_frame(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<EmbedQuery>,
    visit: Visit,
    services: web::Data<Services>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let shown = blocking(&services, move |services| read(services, id, None)).await?;
    let game = &shown.body.summary;
    if game.visibility == Visibility::Private {
        return Err(not_found("game", &id.to_string()));
    }
    let at = query.seq.unwrap_or(game.seq);
    if at > game.seq {
        let detail = format!("there is no event {at}; the last is {}", game.seq);
        return Err(Problem::new(Code::NotFound, detail));
    }
    let texts = visit.texts;
    let nations = Nations::of(texts, game);
    let name = title(texts, &services.games, game);
    let round = match shown.body.state.round {
        round if at == game.seq => round,
        _ => shown.round_at(at),
    };
    let mover = texts.nation(&shown.body.state.to_move);
    let about = texts.position(at, round, &mover);
    let place = if query.seq.is_some() {
        format!("/games/{id}#{at}")
    } else {
        format!("/games/{id}")
    };
    let is_live = query.seq.is_none() && matches!(game.status, Status::Running | Status::Open);
    let main = html! {
        div id="embed" data-game=(id) data-last=(game.seq) data-live=[is_live.then_some("")] {
            h1 { a href=(place) { (name) } }
            (picture(id, at, &about))
            @if query.seq.is_none() { (status_part(&shown, &nations)) } @else { p { (about) } }
            (seats_part(&shown, &nations))
        }
    };
    let scripts: &[&str] = if is_live { &["embed.js"] } else { &[] };
    Ok(page(&request, texts, framed(texts, &name, scripts, &main)))
}

/// Reads a league for everybody, without the rights of the reader.
async fn public_league(
    leagues: &web::Data<Leagues>,
    league: Uuid,
) -> Result<LeagueOverview, Problem> {
    let now = SeasonAt {
        league,
        season: None,
        until: Until::Now,
    };
    blocking(leagues, move |leagues| {
        leagues.overview(&Call::default(), now)
    })
    .await
}

/// The standings of a league's season in a frame.
#[get("/embed/leagues/{league}/standings")]
pub async fn standings_frame(
    request: HttpRequest,
    LeagueId(id): LeagueId,
    visit: Visit,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let shown = public_league(&leagues, id).await?;
    let texts = visit.texts;
    let name = &shown.league.summary.name;
    let main = html! {
        h1 { a href={ "/leagues/" (id) } { (name) } }
        @match &shown.season {
            None => p { (texts.text("league-no-season")) }
            Some(season) => {
                h2 id="standings" { (texts.text("league-standings")) " · " (season.season.name) }
                @if season.standings.rows.is_empty() { p { (texts.text("league-nobody")) } }
                @else { (table(texts, &season.standings, &season.season.name)) }
            }
        }
    };
    Ok(page(&request, texts, framed(texts, name, &[], &main)))
}

/// The title and the picture of what a frame shows.
async fn described(
    texts: Texts,
    services: &web::Data<Services>,
    leagues: &web::Data<Leagues>,
    shown: Embedded,
) -> Result<(String, Option<String>), Problem> {
    match shown {
        Embedded::Game(id, seq) => {
            let read = move |services: &Services| services.games.table(id)?.body();
            let summary = blocking(services, read).await?.summary;
            let at = seq.unwrap_or(summary.seq);
            if summary.visibility == Visibility::Private {
                return Err(not_found("game", &id.to_string()));
            }
            if at > summary.seq {
                return Err(not_found("state", &format!("{at} of the game {id}")));
            }
            let picture = format!("/v1/games/{id}/states/{at}.png");
            Ok((title(texts, &services.games, &summary), Some(picture)))
        }
        Embedded::Standings(id) => {
            let league = public_league(leagues, id).await?.league;
            Ok((league.summary.name, None))
        }
    }
}

/// Describes the frame of a page for programs of other sites (oEmbed 1.0, type `rich`).
#[get("/oembed")]
pub async fn oembed(
    request: HttpRequest,
    Query(query): Query<OembedQuery>,
    visit: Visit,
    services: web::Data<Services>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    if !["", "json"].contains(&query.format.as_str()) {
        return Ok(HttpResponse::NotImplemented()
            .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
            .body("the only format is json"));
    }
    let base = base(&request);
    let shown = Embedded::of_page(&base, &query.url)
        .ok_or_else(|| not_found("game or league", &query.url))?;
    let (name, picture) = described(visit.texts, &services, &leagues, shown).await?;
    let (width, height) = shown.size();
    let size = (
        width.min(query.maxwidth.unwrap_or(width)),
        height.min(query.maxheight.unwrap_or(height)),
    );
    let mut answer = json!({
        "version": "1.0",
        "type": "rich",
        "provider_name": NAME,
        "provider_url": base,
        "cache_age": CACHE_AGE,
        "html": frame(&base, shown, &name, size),
        "width": size.0,
        "height": size.1,
        "title": name,
    });
    // A picture must fit into the size that was asked for, too.
    let fits = |most: Option<u32>, size: u32| most.is_none_or(|most| most >= size);
    if let Some(picture) = picture
        && fits(query.maxwidth, PICTURE.0)
        && fits(query.maxheight, PICTURE.1)
    {
        answer["thumbnail_url"] = format!("{base}{picture}").into();
        answer["thumbnail_width"] = PICTURE.0.into();
        answer["thumbnail_height"] = PICTURE.1.into();
    }
    let answer = serde_json::to_string(&answer).map_err(not_json)?;
    Ok(text(&request, "application/json", answer))
}
