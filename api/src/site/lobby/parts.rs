//! What the pages of new games and tables share.

use actix_web::HttpRequest;
use bots::{BOTS, LEVELS};
use engine::setup::{Pace, Player, TimeoutThen};
use maud::{Markup, html};

use crate::games::bodies::{GameSummary, SeatBody};
use crate::games::model::Visibility;
use crate::http::request::caller::identity;
use crate::site::texts::Texts;

/// Returns the handle of the account that is signed in.
pub fn signed_in(request: &HttpRequest) -> Option<String> {
    Some(identity(request).access?.handle.clone())
}

/// Returns true if a seat can be taken by anyone who may join.
pub fn is_free(seat: &SeatBody) -> bool {
    seat.player == Player::Open && seat.invited.is_none()
}

/// The bots as options of a form.
pub fn bot_options(texts: Texts, chosen: &str) -> Markup {
    html! {
        optgroup label=(texts.text("play-levels")) {
            @for level in LEVELS { option value=(level.name) { (texts.name("level", level.name)) } }
        }
        optgroup label=(texts.text("play-quick")) {
            // Those that look ahead are chosen by their levels.
            @for bot in BOTS.iter().filter(|bot| bot.budget.is_none()) {
                option value=(bot.name) selected[bot.name == chosen] { (texts.name("bot", bot.name)) }
            }
        }
    }
}

/// A time in its largest whole unit.
pub fn duration(texts: Texts, seconds: u32) -> String {
    let (id, count) = match seconds {
        seconds if seconds.is_multiple_of(86_400) => ("pace-days", seconds / 86_400),
        seconds if seconds.is_multiple_of(3_600) => ("pace-hours", seconds / 3_600),
        seconds => ("pace-minutes", seconds.div_ceil(60)),
    };
    texts.format(id, [("count", count.into())])
}

/// What happens when the time of a player has run out.
pub fn consequence(texts: Texts, then: TimeoutThen) -> &'static str {
    match then {
        TimeoutThen::Bot => texts.text("pace-then-bot"),
        TimeoutThen::Resign => texts.text("pace-then-resign"),
        TimeoutThen::Wait => texts.text("pace-then-wait"),
    }
}

/// Who can see a game.
pub fn visibility(texts: Texts, visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Public => texts.text("visibility-public"),
        Visibility::Unlisted => texts.text("visibility-unlisted"),
        Visibility::Private => texts.text("visibility-private"),
    }
}

/// The time limits of a game.
pub fn pace(texts: Texts, pace: Option<&Pace>) -> String {
    let Some(pace) = pace else {
        return texts.text("pace-none").to_owned();
    };
    let turn = duration(texts, pace.turn_seconds);
    match pace.reserve_seconds {
        0 => turn,
        reserve => {
            let reserve = duration(texts, reserve);
            let arguments = [("turn", turn.into()), ("reserve", reserve.into())];
            texts.format("pace-with-reserve", arguments)
        }
    }
}

/// The settings of a game that a player wants to know before joining.
pub fn settings(texts: Texts, game: &GameSummary) -> Markup {
    html! {
        dl class="settings" {
            div { dt { (texts.text("new-players")) } dd { (game.seats.len()) } }
            @if !game.variants.is_empty() {
                @let names: Vec<String> = game.variants.iter().map(|name| texts.name("variant", name)).collect();
                div { dt { (texts.text("new-variants")) } dd { (texts.listed(&names)) } }
            }
            div { dt { (texts.text("new-pace")) } dd { (pace(texts, game.pace.as_ref())) } }
            @if let Some(pace) = &game.pace {
                div { dt { (texts.text("new-then")) } dd { (consequence(texts, pace.then)) } }
            }
            div { dt { (texts.text("new-visibility")) } dd { (visibility(texts, game.visibility)) } }
        }
    }
}
