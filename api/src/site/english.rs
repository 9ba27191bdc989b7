//! Every text of the pages, in English. Another language is a file like this one, so it is one long list.

use analytics::Filters;
use engine::chips::Payment;
use engine::forms::QuestionDetails;
use engine::words::{EndReason, Field, Piece, Unit};
use jiff::Timestamp;
use maud::{Markup, html};

use crate::games::model::Status;
use crate::leagues::event::{Joining, Scoring, SeatCredit, TieBreak};
use crate::leagues::league::TableState;

/// The code of the language (BCP 47).
pub const LANGUAGE: &str = "en";

/// What the service is called.
pub const NAME: &str = "Tabularium";

/// The parts of the site.
pub const NAVIGATION: &[(&str, &str)] = &[
    ("/games", "Games"),
    ("/play", "Play"),
    ("/leagues", "Leagues"),
    ("/stats", "Statistics"),
    ("/players", "Players"),
    ("/rules", "Rules"),
    ("/docs", "Docs"),
];

pub const NAVIGATION_LABEL: &str = "Parts of the site";
pub const SKIP: &str = "Skip to the content";
pub const FOOT: &str =
    "referee and record office for the Antike board games · free software, MIT or Apache 2.0";
pub const HOME: &str = "To the first page";

pub const HOME_TITLE: &str = "Every move kept. Every result proven.";
pub const HOME_LEAD: &str = "Tabularium referees games of Antike, Antike II and Antike Duellum, keeps their \
    records so that anybody can check them, and tells what finished games teach.";
pub const HOME_RUNNING: &str = "Being played now";
pub const HOME_LAST: &str = "The last game that ended";
pub const HOME_NONE: &str = "No game has been played here yet.";
pub const HOME_WATCH: &str = "Watch it";
pub const HOME_REPLAY: &str = "Play it back";
pub const HOME_GAMES: &str = "Look at games";
pub const HOME_API: &str = "Use the API";

/// What there is, for the first page: where, title, words.
pub const HOME_PARTS: &[(&str, &str, &str)] = &[
    (
        "/games",
        "Games",
        "Watch live, or step through any game that was ever played here: each turn in words and in notation, \
         each position as a picture.",
    ),
    (
        "/stats",
        "Statistics",
        "How nations, openings and personages fare, with intervals and numbers of games; an explorer of openings on \
         the rondel; every picture with its table and its citation.",
    ),
    (
        "/leagues",
        "Leagues",
        "Seasons with standings as of any day, rounds and their tables, who came out ahead of whom, and results from \
         real tables beside games played here.",
    ),
    (
        "/players",
        "Players",
        "Who plays how well: ratings with their uncertainty, from game to game, and of each player nations, openings \
         and opponents.",
    ),
    (
        "/docs",
        "Documentation",
        "How to play, write a client, run a league, use the data and run a server. With a reference of the whole API.",
    ),
    (
        "/rules",
        "Rules",
        "Each edition as numbered rules. When the referee refuses a move, it says by which. Boards and prices are \
         data files with versions and hashes.",
    ),
];

pub const GAMES_TITLE: &str = "Games";
pub const GAMES_FILTER: &str = "Show";
pub const GAMES_LABEL: &str = "Which games are shown";
pub const GAMES_NONE: &str = "No game matches.";
pub const GAMES_NEXT: &str = "Older games";
pub const GAMES_EDITION: &str = "Edition";
pub const GAMES_STATUS: &str = "Status";
pub const GAMES_NAME: &str = "Player";
pub const GAMES_NAME_HINT: &str = "name begins with";
pub const ANY: &str = "any";
pub const WINNER: &str = "won";
pub const BOT: &str = "bot";
pub const OPEN_SEAT: &str = "open seat";

pub const GAME_BOARD: &str = "The board, which can be scrolled on small screens";
pub const GAME_STEPS: &str = "Steps through the game";
pub const GAME_FIRST: &str = "First event";
pub const GAME_BACK: &str = "Event before";
pub const GAME_FORWARD: &str = "Next event";
pub const GAME_LAST: &str = "Last event";
pub const GAME_PLAY: &str = "Play";
pub const GAME_PAUSE: &str = "Pause";
pub const GAME_SLIDER: &str = "Event";
pub const GAME_KEYS: &str = "Keys: ← → an event, Shift and ← → a turn, Home, End, Space.";
pub const GAME_POINTS: &str = "Points by round";
pub const GAME_POINTS_HINT: &str =
    "The height is the points of a nation, the width the game. A click goes there.";
pub const GAME_TURNS: &str = "Turns";
pub const GAME_SETUP: &str = "Setup";
pub const GAME_SEATS: &str = "At the table";
pub const ANALYSIS: &str = "Analysis";
pub const ANALYSIS_SWITCH: &str = "Ask the search player";
pub const ANALYSIS_HINT: &str = "What part of the win each seat may expect, at the moment that is shown and by round, \
    and what it would do. It rests on short playouts: good for comparing turns, and no more than an opinion.";
pub const ANALYSIS_BARRED: &str = "A rated game is not analysed while it runs.";
pub const ANALYSIS_VISITS: &str = "playouts";
pub const ANALYSIS_THINKS: &str = "It thinks …";
pub const ANALYSIS_OVER: &str = "The game is over: nothing is to be decided.";

pub const GAME_DOWNLOADS: &str = "Downloads";
pub const GAME_RECORD: &str = "Record (JSON)";
pub const GAME_RECORD_EVENTS: &str = "Record with its log (JSON)";
pub const GAME_RECORD_TEXT: &str = "Record in notation";
pub const GAME_PICTURE: &str = "This position (SVG)";
pub const GAME_PIXELS: &str = "This position (PNG)";
pub const GAME_UNDONE: &str = "taken back";
pub const GAME_EARLIER: &str =
    "Only the last events are listed here; all of them are in the record.";
pub const GAME_SIGNED: &str = "Signed by the office.";
pub const GAME_UNSIGNED: &str = "Not signed yet.";
pub const GAME_WAITS_OPEN: &str = "Waiting for players";
pub const POINTS: &str = "points";

/// An edition and a board as a title.
pub fn game_title(edition: &str, board: &str) -> String {
    format!("{edition} · {board}")
}

/// Where a game stands as a whole.
pub fn status(status: Status) -> &'static str {
    match status {
        Status::Open => "open",
        Status::Running => "running",
        Status::Finished => "finished",
        Status::Abandoned => "abandoned",
    }
}

/// Why a game ended.
pub fn reason(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Goal => "the points to win were reached",
        EndReason::TempleDestroyed => "a temple was destroyed and no personage was left",
        EndReason::Resignation => "the others resigned",
        EndReason::RoundLimit => "the last round was over",
        EndReason::Agreement => "the players agreed",
        EndReason::Adjudication => "the organizer decided",
    }
}

/// Who won, or shared the win.
pub fn won(names: &[String]) -> String {
    match names {
        [] => "Nobody won".to_owned(),
        [one] => format!("{one} won"),
        many => format!("{} shared the win", listed(many)),
    }
}

/// Names in a row: `Romans, Greeks and Arabs`.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

/// What a verification found.
pub fn verified(events: u64) -> String {
    format!("Every event checked: all {events} follow from the rules and from those before.")
}

/// That a verification failed, and why.
pub fn not_verified(error: &str) -> String {
    format!("The record does not hold: {error}")
}

/// Who is waited for.
pub fn waits_for(nation: &str, player: &str, what: &str) -> String {
    format!("Waiting for {nation} ({player}): {what}")
}

/// A wish to go back.
pub fn undo_wish(by: &str, to: u64, missing: &[String]) -> String {
    format!(
        "{by} would like to go back to event {to}; {} must agree",
        listed(missing)
    )
}

/// A moment of a game.
pub fn round_and_turn(round: u32, turn: u32) -> String {
    match round {
        0 => "set-up".to_owned(),
        _ => format!("round {round}, turn {turn}"),
    }
}

/// A round as a place to go to.
pub fn round(number: u32) -> String {
    format!("Round {number}")
}

/// What a turn is headed.
pub fn turn(number: u32) -> String {
    format!("turn {number}")
}

/// What a picture of a position shows.
pub fn position(seq: u64, round: u32, to_move: &str) -> String {
    match round {
        0 => format!("The board after event {seq}: set-up"),
        _ => format!("The board after event {seq}: round {round}, {to_move} to move"),
    }
}

/// A moment of time, to the minute.
pub fn time(at: Timestamp) -> String {
    at.strftime("%-d %b %Y, %H:%M UTC").to_string()
}

/// A number of points.
pub fn points(count: u32) -> String {
    match count {
        1 => "1 point".to_owned(),
        count => format!("{count} points"),
    }
}

/// How many games have been finished.
pub fn finished_games(count: u64, exact: bool) -> String {
    match (count, exact) {
        (1, _) => "1 finished game".to_owned(),
        (count, true) => format!("{count} finished games"),
        (count, false) => format!("more than {count} finished games"),
    }
}

/// What is wrong, as a sentence.
pub fn sentence(detail: &str) -> String {
    let mut letters = detail.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    let end = if detail.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    first.unwrap_or_default() + letters.as_str() + end
}

/// A field of the rondel.
pub fn field(field: Field) -> &'static str {
    match field {
        Field::Iron => "Iron",
        Field::Temple => "Temple",
        Field::Gold => "Gold",
        Field::Maneuver1 | Field::Maneuver2 => "Maneuver",
        Field::Arming => "Arming",
        Field::Marble => "Marble",
        Field::KnowHow => "Know-how",
    }
}

/// What somebody is asked, by the `kind` of the question.
pub fn asked(asked: &QuestionDetails) -> &'static str {
    match asked {
        QuestionDetails::Turn => "the turn",
        QuestionDetails::CityChoice => "the choice of a start city",
        QuestionDetails::ChipChoice => "the choice of a chip",
        QuestionDetails::BattleAnswer { .. } => "whether to fight",
        QuestionDetails::PersonageChoice { .. } => "the choice of a personage",
        QuestionDetails::CardChoice { .. } => "the choice of an event card",
        QuestionDetails::FortressAnswer { .. } => "an answer to a conquest",
    }
}

/// What was paid, with a word in front; nothing when nothing was.
pub fn paid(pay: &Payment) -> String {
    match pay.is_nothing() {
        true => String::new(),
        false => format!(" for {pay}"),
    }
}

/// A number of pieces: `2 legions`, `the commander`.
pub fn pieces(piece: Piece, count: u8) -> String {
    match (piece, count) {
        (Piece::Commander | Piece::Admiral, _) => format!("the {}", piece.name()),
        (_, 1) => format!("a {}", piece.name()),
        (_, count) => format!("{count} {}", plural(piece.kind())),
    }
}

/// Units of a kind.
pub fn plural(unit: Unit) -> &'static str {
    match unit {
        Unit::Legion => "legions",
        Unit::Galley => "galleys",
    }
}

/// Legions and galleys together.
pub fn units(legions: u8, galleys: u8) -> String {
    let parts = [(Piece::Legion, legions), (Piece::Galley, galleys)];
    let parts = parts.into_iter().filter(|(_, count)| *count > 0);
    let parts: Vec<String> = parts.map(|(piece, count)| pieces(piece, count)).collect();
    listed(&parts)
}

pub const RULES_TITLE: &str = "Rules";
pub const RULES_LEAD: &str = "The rule books in words of our own, each rule under the number by which the referee \
    cites it when it refuses a move.";
pub const RULES_ABOUT: &str = "Each rule has a number, and each number is a link. Where the book is silent, a ruling \
    says what is done here.";
pub const RULES_CONTENTS: &str = "Chapters";
pub const RULES_RULING: &str = "Ruling";
pub const RULES_ASSUMED: &str = "Assumed";
pub const RULES_TABLE: &str = "A table, which can be scrolled";

pub const PLAYERS_TITLE: &str = "Players";
pub const PLAYERS_LEAD: &str = "Who has an account, by what rated games tell of their strength. A rating is the mean of \
    what is believed, 25 before the first game; the order is by the rating less three times its uncertainty, so that \
    nobody leads by a few lucky games. Bots are rated among bots.";
pub const PLAYERS_LABEL: &str = "Which players are shown";
pub const PLAYERS_NAME: &str = "Name";
pub const PLAYERS_NONE: &str = "Nobody is called so.";
pub const PLAYERS_RATED: &str = "By rating";
pub const PLAYERS_FOUND: &str = "By name";
pub const PLAYERS_BOTS: &str = "Bots";
pub const PLAYERS_UNRATED: &str = "No rated game has ended yet.";
pub const PLAYERS_NEXT: &str = "More players";
pub const PLAYER_SINCE: &str = "Here since";
pub const PLAYER_GONE: &str = "gone since";
pub const PLAYER_ELSEWHERE: &str = "of another office";
pub const PLAYER_RATINGS: &str = "Ratings";
pub const PLAYER_EDITION: &str = "Edition";
pub const PLAYER_NAME: &str = "Player";
pub const PLAYER_ALL_EDITIONS: &str = "all together";
pub const PLAYER_RATING: &str = "Rating";
pub const PLAYER_UNCERTAINTY: &str = "±";
pub const PLAYER_ORDINAL: &str = "At least";
pub const PLAYER_RATED_GAMES: &str = "Rated games";
pub const PLAYER_PROVISIONAL: &str = "provisional";
pub const PLAYER_NATIONS: &str = "Nations";
pub const PLAYER_OPENINGS: &str = "Openings";
pub const PLAYER_NOT_COUNTED: &str = "Games that people decided or resigned are not counted here.";
pub const PLAYER_OPPONENTS: &str = "Opponents";
pub const PLAYER_OPPONENTS_LEAD: &str = "Ahead: in what part of their meetings the player had the better rank; the same \
    rank counts half.";
pub const PLAYER_OPPONENT: &str = "Opponent";
pub const PLAYER_WHERE: &str = "Where";
pub const PLAYER_MET: &str = "Games";
pub const PLAYER_AHEAD: &str = "Ahead";
pub const PLAYER_WON: &str = "Won";
pub const PLAYER_ALONE: &str = "No game with opponents has been counted yet.";
pub const PLAYER_ALL_GAMES: &str = "All games";
pub const PLAYER_API: &str = "The same from the API";

/// That a rating is made of no game yet.
pub const PLAYER_UNRATED: &str = "No rated game of this player has ended yet.";

/// How many rules an edition has, and in which version.
pub fn rules_and_version(rules: usize, version: u32) -> String {
    format!("{rules} rules, data version {version}")
}

/// The title of the rules of an edition.
pub fn rules_of(edition: &str) -> String {
    format!("Rules of {edition}")
}

/// What stands above the rules of an edition that another builds on.
pub fn rules_of_base(edition: &str) -> String {
    format!("From here on the rules of {edition}, which hold too unless those above say otherwise.")
}

/// How many public games somebody has played.
pub fn public_games(count: u64, exact: bool) -> String {
    match (count, exact) {
        (1, _) => "1 public game".to_owned(),
        (count, true) => format!("{count} public games"),
        (count, false) => format!("more than {count} public games"),
    }
}

pub const HOME_PLAY: &str = "Play against bots";
pub const PLAY_TITLE: &str = "Play against bots";
pub const PLAY_LEAD: &str = "You get the first seat and nations that are drawn. Nobody needs an account: the token of \
    your seat stays in this browser.";
pub const PLAY_NEEDS_SCRIPTS: &str =
    "Playing needs JavaScript. Everything else here can be read without.";
pub const PLAY_BOARD: &str = "Board";
pub const PLAY_BOT: &str = "Bots";
pub const PLAY_LEVELS: &str = "They look ahead";
pub const PLAY_QUICK: &str = "They play by rules of thumb";
pub const PLAY_NAME: &str = "Your name";
pub const PLAY_START: &str = "Start";
pub const PLAY_HERE: &str = "Play here";
pub const PLAY_TAKE: &str = "Take the seat of";
pub const PLAY_TOKEN: &str = "Token of your seat";
pub const PLAY_USE: &str = "Use it";
pub const PLAY_YOURS: &str = "It is your move.";
pub const PLAY_OTHERS: &str = "You have a seat here. Others are at the move.";
pub const PLAY_BAD_TOKEN: &str = "This token plays no seat here.";
pub const PLAY_RULE: &str = "Read the rule";
pub const PLAY_SEND: &str = "Do it";
pub const PLAY_DISMISS: &str = "Not this";
pub const PLAY_ALL: &str = "Show all";
pub const PLAY_UNDO: &str = "Take back";
pub const PLAY_DECLINE: &str = "Decline to go back";
pub const PLAY_RESIGN: &str = "Resign";
pub const PLAY_RESIGN_ASK: &str = "Leave the game with all your nations";
pub const PLAY_ASKED: &str = "The others are asked.";

/// What chips are called, by their names on the wire.
pub const CHIPS: &[(&str, &str)] = &[
    ("marble", "Marble"),
    ("iron", "Iron"),
    ("gold", "Gold"),
    ("coins", "Coins"),
];

/// How many nations take part.
pub fn nations(count: u8) -> String {
    format!("{count} nations")
}

/// A heading for the actions of a kind.
pub fn kind(name: &str) -> &'static str {
    match name {
        "move_stone" => "Move the stone",
        "build_temple" => "Build temples",
        "build_wall" => "Build town walls",
        "arm" => "Set up units",
        "develop" => "Develop know-how",
        "recruit" => "Recruit",
        "march" => "Move units",
        "battle" | "answer_battle" => "Fight",
        "conquer" => "Conquer",
        "found" => "Found cities",
        "trade" => "Trade",
        "choose_chip" => "Take a chip",
        "choose_personage" => "Choose a personage",
        "choose_city" => "Choose a start city",
        "take_card" => "Take an event card",
        "play_card" => "Play an event card",
        "pass" => "Let it happen",
        "end_turn" => "End the turn",
        _ => "More",
    }
}

/// A text with a capital letter in front.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

pub const STATS_TITLE: &str = "Statistics";
pub const STATS_LEAD: &str = "What finished games tell. Every rate stands with its 95% interval and with the number of \
    nations in games that it is made of; games of different boards, numbers of nations and kinds of players are \
    never added up.";
pub const STATS_PARTS: &str = "Parts of the statistics";
pub const STATS_PLAYED: &str = "What has been played";
pub const STATS_ALL: &str = "Overview";
pub const STATS_FORM: &str = "Which games are counted";
pub const STATS_BOARD: &str = "Board";
pub const STATS_NATIONS: &str = "Nations";
pub const STATS_NATION: &str = "Nation";
pub const STATS_PLAY: &str = "Players";
pub const STATS_PEOPLE: &str = "people only";
pub const STATS_BOTS: &str = "bots only";
pub const STATS_SINCE: &str = "Ended since";
pub const STATS_MIN: &str = "At least games";
pub const STATS_MOST: &str = "What has been played most is shown. Choose another board above.";
pub const STATS_CITE: &str = "Cite, or ask the API";
pub const STATS_CALL: &str = "The same from the API:";
pub const STATS_GATHERING: &str = "More games have finished; they are being counted.";
pub const STATS_NUMBERS: &str = "In numbers";
pub const STATS_NONE: &str = "No game matches.";
pub const STATS_COLUMNS: &str = "What the columns mean";
pub const YES: &str = "yes";
pub const NO: &str = "no";
pub const FEW: &str = "few";

/// A board as it has been played.
pub fn stats_played(board: &str, nations: u32, games: u64) -> String {
    match games {
        1 => format!("{board}, {nations} nations: 1 game"),
        games => format!("{board}, {nations} nations: {games} games"),
    }
}

pub const STATS_DARK: &str = "SVG, dark";

/// A table as a file, for those who hear links without what stands around them.
pub fn stats_file(table: &str, name: &str) -> String {
    format!("{table} as {name}")
}

/// How a table is cited: what, under which filters, of how many games, in which version, and where.
pub fn stats_citation(
    title: &str,
    filters: &Filters,
    (games, version, as_of): (u64, &str, Option<Timestamp>),
    page: &str,
) -> String {
    let given = filters.given().into_iter();
    let given: Vec<String> = given
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let filters = match given.is_empty() {
        true => "all games".to_owned(),
        false => given.join(", "),
    };
    let as_of = as_of.map_or(String::new(), |at| format!(" as of {}", time(at)));
    let seen = Timestamp::now().strftime("%-d %b %Y");
    format!(
        "{NAME} {}, “{title}”: {filters}; {games} games, data {version}{as_of}. {page}, seen on {seen}.",
        env!("CARGO_PKG_VERSION")
    )
}

/// How many rows are not listed.
pub fn stats_more(rows: usize) -> String {
    format!("{rows} more rows are in the files.")
}

pub const STATS_ALL_ROWS: &str = "All rows as CSV";

pub fn stats_more_groups(groups: usize) -> String {
    format!("{groups} more groups are in the whole picture.")
}

pub const STATS_WHOLE_PICTURE: &str = "The whole picture";

pub const OPENINGS_TITLE: &str = "Explorer";
pub const OPENINGS_LEAD: &str = "Where nations stopped first on the rondel, and how they fared. A field is as large as \
    many went there, its colour tells how often they won beside what equal players would. Choose one to go on from there.";
pub const OPENINGS_PATH: &str = "The stops so far";
pub const OPENINGS_START: &str = "Start";
pub const OPENINGS_BACK: &str = "back";
pub const OPENINGS_NOBODY: &str = "nobody";
pub const OPENINGS_END: &str = "Nobody went on from here.";
pub const OPENINGS_STOP: &str = "Next stop";
pub const OPENINGS_RATE: &str = "Won";
pub const OPENINGS_N: &str = "n";
pub const OPENINGS_DONE: &str = "Done there, on average";
pub const OPENINGS_EXAMPLE: &str = "Example";
pub const OPENINGS_WATCH: &str = "a game";
pub const OPENINGS_COLOURS: &str = "What the colours mean";

/// The wins beside what is expected, by colour.
pub const LIFTS: [&str; 5] = [
    "under ⅔ of what equal players win",
    "under 0.9",
    "about as many",
    "over 1.1",
    "over 1½ times as many",
];

/// What is done at a stop, by column.
pub const DONE: [(&str, &str); 8] = [
    ("produced", "chips"),
    ("temples", "temples"),
    ("walls", "walls"),
    ("units", "units"),
    ("recruited", "recruited"),
    ("know_hows", "know-how"),
    ("cities", "cities"),
    ("extra_steps", "paid steps"),
];

/// A field of the rondel where both maneuvers are told apart.
pub fn stop(stop: Field) -> &'static str {
    match stop {
        Field::Maneuver1 => "Maneuver (before Arming)",
        Field::Maneuver2 => "Maneuver (before Iron)",
        other => field(other),
    }
}

/// Who played in the games of a node, and who of them the nations of the node.
pub fn openings_of(board: &str, nations: u32, play: &str, (bots, bot): (&str, &str)) -> String {
    let who = match (play, bot) {
        ("bots", bot) if bot == bots => format!("bots: {bots}"),
        ("bots", bot) => format!("bots: {bots} · {bot}"),
        ("mixed", "") => format!("people and bots: {bots} · people"),
        ("mixed", bot) => format!("people and bots: {bots} · {bot}"),
        (play, _) => play.to_owned(),
    };
    format!("{board} · {nations} nations · {who}")
}

/// What a wheel is.
pub fn openings_wheel(title: &str) -> String {
    format!("Rondel of {title}")
}

/// That more kinds of games fit.
pub fn openings_more(count: usize) -> String {
    format!("{count} more kinds of games fit; choose board, nations and players to see them.")
}

/// A part in per cent.
pub fn part(part: f64) -> String {
    match part * 100.0 {
        percent if percent < 9.95 => format!("{percent:.1}%"),
        percent => format!("{percent:.0}%"),
    }
}

/// From one part to another.
pub fn span(low: f64, high: f64) -> String {
    format!("{} to {}", part(low).trim_end_matches('%'), part(high))
}

/// How many nations in games.
pub fn count(count: u64) -> String {
    format!("n {count}")
}

/// A field of the wheel in words.
pub fn slice(field: &str, rate: f64, count: u64, few: bool) -> String {
    let few = if few { ", too few to rely on" } else { "" };
    format!("{field}: {} of {count} won{few}", part(rate))
}

/// The middle of the wheel, which leads back.
pub fn openings_back(rate: f64, count: u64) -> String {
    format!("Back. All here: {} of {count} won", part(rate))
}

/// The middle of the wheel.
pub fn openings_all(rate: f64, count: u64) -> String {
    format!("All: {} of {count} won", part(rate))
}

/// What a game is an example of.
pub fn example_of(stop: &str) -> String {
    format!("A game with {stop}")
}

/// The name of a table of a page that can be scrolled.
pub const MARKDOWN_TABLE: &str = "Table";

/// The link of a heading to itself.
pub fn permalink(heading: &str) -> String {
    format!("Link to {heading}")
}

pub const TABLES_MEASURES: &str = "Statistics";
pub const TABLES_FACTS: &str = "Facts";
pub const TABLES_FACTS_LEAD: &str = "What tabularium-analytics makes of records, as Parquet files: for questions that no \
    table above answers.";
pub const TABLES_LOOK: &str = "look at it";

/// How many columns a table has.
pub fn columns(count: usize) -> String {
    format!("{count} columns")
}

pub const ORDERS_TITLE: &str = "Standing orders";
pub const ORDERS_LEAD: &str = "What you answer ahead, so that nobody waits for you. Only you see them. The most specific \
    order counts: nation, then region, then unit; of equals the last.";
pub const ORDERS_NONE: &str = "None: you are asked each time.";
pub const ORDERS_REMOVE: &str = "Remove";
pub const ORDERS_ADD: &str = "Add";
pub const ORDERS_AGAINST: &str = "When units enter of";
pub const ORDERS_ANYBODY: &str = "anybody";
pub const ORDERS_UNIT: &str = "Kind";
pub const ORDERS_ANY_UNIT: &str = "legions or galleys";
pub const ORDERS_REGION: &str = "Where";
pub const ORDERS_ANYWHERE: &str = "anywhere";
pub const ORDERS_ANSWER: &str = "Then";
pub const ORDERS_FORTRESS: &str = "When a city of yours is to be conquered";

/// What to do when units enter, by the word on the wire.
pub const ORDERS_BATTLE: [(&str, &str); 3] = [
    ("allow", "let them pass"),
    ("demand", "fight with all"),
    ("ask", "ask me"),
];

/// What to do with a card that defends a city, by the word on the wire.
pub const ORDERS_CARD: [(&str, &str); 3] = [
    ("play", "play FORTRESS"),
    ("never", "keep the card"),
    ("ask", "ask me"),
];

pub const LEAGUES_TITLE: &str = "Leagues";
pub const LEAGUES_LEAD: &str = "Seasons of games played here and at real tables. What happens in a league is a log of \
    events, chained as those of games are: its standings of any moment can be looked up, and corrections hide nothing.";
pub const LEAGUES_NONE: &str = "There is no league yet.";
pub const LEAGUES_NEXT: &str = "Older leagues";
pub const LEAGUE_SEASONS: &str = "Seasons";
pub const LEAGUE_NO_SEASON: &str = "No season has begun.";
pub const LEAGUE_ORGANIZED: &str = "Organized by";
pub const LEAGUE_STANDINGS: &str = "Standings";
pub const LEAGUE_MOMENTS: &str = "Standings after each round";
pub const LEAGUE_NOW: &str = "Now";
pub const LEAGUE_AS_OF: &str = "As at the end of";
pub const LEAGUE_SHOW: &str = "Show";
pub const LEAGUE_AS_IT_IS: &str = "Show it as it is now";
pub const LEAGUE_RANK: &str = "Rank";
pub const LEAGUE_MEMBER: &str = "Member";
pub const LEAGUE_POINTS: &str = "Points";
pub const LEAGUE_GAMES: &str = "Games";
pub const LEAGUE_NOBODY: &str = "Nobody has joined yet.";
pub const LEAGUE_COUNTED: &str = "How it is counted";
pub const LEAGUE_CSV: &str = "Standings (CSV)";
pub const LEAGUE_JSON: &str = "Standings (JSON)";
pub const LEAGUE_MET_CSV: &str = "Head to head (CSV)";
pub const LEAGUE_CALENDAR: &str = "Calendar of deadlines (iCalendar)";
pub const LEAGUE_DEADLINE: &str = "To be over by";
pub const LEAGUE_LATE: &str = "late";
pub const LEAGUE_MOVED: &str = "moved";
pub const LEAGUE_TURN: &str = "The time of who is to act runs out on";
pub const LEAGUE_LOG: &str = "Log of the league (JSON)";
pub const LEAGUE_KEEP: &str = "Cite, or ask the API";
pub const LEAGUE_FOR_EVER: &str = "These standings, for ever:";
pub const LEAGUE_ROUNDS: &str = "Rounds";
pub const LEAGUE_NO_TABLES: &str = "No table has been set up yet.";
pub const LEAGUE_OTHER_TABLES: &str = "Tables of no round";
pub const LEAGUE_REAL: &str = "at a real table";
pub const LEAGUE_DECIDED: &str = "decided by the organizers";
pub const LEAGUE_THEN: &str = "standings then";
pub const LEAGUE_HEAD_TO_HEAD: &str = "Head to head";
pub const LEAGUE_MET_HINT: &str = "Each line tells how often its member came out ahead of, and behind, the member with \
    the number of the column; = counts games in which both were as good.";
pub const LEAGUE_MET_FILE: &str = "So many have played that the table is in the file only.";
pub const LEAGUE_MEMBERS: &str = "Members";
pub const LEAGUE_LEFT: &str = "has left";
pub const LEAGUE_OPEN: &str = "open to all";

/// What is told of who organizes, plays and has played.
pub fn league_summary(members: usize, counted: u64, tables: u64) -> String {
    let members = match members {
        1 => "1 member".to_owned(),
        members => format!("{members} members"),
    };
    format!("{members}, {counted} of {tables} tables counted")
}

/// Who leads, with what leads to them.
pub fn leads(names: &[Markup], points: &str) -> Markup {
    html! {
        @match names {
            [] => {}
            [one] => { (one) " leads with " (points) " points" }
            [all @ .., last] => {
                @for (place, name) in all.iter().enumerate() { @if place > 0 { ", " } (name) }
                " and " (last) " lead with " (points) " points each"
            }
        }
    }
}

/// As of when a league is shown, and by which event.
pub fn league_as_of(at: Timestamp, seq: u64) -> String {
    format!("As it was on {}, after event {seq} of its log.", time(at))
}

/// As of when standings are, and by which event.
pub fn standings_at(at: Timestamp, seq: u64) -> String {
    format!("As of {}, event {seq}.", time(at))
}

/// What a table of standings is of.
pub fn standings_of(season: &str) -> String {
    format!("Standings of the season {season}")
}

/// A moment between rounds.
pub fn after_round(round: u16) -> String {
    format!("After round {round}")
}

/// The table of a league that a game is; its name follows.
pub fn table_in(table: u32, round: Option<u16>) -> String {
    match round {
        Some(round) => format!("Table {table}, round {round}, of the league"),
        None => format!("Table {table} of the league"),
    }
}

/// A table of a league.
pub fn league_table(number: u32) -> String {
    format!("Table {number}")
}

/// The standings after a table, for those who hear links without what stands around them.
pub fn standings_after(number: u32) -> String {
    format!("Standings then, after table {number}")
}

/// How many tables of a round count.
pub fn counted_of(counted: usize, tables: usize) -> String {
    format!("{counted} of {tables} counted")
}

/// A season with its name.
pub fn season(number: u16, name: &str) -> String {
    format!("{number}: {name}")
}

/// Whether a table counts.
pub fn table_state(state: TableState) -> &'static str {
    match state {
        TableState::Playing => "being played",
        TableState::Counted => "counted",
        TableState::Abandoned => "abandoned",
        TableState::Void => "void",
    }
}

/// A place: `1st`.
pub fn place(rank: u8) -> String {
    let ending = match rank {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{rank}{ending}")
}

/// Who may become a member.
pub fn joining(joining: Joining) -> &'static str {
    match joining {
        Joining::Open => "Anybody with an account may join.",
        Joining::Invited => "Members are invited.",
    }
}

/// What a result is worth.
pub fn scoring(scoring: &Scoring) -> String {
    match scoring {
        Scoring::RankPoints(points) => {
            let points: Vec<String> = points.iter().map(u16::to_string).collect();
            format!(
                "Places of a table are worth {} points, the first first; equals share what theirs are worth.",
                listed(&points)
            )
        }
        Scoring::Shares => {
            "A win is worth a point, which those who share it share; nothing else is.".to_owned()
        }
    }
}

/// To whom a seat counts whose player was replaced.
pub fn seat_credit(credit: SeatCredit) -> &'static str {
    match credit {
        SeatCredit::Split => "A seat that several played counts to each of them in equal parts.",
        SeatCredit::First => "A seat that several played counts to who began.",
        SeatCredit::Last => "A seat that several played counts to who played it last.",
    }
}

/// What tells equals apart: the head of its column, and what it is.
pub fn tie_break(tie_break: TieBreak) -> (&'static str, &'static str) {
    match tie_break {
        TieBreak::Wins => ("Wins", "wins; a shared one counts its share"),
        TieBreak::Seconds => ("Seconds", "second places"),
        TieBreak::Average => ("Average", "points a game"),
        TieBreak::HeadToHead => (
            "Head to head",
            "among equals, how often ahead of another of them, half for as good",
        ),
        TieBreak::Opponents => ("Opponents", "the sum of the points of all who were met"),
        TieBreak::Games => ("More games", "more games"),
        TieBreak::Lot => (
            "Lot",
            "a number drawn from the ids of league, member and season",
        ),
    }
}

/// In which order equals are told apart.
pub fn tie_breaks(all: &[TieBreak]) -> String {
    let words: Vec<&str> = all.iter().map(|one| tie_break(*one).1).collect();
    match words.is_empty() {
        true => "Those with equal points share a rank.".to_owned(),
        false => format!(
            "Those with equal points are told apart by: {}.",
            words.join("; then ")
        ),
    }
}

/// A number of points or games: whole, or with as many decimals as it needs, two at the most.
pub fn amount(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

/// How two came out: how often ahead and behind, and how often as good.
pub fn met(ahead: f64, behind: f64, equal: f64) -> String {
    let equal = match equal > 0.0 {
        true => format!(" ={}", amount(equal)),
        false => String::new(),
    };
    format!("{}–{}{equal}", amount(ahead), amount(behind))
}
