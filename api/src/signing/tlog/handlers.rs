//! Routes of the transparency log. Those below `/tlog` are defined by c2sp.org/tlog-tiles.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, get, web};
use records::tlog::{Tile, parse_tile_name};

use crate::http::problem::Problem;
use crate::http::reply::{FOR_EVER, blocking, text};
use crate::http::request::path::not_found;
use crate::signing::service::Signing;

/// The path below which the log is published.
pub const PREFIX: &str = "/tlog";

/// The path of the signed head.
pub const CHECKPOINT_PATH: &str = "/tlog/checkpoint";

/// Adds the routes of the log. They are not in the specification, because another one defines them.
pub fn configure(service: &mut web::ServiceConfig) {
    service
        .service(get_log_checkpoint)
        .service(get_entries)
        .service(get_tile);
}

#[get("/tlog/checkpoint")]
async fn get_log_checkpoint(
    request: HttpRequest,
    signing: web::Data<Signing>,
) -> Result<HttpResponse, Problem> {
    let note = blocking(&signing, Signing::log_checkpoint).await?;
    Ok(text(&request, "text/plain; charset=utf-8", note))
}

#[get("/tlog/tile/entries/{name:.*}")]
async fn get_entries(
    path: web::Path<String>,
    signing: web::Data<Signing>,
) -> Result<HttpResponse, Problem> {
    let tile = read_tile("0", &path)?;
    let bundle = blocking(&signing, move |signing| signing.entries(tile)).await?;
    bytes(bundle, &path)
}

#[get("/tlog/tile/{level}/{name:.*}")]
async fn get_tile(
    path: web::Path<(String, String)>,
    signing: web::Data<Signing>,
) -> Result<HttpResponse, Problem> {
    let (level, name) = path.into_inner();
    let tile = read_tile(&level, &name)?;
    let hashes = blocking(&signing, move |signing| signing.tile(tile)).await?;
    bytes(hashes, &name)
}

/// Reads the path of a tile. 404 if it is not exactly the path of one.
fn read_tile(level: &str, name: &str) -> Result<Tile, Problem> {
    let number: Option<u8> = level.parse().ok();
    let number = number.filter(|number| *number < 64 && number.to_string() == level);
    let tile = number.zip(parse_tile_name(name));
    let tile = tile.map(|(level, (index, width))| Tile {
        level,
        index,
        width,
    });
    tile.ok_or_else(|| not_found("tile", &format!("{level}/{name}")))
}

fn bytes(found: Option<Vec<u8>>, name: &str) -> Result<HttpResponse, Problem> {
    let content = found.ok_or_else(|| not_found("tile", name))?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/octet-stream"))
        .insert_header((CACHE_CONTROL, FOR_EVER))
        .body(content))
}
