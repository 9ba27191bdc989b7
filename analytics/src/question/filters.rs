//! Filters: the games and nations that a measure includes.

use std::ops::Range;

use engine::words::EndReason;
use jiff::{SignedDuration, Timestamp};
use polars::prelude::Expr;
use serde::{Deserialize, Serialize};

use super::condition::{Condition, quoted};
use super::filter_values::{
    AsOf, EndFilter, Inclusion, InstantFilter, Opponents, RulesetVersion, StopPath, TimeControl,
};
use crate::facts::{Opening, STOP_COLUMNS, STOPS};

/// The delay after which no game can be recorded at a time any more.
/// It covers the duration of a transaction and the difference between the clocks of nodes.
const SETTLED: SignedDuration = SignedDuration::from_secs(2);

/// The longest delay between the time in an event of a league and its commit.
pub const LEAGUE_WAIT: SignedDuration = SignedDuration::from_secs(4);

/// The most levels of next rondel spaces.
pub(crate) const LEVELS: u32 = 3;

/// Returns the last time at which nothing more can be recorded.
pub fn settled_time(now: Timestamp) -> Timestamp {
    now.checked_sub(SETTLED).unwrap_or(Timestamp::MIN)
}

/// The games and nations that a measure includes.
/// All filters must match; a missing filter matches everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, clap::Args)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", into_params(parameter_in = Query))]
#[serde(default, deny_unknown_fields)]
pub struct Filters {
    /// Edition of the rules, such as antike
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub edition: Option<String>,
    /// Version of the rules: its number, or the hash of its ruleset.
    /// By default versions are summed; each divides the rows by version
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub ruleset: Option<RulesetVersion>,
    /// Board, such as antike-east
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub board: Option<String>,
    /// Number of nations
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub nations: Option<u32>,
    /// Nation, such as romans
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub nation: Option<String>,
    /// Seat, from 0
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub seat: Option<u32>,
    /// Place in the seat order, from 1 for the nation that starts
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub place: Option<u32>,
    /// Only nations of this player: a person's id, or a bot's name with its budget
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub player: Option<String>,
    /// Only nations of this bot: its name with or without temperament and budget, such as greedy
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub bot: Option<String>,
    /// Only nations whose opponents are all people, all bots or mixed
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub opponents: Option<Opponents>,
    /// Only nations that play against this nation, which another player has
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub against: Option<String>,
    /// Only nations with this opening strategy, as in the measure openings
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub opening: Option<Opening>,
    /// Only nations that developed this know-how
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub know_how: Option<String>,
    /// Only nations that did not develop this know-how
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub without_know_how: Option<String>,
    /// For know_how and without_know_how: the round up to which the know-how counts, from 1.
    /// Then only games that reached this round count
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub by_round: Option<u32>,
    /// Only nations whose player had at least this rating in the edition before the game, after 10 or more rated games
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub min_rating: Option<u32>,
    /// Only nations whose player had at most this rating in the edition before the game, after 10 or more rated games
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub max_rating: Option<u32>,
    /// Only rated games in which each compared player had at least this rating before, after 10 or more rated games
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub min_table_rating: Option<u32>,
    /// Only games with this time control: live (a turn time of at most an hour), correspondence (a longer one) or
    /// unlimited
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub time_control: Option<TimeControl>,
    /// Only games with this variant; none selects games without variants
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub variant: Option<String>,
    /// League
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub league: Option<String>,
    /// Games with bots: any (all games), only (bots on all seats) or none (no bots)
    #[arg(long, default_value_t)]
    pub bots: Inclusion,
    /// Only games that count for ratings (true) or do not (false)
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub rated: Option<bool>,
    /// Only games that ended at this time or later: an RFC 3339 time, or a date (its start, UTC)
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub since: Option<InstantFilter>,
    /// Only games that ended before this time: an RFC 3339 time, or a date (its start, UTC)
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub until: Option<InstantFilter>,
    /// Omit rows with fewer games than this
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub min_games: Option<u32>,
    /// How the games ended: played_out (the default), any, or a reason.
    /// played_out selects games that the rules ended with a winner (goal, temple_destroyed), and declared results if
    /// declared includes them. The reasons are goal, temple_destroyed, resignation, round_limit, agreement and
    /// adjudication
    #[arg(long, default_value_t)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub reason: EndFilter,
    /// Games that started from a given position: none (the default), any (these and others) or only
    #[arg(long, default_value = "none")]
    pub from_position: Inclusion,
    /// Games with a declared result: none (the default), any (these and others) or only.
    /// People decided such a result, and no log proves it
    #[arg(long, default_value = "none")]
    pub declared: Inclusion,
    /// Over-the-board results, for nations: none (the default), any (these and records) or only.
    /// Leagues enter these results. They have no record, and no place, path, ruleset or single reason, so these filters
    /// cannot be combined with them. They count as games without variants, from the start position. A table is
    /// permanent only with a time in as_of: results are recorded between two offsets of the log
    #[arg(long, default_value = "none")]
    #[serde(skip_serializing_if = "Inclusion::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub over_the_board: Inclusion,
    /// Only nations that moved to these rondel spaces first, such as marble,temple
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub path: Option<StopPath>,
    /// For openings-tree: levels of next rondel spaces, 1 to 3; the default is 1, and 3 in a picture
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub levels: Option<u32>,
    /// For positions: digest of the position, 16 hexadecimal digits, as in states and events
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub digest: Option<String>,
    /// For personages: the number of first personages to compare; the default is half the goal, rounded up
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub at: Option<u32>,
    /// Only games recorded up to an offset in the log, or up to a past RFC 3339 time or date.
    /// A date means its start in UTC. The table is then permanent: games recorded later do not change it
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub as_of: Option<AsOf>,
}

impl Default for Filters {
    /// The defaults: games from the start position that were played out, with a proven result.
    fn default() -> Filters {
        Filters {
            edition: None,
            ruleset: None,
            board: None,
            nations: None,
            nation: None,
            seat: None,
            place: None,
            player: None,
            bot: None,
            opponents: None,
            against: None,
            opening: None,
            know_how: None,
            without_know_how: None,
            by_round: None,
            min_rating: None,
            max_rating: None,
            min_table_rating: None,
            time_control: None,
            variant: None,
            league: None,
            bots: Inclusion::Any,
            rated: None,
            since: None,
            until: None,
            min_games: None,
            reason: EndFilter::PlayedOut,
            from_position: Inclusion::None,
            declared: Inclusion::None,
            over_the_board: Inclusion::None,
            path: None,
            levels: None,
            digest: None,
            at: None,
            as_of: None,
        }
    }
}

/// The value of [`Filters::variant`] for games without variants.
pub const NO_VARIANT: &str = "none";

impl Filters {
    /// Returns the filters that exclude something that passes by default: name and value, as in queries.
    pub fn given(&self) -> Vec<(String, String)> {
        // Plain data with string keys always converts to a JSON object.
        let json = |filters: &Filters| serde_json::to_value(filters).unwrap_or_default();
        let (own, usual) = (json(self), json(&Filters::default()));
        let own = own.as_object().into_iter().flatten();
        let given = own.filter(|(name, value)| usual.get(name.as_str()) != Some(value));
        let given = given.map(|(name, value)| match value {
            serde_json::Value::String(text) => (name.clone(), text.clone()),
            value => (name.clone(), value.to_string()),
        });
        given.collect()
    }

    /// Returns the filters without the one of this name.
    #[must_use]
    pub fn without(&self, name: &str) -> Filters {
        let mut json = serde_json::to_value(self).unwrap_or_default();
        if let Some(filters) = json.as_object_mut() {
            filters.remove(name);
        }
        serde_json::from_value(json).unwrap_or_default()
    }

    /// Returns the approximate size in memory, in bytes.
    pub fn size(&self) -> usize {
        let given = self.given();
        let texts: usize = given.iter().map(|(_, value)| value.len()).sum();
        size_of::<Filters>() + texts
    }

    /// Returns the conditions on the columns that `games` and `seats` share.
    fn conditions_on_games(&self) -> Vec<Condition> {
        let times = self
            .conditions_on_times()
            .into_iter()
            .chain(self.recorded_condition());
        times.chain(self.conditions_on_summaries()).collect()
    }

    /// Returns the conditions on the time when games were played.
    fn conditions_on_times(&self) -> Vec<Condition> {
        let since = self.since.map(|time| Condition::Since("played_at", time.0));
        let until = self.until.map(|time| Condition::Until("played_at", time.0));
        since.into_iter().chain(until).collect()
    }

    /// Returns the condition on the time or offset of recording.
    pub(crate) fn recorded_condition(&self) -> Option<Condition> {
        Some(match self.as_of? {
            AsOf::Position(place) => Condition::UpToPlace("log_position", place),
            AsOf::Time(time) => Condition::UpTo("recorded_at", time),
        })
    }

    /// Returns the conditions on columns that games and over-the-board results share.
    fn conditions_on_tables(&self) -> Vec<Condition> {
        let conditions = [
            text("edition", &self.edition),
            text("board", &self.board),
            text("league", &self.league),
            number("nations", self.nations),
            self.rated.map(|rated| match rated {
                true => Condition::Holds("rated"),
                false => Condition::Holds("rated").not(),
            }),
        ];
        conditions.into_iter().flatten().collect()
    }

    /// Returns the conditions on games without times and offsets, which summaries do not have.
    fn conditions_on_summaries(&self) -> Vec<Condition> {
        let conditions = [
            self.ruleset.as_ref().and_then(|version| match version {
                RulesetVersion::Each => None,
                RulesetVersion::Number(number) => {
                    Some(Condition::Number("ruleset_version", *number))
                }
                RulesetVersion::Hash(hash) => Some(Condition::text("ruleset_hash", hash)),
            }),
            self.variant.as_deref().map(has_variant),
            (self.time_control).map(|control| Condition::text("time_control", control.into())),
            match self.bots {
                Inclusion::Any => None,
                Inclusion::Only => Some(Condition::text("play", "bots")),
                Inclusion::None => Some(Condition::text("play", "people")),
            },
            self.reason_condition(),
            self.from_position.condition("from_position"),
            self.declared.condition("declared"),
        ];
        let own = conditions.into_iter().flatten();
        self.conditions_on_tables().into_iter().chain(own).collect()
    }

    fn reason_condition(&self) -> Option<Condition> {
        let is = |reason: EndReason| Condition::text("reason", reason.name());
        match self.reason {
            EndFilter::Any => None,
            EndFilter::By(reason) => Some(is(reason)),
            EndFilter::PlayedOut => {
                let mut any = vec![is(EndReason::Goal), is(EndReason::TempleDestroyed)];
                if self.declared != Inclusion::None {
                    any.push(Condition::Holds("declared"));
                }
                Some(Condition::Any(any))
            }
        }
    }

    /// Returns the condition on the columns that `games` and `seats` share.
    pub(crate) fn game_condition(&self) -> Expr {
        Condition::All(self.conditions_on_games()).expression()
    }

    /// Returns that condition without times, which summaries do not have.
    pub(crate) fn summary_condition(&self) -> Expr {
        Condition::All(self.conditions_on_summaries()).expression()
    }

    /// Returns all conditions on the columns of `seats`.
    pub(crate) fn conditions(&self) -> Vec<Condition> {
        let nations = self.conditions_on_nations().into_iter();
        let games = self.conditions_on_games().into_iter();
        games.chain(nations.map(|(_, own)| own)).collect()
    }

    /// True if rows are divided by version of the rules.
    pub(crate) fn is_by_ruleset(&self) -> bool {
        self.ruleset == Some(RulesetVersion::Each)
    }

    /// Returns the conditions on a nation in a game, each with the name of its filter.
    fn conditions_on_nations(&self) -> Vec<(&'static str, Condition)> {
        let stops = self
            .path
            .iter()
            .flat_map(|path| path.0.iter().zip(STOP_COLUMNS));
        let stops = stops.map(|(field, column)| ("path", Condition::text(column, field.name())));
        let bot = self.bot.as_ref().map(|bot| {
            let named = [Condition::Known("bot"), Condition::text("player", bot)];
            Condition::Any(vec![
                Condition::text("bot", bot),
                Condition::All(named.into()),
            ])
        });
        let opponents = (self.opponents).map(|own| Condition::text("opponents", own.into()));
        let opening = (self.opening).map(|own| Condition::text("opening", own.name()));
        let against = self.against.as_deref().map(against);
        let developed = |name: &str, column| self.developed(name, column);
        let know_how = (self.know_how.as_deref()).map(|name| developed(name, KNOW_HOW));
        let without =
            (self.without_know_how.as_deref()).map(|name| developed(name, WITHOUT_KNOW_HOW).not());
        let max_rating = (self.max_rating).map(|most| Condition::AtMost("rating", most));
        let conditions = [
            ("nation", text("nation", &self.nation)),
            ("seat", number("seat", self.seat)),
            ("place", number("place", self.place)),
            ("player", text("player", &self.player)),
            ("bot", bot),
            ("opponents", opponents),
            ("against", against),
            ("opening", opening),
            (KNOW_HOW, know_how),
            (WITHOUT_KNOW_HOW, without),
            ("by_round", at_least("rounds", self.by_round)),
            ("min_rating", at_least("rating", self.min_rating)),
            ("max_rating", max_rating),
            (
                TABLE_RATING,
                at_least("table_rating", self.min_table_rating),
            ),
        ];
        let conditions = conditions
            .into_iter()
            .filter_map(|(name, condition)| Some((name, condition?)));
        conditions.chain(stops).collect()
    }

    /// Returns the condition that a nation developed a know-how in time.
    fn developed(&self, know_how: &str, column: &'static str) -> Condition {
        let by = (self.by_round).map_or(String::new(), |round| format!(" AND round <= {round}"));
        let sql = format!(
            "EXISTS (SELECT 1 FROM know_hows AS own WHERE own.game = seats.game AND own.nation = seats.nation \
             AND know_how = {}{by})",
            quoted(know_how)
        );
        Condition::Joined(column, sql)
    }

    /// Returns the columns of [`Filters::conditions_on_nations`] that are joined from the table of know-hows, each with
    /// the name of the know-how.
    pub(crate) fn know_how_columns(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let columns = [
            (KNOW_HOW, &self.know_how),
            (WITHOUT_KNOW_HOW, &self.without_know_how),
        ];
        let columns = columns.into_iter();
        columns.filter_map(|(column, name)| Some((column, name.as_deref()?)))
    }

    /// Returns the conditions on the columns of `results`, without the time of recording.
    /// The last revision up to `as_of` is selected before they apply.
    pub(crate) fn conditions_on_results(&self) -> Vec<Condition> {
        // Only people play over the board; variants and given positions are not recorded.
        let has_variant = self.variant.as_deref().is_some_and(|own| own != NO_VARIANT);
        let has_bots = self.bots == Inclusion::Only
            || self.bot.is_some()
            || self.opponents.is_some_and(|own| own != Opponents::People);
        let is_another = has_variant || has_bots || self.from_position == Inclusion::Only;
        let own = [
            text("nation", &self.nation),
            number("seat", self.seat),
            text("player", &self.player),
            is_another.then(|| Condition::Any(Vec::new())),
        ];
        let shared = self.conditions_on_times().into_iter();
        let shared = shared.chain(self.conditions_on_tables());
        shared.chain(own.into_iter().flatten()).collect()
    }

    /// Returns the condition on a nation in a game; `None` if all nations pass.
    pub(crate) fn nation_condition(&self) -> Option<Expr> {
        let conditions = self.conditions_on_nations().into_iter();
        let conditions: Vec<Condition> = conditions.map(|(_, own)| own).collect();
        (!conditions.is_empty()).then(|| Condition::All(conditions).expression())
    }

    /// Returns the name of the first filter that is given and does not select whole games.
    pub(crate) fn first_nation_filter(&self) -> Option<&'static str> {
        let conditions = self.conditions_on_nations().into_iter();
        let mut names = conditions.map(|(name, _)| name);
        names.find(|name| *name != TABLE_RATING)
    }

    /// True if nations are filtered by more than their name, such as by their player.
    pub(crate) fn has_more_than_nation(&self) -> bool {
        let conditions = self.conditions_on_nations();
        conditions.iter().any(|(name, _)| *name != "nation")
    }

    /// Returns the range of the next rondel spaces after the path, as indexes of the columns in facts.
    pub(crate) fn next_stops(&self) -> Range<usize> {
        let first = self.path.as_ref().map_or(0, |path| path.fields().len());
        // The longest path leaves one more space.
        first..STOPS.min(first + self.levels.unwrap_or(1) as usize)
    }

    /// True if the filters restrict the time of games or of recording.
    pub(crate) fn is_timed(&self) -> bool {
        self.since.is_some() || self.until.is_some() || self.as_of.is_some()
    }
}

/// The column that says whether a nation plays against the nation of the filter.
pub(crate) const AGAINST: &str = "is_against";

/// The filter on the ratings at a table, which selects whole games.
const TABLE_RATING: &str = "min_table_rating";

/// The filters on know-hows, which are also names of joined columns.
const KNOW_HOW: &str = "know_how";
const WITHOUT_KNOW_HOW: &str = "without_know_how";

fn against(nation: &str) -> Condition {
    let sql = format!(
        "EXISTS (SELECT 1 FROM seats AS other WHERE other.game = seats.game AND other.seat <> seats.seat \
         AND other.nation = {})",
        quoted(nation)
    );
    Condition::Joined(AGAINST, sql)
}

fn text(column: &'static str, value: &Option<String>) -> Option<Condition> {
    Some(Condition::text(column, value.as_ref()?))
}

fn number(column: &'static str, value: Option<u32>) -> Option<Condition> {
    Some(Condition::Number(column, value?))
}

fn at_least(column: &'static str, value: Option<u32>) -> Option<Condition> {
    Some(Condition::AtLeast(column, value?))
}

fn has_variant(name: &str) -> Condition {
    match name {
        NO_VARIANT => Condition::text("variants", ""),
        name => Condition::Has("variants", name.to_owned()),
    }
}
