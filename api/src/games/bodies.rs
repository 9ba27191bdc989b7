//! Request and response bodies of games.

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
use crate::games::bidding::{BiddingBody, NewBidding};
use crate::games::model::{Claims, ContentHashes, Status, Visibility};

/// The player of a seat: `{"bot": NAME}`, `{"id": ACCOUNT}`, `{"placeholder": NAME}` or `"open"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatPlayer {
    /// A bot, by name: `random`, `greedy`, or `search` with a budget per decision.
    /// The budget is a number of playouts (`search:100`) or a time (`search@500ms`); `GET /v1/limits` returns the
    /// maximum. `beginner`, `intermediate`, `advanced` and `expert` stand for budgets; the game stores their values at its
    /// creation.
    Bot(String),
    /// An account, by id or handle. The caller's own account takes the seat immediately.
    /// For another account the seat is reserved until the account claims or declines it. Until then the seat is open,
    /// or keeps its player if the game has started.
    Id(String),
    /// A person without an account, by a name to show. The organizer passes on the token of the seat.
    Placeholder(#[serde(deserialize_with = "names::read")] String),
    /// An open seat, for the first player who claims it.
    Open,
}

/// A seat of a new game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSeat {
    /// The nations: one, or two in the two-player game. They are drawn if omitted.
    #[serde(default)]
    pub nations: Vec<String>,
    /// The player.
    pub player: SeatPlayer,
}

/// The start player: a nation by name, or a seat by number, whose first nation starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "expected the name of a nation or the number of a seat"
)]
pub enum First {
    /// A seat, from 0.
    Seat(u8),
    /// A nation.
    Nation(String),
}

/// A position of another game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77", "seq": 57}))]
pub struct BranchPoint {
    /// The id of the game. A rated game must be over.
    pub game: Uuid,
    /// The number of the event. The position after it is the start, even if the event was undone.
    pub seq: u64,
}

/// A new game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"edition": "antike", "board": "antike-east", "seats": [
    {"nations": ["greeks"], "player": "open"}, {"player": {"bot": "random"}},
    {"player": {"bot": "random"}}, {"player": {"bot": "random"}}], "max_rounds": 60}))]
pub struct NewGame {
    /// The id of the edition, from `GET /v1/editions`.
    pub edition: String,
    /// The id of the board, from `GET /v1/boards`.
    pub board: String,
    /// The ids of the variants; none if omitted.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The seats in seat order, clockwise around the table.
    #[schema(min_items = 1)]
    pub seats: Vec<NewSeat>,
    /// The seed of all randomness. If omitted, it is drawn and stays secret until the game is over.
    /// A given seed is public, and with it the order of a deck of event cards. A game with event
    /// cards and a given seed cannot be rated.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200)]
    pub seed: Option<String>,
    /// The start player: the name of a nation or the number of a seat. If omitted, the rules decide.
    #[serde(default)]
    pub first: Option<First>,
    /// The number of the last round.
    /// The server has a maximum, 200 unless its operator changes it, which also applies if this is omitted.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub max_rounds: Option<u32>,
    /// Whether the game counts for ratings. A private game cannot be rated.
    #[serde(default)]
    pub rated: bool,
    /// A name for the league of the game.
    /// It must not be the id of a league of this server: games of such a league are created as its tables.
    #[serde(default, deserialize_with = "names::read_option")]
    #[schema(min_length = 1, max_length = 64)]
    pub league: Option<String>,
    /// A position to start from, instead of the edition's setup.
    #[serde(default)]
    pub position: Option<Box<Position>>,
    /// The position of another game that the caller can see, to play on from there.
    /// The new game has the rules and nations of that game, and a new seed, from which a deck of event cards is
    /// shuffled again. It cannot be rated.
    #[serde(default)]
    pub from: Option<BranchPoint>,
    /// The ruleset and board of a game that plays on from another one; the newest otherwise.
    #[serde(skip)]
    pub content: Option<ContentHashes>,
    /// The time limits; none if omitted.
    /// With `"then": "bot"`, the bot `greedy` takes over unless another is named. Not allowed for games of bots alone.
    #[serde(default)]
    pub pace: Option<Pace>,
    /// Who may see the game; `public` if omitted.
    #[serde(default)]
    pub visibility: Visibility,
    /// Who may claim open seats. If omitted: everyone, or for a private game only invited accounts.
    #[serde(default)]
    pub claims: Option<Claims>,
    /// How the players bid for the seats and so for nations; if omitted, they keep the seats that they take.
    #[serde(default)]
    pub bidding: Option<NewBidding>,
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeatBody {
    /// The number of the seat, from 0.
    pub seat: u8,
    /// The nations of the seat.
    pub nations: Vec<String>,
    /// The player. An account is shown with its present handle.
    pub player: Player,
    /// The account for which the seat is reserved; null if there is none.
    /// It can claim the seat. If the game has started, it then replaces the present player.
    pub invited: Option<Uuid>,
}

/// A game without its position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameSummary {
    /// The id of the game.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub id: Uuid,
    /// The id of the edition.
    #[schema(example = "antike")]
    pub edition: String,
    /// The id of the board.
    #[schema(example = "antike-east")]
    pub board: String,
    /// SHA-256 of the ruleset file, in hexadecimal.
    pub ruleset_hash: String,
    /// SHA-256 of the board file, in hexadecimal.
    pub board_hash: String,
    /// The ids of the variants.
    #[schema(example = json!(["military"]))]
    pub variants: Vec<String>,
    /// The number of the last round; null for no limit.
    pub max_rounds: Option<u32>,
    /// The status of the game.
    pub status: Status,
    /// The number of the last event, which is also the `ETag`.
    #[schema(example = 57)]
    pub seq: u64,
    /// When the game was created.
    pub created_at: Timestamp,
    /// When the last event was recorded.
    pub updated_at: Timestamp,
    /// Whether the game counts for ratings.
    pub rated: bool,
    /// The league of the game, or null.
    pub league: Option<String>,
    /// SHA-256 of the seed, in hexadecimal.
    #[schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub seed_commitment: String,
    /// The seed; null while it is secret.
    pub seed: Option<String>,
    /// The seats in seat order.
    pub seats: Vec<SeatBody>,
    /// The result; null unless the game is finished.
    pub result: Option<ResultBody>,
    /// The time limits; null if there are none.
    #[serde(default)]
    pub pace: Option<Pace>,
    /// When the time of the seat that must act runs out, including its reserve; null if no time runs.
    #[serde(default)]
    pub due_at: Option<Timestamp>,
    /// The decisions that are needed next, each with its seat; empty unless the game is running.
    pub pending: Vec<QuestionForm>,
    /// Who may see the game.
    #[serde(default)]
    pub visibility: Visibility,
    /// Who may claim open seats.
    #[serde(default)]
    pub claims: Claims,
    /// The id of the rematch; null if there is none.
    #[serde(default)]
    pub rematch: Option<Uuid>,
}

/// A game with its position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameBody {
    /// The properties of the game.
    #[serde(flatten)]
    pub summary: GameSummary,
    /// The pending undo request; null if there is none.
    #[serde(default)]
    pub undo_request: Option<UndoRequest>,
    /// The bidding for the seats; null if they are not bid for.
    #[serde(default)]
    pub bidding: Option<BiddingBody>,
    /// The clocks of the seats, if the game has time limits; otherwise empty.
    #[serde(default)]
    pub clocks: Vec<SeatClock>,
    /// The position after the last event.
    pub state: View,
}

/// The remaining time of a seat as of the last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeatClock {
    /// The number of the seat.
    pub seat: u8,
    /// The reserve in seconds. It runs when the time of a turn is over.
    pub reserve_seconds: u32,
    /// The number of timeouts of the seat.
    pub timeouts: u32,
}

/// The secret tokens of a new game. They are shown only once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Tokens {
    /// The organizer's token; null if an account organizes the game.
    pub organizer: Option<String>,
    /// The tokens of placeholder seats, by seat number; in a rematch, that of a caller without an account.
    #[serde(with = "As::<BTreeMap<DisplayFromStr, Same>>")]
    pub seats: BTreeMap<u8, String>,
}

impl Tokens {
    /// Returns true if there is no token.
    pub fn is_empty(&self) -> bool {
        self.organizer.is_none() && self.seats.is_empty()
    }
}

/// A new game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CreatedGame {
    /// The game with its position.
    #[serde(flatten)]
    pub game: GameBody,
    /// Bearer tokens. They are shown only in this response.
    pub tokens: Tokens,
}

/// A claim of a seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Claim {
    /// A name to show for a guest. An account must omit it, because accounts are shown by their handles.
    #[serde(deserialize_with = "names::read_option")]
    #[schema(max_length = 64)]
    pub name: Option<String>,
}

/// A claim of a seat by an invitation code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({"seat": 1, "name": "Hanno"}))]
pub struct InvitedClaim {
    /// The number of the seat.
    /// If omitted: the seat reserved for the caller's account, or else the first free one.
    pub seat: Option<u8>,
    /// A name to show for a guest. An account must omit it, because accounts are shown by their handles.
    #[serde(deserialize_with = "names::read_option")]
    #[schema(max_length = 64)]
    pub name: Option<String>,
}

/// The seat of a guest, for moving it to an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "019aa5a4-1234-7abc-8def-0123456789ab",
    "token": "tabularium_0000000000000000000000000000000000000000"}))]
pub struct SeatProof {
    /// The id of the game.
    pub game: Uuid,
    /// The bearer token of the seat.
    #[schema(max_length = 64)]
    pub token: String,
}

/// A seat that now belongs to the caller's account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AdoptedSeat {
    /// The id of the game.
    pub game: Uuid,
    /// The number of the seat.
    pub seat: u8,
}

/// A seat that the caller has claimed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClaimOutcome {
    /// The number of the seat.
    pub seat: u8,
    /// The id of the new player: the caller's account, or a new guest, whose id starts with `guest:`.
    pub player: String,
    /// The bearer token of the seat, shown only here; null for an account, whose own tokens are valid.
    pub token: Option<String>,
    /// The game after the claim.
    pub game: GameBody,
}

/// A replacement of the player of a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"player": {"bot": "random"}}))]
pub struct Replacement {
    /// The new player.
    pub player: SeatPlayer,
}

/// The new organizer of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"id": "dido"}))]
pub struct NewOrganizer {
    /// The account, by id or handle.
    pub id: String,
}

/// The result of a replacement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReplacementOutcome {
    /// The bearer token of a placeholder, shown only in this response; absent for other players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub token: Option<String>,
    /// The game after the replacement.
    pub game: GameBody,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The game was set up; always event 0.
    Setup,
    /// A nation acted.
    Action,
    /// The game went back to an earlier event.
    Undo,
    /// The player of a seat changed.
    Seat,
    /// The organizer ended the game.
    Adjudicate,
    /// The game was abandoned without a result.
    Abandon,
    /// The time of a seat ran out.
    Timeout,
}

impl EventKind {
    /// Returns the kind of a log entry.
    pub fn from_entry(entry: &Entry) -> EventKind {
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

    /// Returns true if events of this kind may contain names or notes that people wrote.
    pub fn has_texts(self) -> bool {
        matches!(
            self,
            EventKind::Setup | EventKind::Seat | EventKind::Adjudicate
        )
    }
}

/// The content of an event that is not an action, with members by kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EventPayload {
    /// The game was set up.
    Setup {
        /// The public part of the setup. `seed_commitment` is the SHA-256 of its seed.
        setup: Box<PublicSetup>,
    },
    /// The game went back to an earlier event.
    Undo {
        /// The number of the event whose position is restored.
        #[schema(example = 55)]
        to: u64,
    },
    /// The player of a seat changed.
    Seat {
        /// The number of the seat.
        seat: u8,
        /// The new player.
        player: Player,
    },
    /// The organizer ended the game.
    Adjudicate {
        /// `adjudication`, or `agreement` if the players agreed.
        reason: EndReason,
        /// The rank of each seat.
        ranks: Vec<RankBody>,
        /// The organizer's comment, or null.
        note: Option<String>,
        /// True if an imported record contains the decision: it was not made on this server.
        declared: bool,
    },
    /// The game was abandoned without a result.
    Abandon,
    /// The time of a seat ran out.
    Timeout {
        /// The number of the seat.
        seat: u8,
        /// The consequence, which the following events carry out.
        then: TimeoutThen,
    },
}

/// Removes the names and notes that people wrote from a log entry.
pub fn hide_texts(entry: Entry) -> Entry {
    let hide = |player: &mut Player| {
        if let Player::Person { name, .. } = player {
            *name = None;
        }
    };
    match entry {
        Entry::Setup(mut setup) => {
            setup
                .seats
                .iter_mut()
                .for_each(|seat| hide(&mut seat.player));
            Entry::Setup(setup)
        }
        Entry::Seat { seat, mut player } => {
            hide(&mut player);
            Entry::Seat { seat, player }
        }
        Entry::Adjudicate(mut decision) => {
            decision.note = None;
            Entry::Adjudicate(decision)
        }
        other => other,
    }
}

impl EventPayload {
    /// Returns the content of a log entry; `None` for an action.
    pub fn from_entry(entry: Entry) -> Option<EventPayload> {
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

/// An event of a game's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventBody {
    /// The number of the event in the game's log, from 0.
    #[schema(example = 58)]
    pub seq: u64,
    /// The id of the game.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub game: Uuid,
    /// The kind of the event.
    pub kind: EventKind,
    /// The round of the event; 0 in setup.
    #[schema(example = 4)]
    pub round: u32,
    /// The turn of the event; 0 in setup.
    #[schema(example = 15)]
    pub turn: u32,
    /// The nation that acted; null if none did.
    #[schema(example = "arabs")]
    pub nation: Option<String>,
    /// The seat that acted; null if none did.
    #[schema(example = 2)]
    pub seat: Option<u8>,
    /// The id of the account or guest, or the name of the bot, that acted; null if none did.
    #[schema(example = "random")]
    pub player: Option<String>,
    /// The action; null for events of other kinds.
    pub action: Option<Action<Names>>,
    /// The content of an event that is not an action; null for actions.
    #[serde(default)]
    pub payload: Option<EventPayload>,
    /// The event as the log and its hashes contain it: an action in notation, or a keyword and JSON.
    #[schema(example = "end")]
    pub notation: String,
    /// The effects of the action, in order.
    pub effects: Vec<Effect<Names>>,
    /// The digest of the state after the event, 16 hexadecimal digits.
    /// Empty in a dry run if the action would draw a card.
    #[schema(example = "551e2d36b9d5db83")]
    pub digest: String,
    /// The chained hash of the log, 64 hexadecimal digits.
    /// Empty in a dry run if the action would draw a card.
    pub hash: String,
    /// When the event was recorded.
    pub at: Timestamp,
    /// The position in the log of all games; absent in a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = 1204)]
    #[schema(nullable = false)]
    pub position: Option<u64>,
}

/// The events that a request caused, and the game after them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ActionOutcome {
    /// The number of the last event.
    pub seq: u64,
    /// The events, including the replies of bots and standing orders.
    pub events: Vec<EventBody>,
    /// The game after these events.
    pub game: GameBody,
}

/// The legal actions in a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LegalActions {
    /// The number of the last event.
    pub seq: u64,
    /// The decisions that are needed, each with its seat.
    pub pending: Vec<QuestionForm>,
    /// The actions; each can be sent as a request body. Resigning is always legal and not listed.
    pub actions: Vec<Action<Names>>,
}

/// The position of a game after an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Moment {
    /// The id of the game.
    pub game: Uuid,
    /// The number of the event.
    pub seq: u64,
    /// The decisions that were needed next, each with its seat.
    pub pending: Vec<QuestionForm>,
    /// The position.
    pub state: View,
}

/// An undo request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"to": 55}))]
pub struct Undo {
    /// The number of the event whose position is to be restored.
    /// If omitted, the caller's own last decision is undone, including later replies of bots. The only legal action is
    /// not a decision, nor is an answer of a standing order.
    #[serde(default)]
    pub to: Option<u64>,
}

/// The outcome of an undo request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum UndoOutcome {
    /// The game went back.
    Done(Box<ActionOutcome>),
    /// Other players must agree first, by sending the same request.
    Pending(UndoRequest),
}

/// A pending undo request.
/// It ends when all asked seats have agreed, one declines, the requester withdraws it, or another event happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"seq": 60, "to": 55, "by": 0, "agreed": [0], "missing": [2],
    "since": "2026-11-21T17:30:00.123456Z"}))]
pub struct UndoRequest {
    /// The number of the last event.
    pub seq: u64,
    /// The number of the event whose position is to be restored.
    pub to: u64,
    /// The seat that made the request.
    pub by: u8,
    /// The seats that have agreed, including the one that made the request.
    pub agreed: Vec<u8>,
    /// The seats that must still agree.
    pub missing: Vec<u8>,
    /// When the request was made.
    pub since: Timestamp,
}

/// How an undo request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoRequestEnd {
    /// The seat that made it has withdrawn it.
    Withdrawn,
    /// Another seat has declined it.
    Declined,
    /// Another event happened: the undo itself, or a different one.
    Overtaken,
}

/// A change of a game's undo request, in live streams as events named `undo_request` without an id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UndoRequestChange {
    /// The id of the game.
    pub game: Uuid,
    /// The pending request; null if there is none.
    pub undo_request: Option<UndoRequest>,
    /// How the last request ended; null while one is pending.
    pub ended: Option<UndoRequestEnd>,
    /// The seat that ended it; null if an event did.
    pub by: Option<u8>,
}

/// A code that reserves a seat of a game for the account that sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"code": "7KQM-2V9D-XHT4"}))]
pub struct InvitationCode {
    /// 12 digits of Crockford's base 32. Case and dashes do not matter.
    #[schema(min_length = 12, max_length = 40)]
    pub code: String,
}

/// An organizer's decision about the result of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"ranks": [{"seat": 0, "rank": 1}, {"seat": 1, "rank": 2},
    {"seat": 2, "rank": 2}, {"seat": 3, "rank": 4}], "note": "time was up"}))]
pub struct Adjudication {
    /// The rank of every seat.
    pub ranks: Vec<SeatRank>,
    /// `adjudication`, or `agreement` if the players agreed; `adjudication` if omitted.
    #[serde(default)]
    pub reason: Option<EndReason>,
    /// A comment, stored in the log. At most 1000 characters.
    #[serde(default, deserialize_with = "names::read_note_option")]
    #[schema(max_length = 1000)]
    pub note: Option<String>,
}

/// The rank of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatRank {
    /// The number of the seat.
    pub seat: u8,
    /// The rank, from 1. Tied seats share a rank.
    #[schema(minimum = 1)]
    pub rank: u8,
}
