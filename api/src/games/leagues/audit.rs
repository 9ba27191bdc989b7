//! Auditing leagues: each row follows from those before it, and each game is as its league was told.

use std::collections::{BTreeMap, BTreeSet};

use engine::record::Checkpoint;
use jiff::Timestamp;
use uuid::Uuid;

use super::stored;
use crate::games::bodies::Status;
use crate::games::checkpoints::{Covered, first_unlike_of_leagues};
use crate::games::{GameError, Games, known_id};
use crate::leagues::{League, LeagueEvent};
use crate::store::{LeagueRow, WholeLeague};

impl Games {
    /// Goes through every league and its events, and holds their log against checkpoints; what does not fit is told to
    /// `fault`. Returns how many leagues and events there are.
    pub(in crate::games) fn audit_leagues<E: From<GameError>>(
        &self,
        checkpoints: &[Checkpoint],
        mut fault: impl FnMut(String) -> Result<(), E>,
    ) -> Result<(u64, u64), E> {
        let account = self.store.league_account().map_err(GameError::from)?;
        for (count, what) in [
            (account.events_of_no_league, "events belong to no league"),
            (
                account.games_of_no_league,
                "games are waited for by no league",
            ),
        ] {
            if count > 0 {
                fault(format!("{count} {what}"))?;
            }
        }
        if account.placed != account.end {
            let (placed, end) = (account.placed, account.end);
            fault(format!(
                "the log of all leagues has {placed} events, and {end} places were given away"
            ))?;
        }
        let ids = self.store.leagues_in_order().map_err(GameError::from)?;
        let mut covered = vec![Covered::default(); checkpoints.len()];
        let mut events = 0;
        let mut begun: Option<i64> = None;
        for id in &ids {
            let whole = self.store.whole_league(known_id(id)?);
            let whole = whole.map_err(GameError::from)?;
            let first = whole.rows.first().map(|row| row.at);
            begun = begun.into_iter().chain(first).min();
            events += whole.rows.len() as u64;
            // Those without a place were written by a program of before, behind all others.
            let place = |row: &LeagueRow| row.position.unwrap_or(u64::MAX);
            for (one, covered) in checkpoints.iter().zip(&mut covered) {
                if let Some(leagues) = &one.leagues {
                    covered.add(leagues.position, id, &whole.rows, |row: &LeagueRow| {
                        (place(row), row.seq, &row.hash)
                    });
                }
            }
            if !whole.rows.is_sorted_by_key(place) {
                let message = "its events do not stand in their order in the log of all leagues";
                fault(format!("league {id}: {message}"))?;
            }
            if let Err(message) = follows(&whole) {
                fault(format!("league {id}: {message}"))?;
            }
        }
        // Those before may have been made by a program of before; the last one covers all that they would.
        let last = checkpoints.last().filter(|one| one.leagues.is_none());
        if let Some(last) = last.filter(|one| begun.is_some_and(|begun| !is_before(one, begun))) {
            fault(format!(
                "checkpoint {} of {}: it covers no leagues, though there were some: a program of before made it, or \
                 what it said of them is gone",
                last.number, last.at
            ))?;
        }
        if let Some(message) = first_unlike_of_leagues(checkpoints, covered) {
            fault(message)?;
        }
        Ok((ids.len() as u64, events))
    }
}

/// Whether a checkpoint was made before a moment, in microseconds since 1970.
fn is_before(checkpoint: &Checkpoint, moment: i64) -> bool {
    let at: Result<Timestamp, _> = checkpoint.at.parse();
    at.is_ok_and(|at| at.as_microsecond() < moment)
}

/// Whether a league is as its log says, and its games are as it was told.
fn follows(whole: &WholeLeague) -> Result<(), String> {
    let id = whole.head.id;
    let mut rows = whole.rows.iter();
    let first = rows.next().ok_or("it has no events")?;
    let mut league = League::first(id, first).map_err(|fault| format!("event 0: {fault}"))?;
    for row in rows {
        let taken = league.take(row);
        taken.map_err(|fault| format!("event {}: {fault}", row.seq))?;
    }
    if stored(&league) != whole.head {
        return Err("it is kept otherwise than its log tells".to_owned());
    }
    let mut waits: BTreeSet<Uuid> = BTreeSet::new();
    let mut ended: BTreeMap<Uuid, Status> = BTreeMap::new();
    for row in &whole.rows {
        // They were read above.
        match serde_json::from_str(&row.text).map_err(|error| error.to_string())? {
            LeagueEvent::TablesCreated { tables } => {
                waits.extend(tables.iter().filter_map(|table| table.game));
            }
            LeagueEvent::GameFinished { game, .. } => {
                ended.insert(game, Status::Finished);
            }
            LeagueEvent::GameAbandoned { game } => {
                ended.insert(game, Status::Abandoned);
            }
            _ => {}
        }
    }
    let kept: BTreeMap<&str, &str> = (whole.games.iter())
        .map(|(game, status)| (game.as_str(), status.as_str()))
        .collect();
    for game in &waits {
        let status = kept.get(game.to_string().as_str()).copied();
        let status = status.and_then(Status::by_name);
        let status = status.ok_or_else(|| format!("its game {game} is not there"))?;
        if ended.get(game).copied() != Some(status).filter(|status| status.is_over()) {
            let name = status.name();
            return Err(format!(
                "its game {game} is {name}, and its log tells otherwise"
            ));
        }
    }
    waits.retain(|game| !ended.contains_key(game));
    let waits: BTreeSet<String> = waits.iter().map(Uuid::to_string).collect();
    match waits == whole.waits_for.iter().cloned().collect() {
        true => Ok(()),
        false => Err("it waits for other games than its log tells".to_owned()),
    }
}
