//! Boards: regions, borders and start cities.

use actix_web::{HttpRequest, HttpResponse, get, web};
use engine::content::{Board, BoardFile};
use serde::Serialize;
use utoipa::ToSchema;

use super::content;
use crate::games::Games;
use crate::openapi::{LookingUp, Rendering};
use crate::problem::{Code, Problem};

/// A board.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BoardBody {
    /// SHA-256 of the board's file.
    pub hash: String,
    /// The board.
    #[serde(flatten)]
    pub board: BoardFile,
}

/// The boards.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Boards {
    /// By id.
    pub items: Vec<BoardBody>,
}

fn body(board: &Board) -> BoardBody {
    BoardBody {
        hash: board.hash.to_string(),
        board: board.data.clone(),
    }
}

/// List the boards
#[utoipa::path(tag = "rules", responses(
    (status = 200, description = "Every board", body = Boards),
    (status = 304, description = "The caller has it"),
    Rendering,
))]
#[get("/v1/boards")]
pub async fn list_boards(
    request: HttpRequest,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let items = games.library().boards().map(|board| body(board)).collect();
    content(&request, &Boards { items })
}

/// Get a board
#[utoipa::path(tag = "rules", params(("board" = String, Path, example = "antike-east")), responses(
    (status = 200, description = "The board", body = BoardBody),
    (status = 304, description = "The caller has it"),
    LookingUp,
))]
#[get("/v1/boards/{board}")]
pub async fn get_board(
    request: HttpRequest,
    path: web::Path<String>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let board = games
        .library()
        .board(&path)
        .ok_or_else(|| Problem::new(Code::NotFound, format!("there is no board {:?}", *path)))?;
    content(&request, &body(board))
}
