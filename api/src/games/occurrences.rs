//! What happened in a part of a game's log, for players and webhooks that do not look at the game.

use std::collections::BTreeMap;

use engine::setup::Player;
use jiff::Timestamp;
use records::SeatClocks;
use uuid::Uuid;

use crate::games::history::GameLogs;
use crate::games::log::Reading;
use crate::games::queries::log::LogPart;
use crate::http::error::ServiceError;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// The last seat was taken.
    Started,
    /// The turn, or another decision, has come to an account.
    Turn {
        /// The account.
        player: String,
        /// When its time is up, where one runs.
        due_at: Option<Timestamp>,
    },
    /// An account has lost a seat: a bot or another player plays it, or it is open.
    SeatLost {
        /// The account.
        player: String,
        /// The seat.
        seat: u8,
    },
    /// The game is over with a result.
    Finished,
    /// The game was given up.
    Abandoned,
}

/// Something that happened with an event of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The event.
    pub seq: u64,
    /// When: RFC 3339, UTC.
    pub at: String,
    /// What.
    pub happened: Happened,
    /// The players by seat, after the event.
    pub players: Vec<Player>,
}

impl Occurrence {
    /// The seat that an account plays after the event.
    pub fn seat_of(&self, account: &str) -> Option<u8> {
        let is_own = |player: &Player| player.actor() == Some(account);
        let seat = self.players.iter().position(is_own)?;
        u8::try_from(seat).ok()
    }
}

/// Where a log stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LogStanding {
    Open,
    Running { asked: Option<String> },
    Over,
}

fn standing(reading: &Reading) -> LogStanding {
    let fold = reading.fold();
    if fold.ended_by().is_some() || fold.result().is_some() {
        return LogStanding::Over;
    }
    if fold.is_empty() || fold.players().contains(&Player::Open) {
        return LogStanding::Open;
    }
    let question = reading.game().question(reading.state());
    let seat = question.map(|question| reading.game().seat_of(question.asked()));
    let asked = seat.and_then(|seat| fold.players().get(usize::from(seat)));
    LogStanding::Running {
        asked: match asked {
            Some(Player::Person { id, .. }) => Some(id.clone()),
            _ => None,
        },
    }
}

/// The games in a part of the log of all games: of each the first and the last event in it, and the
/// position of the last.
pub fn touched(part: &LogPart) -> BTreeMap<String, (u64, u64, u64)> {
    let mut touched: BTreeMap<String, (u64, u64, u64)> = BTreeMap::new();
    for logged in &part.rows {
        let Ok(row) = &logged.row else {
            continue;
        };
        let seq = row.row.seq;
        let known = touched.entry(logged.game.clone());
        let known = known.or_insert((seq, seq, logged.position));
        *known = (known.0.min(seq), known.1.max(seq), logged.position);
    }
    touched
}

impl GameLogs {
    /// What happened with the events `from` to `to` of a game. A turn that was over by then is left out.
    pub fn occurrences(
        &self,
        id: Uuid,
        from: u64,
        to: u64,
    ) -> Result<Vec<Occurrence>, ServiceError> {
        let mut reading = self.reading(id, from)?;
        let rows = self.store.events_between(reading.number(), from, to)?;
        let mut told = Vec::new();
        let mut turn: Option<Occurrence> = None;
        let mut before = standing(&reading);
        let mut players = reading.fold().players().to_vec();
        for row in rows {
            let (seq, at) = (row.row.seq, row.row.at.clone());
            reading.follow(row)?;
            let after = standing(&reading);
            let seated = match reading.fold().players() {
                same if same == players => Vec::new(),
                others => std::mem::replace(&mut players, others.to_vec()),
            };
            let occurrence = |happened| Occurrence {
                seq,
                at: at.clone(),
                happened,
                players: players.clone(),
            };
            for (seat, (old, new)) in (0..).zip(seated.iter().zip(&players)) {
                if let Player::Person { id, .. } = old
                    && new.actor() != Some(id)
                {
                    let player = id.clone();
                    told.push(occurrence(Happened::SeatLost { player, seat }));
                }
            }
            if before == LogStanding::Open && matches!(after, LogStanding::Running { .. }) {
                told.push(occurrence(Happened::Started));
            }
            if before != LogStanding::Over && after == LogStanding::Over {
                told.push(occurrence(match reading.fold().is_abandoned() {
                    true => Happened::Abandoned,
                    false => Happened::Finished,
                }));
            }
            if before != after {
                turn = match &after {
                    LogStanding::Running { asked: Some(asked) } => {
                        let due = reading.fold().clock().and_then(SeatClocks::due);
                        Some(occurrence(Happened::Turn {
                            player: asked.clone(),
                            due_at: due.map(|(_, until)| until),
                        }))
                    }
                    _ => None,
                };
            }
            before = after;
        }
        told.extend(turn);
        Ok(told)
    }
}
