//! Exports of BG Stats, as JSON.

use std::collections::BTreeMap;

use engine::content::Library;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::leagues::exchange::export::{ExportedSeat, ExportedTable};
use crate::leagues::exchange::rows::{
    ImportRows, ImportedSeat, MOST_ROWS, ResultRows, RowFault, UnreadableFile, board_named,
    edition_named, moment, nations_named, places,
};

/// An export. Only what a league can use is read.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StatsFile {
    #[serde(default, deserialize_with = "or_default")]
    games: Vec<StatsGame>,
    #[serde(default, deserialize_with = "or_default")]
    players: Vec<Person>,
    #[serde(default, deserialize_with = "or_default")]
    locations: Vec<Value>,
    plays: Vec<Play>,
    /// What is not used. It also makes sure that a list is not read as an object.
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StatsGame {
    id: i64,
    #[serde(default, deserialize_with = "or_default")]
    uuid: String,
    name: String,
    #[serde(default = "yes", deserialize_with = "or_default")]
    highest_wins: bool,
    #[serde(default, deserialize_with = "or_default")]
    no_points: bool,
    #[serde(default, deserialize_with = "or_default")]
    cooperative: bool,
    #[serde(default, deserialize_with = "or_default")]
    uses_teams: bool,
    #[serde(default, deserialize_with = "or_default")]
    bgg_id: i64,
    /// What is not used. It also makes sure that a list is not read as an object.
    #[serde(flatten)]
    others: Map<String, Value>,
}

fn yes() -> bool {
    true
}

/// Reads null like a field that is missing.
fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// Reads a score, which is a text in most versions and a number in others.
fn score_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text,
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    })
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Person {
    id: i64,
    #[serde(default, deserialize_with = "or_default")]
    uuid: String,
    name: String,
    #[serde(default, deserialize_with = "or_default")]
    is_anonymous: bool,
    /// What is not used. It also makes sure that a list is not read as an object.
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Play {
    #[serde(default, deserialize_with = "or_default")]
    uuid: String,
    game_ref_id: i64,
    #[serde(default, deserialize_with = "or_default")]
    play_date: String,
    #[serde(default, deserialize_with = "or_default")]
    entry_date: String,
    #[serde(default, deserialize_with = "or_default")]
    modification_date: String,
    #[serde(default, deserialize_with = "or_default")]
    board: String,
    #[serde(default, deserialize_with = "or_default")]
    comments: String,
    #[serde(default, deserialize_with = "or_default")]
    ignored: bool,
    #[serde(default, deserialize_with = "or_default")]
    uses_teams: bool,
    #[serde(default, deserialize_with = "or_default")]
    manual_winner: bool,
    #[serde(default, deserialize_with = "or_default")]
    duration_min: i64,
    #[serde(default, deserialize_with = "or_default")]
    player_scores: Vec<PlayerScore>,
    /// What is not used. It also makes sure that a list is not read as an object.
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlayerScore {
    player_ref_id: i64,
    #[serde(default, deserialize_with = "score_text")]
    score: String,
    #[serde(default, deserialize_with = "or_default")]
    winner: bool,
    #[serde(default, deserialize_with = "or_default")]
    start_player: bool,
    #[serde(default, deserialize_with = "or_default")]
    new_player: bool,
    #[serde(default, deserialize_with = "or_default")]
    rank: i64,
    #[serde(default, deserialize_with = "or_default")]
    seat_order: i64,
    #[serde(default, deserialize_with = "or_default")]
    role: String,
    /// What is not used. It also makes sure that a list is not read as an object.
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// Reads an export. The row of a player is the number of the play in the file, from 1.
///
/// # Errors
/// When the text is not such an export.
pub fn read(text: &str, library: &Library) -> Result<ImportRows, UnreadableFile> {
    let export: StatsFile = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message =
            format!("this is not an export of BG Stats: see line {line}, column {column}");
        UnreadableFile(message)
    })?;
    let games: BTreeMap<i64, &StatsGame> =
        export.games.iter().map(|game| (game.id, game)).collect();
    let players: BTreeMap<i64, &Person> = export
        .players
        .iter()
        .map(|player| (player.id, player))
        .collect();
    let plays = (1..).zip(&export.plays);
    let plays: Vec<ResultRows> = plays
        .map(|(row, play)| {
            play.result(
                row,
                games.get(&play.game_ref_id).copied(),
                &players,
                library,
            )
        })
        .collect();
    let rows: usize = plays.iter().map(|play| play.seats.len()).sum();
    match rows {
        0 => Err(UnreadableFile(
            "no play of the file lists players".to_owned(),
        )),
        rows if rows > MOST_ROWS => Err(UnreadableFile(format!(
            "the file has more than {MOST_ROWS} players: send it in parts"
        ))),
        _ => Ok(ImportRows::Results(plays)),
    }
}

fn text(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

impl Play {
    fn result(
        &self,
        row: u64,
        game: Option<&StatsGame>,
        players: &BTreeMap<i64, &Person>,
        library: &Library,
    ) -> ResultRows {
        let edition = game.and_then(|game| edition_named(library, &game.name));
        let skipped = match &edition {
            None => Some(format!(
                "this is a play of {:?}",
                game.map_or("", |game| &game.name)
            )),
            Some(_) if self.ignored => Some("the play is marked as ignored".to_owned()),
            Some(_) => None,
        };
        let scores: Vec<Option<f64>> = (self.player_scores.iter())
            .map(|player| player.score.trim().replace(',', ".").parse().ok())
            .collect();
        let wins: Vec<bool> = self
            .player_scores
            .iter()
            .map(|player| player.winner)
            .collect();
        let has_ranks = self.player_scores.iter().all(|player| player.rank > 0);
        let ranks = match has_ranks {
            true => Some(
                self.player_scores
                    .iter()
                    .map(|player| u8::try_from(player.rank).unwrap_or(u8::MAX))
                    .collect(),
            ),
            false => places(&scores, &wins),
        };
        let mut seats: Vec<(i64, ImportedSeat)> = (self.player_scores.iter().enumerate())
            .map(|(index, player)| {
                let person = players.get(&player.player_ref_id);
                let name = person
                    .filter(|person| !person.is_anonymous)
                    .and_then(|person| text(&person.name));
                let fault = match (&name, &ranks) {
                    (None, _) => Some(RowFault::new(
                        "playerRefId",
                        "the player has no name or is anonymous",
                    )),
                    (_, None) => Some(RowFault::new(
                        "score",
                        "give the scores of all players, or mark who has won",
                    )),
                    _ => None,
                };
                let seat = ImportedSeat {
                    row,
                    player: name.unwrap_or_default(),
                    nations: nations_named(library, &player.role),
                    rank: ranks.as_ref().map(|ranks: &Vec<u8>| ranks[index]),
                    points: None,
                    fault,
                };
                (player.seat_order, seat)
            })
            .collect();
        if seats.iter().all(|(place, _)| *place > 0) {
            seats.sort_by_key(|(place, _)| *place);
        }
        let mut seats: Vec<ImportedSeat> = seats.into_iter().map(|(_, seat)| seat).collect();
        let played_at = moment(&self.play_date);
        let fault = match (self.uses_teams, played_at) {
            (true, _) => Some(RowFault::new(
                "usesTeams",
                "a play of teams is no result of a league",
            )),
            (_, None) if !self.play_date.is_empty() => Some(RowFault::new(
                "playDate",
                "give the time as 2024-03-01 19:30:00",
            )),
            _ => None,
        };
        if let (Some(fault), Some(first)) = (fault, seats.first_mut()) {
            first.fault.get_or_insert(fault);
        }
        ResultRows {
            played_at,
            board: board_named(library, &self.board),
            note: text(&self.comments),
            edition,
            skipped,
            seats,
            ..ResultRows::default()
        }
    }
}

/// Returns an id that is always the same for the same text.
fn stable_id(text: &str) -> String {
    let hash = Sha256::digest(text);
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    uuid::Builder::from_custom_bytes(bytes)
        .into_uuid()
        .to_string()
}

fn stamp(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// Writes results of a league as an export.
///
/// # Errors
/// When writing JSON fails.
pub fn write(league: Uuid, tables: &[ExportedTable]) -> Result<String, serde_json::Error> {
    let mut games: Vec<StatsGame> = Vec::new();
    let mut players: Vec<Person> = Vec::new();
    let mut plays = Vec::with_capacity(tables.len());
    for table in tables {
        let game = games.iter().position(|game| game.name == table.game);
        let game = game.unwrap_or_else(|| {
            games.push(StatsGame {
                id: games.len() as i64 + 1,
                uuid: stable_id(&table.game),
                name: table.game.clone(),
                highest_wins: true,
                no_points: false,
                cooperative: false,
                uses_teams: false,
                bgg_id: 0,
                others: Map::new(),
            });
            games.len() - 1
        });
        let mut scores = Vec::with_capacity(table.seats.len());
        for (place, seat) in (1..).zip(&table.seats) {
            let id = stable_id(&seat.member);
            let player = players.iter().position(|player| player.uuid == id);
            let player = player.unwrap_or_else(|| {
                players.push(Person {
                    id: players.len() as i64 + 1,
                    uuid: id,
                    name: seat.name.clone(),
                    is_anonymous: false,
                    others: Map::new(),
                });
                players.len() - 1
            });
            scores.push(PlayerScore::of_seat(player as i64 + 1, place, seat));
        }
        plays.push(Play {
            uuid: stable_id(&format!("{league}/{}", table.number)),
            game_ref_id: game as i64 + 1,
            play_date: stamp(table.played_at),
            entry_date: stamp(table.recorded_at),
            modification_date: stamp(table.recorded_at),
            board: table.board.clone().unwrap_or_default(),
            comments: table.comment.clone(),
            ignored: false,
            uses_teams: false,
            manual_winner: true,
            duration_min: 0,
            player_scores: scores,
            others: Map::new(),
        });
    }
    serde_json::to_string_pretty(&StatsFile {
        games,
        players,
        locations: Vec::new(),
        plays,
        others: Map::new(),
    })
}

impl PlayerScore {
    fn of_seat(player: i64, place: i64, seat: &ExportedSeat) -> PlayerScore {
        PlayerScore {
            player_ref_id: player,
            score: seat.points.to_string(),
            winner: seat.rank == 1,
            start_player: place == 1,
            new_player: false,
            rank: i64::from(seat.rank),
            seat_order: place,
            role: seat.nations.join("+"),
            others: Map::new(),
        }
    }
}
