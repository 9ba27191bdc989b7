//! Derives the rows of one game by replaying its record.

use std::sync::Arc;

use bots::{BOTS, Temperament, without_budget};
use engine::content::Library;
use engine::forms::ResultBody;
use engine::ids::Nation;
use engine::play::Game;
use engine::setup::{Pace, Player, Setup};
use engine::state::State;
use engine::words::Personage;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use records::{Record, ReplayError, Verification};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::column::{RowKeys, TextList};
use super::counter::Counter;
use super::openings::{Opening, Openings};
use super::rated::rated_players;
use super::rows::{
    AwardRow, CardRow, CityRow, GameRow, KnowHowRow, PlayerRow, RatingRow, SeatRow, SnapshotRow,
    TradeRow, TurnRow,
};

/// The players of the other seats.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    clap::ValueEnum,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Opponents {
    /// Only people.
    People,
    /// Only bots.
    Bots,
    /// People and bots.
    Mixed,
}

/// The time control of a game.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    clap::ValueEnum,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TimeControl {
    /// A turn time of at most an hour.
    Live,
    /// A longer turn time.
    Correspondence,
    /// No turn time.
    Unlimited,
}

impl TimeControl {
    /// Returns the time control of games with a pace.
    fn of(pace: Option<&Pace>) -> TimeControl {
        match pace {
            None => TimeControl::Unlimited,
            Some(pace) if pace.turn_seconds <= 3600 => TimeControl::Live,
            Some(_) => TimeControl::Correspondence,
        }
    }
}

/// The value of `opponents` for a player without opponents.
pub(crate) const NO_OPPONENTS: &str = "none";

/// The number of clusters of persons.
pub const CLUSTERS: u32 = 256;

/// The number of parts of a win, so that all shares are whole numbers of parts.
/// A share is 1/k of a win (k up to 6), divided among up to two nations.
pub const WIN_PARTS: u32 = 120;

/// All rows of one game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameFacts {
    /// The row in `games`.
    pub game: GameRow,
    /// The rows in `seats`, in turn order.
    pub seats: Vec<SeatRow>,
    /// The rows in `turns`, in the order of play.
    pub turns: Vec<TurnRow>,
    /// The rows in `awards`, in the order of play.
    pub awards: Vec<AwardRow>,
    /// The rows in `cards`, in the order of play.
    pub cards: Vec<CardRow>,
    /// The rows in `players`, in the order of seats.
    pub players: Vec<PlayerRow>,
    /// The rows in `know_hows`, in the order of play.
    pub know_hows: Vec<KnowHowRow>,
    /// The rows in `cities`, in the order of play.
    pub cities: Vec<CityRow>,
    /// The rows in `trades`, in the order of play.
    pub trades: Vec<TradeRow>,
    /// The rows in `snapshots`, in the order of play.
    pub snapshots: Vec<SnapshotRow>,
    /// The rows in `ratings`, without ratings until [`Rater::rate`](super::Rater::rate) fills them in.
    pub ratings: Vec<RatingRow>,
}

/// The reason why a record has no facts.
#[derive(Debug, thiserror::Error)]
pub enum DeriveError {
    /// The record does not replay.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The game is not over.
    #[error("the game is not over")]
    Unfinished,
    /// No opening strategies are defined for the edition.
    #[error("the edition {0:?} has no opening strategies, so it has no statistics")]
    Openings(String),
    /// `played_at` is not a time.
    #[error("played_at: {text:?} is not a time such as 2026-11-20T18:30:00Z (RFC 3339): {source}")]
    PlayedAt {
        /// The recorded text.
        text: String,
        /// The cause.
        source: jiff::Error,
    },
}

impl GameFacts {
    /// Replays and checks a finished record, with its event log if it has one, and derives its rows.
    ///
    /// # Errors
    /// If the record does not replay, is not finished or has no valid `played_at`, or if its edition has no
    /// openings.
    pub fn derive(record: &Record, library: &Library) -> Result<GameFacts, DeriveError> {
        let result = record.result.as_ref().ok_or(DeriveError::Unfinished)?;
        let played_at: Timestamp =
            record
                .played_at
                .parse()
                .map_err(|source| DeriveError::PlayedAt {
                    text: record.played_at.clone(),
                    source,
                })?;
        let month = played_at.to_zoned(TimeZone::UTC).strftime("%Y-%m");
        let keys = RowKeys {
            edition: record.setup.edition.as_str().into(),
            month: month.to_string().into(),
            game: record.id.as_str().into(),
        };
        // The replay lists effects of actions; the first turn begins before any action.
        let (game, first) = record.start(library).map_err(ReplayError::from)?;
        let edition = &game.ruleset.data.edition;
        let openings =
            Openings::for_edition(edition).ok_or_else(|| DeriveError::Openings(edition.clone()))?;
        let mut counter = Counter::new(&keys, &game, &first, openings);
        let verified = record.verify_with(library, |step| counter.step(&step))?;
        let (game, last) = (&verified.game, &verified.state);
        counter.close_turn();
        let row = game_row(&keys, record, &verified, &counter, played_at, result);
        let seats: Vec<SeatRow> = game
            .all_nations()
            .map(|nation| seat_row(&row, result, &record.setup, game, last, &counter, nation))
            .collect();
        let share = |nation: &Arc<str>| {
            let seat = seats.iter().find(|seat| seat.nation == *nation);
            seat.map_or((0, 0.0), |seat| (seat.share_parts, seat.share))
        };
        macro_rules! shared {
            ($table:ident) => {
                for row in &mut counter.$table {
                    (row.share_parts, row.share) = share(&row.nation);
                }
            };
        }
        shared!(awards);
        shared!(cards);
        shared!(know_hows);
        shared!(cities);
        let players = (0..game.seats() as u32).map(|seat| player_row(&keys, &seats, seat));
        Ok(GameFacts {
            game: row,
            players: players.flatten().collect(),
            seats,
            turns: counter.turns,
            awards: counter.awards,
            cards: counter.cards,
            know_hows: counter.know_hows,
            cities: counter.cities,
            trades: counter.trades,
            snapshots: counter.snapshots,
            ratings: rated_players(&keys, record),
        })
    }
}

impl GameFacts {
    /// Sets the offset in the log and the time of recording.
    /// The defaults are the offset 0 and the time when the game was played.
    pub fn with_position(mut self, log_position: i64, recorded_at: Timestamp) -> GameFacts {
        (self.game.log_position, self.game.recorded_at) = (log_position, recorded_at);
        for seat in &mut self.seats {
            (seat.log_position, seat.recorded_at) = (log_position, recorded_at);
        }
        for rating in &mut self.ratings {
            rating.log_position = log_position;
        }
        self
    }
}

impl GameFacts {
    /// Replaces the id of the game.
    pub fn with_id(mut self, name: &str) -> GameFacts {
        let name: Arc<str> = name.into();
        self.game.game = name.clone();
        macro_rules! renamed {
            ($($table:ident),+) => {$(
                for row in &mut self.$table {
                    row.game = name.clone();
                }
            )+};
        }
        renamed!(
            seats, turns, awards, cards, players, know_hows, cities, trades, snapshots, ratings
        );
        self
    }
}

/// Returns a hash of everything that the facts of a record depend on.
/// `declared` is true if the result is declared; the log proves it, but the hash of the record does not include the
/// log.
pub(crate) fn content_hash(record: &Record, declared: bool) -> u64 {
    // Decks follow from the seed, or from the digest and the drawn cards, and some records omit them.
    let mut copy = record.clone();
    copy.setup.deck = None;
    copy.setup.reshuffles.clear();
    // A record always converts to JSON.
    let hash = copy.content_hash().unwrap_or_default();
    xxh3_64(format!("{hash}\n{declared}").as_bytes())
}

fn game_row(
    keys: &RowKeys,
    record: &Record,
    Verification {
        game,
        state: last,
        declared,
    }: &Verification,
    counter: &Counter<'_>,
    played_at: Timestamp,
    result: &ResultBody,
) -> GameRow {
    let mut variants = record.setup.variants.clone();
    variants.sort();
    let seats = &record.setup.seats;
    let bot_seats = seats.iter().filter(|seat| is_bot(&seat.player)).count();
    let bots = seats.iter().filter(|seat| is_bot(&seat.player));
    let mut bots: Vec<&str> = bots.filter_map(|seat| seat.player.actor()).collect();
    bots.sort_unstable();
    bots.dedup();
    let content = content_hash(record, *declared);
    GameRow {
        recorded_at: played_at,
        digest: record.digest.as_str().into(),
        content_1: (content >> 32) as u32,
        content_2: content as u32,
        board: game.board.data.id.as_str().into(),
        ruleset_hash: game.ruleset.hash.to_string().into(),
        ruleset_version: game.ruleset.data.version,
        board_hash: game.board.hash.to_string().into(),
        variants: texts(variants.iter().map(String::as_str)),
        nations: game.nations.len() as u32,
        players: game.seats() as u32,
        goal: u32::from(game.rules.goal),
        rounds: last.round,
        turns: last.turn,
        actions: counter.actions,
        reason: result.reason.name(),
        played_at,
        source: record.source.to_string().into(),
        rated: record.rated,
        league: record.league.as_deref().map(Arc::from),
        play: player_mix(bot_seats, seats.len()),
        bot_seats: bot_seats as u32,
        bots: texts(bots.into_iter()),
        from_position: record.setup.position.is_some(),
        time_control: TimeControl::of(record.setup.pace.as_ref()).into(),
        declared: *declared,
        ..GameRow::for_game(keys)
    }
}

/// Returns the cluster of a person; [`CLUSTERS`] for bots and open seats.
pub(super) fn cluster_of(player: &Player) -> u32 {
    match player {
        Player::Person { id, .. } => (xxh3_64(id.as_bytes()) % u64::from(CLUSTERS)) as u32,
        Player::Bot { .. } | Player::Open => CLUSTERS,
    }
}

fn seat_row(
    row: &GameRow,
    result: &ResultBody,
    setup: &Setup,
    game: &Game,
    last: &State,
    counter: &Counter<'_>,
    nation: Nation,
) -> SeatRow {
    let owned = last.nation(nation);
    let seat = game.seat_of(nation);
    let player = &setup.seats[usize::from(seat)].player;
    // Each seat has one rank in a result that was replayed.
    let ranked = result.ranks.iter().find(|body| body.seat == seat);
    let in_seat = game.nations_of(seat).count() as f64;
    let parts = |share: f64| (share * f64::from(WIN_PARTS)).round() as u32;
    let share_parts = parts(ranked.map_or(0.0, |body| body.share) / in_seat);
    let expected_parts = parts(1.0 / (f64::from(row.players) * in_seat));
    let maker = match player {
        Player::Bot { name } => Some(split_bot_name(name)),
        Player::Person { .. } | Player::Open => None,
    };
    let personages = |kind: Personage| u32::from(owned.personages[kind.index()]);
    let count = game.nations.len();
    let counted = &counter.nations[nation.index()];
    let [
        stop_1,
        stop_2,
        stop_3,
        stop_4,
        stop_5,
        stop_6,
        stop_7,
        stop_8,
    ] = counted.stops;
    SeatRow {
        log_position: row.log_position,
        recorded_at: row.recorded_at,
        board: row.board.clone(),
        variants: row.variants.clone(),
        nations: row.nations,
        players: row.players,
        goal: row.goal,
        reason: row.reason,
        played_at: row.played_at,
        rated: row.rated,
        league: row.league.clone(),
        play: row.play,
        bot_seats: row.bot_seats,
        bots: row.bots.clone(),
        from_position: row.from_position,
        time_control: row.time_control,
        rounds: row.rounds,
        declared: row.declared,
        ruleset_hash: row.ruleset_hash.clone(),
        ruleset_version: row.ruleset_version,
        nation: counter.names[nation.index()].clone(),
        seat: u32::from(seat),
        place: ((nation.index() + count - game.first.index()) % count) as u32 + 1,
        player_kind: player.kind().name(),
        player: player.actor().unwrap_or_default().into(),
        bot: maker.map(|(bot, _)| bot.into()),
        temperament: maker.and_then(|(_, temperament)| Some(temperament?.name().into())),
        opponents: match usize::try_from(row.players).unwrap_or_default() - 1 {
            0 => NO_OPPONENTS,
            others => player_mix(row.bot_seats as usize - usize::from(is_bot(player)), others),
        },
        cluster: cluster_of(player),
        rank_of_seat: ranked.map_or(0, |body| u32::from(body.rank)),
        share_parts,
        share: f64::from(share_parts) / f64::from(WIN_PARTS),
        expected_parts,
        expected: f64::from(expected_parts) / f64::from(WIN_PARTS),
        points: game.points(last, nation),
        king: personages(Personage::King),
        scholar: personages(Personage::Scholar),
        general: personages(Personage::General),
        citizen: personages(Personage::Citizen),
        navigator: personages(Personage::Navigator),
        cities: owned.cities.len(),
        temples: (owned.cities & last.temples).len(),
        know_hows: owned.know_how.len(),
        walls: (owned.cities & last.walls).len(),
        cards_taken: counted.cards_taken,
        cards_played: counted.cards_played,
        turns: counted.turns,
        resigned: owned.resigned,
        opening: counted
            .opening
            .map_or(Opening::Other, |(opening, _)| opening)
            .name(),
        opening_turn: counted.opening.map(|(_, turn)| turn),
        stop_1,
        stop_2,
        stop_3,
        stop_4,
        stop_5,
        stop_6,
        stop_7,
        stop_8,
        ..SeatRow::for_game(counter.keys)
    }
}

fn is_bot(player: &Player) -> bool {
    matches!(player, Player::Bot { .. })
}

/// Returns who plays if `bots` of `seats` seats are played by bots.
fn player_mix(bots: usize, seats: usize) -> &'static str {
    let played = match bots {
        0 => Opponents::People,
        bots if bots == seats => Opponents::Bots,
        _ => Opponents::Mixed,
    };
    played.into()
}

/// Splits a bot's name into the name without budget and temperament, and the temperament.
/// A bot of another program has no temperament.
fn split_bot_name(name: &str) -> (&str, Option<Temperament>) {
    let name = without_budget(name);
    let named = BOTS.iter().find(|bot| bot.name == name);
    match named.and_then(|named| named.temperament) {
        Some((bot, temperament)) => (bot, Some(temperament)),
        None => (name, None),
    }
}

fn texts<'a>(texts: impl Iterator<Item = &'a str>) -> TextList {
    texts.map(Arc::from).collect()
}

/// Builds the row of a seat in `players` from the rows of its nations.
fn player_row(keys: &RowKeys, seats: &[SeatRow], seat: u32) -> Option<PlayerRow> {
    let mut own: Vec<&SeatRow> = seats.iter().filter(|row| row.seat == seat).collect();
    own.sort_by_key(|row| row.place);
    let first = own.first()?;
    let share_parts = own.iter().map(|row| row.share_parts).sum();
    Some(PlayerRow {
        seat,
        player_kind: first.player_kind,
        player: first.player.clone(),
        bot: first.bot.clone(),
        temperament: first.temperament.clone(),
        nations: own.iter().map(|row| row.nation.clone()).collect(),
        rank_of_seat: first.rank_of_seat,
        share_parts,
        share: f64::from(share_parts) / f64::from(WIN_PARTS),
        points: own.iter().map(|row| row.points).sum(),
        ..PlayerRow::for_game(keys)
    })
}
