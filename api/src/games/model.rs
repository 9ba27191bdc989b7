//! Games and their seats as the rest of the program knows them.

use engine::forms::{QuestionForm, ResultBody};
use engine::setup::{Player, PlayerKind};
use records::{EventRow, Signature, Source};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::db::StoreError;
use crate::db::answers::KeptAnswer;
use crate::db::connection::AnyConnection;
use crate::db::writer::Writing;
use crate::http::error::ServiceError;

/// Where a game stands as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Seats are free; it starts when the last is claimed.
    Open,
    /// It is being played.
    Running,
    /// It is over and has a result.
    Finished,
    /// It was given up without a result.
    Abandoned,
}

impl Status {
    /// The name on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Running => "running",
            Status::Finished => "finished",
            Status::Abandoned => "abandoned",
        }
    }

    /// The status with this name.
    pub fn by_name(name: &str) -> Option<Status> {
        let all = [
            Status::Open,
            Status::Running,
            Status::Finished,
            Status::Abandoned,
        ];
        all.into_iter().find(|status| status.name() == name)
    }

    /// Whether the game is over.
    pub fn is_over(self) -> bool {
        matches!(self, Status::Finished | Status::Abandoned)
    }
}

/// Who may see a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody; it is in lists, in the events of all games and in statistics.
    #[default]
    Public,
    /// Whoever knows its id; it is in statistics once it is over, and neither in lists nor in the events of all
    /// games.
    Unlisted,
    /// Who plays or organizes it or is invited; to others it is not there, and it counts nowhere.
    Private,
}

impl Visibility {
    /// The name on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Unlisted => "unlisted",
            Visibility::Private => "private",
        }
    }

    /// All of them.
    pub const ALL: &[Visibility] = &[
        Visibility::Public,
        Visibility::Unlisted,
        Visibility::Private,
    ];

    /// What counts in statistics.
    pub const COUNTED: &[Visibility] = &[Visibility::Public, Visibility::Unlisted];

    /// The visibility with this name.
    pub fn by_name(name: &str) -> Option<Visibility> {
        let mut all = Visibility::ALL.iter().copied();
        all.find(|visibility| visibility.name() == name)
    }
}

/// Who may claim the open seats of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Claims {
    /// Anybody who sees the game.
    #[default]
    Open,
    /// Accounts for which a seat is kept.
    Invited,
}

impl Claims {
    /// The name on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Claims::Open => "open",
            Claims::Invited => "invited",
        }
    }

    /// Those with this name.
    pub fn by_name(name: &str) -> Option<Claims> {
        let all = [Claims::Open, Claims::Invited];
        all.into_iter().find(|claims| claims.name() == name)
    }
}

/// A game as it is kept, without its seats and events.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// UUIDv7, so that ids sort by creation.
    pub id: Uuid,
    /// The edition.
    pub edition: String,
    /// The board.
    pub board: String,
    /// Where it stands as a whole.
    pub status: Status,
    /// The setup as JSON, with `seed_commitment` in place of the seed; of a game that was taken in,
    /// with the decks of event cards that its record spells out.
    pub setup: String,
    /// The seed; secret while the game goes on unless `seed_known`.
    pub seed: String,
    /// Whether the creator gave the seed.
    pub seed_known: bool,
    /// The last event.
    pub seq: u64,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// When its last event was recorded, in microseconds since 1970.
    pub updated_at: i64,
    /// The result when the game has one.
    pub result: Option<ResultBody>,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The league.
    pub league: Option<String>,
    /// Where it comes from.
    pub source: Source,
    /// SHA-256 of the organizer's token.
    pub organizer: Option<String>,
    /// The account that organizes it.
    pub organizer_account: Option<Uuid>,
    /// Whether the next decision is a bot's or a standing order's: work that the node which stores the
    /// game has a lease of.
    pub automatic: bool,
    /// When the time of the seat that is waited for is up, in microseconds since 1970: work that is due then.
    pub due_at: Option<i64>,
    /// By what events name the game: the position of its first one, given when that is appended.
    pub number: i64,
    /// The chained hash of the last event, 64 hexadecimal digits.
    pub hash: String,
    /// The office's signature of the finished game's record; `None` until it is signed.
    pub signature: Option<Signature>,
    /// Raised by every write to the game or its seats, also those that append no event; no two writes
    /// of whatever games give the same one. 0 until the game is stored.
    pub version: i64,
    /// Who may see it.
    pub visibility: Visibility,
    /// Who may claim its open seats.
    pub claims: Claims,
    /// The questions that must be answered next, each with its seat.
    pub pending: Vec<QuestionForm>,
    /// The account that must answer.
    pub waiting_for: Option<String>,
    /// The game that the same players went on with.
    pub rematch: Option<Uuid>,
}

/// A seat at a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    /// Its number, from 0.
    pub number: u8,
    /// Who plays it.
    pub player: Player,
    /// SHA-256 of the token that plays it.
    pub token: Option<String>,
    /// Standing orders, a JSON list.
    pub orders: String,
    /// What the player said last of an undo.
    pub consent: Option<Consent>,
    /// The account for which the seat is kept.
    pub invited: Option<Uuid>,
    /// The account that lost the seat last.
    pub former: Option<Uuid>,
    /// The handle of the account that plays it: as it is now, for showing. Logs and records do not contain it.
    pub handle: Option<String>,
}

impl Seat {
    /// Who plays it, as it is shown: an account by its handle of now.
    pub fn shown(&self) -> Player {
        match (&self.player, &self.handle) {
            (Player::Person { id, .. }, Some(handle)) => Player::Person {
                id: id.clone(),
                name: Some(handle.clone()),
            },
            (player, _) => player.clone(),
        }
    }

    /// The account that plays it, if one may.
    pub fn account(&self) -> Option<Uuid> {
        match &self.player {
            Player::Person { id, .. } if self.player.kind() == PlayerKind::Account => {
                id.parse().ok()
            }
            _ => None,
        }
    }

    /// A seat of a player who has ordered nothing and agreed to nothing.
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

/// A game with its seats in order.
pub type SeatedGame = (StoredGame, Vec<Seat>);

/// What a player says of an undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consent {
    /// The last event when it was said: with the next one it is void.
    pub seq: u64,
    /// The event to go back to.
    pub to: u64,
    /// What was said.
    pub said: Said,
}

/// What can be said of an undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// The player wishes it or agrees to it.
    Agreed {
        /// When, in microseconds since 1970.
        at: i64,
    },
    /// The player does not agree, and the wish is off.
    Declined,
    /// The player wished it and does so no more.
    Withdrawn,
}

impl Consent {
    /// As it is stored: `SEQ:TO:AT`, `SEQ:TO:declined` or `SEQ:TO:withdrawn`.
    pub fn text(&self) -> String {
        let Consent { seq, to, said } = self;
        match said {
            Said::Agreed { at } => format!("{seq}:{to}:{at}"),
            Said::Declined => format!("{seq}:{to}:declined"),
            Said::Withdrawn => format!("{seq}:{to}:withdrawn"),
        }
    }

    /// Reads what is stored; what cannot be read is nothing said.
    pub fn read(text: &str) -> Option<Consent> {
        let (seq, rest) = text.split_once(':')?;
        let (to, said) = rest.split_once(':')?;
        Some(Consent {
            seq: seq.parse().ok()?,
            to: to.parse().ok()?,
            said: match said {
                "declined" => Said::Declined,
                "withdrawn" => Said::Withdrawn,
                at => Said::Agreed {
                    at: at.parse().ok()?,
                },
            },
        })
    }
}

/// An event as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct LogRow {
    /// Position in the log of all games, from 1.
    pub position: u64,
    /// What happened. Its hash is the first 16 hexadecimal digits of the whole one.
    pub row: EventRow,
}

/// An event that the end of a game adds to the log of its league.
#[derive(Clone, Debug)]
pub struct LeagueEnd {
    /// The event.
    pub text: String,
    /// Adds it, in the transaction that ends the game, if the league waits for this.
    pub add: fn(&mut AnyConnection, &Writing, Uuid, String) -> Result<(), StoreError>,
}

/// A step of a game: what is written at once.
#[derive(Clone, Debug)]
pub struct Append {
    /// The game as it is after the step. Its `version` is the one that the step was made on; 0 creates
    /// the game.
    pub game: StoredGame,
    /// Seats that changed; all of them for a new game.
    pub seats: Vec<Seat>,
    /// The events, in order; their positions are given by the store.
    pub events: Vec<EventRow>,
    /// Whether the game was `automatic` before.
    pub was_automatic: bool,
    /// Its `due_at` before.
    pub was_due_at: Option<i64>,
    /// SHA-256 of whom the bots' work is charged to, where one has sat down.
    pub charged_to: Option<String>,
    /// The event that the game's end adds to the log of its league.
    pub league_end: Option<LeagueEnd>,
    /// The answer to keep for a repeated request.
    pub answer: Option<KeptAnswer>,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The position of the first event in the log of all games.
    pub position: i64,
    /// The version that the game has got.
    pub version: i64,
}

/// A stored game's id.
///
/// # Errors
/// [`ServiceError::Damaged`] when it is no UUID.
pub fn known_id(stored: &str) -> Result<Uuid, ServiceError> {
    stored.parse().map_err(|_| ServiceError::Damaged {
        id: stored.to_owned(),
        message: "its id is no UUID".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_an_undo_is_read_as_it_was_written() {
        for said in [Said::Agreed { at: 7 }, Said::Declined, Said::Withdrawn] {
            let consent = Consent {
                seq: 60,
                to: 55,
                said,
            };
            assert_eq!(Consent::read(&consent.text()), Some(consent));
        }
        for text in ["", "60", "60:x", "60:55", "60:55:", "60:55:perhaps"] {
            assert_eq!(Consent::read(text), None, "{text}");
        }
    }
}
