//! Lists of games: all of them, a player's and the caller's.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, get, web};
use analytics::facts::Opening;
use engine::content::Library;
use engine::words::EndReason;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::games::bodies::GameSummary;
use crate::games::handlers::known::{KnownNames, check_content, check_nation};
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
    /// The games, newest first.
    pub items: Vec<GameSummary>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
    /// The ids of games of this page that are damaged and cannot be shown; absent without any.
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

/// Which games are asked for.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameQuery {
    /// The edition.
    #[param(example = "antike")]
    edition: Option<String>,
    /// The board.
    board: Option<String>,
    /// Where the game stands as a whole.
    #[param(inline)]
    status: Option<Status>,
    /// The id of an account, or the name of a bot, that sits at the table.
    player: Option<String>,
    /// What the name begins with that is shown of a person at the table, whatever its case (of the letters A to
    /// Z). Refused when more than 20 names begin so.
    #[param(min_length = 1, max_length = 64, example = "hann")]
    name: Option<String>,
    /// The league.
    league: Option<String>,
    /// A nation that took part. This and what follows, but the times, is known of finished games only, so others are
    /// left out.
    #[param(example = "romans")]
    nation: Option<String>,
    /// The opening strategy, as statistics count it, of that nation, or of any when none is given.
    #[param(inline)]
    opening: Option<Opening>,
    /// The nation that won, or shared the win.
    winning_nation: Option<String>,
    /// An account, or the name of a bot, that won, or shared the win.
    winner: Option<String>,
    /// Why the game ended.
    #[param(inline)]
    reason: Option<EndReason>,
    /// The least number of rounds.
    min_rounds: Option<u32>,
    /// The greatest number of rounds.
    max_rounds: Option<u32>,
    /// In what order: `created`, the newest first, when left out; `updated`, those that ended last first; `length`,
    /// those of the most rounds first.
    #[param(inline)]
    sort: Option<Sort>,
    /// Created at or after: an RFC 3339 time or a date.
    #[param(example = "2026-11-20")]
    since: Option<String>,
    /// Created before: an RFC 3339 time or a date.
    until: Option<String>,
    /// The `next` of the page before; means nothing to a count.
    cursor: Option<String>,
    /// How many, from 1 to 1000; 50 when left out; means nothing to a count.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// The order of a list of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// The newest first.
    Created,
    /// Those that ended last first.
    Updated,
    /// Those of the most rounds first.
    Length,
}

impl GameQuery {
    /// The game after which the page begins.
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

    /// Refuses other games than finished ones by what is known of finished games only.
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
        let asked = of_finished.into_iter().find(|(_, given)| *given);
        match (asked, self.status) {
            (Some((asked, _)), Some(status)) if status != Status::Finished => {
                let detail = format!("by {asked} only finished games are found");
                Err(Problem::invalid("status", detail))
            }
            _ => Ok(()),
        }
    }

    /// The players and the league that are named.
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
        check_content(library, self.edition.as_deref(), self.board.as_deref())?;
        check_nation(library, "nation", self.nation.as_deref())?;
        check_nation(library, "winning_nation", self.winning_nation.as_deref())?;
        self.check_status()?;
        if let Some(name) = &self.name
            && !(1..=64).contains(&name.chars().count())
        {
            return Err(Problem::invalid("name", "it has 1 to 64 characters"));
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
/// Newest first, unless `sort` says otherwise. The next page is found by `next`, which is also in the `Link` header.
/// With several filters a page may hold less than its limit, even nothing, and have a next one. What happened in a
/// finished game can be asked for some moments after its end.
#[utoipa::path(tag = "games", params(GameQuery), responses(
    (status = 200, description = "A page of games", body = GamePage, headers(
        ("Link" = String, description = "The next page"))),
    (status = 304, description = "The caller has it"),
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

/// A number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Count {
    /// How many; at most 10,000 are counted.
    pub count: u64,
    /// Whether these are all; else there are more.
    pub exact: bool,
}

/// Count games
#[utoipa::path(tag = "games", params(GameQuery), responses(
    (status = 200, description = "How many games fit", body = Count),
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

/// Which games of a player are asked for.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlayersGameQuery {
    /// The edition.
    #[param(example = "antike")]
    edition: Option<String>,
    /// The board.
    board: Option<String>,
    /// Where the game stands as a whole.
    #[param(inline)]
    status: Option<Status>,
    /// The league.
    league: Option<String>,
    /// Created at or after: an RFC 3339 time or a date.
    #[param(example = "2026-11-20")]
    since: Option<String>,
    /// Created before: an RFC 3339 time or a date.
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

/// A page for one caller, who may see more than others.
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

/// Which of the caller's games are asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MyGameQuery {
    /// Only those that wait for the caller.
    #[serde(default)]
    waiting: bool,
    /// Those in which a seat is kept for the caller, in place of those at whose table it sits.
    #[serde(default)]
    invited: bool,
}

/// List the caller's games
///
/// Those at whose table the caller's account sits, whoever may see them, newest first; with `waiting=true` those in
/// which it must act now, with `invited=true` those in which a seat is kept for it instead. Needs the scope `read`. Pages are found by `next`, which is also in the `Link` header; a
/// page may hold less than its limit and have a next one.
#[utoipa::path(tag = "players", security(("token" = ["read"])), params(MyGameQuery, PlayersGameQuery, PageQuery), responses(
    (status = 200, description = "A page of games", body = GamePage, headers(
        ("Link" = String, description = "The next page"))),
    ReadingMine,
))]
#[get("/v1/me/games")]
pub async fn my_games(
    _: Bearer,
    request: HttpRequest,
    Query(mine): Query<MyGameQuery>,
    Query(query): Query<PlayersGameQuery>,
    Query(asked): Query<PageQuery>,
    Caller(call): Caller,
    lists: web::Data<GameLists>,
) -> Result<HttpResponse, Problem> {
    let which = (mine.waiting, mine.invited);
    let filter = query.filter(lists.library())?;
    let (cursor, limit) = (asked.cursor()?, asked.limit());
    let read = move |lists: &GameLists| lists.mine(&call, filter, which, cursor, limit);
    let page = blocking(&lists, read).await?;
    Ok(own_page(&request, page))
}

/// List a player's games
///
/// Public ones, newest first, and all of them for the player (scope `read`). Pages are found by `next`, which is also
/// in the `Link` header.
#[utoipa::path(tag = "players", security((), ("token" = ["read"])),
    params(("player" = String, Path), PlayersGameQuery, PageQuery), responses(
    (status = 200, description = "A page of games", body = GamePage, headers(
        ("Link" = String, description = "The next page"))),
    Reading,
))]
#[get("/v1/players/{player}/games")]
pub async fn players_games(
    request: HttpRequest,
    path: web::Path<String>,
    Query(query): Query<PlayersGameQuery>,
    Query(asked): Query<PageQuery>,
    Caller(call): Caller,
    lists: web::Data<GameLists>,
) -> Result<HttpResponse, Problem> {
    let named = path.into_inner();
    let filter = query.filter(lists.library())?;
    let (cursor, limit) = (asked.cursor()?, asked.limit());
    let read = move |lists: &GameLists| lists.of_player(&call, &named, filter, cursor, limit);
    let page = blocking(&lists, read).await?;
    Ok(own_page(&request, page))
}
