//! Texts with arguments, and texts chosen by a value.

use analytics::Filters;
use bots::{TurnReason, TurnReasonKind};
use charts::titled;
use engine::chips::{Gain, Payment};
use engine::forms::QuestionDetails;
use engine::words::{EndReason, Field, Personage, Piece, Resource, SpecialUnit, Unit};
use jiff::Timestamp;
use maud::{Markup, PreEscaped};

use crate::games::model::Status;
use crate::leagues::event::{
    CountedResults, DeadlineEnd, DeadlineRule, Joining, RoundWeight, Rules, Scoring, SeasonFormat,
    SeatCredit, TieBreak,
};
use crate::leagues::league::TableState;
use crate::site::texts::Texts;

/// The name of the service.
pub const NAME: &str = "Tabularium";

/// The parts of the site with the messages of their names.
pub const NAVIGATION: [(&str, &str); 7] = [
    ("/games", "nav-games"),
    ("/play", "nav-play"),
    ("/leagues", "nav-leagues"),
    ("/stats", "nav-stats"),
    ("/players", "nav-players"),
    ("/rules", "nav-rules"),
    ("/docs", "nav-docs"),
];

/// The parts of the site that the first page describes: address, name and description.
pub const PARTS: [(&str, &str, &str); 6] = [
    ("/games", "games-title", "part-games"),
    ("/stats", "stats-title", "part-stats"),
    ("/leagues", "leagues-title", "part-leagues"),
    ("/players", "players-title", "part-players"),
    ("/docs", "nav-docs", "part-docs"),
    ("/rules", "rules-title", "part-rules"),
];

/// Writes a capital letter in front of a text.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Writes the detail of a problem as a sentence.
pub fn sentence(detail: &str) -> String {
    let end = if detail.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    capital(detail) + end
}

/// Numbers, times and lists.
impl Texts {
    /// A number with this many decimals.
    pub fn decimal(self, number: f64, decimals: usize) -> String {
        format!("{number:.decimals$}").replace('.', self.text("decimal-mark"))
    }

    /// A number with its sign and this many decimals.
    pub fn signed(self, number: f64, decimals: usize) -> String {
        let text = format!("{number:+.decimals$}").replace('-', "\u{2212}");
        text.replace('.', self.text("decimal-mark"))
    }

    /// A number of points or games, with at most two decimals.
    pub fn amount(self, number: f64) -> String {
        let text = format!("{number:.2}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        text.replace('.', self.text("decimal-mark"))
    }

    fn percent_number(self, part: f64) -> String {
        match part * 100.0 {
            percent if percent < 9.95 => self.decimal(percent, 1),
            percent => self.decimal(percent, 0),
        }
    }

    /// A part in per cent.
    pub fn part(self, part: f64) -> String {
        self.format("percent", [("number", self.percent_number(part).into())])
    }

    /// A range of parts in per cent.
    pub fn span(self, low: f64, high: f64) -> String {
        let low = self.percent_number(low).into();
        let high = self.part(high).into();
        self.format("percent-span", [("low", low), ("high", high)])
    }

    /// The size of a sample.
    pub fn sample(self, count: u64) -> String {
        self.format("sample", [("count", count.into())])
    }

    /// A moment of time, to the minute.
    pub fn time(self, at: Timestamp) -> String {
        at.strftime(self.text("time-format")).to_string()
    }

    /// A day.
    pub fn date(self, at: Timestamp) -> String {
        at.strftime(self.text("date-format")).to_string()
    }

    /// Names in a row: `Romans, Greeks and Arabs`.
    pub fn listed(self, names: &[String]) -> String {
        match names {
            [] => String::new(),
            [one] => one.clone(),
            [all @ .., last] => {
                let all = all.join(", ");
                self.format("list-and", [("all", all.into()), ("last", last.into())])
            }
        }
    }

    /// A number of points.
    pub fn points(self, count: u32) -> String {
        self.format("points-count", [("count", count.into())])
    }

    /// A number of nations.
    pub fn nations(self, count: u32) -> String {
        self.format("nations-count", [("count", count.into())])
    }

    /// The number of finished games.
    pub fn finished_games(self, count: u64, exact: bool) -> String {
        let count = [("count", count.into())];
        match exact {
            true => self.format("finished-games", count),
            false => self.format("finished-games-more", count),
        }
    }

    /// What is on the page of a player.
    pub fn player_preview(self, handle: &str) -> String {
        self.format("player-preview", [("handle", handle.into())])
    }

    /// The number of public games of a player.
    pub fn public_games(self, count: u64, exact: bool) -> String {
        let count = [("count", count.into())];
        match exact {
            true => self.format("public-games", count),
            false => self.format("public-games-more", count),
        }
    }
}

/// Names of the game.
impl Texts {
    /// A nation.
    pub fn nation(self, name: &str) -> String {
        self.name("nation", name)
    }

    /// A phase of a game, such as 2 personages by round 8.
    pub fn phase(self, phase: &str) -> String {
        let mut numbers = phase.split(' ').filter_map(|word| word.parse::<u64>().ok());
        let mut next = || numbers.next().unwrap_or_default();
        let parts = [("personages", next().into()), ("round", next().into())];
        self.format("player-phase", parts)
    }

    /// A personage.
    pub fn personage(self, personage: Personage) -> String {
        self.name("personage", personage.name())
    }

    /// A know-how.
    pub fn know_how(self, name: &str) -> String {
        self.name("know-how", name)
    }

    /// An event card.
    pub fn card(self, name: &str) -> String {
        self.name("card", name)
    }

    /// A kind of chips.
    pub fn chip(self, resource: Resource) -> String {
        self.find_name("chip", resource.name())
            .unwrap_or_default()
            .to_owned()
    }

    /// A number of chips of a kind.
    pub fn chips(self, resource: Resource, count: u32) -> String {
        let chip = self.chip(resource).into();
        self.format("chips", [("count", count.into()), ("chip", chip)])
    }

    /// What a turn achieves, as a sentence; empty for nothing.
    pub fn reasons(self, reasons: &[TurnReason]) -> String {
        let one = |reason: &TurnReason| {
            let name = reason.of.as_deref().unwrap_or_default();
            let count = ("count", reason.count.into());
            let of = |of: String| [count.clone(), ("of", of.into())];
            match reason.kind {
                TurnReasonKind::Win => self.text("achieve-win").to_owned(),
                TurnReasonKind::Personage => {
                    self.format("achieve-personage", of(self.name("personage", name)))
                }
                TurnReasonKind::KnowHow => self.format("achieve-know-how", of(self.know_how(name))),
                TurnReasonKind::Production => {
                    self.format("achieve-production", of(self.name("chip", name)))
                }
                TurnReasonKind::Chips => self.format("achieve-chips", of(self.name("chip", name))),
                TurnReasonKind::Conquest => self.format("achieve-conquest", [count]),
                TurnReasonKind::Foundation => self.format("achieve-foundation", [count]),
                TurnReasonKind::Temple => self.format("achieve-temple", [count]),
                TurnReasonKind::Defence => self.format("achieve-defence", [count]),
                TurnReasonKind::Sites => self.format("achieve-sites", [count]),
                TurnReasonKind::Units => self.format("achieve-units", [count]),
            }
        };
        let all: Vec<String> = reasons.iter().map(one).collect();
        match all.is_empty() {
            true => String::new(),
            false => self.format("analysis-why", [("reasons", self.listed(&all).into())]),
        }
    }

    /// A number of coins.
    pub fn coins(self, count: u32) -> String {
        self.format("coins", [("count", count.into())])
    }

    fn chips_and_coins(self, chips: [u8; Resource::COUNT], coins: u8) -> String {
        let chips = Resource::ALL.iter().zip(chips);
        let chips = chips.filter(|(_, count)| *count > 0);
        let chips = chips.map(|(resource, count)| self.chips(*resource, count.into()));
        let coins = (coins > 0).then(|| self.coins(coins.into()));
        let parts: Vec<String> = chips.chain(coins).collect();
        match parts.is_empty() {
            true => self.text("nothing").to_owned(),
            false => parts.join(", "),
        }
    }

    /// What is paid or given.
    pub fn payment(self, pay: &Payment) -> String {
        self.chips_and_coins(pay.chips(), pay.coins)
    }

    /// What is received.
    pub fn gain(self, gain: &Gain) -> String {
        self.chips_and_coins(gain.chips(), gain.coins)
    }

    /// What is paid for an action, as the end of its description; nothing if nothing is paid.
    pub fn paid(self, pay: &Payment) -> String {
        match pay.is_nothing() {
            true => String::new(),
            false => self.format("paid", [("payment", self.payment(pay).into())]),
        }
    }

    /// A number of pieces: `2 legions`, `the commander`.
    pub fn pieces(self, piece: Piece, count: u8) -> String {
        let count = [("count", count.into())];
        match piece {
            Piece::Legion => self.format("pieces-legion", count),
            Piece::Galley => self.format("pieces-galley", count),
            Piece::Commander => self.text("pieces-commander").to_owned(),
            Piece::Admiral => self.text("pieces-admiral").to_owned(),
        }
    }

    /// Units of a kind.
    pub fn kind_of_units(self, unit: Unit) -> &'static str {
        match unit {
            Unit::Legion => self.text("units-legion"),
            Unit::Galley => self.text("units-galley"),
        }
    }

    /// Legions and galleys together.
    pub fn units(self, legions: u8, galleys: u8) -> String {
        let parts = [(Piece::Legion, legions), (Piece::Galley, galleys)];
        let parts = parts.into_iter().filter(|(_, count)| *count > 0);
        let parts = parts.map(|(piece, count)| self.pieces(piece, count));
        self.listed(&parts.collect::<Vec<_>>())
    }

    /// The end of a special unit.
    pub fn special_unit_fell(self, unit: SpecialUnit, nation: &str, region: &str) -> String {
        let arguments = [("nation", nation.into()), ("region", region.into())];
        match unit {
            SpecialUnit::Commander => self.format("effect-commander-fell", arguments),
            SpecialUnit::Admiral => self.format("effect-admiral-fell", arguments),
        }
    }

    /// A space of the rondel.
    pub fn field(self, field: Field) -> String {
        self.name("field", field.name())
    }

    /// A space of the rondel, with a name of its own for each maneuver.
    pub fn stop(self, stop: Field) -> String {
        self.find_name("stop", stop.name())
            .map_or_else(|| self.field(stop), str::to_owned)
    }

    /// The name of a board.
    pub fn board(self, id: &str, own: &str) -> String {
        self.find_name("board", id).unwrap_or(own).to_owned()
    }

    /// The short name of a board.
    pub fn short_board(self, id: &str) -> String {
        self.find_name("short-board", id)
            .map_or_else(|| titled(&id.replace('-', "_")), str::to_owned)
    }
}

/// Games.
impl Texts {
    /// The title of a game.
    pub fn game_title(self, edition: &str, board: &str) -> String {
        let (edition, board) = (edition.into(), board.into());
        self.format("game-title", [("edition", edition), ("board", board)])
    }

    /// The status of a game.
    pub fn status(self, status: Status) -> &'static str {
        match status {
            Status::Open => self.text("status-open"),
            Status::Running => self.text("status-running"),
            Status::Finished => self.text("status-finished"),
            Status::Abandoned => self.text("status-abandoned"),
        }
    }

    /// The reason why a game ended.
    pub fn reason(self, reason: EndReason) -> &'static str {
        match reason {
            EndReason::Goal => self.text("reason-goal"),
            EndReason::TempleDestroyed => self.text("reason-temple-destroyed"),
            EndReason::Resignation => self.text("reason-resignation"),
            EndReason::RoundLimit => self.text("reason-round-limit"),
            EndReason::Agreement => self.text("reason-agreement"),
            EndReason::Adjudication => self.text("reason-adjudication"),
        }
    }

    /// The winners of a game.
    pub fn won(self, names: &[String]) -> String {
        let listed = [("names", self.listed(names).into())];
        match names {
            [] => self.text("won-nobody").to_owned(),
            [_] => self.format("won-one", listed),
            _ => self.format("won-shared", listed),
        }
    }

    /// What decided a game, and when.
    pub fn decided(self, reason: EndReason, round: u32) -> String {
        let reason = ("reason", capital(self.reason(reason)).into());
        self.format("result-decided", [reason, ("round", round.into())])
    }

    /// The result of a successful verification.
    pub fn verified(self, events: u64) -> String {
        self.format("verified", [("events", events.into())])
    }

    /// The result of a failed verification.
    pub fn not_verified(self, error: &str) -> String {
        self.format("not-verified", [("error", error.into())])
    }

    /// The nation and the player that the game waits for, and the question if it is not simply the turn.
    pub fn waiting_for(self, nation: &str, player: &str, question: &QuestionDetails) -> String {
        let question = match question {
            QuestionDetails::Turn => None,
            QuestionDetails::CityChoice => Some(self.text("question-city-choice")),
            QuestionDetails::ChipChoice => Some(self.text("question-chip-choice")),
            QuestionDetails::BattleAnswer { .. } => Some(self.text("question-battle-answer")),
            QuestionDetails::PersonageChoice { .. } => Some(self.text("question-personage-choice")),
            QuestionDetails::CardChoice { .. } => Some(self.text("question-card-choice")),
            QuestionDetails::FortressAnswer { .. } => Some(self.text("question-fortress-answer")),
        };
        let (nation, player) = (("nation", nation.into()), ("player", player.into()));
        match question {
            None => self.format("waiting-for", [nation, player]),
            Some(question) => {
                let question = ("question", question.into());
                self.format("waiting-for-answer", [nation, player, question])
            }
        }
    }

    /// A request to undo everything since a turn.
    pub fn undo_request(self, player: &str, turn: u32, missing: &[String]) -> String {
        let missing = ("missing", self.listed(missing).into());
        let player = ("player", player.into());
        self.format("undo-request", [player, ("turn", turn.into()), missing])
    }

    /// The round and the turn of a game.
    pub fn round_and_turn(self, round: u32, turn: u32) -> String {
        let round = ("round", round.into());
        self.format("round-and-turn", [round, ("turn", turn.into())])
    }

    /// A round.
    pub fn round(self, number: u32) -> String {
        self.format("round", [("number", number.into())])
    }

    /// A turn.
    pub fn turn(self, number: u32) -> String {
        self.format("turn", [("number", number.into())])
    }

    /// The description of the picture of a position.
    pub fn position(self, event: u64, round: u32, nation: &str) -> String {
        let event = ("event", event.into());
        match round {
            0 => self.format("position-setup", [event]),
            _ => {
                let nation = ("nation", nation.into());
                self.format("position", [event, ("round", round.into()), nation])
            }
        }
    }

    /// The heading of the actions of a kind.
    pub fn kind(self, name: &str) -> &'static str {
        self.find_name("kind", name)
            .unwrap_or_else(|| self.text("kind-more"))
    }

    /// The number of rules of an edition, and its version.
    pub fn rules_count(self, rules: usize, version: u32) -> String {
        let rules = ("rules", rules.into());
        self.format("rules-count", [rules, ("version", version.into())])
    }

    /// The title of the rules of an edition.
    pub fn rules_of(self, edition: &str) -> String {
        self.format("rules-of", [("edition", edition.into())])
    }

    /// The heading of the rules of an edition on which another one builds.
    pub fn rules_of_base(self, edition: &str) -> String {
        self.format("rules-of-base", [("edition", edition.into())])
    }
}

/// Statistics.
impl Texts {
    /// A board with the number of games.
    pub fn stats_played(self, board: &str, nations: u32, games: u64) -> String {
        let nations = ("nations", self.nations(nations).into());
        let board = ("board", board.into());
        self.format(
            "stats-played-games",
            [board, nations, ("games", games.into())],
        )
    }

    /// The name of a table in a format, for links.
    pub fn stats_file(self, table: &str, format: &str) -> String {
        let table = ("table", table.into());
        self.format("stats-file", [table, ("format", format.into())])
    }

    /// The citation of a table.
    pub fn stats_citation(
        self,
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
            true => self.text("stats-all-games").to_owned(),
            false => given.join(", "),
        };
        let date = Timestamp::now().strftime(self.text("date-format"));
        let source = (
            "source",
            format!("{NAME} {}", env!("CARGO_PKG_VERSION")).into(),
        );
        let title = ("title", title.into());
        let filters = ("filters", filters.into());
        let games = ("games", games.into());
        let version = ("version", version.into());
        let page = ("page", page.into());
        let date = ("date", date.to_string().into());
        match as_of {
            None => self.format(
                "stats-citation",
                [source, title, filters, games, version, page, date],
            ),
            Some(at) => {
                let time = ("time", self.time(at).into());
                let arguments = [source, title, filters, games, version, time, page, date];
                self.format("stats-citation-as-of", arguments)
            }
        }
    }

    /// The number of rows that a page omits.
    pub fn stats_more(self, rows: usize) -> String {
        self.format("stats-more", [("rows", rows.into())])
    }

    /// The number of groups that a picture omits.
    pub fn stats_more_groups(self, groups: usize) -> String {
        self.format("stats-more-groups", [("groups", groups.into())])
    }

    /// The players of the games of a node, and whose nations are counted.
    pub fn openings_of(
        self,
        board: &str,
        nations: u32,
        play: &str,
        (bots, bot): (&str, &str),
    ) -> String {
        let both = [("bots", bots.into()), ("bot", bot.into())];
        let bots_only = [("bots", bots.into())];
        let players = match (play, bot) {
            ("bots", bot) if bot == bots => self.format("openings-bots", bots_only),
            ("bots", _) => self.format("openings-bots-of", both),
            ("mixed", "") => self.format("openings-mixed-people", bots_only),
            ("mixed", _) => self.format("openings-mixed-bot", both),
            ("people", _) => self.text("openings-people").to_owned(),
            (play, _) => play.to_owned(),
        };
        let nations = ("nations", self.nations(nations).into());
        let board = ("board", board.into());
        self.format("openings-of", [board, nations, ("players", players.into())])
    }

    /// The title of a wheel.
    pub fn openings_wheel(self, title: &str) -> String {
        self.format("openings-wheel", [("title", title.into())])
    }

    /// The number of kinds of games that are not shown.
    pub fn openings_more(self, count: usize) -> String {
        self.format("openings-more", [("count", count.into())])
    }

    /// The description of a space of the wheel.
    pub fn openings_slice(self, field: &str, rate: f64, count: u64, few: bool) -> String {
        let rate = ("rate", self.part(rate).into());
        let arguments = [("field", field.into()), rate, ("count", count.into())];
        match few {
            true => self.format("openings-slice-few", arguments),
            false => self.format("openings-slice", arguments),
        }
    }

    /// The description of the middle of the wheel.
    pub fn openings_hub(self, rate: f64, count: u64, leads_back: bool) -> String {
        let rate = ("rate", self.part(rate).into());
        let arguments = [rate, ("count", count.into())];
        match leads_back {
            true => self.format("openings-hub-back", arguments),
            false => self.format("openings-hub", arguments),
        }
    }

    /// The description of an example.
    pub fn example_of(self, stop: &str) -> String {
        self.format("openings-example-of", [("stop", stop.into())])
    }
}

/// Leagues.
impl Texts {
    /// The numbers of members and tables.
    pub fn league_summary(self, members: usize, counted: u64, tables: u64) -> String {
        let members = ("members", members.into());
        let counted = ("counted", counted.into());
        self.format(
            "league-summary",
            [members, counted, ("tables", tables.into())],
        )
    }

    /// The leaders of a season, with links.
    pub fn leads(self, names: &[Markup], points: Option<&str>) -> Markup {
        let names: Vec<String> = names.iter().map(|name| name.0.clone()).collect();
        let listed = ("names", self.listed(&names).into());
        let message = match (names.len(), points) {
            (0, _) => return PreEscaped(String::new()),
            (_, None) => "league-first",
            (1, _) => "league-leads",
            _ => "league-lead",
        };
        let arguments = [listed, ("points", points.unwrap_or_default().into())];
        // The names are HTML, and the messages contain no characters that HTML reserves.
        PreEscaped(self.format(message, arguments))
    }

    /// The time and the event up to which a league is shown.
    pub fn league_as_of(self, at: Timestamp, event: u64) -> String {
        let time = ("time", self.time(at).into());
        self.format("league-as-of", [time, ("event", event.into())])
    }

    /// The time and the event up to which standings count.
    pub fn standings_at(self, at: Timestamp, event: u64) -> String {
        let time = ("time", self.time(at).into());
        self.format("standings-at", [time, ("event", event.into())])
    }

    /// The caption of standings.
    pub fn standings_of(self, season: &str) -> String {
        self.format("standings-of", [("season", season.into())])
    }

    /// The time after a round.
    pub fn after_round(self, round: u16) -> String {
        self.format("after-round", [("round", round.into())])
    }

    /// The table of a league to which a game belongs. The name of the league follows.
    pub fn table_in(self, table: u32, round: Option<u16>) -> String {
        let table = ("table", table.into());
        match round {
            Some(round) => self.format("of-league-round", [table, ("round", round.into())]),
            None => self.format("of-league", [table]),
        }
    }

    /// A table of a league.
    pub fn league_table(self, number: u32) -> String {
        self.format("league-table", [("number", number.into())])
    }

    /// The description of a link to the standings after a table.
    pub fn standings_after(self, number: u32) -> String {
        self.format("standings-after", [("number", number.into())])
    }

    /// The number of counted tables.
    pub fn counted_of(self, counted: usize, tables: usize) -> String {
        let counted = ("counted", counted.into());
        self.format("counted-of", [counted, ("tables", tables.into())])
    }

    /// A season with its name.
    pub fn season(self, number: u16, name: &str) -> String {
        let number = ("number", number.into());
        self.format("season", [number, ("name", name.into())])
    }

    /// The state of a table.
    pub fn table_state(self, state: TableState) -> &'static str {
        match state {
            TableState::Playing => self.text("table-playing"),
            TableState::Counted => self.text("table-counted"),
            TableState::Abandoned => self.text("table-abandoned"),
            TableState::Void => self.text("table-void"),
        }
    }

    /// A rank: `1st`.
    pub fn place(self, rank: u8) -> String {
        self.format("place", [("rank", rank.into())])
    }

    /// The rule for joining a league.
    pub fn joining(self, joining: Joining) -> &'static str {
        match joining {
            Joining::Open => self.text("joining-open"),
            Joining::Invited => self.text("joining-invited"),
            Joining::Approval => self.text("joining-approval"),
        }
    }

    /// How the tables of a season are paired.
    pub fn season_format(self, format: SeasonFormat) -> String {
        match format {
            SeasonFormat::Spread => self.text("format-spread").to_owned(),
            SeasonFormat::RoundRobin { games } => {
                self.format("format-round-robin", [("games", u32::from(games).into())])
            }
            SeasonFormat::KnockOut { best_of } => {
                self.format("format-knock-out", [("games", u32::from(best_of).into())])
            }
            SeasonFormat::DoubleElimination { best_of } => self.format(
                "format-double-elimination",
                [("games", u32::from(best_of).into())],
            ),
            SeasonFormat::Ladder { reach } => {
                self.format("format-ladder", [("reach", u32::from(reach).into())])
            }
            SeasonFormat::Swiss { bye_points } => {
                self.format("format-swiss", [("points", u32::from(bye_points).into())])
            }
        }
    }

    /// The rule for points.
    pub fn scoring(self, scoring: &Scoring) -> String {
        match scoring {
            Scoring::RankPoints(points) => {
                let points: Vec<String> = points.iter().map(u16::to_string).collect();
                self.format("scoring-ranks", [("points", self.listed(&points).into())])
            }
            Scoring::Shares => self.text("scoring-shares").to_owned(),
        }
    }

    /// The weights of rounds and which results count; empty if all count in the same way.
    pub fn counted_results(self, rules: &Rules) -> Vec<String> {
        let weight = |weight: &RoundWeight| {
            let numbers = [
                ("round", u32::from(weight.round).into()),
                ("percent", u32::from(weight.percent).into()),
            ];
            self.format("counted-weight", numbers)
        };
        let mut phrases: Vec<String> = rules.round_weights.iter().map(weight).collect();
        let number = |count: u16| [("count", u32::from(count).into())];
        match rules.counted {
            CountedResults::All => {}
            CountedResults::Best(count) => phrases.push(self.format("counted-best", number(count))),
            CountedResults::AllBut(count) => {
                phrases.push(self.format("counted-all-but", number(count)));
            }
        }
        phrases
    }

    /// A challenge in a ladder.
    pub fn challenge(self, one: &str, other: &str) -> String {
        self.format(
            "league-challenge",
            [("one", one.into()), ("other", other.into())],
        )
    }

    /// Results of a member that do not count, for a title.
    pub fn dropped(self, points: &[String]) -> String {
        self.format(
            "standings-dropped",
            [("points", self.listed(points).into())],
        )
    }

    /// The name of a season's division with the numbers of members who move.
    pub fn moves(self, moves: u8) -> String {
        self.format("league-moves", [("count", u32::from(moves).into())])
    }

    /// The rule for seats that several members played.
    pub fn seat_credit(self, credit: SeatCredit) -> &'static str {
        match credit {
            SeatCredit::Split => self.text("credit-split"),
            SeatCredit::First => self.text("credit-first"),
            SeatCredit::Last => self.text("credit-last"),
        }
    }

    /// What ends a game when the deadline of its table has passed.
    pub fn deadline_rule(self, rule: &DeadlineRule) -> String {
        let id = match rule.then {
            DeadlineEnd::ByPoints => "deadline-by-points",
            DeadlineEnd::Forfeit => "deadline-forfeit",
        };
        self.format(id, [("hours", u32::from(rule.grace_hours).into())])
    }

    /// A tie-break: the head of its column, and its description.
    pub fn tie_break(self, tie_break: TieBreak) -> (&'static str, &'static str) {
        let (head, about) = match tie_break {
            TieBreak::Wins => ("tie-break-wins", "tie-break-about-wins"),
            TieBreak::Seconds => ("tie-break-seconds", "tie-break-about-seconds"),
            TieBreak::Average => ("tie-break-average", "tie-break-about-average"),
            TieBreak::HeadToHead => ("tie-break-head-to-head", "tie-break-about-head-to-head"),
            TieBreak::Opponents => ("tie-break-opponents", "tie-break-about-opponents"),
            TieBreak::Games => ("tie-break-games", "tie-break-about-games"),
            TieBreak::Lot => ("tie-break-lot", "tie-break-about-lot"),
        };
        (self.text(head), self.text(about))
    }

    /// The order of the tie-breaks.
    pub fn tie_breaks(self, all: &[TieBreak]) -> String {
        if all.is_empty() {
            return self.text("tie-breaks-none").to_owned();
        }
        let list: Vec<&str> = all.iter().map(|one| self.tie_break(*one).1).collect();
        let list = list.join(self.text("tie-breaks-then"));
        self.format("tie-breaks", [("list", list.into())])
    }

    /// The result of two members: games ahead, behind, and with equal ranks.
    pub fn met(self, ahead: f64, behind: f64, equal: f64) -> String {
        let equal = match equal > 0.0 {
            true => format!(" ={}", self.amount(equal)),
            false => String::new(),
        };
        format!("{}–{}{equal}", self.amount(ahead), self.amount(behind))
    }
}
