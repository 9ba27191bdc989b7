//! What the search player thinks of a game, on the game's page: asked for by its reader, of the API.

use maud::{Markup, html};

use crate::games::bodies::GameSummary;
use crate::games::model::Status;
use crate::site::badge::Nations;
use crate::site::texts::Texts;

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

/// The switch, and the places of what is told when it is on.
pub fn analysis(game: &GameSummary, nations: &Nations) -> Markup {
    let texts = nations.texts();
    html! {
        section class="analysis script" id="analysis" aria-labelledby="analysis-title"
            data-visits=(texts.text("analysis-visits")) data-thinks=(texts.text("analysis-thinks")) data-over=(texts.text("analysis-over")) {
            h2 id="analysis-title" { (texts.text("analysis")) }
            p {
                button type="button" role="switch" aria-checked="false" id="analysis-switch" class="button" disabled[is_barred(game)] {
                    (texts.text("analysis-switch"))
                }
            }
            (hint(texts, game))
            div id="analysis-told" hidden {
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
