//! Handlers of lists of games: all games, a player's and the caller's.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, get, web};
use analytics::facts::Opening;
use engine::content::Library;
use engine::words::EndReason;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::games::bodies::GameSummary;
use crate::games::handlers::known::{KnownNames, check_all, check_content, check_nation};
use crate::games::lists::{GameLists, ListedGames};
use crate::games::model::Status;
use crate::games::queries::cursor::{Cursor, Order};
use crate::games::queries::lists::GameFilter;
use crate::http::answers::{Listing, Reading, ReadingMine};
use crate::http::page::{PageQuery, USUAL, cursor};
use crate::http::problem::Problem;
use crate::http::reply::{blocking, linked, listed};
use crate::http::request::caller::{Bearer, Caller};
use crate::http::request::query::{Query, moment};

/// A page of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GamePage {
    /// The games, in the order of the list.
    pub items: Vec<GameSummary>,
    /// The `cursor` of the next page; null on the last page.
    pub next: Option<String>,
    /// The ids of games of this page that are damaged and cannot be shown; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<String>,
}

impl From<ListedGames> for GamePage {
    fn from(listed: ListedGames) -> GamePage {
        GamePage {
            items: listed.items,
            next: listed.next,
            damaged: listed.damaged,
        }
    }
}

/// The filter and range of a list of games.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameQuery {
    /// The id of the edition.
    #[param(example = "antike")]
    edition: Option<String>,
    /// The id of the board.
    board: Option<String>,
    /// The status of the game.
    #[param(inline)]
    status: Option<Status>,
    /// The id of an account or the name of a bot that plays in the game.
    player: Option<String>,
    /// The beginning of the displayed name of a person in the game.
    /// The case of the letters A to Z does not matter. 422 if more than 20 names start with it.
    #[param(min_length = 1, max_length = 64, example = "hann")]
    name: Option<String>,
    /// The id or name of the league.
    league: Option<String>,
    /// A nation that took part.
    /// This filter and the following ones, except the times, find only finished games.
    #[param(example = "romans")]
    nation: Option<String>,
    /// The opening strategy, as in statistics, of `nation`, or of any nation if that is omitted.
    #[param(inline)]
    opening: Option<Opening>,
    /// The nation that won or shared the win.
    winning_nation: Option<String>,
    /// The id of an account or the name of a bot that won or shared the win.
    winner: Option<String>,
    /// The reason why the game ended.
    #[param(inline)]
    reason: Option<EndReason>,
    /// The least number of rounds, inclusive.
    min_rounds: Option<u32>,
    /// The greatest number of rounds, inclusive.
    max_rounds: Option<u32>,
    /// The order: `created` (newest first, the default), `updated` or `length`.
    /// With `updated`, the game that ended last is first; with `length`, the game with the most rounds.
    #[param(inline)]
    sort: Option<Sort>,
    /// Only games created at or after this RFC 3339 time or date.
    #[param(example = "2026-11-20")]
    since: Option<String>,
    /// Only games created before this RFC 3339 time or date.
    until: Option<String>,
    /// The `next` of the previous page. A count ignores it.
    cursor: Option<String>,
    /// The most games per page, from 1 to 1000; 50 if omitted. A count ignores it.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// The order of a list of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// The newest first.
    Created,
    /// The last ended first.
    Updated,
    /// The most rounds first.
    Length,
}

impl GameQuery {
    /// Returns the cursor after which the page starts.
    fn cursor(&self) -> Result<Option<Cursor>, Problem> {
        cursor(self.cursor.as_deref())
    }

    fn order(&self) -> Order {
        match self.sort {
            None | Some(Sort::Created) => Order::Created,
            Some(Sort::Updated) => Order::Ended,
            Some(Sort::Length) => Order::Longest,
        }
    }

    /// Refuses a status other than `finished` with filters that find only finished games.
    fn check_status(&self) -> Result<(), Problem> {
        let of_finished = [
            ("nation", self.nation.is_some()),
            ("opening", self.opening.is_some()),
            ("winning_nation", self.winning_nation.is_some()),
            ("winner", self.winner.is_some()),
            ("reason", self.reason.is_some()),
            ("min_rounds", self.min_rounds.is_some()),
            ("max_rounds", self.max_rounds.is_some()),
            ("sort", self.order() != Order::Created),
        ];
        let filter = of_finished.into_iter().find(|(_, given)| *given);
        match (filter, self.status) {
            (Some((filter, _)), Some(status)) if status != Status::Finished => {
                let detail = format!(
                    "`{filter}` applies only to finished games: omit `status`, or use `finished`"
                );
                Err(Problem::invalid_parameter("status", detail))
            }
            _ => Ok(()),
        }
    }

    /// Returns the players and the league in the query.
    fn names(&self) -> KnownNames {
        KnownNames {
            players: vec![
                ("player", self.player.clone()),
                ("winner", self.winner.clone()),
            ],
            league: self.league.clone(),
        }
    }

    fn filter(self, library: &Library) -> Result<GameFilter, Problem> {
        check_all([
            check_content(library, self.edition.as_deref(), self.board.as_deref()),
            check_nation(library, "nation", self.nation.as_deref()),
            check_nation(library, "winning_nation", self.winning_nation.as_deref()),
        ])?;
        self.check_status()?;
        if let Some(name) = &self.name
            && !(1..=64).contains(&name.chars().count())
        {
            return Err(Problem::invalid_parameter(
                "name",
                "give 1 to 64 characters of a name",
            ));
        }
        Ok(GameFilter {
            order: self.order(),
            edition: self.edition,
            board: self.board,
            status: self.status,
            reason: self.reason.map(|reason| reason.name()),
            league: self.league,
            player: self.player,
            winner: self.winner,
            name: self.name,
            nation: self.nation,
            opening: self.opening.map(Opening::name),
            winning_nation: self.winning_nation,
            min_rounds: self.min_rounds,
            max_rounds: self.max_rounds,
            only_public: true,
            invited: None,
            waiting_for: None,
            since: bound("since", self.since.as_deref())?,
            until: bound("until", self.until.as_deref())?,
        })
    }
}

fn bound(field: &str, text: Option<&str>) -> Result<Option<i64>, Problem> {
    text.map(|text| moment(field, text)).transpose()
}

/// List games
///
/// Lists public games, the newest first unless `sort` is given. `next` in the response, also in the `Link` header,
/// leads to the next page. With several filters, a page may have fewer games than its limit, even none, and still a
/// next page. Filters that find finished games find a game a few moments after its end.
#[utoipa::path(tag = "games", params(GameQuery), responses(
    (status = 200, description = "A page of games", body = GamePage, headers(
        ("Link" = String, description = "The next page"))),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Listing,
))]
#[get("/v1/games")]
pub async fn list_games(
    request: HttpRequest,
    Query(query): Query<GameQuery>,
    lists: web::Data<GameLists>,
) -> Result<HttpResponse, Problem> {
    let limit = query.limit.unwrap_or(USUAL);
    let names = query.names();
    let cursor = query.cursor()?;
    let filter = query.filter(lists.library())?;
    let page = blocking(&lists, move |lists| {
        let page = lists.list(&filter, cursor, limit)?;
        names.check_unless(page.has_games(), lists)?;
        Ok(page)
    })
    .await?;
    let page = GamePage::from(page);
    listed(&request, page.next.as_deref(), &page)
}

/// The number of games that match a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Count {
    /// The number; games beyond 10,000 are not counted.
    pub count: u64,
    /// Whether the number is exact; if false, there are more games.
    pub exact: bool,
}

/// Count games
///
/// Counts the public games that the same filters list, up to 10,000.
#[utoipa::path(tag = "games", params(GameQuery), responses(
    (status = 200, description = "The number of games", body = Count),
    Listing,
))]
#[get("/v1/games/count")]
pub async fn count_games(
    Query(query): Query<GameQuery>,
    lists: web::Data<GameLists>,
) -> Result<HttpResponse, Problem> {
    let names = query.names();
    query.cursor()?;
    let filter = query.filter(lists.library())?;
    let count = blocking(&lists, move |lists| {
        let count = lists.count(&filter)?;
        names.check_unless(count.count > 0, lists)?;
        Ok(count)
    })
    .await?;
    Ok(HttpResponse::Ok().json(Count {
        count: count.count,
        exact: count.exact,
    }))
}

/// The filter of a list of a player's games.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlayersGameQuery {
    /// The id of the edition.
    #[param(example = "antike")]
    edition: Option<String>,
    /// The id of the board.
    board: Option<String>,
    /// The status of the game.
    #[param(inline)]
    status: Option<Status>,
    /// The id or name of the league.
    league: Option<String>,
    /// Only games created at or after this RFC 3339 time or date.
    #[param(example = "2026-11-20")]
    since: Option<String>,
    /// Only games created before this RFC 3339 time or date.
    until: Option<String>,
}

impl PlayersGameQuery {
    fn filter(self, library: &Library) -> Result<GameFilter, Problem> {
        let query = GameQuery {
            edition: self.edition,
            board: self.board,
            status: self.status,
            league: self.league,
            since: self.since,
            until: self.until,
            ..GameQuery::default()
        };
        query.filter(library)
    }
}

/// Responds with a page that only the caller may see.
fn own_page(request: &HttpRequest, page: ListedGames) -> HttpResponse {
    let next = page.next.clone();
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, "private, no-store"));
    linked(
        request,
        next.as_deref(),
        response.json(GamePage::from(page)),
    )
}

/// The selection of the caller's games.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MyGameQuery {
    /// Whether to list only games that wait for the caller's move.
    #[serde(default)]
    waiting: bool,
    /// Whether to list games in which a seat is reserved for the caller, instead of those that it plays.
    #[serde(default)]
    invited: bool,
}

/// List the caller's games
///
/// Lists the games in which the caller's account plays, of every visibility, the newest first. With `waiting=true`,
/// only those in which it must act now; with `invited=true`, those in which a seat is reserved for it. Needs the
/// scope `read`. `next` in the response, also in the `Link` header, leads to the next page. A page may have fewer
/// games than its limit and still a next page.
#[utoipa::path(tag = "players", security(("token" = ["read"])), params(MyGameQuery, PlayersGameQuery, PageQuery), responses(
    (status = 200, description = "A page of games", body = GamePage, headers(
        ("Link" = String, description = "The next page"))),
    ReadingMine,
))]
#[get("/v1/me/games")]
pub async fn list_my_games(
    _: Bearer,
    request: HttpRequest,
    Query(mine): Query<MyGameQuery>,
    Query(query): Query<PlayersGameQuery>,
    Query(page): Query<PageQuery>,
    Caller(call): Caller,
    lists: web::Data<GameLists>,
) -> Result<HttpResponse, Problem> {
    let which = (mine.waiting, mine.invited);
    let filter = query.filter(lists.library())?;
    let (cursor, limit) = (page.cursor()?, page.limit());
    let read = move |lists: &GameLists| lists.mine(&call, filter, which, cursor, limit);
    let page = blocking(&lists, read).await?;
    Ok(own_page(&request, page))
}

/// List a player's games
///
/// Lists the player's public games, the newest first. The player (scope `read`) sees all of them. `next` in the
/// response, also in the `Link` header, leads to the next page. 404 if there is no such player.
#[utoipa::path(tag = "players", security((), ("token" = ["read"])),
    params(("player" = String, Path), PlayersGameQuery, PageQuery), responses(
    (status = 200, description = "A page of games", body = GamePage, headers(
        ("Link" = String, description = "The next page"))),
    Reading,
))]
#[get("/v1/players/{player}/games")]
pub async fn list_player_games(
    request: HttpRequest,
    path: web::Path<String>,
    Query(query): Query<PlayersGameQuery>,
    Query(page): Query<PageQuery>,
    Caller(call): Caller,
    lists: web::Data<GameLists>,
) -> Result<HttpResponse, Problem> {
    let named = path.into_inner();
    let filter = query.filter(lists.library())?;
    let (cursor, limit) = (page.cursor()?, page.limit());
    let read = move |lists: &GameLists| lists.of_player(&call, &named, filter, cursor, limit);
    let page = blocking(&lists, read).await?;
    Ok(own_page(&request, page))
}
