//! Pictures of boards and positions.

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

/// The media type of SVG pictures.
pub const SVG: &str = "image/svg+xml";

/// The media type of PNG pictures.
pub const PNG: &str = "image/png";

/// The colours of a picture: light or dark.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrawingTheme {
    /// Dark on light, also for print.
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

/// The colours of a chart.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ThemeQuery {
    /// The colours of the picture (`image/svg+xml`): light or dark; light by default
    #[param(inline)]
    theme: Option<DrawingTheme>,
}

/// A query with the colours of its picture.
#[derive(Clone, Copy, Debug)]
pub struct ThemedQuery<T>(pub T, pub Theme);

impl<T: DeserializeOwned> ThemedQuery<T> {
    /// Reads a query.
    ///
    /// # Errors
    /// 422 if the colours or the rest cannot be read.
    pub fn read(query: &str) -> Result<ThemedQuery<T>, Problem> {
        let pairs = form_urlencoded::parse(query.as_bytes());
        let (own, rest): (Vec<_>, Vec<_>) = pairs.partition(|(name, _)| name == "theme");
        let written = |pairs: Vec<(_, _)>| {
            let mut text = form_urlencoded::Serializer::new(String::new());
            text.extend_pairs(pairs).finish()
        };
        let Query(ThemeQuery { theme }) = Query::read(&written(own))?;
        let Query(query) = Query::read(&written(rest))?;
        Ok(ThemedQuery(query, theme.unwrap_or_default().into()))
    }
}

impl<T: DeserializeOwned> FromRequest for ThemedQuery<T> {
    type Error = Problem;
    type Future = Ready<Result<ThemedQuery<T>, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(ThemedQuery::read(request.query_string()))
    }
}

/// The style of a drawing.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DrawingQuery {
    /// The colours: light or dark; light by default
    #[param(inline)]
    theme: Option<DrawingTheme>,
    /// The width in pixels, from 200 to 2400; 1200 by default.
    /// The height follows from the proportions of A4
    #[param(minimum = 200, maximum = 2400)]
    size: Option<u32>,
    /// The ids of regions to highlight, separated by commas
    #[param(example = "babylon,ninive")]
    highlight: Option<String>,
}

impl DrawingQuery {
    /// Returns the requested style, independent of the board.
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

/// Returns the problem of an invalid style, with its parameter.
fn misfit(error: &StyleError) -> Problem {
    let field = match error {
        StyleError::Width(_) => "size",
        StyleError::Region(_) => "highlight",
    };
    Problem::invalid_parameter(field, error.to_string())
}

/// Draw a board
///
/// The version for new games, empty, with the start cities for the largest number of nations. Text in the SVG is text,
/// and regions have the attribute `data-region`.
#[utoipa::path(tag = "rules",
    params(("board" = String, Path, example = "antike-east"), DrawingQuery),
    responses(
        (status = 200, description = "The board", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        LookingUp,
    ))]
#[get("/v1/boards/{board}.svg")]
pub async fn draw_board_svg(
    request: HttpRequest,
    path: web::Path<String>,
    Query(query): Query<DrawingQuery>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let board = find_board(&library, &path)?;
    board_picture(&request, &library, board, query.style(), SVG).await
}

/// Draw a board in pixels
///
/// The same as `.svg`, for programs that cannot show SVG. It counts as an expensive request.
#[utoipa::path(tag = "rules",
    params(("board" = String, Path, example = "antike-east"), DrawingQuery),
    responses(
        (status = 200, description = "The board", body = Vec<u8>, content_type = "image/png"),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        LookingUp,
    ))]
#[get("/v1/boards/{board}.png")]
pub async fn draw_board_png(
    request: HttpRequest,
    path: web::Path<String>,
    Query(query): Query<DrawingQuery>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let board = find_board(&library, &path)?;
    board_picture(&request, &library, board, query.style(), PNG).await
}

fn find_board(library: &Library, id: &str) -> Result<Arc<Board>, Problem> {
    let board = library.board(id);
    board.cloned().ok_or_else(|| not_found("board", id))
}

/// Returns a picture of a board in a media type.
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

/// Returns a picture, or 304 if the caller has it. `key` identifies the drawing in the cache.
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

/// A picture with its tag.
#[derive(Clone, Debug)]
struct RenderedPicture {
    tag: String,
    bytes: Bytes,
}

/// The maximum bytes of cached pictures in pixels.
const KEPT: u64 = 16 << 20;

/// A cache of pictures in pixels, by the key of the drawing.
///
/// Entries never become outdated: versions of boards and positions after events do not change.
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

/// Draws a picture in pixels as soon as a slot is free, or returns it from the cache.
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
    // Another request may have drawn it since the check.
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
            tracing::error!(%error, "drawing a picture panicked");
            Err(Problem::internal())
        }
    }
}
