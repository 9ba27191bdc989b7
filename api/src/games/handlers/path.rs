//! The game and the seat in the path of a request.

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

/// The game that a path names as `game`.
/// 404 if it is not a UUID, or the caller may not see such a game. Every operation on a game uses this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameId(pub Uuid);

impl GameId {
    fn read(request: &HttpRequest) -> Result<GameId, Problem> {
        let text = request.match_info().query("game");
        let id = Uuid::try_parse(text).map_err(|_| not_found("game", text))?;
        Ok(GameId(id))
    }

    /// Checks that the caller may see the game. The result is stored for the request's other extractors.
    async fn check_visible(self, request: &HttpRequest) -> Result<GameId, Problem> {
        if request.extensions().get::<GameId>() == Some(&self) {
            return Ok(self);
        }
        let visible = self.find_visible(request).await?;
        request.extensions_mut().insert(visible);
        Ok(visible)
    }

    async fn find_visible(self, request: &HttpRequest) -> Result<GameId, Problem> {
        let Some(games) = request.app_data::<web::Data<Games>>() else {
            return Ok(self);
        };
        let GameId(id) = self;
        let read = move |games: &Games| match games.table(id) {
            Ok(table) => Ok(Some(table)),
            // The handler that reads a damaged game reports that.
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
        // A public game needs no check of the caller.
        if Call::default().sees(&table) {
            return Ok(self);
        }
        let call = identity(request);
        let check = at_once(games, move |games| {
            let sees = games.access.sees(&call, &table)?;
            if !sees {
                // Reads the store as for a missing game, so that the response time does not reveal a private game.
                let _version = games.store().version(id);
            }
            Ok(sees)
        });
        if matches!(check.await, Ok(true)) {
            return Ok(self);
        }
        Err(ServiceError::NotFound(format!("game {id}")).into())
    }
}

/// Returns a game's snapshot, without waiting if it is in memory.
///
/// # Errors
/// 404 if there is no such game, or the error of the store.
pub async fn table(games: &web::Data<Games>, id: Uuid) -> Result<Arc<Table>, Problem> {
    match games.table_in_memory(id) {
        Some(table) => Ok(table),
        None => blocking(games, move |games| games.table(id)).await,
    }
}

/// Checks that the caller may see the game in the path of a request, if the path names one.
///
/// # Errors
/// 404 if the caller may not, or the error of the store.
pub fn check_game(request: HttpRequest) -> Reading<()> {
    Box::pin(async move {
        let of_game = |pattern: String| pattern.starts_with("/v1/games/{game}");
        if request.match_pattern().is_some_and(of_game) {
            GameId::read(&request)?.check_visible(&request).await?;
        }
        Ok(())
    })
}

impl FromRequest for GameId {
    type Error = Problem;
    type Future = Reading<GameId>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { GameId::read(&request)?.check_visible(&request).await })
    }
}

/// The seat that a path names as `game` and `seat`. 404 if these are not a UUID and a number.
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
            let GameId(game) = GameId::read(&request)?.check_visible(&request).await?;
            let seat = number("seat", request.match_info().query("seat"))?;
            Ok(SeatId { game, seat })
        })
    }
}
