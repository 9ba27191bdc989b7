//! What players are notified of: what waits for an account as things stand, and what has happened in its games.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::scope_check::Holder;
use crate::db::time::timestamp;
use crate::games::model::{Seat, known_id};
use crate::games::occurrences::{Happened, touched};
use crate::games::queries::log::LogFilter;
use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::error::ServiceError;

/// The most games of an account that are looked at for what waits for it.
const GAMES: i64 = 500;

/// How many events are looked through at once.
const PART: usize = 1_000;

/// What a player is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerNewsType {
    /// The turn, or another decision, has come to the player.
    YourTurn,
    /// Another player wishes to take back, and the player has not said yes or no.
    UndoWish,
    /// A seat is kept for the player.
    Invitation,
    /// Three quarters of the time of a turn are over, and what there is of a reserve.
    DeadlineNear,
    /// The last seat was taken.
    GameStarted,
    /// The game is over with a result.
    GameFinished,
    /// The game was given up.
    GameAbandoned,
    /// A bot or another player plays the player's seat from now on, or the seat is open.
    SeatLost,
}

/// Something that a player is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerNews {
    /// What it is.
    pub r#type: PlayerNewsType,
    /// The game.
    pub game: Uuid,
    /// The event of the game with which it came, or behind which it stands.
    pub seq: u64,
    /// The player's seat; of `seat_lost` the one that is lost.
    pub seat: u8,
    /// Since when.
    pub timestamp: Timestamp,
    /// When the player's time is up, of `your_turn` and `deadline_near`; null where none runs.
    pub due_at: Option<Timestamp>,
}

/// What waits for an account in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// What it is told of it.
    pub news: Vec<PlayerNews>,
    /// When its time will be near its end, if nothing happens.
    pub near_at: Option<Timestamp>,
}

/// What happened in the games of an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// In the order of the games' logs.
    pub news: Vec<PlayerNews>,
    /// The position in the log of all games up to which this is all.
    pub reached: u64,
    /// Whether there may be more behind it.
    pub more: bool,
}

/// Where there may be something to tell.
#[derive(Clone, Copy, Debug)]
pub enum Look {
    /// In every game of the account.
    Everywhere,
    /// In this game.
    At(Uuid),
    /// Nowhere.
    Nowhere,
}

/// What has happened in the games of an account, and how those stand that were looked at.
#[derive(Debug)]
pub struct NewsPart {
    /// What has happened.
    pub since: Since,
    /// What waits for the account, by game.
    pub standing: Vec<(Uuid, Standing)>,
}

fn standing(table: &Table, account: Uuid, now: Timestamp) -> Standing {
    let mut standing = Standing::default();
    let own = |seat: &&Seat| seat.account() == Some(account);
    let seats: Vec<&Seat> = table.seats.iter().filter(own).collect();
    let mut tell = |r#type, seat: u8, at: Timestamp, due_at: Option<Timestamp>| {
        standing.news.push(PlayerNews {
            r#type,
            game: table.id(),
            seq: table.seq(),
            seat,
            timestamp: at,
            due_at,
        });
    };
    let since = timestamp(table.stored.updated_at);
    if table.status().is_over() {
        return standing;
    }
    let invited = |seat: &&Seat| seat.invited == Some(account);
    for seat in table.seats.iter().filter(invited) {
        tell(PlayerNewsType::Invitation, seat.number, since, None);
    }
    let due_at = table.stored.due_at.map(timestamp);
    let asked = table.pending().first().map(|question| question.seat);
    let mine = seats.iter().find(|seat| Some(seat.number) == asked);
    if let Some(seat) = mine {
        tell(PlayerNewsType::YourTurn, seat.number, since, due_at);
    }
    let wish = table.undo_wish();
    for seat in &seats {
        if let Some(wish) = wish
            .as_ref()
            .filter(|wish| wish.missing.contains(&seat.number))
        {
            tell(PlayerNewsType::UndoWish, seat.number, wish.since, None);
        }
    }
    if let (Some(seat), Some(due), Some(clock)) = (mine, due_at, table.clock.as_ref()) {
        let quarter = SignedDuration::from_secs(i64::from(clock.pace().turn_seconds) / 4);
        let near = due.checked_sub(quarter).unwrap_or(due);
        match now >= near {
            true => tell(PlayerNewsType::DeadlineNear, seat.number, near, due_at),
            false => standing.near_at = Some(near),
        }
    }
    standing
}

/// What concerns an account in its games.
#[derive(Debug)]
pub struct AccountNews {
    games: Arc<Games>,
}

impl AccountNews {
    /// The news of the games.
    pub fn new(games: Arc<Games>) -> AccountNews {
        AccountNews { games }
    }

    /// Whether a token, by its hash, is still good and of an account.
    pub fn is_of(&self, account: Uuid, token: &str) -> bool {
        let holder = self.games.accounts.holder(token);
        let access = holder.ok().and_then(Holder::access);
        access.is_some_and(|access| access.account == account)
    }

    /// The end of the log of all games, behind which news follow.
    pub fn last_position(&self) -> Result<u64, ServiceError> {
        Ok(self.games.records.last_position()?.unsigned_abs())
    }

    /// What has happened in the games of an account behind a position in the log of all games, and how the games stand
    /// in which there may be something to tell.
    pub fn read(&self, account: Uuid, after: u64, look: Look) -> Result<NewsPart, ServiceError> {
        let since = self.since(account, after)?;
        let looked_at = match look {
            Look::Everywhere => self.games_under_way(account)?,
            Look::At(game) => vec![game],
            Look::Nowhere => Vec::new(),
        };
        let standing = looked_at
            .into_iter()
            .map(|game| Ok((game, self.standing(game, account)?)));
        let standing: Result<_, ServiceError> = standing.collect();
        Ok(NewsPart {
            since,
            standing: standing?,
        })
    }

    /// The games that are not over at whose table an account sits or where a seat is kept for it, the newest
    /// first, some hundred at the most.
    fn games_under_way(&self, account: Uuid) -> Result<Vec<Uuid>, ServiceError> {
        let found = self.games.store.games_under_way(account, GAMES)?;
        // What has no id nobody plays.
        Ok(found.iter().filter_map(|id| known_id(id).ok()).collect())
    }

    /// What waits for an account in a game; nothing where the game cannot be read: whoever asks for it is told so.
    fn standing(&self, id: Uuid, account: Uuid) -> Result<Standing, ServiceError> {
        match self.games.table(id) {
            Ok(table) => Ok(standing(&table, account, timestamp(self.games.store.now()))),
            Err(ServiceError::Store(error)) => Err(error.into()),
            Err(_) => Ok(Standing::default()),
        }
    }

    /// What has happened in the games of an account behind a position in the log of all games. A turn that was
    /// over by then is left out.
    fn since(&self, account: Uuid, after: u64) -> Result<Since, ServiceError> {
        let account = account.to_string();
        let filter = LogFilter {
            player: Some(account.clone()),
            or_former: true,
            ..LogFilter::default()
        };
        let part = self.games.store.log_part(&filter, after, PART)?;
        let mut news = Vec::new();
        for (game, (first, last, _)) in touched(&part) {
            let Ok(id) = known_id(&game) else { continue };
            let occurrences = match self.games.logs.occurrences(id, first, last) {
                Err(ServiceError::Store(error)) => return Err(error.into()),
                // Damaged, which whoever asks for it is told.
                Err(_) => continue,
                Ok(occurrences) => occurrences,
            };
            for occurrence in occurrences {
                // Where the account has no seat, the game is none of its own, before or after.
                let mut seat = occurrence.seat_of(&account);
                let mut due_at = None;
                let r#type = match &occurrence.happened {
                    Happened::Started => PlayerNewsType::GameStarted,
                    Happened::Finished => PlayerNewsType::GameFinished,
                    Happened::Abandoned => PlayerNewsType::GameAbandoned,
                    Happened::Turn { player, due_at: at } if *player == account => {
                        due_at = *at;
                        PlayerNewsType::YourTurn
                    }
                    Happened::SeatLost { player, seat: lost } if *player == account => {
                        seat = Some(*lost);
                        PlayerNewsType::SeatLost
                    }
                    Happened::Turn { .. } | Happened::SeatLost { .. } => continue,
                };
                let Some(seat) = seat else { continue };
                news.push(PlayerNews {
                    r#type,
                    game: id,
                    seq: occurrence.seq,
                    seat,
                    timestamp: occurrence.at.parse().unwrap_or_default(),
                    due_at,
                });
            }
        }
        Ok(Since {
            news,
            reached: part.reached,
            more: part.more,
        })
    }
}
