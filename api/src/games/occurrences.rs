//! What happened in a part of a game's log, for notifications and webhooks.

use std::collections::BTreeMap;

use engine::setup::Player;
use jiff::Timestamp;
use records::SeatClocks;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::games::history::GameLogs;
use crate::games::log::Reading;
use crate::games::queries::log::LogPart;
use crate::http::error::ServiceError;

/// The kind of an occurrence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OccurrenceKind {
    /// The game has started.
    Started,
    /// An account must act.
    Turn {
        /// The account.
        player: String,
        /// When its time runs out, if the game has time limits.
        due_at: Option<Timestamp>,
    },
    /// An account has lost a seat: a bot or another player has it, or it is open.
    SeatLost {
        /// The account.
        player: String,
        /// The seat.
        seat: u8,
    },
    /// The game is over with a result.
    Finished,
    /// The game was abandoned.
    Abandoned,
}

/// Something that happened with an event of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The number of the event.
    pub seq: u64,
    /// The time of the event: RFC 3339, UTC.
    pub at: String,
    /// The kind.
    pub kind: OccurrenceKind,
    /// The players after the event, by seat.
    pub players: Vec<Player>,
}

impl Occurrence {
    /// Returns the seat that an account plays after the event.
    pub fn seat_of(&self, account: &str) -> Option<u8> {
        let is_own = |player: &Player| player.actor() == Some(account);
        let seat = self.players.iter().position(is_own)?;
        u8::try_from(seat).ok()
    }
}

/// The status of a game after a part of its log.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LogStatus {
    Open,
    /// Running, with the account that must decide, if one must.
    Running {
        account: Option<String>,
    },
    Over,
}

fn status(reading: &Reading, is_bidding: bool) -> LogStatus {
    let fold = reading.fold();
    if fold.ended_by().is_some() || fold.result().is_some() {
        return LogStatus::Over;
    }
    if is_bidding || fold.is_empty() || fold.players().contains(&Player::Open) {
        return LogStatus::Open;
    }
    let question = reading.game().question(reading.state());
    let seat = question.map(|question| reading.game().seat_of(question.nation()));
    let player = seat.and_then(|seat| fold.players().get(usize::from(seat)));
    LogStatus::Running {
        account: match player {
            Some(Player::Person { id, .. }) => Some(id.clone()),
            _ => None,
        },
    }
}

/// Returns the games in a part of the log of all games, each with its first and last event in the part.
/// The third number is the position of the last event.
pub fn affected_games(part: &LogPart) -> BTreeMap<String, (u64, u64, u64)> {
    let mut affected: BTreeMap<String, (u64, u64, u64)> = BTreeMap::new();
    for logged in &part.rows {
        let Ok(row) = &logged.row else {
            continue;
        };
        let seq = row.row.seq;
        let range = affected.entry(logged.game.clone());
        let range = range.or_insert((seq, seq, logged.position));
        *range = (range.0.min(seq), range.1.max(seq), logged.position);
    }
    affected
}

impl GameLogs {
    /// Returns what happened with the events `from` to `to` of a game.
    /// A turn that ended within them is omitted.
    pub fn occurrences(
        &self,
        id: Uuid,
        from: u64,
        to: u64,
    ) -> Result<Vec<Occurrence>, ServiceError> {
        let mut reading = self.reading(id, from)?;
        let rows = self.store.events_between(reading.number(), from, to)?;
        let mut occurrences = Vec::new();
        let mut turn: Option<Occurrence> = None;
        let bidding = self.store.bidding(id)?;
        let is_bidding = |seq: u64| (bidding.as_ref()).is_some_and(|bids| !bids.has_seated(seq));
        let mut before = status(&reading, is_bidding(from.saturating_sub(1)));
        let mut players = reading.fold().players().to_vec();
        for row in rows {
            let (seq, at) = (row.row.seq, row.row.at.clone());
            reading.follow(row)?;
            let after = status(&reading, is_bidding(seq));
            let mut replaced = match reading.fold().players() {
                same if same == players => Vec::new(),
                others => std::mem::replace(&mut players, others.to_vec()),
            };
            // After a bidding, players exchange their seats and lose none.
            if (bidding.as_ref()).is_some_and(|bids| bids.seats_with(seq)) {
                replaced.clear();
            }
            let occurrence = |kind| Occurrence {
                seq,
                at: at.clone(),
                kind,
                players: players.clone(),
            };
            for (seat, (old, new)) in (0..).zip(replaced.iter().zip(&players)) {
                if let Player::Person { id, .. } = old
                    && new.actor() != Some(id)
                {
                    let player = id.clone();
                    occurrences.push(occurrence(OccurrenceKind::SeatLost { player, seat }));
                }
            }
            if before == LogStatus::Open && matches!(after, LogStatus::Running { .. }) {
                occurrences.push(occurrence(OccurrenceKind::Started));
            }
            if before != LogStatus::Over && after == LogStatus::Over {
                occurrences.push(occurrence(match reading.fold().is_abandoned() {
                    true => OccurrenceKind::Abandoned,
                    false => OccurrenceKind::Finished,
                }));
            }
            if before != after {
                turn = match &after {
                    LogStatus::Running {
                        account: Some(account),
                    } => {
                        let due = reading.fold().clock().and_then(SeatClocks::due);
                        Some(occurrence(OccurrenceKind::Turn {
                            player: account.clone(),
                            due_at: due.map(|(_, until)| until),
                        }))
                    }
                    _ => None,
                };
            }
            before = after;
        }
        // The clocks of the record know no pauses.
        if let Some(Occurrence {
            kind: OccurrenceKind::Turn { due_at, .. },
            ..
        }) = &mut turn
            && due_at.is_some()
            && let Some((stored, _)) = self.store.game(id)?
            && !stored.pauses.is_empty()
        {
            *due_at = stored.due_at.map(timestamp);
        }
        occurrences.extend(turn);
        Ok(occurrences)
    }
}
