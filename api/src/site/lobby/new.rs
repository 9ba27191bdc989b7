//! The page to play: the caller's games, open tables, and the form of a new game.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::{HttpRequest, HttpResponse, get, web};
use charts::titled;
use engine::content::{Board, Library};
use engine::setup::{Pace, TimeoutThen};
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use crate::games::bodies::GameSummary;
use crate::games::model::{Claims, Status, Visibility};
use crate::games::queries::lists::GameFilter;
use crate::games::table::summary;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::problem::Problem;
use crate::http::reply::blocking;
use crate::http::request::caller::identity;
use crate::http::request::query::Query;
use crate::services::Services;
use crate::site::badge::Nations;
use crate::site::choice::Visit;
use crate::site::frame::{Frame, page};
use crate::site::game::{player_shown, title};
use crate::site::lobby::parts::{
    bot_options, consequence, is_free, pace, signed_in, visibility as visibility_text,
};
use crate::site::texts::Texts;

/// The default number of players of a new game, where the board allows it.
const PLAYERS: u8 = 4;

/// The number of listed open tables.
const TABLES: usize = 6;

/// How many open games are read to find these tables: others are full but for reserved seats.
const READ: usize = 30;

/// The offered time limits: seconds for a turn, and for the whole game beyond that.
const PACES: [(u32, u32); 5] = [
    (300, 1_800),
    (3_600, 14_400),
    (86_400, 259_200),
    (259_200, 604_800),
    (604_800, 1_209_600),
];

/// The boards with the groups of nations that a seat can have, by number of seats.
type Boards<'a> = Vec<(&'a Board, BTreeMap<u8, Vec<Vec<String>>>)>;

/// The position from which the new game goes on.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BranchQuery {
    /// The id of a game.
    from: Option<Uuid>,
    /// The number of an event of that game; the last one if omitted.
    seq: Option<u64>,
}

/// The game and the event from which the new game goes on.
struct BranchSource {
    game: GameSummary,
    seq: u64,
}

fn find_source(
    services: &Services,
    call: &Call,
    query: BranchQuery,
) -> Result<Option<BranchSource>, ServiceError> {
    let Some(id) = query.from else {
        return Ok(None);
    };
    let table = services.games.table(id)?;
    if !services.games.access.sees(call, &table)? {
        return Err(ServiceError::NotFound(format!("game {id}")));
    }
    Ok(Some(BranchSource {
        game: summary(&table.stored, &table.seats)?,
        seq: query.seq.unwrap_or(table.seq()),
    }))
}

/// The page to play.
#[get("/play")]
pub async fn play_page(
    request: HttpRequest,
    Query(query): Query<BranchQuery>,
    visit: Visit,
    services: web::Data<Services>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    let account = signed_in(&request);
    let call = identity(&request);
    let (source, tables) = blocking(&services, move |services| {
        Ok((find_source(services, &call, query)?, open_tables(services)?))
    })
    .await?;
    let main = html! {
        h1 { (texts.text("nav-play")) }
        p { (texts.text("play-lead")) }
        noscript { p class="hint" { (texts.text("play-needs-scripts")) } }
        section id="mine" class="script" aria-labelledby="mine-title" data-account=[account.as_ref()] hidden {
            h2 id="mine-title" { (texts.text("mine-title")) }
            ul class="games" {}
        }
        div class="lobby" {
            (form(texts, &services.library, account.as_deref(), source.as_ref()))
            section class="open-tables" aria-labelledby="open-title" {
                h2 id="open-title" { (texts.text("open-title")) }
                @if tables.is_empty() { p class="hint" { (texts.text("open-none")) } }
                ul class="games" { @for game in &tables { (entry(texts, &services, game)) } }
                @if !tables.is_empty() { p { a href="/games?status=open" { (texts.text("open-all")) } } }
            }
        }
    };
    let frame = Frame {
        title: texts.text("nav-play"),
        part: "/play",
        scripts: &["new.js", "mine.js"],
        class: "",
    };
    Ok(page(&request, texts, frame.around(&visit, &main)))
}

/// Public games with a seat that anyone may take, the newest first.
fn open_tables(services: &Services) -> Result<Vec<GameSummary>, ServiceError> {
    let filter = GameFilter {
        status: Some(Status::Open),
        only_public: true,
        ..GameFilter::default()
    };
    let mut tables = services.lists.list(&filter, None, READ)?.items;
    tables.retain(|game| game.claims == Claims::Open && game.seats.iter().any(is_free));
    tables.truncate(TABLES);
    Ok(tables)
}

/// An open table in the list.
fn entry(texts: Texts, services: &Services, game: &GameSummary) -> Markup {
    let nations = Nations::of(texts, game);
    let free = game.seats.iter().filter(|seat| is_free(seat)).count();
    html! {
        li class="entry" {
            div class="about" {
                a href={ "/games/" (game.id) "/lobby" } { (title(texts, &services.games, game)) }
                " " span class="state open" { (texts.format("open-seats", [("count", free.into())])) }
                " " span class="faint" { (pace(texts, game.pace.as_ref())) }
            }
            ul class="table" {
                @for seat in &game.seats {
                    li { @for name in &seat.nations { (nations.named(name)) " " } span class="player" { (player_shown(texts, seat)) } }
                }
            }
        }
    }
}

/// The groups of nations that a seat can have, by number of seats.
fn groups(board: &Board) -> BTreeMap<u8, Vec<Vec<String>>> {
    let single = |nation: &String| vec![nation.clone()];
    let starts = board.data.starts.iter();
    let mut groups: BTreeMap<u8, Vec<Vec<String>>> = starts
        .map(|(seats, starts)| (*seats, starts.keys().map(single).collect()))
        .collect();
    if let Some(pairs) = &board.data.two_players {
        groups.insert(2, pairs.iter().map(|pair| pair.to_vec()).collect());
    }
    groups
}

/// Returns the boards that can be chosen.
/// For a game that is played on, this is its board with its seats.
fn boards<'a>(library: &'a Library, source: Option<&BranchSource>) -> Boards<'a> {
    let boards = library.boards();
    let Some(BranchSource { game, .. }) = source else {
        return boards.map(|board| (&**board, groups(board))).collect();
    };
    let seats: Vec<Vec<String>> = game.seats.iter().map(|seat| seat.nations.clone()).collect();
    let count = u8::try_from(seats.len()).unwrap_or_default();
    boards
        .filter(|board| board.data.id == game.board)
        .map(|board| (&**board, BTreeMap::from([(count, seats.clone())])))
        .collect()
}

fn form(
    texts: Texts,
    library: &Library,
    account: Option<&str>,
    source: Option<&BranchSource>,
) -> Markup {
    let boards = boards(library, source);
    let counts = boards.iter().flat_map(|(_, groups)| groups.keys());
    let most = counts.max().copied().unwrap_or_default();
    html! {
        form id="new-game" class="new-game script" data-account=[account] data-from=[source.map(|source| source.game.id)]
            data-seq=[source.map(|source| source.seq)] aria-labelledby="new-title" {
            @match source {
                None => h2 id="new-title" { (texts.text("new-title")) },
                Some(source) => {
                    h2 id="new-title" { a href={ "/games/" (source.game.id) "?at=" (source.seq) } {
                        (texts.format("branch-title", [("event", source.seq.into())]))
                    } }
                    p class="hint" { (texts.text("branch-lead")) }
                }
            }
            fieldset {
                legend { (texts.text("play-board")) }
                div class="choices" {
                    @for (place, (board, groups)) in boards.iter().enumerate() {
                        (board_choice(texts, board, groups, place == 0))
                    }
                }
            }
            div class="filter" {
                label { (texts.text("new-players")) select name="count" {} }
                label { (texts.text("new-opponents"))
                    select name="opponents" {
                        option value="bots" { (texts.text("new-with-bots")) }
                        option value="friends" { (texts.text("new-with-friends")) }
                        option value="anyone" { (texts.text("new-with-anyone")) }
                    }
                }
                label id="bot-choice" { (texts.text("play-bot")) select name="bot" { (bot_options(texts, "greedy")) } }
                @if account.is_none() {
                    label { (texts.text("play-name")) input name="name" maxlength="64" autocomplete="nickname"; }
                }
            }
            details id="new-details" {
                summary { (texts.text("new-details")) }
                @for seat in 0..most { (seat_row(texts, seat)) }
                // A game that plays on has the variants of the other.
                @if source.is_none() { (variants(texts, library)) }
                (time_and_visibility(texts, account.is_some()))
            }
            template id="nations" { (nation_options(texts, &boards)) }
            button class="first" { (texts.text("play-start")) }
            p id="refusal" role="alert" hidden {}
        }
    }
}

fn board_choice(
    texts: Texts,
    board: &Board,
    groups: &BTreeMap<u8, Vec<Vec<String>>>,
    is_first: bool,
) -> Markup {
    let usual = groups.keys().min_by_key(|count| count.abs_diff(PLAYERS));
    let (least, most) = (groups.keys().min(), groups.keys().max());
    // Numbers and names can always be written as JSON.
    let starts = serde_json::to_string(groups).unwrap_or_default();
    html! {
        label class="choice" {
            input type="radio" name="board" value=(board.data.id) required checked[is_first]
                data-edition=(board.data.edition) data-seats=[usual] data-starts=(starts);
            span { b { (titled(&board.data.edition)) } " " (texts.board(&board.data.id, &board.data.name))
                " " span class="faint" {
                    @match (least, most) {
                        (Some(least), Some(most)) if least < most => {
                            (texts.format("players-range", [("least", (*least).into()), ("most", (*most).into())]))
                        }
                        _ => (texts.format("players-count", [("count", usual.copied().unwrap_or_default().into())])),
                    }
                }
            }
        }
    }
}

fn seat_row(texts: Texts, seat: u8) -> Markup {
    html! {
        fieldset class="seat-row" {
            legend { (texts.format("seat-number", [("number", (seat + 1).into())])) }
            label { (texts.text("new-player"))
                select name="player" {
                    option value="you" selected[seat == 0] { (texts.text("new-you")) }
                    option value="open" { (texts.text("new-free")) }
                    (bot_options(texts, if seat == 0 { "" } else { "greedy" }))
                }
            }
            label { (texts.text("new-nation")) select name="nations" { option value="" { (texts.text("new-drawn")) } } }
        }
    }
}

fn variants(texts: Texts, library: &Library) -> Markup {
    html! {
        fieldset id="variants" class="checks" {
            legend { (texts.text("new-variants")) }
            @for ruleset in library.rulesets() {
                @for (name, variant) in &ruleset.data.variants {
                    @let seats = variant.nations.as_ref().map(|counts| counts.iter().map(u8::to_string).collect::<Vec<_>>().join(" "));
                    label data-edition=(ruleset.data.edition) data-counts=[seats] {
                        input type="checkbox" name="variant" value=(name) data-excludes=(variant.excludes.join(" "));
                        span { (texts.name("variant", name)) " "
                            a href={ "/rules/" (ruleset.data.edition) "#" (variant.rule) } { "[" (variant.rule) "]" } }
                    }
                }
            }
        }
    }
}

fn time_and_visibility(texts: Texts, signed_in: bool) -> Markup {
    let paces = PACES.map(|(turn_seconds, reserve_seconds)| Pace {
        turn_seconds,
        reserve_seconds,
        timeouts: 1,
        then: TimeoutThen::Bot,
        bot: None,
    });
    html! {
        div class="filter" {
            label { (texts.text("new-bidding"))
                select name="bidding" {
                    option value="" { (texts.text("bid-none")) }
                    option value="sealed" { (texts.text("bid-sealed")) }
                    option value="open" { (texts.text("bid-open")) }
                }
            }
            label { (texts.text("new-pace"))
                select name="pace" {
                    option value="" { (texts.text("pace-none")) }
                    @for limits in &paces {
                        option value={ (limits.turn_seconds) " " (limits.reserve_seconds) } { (pace(texts, Some(limits))) }
                    }
                }
            }
            label { (texts.text("new-then"))
                select name="then" {
                    @for then in [TimeoutThen::Bot, TimeoutThen::Resign, TimeoutThen::Wait] {
                        option value=(then.name()) { (consequence(texts, then)) }
                    }
                }
            }
            label { (texts.text("new-visibility"))
                select name="visibility" {
                    option value="public" { (visibility_text(texts, Visibility::Public)) }
                    option value="unlisted" { (visibility_text(texts, Visibility::Unlisted)) }
                    // A browser shows the pages of a private game only to accounts.
                    @if signed_in { option value="private" { (visibility_text(texts, Visibility::Private)) } }
                }
            }
        }
    }
}

/// An option for each nation, by which the module names the groups.
fn nation_options(texts: Texts, boards: &Boards<'_>) -> Markup {
    let groups = boards.iter().flat_map(|(_, groups)| groups.values());
    let names: BTreeSet<&String> = groups.flatten().flatten().collect();
    html! { @for name in names { option value=(name) { (texts.nation(name)) } } }
}
