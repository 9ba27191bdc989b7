//! Audits leagues.
//! Each event follows from the one before, the log matches its signatures, and games match the log.

use std::collections::{BTreeMap, BTreeSet};

use engine::setup::Player;
use jiff::Timestamp;
use records::tlog::Leaf;
use records::{Checkpoint, PublicKeys, chained_places};
use uuid::Uuid;

use crate::games::known_id;
use crate::games::model::{Status, StoredGame};
use crate::games::setup::stored_setup;
use crate::http::error::ServiceError;
use crate::leagues::event::{LeagueEvent, Seating};
use crate::leagues::league::League;
use crate::leagues::log::{end_event, ranks_of, seats_event};
use crate::leagues::queries::{LeagueRow, StoredLeague, WholeLeague};
use crate::leagues::service::Leagues;
use crate::signing::checkpoints::{KeptCheckpoint, LogDigest, find_league_log_difference};

impl Leagues {
    /// Checks every league, its events, and the checkpoints. Passes each problem to `fault`.
    ///
    /// Returns the number of leagues and of events.
    pub(crate) fn audit<E: From<ServiceError>>(
        &self,
        checkpoints: &[Checkpoint],
        elsewhere: &[KeptCheckpoint],
        keys: &PublicKeys,
        mut fault: impl FnMut(String) -> Result<(), E>,
    ) -> Result<(u64, u64), E> {
        let counts = self.store.league_counts().map_err(ServiceError::from)?;
        for (count, what) in [
            (
                counts.events_of_no_league,
                "events belong to leagues that do not exist",
            ),
            (
                counts.games_of_no_league,
                "games belong to tables of leagues that do not exist",
            ),
        ] {
            if count > 0 {
                fault(format!("{count} {what}"))?;
            }
        }
        if counts.events != counts.end {
            let (events, end) = (counts.events, counts.end);
            fault(format!(
                "the log of all leagues has {events} events, but its last position is {end}"
            ))?;
        }
        let ids = self.store.leagues_in_order().map_err(ServiceError::from)?;
        let mut covered = vec![LogDigest::default(); checkpoints.len()];
        let mut covered_elsewhere = vec![LogDigest::default(); elsewhere.len()];
        let outside = || elsewhere.iter().map(|kept| &kept.checkpoint);
        let mut events = 0;
        let mut begun: Option<i64> = None;
        for id in &ids {
            let whole = self.store.whole_league(known_id(id)?, named_games);
            let whole = whole.map_err(ServiceError::from)?;
            let first = whole.rows.first().map(|row| row.at);
            begun = begun.into_iter().chain(first).min();
            events += whole.rows.len() as u64;
            // An event without a position is reported with the count above.
            let place = |row: &LeagueRow| row.position.unwrap_or(u64::MAX);
            let both = checkpoints.iter().zip(&mut covered);
            for (one, covered) in both.chain(outside().zip(&mut covered_elsewhere)) {
                if let Some(leagues) = &one.leagues {
                    covered.add(leagues.position, id, &whole.rows, |row: &LeagueRow| {
                        (place(row), row.seq, &row.hash)
                    });
                }
            }
            if !whole.rows.is_sorted_by_key(place) {
                let message = "the order of its events differs from the log of all leagues";
                fault(format!("league {id}: {message}"))?;
            }
            if let Some(signature) = &whole.signature {
                let leaf = Leaf::of_league(id, signature);
                if !self.store.has_leaf(id, &leaf).map_err(ServiceError::from)? {
                    let message = "its last signature is not in the transparency log";
                    fault(format!("league {id}: {message}"))?;
                }
            }
            for message in [check_log(&whole), check_signature(&whole, keys)] {
                if let Err(message) = message {
                    fault(format!("league {id}: {message}"))?;
                }
            }
        }
        // The last checkpoint covers everything that the earlier ones cover.
        let last = checkpoints.last().filter(|one| one.leagues.is_none());
        if let Some(last) = last.filter(|one| begun.is_some_and(|begun| !is_before(one, begun))) {
            fault(format!(
                "checkpoint {} of {}: it covers no leagues, though there were some: its entry about leagues was \
                 removed",
                last.number, last.at
            ))?;
        }
        let unlike = [
            find_league_log_difference(checkpoints, covered),
            find_league_log_difference(outside(), covered_elsewhere),
        ];
        for message in unlike.into_iter().flatten() {
            fault(message)?;
        }
        Ok((ids.len() as u64, events))
    }
}

/// Whether a checkpoint is earlier than a time in microseconds since 1970.
fn is_before(checkpoint: &Checkpoint, moment: i64) -> bool {
    let at: Result<Timestamp, _> = checkpoint.at.parse();
    at.is_ok_and(|at| at.as_microsecond() < moment)
}

/// Returns the games that the events of a league name.
fn named_games(rows: &[LeagueRow]) -> Vec<Uuid> {
    let mut games = Vec::new();
    for row in rows {
        match serde_json::from_str(&row.text) {
            Ok(LeagueEvent::TablesCreated { tables }) => {
                games.extend(tables.iter().filter_map(|table| table.game));
            }
            Ok(LeagueEvent::ResultEntered { table, .. }) => games.extend(table.game),
            _ => {}
        }
    }
    games
}

/// Checks the signature of a league's log, including its positions in the two common logs.
fn check_signature(whole: &WholeLeague, keys: &PublicKeys) -> Result<(), String> {
    let head = &whole.head;
    let signature = whole.signature.as_ref().ok_or("its log is not signed")?;
    let mut places: Option<String> = None;
    for row in &whole.rows {
        // No event is signed with this position.
        let place = |place: Option<u64>| place.unwrap_or(u64::MAX);
        let (position, log_position) = (place(row.position), place(row.log_position));
        places = Some(chained_places(places.as_deref(), position, log_position));
    }
    let places = places.unwrap_or_default();
    let checked = signature.check(&head.id.to_string(), head.seq, &head.hash, &places, keys);
    checked.map_err(|error| error.to_string())
}

/// Checks that the stored league and its games match its log.
fn check_log(whole: &WholeLeague) -> Result<(), String> {
    let id = whole.head.id;
    let mut rows = whole.rows.iter();
    let first = rows.next().ok_or("it has no events")?;
    let mut league = League::first(id, first).map_err(|fault| format!("event 0: {fault}"))?;
    let mut waits: BTreeSet<Uuid> = BTreeSet::new();
    let mut ended: BTreeMap<Uuid, &LeagueRow> = BTreeMap::new();
    let mut seated: BTreeMap<Uuid, &LeagueRow> = BTreeMap::new();
    for row in rows {
        let at = |message: String| format!("event {}: {message}", row.seq);
        league
            .apply_row(row)
            .map_err(|fault| at(fault.to_string()))?;
        // Parsing succeeded in `take` already.
        let event = serde_json::from_str(&row.text).map_err(|error| at(error.to_string()))?;
        match event {
            LeagueEvent::TablesCreated { tables } => {
                for table in &tables {
                    check_created(whole, table).map_err(at)?;
                }
                waits.extend(tables.iter().filter_map(|table| table.game));
            }
            LeagueEvent::SeatsTaken { game, .. } => {
                seated.insert(game, row);
            }
            LeagueEvent::GameFinished { game, .. } | LeagueEvent::GameAbandoned { game } => {
                ended.insert(game, row);
            }
            LeagueEvent::ResultEntered {
                table,
                reason,
                ranks,
                ..
            } => {
                if let Some(id) = table.game {
                    let game = game(whole, id).map_err(at)?;
                    let result = game.result.as_ref();
                    let is_so = result.map(|result| result.reason) == reason
                        && result.map(ranks_of) == Some(ranks)
                        && nations_of(game).as_ref() == Some(&nations(&table));
                    if !is_so || !is_played_so(game, &table) {
                        return Err(at(format!("its game {id} has another result")));
                    }
                }
            }
            _ => {}
        }
    }
    let logged = StoredLeague {
        closed_at: whole.head.closed_at,
        ..StoredLeague::from(&league)
    };
    if logged != whole.head {
        return Err("its stored state differs from its log".to_owned());
    }
    for id in &waits {
        let game = game(whole, *id)?;
        if game.league != Some(whole.head.id.to_string()) {
            return Err(format!(
                "its game {id} is stored as a game of another league"
            ));
        }
        let expected = seats_event(game).map_err(|error| error.to_string())?;
        if seated.get(id).map(|row| &row.text) != expected.as_ref() {
            return Err(format!(
                "the bidding for the seats of its game {id} has another result than its log says"
            ));
        }
        let expected = end_event(game).map_err(|error| error.to_string())?;
        let row = ended.get(id);
        if row.map(|row| &row.text) != expected.as_ref() {
            let event = row.map_or_else(String::new, |row| format!(" in event {}", row.seq));
            return Err(format!(
                "its game {id} is {}, but its log says otherwise{event}",
                match game.status {
                    Status::Finished => format!(
                        "finished with the ranks {:?}",
                        game.result.as_ref().map(ranks_of).unwrap_or_default()
                    ),
                    status => status.name().to_owned(),
                }
            ));
        }
    }
    waits.retain(|game| !ended.contains_key(game));
    let waits: BTreeSet<String> = waits.iter().map(Uuid::to_string).collect();
    match waits == whole.waits_for.iter().cloned().collect() {
        true => Ok(()),
        false => Err("it waits for other games than its log says".to_owned()),
    }
}

fn game(whole: &WholeLeague, id: Uuid) -> Result<&StoredGame, String> {
    let game = whole.games.get(&id);
    game.ok_or_else(|| format!("its game {id} is missing"))
}

/// Checks that the game of a table was created as the log says.
fn check_created(whole: &WholeLeague, table: &Seating) -> Result<(), String> {
    let Some(id) = table.game else {
        return Ok(());
    };
    let game = game(whole, id)?;
    let setup = stored_setup(game).map_err(|error| error.to_string())?;
    let member = |player: &Player| player.actor().map(str::to_owned);
    let is_so = setup.seats.len() == table.seats.len()
        && (setup.seats.iter().zip(&table.seats)).all(|(seat, seating)| {
            seat.nations == seating.nations
                && member(&seat.player).as_ref() == Some(&seating.member)
        });
    match is_so && is_played_so(game, table) {
        true => Ok(()),
        false => Err(format!(
            "its game {id} was created with other seats, edition or board"
        )),
    }
}

/// Whether a game has the edition and board of a table.
fn is_played_so(game: &StoredGame, table: &Seating) -> bool {
    game.edition == table.edition
        && table
            .board
            .as_ref()
            .is_none_or(|board| *board == game.board)
}

fn nations(table: &Seating) -> Vec<Vec<String>> {
    let seats = table.seats.iter();
    seats.map(|seat| seat.nations.clone()).collect()
}

/// Returns the nations of each seat of a finished game, in the order of the seats.
fn nations_of(game: &StoredGame) -> Option<Vec<Vec<String>>> {
    let mut ranks: Vec<_> = game.result.as_ref()?.ranks.iter().collect();
    ranks.sort_unstable_by_key(|rank| rank.seat);
    Some(ranks.iter().map(|rank| rank.nations.clone()).collect())
}
