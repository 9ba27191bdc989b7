//! Statistics of finished games.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse, get, guard};
use analytics::{Dictionary, FactsStoreError, Filters, MEASURES, Measure};
use charts::Theme;
use engine::content::Library;

use crate::content::drawings::{SVG, ThemeQuery, ThemedQuery};
use crate::games::handlers::known::{KnownNames, check_filters};
use crate::games::lists::GameLists;
use crate::http::answers::{Measuring, Rendering};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{JSON, blocking, content, not_modified};
use crate::http::request::accept::negotiate;
use crate::statistics::{Format, Statistics, StatisticsError};

/// The header that says, in every format, whether the table counts all finished games.
pub(super) const COMPLETE: &str = "tabularium-complete";

/// The detail of the problem while files of the facts are damaged.
const REPAIR: &str = "a file behind these statistics is damaged and is being rebuilt from the records; retry in some \
    seconds";

const FORMATS: [Format<Bytes>; 4] = [
    (JSON, |table| Ok(table.to_json()?.to_string().into())),
    ("text/csv", |table| Ok(table.to_csv()?.into())),
    ("application/vnd.apache.parquet", |table| {
        Ok(table.to_parquet()?.into())
    }),
    (SVG, |table| Ok(table.to_svg(Theme::Light)?.into())),
];

/// A picture with dark colours.
const DARK: Format<Bytes> = ("image/svg+xml;theme=dark", |table| {
    Ok(table.to_svg(Theme::Dark)?.into())
});

/// Get a measure
///
/// The specification replaces this path by one for each measure (`docs/complete.rs`). Only unknown names arrive here.
#[utoipa::path(tag = "statistics", params(Filters, ThemeQuery), responses(
    (status = 200, description = "The table: `rows` in JSON, only the columns in CSV and Parquet; as SVG, a picture of \
        the rows with the most games, with confidence intervals",
        headers(
            ("ETag" = String, description = "Changes when other games are counted"),
            ("tabularium-complete" = String, description =
                "`?1` if all finished games are counted; `?0` while the server still processes some")),
        content(
            (Object = "application/json"),
            (String = "text/csv"),
            (Vec<u8> = "application/vnd.apache.parquet"),
            (String = "image/svg+xml"))),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Measuring,
))]
#[get("/v1/stats/{measure:[a-z/-]+}")]
pub async fn measure_statistics(
    request: HttpRequest,
    path: web::Path<String>,
    ThemedQuery(filters, theme): ThemedQuery<Filters>,
    library: web::Data<Library>,
    lists: web::Data<GameLists>,
    statistics: web::Data<Statistics>,
) -> Result<HttpResponse, Problem> {
    let query = ThemedQuery(filters, theme);
    answer(
        request,
        query,
        library,
        (lists, statistics),
        measure_at(&path)?,
    )
    .await
}

/// Adds a route for each measure, and one that refuses the names of others.
pub fn measures(service: &mut web::ServiceConfig) {
    for measure in MEASURES {
        let get = move |request, query, library, lists, statistics| {
            answer(request, query, library, (lists, statistics), measure)
        };
        let path = format!("/v1/stats/{}", measure.path);
        service.service(web::resource(path).guard(guard::Get()).to(get));
    }
    service.service(measure_statistics);
}

async fn answer(
    request: HttpRequest,
    ThemedQuery(filters, theme): ThemedQuery<Filters>,
    library: web::Data<Library>,
    services: MeasureServices,
    measure: &'static Measure,
) -> Result<HttpResponse, Problem> {
    check_filters(&library, measure, &filters)?;
    charge(&request, Policy::Expensive)?;
    let types = FORMATS.map(|(media_type, _)| media_type);
    let format = themed(FORMATS[negotiate(&request, &types)?], theme);
    table(&request, filters, services, measure, format).await
}

/// Returns the measure at a path below `/v1/stats/` or `/stats/`.
pub fn measure_at(path: &str) -> Result<&'static Measure, Problem> {
    let found = MEASURES.into_iter().find(|measure| measure.path == path);
    found.ok_or_else(|| {
        Problem::new(
            Code::NotFound,
            format!("there is no measure {path:?}: /v1/stats/dictionary lists all measures"),
        )
    })
}

/// Get the dictionary of statistics
///
/// Describes each column of the fact tables, which `tabularium-analytics` writes from records, and of each measure:
/// type, unit and meaning.
#[utoipa::path(tag = "statistics", responses(
    (status = 200, description = "The tables by name", body = Dictionary),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Rendering,
))]
#[get("/v1/stats/dictionary")]
pub async fn get_statistics_dictionary(request: HttpRequest) -> Result<HttpResponse, Problem> {
    content(&request, &Dictionary::get())
}

/// Returns the format of files with an extension.
pub fn format_of(extension: &str, theme: Theme) -> Option<Format<Bytes>> {
    let extensions = ["json", "csv", "parquet", "svg"];
    let place = extensions.iter().position(|own| *own == extension)?;
    FORMATS.get(place).map(|format| themed(*format, theme))
}

/// Returns a format in the colours of a theme, if it has colours.
fn themed(format: Format<Bytes>, theme: Theme) -> Format<Bytes> {
    match format {
        (SVG, _) if theme == Theme::Dark => DARK,
        format => format,
    }
}

impl From<StatisticsError> for Problem {
    fn from(error: StatisticsError) -> Problem {
        match error {
            StatisticsError::Busy(problem) => problem,
            StatisticsError::Facts(error @ FactsStoreError::Damaged(_)) => {
                tracing::error!(%error, "a measure needs a damaged file, which is being rebuilt");
                Problem::again(Code::Unavailable, REPAIR, 5)
            }
            StatisticsError::Facts(error @ FactsStoreError::NotYet { .. }) => {
                Problem::invalid_parameter("as_of", error.to_string())
            }
            error => {
                tracing::error!(%error, "a measure failed");
                Problem::internal()
            }
        }
    }
}

/// The services that answer a measure.
type MeasureServices = (web::Data<GameLists>, web::Data<Statistics>);

/// Returns a table in a format, or 304 if the caller has it.
pub async fn table(
    request: &HttpRequest,
    filters: Filters,
    (lists, statistics): MeasureServices,
    measure: &'static Measure,
    format: Format<Bytes>,
) -> Result<HttpResponse, Problem> {
    let (media_type, _) = format;
    let extension = media_type.rsplit(['/', '.']).next().unwrap_or_default();
    // The theme is not a part of the media type.
    let (media_type, _) = media_type.split_once(';').unwrap_or((media_type, ""));
    let program = env!("CARGO_PKG_VERSION");
    let tag = |version: &str| format!("\"{version}-{program}-{extension}\"");
    // If the caller has the current version, nothing is computed.
    let current = statistics.current();
    let now = tag(&current.version(&filters));
    if let Some(mut same) = not_modified(request, &now, "no-cache") {
        let complete = flag(current.progress.is_complete(&filters));
        let name = HeaderName::from_static(COMPLETE);
        same.headers_mut()
            .insert(name, HeaderValue::from_static(complete));
        return Ok(same);
    }
    let filters = match media_type {
        SVG => measure.for_picture(&filters),
        _ => filters,
    };
    let answer = statistics.file(measure, &filters, format).await?;
    if answer.games == 0 {
        let names = KnownNames::of(&filters);
        blocking(&lists, move |lists| names.check(lists)).await?;
    }
    let mut response = HttpResponse::Ok();
    response.insert_header((ETAG, tag(&answer.version)));
    response.insert_header((CACHE_CONTROL, "no-cache"));
    response.insert_header((COMPLETE, flag(answer.complete)));
    response.insert_header((CONTENT_TYPE, media_type));
    Ok(response.body(answer.body))
}

/// Formats a boolean as a structured field (RFC 9651).
pub(super) fn flag(value: bool) -> &'static str {
    if value { "?1" } else { "?0" }
}
