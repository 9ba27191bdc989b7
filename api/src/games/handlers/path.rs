//! Games and seats in paths.

use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use uuid::Uuid;

use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::problem::Problem;
use crate::http::reply::{at_once, blocking};
use crate::http::request::body::Reading;
use crate::http::request::caller::identity;
use crate::http::request::path::{not_found, number};

/// The game that a path names as `id`; 404 when that is no UUID, and when there is no such game or none for the
/// caller: every operation on a game comes through here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameId(pub Uuid);

impl GameId {
    fn of(request: &HttpRequest) -> Result<GameId, Problem> {
        let text = request.match_info().query("id");
        let id = Uuid::try_parse(text).map_err(|_| not_found("game", text))?;
        Ok(GameId(id))
    }

    /// The game is there for the caller. The answer is kept for the other extractors of the request.
    async fn seen(self, request: &HttpRequest) -> Result<GameId, Problem> {
        if request.extensions().get::<GameId>() == Some(&self) {
            return Ok(self);
        }
        let seen = self.look(request).await?;
        request.extensions_mut().insert(seen);
        Ok(seen)
    }

    async fn look(self, request: &HttpRequest) -> Result<GameId, Problem> {
        let Some(games) = request.app_data::<web::Data<Games>>() else {
            return Ok(self);
        };
        let GameId(id) = self;
        let read = move |games: &Games| match games.table(id) {
            Ok(table) => Ok(Some(table)),
            // A caller who asks for what is damaged receives that from the handler that reads it.
            Err(ServiceError::Damaged { .. }) => Ok(None),
            Err(error) => Err(error),
        };
        let table = match games.table_in_memory(id) {
            Some(table) => table,
            None => match blocking(games, read).await? {
                Some(table) => table,
                None => return Ok(self),
            },
        };
        // The caller need not be found out where it does not matter.
        if Call::default().sees(&table) {
            return Ok(self);
        }
        let call = identity(request);
        if call.sees(&table) {
            return Ok(self);
        }
        // The store is asked as for a game that is not there, so that nothing else comes before or after it.
        let asked = at_once(games, move |games| {
            let _version = games.store().version(id);
            games.access.sees(&call, &table)
        });
        if matches!(asked.await, Ok(true)) {
            return Ok(self);
        }
        Err(ServiceError::NotFound(format!("game {id}")).into())
    }
}

/// Where a game stands: at once when it is in memory.
///
/// # Errors
/// 404 when there is no such game; when the store fails.
pub async fn table(games: &web::Data<Games>, id: Uuid) -> Result<Arc<Table>, Problem> {
    match games.table_in_memory(id) {
        Some(table) => Ok(table),
        None => blocking(games, move |games| games.table(id)).await,
    }
}

/// The game of a request, where its path names one, is there for the caller.
///
/// # Errors
/// 404 when it is not; when the store fails.
pub fn check_game(request: HttpRequest) -> Reading<()> {
    Box::pin(async move {
        let of_game = |pattern: String| pattern.starts_with("/v1/games/{id}");
        if request.match_pattern().is_some_and(of_game) {
            GameId::of(&request)?.seen(&request).await?;
        }
        Ok(())
    })
}

impl FromRequest for GameId {
    type Error = Problem;
    type Future = Reading<GameId>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { GameId::of(&request)?.seen(&request).await })
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
    type Future = Reading<SeatId>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let GameId(game) = GameId::of(&request)?.seen(&request).await?;
            let seat = number("seat", request.match_info().query("seat"))?;
            Ok(SeatId { game, seat })
        })
    }
}
