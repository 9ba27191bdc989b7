//! Players: by their ratings and names; and what one of them has played, how, against whom and how well.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, get, web};
use analytics::{Filters, HEAD_TO_HEAD, NATIONS, OPENINGS, RowCells};
use charts::{NARROW, Theme, WIDE, curves, titled};
use engine::content::Library;
use maud::{Markup, PreEscaped, html};
use polars::prelude::PolarsResult;
use serde::Deserialize;

use crate::accounts::model::PlayerPage;
use crate::accounts::service::Accounts;
use crate::games::bodies::GameSummary;
use crate::games::handlers::known::check_content;
use crate::games::queries::lists::GameFilter;
use crate::http::error::ServiceError;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::base;
use crate::http::request::query::Query;
use crate::ratings::model::{PlayerProfile, RatingBody, RatingChangeBody, RatingKind, RatingPage};
use crate::ratings::pictures::{DRAWN, rating_curves};
use crate::services::Services;
use crate::site::english;
use crate::site::forms::{editions, given, write_query};
use crate::site::frame::{Frame, page};
use crate::site::game::time;
use crate::site::games::entry;
use crate::site::stats::filter::{board_name, query};
use crate::statistics::Statistics;
use crate::statistics::figure::SHORT;

/// How many games of a player are listed.
const GAMES: usize = 12;

/// How many players stand on a page.
const PLAYERS: usize = 50;

/// How many bots are listed.
const BOTS: usize = 20;

/// How many opponents are listed, those who were met most often.
const OPPONENTS: usize = 20;

/// Which players are shown. Forms send empty texts for what is not chosen.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayersQuery {
    name: String,
    edition: String,
    cursor: String,
}

/// Which rating of a player is drawn.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayerRatingQuery {
    edition: String,
}

/// Who is listed.
enum PlayerList {
    Found(PlayerPage),
    Rated(RatingPage, Vec<RatingBody>),
}

/// Players by their ratings, or by name.
#[get("/players")]
pub async fn players_page(
    request: HttpRequest,
    Query(asked): Query<PlayersQuery>,
    services: web::Data<Services>,
) -> Result<HttpResponse, Problem> {
    check_content(&services.library, given(&asked.edition), None)?;
    let own = asked.clone();
    let listed = blocking(&services, move |services| {
        let (edition, cursor) = (given(&own.edition), given(&own.cursor));
        if let Some(name) = given(&own.name) {
            return Ok(PlayerList::Found(
                services.accounts.players(name, cursor, PLAYERS)?,
            ));
        }
        let rated = services
            .ratings
            .list(RatingKind::Account, edition, true, cursor, PLAYERS)?;
        let bots = match cursor {
            None => {
                services
                    .ratings
                    .list(RatingKind::Bot, edition, true, None, BOTS)?
                    .items
            }
            Some(_) => Vec::new(),
        };
        Ok(PlayerList::Rated(rated, bots))
    })
    .await?;
    let next = match &listed {
        PlayerList::Found(page) => &page.next,
        PlayerList::Rated(page, _) => &page.next,
    };
    let next = next.as_ref().map(|cursor| {
        write_query([
            ("name", &asked.name),
            ("edition", &asked.edition),
            ("cursor", cursor),
        ])
    });
    let main = html! {
        h1 { (english::PLAYERS_TITLE) }
        p { (english::PLAYERS_LEAD) }
        (form(&services.library, &asked))
        @match &listed {
            PlayerList::Found(found) => section aria-labelledby="found" {
                h2 id="found" { (english::PLAYERS_FOUND) }
                @if found.items.is_empty() { p { (english::PLAYERS_NONE) } }
                ul class="names" {
                    @for player in &found.items {
                        li { a href={ "/players/" (player.id) } { (player.handle) }
                            " " span class="faint" { (english::PLAYER_SINCE) " " (time(player.created_at)) } }
                    }
                }
            },
            PlayerList::Rated(rated, bots) => {
                section aria-labelledby="rated" {
                    h2 id="rated" { (english::PLAYERS_RATED) }
                    @if rated.items.is_empty() { p { (english::PLAYERS_UNRATED) } }
                    @else { (ratings(&rated.items, &named)) }
                }
                @if !bots.is_empty() {
                    section aria-labelledby="bots" {
                        h2 id="bots" { (english::PLAYERS_BOTS) }
                        (ratings(bots, &named))
                    }
                }
            }
        }
        @if let Some(next) = next { p { a class="button" rel="next" href={ "?" (next) } { (english::PLAYERS_NEXT) } } }
        (calls(&request, &["/v1/ratings?provisional=true", "/v1/players?name=di"]))
    };
    let frame = Frame {
        title: english::PLAYERS_TITLE,
        part: "/players",
        scripts: &[],
        class: "players",
    };
    Ok(page(&request, frame.around(&main)))
}

fn form(library: &Library, asked: &PlayersQuery) -> Markup {
    html! {
        form class="filter" method="get" action="/players" aria-label=(english::PLAYERS_LABEL) {
            label { (english::PLAYERS_NAME)
                input type="search" name="name" maxlength="64" value=(asked.name) placeholder=(english::GAMES_NAME_HINT);
            }
            label { (english::GAMES_EDITION)
                select name="edition" {
                    option value="" { (english::PLAYER_ALL_EDITIONS) }
                    (editions(library, &asked.edition))
                }
            }
            button { (english::GAMES_FILTER) }
        }
    }
}

/// Who a rating is of.
fn named(rating: &RatingBody) -> Markup {
    html! {
        @match (&rating.handle, rating.kind) {
            (Some(handle), _) => a href={ "/players/" (rating.player) } { (handle) },
            (None, RatingKind::Bot) => (rating.player),
            (None, RatingKind::Account) => span class="faint" { (english::PLAYER_ELSEWHERE) },
        }
    }
}

/// In which edition a rating is.
fn edition(rating: &RatingBody) -> Markup {
    html! {
        @match &rating.edition {
            Some(edition) => a href={ "?edition=" (edition) } { (titled(edition)) },
            None => a href="?" { (english::PLAYER_ALL_EDITIONS) },
        }
    }
}

/// Ratings as a table, each headed by what tells them apart.
fn ratings(list: &[RatingBody], head: &dyn Fn(&RatingBody) -> Markup) -> Markup {
    let one_player = list
        .iter()
        .all(|rating| rating.player == list[0].player && rating.handle.is_some());
    html! {
        div class="scroll" tabindex="0" role="group" aria-label=(english::PLAYER_RATINGS) {
            table class="ratings" {
                thead { tr {
                    th scope="col" { (if one_player && list.len() > 1 { english::PLAYER_EDITION } else { english::PLAYER_NAME }) }
                    th scope="col" class="figure" { (english::PLAYER_RATING) }
                    th scope="col" class="figure" { (english::PLAYER_UNCERTAINTY) }
                    th scope="col" class="figure" { (english::PLAYER_ORDINAL) }
                    th scope="col" class="figure" { (english::PLAYER_RATED_GAMES) }
                } }
                tbody {
                    @for rating in list {
                        tr {
                            th scope="row" { (head(rating)) @if rating.provisional { " " span class="tag" { (english::PLAYER_PROVISIONAL) } } }
                            td class="figure" { b { (format!("{:.1}", rating.rating)) } }
                            td class="figure" { (format!("{:.1}", rating.uncertainty)) }
                            td class="figure" { (format!("{:.1}", rating.ordinal)) }
                            td class="figure" { (rating.games) }
                        }
                    }
                }
            }
        }
    }
}

/// What is shown of a player besides statistics.
struct PlayerContent {
    profile: PlayerProfile,
    games: Vec<GameSummary>,
    /// Whether there are more.
    more: bool,
    count: (u64, bool),
    history: Vec<RatingChangeBody>,
}

fn read(
    services: &Services,
    named: &str,
    edition: Option<&str>,
) -> Result<PlayerContent, ServiceError> {
    let profile = services.ratings.profile(named)?;
    let id = profile.player.id.to_string();
    let filter = GameFilter {
        player: Some(id.clone()),
        only_public: true,
        ..GameFilter::default()
    };
    let count = services.lists.count(&filter)?;
    let listed = services.lists.list(&filter, None, GAMES)?;
    Ok(PlayerContent {
        games: listed.items,
        more: listed.next.is_some(),
        count: (count.count, count.exact),
        history: services.ratings.history(&id, edition, None, DRAWN)?.items,
        profile,
    })
}

/// Somebody with an account.
#[get("/players/{player}")]
pub async fn player_page(
    request: HttpRequest,
    path: web::Path<String>,
    Query(asked): Query<PlayerRatingQuery>,
    services: web::Data<Services>,
    statistics: web::Data<Statistics>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    check_content(&services.library, given(&asked.edition), None)?;
    let named = path.into_inner();
    let drawn = given(&asked.edition).map(str::to_owned);
    let own = drawn.clone();
    let shown = blocking(&services, move |services| {
        read(services, &named, own.as_deref())
    })
    .await?;
    let player = &shown.profile.player;
    let filters = Filters {
        player: Some(player.id.to_string()),
        ..Filters::default()
    };
    let nations = statistics.figure(&NATIONS, &filters, SHORT).await?;
    let openings = statistics.figure(&OPENINGS, &filters, SHORT).await?;
    let met = statistics.rows(&HEAD_TO_HEAD, &filters, Opponent::read);
    let mut met = met.await?;
    met.sort_by_key(|opponent| std::cmp::Reverse(opponent.games));
    met.truncate(OPPONENTS);
    let opponents: Vec<String> = met.iter().map(|opponent| opponent.id.clone()).collect();
    let handles = blocking(&services, move |services| {
        handles(&services.accounts, opponents)
    })
    .await?;
    let id = player.id;
    let main = html! {
        h1 { (player.handle) }
        p class="faint" {
            (english::PLAYER_SINCE) " " (time(player.created_at))
            @if let Some(deleted) = player.deleted_at { " · " (english::PLAYER_GONE) " " (time(deleted)) }
            " · " (english::public_games(shown.count.0, shown.count.1))
        }
        section class="panel" aria-labelledby="ratings" {
            h2 id="ratings" { (english::PLAYER_RATINGS) }
            @if shown.profile.ratings.is_empty() { p { (english::PLAYER_UNRATED) } }
            @else { (ratings(&shown.profile.ratings, &edition)) (history(&shown, drawn.as_deref())) }
        }
        @if nations.rows > 0 {
            div class="figures" {
                @for (measure, name, figure) in [
                    (&NATIONS, english::PLAYER_NATIONS, &nations),
                    (&OPENINGS, english::PLAYER_OPENINGS, &openings),
                ] {
                    section class="panel" aria-labelledby=(measure.path) {
                        h2 id=(measure.path) { a href={ "/stats/" (measure.path) (query(&filters)) } { (name) } }
                        (figure.picture())
                        (figure.ways(&request, measure, &filters))
                    }
                }
            }
            p class="hint" { (english::PLAYER_NOT_COUNTED) }
        }
        section class="panel" aria-labelledby="opponents" {
            h2 id="opponents" { a href={ "/stats/head-to-head" (query(&filters)) } { (english::PLAYER_OPPONENTS) } }
            @if met.is_empty() { p { (english::PLAYER_ALONE) } }
            @else {
                p class="faint" { (english::PLAYER_OPPONENTS_LEAD) }
                (head_to_head(&met, &handles))
            }
        }
        section aria-labelledby="games" {
            h2 id="games" { (english::GAMES_TITLE) }
            @if shown.games.is_empty() { p { (english::GAMES_NONE) } }
            ul class="games" { @for game in &shown.games { (entry(&services.games, game)) } }
            @if shown.more {
                p { a class="button" href={ "/games?name=" (player.handle) } { (english::PLAYER_ALL_GAMES) } }
            }
        }
        (calls(&request, &[
            &format!("/v1/players/{id}"),
            &format!("/v1/players/{id}/ratings/history"),
            &format!("/v1/players/{id}/games"),
            &format!("/v1/stats/nations?player={id}"),
            &format!("/v1/stats/head-to-head?player={id}"),
        ]))
    };
    let frame = Frame {
        title: &player.handle,
        part: "/players",
        scripts: &[],
        class: "stats",
    };
    Ok(page(&request, frame.around(&main)))
}

/// The rating from game to game, for wide windows and for narrow ones.
fn history(shown: &PlayerContent, edition: Option<&str>) -> Markup {
    let mut all = shown.profile.ratings.iter();
    let Some(rating) = all.find(|rating| rating.edition.as_deref() == edition) else {
        return html! { p { (english::PLAYER_UNRATED) } };
    };
    let mut picture = rating_curves(
        &shown.profile.player.handle,
        edition,
        rating.games,
        &shown.history,
    );
    let title = picture.title.clone();
    picture.bare = true;
    html! {
        h3 { (title) }
        figure class="picture" {
            div class="wide" { (PreEscaped(curves(&picture, WIDE, Theme::Light))) }
            div class="slim" { (PreEscaped(curves(&picture, NARROW, Theme::Light))) }
        }
    }
}

/// What the players are called now who are known here, by what tables name them.
fn handles(
    accounts: &Accounts,
    ids: Vec<String>,
) -> Result<BTreeMap<String, String>, ServiceError> {
    let mut handles = BTreeMap::new();
    for id in ids {
        match accounts.player(&id) {
            Ok(player) => {
                handles.insert(id, player.handle);
            }
            Err(ServiceError::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(handles)
}

/// The games of a player with an opponent, of one board and number of nations.
struct Opponent {
    id: String,
    board: String,
    nations: u32,
    games: u32,
    ahead: f64,
    rate: f64,
}

impl Opponent {
    fn read(cells: &RowCells<'_>) -> PolarsResult<Opponent> {
        Ok(Opponent {
            id: cells.text("opponent")?.to_owned(),
            board: cells.text("board")?.to_owned(),
            nations: cells.count("nations")?,
            games: cells.count("games")?,
            ahead: cells.number("ahead")?,
            rate: cells.number("rate")?,
        })
    }
}

/// How often each opponent was met, and which of the two came out better.
fn head_to_head(met: &[Opponent], handles: &BTreeMap<String, String>) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="group" aria-labelledby="opponents" {
            table class="ratings" {
                thead { tr {
                    th scope="col" { (english::PLAYER_OPPONENT) }
                    th scope="col" class="figure" { (english::PLAYER_MET) }
                    th scope="col" class="figure" { (english::PLAYER_AHEAD) }
                    th scope="col" class="figure" { (english::PLAYER_WON) }
                    th scope="col" { (english::PLAYER_WHERE) }
                } }
                tbody {
                    @for Opponent { id, board, nations, games, ahead, rate } in met {
                        tr {
                            th scope="row" {
                                @match handles.get(id) {
                                    Some(handle) => a href={ "/players/" (id) } { (handle) },
                                    None => (id),
                                }
                            }
                            td class="figure" { (games) }
                            td class="figure" { b { (english::part(*ahead)) } }
                            td class="figure" { (english::part(*rate)) }
                            td class="nowrap" { (board_name(board)) ", " (english::nations(*nations as u8)) }
                        }
                    }
                }
            }
        }
    }
}

/// What programs ask for the same.
fn calls(request: &HttpRequest, paths: &[&str]) -> Markup {
    let base = base(request);
    let lines: Vec<String> = paths
        .iter()
        .map(|path| format!("curl '{base}{path}'"))
        .collect();
    html! {
        details {
            summary { (english::PLAYER_API) }
            pre tabindex="0" { code { (lines.join("\n")) } }
        }
    }
}
