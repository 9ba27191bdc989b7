//! Notifications of players: what is pending for an account, and what happened in its games.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::scope_check::Holder;
use crate::db::time::timestamp;
use crate::games::model::{Seat, known_id};
use crate::games::occurrences::{OccurrenceKind, affected_games};
use crate::games::queries::log::LogFilter;
use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::error::ServiceError;

/// The most games of an account that are searched for pending notifications.
const GAMES: i64 = 500;

/// How many events are read at a time.
const PART: usize = 1_000;

/// The type of a notification, in streams, webhooks and the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotificationType {
    /// The player must act: their turn or another decision has come.
    YourTurn,
    /// The player must bid for a seat. Only in streams.
    YourBid,
    /// Another player has made an undo request, and the player has not responded. Only in streams.
    UndoRequest,
    /// A seat is reserved for the player. Only in streams.
    Invitation,
    /// The time that the player has left, including any reserve, is less than a quarter of a turn's time.
    /// In streams; in webhooks of a league: a day is left until the deadline of tables.
    DeadlineNear,
    /// The player has lost the seat: a bot or another player has it, or it is open.
    SeatLost,
    /// All seats are taken, and the game has started.
    GameStarted,
    /// The game is over and has a result.
    GameFinished,
    /// The game was abandoned without a result.
    GameAbandoned,
    /// A test of a webhook. Only in its deliveries.
    WebhookTest,
    /// A season of a league began. Only in webhooks of a league.
    SeasonBegan,
    /// Tables of a league were created, such as those of a new round. Only in webhooks of a league.
    TablesCreated,
    /// A result was entered in a league. Only in webhooks of a league.
    ResultEntered,
    /// The organizers of a league decided the result of a table. Only in webhooks of a league.
    TableAdjudicated,
    /// The organizers of a league decided that a table does not count. Only in webhooks of a league.
    TableVoided,
    /// Another member took over a seat of a league's table. Only in webhooks of a league.
    PlayerReplaced,
    /// The organizers of a league moved the deadline of tables. Only in webhooks of a league.
    DeadlineMoved,
    /// A member joined a league. Only in webhooks of a league.
    Joined,
    /// A member left a league or was removed. Only in webhooks of a league.
    Left,
}

impl NotificationType {
    /// All types.
    pub const ALL: [NotificationType; 19] = [
        NotificationType::YourTurn,
        NotificationType::YourBid,
        NotificationType::UndoRequest,
        NotificationType::Invitation,
        NotificationType::DeadlineNear,
        NotificationType::SeatLost,
        NotificationType::GameStarted,
        NotificationType::GameFinished,
        NotificationType::GameAbandoned,
        NotificationType::WebhookTest,
        NotificationType::SeasonBegan,
        NotificationType::TablesCreated,
        NotificationType::ResultEntered,
        NotificationType::TableAdjudicated,
        NotificationType::TableVoided,
        NotificationType::PlayerReplaced,
        NotificationType::DeadlineMoved,
        NotificationType::Joined,
        NotificationType::Left,
    ];

    /// The name in JSON and in the database.
    pub fn name(self) -> &'static str {
        match self {
            NotificationType::YourTurn => "your_turn",
            NotificationType::YourBid => "your_bid",
            NotificationType::UndoRequest => "undo_request",
            NotificationType::Invitation => "invitation",
            NotificationType::DeadlineNear => "deadline_near",
            NotificationType::SeatLost => "seat_lost",
            NotificationType::GameStarted => "game_started",
            NotificationType::GameFinished => "game_finished",
            NotificationType::GameAbandoned => "game_abandoned",
            NotificationType::WebhookTest => "webhook_test",
            NotificationType::SeasonBegan => "season_began",
            NotificationType::TablesCreated => "tables_created",
            NotificationType::ResultEntered => "result_entered",
            NotificationType::TableAdjudicated => "table_adjudicated",
            NotificationType::TableVoided => "table_voided",
            NotificationType::PlayerReplaced => "player_replaced",
            NotificationType::DeadlineMoved => "deadline_moved",
            NotificationType::Joined => "joined",
            NotificationType::Left => "left",
        }
    }

    /// Returns the type with this name.
    pub fn by_name(name: &str) -> Option<NotificationType> {
        NotificationType::ALL
            .into_iter()
            .find(|one| one.name() == name)
    }
}

/// A notification of a player about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Notification {
    /// The type.
    pub r#type: NotificationType,
    /// The id of the game.
    pub game: Uuid,
    /// The number of the event that caused it, or of the last event before it.
    pub seq: u64,
    /// The player's seat; for `seat_lost` the lost one.
    pub seat: u8,
    /// Since when the notification applies.
    pub timestamp: Timestamp,
    /// For `your_turn`, `your_bid` and `deadline_near`: when the player's time runs out; null if no time runs.
    pub due_at: Option<Timestamp>,
}

/// The pending notifications of an account in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingNotifications {
    /// The notifications.
    pub notifications: Vec<Notification>,
    /// When the account's time will be nearly over, if nothing happens.
    pub near_at: Option<Timestamp>,
}

/// The past notifications of an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentNotifications {
    /// The notifications, by game and in the order of its log.
    pub notifications: Vec<Notification>,
    /// The position in the log of all games up to which they are complete.
    pub reached: u64,
    /// Whether there may be more after it.
    pub more: bool,
}

/// The games that are searched for pending notifications.
#[derive(Clone, Copy, Debug)]
pub enum NotificationScope {
    /// Every game of the account.
    AllGames,
    /// One game.
    Game(Uuid),
    /// No game.
    None,
}

/// The past notifications of an account, and the pending ones of some games.
#[derive(Debug)]
pub struct NotificationPart {
    /// The past notifications.
    pub recent: RecentNotifications,
    /// The pending notifications, by game.
    pub pending: Vec<(Uuid, PendingNotifications)>,
}

/// Returns what is pending for an account in a game.
pub fn pending_notifications(table: &Table, account: Uuid, now: Timestamp) -> PendingNotifications {
    let mut pending = PendingNotifications::default();
    let own = |seat: &&Seat| seat.account() == Some(account);
    let seats: Vec<&Seat> = table.seats.iter().filter(own).collect();
    let mut add = |r#type, seat: u8, at: Timestamp, due_at: Option<Timestamp>| {
        pending.notifications.push(Notification {
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
        return pending;
    }
    let invited = |seat: &&Seat| seat.invited == Some(account);
    for seat in table.seats.iter().filter(invited) {
        add(NotificationType::Invitation, seat.number, since, None);
    }
    let due_at = table.stored.due_at.map(timestamp);
    let asked = table.pending().first().map(|question| question.seat);
    let mine = seats.iter().find(|seat| Some(seat.number) == asked);
    if let Some(seat) = mine {
        add(NotificationType::YourTurn, seat.number, since, due_at);
    }
    if let Some(bidding) = table.stored.pending_bidding() {
        let missing = bidding.missing(&table.players());
        for seat in seats.iter().filter(|seat| missing.contains(&seat.number)) {
            let since = bidding.since().map_or(since, timestamp);
            add(NotificationType::YourBid, seat.number, since, due_at);
        }
    }
    let request = table.undo_request();
    for seat in &seats {
        if let Some(request) = request
            .as_ref()
            .filter(|request| request.missing.contains(&seat.number))
        {
            add(
                NotificationType::UndoRequest,
                seat.number,
                request.since,
                None,
            );
        }
    }
    if let (Some(seat), Some(due), Some(clock)) = (mine, due_at, table.clock.as_ref()) {
        let quarter = SignedDuration::from_secs(i64::from(clock.pace().turn_seconds) / 4);
        let near = due.checked_sub(quarter).unwrap_or(due);
        match now >= near {
            true => add(NotificationType::DeadlineNear, seat.number, near, due_at),
            false => pending.near_at = Some(near),
        }
    }
    pending
}

/// Finds the notifications of accounts.
#[derive(Debug)]
pub struct AccountNotifications {
    games: Arc<Games>,
}

impl AccountNotifications {
    /// Creates the notifications of the games.
    pub fn new(games: Arc<Games>) -> AccountNotifications {
        AccountNotifications { games }
    }

    /// Returns true if a token, by its hash, is valid and belongs to the account.
    pub fn is_token_of(&self, account: Uuid, token: &str) -> bool {
        let holder = self.games.accounts.holder(token);
        let access = holder.ok().and_then(Holder::access);
        access.is_some_and(|access| access.account == account)
    }

    /// Returns the end of the log of all games, after which new notifications follow.
    pub fn last_position(&self) -> Result<u64, ServiceError> {
        Ok(self.games.records.last_position()?.unsigned_abs())
    }

    /// Returns an account's notifications after a position in the log of all games.
    /// Also returns what is pending in the games of `scope`.
    pub fn read(
        &self,
        account: Uuid,
        after: u64,
        scope: NotificationScope,
    ) -> Result<NotificationPart, ServiceError> {
        let recent = self.recent_notifications(account, after)?;
        let games = match scope {
            NotificationScope::AllGames => self.games_under_way(account)?,
            NotificationScope::Game(game) => vec![game],
            NotificationScope::None => Vec::new(),
        };
        let pending = games
            .into_iter()
            .map(|game| Ok((game, self.pending_notifications(game, account)?)))
            .collect::<Result<_, ServiceError>>()?;
        Ok(NotificationPart { recent, pending })
    }

    /// Returns the unfinished games in which an account plays or has a reserved seat, the newest first.
    /// There are a few hundred at most.
    fn games_under_way(&self, account: Uuid) -> Result<Vec<Uuid>, ServiceError> {
        let found = self.games.store.games_under_way(account, GAMES)?;
        // A game whose stored id is not a UUID cannot be played.
        Ok(found.iter().filter_map(|id| known_id(id).ok()).collect())
    }

    /// Returns what is pending for an account in a game; nothing if the game cannot be read.
    fn pending_notifications(
        &self,
        id: Uuid,
        account: Uuid,
    ) -> Result<PendingNotifications, ServiceError> {
        match self.games.table(id) {
            Ok(table) => {
                let now = timestamp(self.games.store.now());
                Ok(pending_notifications(&table, account, now))
            }
            Err(ServiceError::Store(error)) => Err(error.into()),
            Err(_) => Ok(PendingNotifications::default()),
        }
    }

    /// Returns what happened in the games of an account after a position in the log of all games.
    /// A turn that has ended since is omitted.
    fn recent_notifications(
        &self,
        account: Uuid,
        after: u64,
    ) -> Result<RecentNotifications, ServiceError> {
        let account = account.to_string();
        let filter = LogFilter {
            player: Some(account.clone()),
            or_former: true,
            ..LogFilter::default()
        };
        let part = self.games.store.log_part(&filter, after, PART)?;
        let mut notifications = Vec::new();
        for (game, (first, last, _)) in affected_games(&part) {
            let Ok(id) = known_id(&game) else { continue };
            let occurrences = match self.games.logs.occurrences(id, first, last) {
                Err(ServiceError::Store(error)) => return Err(error.into()),
                // A damaged game: requests for the game itself report that.
                Err(_) => continue,
                Ok(occurrences) => occurrences,
            };
            for occurrence in occurrences {
                // If the account has no seat, it is not its game, before or after.
                let mut seat = occurrence.seat_of(&account);
                let mut due_at = None;
                let r#type = match &occurrence.kind {
                    OccurrenceKind::Started => NotificationType::GameStarted,
                    OccurrenceKind::Finished => NotificationType::GameFinished,
                    OccurrenceKind::Abandoned => NotificationType::GameAbandoned,
                    OccurrenceKind::Turn { player, due_at: at } if *player == account => {
                        due_at = *at;
                        NotificationType::YourTurn
                    }
                    OccurrenceKind::SeatLost { player, seat: lost } if *player == account => {
                        seat = Some(*lost);
                        NotificationType::SeatLost
                    }
                    OccurrenceKind::Turn { .. } | OccurrenceKind::SeatLost { .. } => continue,
                };
                let Some(seat) = seat else { continue };
                notifications.push(Notification {
                    r#type,
                    game: id,
                    seq: occurrence.seq,
                    seat,
                    timestamp: occurrence.at.parse().unwrap_or_default(),
                    due_at,
                });
            }
        }
        Ok(RecentNotifications {
            notifications,
            reached: part.reached,
            more: part.more,
        })
    }
}
