//! Drawings: boards and positions as pictures.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest, HttpResponse, get, web};
use charts::Theme;
use drawing::{Style, StyleError};
use engine::content::{Board, Library};
use moka::sync::Cache;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::{IntoParams, ToSchema};

use crate::http::answers::LookingUp;
use crate::http::limits::gate::charge;
use crate::http::limits::load::{LoadKind, slot};
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{blocking, versioned};
use crate::http::request::path::not_found;
use crate::http::request::query::Query;
use crate::http::secret::hashed;

/// The media type of drawings as SVG.
pub const SVG: &str = "image/svg+xml";

/// The media type of drawings in pixels.
pub const PNG: &str = "image/png";

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrawingTheme {
    /// Dark on light, also for paper.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

impl From<DrawingTheme> for Theme {
    fn from(theme: DrawingTheme) -> Theme {
        match theme {
            DrawingTheme::Light => Theme::Light,
            DrawingTheme::Dark => Theme::Dark,
        }
    }
}

/// The colours of a picture of numbers.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ThemeQuery {
    /// Of the picture (`image/svg+xml`): light or dark; light when left out
    #[param(inline)]
    theme: Option<DrawingTheme>,
}

/// A query that tells beside what is asked for in which colours its picture is to be.
#[derive(Clone, Copy, Debug)]
pub struct Themed<T>(pub T, pub Theme);

impl<T: DeserializeOwned> FromRequest for Themed<T> {
    type Error = Problem;
    type Future = Ready<Result<Themed<T>, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let pairs = form_urlencoded::parse(request.query_string().as_bytes());
        let (own, rest): (Vec<_>, Vec<_>) = pairs.partition(|(name, _)| name == "theme");
        let written = |pairs: Vec<(_, _)>| {
            let mut text = form_urlencoded::Serializer::new(String::new());
            text.extend_pairs(pairs).finish()
        };
        let theme = Query::<ThemeQuery>::read(&written(own));
        ready(theme.and_then(|Query(ThemeQuery { theme })| {
            let Query(asked) = Query::read(&written(rest))?;
            Ok(Themed(asked, theme.unwrap_or_default().into()))
        }))
    }
}

/// How a drawing looks.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DrawingQuery {
    /// Light or dark; light when left out
    #[param(inline)]
    theme: Option<DrawingTheme>,
    /// The width in pixels; the height follows, in the proportions of A4. 1200 when left out
    #[param(minimum = 200, maximum = 2400)]
    size: Option<u32>,
    /// Regions that are marked: ids, with commas between them
    #[param(example = "babylon,ninive")]
    highlight: Option<String>,
}

impl DrawingQuery {
    /// The style that is asked for, whatever the board.
    pub fn style(&self) -> Style {
        let usual = Style::default();
        let regions = self.highlight.iter().flat_map(|ids| ids.split(','));
        Style {
            theme: self.theme.unwrap_or_default().into(),
            width: self.size.unwrap_or(usual.width),
            highlight: regions
                .filter(|id| !id.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    }
}

/// What of the query a style comes from that does not fit, and why.
fn misfit(error: &StyleError) -> Problem {
    let field = match error {
        StyleError::Width(_) => "size",
        StyleError::Region(_) => "highlight",
    };
    Problem::invalid(field, error.to_string())
}

/// Draw a board
///
/// The version for new games, empty, with the start cities of the most nations it is made for. Text is
/// text, and regions can be found by `data-region`.
#[utoipa::path(tag = "rules",
    params(("board" = String, Path, example = "antike-east"), DrawingQuery),
    responses(
        (status = 200, description = "The board", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "The caller has it"),
        LookingUp,
    ))]
#[get("/v1/boards/{board}.svg")]
pub async fn draw_board(
    request: HttpRequest,
    path: web::Path<String>,
    Query(query): Query<DrawingQuery>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let board = found(&library, &path)?;
    board_picture(&request, &library, board, query.style(), SVG).await
}

/// Draw a board in pixels
///
/// As `.svg`, for where that cannot be shown. It counts as expensive.
#[utoipa::path(tag = "rules",
    params(("board" = String, Path, example = "antike-east"), DrawingQuery),
    responses(
        (status = 200, description = "The board", body = Vec<u8>, content_type = "image/png"),
        (status = 304, description = "The caller has it"),
        LookingUp,
    ))]
#[get("/v1/boards/{board}.png")]
pub async fn draw_board_in_pixels(
    request: HttpRequest,
    path: web::Path<String>,
    Query(query): Query<DrawingQuery>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let board = found(&library, &path)?;
    board_picture(&request, &library, board, query.style(), PNG).await
}

fn found(library: &Library, id: &str) -> Result<Arc<Board>, Problem> {
    let board = library.board(id);
    board.cloned().ok_or_else(|| not_found("board", id))
}

/// A board as a picture of a media type.
pub async fn board_picture(
    request: &HttpRequest,
    library: &web::Data<Library>,
    board: Arc<Board>,
    style: Style,
    media_type: &'static str,
) -> Result<HttpResponse, Problem> {
    let key = format!("{} {style:?}", board.hash);
    let svg = blocking(library, move |_| Ok(drawing::board(&board, &style)));
    picture(request, key, svg, media_type, "no-cache").await
}

/// An answer with a picture, or 304 when the caller has it. `key` tells apart what is drawn.
pub async fn picture(
    request: &HttpRequest,
    key: String,
    svg: impl Future<Output = Result<Result<String, StyleError>, Problem>>,
    media_type: &'static str,
    cache: &'static str,
) -> Result<HttpResponse, Problem> {
    let picture = match media_type {
        PNG => {
            charge(request, Policy::Expensive)?;
            pixels(request, key, svg).await?
        }
        _ => {
            let svg = svg.await?.map_err(|error| misfit(&error))?;
            RenderedPicture {
                tag: format!("\"{}-svg\"", &hashed(&svg)[..16]),
                bytes: svg.into(),
            }
        }
    };
    let RenderedPicture { tag, bytes } = picture;
    Ok(versioned(request, &tag, media_type, bytes, cache))
}

/// A picture as it is sent.
#[derive(Clone, Debug)]
struct RenderedPicture {
    tag: String,
    bytes: Bytes,
}

/// The most bytes of pictures in pixels that are kept.
const KEPT: u64 = 16 << 20;

/// Pictures in pixels that were drawn lately, by what tells them apart: neither a version of a board nor a position
/// after an event ever changes.
#[derive(Clone, Debug)]
pub struct Pictures(Cache<String, RenderedPicture>);

impl Default for Pictures {
    fn default() -> Pictures {
        let size = |key: &String, picture: &RenderedPicture| {
            u32::try_from(key.len() + picture.bytes.len()).unwrap_or(u32::MAX)
        };
        Pictures(Cache::builder().max_capacity(KEPT).weigher(size).build())
    }
}

/// A drawing in pixels: from the cache, or drawn as soon as a slot is free.
async fn pixels(
    request: &HttpRequest,
    key: String,
    svg: impl Future<Output = Result<Result<String, StyleError>, Problem>>,
) -> Result<RenderedPicture, Problem> {
    let pictures = request.app_data::<web::Data<Pictures>>();
    let known = |key: &str| pictures.and_then(|pictures| pictures.0.get(key));
    if let Some(known) = known(&key) {
        return Ok(known);
    }
    let slot = slot(LoadKind::Picture).await?;
    // Another request may have drawn it while this one waited.
    if let Some(known) = known(&key) {
        return Ok(known);
    }
    let svg = svg.await?.map_err(|error| misfit(&error))?;
    let tag = format!("\"{}-png\"", &hashed(&svg)[..16]);
    let drawn = web::block(move || {
        let _slot = slot;
        drawing::png(&svg)
    });
    match drawn.await {
        Ok(Ok(drawn)) => {
            let picture = RenderedPicture {
                tag,
                bytes: drawn.into(),
            };
            if let Some(pictures) = pictures {
                pictures.0.insert(key, picture.clone());
            }
            Ok(picture)
        }
        Ok(Err(error)) => Err(Problem::new(Code::NotAcceptable, error.to_string())),
        Err(error) => {
            tracing::error!(%error, "a request panicked");
            Err(Problem::new(Code::Internal, "the fault has been logged"))
        }
    }
}
