//! Two samples of games compared.

use std::future::{Ready, ready};

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use actix_web::web::{self, Bytes};
use actix_web::{FromRequest, HttpRequest, HttpResponse, dev::Payload, get};
use analytics::{Filters, MEASURES, Measure, SampleComparison};
use charts::Theme;
use engine::content::Library;
use polars::prelude::PolarsResult;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::content::drawings::{SVG, ThemeQuery, ThemedQuery};
use crate::games::handlers::known::{KnownNames, check_filters};
use crate::games::lists::GameLists;
use crate::http::answers::Comparing;
use crate::http::limits::gate::charge;
use crate::http::limits::load::{LoadKind, slot};
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{JSON, blocking, not_modified};
use crate::http::request::accept::negotiate;
use crate::http::request::query::Query;
use crate::statistics::handlers::{COMPLETE, flag};
use crate::statistics::{Statistics, StatisticsError};

/// The second sample.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct VersusQuery {
    /// The filters of the second sample, as a query that changes those of the first. An empty value removes a filter
    #[param(example = "bots=only", max_length = 2000)]
    versus: String,
}

/// The formats of a comparison.
const MEDIA_TYPES: [&str; 4] = [JSON, "text/csv", "application/vnd.apache.parquet", SVG];

/// The filters of both samples, and the colours of the picture.
#[derive(Clone, Debug)]
pub struct ComparisonQuery {
    first: Filters,
    versus: String,
    theme: Theme,
}

impl FromRequest for ComparisonQuery {
    type Error = Problem;
    type Future = Ready<Result<ComparisonQuery, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let pairs = form_urlencoded::parse(request.query_string().as_bytes());
        let (own, rest): (Vec<_>, Vec<_>) = pairs.partition(|(name, _)| name == "versus");
        let written = |pairs: Vec<(_, _)>| {
            let mut text = form_urlencoded::Serializer::new(String::new());
            text.extend_pairs(pairs).finish()
        };
        let read = || {
            let Query(VersusQuery { versus }) = Query::read(&written(own))?;
            let ThemedQuery(first, theme) = ThemedQuery::<Filters>::read(&written(rest))?;
            Ok(ComparisonQuery {
                first,
                versus,
                theme,
            })
        };
        ready(read())
    }
}

/// A sample of games.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SampleBody {
    /// The filters.
    pub filters: Filters,
    /// The version of the data, as in tables.
    pub data_version: String,
    /// The number of games.
    pub games: u64,
    /// The offset in the log of the last available game.
    pub log_position: i64,
    /// When that game was recorded; null without games.
    pub as_of: Option<jiff::Timestamp>,
    /// Whether all finished games are counted.
    pub complete: bool,
}

/// Two samples of games compared row by row.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ComparisonBody {
    /// The measure.
    pub measure: String,
    /// The version of the program.
    pub program: String,
    /// The two samples.
    #[schema(min_items = 2, max_items = 2)]
    pub samples: Vec<SampleBody>,
    /// The number of games that are in both samples. The more there are, the less the intervals can be trusted.
    pub common_games: u64,
    /// The rows. The keys and the format of the measure are followed by the format of the second sample (`versus_board`
    /// and so on), and by these columns: `games`, `nation_games`, `rate`, `low`, `high` of the first sample,
    /// `versus_games`, `versus_nation_games`, `versus_rate`, `versus_low`, `versus_high` of the second, `difference`
    /// (first minus second) with the ends of its 95% interval `difference_low` and `difference_high`, the p-value `p`, the
    /// false discovery rate `q`, and `insufficient`.
    pub rows: Vec<Map<String, Value>>,
}

/// Compare two samples
///
/// Compares the win rates of two samples of games, such as those of people and of bots, before and after a date, or of two
/// leagues. The filters choose the first sample, and `versus` changes them for the second: `versus=bots%3Donly`. A row of
/// the first sample is compared with each row of the second that has the same keys and the same format. Rows may differ
/// in those parts of the format that the filters make different, such as the bots that play. The samples should have no
/// games in common: nations that play against each other win at each other's expense, and then the intervals are too narrow.
#[utoipa::path(tag = "statistics",
    params(("measure" = String, Path, description = "The name of a measure of win rates, such as `nations`"),
        Filters, VersusQuery, ThemeQuery),
    responses(
        (status = 200, description = "The comparison; as SVG, the differences with their intervals",
            headers(
                ("ETag" = String, description = "Changes when other games are counted"),
                ("tabularium-complete" = String, description =
                    "`?1` if all finished games are counted; `?0` while the server still processes some")),
            content((ComparisonBody = "application/json"), (String = "text/csv"),
                (Vec<u8> = "application/vnd.apache.parquet"), (String = "image/svg+xml"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        Comparing,
    ))]
#[get("/v1/stats/versus/{measure}")]
pub async fn compare_samples(
    request: HttpRequest,
    path: web::Path<String>,
    query: ComparisonQuery,
    library: web::Data<Library>,
    lists: web::Data<GameLists>,
    statistics: web::Data<Statistics>,
) -> Result<HttpResponse, Problem> {
    let measure = measure_named(&path)?;
    let second = second(&library, measure, &query.first, &query.versus)?;
    charge(&request, Policy::Expensive)?;
    let place = negotiate(&request, &MEDIA_TYPES)?;
    let current = statistics.current();
    let (one, other) = (current.version(&query.first), current.version(&second));
    let tag = format!("\"{one}-{other}-{}-{place}\"", env!("CARGO_PKG_VERSION"));
    if let Some(same) = not_modified(&request, &tag, "no-cache") {
        return Ok(same);
    }
    let samples = [&query.first, &second];
    let write = move |comparison: &SampleComparison| {
        let body: Bytes = match place {
            0 => comparison.to_json()?.to_string().into(),
            1 => comparison.to_csv()?.into(),
            2 => comparison.to_parquet()?.into(),
            _ => comparison.to_svg(query.theme)?.into(),
        };
        Ok((body, comparison.games()))
    };
    let (body, games) = compared(&statistics, measure, samples, write).await?;
    for (filters, games) in samples.into_iter().zip(games) {
        let names = KnownNames::of(filters);
        blocking(&lists, move |lists| names.check_unless(games > 0, lists)).await?;
    }
    let complete = samples
        .iter()
        .all(|filters| current.progress.is_complete(filters));
    let mut response = HttpResponse::Ok();
    response.insert_header((ETAG, tag));
    response.insert_header((CACHE_CONTROL, "no-cache"));
    response.insert_header((COMPLETE, flag(complete)));
    response.insert_header((CONTENT_TYPE, MEDIA_TYPES[place]));
    Ok(response.body(body))
}

/// Returns the measure with a name.
pub fn measure_named(name: &str) -> Result<&'static Measure, Problem> {
    let found = MEASURES.into_iter().find(|measure| measure.name == name);
    found.ok_or_else(|| {
        let detail =
            format!("there is no measure {name:?}: /v1/stats/dictionary lists all measures");
        Problem::new(Code::NotFound, detail)
    })
}

/// Returns the filters of the second sample. Checks both.
pub fn second(
    library: &Library,
    measure: &'static Measure,
    first: &Filters,
    versus: &str,
) -> Result<Filters, Problem> {
    check_filters(library, measure, first)?;
    let second = SampleComparison::second(measure, first, versus)
        .map_err(|bad| Problem::invalid_parameter(bad.field, bad.detail))?;
    check_filters(library, measure, &second)?;
    Ok(second)
}

/// Compares the games of two filters, and writes the comparison.
pub async fn compared<T: Send + 'static>(
    statistics: &Statistics,
    measure: &'static Measure,
    [first, second]: [&Filters; 2],
    write: impl FnOnce(&SampleComparison) -> PolarsResult<T> + Send + 'static,
) -> Result<T, Problem> {
    let common = statistics.common_games(measure, [first, second]).await?;
    let first = statistics.table(measure, first).await?;
    let second = statistics.table(measure, second).await?;
    let slot = slot(LoadKind::Table).await?;
    let work = move || {
        let _slot = slot;
        write(&SampleComparison::new(&first, &second, common)?)
    };
    let written = web::block(work).await;
    let written = written.map_err(|_| StatisticsError::Panicked)?;
    Ok(written.map_err(StatisticsError::from)?)
}
