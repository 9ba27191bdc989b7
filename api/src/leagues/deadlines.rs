//! What ends the game of a table when its deadline has passed, by the rules of the season.
//!
//! The end is scheduled when a deadline is set or moved, and any node carries it out. It is not carried out during a
//! pause, or during a holiday of a player of the table.

use jiff::Timestamp;
use uuid::Uuid;

use crate::games::leagues::DueEnd;
use crate::leagues::event::DeadlineEnd;
use crate::leagues::league::{League, LeagueTable, TableState};

/// How long a pause without a known end is waited for until it is looked at again, in microseconds.
const AGAIN: i64 = 3_600 * 1_000_000;

impl League {
    /// Returns when the game of a table ends by the rules, in microseconds since 1970, and how.
    fn end_by_rule(&self, table: &LeagueTable) -> Option<(i64, DeadlineEnd)> {
        let season = self.season_numbered(table.season)?;
        let rule = season.rules.deadline?;
        let deadline = table
            .deadline
            .filter(|_| table.state == TableState::Playing)?;
        let grace = i64::from(rule.grace_hours) * 3_600 * 1_000_000;
        Some((deadline.as_microsecond() + grace, rule.then))
    }

    /// Returns the games whose end by the rules has changed since an earlier state, and when they end now.
    pub(in crate::leagues) fn changed_ends(&self, before: Option<&League>) -> Vec<(Uuid, i64)> {
        let ends = self.tables.iter().filter_map(|table| {
            let end = self.end_by_rule(table)?;
            let earlier = before.and_then(|league| {
                let table = league.table_numbered(table.number)?;
                league.end_by_rule(table)
            });
            Some((table.game?, end.0)).filter(|_| earlier != Some(end))
        });
        ends.collect()
    }

    /// Returns what is due for a game at a time in microseconds since 1970.
    pub(in crate::leagues) fn due_end(&self, game: Uuid, now: i64) -> DueEnd {
        let mut tables = self.tables.iter();
        let table = tables.find(|table| table.game == Some(game));
        let Some((table, (at, then))) =
            table.and_then(|table| Some((table, self.end_by_rule(table)?)))
        else {
            return DueEnd::Never;
        };
        if at > now {
            return DueEnd::At(at);
        }
        let pauses = self.pauses_of(table).into_iter();
        let lasting =
            pauses.filter(|pause| pause.from <= now && pause.until.is_none_or(|until| until > now));
        let again = lasting
            .map(|pause| pause.until.unwrap_or(now + AGAIN))
            .max();
        match again {
            Some(again) => DueEnd::At(again),
            None => DueEnd::Now {
                forfeit: then == DeadlineEnd::Forfeit,
                note: note(table.deadline, then),
            },
        }
    }
}

/// The note of the decision, which is in the record of the game.
fn note(deadline: Option<Timestamp>, then: DeadlineEnd) -> String {
    let deadline = deadline.unwrap_or_default().strftime("%F %R");
    let how = match then {
        DeadlineEnd::ByPoints => "ranks by points",
        DeadlineEnd::Forfeit => "those who had to act are last",
    };
    format!("the deadline of the table ({deadline} UTC) has passed: {how}")
}
