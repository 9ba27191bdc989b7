//! The names that describe an event to people: of games, leagues, members and tables.

use jiff::Timestamp;
use uuid::Uuid;

use crate::db::{Store, StoreError};
use crate::games::Games;
use crate::games::notifications::NotificationType;
use crate::http::error::ServiceError;
use crate::http::language::Language;
use crate::leagues::event::LeagueEvent;
use crate::leagues::league::{League, LeagueTable, TableState};
use crate::leagues::log::LeagueLog;

/// An event with the names that a sentence about it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventContent {
    /// The type.
    pub kind: NotificationType,
    /// The edition of the game; empty for events of leagues.
    pub edition: String,
    /// The names of the players of the game, by seat.
    pub players: Vec<String>,
    /// The name of the league.
    pub league: Option<String>,
    /// The name of the player, member or season that the event concerns.
    pub name: Option<String>,
    /// The round of the tables.
    pub round: Option<u16>,
    /// The numbers of the tables.
    pub tables: Vec<u32>,
    /// The deadline.
    pub due_at: Option<Timestamp>,
    /// The path of the page that shows more.
    pub path: String,
}

impl EventContent {
    /// Returns a content without names.
    pub fn new(kind: NotificationType, path: String) -> EventContent {
        EventContent {
            kind,
            edition: String::new(),
            players: Vec::new(),
            league: None,
            name: None,
            round: None,
            tables: Vec::new(),
            due_at: None,
            path,
        }
    }
}

/// Writes an event as a sentence in a language.
pub type Wording = fn(Language, &EventContent) -> String;

/// Returns the handle of an account, or nothing for other ids.
fn handle(store: &Store, id: &str) -> Result<Option<String>, StoreError> {
    match id.parse() {
        Ok(id) => Ok(store.account_by_id(id)?.map(|account| account.handle)),
        Err(_) => Ok(None),
    }
}

/// Returns the content of an event of a game. `player` is the account that it concerns.
/// A game that cannot be read has no names.
pub fn game_content(
    games: &Games,
    kind: NotificationType,
    game: Uuid,
    player: Option<&str>,
) -> Result<EventContent, StoreError> {
    let mut content = EventContent::new(kind, format!("/games/{game}"));
    let table = match games.table(game) {
        Ok(table) => table,
        Err(ServiceError::Store(error)) => return Err(error),
        Err(_) => return Ok(content),
    };
    content.edition = table.stored.edition.clone();
    content.players = table.player_names();
    content.name = match player {
        Some(player) => handle(games.store(), player)?,
        None => None,
    };
    Ok(content)
}

/// Returns the type of an event of a league; `None` for those that are not sent.
pub fn kind_of(event: &LeagueEvent) -> Option<NotificationType> {
    Some(match event {
        LeagueEvent::SeasonBegan { .. } => NotificationType::SeasonBegan,
        LeagueEvent::TablesCreated { .. } => NotificationType::TablesCreated,
        LeagueEvent::GameFinished { .. } => NotificationType::GameFinished,
        LeagueEvent::GameAbandoned { .. } => NotificationType::GameAbandoned,
        LeagueEvent::ResultEntered { .. } | LeagueEvent::ReportAnswered { table: Some(_), .. } => {
            NotificationType::ResultEntered
        }
        LeagueEvent::TableAdjudicated { .. } => NotificationType::TableAdjudicated,
        LeagueEvent::TableVoided { .. } => NotificationType::TableVoided,
        LeagueEvent::PlayerReplaced { .. } => NotificationType::PlayerReplaced,
        LeagueEvent::DeadlineMoved { .. } => NotificationType::DeadlineMoved,
        LeagueEvent::Joined { .. } => NotificationType::Joined,
        LeagueEvent::Left { .. } => NotificationType::Left,
        _ => return None,
    })
}

/// Returns the deadlines that an event sets, each once, in order.
pub fn deadlines_of(event: &LeagueEvent) -> Vec<Timestamp> {
    let mut deadlines: Vec<Timestamp> = match event {
        LeagueEvent::TablesCreated { tables } => {
            tables.iter().filter_map(|table| table.deadline).collect()
        }
        LeagueEvent::DeadlineMoved { deadline, .. } => vec![*deadline],
        _ => Vec::new(),
    };
    deadlines.sort_unstable();
    deadlines.dedup();
    deadlines
}

/// Returns the member that joins or leaves by an event.
pub fn member_of(event: &LeagueEvent) -> Option<&str> {
    match event {
        LeagueEvent::Joined { member, .. } | LeagueEvent::Left { member } => Some(member),
        _ => None,
    }
}

/// Returns the name of a member, or of any account.
fn name_in(store: &Store, league: &League, id: &str) -> Result<Option<String>, StoreError> {
    let mut members = league.members.iter();
    match members.find(|member| member.id == id) {
        Some(member) if member.name.is_some() => Ok(member.name.clone()),
        _ => handle(store, id),
    }
}

/// Returns the numbers of the tables that an event names.
fn tables_of(league: &League, event: &LeagueEvent) -> Vec<u32> {
    match event {
        LeagueEvent::TablesCreated { tables } => tables.iter().map(|table| table.table).collect(),
        LeagueEvent::GameFinished { game, .. } | LeagueEvent::GameAbandoned { game } => {
            let own = |table: &&LeagueTable| table.game == Some(*game);
            let tables = league.tables.iter().filter(own);
            tables.map(|table| table.number).collect()
        }
        LeagueEvent::ResultEntered { table, .. } => vec![table.table],
        LeagueEvent::ReportAnswered { table, .. } => table.iter().copied().collect(),
        LeagueEvent::TableAdjudicated { table, .. }
        | LeagueEvent::TableVoided { table, .. }
        | LeagueEvent::PlayerReplaced { table, .. } => vec![*table],
        LeagueEvent::DeadlineMoved { tables, .. } => tables.clone(),
        _ => Vec::new(),
    }
}

/// Returns the content of an event of a league.
///
/// `None` if the league or the event cannot be read, or if a deadline that was near has moved or all its games have
/// ended.
pub fn league_content(
    store: &Store,
    leagues: &LeagueLog,
    kind: NotificationType,
    (league, seq): (Uuid, u64),
    due_at: Option<Timestamp>,
) -> Result<Option<EventContent>, StoreError> {
    let id = league;
    let league = match leagues.now(league) {
        Ok(league) => league,
        Err(ServiceError::Store(error)) => return Err(error),
        Err(_) => return Ok(None),
    };
    let rows = store.league_events(id, seq.checked_sub(1), 1)?;
    let event = rows
        .first()
        .and_then(|row| serde_json::from_str::<LeagueEvent>(&row.text).ok());
    let Some(event) = event else {
        return Ok(None);
    };
    let mut tables = tables_of(&league, &event);
    // Stored times have no nanoseconds.
    let micros = |at: Timestamp| at.as_microsecond();
    if kind == NotificationType::DeadlineNear {
        tables.retain(|number| {
            let mut all = league.tables.iter();
            all.find(|table| table.number == *number)
                .is_some_and(|table| {
                    table.state == TableState::Playing
                        && table.deadline.map(micros) == due_at.map(micros)
                })
        });
        if tables.is_empty() {
            return Ok(None);
        }
    }
    let round = match &event {
        LeagueEvent::TablesCreated { tables } => tables.first().and_then(|table| table.round),
        _ => None,
    };
    let name = match &event {
        LeagueEvent::SeasonBegan { name, .. } => Some(name.clone()),
        LeagueEvent::Joined { member, .. }
        | LeagueEvent::Left { member }
        | LeagueEvent::PlayerReplaced { member, .. } => name_in(store, &league, member)?,
        _ => None,
    };
    Ok(Some(EventContent {
        league: Some(league.name.clone()),
        name,
        round,
        tables,
        due_at,
        ..EventContent::new(kind, format!("/leagues/{id}"))
    }))
}
