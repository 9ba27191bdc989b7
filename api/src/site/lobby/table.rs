//! The table of a game before its start: the seats, the invitation, and what the organizer can do.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, get, web};
use maud::{Markup, html};
use uuid::Uuid;

use crate::games::bidding::{BiddingBody, BiddingKind};
use crate::games::bodies::{GameSummary, SeatBody};
use crate::games::handlers::path::GameId;
use crate::games::model::Status;
use crate::games::table::summary;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::caller::identity;
use crate::services::Services;
use crate::site::badge::Nations;
use crate::site::choice::Visit;
use crate::site::frame::time;
use crate::site::frame::{Frame, page};
use crate::site::game::{player, player_shown, title};
use crate::site::lobby::parts::{bot_options, is_free, settings};
use crate::site::preview::{Audience, Preview};
use crate::site::texts::Texts;

/// What the page of a table shows.
struct TableContent {
    game: GameSummary,
    /// The seat of the account that is signed in.
    own: Option<u8>,
    account: Option<Uuid>,
    /// Whether that account organizes the game.
    organizes: bool,
    bidding: Option<BiddingBody>,
    /// The handles of the accounts for which seats are reserved.
    invited: BTreeMap<Uuid, String>,
}

fn read(services: &Services, id: Uuid, call: &Call) -> Result<TableContent, ServiceError> {
    let table = services.games.table(id)?;
    let account = call.access.as_ref().map(|access| access.account);
    let game = summary(&table.stored, &table.seats)?;
    let mut invited = BTreeMap::new();
    for account in game.seats.iter().filter_map(|seat| seat.invited) {
        let player = services.accounts.player(&account.to_string())?;
        invited.insert(account, player.handle);
    }
    Ok(TableContent {
        game,
        own: account.and_then(|account| table.seat_of(account)),
        account,
        organizes: account.is_some() && call.organizer(&table).is_ok(),
        bidding: (table.stored.bidding.as_ref())
            .map(|bidding| bidding.body(&table.players(), &table.stored.pauses, None)),
        invited,
    })
}

/// The table of a game.
#[get("/games/{game}/lobby")]
pub async fn table_page(
    request: HttpRequest,
    GameId(id): GameId,
    visit: Visit,
    services: web::Data<Services>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    let call = identity(&request);
    let shown = blocking(&services, move |services| read(services, id, &call)).await?;
    let game = &shown.game;
    let title = title(texts, &services.games, game);
    let title = texts.format("table-title", [("game", title.into())]);
    let main = html! {
        h1 { (title) }
        div id="lobby" data-game=(game.id) data-seq=(game.seq) data-status=(game.status.name()) data-own=[shown.own]
            data-account=[shown.account] data-organizes=[shown.organizes.then_some("")] {
            (status(texts, game, shown.bidding.is_some()))
            noscript { p class="hint" { (texts.text("play-needs-scripts")) } }
            p id="refusal" role="alert" hidden {}
            div class="lobby" {
                section aria-labelledby="seats-title" {
                    h2 id="seats-title" { (texts.text("game-seats")) }
                    label id="name" class="script" hidden { (texts.text("play-name")) " " input id="guest-name" maxlength="64" autocomplete="nickname"; }
                    (seats(texts, &shown))
                    (settings(texts, game))
                }
                div {
                    @if let Some(bidding) = &shown.bidding { (bids(texts, game, bidding)) }
                    (invitation(texts))
                    (organizer(texts))
                }
            }
        }
    };
    let frame = Frame {
        title: &title,
        part: "/play",
        scripts: &["lobby.js"],
        class: "",
    };
    let preview = Preview::new(texts, &title).with_board(&game.board);
    let preview = preview.with_audience(Audience::from(game.visibility));
    Ok(page(
        &request,
        texts,
        frame.previewed(&visit, &preview, &main),
    ))
}

fn status(texts: Texts, game: &GameSummary, bids: bool) -> Markup {
    html! {
        p id="lobby-status" class="status-line" role="status" {
            span class={ "state " (game.status.name()) } { (texts.status(game.status)) } " "
            @if game.status == Status::Open {
                @let free = game.seats.iter().filter(|seat| is_free(seat)).count();
                @if free > 0 { (texts.format("open-seats", [("count", free.into())])) ". " }
                @if bids { (texts.text("bid-waits")) } @else { (texts.text("table-waits")) }
            } @else {
                a class="button first" href={ "/games/" (game.id) } { (texts.text("table-go")) }
            }
        }
    }
}

fn seats(texts: Texts, shown: &TableContent) -> Markup {
    let nations = Nations::of(texts, &shown.game);
    html! {
        ul id="seat-list" class="seat-list" {
            @for seat in &shown.game.seats {
                li {
                    span class="of" { @for name in &seat.nations { (nations.named(name)) " " } }
                    span class="who" { (occupant(texts, shown, seat)) }
                    (seat_buttons(texts, shown, seat, &nations))
                }
            }
        }
    }
}

/// The bids so far, and the form to bid, which the module shows to those who may.
fn bids(texts: Texts, game: &GameSummary, bidding: &BiddingBody) -> Markup {
    let nations = Nations::of(texts, game);
    let names = |seat: &SeatBody| {
        let names = seat.nations.iter().map(|name| texts.nation(name));
        texts.listed(&names.collect::<Vec<_>>())
    };
    // Guests can have the same name.
    let who = |number: u8| {
        let seat = game.seats.iter().find(|seat| seat.seat == number);
        seat.map_or_else(String::new, |seat| {
            format!("{} ({})", player(texts, &seat.player), names(seat))
        })
    };
    let highest = |number: u8| bidding.highest.iter().find(|bid| bid.seat == number);
    let is_sealed = bidding.kind == BiddingKind::Sealed;
    let missing: Vec<String> = bidding.missing.iter().map(|seat| who(*seat)).collect();
    html! {
        section id="bidding" class="panel" aria-labelledby="bidding-title" data-kind=(if is_sealed { "sealed" } else { "open" }) {
            h2 id="bidding-title" { (texts.text("bid-title")) }
            p { (texts.text(if is_sealed { "bid-sealed-lead" } else { "bid-open-lead" })) " "
                a href="/docs/play-with-friends#bid-for-nations" { (texts.text("bid-rules")) } }
            div id="bidding-state" data-missing=(bidding.missing.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")) {
                @if !bidding.highest.is_empty() {
                    ul class="seat-list" {
                        @for seat in &game.seats {
                            @if let Some(bid) = highest(seat.seat) {
                                li {
                                    span class="of" { @for name in &seat.nations { (nations.named(name)) " " } }
                                    span { (texts.format("bid-highest", [("points", texts.decimal(bid.points, 1).into()), ("player", who(bid.bidder).into())])) }
                                }
                            }
                        }
                    }
                }
                @if let Some(until) = bidding.ends_at {
                    p role="status" {
                        (texts.format("bid-missing", [("players", texts.listed(&missing).into())])) " "
                        (texts.text("bid-until")) " " (time(texts, until)) "."
                    }
                }
            }
            form id="bids" class="filter" hidden {
                @if is_sealed {
                    @for seat in &game.seats {
                        label { (names(seat)) (points_input(&seat.seat.to_string())) }
                    }
                } @else {
                    label { (texts.text("bid-for"))
                        select name="seat" { @for seat in &game.seats { option value=(seat.seat) { (names(seat)) } } }
                    }
                    label { (texts.text("bid-points")) (points_input("points")) }
                }
                button class="first" { (texts.text("bid-do")) }
                span id="bids-sent" role="status" data-text=(texts.text("bid-sent")) {}
            }
        }
    }
}

fn points_input(name: &str) -> Markup {
    html! { input type="number" name=(name) min="0" max="9.9" step="0.1" value="0" required; }
}

fn occupant(texts: Texts, shown: &TableContent, seat: &SeatBody) -> Markup {
    let handle = seat
        .invited
        .and_then(|account| shown.invited.get(&account).cloned());
    html! {
        @match handle {
            Some(handle) => (texts.format("table-reserved", [("player", handle.into())])),
            None => (player_shown(texts, seat)),
        }
        span class="you" data-seat=(seat.seat) hidden { " " span class="tag yours" { (texts.text("new-you")) } }
    }
}

/// What can be done with a seat; the module shows the buttons to those who may press them.
fn seat_buttons(texts: Texts, shown: &TableContent, seat: &SeatBody, nations: &Nations) -> Markup {
    let names: Vec<String> = seat
        .nations
        .iter()
        .map(|name| nations.texts().nation(name))
        .collect();
    let names = texts.listed(&names);
    let reserved_for_caller = seat.invited.is_some() && seat.invited == shown.account;
    let label = |id: &str| format!("{}: {names}", texts.text(id));
    html! {
        @if reserved_for_caller || is_free(seat) {
            button type="button" class="first" data-take=(seat.seat) data-reserved=[reserved_for_caller.then_some("")]
                aria-label=(label("table-take")) hidden { (texts.text("table-take")) }
        }
        @if reserved_for_caller {
            button type="button" data-decline=(seat.seat) aria-label=(label("table-decline")) hidden { (texts.text("table-decline")) }
        }
        @if seat.invited.is_some() && !reserved_for_caller {
            button type="button" data-withdraw=(seat.seat) aria-label=(label("table-withdraw")) hidden { (texts.text("table-withdraw")) }
        }
        @if seat.invited.is_none() && !is_free(seat) {
            button type="button" data-leave=(seat.seat) hidden { (texts.text("table-leave")) }
        }
    }
}

/// The invitation, which the module shows to the organizer.
fn invitation(texts: Texts) -> Markup {
    html! {
        section id="invite" class="panel" aria-labelledby="invite-title" hidden {
            h2 id="invite-title" { (texts.text("invite-title")) }
            p { (texts.text("invite-lead")) }
            div id="invite-link" class="invite-link" hidden {
                label for="link" { (texts.text("invite-link")) }
                input id="link" readonly;
                div class="actions" {
                    button type="button" class="first" id="copy" { (texts.text("invite-copy")) }
                    button type="button" id="share" hidden { (texts.text("invite-share")) }
                    span id="copied" role="status" data-text=(texts.text("invite-copied")) {}
                }
                p id="qr" data-alt=(texts.text("invite-qr")) {}
                div class="actions" {
                    button type="button" id="withdraw" { (texts.text("invite-withdraw")) }
                }
            }
            p id="invite-none" hidden { button type="button" class="first" id="make" { (texts.text("invite-make")) } " "
                span class="hint" { (texts.text("invite-make-hint")) } }
            form id="by-handle" class="filter" {
                label { (texts.text("invite-handle")) input name="handle" required minlength="3" maxlength="32" autocomplete="off" autocapitalize="none" spellcheck="false"; }
                button { (texts.text("invite-reserve")) }
            }
        }
    }
}

/// What else the organizer can do.
fn organizer(texts: Texts) -> Markup {
    html! {
        section id="organize" class="panel" aria-labelledby="organize-title" hidden {
            h2 id="organize-title" { (texts.text("organize-title")) }
            form id="fill" class="filter" {
                label { (texts.text("organize-bots")) select name="bot" { (bot_options(texts, "greedy")) } }
                button { (texts.text("organize-fill")) }
            }
            button type="button" id="cancel" data-question=(texts.text("organize-cancel-ask")) { (texts.text("organize-cancel")) }
        }
    }
}
