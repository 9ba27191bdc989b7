//! The page of an invitation link, and the link as a QR code.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, get, web};
use maud::{Markup, html};
use qrcode::QrCode;
use qrcode::render::svg;

use crate::games::bodies::GameSummary;
use crate::games::model::{Status, Visibility};
use crate::games::table::summary;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{blocking, text};
use crate::http::request::base;
use crate::http::request::caller::identity;
use crate::services::Services;
use crate::site::badge::Nations;
use crate::site::choice::Visit;
use crate::site::frame::{Frame, page};
use crate::site::game::{player_shown, title};
use crate::site::lobby::parts::{is_free, settings, signed_in};
use crate::site::preview::{Audience, Preview};
use crate::site::texts::Texts;

/// The longest code that is drawn.
const LONGEST: usize = 40;

/// The least width of a QR code, in pixels.
const WIDTH: u32 = 220;

/// Where an invitation link leads.
enum Destination {
    /// The game, whose seats can be taken.
    Invitation(Box<GameSummary>),
    /// A page of the game: it has started, or the account that is signed in has a seat.
    Elsewhere(String),
}

fn find(services: &Services, code: &str, call: &Call) -> Result<Destination, ServiceError> {
    let table = services.invitations.table(code)?;
    let game = format!("/games/{}", table.id());
    let account = call.access.as_ref().map(|access| access.account);
    if account.is_some_and(|account| table.seat_of(account).is_some()) {
        return Ok(Destination::Elsewhere(format!("{game}/lobby")));
    }
    match table.status() {
        Status::Open => {
            let game = summary(&table.stored, &table.seats)?;
            Ok(Destination::Invitation(Box::new(game)))
        }
        _ if services.games.access.sees(call, &table)? => Ok(Destination::Elsewhere(game)),
        // Reports why the code is not valid.
        _ => {
            let game = services.invitations.open_game(code)?;
            Ok(Destination::Invitation(Box::new(game)))
        }
    }
}

/// The page of an invitation link.
#[get("/join/{code}")]
pub async fn join_page(
    request: HttpRequest,
    path: web::Path<String>,
    visit: Visit,
    services: web::Data<Services>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    let code = path.into_inner();
    let call = identity(&request);
    let account = signed_in(&request);
    let sent = code.clone();
    let found = blocking(&services, move |services| find(services, &sent, &call)).await?;
    let game = match found {
        Destination::Invitation(game) => game,
        Destination::Elsewhere(path) => {
            return Ok(HttpResponse::SeeOther()
                .insert_header((LOCATION, path))
                .finish());
        }
    };
    let may_join = game.visibility != Visibility::Private || account.is_some();
    let main = html! {
        h1 { (texts.text("join-title")) }
        p class="lead" { b { (title(texts, &services.games, &game)) } }
        noscript { p class="hint" { (texts.text("play-needs-scripts")) } }
        @if may_join { (form(texts, &game, &code, account.is_some())) }
        @else { p class="notice" { (texts.text("join-private")) } }
        (settings(texts, &game))
    };
    let frame = Frame {
        title: texts.text("join-title"),
        part: "/play",
        scripts: &["join.js"],
        class: "narrow",
    };
    let about = title(texts, &services.games, &game);
    let preview = Preview::new(texts, &about).with_board(&game.board);
    let preview = preview.with_audience(Audience::Unlisted);
    Ok(page(
        &request,
        texts,
        frame.previewed(&visit, &preview, &main),
    ))
}

fn form(texts: Texts, game: &GameSummary, code: &str, signed_in: bool) -> Markup {
    let nations = Nations::of(texts, game);
    let has_free = game.seats.iter().any(is_free);
    html! {
        form id="join" data-code=(code) data-game=(game.id) {
            @if has_free {
                div class="filter" {
                    @if !signed_in {
                        label { (texts.text("play-name")) input name="name" maxlength="64" autocomplete="nickname"; }
                    }
                    button class="first" name="seat" value="" { (texts.text("join-take")) }
                }
            } @else { p class="notice" { (texts.text("join-full")) } }
            p id="refusal" role="alert" hidden {}
            h2 { (texts.text("game-seats")) }
            ul class="seat-list" {
                @for seat in &game.seats {
                    li {
                        span class="of" { @for name in &seat.nations { (nations.named(name)) " " } }
                        span class="who" { (player_shown(texts, seat)) }
                        @if is_free(seat) {
                            @let names: Vec<String> = seat.nations.iter().map(|name| texts.nation(name)).collect();
                            button name="seat" value=(seat.seat) {
                                (texts.format("join-as", [("nations", texts.listed(&names).into())]))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// An invitation link as a QR code.
/// It is drawn for every code, so that it does not reveal which codes exist.
#[get("/join/{code}/qr.svg")]
pub async fn qr_code(
    request: HttpRequest,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let code = path.into_inner();
    let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
    let missing = || Problem::new(Code::NotFound, "this is not an invitation code");
    if code.len() > LONGEST || !code.bytes().all(is_letter) {
        return Err(missing());
    }
    let link = format!("{}/join/{code}", base(&request));
    let drawn = QrCode::new(link).map_err(|_| missing())?;
    let drawn = drawn
        .render::<svg::Color<'_>>()
        .min_dimensions(WIDTH, WIDTH)
        .build();
    Ok(text(&request, "image/svg+xml", drawn))
}
