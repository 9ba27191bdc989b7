//! Filters: which games and which nations in them a measure looks at.

use std::ops::Range;

use engine::words::EndReason;
use jiff::{SignedDuration, Timestamp};
use polars::prelude::Expr;
use serde::{Deserialize, Serialize};

use super::condition::Condition;
use super::filter_values::{
    AsOf, EndFilter, InstantFilter, Opponents, RulesetVersion, StopPath, Which,
};
use crate::facts::{STOP_COLUMNS, STOPS};

/// How long a time must be over until nothing can be recorded at it any more: as long as a transaction takes, and
/// the clocks of nodes may differ.
const SETTLED: SignedDuration = SignedDuration::from_secs(2);

/// For how long an event of a league may wait until it is written: it tells the time at which it was made.
pub const LEAGUE_WAIT: SignedDuration = SignedDuration::from_secs(4);

/// How many next stops can be followed.
pub(crate) const LEVELS: u32 = 3;

/// The last time at which nothing can be recorded any more at a moment.
pub fn settled(now: Timestamp) -> Timestamp {
    now.checked_sub(SETTLED).unwrap_or(Timestamp::MIN)
}

/// Which games and which nations in them a measure looks at. All filters must hold; those left
/// out let everything pass.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, clap::Args)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", into_params(parameter_in = Query))]
#[serde(default, deny_unknown_fields)]
pub struct Filters {
    /// The edition of the rules, such as antike
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub edition: Option<String>,
    /// The version of the rules: its number, or the hash of its ruleset; each tells versions apart,
    /// which are summed when it is left out
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub ruleset: Option<RulesetVersion>,
    /// The board, such as antike-east
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub board: Option<String>,
    /// The number of nations
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub nations: Option<u32>,
    /// The nation, such as romans
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub nation: Option<String>,
    /// The seat round the table, from 0
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub seat: Option<u32>,
    /// The place in turn order, from 1 for the nation that starts
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub place: Option<u32>,
    /// Nations of this player: a person's id, or a bot's name with its budget
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub player: Option<String>,
    /// Nations of this bot: its name with or without temperament and budget, such as greedy
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub bot: Option<String>,
    /// Nations whose opponents are all people, all bots, or some of each
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub opponents: Option<Opponents>,
    /// Games with this variant; none for games without any
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub variant: Option<String>,
    /// The league
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub league: Option<String>,
    /// Whether bots play: any game, only games with bots on all seats, or games with none
    #[arg(long, default_value_t)]
    pub bots: Which,
    /// Whether the games count for ratings: true or false
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub rated: Option<bool>,
    /// Games that ended then or later: an RFC 3339 time, or a date (its start, UTC)
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub since: Option<InstantFilter>,
    /// Games that ended before: an RFC 3339 time, or a date (its start, UTC)
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub until: Option<InstantFilter>,
    /// Leave out rows with fewer games
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub min_games: Option<u32>,
    /// How the games ended: played_out (as if left out) for those that the rules ended with a winner
    /// (goal, temple_destroyed), and those with a declared result where declared lets them pass; any;
    /// or one of goal, temple_destroyed, resignation, round_limit, agreement, adjudication
    #[arg(long, default_value_t)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub reason: EndFilter,
    /// Games that started from a given position: none of them (as if left out), any game, or only
    /// those
    #[arg(long, default_value = "none")]
    pub from_position: Which,
    /// Games whose result is declared, which is one that people decided and no log proves: none of
    /// them (as if left out), any game, or only those
    #[arg(long, default_value = "none")]
    pub declared: Which,
    /// For nations: results of games at real tables, which leagues have entered and of which there is no record: none
    /// of them (as if left out), any game, or only those. What such a result does not tell cannot be asked for beside:
    /// place, path, ruleset, or one reason. It is taken for one of a game without variants and from the start. Such
    /// a table is the same for ever as of the time that it tells: results stand between places in the log
    #[arg(long, default_value = "none")]
    #[serde(skip_serializing_if = "Which::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub result_only: Which,
    /// Nations whose first stops on the rondel were these, such as marble,temple
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub path: Option<StopPath>,
    /// For openings-tree: how many next stops are followed, 1 to 3; one when left out, and three in a picture
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub levels: Option<u32>,
    /// For positions: the digest of the position, 16 hexadecimal digits, as states and events tell it
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub digest: Option<String>,
    /// For personages: how many first personages nations are told apart by; half the goal, rounded
    /// up, when left out
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub at: Option<u32>,
    /// Games that were recorded by then: a place in the log, or an RFC 3339 time or date (its start, UTC)
    /// that is over. The table then stays the same for ever, whatever comes in later
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>), param(value_type = Option<String>))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub as_of: Option<AsOf>,
}

impl Default for Filters {
    /// Games that were played out from the start, and whose result is proven.
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
            variant: None,
            league: None,
            bots: Which::Any,
            rated: None,
            since: None,
            until: None,
            min_games: None,
            reason: EndFilter::PlayedOut,
            from_position: Which::None,
            declared: Which::None,
            result_only: Which::None,
            path: None,
            levels: None,
            digest: None,
            at: None,
            as_of: None,
        }
    }
}

/// What [`Filters::variant`] says for games without any variant.
pub const NO_VARIANT: &str = "none";

impl Filters {
    /// The filters that do not let everything pass that passes when all are left out: name and value, as
    /// queries write them.
    pub fn given(&self) -> Vec<(String, String)> {
        // Plain data with string keys, which is always an object.
        let told = |filters: &Filters| serde_json::to_value(filters).unwrap_or_default();
        let (own, usual) = (told(self), told(&Filters::default()));
        let own = own.as_object().into_iter().flatten();
        let given = own.filter(|(name, value)| usual.get(name.as_str()) != Some(value));
        let given = given.map(|(name, value)| match value {
            serde_json::Value::String(text) => (name.clone(), text.clone()),
            value => (name.clone(), value.to_string()),
        });
        given.collect()
    }

    /// About how many bytes they take in memory.
    pub fn size(&self) -> usize {
        let given = self.given();
        let texts: usize = given.iter().map(|(_, value)| value.len()).sum();
        size_of::<Filters>() + texts
    }

    /// The conditions on the columns that `games` and `seats` share.
    fn conditions_on_games(&self) -> Vec<Condition> {
        let times = self.on_times_played().into_iter().chain(self.on_places());
        times.chain(self.conditions_on_summaries()).collect()
    }

    /// The conditions on when games were played.
    fn on_times_played(&self) -> Vec<Condition> {
        let since = self.since.map(|time| Condition::Since("played_at", time.0));
        let until = self.until.map(|time| Condition::Until("played_at", time.0));
        since.into_iter().chain(until).collect()
    }

    /// The condition on when games were recorded.
    pub(crate) fn on_places(&self) -> Option<Condition> {
        Some(match self.as_of? {
            AsOf::Position(place) => Condition::UpToPlace("log_position", place),
            AsOf::Time(time) => Condition::UpTo("recorded_at", time),
        })
    }

    /// The conditions on what games and results at real tables both tell of a table.
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

    /// The conditions on games without times and places, which summaries do not tell.
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
            match self.bots {
                Which::Any => None,
                Which::Only => Some(Condition::text("play", "bots")),
                Which::None => Some(Condition::text("play", "people")),
            },
            self.on_reasons(),
            self.from_position.of("from_position"),
            self.declared.of("declared"),
        ];
        let own = conditions.into_iter().flatten();
        self.conditions_on_tables().into_iter().chain(own).collect()
    }

    fn on_reasons(&self) -> Option<Condition> {
        let is = |reason: EndReason| Condition::text("reason", reason.name());
        match self.reason {
            EndFilter::Any => None,
            EndFilter::By(reason) => Some(is(reason)),
            EndFilter::PlayedOut => {
                let mut any = vec![is(EndReason::Goal), is(EndReason::TempleDestroyed)];
                if self.declared != Which::None {
                    any.push(Condition::Holds("declared"));
                }
                Some(Condition::Any(any))
            }
        }
    }

    /// The condition on the columns that `games` and `seats` share.
    pub(crate) fn on_games(&self) -> Expr {
        Condition::All(self.conditions_on_games()).expression()
    }

    /// That condition without the time, which summaries do not tell.
    pub(crate) fn on_summaries(&self) -> Expr {
        Condition::All(self.conditions_on_summaries()).expression()
    }

    /// All conditions on the columns of `seats`.
    pub(crate) fn conditions(&self) -> Vec<Condition> {
        let nations = self.conditions_on_nations().into_iter();
        let games = self.conditions_on_games().into_iter();
        games.chain(nations.map(|(_, own)| own)).collect()
    }

    /// Whether versions of the rules are told apart.
    pub(crate) fn tells_rulesets_apart(&self) -> bool {
        self.ruleset == Some(RulesetVersion::Each)
    }

    /// The conditions on a nation in a game, on the columns of `seats`, each with the name of its filter; none when
    /// every nation passes.
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
        let conditions = [
            ("nation", text("nation", &self.nation)),
            ("seat", number("seat", self.seat)),
            ("place", number("place", self.place)),
            ("player", text("player", &self.player)),
            ("bot", bot),
            ("opponents", opponents),
        ];
        let conditions = conditions
            .into_iter()
            .filter_map(|(name, condition)| Some((name, condition?)));
        conditions.chain(stops).collect()
    }

    /// The conditions on the columns of `results`, but for when they were recorded: of a game the last revision up to
    /// then is asked.
    pub(crate) fn conditions_on_results(&self) -> Vec<Condition> {
        // People play there, and nothing tells of variants or of a position to begin from.
        let has_variant = self.variant.as_deref().is_some_and(|own| own != NO_VARIANT);
        let has_bots = self.bots == Which::Only
            || self.bot.is_some()
            || self.opponents.is_some_and(|own| own != Opponents::People);
        let is_another = has_variant || has_bots || self.from_position == Which::Only;
        let own = [
            text("nation", &self.nation),
            number("seat", self.seat),
            text("player", &self.player),
            is_another.then(|| Condition::Any(Vec::new())),
        ];
        let shared = self.on_times_played().into_iter();
        let shared = shared.chain(self.conditions_on_tables());
        shared.chain(own.into_iter().flatten()).collect()
    }

    /// The condition on a nation in a game; `None` when every nation passes.
    pub(crate) fn on_nations(&self) -> Option<Expr> {
        let conditions = self.conditions_on_nations().into_iter();
        let conditions: Vec<Condition> = conditions.map(|(_, own)| own).collect();
        (!conditions.is_empty()).then(|| Condition::All(conditions).expression())
    }

    /// The name of a filter on nations that is given.
    pub(crate) fn name_on_nations(&self) -> Option<&'static str> {
        let conditions = self.conditions_on_nations();
        conditions.first().map(|(name, _)| *name)
    }

    /// Which stops are asked for behind those of the path, as places among those that facts keep.
    pub(crate) fn next_stops(&self) -> Range<usize> {
        let first = self.path.as_ref().map_or(0, |path| path.fields().len());
        // The longest path leaves room for one more stop.
        first..STOPS.min(first + self.levels.unwrap_or(1) as usize)
    }

    /// Whether parts are asked for by when their games ended or were recorded.
    pub(crate) fn is_timed(&self) -> bool {
        self.since.is_some() || self.until.is_some() || self.as_of.is_some()
    }
}

fn text(column: &'static str, value: &Option<String>) -> Option<Condition> {
    Some(Condition::text(column, value.as_ref()?))
}

fn number(column: &'static str, value: Option<u32>) -> Option<Condition> {
    Some(Condition::Number(column, value?))
}

fn has_variant(name: &str) -> Condition {
    match name {
        NO_VARIANT => Condition::text("variants", ""),
        name => Condition::Has("variants", name.to_owned()),
    }
}
