//! Statistics of finished games.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse, get, guard};
use analytics::{Dictionary, Filters, MEASURES, Measure, StoreError};
use charts::Theme;
use engine::content::Library;

use crate::content::drawings::{SVG, ThemeQuery, Themed};
use crate::games::handlers::known::{KnownNames, check_filters};
use crate::games::lists::GameLists;
use crate::http::answers::{Measuring, Rendering};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{JSON, blocking, content, not_modified};
use crate::http::request::accept::negotiate;
use crate::statistics::{Format, Statistics, StatisticsError};

/// Tells, in every format, whether the table counts all games that have finished.
const COMPLETE: &str = "tabularium-complete";

/// What a caller gets while files of the facts are damaged.
const REPAIR: &str = "a file that these statistics are read from is damaged and is being rebuilt from the records; \
    ask again in some seconds";

const FORMATS: [Format<Bytes>; 4] = [
    (JSON, |table| Ok(table.to_json()?.to_string().into())),
    ("text/csv", |table| Ok(table.to_csv()?.into())),
    ("application/vnd.apache.parquet", |table| {
        Ok(table.to_parquet()?.into())
    }),
    (SVG, |table| Ok(table.to_svg(Theme::Light)?.into())),
];

/// A picture in dark colours.
const DARK: Format<Bytes> = ("image/svg+xml;theme=dark", |table| {
    Ok(table.to_svg(Theme::Dark)?.into())
});

/// Measure
///
/// The specification has a path for each measure in place of this one, see `docs/complete.rs`; what comes here is none.
#[utoipa::path(tag = "statistics", params(Filters, ThemeQuery), responses(
    (status = 200, description = "The table; `rows` in JSON, the columns alone in CSV and \
        Parquet; as SVG a picture of the rows with the most games, numbers with their intervals",
        headers(
            ("ETag" = String, description = "Changes with the games counted"),
            ("tabularium-complete" = String, description =
                "`?1` when all games that have finished are counted; `?0` while the \
                 service still gathers some")),
        content(
            (Object = "application/json"),
            (String = "text/csv"),
            (Vec<u8> = "application/vnd.apache.parquet"),
            (String = "image/svg+xml"))),
    (status = 304, description = "The caller has it"),
    Measuring,
))]
#[get("/v1/stats/{measure:[a-z/-]+}")]
pub async fn measure_statistics(
    request: HttpRequest,
    path: web::Path<String>,
    Themed(filters, theme): Themed<Filters>,
    library: web::Data<Library>,
    lists: web::Data<GameLists>,
    statistics: web::Data<Statistics>,
) -> Result<HttpResponse, Problem> {
    let asked = Themed(filters, theme);
    answer(
        request,
        asked,
        library,
        (lists, statistics),
        measure_at(&path)?,
    )
    .await
}

/// The path of each measure.
pub fn measures(service: &mut web::ServiceConfig) {
    for measure in MEASURES {
        let get = move |request, asked, library, lists, statistics| {
            answer(request, asked, library, (lists, statistics), measure)
        };
        let path = format!("/v1/stats/{}", measure.path);
        service.service(web::resource(path).guard(guard::Get()).to(get));
    }
}

async fn answer(
    request: HttpRequest,
    Themed(filters, theme): Themed<Filters>,
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

/// The measure at a path below `/v1/stats/` or `/stats/`.
pub fn measure_at(path: &str) -> Result<&'static Measure, Problem> {
    let found = MEASURES.into_iter().find(|measure| measure.path == path);
    found.ok_or_else(|| Problem::new(Code::NotFound, format!("there are no statistics {path:?}")))
}

/// Get the dictionary of statistics
///
/// Every column of the tables of facts, which the batch program writes from records, and of each measure: type,
/// unit, meaning.
#[utoipa::path(tag = "statistics", responses(
    (status = 200, description = "The tables by name", body = Dictionary),
    (status = 304, description = "The caller has it"),
    Rendering,
))]
#[get("/v1/stats/dictionary")]
pub async fn statistics_dictionary(request: HttpRequest) -> Result<HttpResponse, Problem> {
    content(&request, &Dictionary::get())
}

/// How a table is written in files with an extension.
pub fn format_of(extension: &str, theme: Theme) -> Option<Format<Bytes>> {
    let extensions = ["json", "csv", "parquet", "svg"];
    let place = extensions.iter().position(|own| *own == extension)?;
    FORMATS.get(place).map(|format| themed(*format, theme))
}

/// A format in the colours of a theme, where it has any.
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
            StatisticsError::Facts(error @ StoreError::Damaged(_)) => {
                tracing::error!(%error, "a measure waits for a repair");
                Problem::again(Code::Unavailable, REPAIR, 5)
            }
            StatisticsError::Facts(error @ StoreError::NotYet { .. }) => {
                Problem::invalid("as_of", error.to_string())
            }
            error => {
                tracing::error!(%error, "a measure failed");
                Problem::new(Code::Internal, "the fault has been logged")
            }
        }
    }
}

/// The services that answer a measure.
type MeasureServices = (web::Data<GameLists>, web::Data<Statistics>);

/// A table in a format, or 304 when the caller has it.
pub async fn table(
    request: &HttpRequest,
    filters: Filters,
    (lists, statistics): MeasureServices,
    measure: &'static Measure,
    format: Format<Bytes>,
) -> Result<HttpResponse, Problem> {
    let (media_type, _) = format;
    let extension = media_type.rsplit(['/', '.']).next().unwrap_or_default();
    // How it looks is no part of its type.
    let (media_type, _) = media_type.split_once(';').unwrap_or((media_type, ""));
    let program = env!("CARGO_PKG_VERSION");
    let tag = |version: &str| format!("\"{version}-{program}-{extension}\"");
    // What the caller has need not be computed.
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
        let names = KnownNames {
            players: vec![("player", filters.player.clone())],
            league: filters.league.clone(),
        };
        blocking(&lists, move |lists| names.check(lists)).await?;
    }
    let mut response = HttpResponse::Ok();
    response.insert_header((ETAG, tag(&answer.version)));
    response.insert_header((CACHE_CONTROL, "no-cache"));
    response.insert_header((COMPLETE, flag(answer.complete)));
    response.insert_header((CONTENT_TYPE, media_type));
    Ok(response.body(answer.body))
}

/// A truth value as a structured field (RFC 9651).
fn flag(value: bool) -> &'static str {
    if value { "?1" } else { "?0" }
}
