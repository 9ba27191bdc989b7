//! Players by ratings and names, and a player's games, results and opponents.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, get, web};
use analytics::{Filters, HEAD_TO_HEAD, NATIONS, OPENINGS, RowCells};
use charts::{NARROW, Theme, WIDE, curves, titled};
use engine::content::Library;
use maud::{Markup, PreEscaped, html};
use polars::prelude::PolarsResult;
use serde::Deserialize;

use crate::accounts::model::{PlayerBody, PlayerPage};
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
use crate::site::choice::Visit;
use crate::site::forms::{editions, given, write_query};
use crate::site::frame::time;
use crate::site::frame::{Frame, page};
use crate::site::games::entry;
use crate::site::preview::{Audience, Preview};
use crate::site::stats::filter::query;
use crate::site::texts::Texts;
use crate::statistics::Statistics;
use crate::statistics::figure::SHORT;
use crate::statistics::strengths::{PlayerStrengths, StrengthBody, are_shown};

/// How many games of a player are listed.
const GAMES: usize = 12;

/// The number of players on a page.
const PLAYERS: usize = 50;

/// How many bots are listed.
const BOTS: usize = 20;

/// The number of listed strengths, the clearest ones first.
const STRENGTHS: usize = 12;

/// The number of listed opponents, those with the most games first.
const OPPONENTS: usize = 20;

/// Selects the players. Forms send empty texts for fields without a choice.
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
    visit: Visit,
    services: web::Data<Services>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
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
        h1 { (texts.text("players-title")) }
        p { (texts.text("players-lead")) }
        (form(texts, &services.library, &asked))
        @match &listed {
            PlayerList::Found(found) => section aria-labelledby="found" {
                h2 id="found" { (texts.text("players-found")) }
                @if found.items.is_empty() { p { (texts.text("players-none")) } }
                ul class="names" {
                    @for player in &found.items {
                        li { a href={ "/players/" (player.id) } { (player.handle) }
                            @if player.bot { " " span class="tag" { (texts.text("player-bot")) } }
                            " " span class="faint" { (texts.text("player-since")) " " (time(texts, player.created_at)) } }
                    }
                }
            },
            PlayerList::Rated(rated, bots) => {
                section aria-labelledby="rated" {
                    h2 id="rated" { (texts.text("players-rated")) }
                    @if rated.items.is_empty() { p { (texts.text("players-unrated")) } }
                    @else { (ratings(texts, &rated.items, &|rating| named(texts, rating))) }
                }
                @if !bots.is_empty() {
                    section aria-labelledby="bots" {
                        h2 id="bots" { (texts.text("players-bots")) }
                        (ratings(texts, bots, &|rating| named(texts, rating)))
                    }
                }
            }
        }
        @if let Some(next) = next { p { a class="button" rel="next" href={ "?" (next) } { (texts.text("players-next")) } } }
        (calls(texts, &request, &["/v1/ratings?provisional=true", "/v1/players?name=di"]))
    };
    let frame = Frame {
        title: texts.text("players-title"),
        part: "/players",
        scripts: &[],
        class: "players",
    };
    Ok(page(&request, texts, frame.around(&visit, &main)))
}

fn form(texts: Texts, library: &Library, asked: &PlayersQuery) -> Markup {
    html! {
        form class="filter" method="get" action="/players" aria-label=(texts.text("players-label")) {
            label { (texts.text("players-name"))
                input type="search" name="name" maxlength="64" value=(asked.name) placeholder=(texts.text("games-name-hint"));
            }
            label { (texts.text("games-edition"))
                select name="edition" {
                    option value="" { (texts.text("player-all-editions")) }
                    (editions(library, &asked.edition))
                }
            }
            button { (texts.text("show")) }
        }
    }
}

/// A link to the player of a rating.
fn named(texts: Texts, rating: &RatingBody) -> Markup {
    html! {
        @match (&rating.handle, rating.kind) {
            (Some(handle), _) => a href={ "/players/" (rating.player) } { (handle) },
            (None, RatingKind::Bot) => (rating.player),
            (None, RatingKind::Account) => span class="faint" { (texts.text("player-elsewhere")) },
        }
    }
}

/// The edition of a rating.
fn edition(texts: Texts, rating: &RatingBody) -> Markup {
    html! {
        @match &rating.edition {
            Some(edition) => a href={ "?edition=" (edition) } { (titled(edition)) },
            None => a href="?" { (texts.text("player-all-editions")) },
        }
    }
}

/// Ratings as a table. `head` returns the heading of a row.
fn ratings(texts: Texts, list: &[RatingBody], head: &dyn Fn(&RatingBody) -> Markup) -> Markup {
    let one_player = list
        .iter()
        .all(|rating| rating.player == list[0].player && rating.handle.is_some());
    html! {
        div class="scroll" tabindex="0" role="group" aria-label=(texts.text("player-ratings")) {
            table class="ratings" {
                thead { tr {
                    th scope="col" { @if one_player && list.len() > 1 { (texts.text("player-edition")) } @else { (texts.text("player-name")) } }
                    th scope="col" class="figure" { (texts.text("player-rating")) }
                    th scope="col" class="figure" { (texts.text("player-uncertainty")) }
                    th scope="col" class="figure" { (texts.text("player-ordinal")) }
                    th scope="col" class="figure" { (texts.text("player-rated-games")) }
                } }
                tbody {
                    @for rating in list {
                        tr {
                            th scope="row" { (head(rating)) @if rating.provisional { " " span class="tag" { (texts.text("player-provisional")) } } }
                            td class="figure" { b { (texts.decimal(rating.rating, 1)) } }
                            td class="figure" { (texts.decimal(rating.uncertainty, 1)) }
                            td class="figure" { (texts.decimal(rating.ordinal, 1)) }
                            td class="figure" { (rating.games) }
                        }
                    }
                }
            }
        }
    }
}

/// The contents of the page of a player besides statistics.
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

/// A player with an account.
#[get("/players/{player}")]
pub async fn player_page(
    request: HttpRequest,
    path: web::Path<String>,
    Query(asked): Query<PlayerRatingQuery>,
    visit: Visit,
    services: web::Data<Services>,
    statistics: web::Data<Statistics>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
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
    let strengths = match are_shown(&request, player) {
        true => Some(statistics.strengths(id).await?),
        false => None,
    };
    let main = html! {
        h1 { (player.handle) @if player.bot { " " span class="tag" { (texts.text("player-bot")) } } }
        p class="faint" {
            (texts.text("player-since")) " " (time(texts, player.created_at))
            @if let Some(deleted) = player.deleted_at { " · " (texts.text("player-gone")) " " (time(texts, deleted)) }
            " · " (texts.public_games(shown.count.0, shown.count.1))
        }
        section class="panel" aria-labelledby="ratings" {
            h2 id="ratings" { (texts.text("player-ratings")) }
            @if shown.profile.ratings.is_empty() { p { (texts.text("player-unrated")) } }
            @else { (ratings(texts, &shown.profile.ratings, &|rating| edition(texts, rating))) (history(texts, &shown, drawn.as_deref())) }
        }
        @if nations.rows > 0 {
            div class="figures" {
                @for (measure, name, figure) in [
                    (&NATIONS, texts.text("player-nations"), &nations),
                    (&OPENINGS, texts.text("player-openings"), &openings),
                ] {
                    section class="panel" aria-labelledby=(measure.path) {
                        h2 id=(measure.path) { a href={ "/stats/" (measure.path) (query(&filters)) } { (name) } }
                        (figure.picture())
                        (figure.ways(&request, texts, measure, &filters))
                    }
                }
            }
            p class="hint" { (texts.text("player-not-counted")) }
        }
        @if let Some(strengths) = &strengths { (compared(texts, player, strengths)) }
        section class="panel" aria-labelledby="opponents" {
            h2 id="opponents" { a href={ "/stats/head-to-head" (query(&filters)) } { (texts.text("player-opponents")) } }
            @if met.is_empty() { p { (texts.text("player-alone")) } }
            @else {
                p class="faint" { (texts.text("player-opponents-lead")) }
                (head_to_head(texts, &met, &handles))
            }
        }
        section aria-labelledby="games" {
            h2 id="games" { (texts.text("games-title")) }
            @if shown.games.is_empty() { p { (texts.text("games-none")) } }
            ul class="games" { @for game in &shown.games { (entry(texts, &services.games, game)) } }
            @if shown.more {
                p { a class="button" href={ "/games?name=" (player.handle) } { (texts.text("player-all-games")) } }
            }
        }
        (calls(texts, &request, &[
            &format!("/v1/players/{id}"),
            &format!("/v1/players/{id}/ratings/history"),
            &format!("/v1/players/{id}/games"),
            &format!("/v1/players/{id}/strengths"),
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
    // A deleted account is still linked from its games, but is not for search engines.
    let audience = match player.deleted_at {
        Some(_) => Audience::Unlisted,
        None => Audience::Public,
    };
    let preview =
        Preview::new(texts, &texts.player_preview(&player.handle)).with_audience(audience);
    Ok(page(
        &request,
        texts,
        frame.previewed(&visit, &preview, &main),
    ))
}

/// The results of the player compared with all others, where there are enough games.
fn compared(texts: Texts, player: &PlayerBody, strengths: &PlayerStrengths) -> Markup {
    let enough = strengths.items.iter().filter(|row| !row.insufficient);
    let rows: Vec<&StrengthBody> = enough.take(STRENGTHS).collect();
    let level = |row: &StrengthBody| match row.by {
        "nation" => texts.nation(&row.level),
        "opening" => texts.name("opening", &row.level.replace('_', "-")),
        _ => texts.phase(&row.level),
    };
    html! {
        section class="panel" aria-labelledby="strengths" {
            h2 id="strengths" { (texts.text("player-strengths")) }
            @if player.hides_strengths { p class="hint" { (texts.text("player-strengths-hidden")) } }
            @if rows.is_empty() { p { (texts.text("player-strengths-none")) } }
            @else {
                p class="faint" { (texts.text("player-strengths-lead")) }
                div class="scroll" tabindex="0" role="group" aria-labelledby="strengths" {
                    table class="ratings" {
                        thead { tr {
                            th scope="col" { (texts.text("player-strength")) }
                            th scope="col" class="figure" { (texts.text("player-strength-rate")) }
                            th scope="col" class="figure" { (texts.text("player-strength-others")) }
                            th scope="col" class="figure" { (texts.text("player-strength-difference")) }
                            th scope="col" class="figure" { (texts.text("player-strength-games")) }
                            th scope="col" { (texts.text("player-where")) }
                        } }
                        tbody {
                            @for row in rows {
                                tr {
                                    th scope="row" { (level(row)) @if row.q < 0.05 { " " span class="tag" { (texts.text("player-strength-clear")) } } }
                                    td class="figure" { (texts.part(row.rate)) }
                                    td class="figure" { (texts.part(row.others_rate)) }
                                    td class="figure nowrap" {
                                        b { (texts.signed(row.difference * 100.0, 0)) }
                                        " (" (texts.signed(row.difference_low * 100.0, 0)) " … "
                                        (texts.signed(row.difference_high * 100.0, 0)) ")"
                                    }
                                    td class="figure" { (row.nation_games) }
                                    td class="nowrap" { (texts.short_board(&row.board)) ", " (texts.nations(row.nations)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The rating from game to game, for wide windows and for narrow ones.
fn history(texts: Texts, shown: &PlayerContent, edition: Option<&str>) -> Markup {
    let mut all = shown.profile.ratings.iter();
    let Some(rating) = all.find(|rating| rating.edition.as_deref() == edition) else {
        return html! { p { (texts.text("player-unrated")) } };
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

/// The handles of the players with these ids. Unknown ids are left out.
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

/// The number of games with each opponent, and how often each of the two was ahead.
fn head_to_head(texts: Texts, met: &[Opponent], handles: &BTreeMap<String, String>) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="group" aria-labelledby="opponents" {
            table class="ratings" {
                thead { tr {
                    th scope="col" { (texts.text("player-opponent")) }
                    th scope="col" class="figure" { (texts.text("player-met")) }
                    th scope="col" class="figure" { (texts.text("player-ahead")) }
                    th scope="col" class="figure" { (texts.text("player-won")) }
                    th scope="col" { (texts.text("player-where")) }
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
                            td class="figure" { b { (texts.part(*ahead)) } }
                            td class="figure" { (texts.part(*rate)) }
                            td class="nowrap" { (texts.short_board(board)) ", " (texts.nations(*nations)) }
                        }
                    }
                }
            }
        }
    }
}

/// Calls of the API for the same data, for `curl`.
fn calls(texts: Texts, request: &HttpRequest, paths: &[&str]) -> Markup {
    let base = base(request);
    let lines: Vec<String> = paths
        .iter()
        .map(|path| format!("curl '{base}{path}'"))
        .collect();
    html! {
        details {
            summary { (texts.text("player-api")) }
            pre tabindex="0" { code { (lines.join("\n")) } }
        }
    }
}
