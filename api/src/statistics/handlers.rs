//! Statistics of finished games.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse, get};
use analytics::{Dictionary, Filters, Measure, StoreError};
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

/// Documents the answers that all measures share.
macro_rules! measured {
    ($(#[$doc:meta])* $name:ident, $path:literal, $measure:ident) => {
        $(#[$doc])*
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
        #[get($path)]
        pub async fn $name(
            request: HttpRequest,
            Themed(filters, theme): Themed<Filters>,
            library: web::Data<Library>,
            lists: web::Data<GameLists>,
            statistics: web::Data<Statistics>,
        ) -> Result<HttpResponse, Problem> {
            check_filters(&library, Measure::$measure, &filters)?;
            answer(&request, (filters, theme), (lists, statistics), Measure::$measure).await
        }
    };
}

measured! {
    /// Win rates by nation
    ///
    /// Each rate with the games it is made of, its 95% interval, the rate that equal players would have,
    /// lift = rate / expected with its interval, and q. A shared win counts its share. Rows are told apart
    /// by edition, board, variants, numbers of nations and players, and who plays; versions of rules with
    /// `ruleset=each`. Games that were not played out by the rules, began in a given position, or have a
    /// declared result are left out unless `reason`, `from_position` and `declared` ask for them; so are results of
    /// games at real tables, which leagues have entered without a record, unless `result_only` does. Of these the last
    /// correction up to `as_of` counts; to have such a table again, ask `as_of` the time that it tells.
    nation_statistics, "/v1/stats/nations", Nations
}
measured! {
    /// Win rates by opening strategy
    ///
    /// What came first in a nation's first six turns: a temple built (`growth`), a unit armed
    /// (`military`; recruiting alone is not), a know-how developed (`progress`), or none (`other`). In
    /// Antike II, whose rule book opens progress with AURUM, a temple of a nation that began there is
    /// passed over. In Antike Duellum, where nearly all nations begin with a temple, a unit and a city, it
    /// is what came first after that, within twelve turns: a second temple or a second city founded
    /// (`growth`), a city conquered (`military`), a know-how developed (`progress`).
    opening_statistics, "/v1/stats/openings", Openings
}
measured! {
    /// Win rates along the first stops on the rondel
    ///
    /// `path` names the stops so far, such as `marble,temple`; `children` are the next ones, with what was
    /// done there and the id of a game as an example, and have `children` of their own with `levels=2` or
    /// `levels=3`. As SVG it is a tree, of three levels unless `levels` says otherwise.
    opening_tree_statistics, "/v1/stats/openings/tree", OpeningsTree
}
measured! {
    /// Win rates by a nation's first personages
    ///
    /// Of all nations that won `at` personages or more (half the goal when left out), by the mix of the
    /// first so many, the kind that leads, how many kinds, and the order of kinds. `expected` is the rate
    /// of all that won so many.
    personage_statistics, "/v1/stats/personages", Personages
}
measured! {
    /// What personages winners and others have at the end
    ///
    /// How many of each kind, and what part of all. These are no win rates: to have enough is to win.
    final_personage_statistics, "/v1/stats/personages/final", PersonagesFinal
}
measured! {
    /// Win rates of nations that had so many personages, or one of a kind, by a round
    timing_statistics, "/v1/stats/timing", Timing
}
measured! {
    /// Win rates by place in turn order
    seat_statistics, "/v1/stats/seats", Seats
}
measured! {
    /// Win rates at equal strength, by nation, place and opening
    ///
    /// Beside each rate what it would have been in the same games had all players been equally strong
    /// (`equal_rate`, with its 95% interval), and what belonging to the row adds to the log odds of the win with
    /// players and everything else alike (`effect`). A conditional logit finds both, in which players have a skill
    /// each, normally distributed. It compares the nations of each game, so that filters on nations (`nation`,
    /// `seat`, `place`, `player`, `bot`, `opponents`, `path`) are refused.
    strength_statistics, "/v1/stats/strength", Strength
}
measured! {
    /// How long games are: rounds, turns and actions
    length_statistics, "/v1/stats/lengths", Lengths
}
measured! {
    /// Win rates of nations that took or played each event card
    ///
    /// Two rows a card, one for `act` `taken` and one for `played`: how often, in what part of the
    /// nations' games, and the win rate in these. Cards are taken for a lost city and for a
    /// personage of the opponent, so that those who take many are often behind: the rates tell
    /// what went together, not what a card is worth.
    card_statistics, "/v1/stats/cards", Cards
}
measured! {
    /// Win rates of nations that developed each know-how
    ///
    /// How often, in which round, for how much, and in what part of the cases no nation had it before.
    know_how_statistics, "/v1/stats/know-hows", KnowHows
}
measured! {
    /// Win rates of nations that founded or conquered a city in each region
    conquest_statistics, "/v1/stats/conquests", Conquests
}
measured! {
    /// Win rates of nations that traded with the bank, by the know-hows that let them
    trade_statistics, "/v1/stats/trades", Trades
}

measured! {
    /// Win rates by opening strategy and those of the neighbours
    ///
    /// Neighbours are the nations before and behind in turn order.
    opening_neighbour_statistics, "/v1/stats/openings/neighbours", OpeningsNeighbours
}
measured! {
    /// What nations have produced, spent and got by a turn of theirs
    ///
    /// Means of winners beside those of the others, by the nations' own turns. Those who are ahead win: they tell
    /// by when and how far, not why.
    income_statistics, "/v1/stats/income", Income
}
measured! {
    /// Win rates of a player in the games with each opponent
    ///
    /// Of the player or bot that `player` or `bot` names, one of which is needed; with who came before whom
    /// (`ahead`).
    head_to_head_statistics, "/v1/stats/head-to-head", HeadToHead
}

measured! {
    /// Win rates of nations whose turn began in a position
    ///
    /// `digest` names the position, as `digest` of a state or an event does, whichever way it came about: how
    /// often it was reached, at which turn and by which nation to move, and for each next stop (`field`; `all`
    /// for all together) the rate, and a game as an example. Positions in which one of the first eight turns
    /// of a nation began are known.
    position_statistics, "/v1/stats/positions", Positions
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

async fn answer(
    request: &HttpRequest,
    (filters, theme): (Filters, Theme),
    services: MeasureServices,
    measure: Measure,
) -> Result<HttpResponse, Problem> {
    charge(request, Policy::Expensive)?;
    let types = FORMATS.map(|(media_type, _)| media_type);
    let format = themed(FORMATS[negotiate(request, &types)?], theme);
    table(request, filters, services, measure, format).await
}

/// A table in a format, or 304 when the caller has it.
pub async fn table(
    request: &HttpRequest,
    filters: Filters,
    (lists, statistics): MeasureServices,
    measure: Measure,
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
        SVG => filters.for_picture(measure),
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
