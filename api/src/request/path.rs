//! Paths: games, seats and numbers.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use uuid::Uuid;

use crate::problem::{Code, Problem};

fn not_found(what: &str, text: &str) -> Problem {
    Problem::new(Code::NotFound, format!("there is no {what} {text:?}"))
}

/// A number in a path.
///
/// # Errors
/// 404 when it is no number: there is no such resource.
pub fn number<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| not_found(what, text))
}

/// The game that a path names as `id`; 404 when that is no UUID.
#[derive(Clone, Copy, Debug)]
pub struct GameId(pub Uuid);

impl GameId {
    fn of(request: &HttpRequest) -> Result<GameId, Problem> {
        let text = request.match_info().query("id");
        let id = Uuid::try_parse(text).map_err(|_| not_found("game", text))?;
        Ok(GameId(id))
    }
}

impl FromRequest for GameId {
    type Error = Problem;
    type Future = Ready<Result<GameId, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(GameId::of(request))
    }
}

/// The seat that a path names as `id` and `seat`; 404 when these are no UUID and no number.
#[derive(Clone, Copy, Debug)]
pub struct SeatId {
    /// The game.
    pub game: Uuid,
    /// The seat's number.
    pub seat: u8,
}

impl FromRequest for SeatId {
    type Error = Problem;
    type Future = Ready<Result<SeatId, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let read = || {
            let GameId(game) = GameId::of(request)?;
            let seat = number("seat", request.match_info().query("seat"))?;
            Ok(SeatId { game, seat })
        };
        ready(read())
    }
}
