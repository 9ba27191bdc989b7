//! The games of the caller, those that wait for the caller first.

use actix_web::{HttpRequest, HttpResponse, get, web};
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use crate::games::bodies::GameSummary;
use crate::games::model::Status;
use crate::games::queries::lists::GameFilter;
use crate::games::table::summary;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, private};
use crate::http::request::caller::Caller;
use crate::http::request::query::Query;
use crate::services::Services;
use crate::site::choice::Visit;
use crate::site::frame::HTML;
use crate::site::games::entry_with;
use crate::site::texts::Texts;

/// The most games of each kind.
const MOST: usize = 30;

/// The most games that are over.
const MOST_OVER: usize = 3;

/// The seats that a browser keeps.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SeatsQuery {
    /// Games and seats: `ID:SEAT,ID:SEAT`. Unknown games are ignored.
    of: String,
}

/// The kinds of listed games, in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MyGameKind {
    Waiting,
    Invited,
    Running,
    Open,
    Over,
}

/// A list of the games of an account and of the seats that the browser keeps, as a part of a page.
#[get("/play/mine")]
pub async fn my_games(
    request: HttpRequest,
    Query(query): Query<SeatsQuery>,
    Caller(call): Caller,
    visit: Visit,
    services: web::Data<Services>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let texts = visit.texts;
    let games = blocking(&services, move |services| {
        list(services, &call, &kept_seats(&query.of))
    })
    .await?;
    let part = html! {
        ul class="games" {
            @for (kind, game) in &games {
                @let to_table = matches!(kind, MyGameKind::Open | MyGameKind::Invited);
                (entry_with(texts, &services.games, game, &label(texts, *kind), to_table))
            }
        }
    };
    Ok(private(HttpResponse::Ok())
        .content_type(HTML)
        .body(part.into_string()))
}

fn kept_seats(text: &str) -> Vec<(Uuid, u8)> {
    let pair = |pair: &str| {
        let (game, seat) = pair.split_once(':')?;
        Some((Uuid::try_parse(game).ok()?, seat.parse().ok()?))
    };
    text.split(',').filter_map(pair).take(MOST).collect()
}

fn list(
    services: &Services,
    call: &Call,
    kept: &[(Uuid, u8)],
) -> Result<Vec<(MyGameKind, GameSummary)>, ServiceError> {
    let mut games: Vec<(MyGameKind, GameSummary)> = Vec::new();
    if call.access.is_some() {
        for which in [(true, false), (false, true), (false, false)] {
            let listed = services
                .lists
                .mine(call, GameFilter::default(), which, None, MOST)?;
            for game in listed.items {
                let kind = match which {
                    (true, _) => MyGameKind::Waiting,
                    (_, true) => MyGameKind::Invited,
                    _ => kind(&game, None),
                };
                games.push((kind, game));
            }
        }
    }
    for (id, seat) in kept {
        let table = match services.games.table(*id) {
            Ok(table) => table,
            Err(ServiceError::NotFound(_) | ServiceError::Damaged { .. }) => continue,
            Err(error) => return Err(error),
        };
        if services.games.access.sees(call, &table)? {
            let game = summary(&table.stored, &table.seats)?;
            games.push((kind(&game, Some(*seat)), game));
        }
    }
    games.sort_by_key(|(kind, game)| {
        (
            *kind,
            game.due_at.is_none(),
            game.due_at,
            -game.updated_at.as_microsecond(),
        )
    });
    let mut seen = Vec::new();
    games.retain(|(_, game)| {
        let is_new = !seen.contains(&game.id);
        seen.push(game.id);
        is_new
    });
    let over = games
        .iter()
        .position(|(kind, _)| *kind == MyGameKind::Over)
        .unwrap_or(games.len());
    games.truncate(over + MOST_OVER);
    Ok(games)
}

/// Returns the kind of a game in which the caller plays.
/// Without a seat, it does not wait for the caller.
fn kind(game: &GameSummary, seat: Option<u8>) -> MyGameKind {
    let mut asked = game.pending.iter().map(|question| question.seat);
    match game.status {
        Status::Running if asked.any(|asked| seat == Some(asked)) => MyGameKind::Waiting,
        Status::Running => MyGameKind::Running,
        Status::Open => MyGameKind::Open,
        Status::Finished | Status::Abandoned => MyGameKind::Over,
    }
}

fn label(texts: Texts, kind: MyGameKind) -> Markup {
    html! {
        @match kind {
            MyGameKind::Waiting => span class="tag yours" { (texts.text("play-yours")) },
            MyGameKind::Invited => span class="tag yours" { (texts.text("mine-invited")) },
            MyGameKind::Running | MyGameKind::Open | MyGameKind::Over => {}
        }
    }
}
