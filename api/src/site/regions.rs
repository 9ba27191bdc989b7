//! The board as text, for readers who do not see the drawing.
//! It lists the regions with owner, buildings, units and neighbours.

use actix_web::{HttpRequest, HttpResponse, get, web};
use engine::content::{RegionData, Site};
use engine::forms::View;
use engine::play::Game;
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use crate::games::Games;
use crate::games::handlers::path::GameId;
use crate::http::error::ServiceError;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::query::Query;
use crate::site::choice::Visit;
use crate::site::frame::page;
use crate::site::texts::Texts;
use crate::site::texts::phrases::capital;

/// Selects a moment of a game.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MomentQuery {
    /// The number of an event; the last one if omitted.
    pub at: Option<u64>,
}

/// The regions of a game after an event; after the last one if `at` is omitted.
#[get("/games/{game}/regions")]
pub async fn regions_part(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<MomentQuery>,
    visit: Visit,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let texts = visit.texts;
    let read = move |games: &Games| {
        let last = games.table(id)?.seq();
        regions(games, texts, id, query.at.unwrap_or(last))
    };
    let list = blocking(&games, read).await?;
    Ok(page(&request, texts, list))
}

/// The list of regions after an event.
pub fn regions(games: &Games, texts: Texts, id: Uuid, at: u64) -> Result<Markup, ServiceError> {
    games.show_position(id, at, |game, view| list(game, view, texts))
}

fn list(game: &Game, view: &View, texts: Texts) -> Markup {
    let mut regions: Vec<&RegionData> = game.board.data.regions.iter().collect();
    regions.sort_unstable_by_key(|region| &region.name);
    html! {
        ul id="regions" class="regions" {
            @for region in regions {
                li data-of=(region.id) {
                    b { (region.name) } ": " (capital(&contents(view, region, texts).join("; "))) ". "
                    span class="faint" {
                        (texts.format("region-neighbours", [("regions", neighbours(game, region).join(", ").into())]))
                    }
                }
            }
        }
    }
}

/// The names of the neighbours of a region.
fn neighbours<'a>(game: &'a Game, region: &RegionData) -> Vec<&'a str> {
    let data = &game.board.data;
    let borders = |id: &str| {
        let mut borders = data.borders.iter();
        borders.any(|(one, other, _)| {
            (*one == region.id && other == id) || (*other == region.id && one == id)
        })
    };
    let beside = data.regions.iter().filter(|other| borders(&other.id));
    beside.map(|region| region.name.as_str()).collect()
}

/// What a region contains, in words.
fn contents(view: &View, region: &RegionData, texts: Texts) -> Vec<String> {
    let body = view.regions.get(&region.id);
    let of = |name: &str| ("nation", texts.nation(name).into());
    let mut parts = Vec::new();
    match body.and_then(|body| body.city.as_ref()) {
        Some(city) => {
            let chip = ("chip", texts.chip(city.resource).into());
            parts.push(texts.format("region-city", [of(&city.nation), chip]));
            for (has, name) in [(city.temple, "region-temple"), (city.wall, "region-wall")] {
                if has {
                    parts.push(texts.text(name).to_owned());
                }
            }
        }
        None => parts.push(match (region.site, region.site.resource()) {
            (Site::None, _) => texts.text("region-sea").to_owned(),
            (_, None) => texts.text("region-site-any").to_owned(),
            (_, Some(resource)) => {
                texts.format("region-site", [("chip", texts.chip(resource).into())])
            }
        }),
    }
    if body.is_some_and(|body| body.neutral_temple) {
        parts.push(texts.text("region-neutral-temple").to_owned());
    }
    for (name, units) in body.into_iter().flat_map(|body| &body.units) {
        let units = ("units", texts.units(units.legions, units.galleys).into());
        parts.push(texts.format("region-units", [of(name), units]));
    }
    for (name, nation) in &view.nations {
        let special = nation.special_unit.as_ref();
        let here = special.filter(|special| special.region.as_ref() == Some(&region.id));
        if let Some(unit) = here.and_then(|special| special.unit) {
            let units = ("units", texts.pieces(unit.into(), 1).into());
            parts.push(texts.format("region-units", [of(name), units]));
        }
    }
    parts
}
