//! Playing: what may be done now in words, for the module that plays.

use std::mem::discriminant;

use actix_web::{HttpRequest, HttpResponse, get, web};
use engine::chips::Payment;
use engine::play::{Action, Names, Payments};
use engine::setup::Player;
use engine::words::{Personage, Resource};
use maud::{Markup, html};
use serde_json::Value;

use crate::games::Games;
use crate::games::bodies::GameBody;
use crate::games::handlers::path::GameId;
use crate::games::model::Status;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::blocking;
use crate::site::badge::Nations;
use crate::site::choice::Visit;
use crate::site::events::Teller;
use crate::site::frame::page;
use crate::site::texts::phrases::capital;

/// What may be done now, a button each, by kind. Each has the action as it can be posted.
#[get("/games/{game}/choices")]
pub async fn choices_part(
    request: HttpRequest,
    GameId(id): GameId,
    visit: Visit,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let read = move |games: &Games| {
        Ok((
            games.table(id)?.body()?,
            games.legal_actions(id, Payments::Default)?,
        ))
    };
    let (body, legal) = blocking(&games, read).await?;
    let texts = visit.texts;
    let teller = Teller::of(texts, games.library(), &body.summary);
    let broken = |error: serde_json::Error| Problem::new(Code::Internal, error.to_string());
    let sent: Result<Vec<Value>, _> = legal.actions.iter().map(serde_json::to_value).collect();
    let actions: Vec<(&Action<Names>, Value)> =
        legal.actions.iter().zip(sent.map_err(broken)?).collect();
    let kinds = actions.chunk_by(|one, other| discriminant(one.0) == discriminant(other.0));
    Ok(page(
        &request,
        texts,
        html! {
            div id="choices" data-seq=(legal.seq) data-seat=[legal.pending.first().map(|question| question.seat)]
                data-nation=[legal.pending.first().map(|question| question.nation.clone())] {
                @for kind in kinds {
                    section class="kind" {
                        h3 { (texts.kind(kind[0].0.into())) }
                        div class="choices" { @for (action, json) in kind { (choice(action, json, teller)) } }
                    }
                }
            }
        },
    ))
}

/// The regions that an action names.
fn regions(action: &Action<Names>) -> Vec<&str> {
    match action {
        Action::BuildTemple { region, .. }
        | Action::BuildWall { region, .. }
        | Action::Arm { region, .. }
        | Action::Battle { region, .. }
        | Action::Conquer { region, .. }
        | Action::Found { region, .. }
        | Action::ChooseCity { region } => vec![region],
        Action::March { from, to, .. } => vec![from, to],
        Action::PlayCard { region, .. } => region.iter().map(String::as_str).collect(),
        Action::MoveStone { .. }
        | Action::Develop { .. }
        | Action::Recruit { .. }
        | Action::AnswerBattle { .. }
        | Action::Trade { .. }
        | Action::ChooseChip { .. }
        | Action::ChoosePersonage { .. }
        | Action::TakeCard { .. }
        | Action::Pass
        | Action::EndTurn
        | Action::Resign => Vec::new(),
    }
}

/// What is paid for an action, where it names that.
fn payment(action: &Action<Names>) -> Option<&Payment> {
    match action {
        Action::MoveStone { pay, .. } => Some(pay),
        Action::BuildTemple { pay, .. }
        | Action::BuildWall { pay, .. }
        | Action::Arm { pay, .. }
        | Action::Develop { pay, .. }
        | Action::Recruit { pay, .. }
        | Action::Found { pay, .. } => pay.as_ref(),
        _ => None,
    }
}

fn choice(action: &Action<Names>, json: &Value, teller: Teller<'_>) -> Markup {
    let pay = payment(action)
        .map(|pay| teller.texts().paid(pay))
        .unwrap_or_default();
    html! {
        button type="button" class="choice" data-action=(json) data-regions=(regions(action).join(" ")) {
            (capital(&teller.action(action, &pay)))
        }
    }
}

/// The part of a game's page by which it is played; nothing of a game that is over. Modules show it.
pub fn panel(body: &GameBody, nations: &Nations, orders: &Markup) -> Markup {
    let texts = nations.texts();
    let game = &body.summary;
    if !matches!(game.status, Status::Open | Status::Running) {
        return html! {};
    }
    let open = game.seats.iter().filter(|seat| seat.player == Player::Open);
    html! {
        section id="play" class="play script" aria-labelledby="play-title" data-edition=(game.edition)
            data-yours=(texts.text("play-yours")) data-others=(texts.text("play-others")) data-seats=(game.seats.len())
            data-bad-token=(texts.text("play-bad-token")) data-rule=(texts.text("play-rule")) data-resign=(texts.text("play-resign-ask"))
            data-asked=(texts.text("play-asked")) {
            h2 id="play-title" { (texts.text("play-here")) }
            p id="play-state" role="status" {}
            p id="refusal" role="alert" hidden {}
            form id="seat-form" class="filter" hidden[game.status != Status::Open] {
                label { (texts.text("play-name")) input name="name" maxlength="64" autocomplete="nickname"; }
                @for seat in open {
                    button name="seat" value=(seat.seat) {
                        (texts.text("play-take")) " " @for name in &seat.nations { (nations.named(name)) " " }
                    }
                }
            }
            form id="token-form" class="filter" {
                label { (texts.text("play-token")) input name="token" type="password" autocomplete="off" required; }
                button { (texts.text("play-use")) }
            }
            div id="confirm" class="confirm" role="group" aria-labelledby="confirm-words" hidden {
                p id="confirm-words" {}
                ul id="confirm-follows" {}
                div class="actions" {
                    button type="button" class="first" id="send" { (texts.text("play-send")) }
                    button type="button" id="dismiss" { (texts.text("play-dismiss")) }
                }
            }
            p id="narrowed" hidden { span {} " " button type="button" id="widen" { (texts.text("play-all")) } }
            div id="choices" {}
            div id="own" class="actions" hidden {
                button type="button" id="undo" { (texts.text("play-undo")) }
                button type="button" id="decline" hidden { (texts.text("play-decline")) }
                button type="button" id="resign" { (texts.text("play-resign")) }
            }
            (orders)
            // Words for what chips a dry run has changed.
            template id="chips" {
                @for chip in Resource::ALL { span data-name=(chip.name()) { (capital(&texts.chip(*chip))) } }
                span data-name="coins" { (capital(texts.text("chip-coins"))) }
                @for personage in Personage::ALL { span data-name=(personage.name()) { (texts.personage(*personage)) } }
            }
        }
    }
}
