//! Auditing leagues: each row follows from those before it, and each game is as its league was told.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::stored;
use crate::games::bodies::Status;
use crate::games::{GameError, Games};
use crate::leagues::{League, LeagueEvent};
use crate::store::WholeLeague;

/// How many leagues are listed at a time.
const TOGETHER: usize = 64;

impl Games {
    /// Goes through every league and its events; what does not fit is told to `fault`. Returns how many leagues and
    /// events there are.
    pub(in crate::games) fn audit_leagues<E: From<GameError>>(
        &self,
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
        let mut before = None;
        let (mut leagues, mut events) = (0, 0);
        loop {
            let some = self.store.leagues(false, before, TOGETHER);
            let some = some.map_err(GameError::from)?;
            let Some(last) = some.last() else {
                return Ok((leagues, events));
            };
            before = Some(last.id);
            for league in some {
                let whole = self.store.whole_league(league.id);
                let whole = whole.map_err(GameError::from)?;
                leagues += 1;
                events += whole.rows.len() as u64;
                if let Err(message) = follows(&whole) {
                    fault(format!("league {}: {message}", league.id))?;
                }
            }
        }
    }
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
