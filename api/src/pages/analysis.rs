//! What the search player thinks of a game, on the game's page: asked for by its reader, of the API.

use drawing::words;
use maud::{Markup, html};

use super::badge::Nations;
use super::english;
use crate::games::{GameSummary, Status};

/// The switch, and the places of what is told when it is on. It cannot be switched on for a rated game that runs.
pub fn analysis(game: &GameSummary, nations: &Nations) -> Markup {
    let barred = game.rated && !matches!(game.status, Status::Finished | Status::Abandoned);
    html! {
        section class="analysis script" id="analysis" aria-labelledby="analysis-title"
            data-visits=(english::ANALYSIS_VISITS) data-thinks=(english::ANALYSIS_THINKS) data-over=(english::ANALYSIS_OVER) {
            h2 id="analysis-title" { (english::ANALYSIS) }
            p {
                button type="button" role="switch" aria-checked="false" id="analysis-switch" class="button" disabled[barred] {
                    (english::ANALYSIS_SWITCH)
                }
            }
            p class="hint" { (if barred { english::ANALYSIS_BARRED } else { english::ANALYSIS_HINT }) }
            div id="analysis-told" hidden {
                p id="analysis-note" class="hint" aria-live="polite" {}
                div class="strip" {
                    @for seat in &game.seats {
                        div class="row" data-seat=(seat.seat) {
                            span class="who" {
                                @for nation in &seat.nations {
                                    (nations.sign(nation)) span class="visually-hidden" { (words(nation)) " " }
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
