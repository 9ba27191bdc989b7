//! Boards: regions, borders and start cities.

use actix_web::{HttpRequest, HttpResponse, get, web};
use drawing::Style;
use engine::content::{Board, BoardFile, Library};
use serde::Serialize;
use utoipa::ToSchema;

use crate::content::drawings::{PNG, SVG, board_picture};
use crate::content::versions::{VersionBody, VersionQuery, find, find_numbered, listed};
use crate::http::answers::{LookingUp, LookingUpRendered, Rendering};
use crate::http::problem::Problem;
use crate::http::reply::{JSON, content};
use crate::http::request::accept::negotiate;
use crate::http::request::query::Query;

/// A board.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BoardBody {
    /// The SHA-256 of the board's file.
    pub hash: String,
    /// All versions, by number.
    pub versions: Vec<VersionBody>,
    /// The board.
    #[serde(flatten)]
    pub board: BoardFile,
}

/// The list of boards.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Boards {
    /// The boards, by id.
    pub items: Vec<BoardBody>,
}

fn body(library: &Library, board: &Board) -> BoardBody {
    let version = |one: &Board| VersionBody {
        version: one.data.version,
        hash: one.hash.to_string(),
        current: false,
        changes: one.data.changes.clone(),
    };
    BoardBody {
        hash: board.hash.to_string(),
        versions: listed(library.board_versions(&board.data.id), version),
        board: board.data.clone(),
    }
}

/// List the boards
#[utoipa::path(tag = "rules", responses(
    (status = 200, description = "All boards", body = Boards),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Rendering,
))]
#[get("/v1/boards")]
pub async fn list_boards(
    request: HttpRequest,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let boards = library.boards();
    let items = boards.map(|board| body(&library, board)).collect();
    content(&request, &Boards { items })
}

/// Get a board
///
/// The version for new games; `versions` lists all versions with their changes. Games keep the version with which they
/// were created: use `hash` to get an older one. As `image/svg+xml` or `image/png`, the board is drawn as by
/// `{board}.svg`.
#[utoipa::path(tag = "rules",
    params(("board" = String, Path, example = "antike-east"), VersionQuery),
    responses(
        (status = 200, description = "The board", content(
            (BoardBody = "application/json"), (String = "image/svg+xml"), (Vec<u8> = "image/png"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        LookingUpRendered,
    ))]
#[get("/v1/boards/{board}")]
pub async fn get_board(
    request: HttpRequest,
    path: web::Path<String>,
    Query(query): Query<VersionQuery>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let found = find(("board", &path), &query, library.board(&path), |hash| {
        library.board_version(&path, hash)
    })?;
    match [JSON, SVG, PNG][negotiate(&request, &[JSON, SVG, PNG])?] {
        JSON => content(&request, &body(&library, found)),
        picture => {
            board_picture(&request, &library, found.clone(), Style::default(), picture).await
        }
    }
}

/// Get a version of a board
#[utoipa::path(tag = "rules",
    params(("board" = String, Path, example = "antike-east"), ("version" = u32, Path, example = 1)),
    responses(
        (status = 200, description = "The board in that version", body = BoardBody),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        LookingUp,
    ))]
#[get("/v1/boards/{board}/versions/{version}")]
pub async fn get_board_version(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let (id, version) = path.into_inner();
    let found = find_numbered(("a board", &id), &version, |number| {
        library.board_numbered(&id, number)
    })?;
    content(&request, &body(&library, found))
}
