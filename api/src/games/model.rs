//! The stored form of games, seats and events.

use engine::forms::{QuestionForm, ResultBody};
use engine::setup::{Player, PlayerKind};
use records::{EventRow, Signature, Source};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::db::StoreError;
use crate::db::answers::KeptRequest;
use crate::db::connection::AnyConnection;
use crate::db::writer::Writing;
use crate::games::bidding::Bidding;
use crate::games::clocks::ClockPause;
use crate::http::error::ServiceError;

/// The status of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Some seats are open. The game starts when the last one is claimed.
    Open,
    /// The game has started and is not over.
    Running,
    /// The game is over and has a result.
    Finished,
    /// The game was given up without a result.
    Abandoned,
}

impl Status {
    /// The name in JSON and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Running => "running",
            Status::Finished => "finished",
            Status::Abandoned => "abandoned",
        }
    }

    /// Returns the status with a name.
    pub fn by_name(name: &str) -> Option<Status> {
        let all = [
            Status::Open,
            Status::Running,
            Status::Finished,
            Status::Abandoned,
        ];
        all.into_iter().find(|status| status.name() == name)
    }

    /// Returns true if the game is over.
    pub fn is_over(self) -> bool {
        matches!(self, Status::Finished | Status::Abandoned)
    }
}

/// Who may see a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everyone. The game is in lists, in the events of all games and in statistics.
    #[default]
    Public,
    /// Everyone who knows the id.
    /// The game counts in statistics when it is over, but is not in lists or in the events of all games.
    Unlisted,
    /// Only its players, its organizer and invited accounts.
    /// For others the game is 404, and it counts in no statistics.
    Private,
}

impl Visibility {
    /// The name in JSON and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Unlisted => "unlisted",
            Visibility::Private => "private",
        }
    }

    /// All visibilities.
    pub const ALL: &[Visibility] = &[
        Visibility::Public,
        Visibility::Unlisted,
        Visibility::Private,
    ];

    /// The visibilities of games that statistics count.
    pub const COUNTED: &[Visibility] = &[Visibility::Public, Visibility::Unlisted];

    /// Returns the visibility with a name.
    pub fn by_name(name: &str) -> Option<Visibility> {
        let mut all = Visibility::ALL.iter().copied();
        all.find(|visibility| visibility.name() == name)
    }
}

/// Who may claim the open seats of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Claims {
    /// Everyone who may see the game.
    #[default]
    Open,
    /// Only accounts for which a seat is reserved.
    Invited,
}

impl Claims {
    /// The name in JSON and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Claims::Open => "open",
            Claims::Invited => "invited",
        }
    }

    /// Returns the value with a name.
    pub fn by_name(name: &str) -> Option<Claims> {
        let all = [Claims::Open, Claims::Invited];
        all.into_iter().find(|claims| claims.name() == name)
    }
}

/// A game as stored, without its seats and events.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// UUIDv7, so that ids sort by creation.
    pub id: Uuid,
    /// The id of the edition.
    pub edition: String,
    /// The id of the board.
    pub board: String,
    /// The status.
    pub status: Status,
    /// The setup as JSON, with `seed_commitment` in place of the seed.
    /// For an imported game it includes the decks of event cards that the record contains.
    pub setup: String,
    /// The seed. It is secret until the game is over, unless `seed_known` is true.
    pub seed: String,
    /// True if the creator gave the seed.
    pub seed_known: bool,
    /// The number of the last event.
    pub seq: u64,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// When the last event was recorded, in microseconds since 1970.
    pub updated_at: i64,
    /// The result of a finished game.
    pub result: Option<ResultBody>,
    /// Whether the game counts for ratings.
    pub rated: bool,
    /// The league of the game.
    pub league: Option<String>,
    /// Whether the game was played here or imported.
    pub source: Source,
    /// SHA-256 of the organizer's token.
    pub organizer: Option<String>,
    /// The account that organizes the game.
    pub organizer_account: Option<Uuid>,
    /// True if a bot or a standing order decides next.
    /// The node that stores the game has the lease of this work.
    pub automatic: bool,
    /// The deadline of the seat that must act, in microseconds since 1970. It is also scheduled as work.
    pub due_at: Option<i64>,
    /// When the clocks stand still.
    pub pauses: Vec<ClockPause>,
    /// The number of the game in `events`: the position of its first event, set when that is stored.
    pub number: i64,
    /// The chained hash of the last event, 64 hexadecimal digits.
    pub hash: String,
    /// The server's signature of the finished game's record; `None` until it is signed.
    pub signature: Option<Signature>,
    /// Raised by every write to the game or its seats, even without an event. 0 until the game is stored.
    /// No two writes, of any games, have the same version.
    pub version: i64,
    /// Who may see the game.
    pub visibility: Visibility,
    /// Who may claim its open seats.
    pub claims: Claims,
    /// The decisions that are needed next, each with its seat.
    pub pending: Vec<QuestionForm>,
    /// The account that must act.
    pub waiting_for: Option<String>,
    /// The rematch.
    pub rematch: Option<Uuid>,
    /// Whether an administrator has hidden the names and notes that people wrote.
    pub texts_hidden: bool,
    /// Whether the organizer has turned the chat off. Like the next field it is read with the whole game only.
    pub chat_off: bool,
    /// The number of the last message of the chat; 0 without one.
    pub last_message: u64,
    /// How its seats are bid for; read with the whole game only.
    pub bidding: Option<Bidding>,
}

impl StoredGame {
    /// Returns the league for display: its id, or a name unless an administrator has hidden the texts.
    pub fn shown_league(&self) -> Option<String> {
        let is_text = |league: &String| Uuid::try_parse(league).is_err();
        let league = self.league.as_ref();
        league
            .filter(|one| !(self.texts_hidden && is_text(one)))
            .cloned()
    }

    /// Returns the bidding for seats, until the players have theirs or the game is abandoned.
    pub fn pending_bidding(&self) -> Option<&Bidding> {
        let is_open = self.status == Status::Open;
        let bidding = self.bidding.as_ref();
        bidding.filter(|bidding| is_open && bidding.is_pending())
    }
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    /// The number of the seat, from 0.
    pub number: u8,
    /// The player.
    pub player: Player,
    /// SHA-256 of the token of the seat.
    pub token: Option<String>,
    /// The standing orders, as a JSON list.
    pub orders: String,
    /// The player's last response to an undo request.
    pub consent: Option<Consent>,
    /// The account for which the seat is reserved.
    pub invited: Option<Uuid>,
    /// The account that lost the seat last.
    pub former: Option<Uuid>,
    /// The present handle of the account that plays the seat, for display.
    /// Logs and records do not contain it.
    pub handle: Option<String>,
}

impl Seat {
    /// Returns the player for display: an account with its present handle.
    /// If `texts_hidden` is true, other persons have no name.
    pub fn display_player(&self, texts_hidden: bool) -> Player {
        match (&self.player, &self.handle) {
            (Player::Person { id, .. }, Some(handle)) => Player::Person {
                id: id.clone(),
                name: Some(handle.clone()),
            },
            (Player::Person { id, .. }, None) if texts_hidden => Player::Person {
                id: id.clone(),
                name: None,
            },
            (player, _) => player.clone(),
        }
    }

    /// Returns the account that plays the seat, if one does.
    pub fn account(&self) -> Option<Uuid> {
        match &self.player {
            Player::Person { id, .. } if self.player.kind() == PlayerKind::Account => {
                id.parse().ok()
            }
            _ => None,
        }
    }

    /// Creates a seat without standing orders and without a response to an undo request.
    pub fn new(number: u8, player: Player, token: Option<String>) -> Seat {
        Seat {
            number,
            player,
            token,
            orders: "[]".to_owned(),
            consent: None,
            invited: None,
            former: None,
            handle: None,
        }
    }
}

/// The versions of ruleset and board that a game uses, by SHA-256; the newest for `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentHashes {
    /// The ruleset.
    pub ruleset: Option<String>,
    /// The board.
    pub board: Option<String>,
}

/// A game with its seats in order.
pub type SeatedGame = (StoredGame, Vec<Seat>);

/// A player's response to an undo request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consent {
    /// The number of the last event at the time of the response. The next event makes it void.
    pub seq: u64,
    /// The event whose position is to be restored.
    pub to: u64,
    /// The response.
    pub answer: UndoAnswer,
}

/// How a player responds to an undo request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoAnswer {
    /// The player made the request or agrees to it.
    Agreed {
        /// When, in microseconds since 1970.
        at: i64,
    },
    /// The player declined it, which ended the request.
    Declined,
    /// The player made the request and withdrew it.
    Withdrawn,
}

impl Consent {
    /// Returns the stored form: `SEQ:TO:AT`, `SEQ:TO:declined` or `SEQ:TO:withdrawn`.
    pub fn text(&self) -> String {
        let Consent { seq, to, answer } = self;
        match answer {
            UndoAnswer::Agreed { at } => format!("{seq}:{to}:{at}"),
            UndoAnswer::Declined => format!("{seq}:{to}:declined"),
            UndoAnswer::Withdrawn => format!("{seq}:{to}:withdrawn"),
        }
    }

    /// Reads the stored form. Returns `None` for a malformed text.
    pub fn read(text: &str) -> Option<Consent> {
        let (seq, rest) = text.split_once(':')?;
        let (to, answer) = rest.split_once(':')?;
        Some(Consent {
            seq: seq.parse().ok()?,
            to: to.parse().ok()?,
            answer: match answer {
                "declined" => UndoAnswer::Declined,
                "withdrawn" => UndoAnswer::Withdrawn,
                at => UndoAnswer::Agreed {
                    at: at.parse().ok()?,
                },
            },
        })
    }
}

/// An event as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct LogRow {
    /// Position in the log of all games, from 1.
    pub position: u64,
    /// The event. Its hash is only the first 16 hexadecimal digits.
    pub row: EventRow,
}

/// An event that a change of a game adds to the log of its league.
#[derive(Clone, Debug)]
pub struct AddedLeagueEvent {
    /// The event as text.
    pub text: String,
    /// Adds the event in the transaction of the change, if the league waits for the end of the game.
    pub add: fn(&mut AnyConnection, &Writing, Uuid, String) -> Result<(), StoreError>,
}

/// The changes of a game that are written in one transaction.
#[derive(Clone, Debug)]
pub struct Append {
    /// The game after the changes.
    /// Its `version` is the one that the changes are based on; 0 creates the game.
    pub game: StoredGame,
    /// The seats that changed, or all seats of a new game.
    pub seats: Vec<Seat>,
    /// The events, in order. The store sets their positions.
    pub events: Vec<EventRow>,
    /// Whether the bidding for seats has changed.
    pub bidding_changed: bool,
    /// The value of `automatic` before the changes.
    pub was_automatic: bool,
    /// The value of `due_at` before the changes.
    pub was_due_at: Option<i64>,
    /// SHA-256 of the account or address to which the bots' work is charged, if a bot has taken a seat.
    pub charged_to: Option<String>,
    /// The event that the changes add to the log of its league.
    pub league_event: Option<AddedLeagueEvent>,
    /// The response to store for repeated requests.
    pub answer: Option<KeptRequest>,
}

/// The result of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AppendedEvents {
    /// The position of the first event in the log of all games.
    pub position: i64,
    /// The new version of the game.
    pub version: i64,
}

/// Parses the id of a stored game.
///
/// # Errors
/// [`ServiceError::Damaged`] if it is not a UUID.
pub fn known_id(stored: &str) -> Result<Uuid, ServiceError> {
    stored.parse().map_err(|_| ServiceError::Damaged {
        id: stored.to_owned(),
        message: "the stored id is not a UUID".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_consent_is_read_as_it_was_written() {
        for answer in [
            UndoAnswer::Agreed { at: 7 },
            UndoAnswer::Declined,
            UndoAnswer::Withdrawn,
        ] {
            let consent = Consent {
                seq: 60,
                to: 55,
                answer,
            };
            assert_eq!(Consent::read(&consent.text()), Some(consent));
        }
        for text in ["", "60", "60:x", "60:55", "60:55:", "60:55:perhaps"] {
            assert_eq!(Consent::read(text), None, "{text}");
        }
    }
}
