//! Requests and answers of the games service.

use std::collections::BTreeMap;

use engine::forms::{Position, QuestionForm, RankBody, ResultBody, View};
use engine::play::{Action, Effect, Names};
use engine::setup::{Pace, Player, TimeoutThen};
use engine::words::EndReason;
use jiff::Timestamp;
use records::{Entry, PublicSetup};
use serde::{Deserialize, Serialize};
use serde_with::{As, DisplayFromStr, Same};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::names;
use crate::games::model::{Claims, Status, Visibility};

/// Who shall play a seat: `{"bot": NAME}`, `{"id": ACCOUNT}`, `{"placeholder": NAME}` or `"open"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatPlayer {
    /// A bot, by name: `random`, `greedy`, or `search` with a budget for each of its decisions, in playouts
    /// (`search:100`) or time (`search@500ms`), of which `GET /v1/limits` tells the most. `easy`, `medium`
    /// and `hard` are such budgets; what they mean when the game is created is kept.
    Bot(String),
    /// Somebody with an account, by id or handle. The caller sits at once; for anybody else the seat is kept until it is
    /// claimed with a token of that account, or declined. It is open until then; in a game that has started its player
    /// plays on.
    Id(String),
    /// Somebody without an account, by a name to show: who organizes the game hands on the seat's token.
    Placeholder(#[serde(deserialize_with = "names::read")] String),
    /// Whoever claims the seat.
    Open,
}

/// A seat of a new game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSeat {
    /// The nations: one, or two in the two-player game. Drawn when left out.
    #[serde(default)]
    pub nations: Vec<String>,
    /// Who plays it.
    pub player: SeatPlayer,
}

/// Who starts a new game: a nation by name, or a seat by number, whose first nation starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged, expecting = "a nation's name or a seat's number is needed")]
pub enum First {
    /// A seat, from 0.
    Seat(u8),
    /// A nation.
    Nation(String),
}

/// A new game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"edition": "antike", "board": "antike-east", "seats": [
    {"nations": ["greeks"], "player": "open"}, {"player": {"bot": "random"}},
    {"player": {"bot": "random"}}, {"player": {"bot": "random"}}], "max_rounds": 60}))]
pub struct NewGame {
    /// The edition.
    pub edition: String,
    /// The board.
    pub board: String,
    /// The variants.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The seats in table order, clockwise.
    #[schema(min_items = 1)]
    pub seats: Vec<NewSeat>,
    /// Where all chance comes from. Drawn, and secret until the end, when left out; one that is
    /// given is public, and with it the order of a deck of event cards.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200)]
    pub seed: Option<String>,
    /// Who starts: a nation's name or a seat's number; decided by the rules when left out.
    #[serde(default)]
    pub first: Option<First>,
    /// The last round that is played: at most as many as the service allows of any game, 200 unless its
    /// operator says otherwise, and so many when left out.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub max_rounds: Option<u32>,
    /// Whether it counts for ratings; a private game cannot.
    #[serde(default)]
    pub rated: bool,
    /// The league it belongs to, by any name but the id of a league here, whose games are set up as its tables.
    #[serde(default, deserialize_with = "names::read_option")]
    #[schema(min_length = 1, max_length = 64)]
    pub league: Option<String>,
    /// A position to start from, in place of the edition's set-up.
    #[serde(default)]
    pub position: Option<Box<Position>>,
    /// How much time the players have; all they need when left out. With `"then": "bot"` the bot is `greedy`
    /// unless another is named. Not for games of bots alone.
    #[serde(default)]
    pub pace: Option<Pace>,
    /// Who may see it.
    #[serde(default)]
    pub visibility: Visibility,
    /// Who may claim its open seats; when left out anybody, of a private game only accounts for which they are
    /// kept.
    #[serde(default)]
    pub claims: Option<Claims>,
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeatBody {
    /// Its number, from 0.
    pub seat: u8,
    /// Its nations.
    pub nations: Vec<String>,
    /// Who plays it. An account is shown by its handle of now.
    pub player: Player,
    /// The account for which the seat is kept: it claims the seat, in a game that has started from the player who
    /// plays it until then. Null where it is kept for nobody.
    pub invited: Option<Uuid>,
}

/// A game without its position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameSummary {
    /// The game.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub id: Uuid,
    /// The edition.
    #[schema(example = "antike")]
    pub edition: String,
    /// The board.
    #[schema(example = "antike-east")]
    pub board: String,
    /// SHA-256 of the ruleset's file.
    pub ruleset_hash: String,
    /// SHA-256 of the board's file.
    pub board_hash: String,
    /// The variants.
    #[schema(example = json!(["military"]))]
    pub variants: Vec<String>,
    /// The last round that is played; null for no limit.
    pub max_rounds: Option<u32>,
    /// Where it stands as a whole.
    pub status: Status,
    /// Its last event; also its `ETag`.
    #[schema(example = 57)]
    pub seq: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its last event happened.
    pub updated_at: Timestamp,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The league it belongs to.
    pub league: Option<String>,
    /// SHA-256 of the seed, in hexadecimal.
    #[schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub seed_commitment: String,
    /// The seed; null while it is secret.
    pub seed: Option<String>,
    /// The seats in table order.
    pub seats: Vec<SeatBody>,
    /// How it ended; null while it goes on.
    pub result: Option<ResultBody>,
    /// How much time the players have; null for all they need.
    #[serde(default)]
    pub pace: Option<Pace>,
    /// When the time of the seat that is waited for is up, reserve and all; null when no time runs.
    #[serde(default)]
    pub due_at: Option<Timestamp>,
    /// Who must act, and why; empty while the game does not run.
    pub pending: Vec<QuestionForm>,
    /// Who may see it.
    #[serde(default)]
    pub visibility: Visibility,
    /// Who may claim its open seats.
    #[serde(default)]
    pub claims: Claims,
    /// The game that the same players went on with; null without one.
    #[serde(default)]
    pub rematch: Option<Uuid>,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameBody {
    /// What it is.
    #[serde(flatten)]
    pub summary: GameSummary,
    /// The wish to go back that others have not agreed to yet; null without one.
    #[serde(default)]
    pub undo_wish: Option<UndoWish>,
    /// The time of each seat, in a game with a pace; else empty.
    #[serde(default)]
    pub clocks: Vec<SeatClock>,
    /// The position.
    pub state: View,
}

/// What a seat has left of its time, as of the last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeatClock {
    /// The seat.
    pub seat: u8,
    /// Seconds of its reserve, beginning when the turn time is up.
    pub reserve_seconds: u32,
    /// How often it has timed out.
    pub timeouts: u32,
}

/// The secrets that a creation shows, once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Tokens {
    /// For adjudication, replacement of players, and giving the game up; null when an account organizes the game.
    pub organizer: Option<String>,
    /// For the seats of placeholders, by seat number.
    #[serde(with = "As::<BTreeMap<DisplayFromStr, Same>>")]
    pub seats: BTreeMap<u8, String>,
}

impl Tokens {
    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.organizer.is_none() && self.seats.is_empty()
    }
}

/// A game just created.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Created {
    /// The game.
    #[serde(flatten)]
    pub game: GameBody,
    /// Bearer tokens, shown here only.
    pub tokens: Tokens,
}

/// A claim of a seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Claim {
    /// A name to show, of a guest: accounts are shown by their handles.
    #[serde(deserialize_with = "names::read_option")]
    #[schema(max_length = 64)]
    pub name: Option<String>,
}

/// A seat just claimed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Claimed {
    /// The seat.
    pub seat: u8,
    /// Who plays it now: the caller's account, or a guest made for it, whose id begins with `guest:`.
    pub player: String,
    /// The bearer token that plays the seat, shown here only; null for an account, whose own tokens play it.
    pub token: Option<String>,
    /// The game after it.
    pub game: GameBody,
}

/// Another player for a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"player": {"bot": "random"}}))]
pub struct Replacement {
    /// Who plays it from now on.
    pub player: SeatPlayer,
}

/// Who organizes a game from now on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"id": "dido"}))]
pub struct NewOrganizer {
    /// An account, by id or handle.
    pub id: String,
}

/// A seat with its new player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Replaced {
    /// The bearer token of a placeholder, shown here only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub token: Option<String>,
    /// The game after it.
    pub game: GameBody,
}

/// What happened in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The game was set up; always event 0.
    Setup,
    /// A nation acted.
    Action,
    /// The game went back to an earlier event.
    Undo,
    /// A seat got another player.
    Seat,
    /// The game was ended by an organizer.
    Adjudicate,
    /// The game was given up without a result.
    Abandon,
    /// A seat has used up its time.
    Timeout,
}

impl EventKind {
    /// The kind of an entry.
    pub fn of(entry: &Entry) -> EventKind {
        match entry {
            Entry::Setup(_) => EventKind::Setup,
            Entry::Action(_) => EventKind::Action,
            Entry::Undo(_) => EventKind::Undo,
            Entry::Seat { .. } => EventKind::Seat,
            Entry::Adjudicate(_) => EventKind::Adjudicate,
            Entry::Abandon => EventKind::Abandon,
            Entry::Timeout { .. } => EventKind::Timeout,
        }
    }
}

/// What an event says that is no action of a nation, each kind with fields of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EventPayload {
    /// The game was set up.
    Setup {
        /// What everybody may know of the setup; `seed_commitment` is the SHA-256 of its seed.
        setup: Box<PublicSetup>,
    },
    /// The game went back to an earlier event.
    Undo {
        /// The event after which it stands again.
        #[schema(example = 55)]
        to: u64,
    },
    /// A seat got another player.
    Seat {
        /// The seat.
        seat: u8,
        /// Who plays it from here on.
        player: Player,
    },
    /// The game was ended by decision.
    Adjudicate {
        /// `adjudication`, or `agreement` when the players agreed.
        reason: EndReason,
        /// The seats by rank.
        ranks: Vec<RankBody>,
        /// A word on it.
        note: Option<String>,
        /// Whether a record claimed it that was taken in: nobody has decided it here.
        declared: bool,
    },
    /// The game was given up without a result.
    Abandon,
    /// A seat has used up its time.
    Timeout {
        /// The seat.
        seat: u8,
        /// What happens with that; the events behind tell it.
        then: TimeoutThen,
    },
}

impl EventPayload {
    /// What an entry of the log says; `None` of an action.
    pub fn of(entry: Entry) -> Option<EventPayload> {
        Some(match entry {
            Entry::Action(_) => return None,
            Entry::Setup(setup) => EventPayload::Setup { setup },
            Entry::Undo(to) => EventPayload::Undo { to },
            Entry::Seat { seat, player } => EventPayload::Seat { seat, player },
            Entry::Adjudicate(decision) => EventPayload::Adjudicate {
                reason: decision.result.reason,
                ranks: decision.result.ranks,
                note: decision.note,
                declared: decision.declared,
            },
            Entry::Abandon => EventPayload::Abandon,
            Entry::Timeout { seat, then } => EventPayload::Timeout { seat, then },
        })
    }
}

/// One entry of a game's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventBody {
    /// Position in the game's log, from 0.
    #[schema(example = 58)]
    pub seq: u64,
    /// The game.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub game: Uuid,
    /// What happened.
    pub kind: EventKind,
    /// The round in which it happened; 0 in set-up.
    #[schema(example = 4)]
    pub round: u32,
    /// The turn in which it happened; 0 in set-up.
    #[schema(example = 15)]
    pub turn: u32,
    /// The nation that acted.
    #[schema(example = "arabs")]
    pub nation: Option<String>,
    /// Its seat.
    #[schema(example = 2)]
    pub seat: Option<u8>,
    /// The account or bot that acted.
    #[schema(example = "random")]
    pub player: Option<String>,
    /// The action; null for what is no action of a nation.
    pub action: Option<Action<Names>>,
    /// What happened that is no action of a nation; null for actions.
    #[serde(default)]
    pub payload: Option<EventPayload>,
    /// The action in notation, or what else happened with JSON behind, as the log and its hashes have it.
    #[schema(example = "end")]
    pub notation: String,
    /// What followed.
    pub effects: Vec<Effect<Names>>,
    /// Digest of the state after it, 16 hexadecimal digits. Empty in a dry run in which it would
    /// draw a card.
    #[schema(example = "551e2d36b9d5db83")]
    pub digest: String,
    /// The chained hash, 64 hexadecimal digits. Empty in a dry run in which it would draw a card.
    pub hash: String,
    /// When it was recorded.
    pub at: Timestamp,
    /// Position in the log of all games; absent while it is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = 1204)]
    #[schema(nullable = false)]
    pub position: Option<u64>,
}

/// What followed from a request that changed a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Acted {
    /// The last event.
    pub seq: u64,
    /// The events, those of bots and standing orders that answered at once included.
    pub events: Vec<EventBody>,
    /// The game after them.
    pub game: GameBody,
}

/// What may be done now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LegalActions {
    /// Where the game stands.
    pub seq: u64,
    /// Who must act, and why.
    pub pending: Vec<QuestionForm>,
    /// The actions, each a body that can be posted. Resigning is always possible and not listed.
    pub actions: Vec<Action<Names>>,
}

/// A moment of a game: where it stood after an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Moment {
    /// The game.
    pub game: Uuid,
    /// After which event.
    pub seq: u64,
    /// Who had to act, and why.
    pub pending: Vec<QuestionForm>,
    /// The position.
    pub state: View,
}

/// A wish to go back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"to": 55}))]
pub struct Undo {
    /// The event after which the game shall stand again. By default the one before the caller's own last decision,
    /// whatever bots have answered since.
    #[serde(default)]
    pub to: Option<u64>,
}

/// What became of a wish to go back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Undone {
    /// The game went back.
    Done(Box<Acted>),
    /// Others must agree first, by posting the same.
    Asked(UndoWish),
}

/// A wish to go back. It stands until everybody who is asked has agreed, somebody declines or withdraws it,
/// or another event comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"seq": 60, "to": 55, "by": 0, "agreed": [0], "missing": [2],
    "since": "2026-11-21T17:30:00.123456Z"}))]
pub struct UndoWish {
    /// The last event, from which the game shall go back.
    pub seq: u64,
    /// The event to go back to.
    pub to: u64,
    /// The seat that wished it first.
    pub by: u8,
    /// Seats that have agreed, the one that wished it among them.
    pub agreed: Vec<u8>,
    /// Seats that must still agree.
    pub missing: Vec<u8>,
    /// Since when it is wished.
    pub since: Timestamp,
}

/// How a wish to go back ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoWishEnd {
    /// The seat that wished it has withdrawn it.
    Withdrawn,
    /// Another seat has declined it.
    Declined,
    /// Another event has come: the undo that was wished, or something else.
    Overtaken,
}

/// What live streams tell of wishes to go back, by events that are named `undo_wish` and have no id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UndoWishNews {
    /// The game.
    pub game: Uuid,
    /// The wish as it stands; null when there is none any more.
    pub undo_wish: Option<UndoWish>,
    /// How the last one ended; null while there is one.
    pub ended: Option<UndoWishEnd>,
    /// The seat that ended it; null where an event did.
    pub by: Option<u8>,
}

/// A code by which players get a seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"code": "7KQM-2V9D-XHT4"}))]
pub struct InvitationCode {
    /// Twelve digits of Crockford's base 32, in capital letters or small ones, with or without dashes.
    #[schema(min_length = 12, max_length = 40)]
    pub code: String,
}

/// An organizer's decision how a game ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"ranks": [{"seat": 0, "rank": 1}, {"seat": 1, "rank": 2},
    {"seat": 2, "rank": 2}, {"seat": 3, "rank": 4}], "note": "time was up"}))]
pub struct Adjudication {
    /// The rank of every seat.
    pub ranks: Vec<SeatRank>,
    /// `adjudication`, or `agreement` when the players agreed.
    #[serde(default)]
    pub reason: Option<EndReason>,
    /// A word on it, kept in the log.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub note: Option<String>,
}

/// A seat's rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatRank {
    /// The seat.
    pub seat: u8,
    /// From 1; equal seats share a rank.
    #[schema(minimum = 1)]
    pub rank: u8,
}
