//! The analysis of a game by `search` on the page of the game. Its module reads it from the API when the reader switches
//! it on.

use actix_web::{HttpRequest, HttpResponse, get, web};
use bots::TurnReason;
use engine::play::{Action, Names};
use maud::{Markup, html};
use serde::Deserialize;

use crate::games::Games;
use crate::games::bodies::GameSummary;
use crate::games::handlers::path::GameId;
use crate::games::model::Status;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::query::Query;
use crate::site::badge::Nations;
use crate::site::choice::Visit;
use crate::site::events::EventTexts;
use crate::site::frame::page;
use crate::site::play::in_words;
use crate::site::texts::Texts;

/// What to describe.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordsQuery {
    /// A list of actions in JSON.
    actions: String,
    /// A list of lists of reasons in JSON.
    reasons: String,
}

/// Actions on the board of a game and reasons of turns in words, in the same order: the analysis names them as the API
/// does.
#[get("/games/{game}/words")]
pub async fn words_part(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<WordsQuery>,
    visit: Visit,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let actions: Vec<Action<Names>> = serde_json::from_str(&query.actions)
        .map_err(|error| Problem::invalid_parameter("actions", error.to_string()))?;
    let reasons: Vec<Vec<TurnReason>> = serde_json::from_str(&query.reasons)
        .map_err(|error| Problem::invalid_parameter("reasons", error.to_string()))?;
    let summary = blocking(&games, move |games| Ok(games.table(id)?.body()?.summary)).await?;
    let event_texts = EventTexts::of(visit.texts, games.library(), &summary);
    let list = html! {
        ol id="words" { @for action in &actions { li { (in_words(action, event_texts)) } } }
        ol id="reasons" { @for reasons in &reasons { li { (visit.texts.reasons(reasons)) } } }
    };
    Ok(page(&request, visit.texts, list))
}

/// Whether the analysis cannot be switched on: for a rated game that is not over.
fn is_barred(game: &GameSummary) -> bool {
    game.rated && !matches!(game.status, Status::Finished | Status::Abandoned)
}

/// What the switch does.
pub fn hint(texts: Texts, game: &GameSummary) -> Markup {
    let hint = if is_barred(game) {
        texts.text("analysis-barred")
    } else {
        texts.text("analysis-hint")
    };
    html! { p class="hint" id="analysis-hint" { (hint) } }
}

/// The switch, and the elements that show the analysis when it is on.
pub fn analysis(game: &GameSummary, nations: &Nations) -> Markup {
    let texts = nations.texts();
    html! {
        section class="tab analysis script" id="analysis" aria-labelledby="analysis-title"
            data-visits=(texts.text("analysis-visits")) data-thinks=(texts.text("analysis-thinks")) data-over=(texts.text("analysis-over")) {
            h2 id="analysis-title" { (texts.text("analysis")) }
            p {
                button type="button" role="switch" aria-checked="false" id="analysis-switch" class="button" disabled[is_barred(game)] {
                    (texts.text("analysis-switch"))
                }
            }
            (hint(texts, game))
            div id="analysis-result" hidden {
                p id="analysis-note" class="hint" aria-live="polite" {}
                div class="strip" {
                    @for seat in &game.seats {
                        div class="row" data-seat=(seat.seat) {
                            span class="who" {
                                @for nation in &seat.nations {
                                    (nations.sign(nation)) span class="visually-hidden" { (texts.nation(nation)) " " }
                                }
                            }
                            svg class="shares" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true" {
                                @for nation in seat.nations.iter().take(1) { path class="area" fill=(nations.colour(nation)) {} }
                                path class="now" vector-effect="non-scaling-stroke" {}
                            }
                            span class="score" {}
                        }
                    }
                }
                ol id="candidates" {}
            }
        }
    }
}
