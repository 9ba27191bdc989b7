//! Pauses and holidays: when the clocks of a league's games stand still.
//!
//! - A pause of the league or of a table is by an organizer. It ends at a given time, or when an organizer ends it.
//! - A holiday is of a member, who announces it. The season says how many days each member has. In the games of the
//!   league, the clock of the member stands still.

use jiff::Timestamp;

use crate::games::clocks::ClockPause;
use crate::http::error::ConflictKind;
use crate::leagues::fold::{LeagueEventError, check_note, conflict, invalid};
use crate::leagues::league::{Holiday, League, LeaguePause, LeagueTable, TableState};

/// The most pauses and holidays of a league.
const MOST_PAUSES: usize = 2_000;
/// How long before its beginning a holiday is announced at least, in microseconds.
pub const NOTICE: i64 = 12 * 3_600 * 1_000_000;
/// A day in microseconds.
const DAY: i64 = 24 * 3_600 * 1_000_000;

impl LeaguePause {
    /// Whether the pause has not ended.
    pub fn is_open(&self, at: i64) -> bool {
        self.until.is_none_or(|until| until > at)
    }
}

impl League {
    /// Returns the pauses of the game of a table.
    pub fn pauses_of(&self, table: &LeagueTable) -> Vec<ClockPause> {
        let of_table = self
            .pauses
            .pauses
            .iter()
            .filter(|pause| pause.table.is_none_or(|number| number == table.number));
        let mut pauses: Vec<ClockPause> = of_table
            .map(|pause| ClockPause {
                seat: None,
                from: pause.from,
                until: pause.until,
            })
            .collect();
        for (number, seat) in (0..).zip(&table.seats) {
            let own = self.pauses.holidays.iter();
            let own = own.filter(|holiday| seat.members.last() == Some(&holiday.member));
            pauses.extend(own.map(|holiday| ClockPause {
                seat: Some(number),
                from: holiday.from,
                until: Some(holiday.until),
            }));
        }
        pauses
    }

    /// Returns the days of holidays that a member has used in a season, in microseconds.
    pub fn holidays_used(&self, season: u16, member: &str) -> i64 {
        let own = self.pauses.holidays.iter();
        let own = own.filter(|holiday| holiday.season == season && holiday.member == member);
        own.map(|holiday| holiday.until - holiday.from).sum()
    }

    /// Returns the days of holidays that each member has in a season, in microseconds.
    pub fn holidays_allowed(&self, season: u16) -> i64 {
        let rules = self.season_numbered(season).map(|season| &season.rules);
        rules.map_or(0, |rules| i64::from(rules.holiday_days)) * DAY
    }

    /// Checks the tables of a pause, and returns them; one `None` means the whole league.
    fn pause_scopes(&self, tables: &[u32]) -> Result<Vec<Option<u32>>, LeagueEventError> {
        if !tables.is_sorted_by(|one, other| one < other) {
            let message = "list each table once, in ascending order";
            return Err(invalid("tables", message));
        }
        for number in tables {
            let table = self.table_numbered(*number);
            let table =
                table.ok_or_else(|| LeagueEventError::Missing(format!("table {number}")))?;
            if table.state != TableState::Playing {
                let message = format!("the game of table {number} is not running");
                return Err(conflict(ConflictKind::TableNotRunning, message));
            }
        }
        Ok(match tables {
            [] => vec![None],
            tables => tables.iter().copied().map(Some).collect(),
        })
    }

    pub(in crate::leagues) fn pause(
        &mut self,
        at: i64,
        tables: &[u32],
        until: Option<Timestamp>,
        note: Option<&str>,
    ) -> Result<(), LeagueEventError> {
        check_note(note)?;
        let until = until.map(Timestamp::as_microsecond);
        if until.is_some_and(|until| until <= at) {
            return Err(invalid(
                "until",
                "the end of the pause must be in the future",
            ));
        }
        for table in self.pause_scopes(tables)? {
            self.check_pause_count()?;
            let open = self.pauses.pauses.iter();
            if open
                .clone()
                .any(|pause| pause.table == table && pause.is_open(at))
            {
                let message = match table {
                    Some(number) => {
                        format!("table {number} is paused already: end the pause first")
                    }
                    None => "the league is paused already: end the pause first".to_owned(),
                };
                return Err(invalid("tables", message));
            }
            self.pauses.pauses.push(LeaguePause {
                table,
                from: at,
                until,
                note: note.map(str::to_owned),
            });
        }
        Ok(())
    }

    pub(in crate::leagues) fn end_pause(
        &mut self,
        at: i64,
        tables: &[u32],
        note: Option<&str>,
    ) -> Result<(), LeagueEventError> {
        check_note(note)?;
        let scopes: Vec<Option<u32>> = match tables {
            [] => vec![None],
            tables => tables.iter().copied().map(Some).collect(),
        };
        for table in scopes {
            let mut open = self.pauses.pauses.iter_mut();
            let open = open.find(|pause| pause.table == table && pause.is_open(at));
            let missing = || {
                LeagueEventError::Missing(match table {
                    Some(number) => format!("pause of table {number}"),
                    None => "pause of the league".to_owned(),
                })
            };
            open.ok_or_else(missing)?.until = Some(at);
        }
        Ok(())
    }

    pub(in crate::leagues) fn take_holiday(
        &mut self,
        at: i64,
        member: String,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<(), LeagueEventError> {
        let season = self.season()?;
        self.check_pause_count()?;
        if !self.is_active(&member) {
            return Err(LeagueEventError::Missing(format!(
                "active member {member:?}"
            )));
        }
        let (from, until) = (from.as_microsecond(), until.as_microsecond());
        if from < at {
            return Err(invalid("from", "a holiday begins in the future"));
        }
        if until <= from {
            return Err(invalid("until", "a holiday ends after it begins"));
        }
        let mut own = self.pauses.holidays.iter();
        if own.any(|other| other.member == member && other.from < until && from < other.until) {
            return Err(invalid(
                "from",
                "the member has a holiday at this time already",
            ));
        }
        let left = self.holidays_allowed(season) - self.holidays_used(season, &member);
        if until - from > left {
            let message = format!(
                "the member has {} hours of holidays left in this season",
                left.max(0) / 3_600_000_000
            );
            return Err(invalid("until", message));
        }
        self.pauses.holidays.push(Holiday {
            member,
            season,
            from,
            until,
        });
        Ok(())
    }

    pub(in crate::leagues) fn end_holiday(
        &mut self,
        at: i64,
        member: &str,
    ) -> Result<(), LeagueEventError> {
        let holidays = &mut self.pauses.holidays;
        let own = (0..holidays.len())
            .filter(|index| holidays[*index].member == member && holidays[*index].until > at);
        let next = own.min_by_key(|index| holidays[*index].from);
        let missing = || LeagueEventError::Missing(format!("holiday of {member:?}"));
        let next = next.ok_or_else(missing)?;
        match holidays[next].from < at {
            true => holidays[next].until = at,
            false => drop(holidays.remove(next)),
        }
        Ok(())
    }

    fn check_pause_count(&self) -> Result<(), LeagueEventError> {
        match self.pauses.pauses.len() + self.pauses.holidays.len() < MOST_PAUSES {
            true => Ok(()),
            false => Err(conflict(
                ConflictKind::LimitReached,
                format!("the league has reached the limit of {MOST_PAUSES} pauses and holidays"),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::leagues::event::{LeagueEvent, Rules, SeasonFormat, Seating, SeatingSeat};
    use crate::leagues::fixtures::{begin_league, member};

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_microsecond(hours * 3_600_000_000).unwrap()
    }

    fn running() -> League {
        let rules = Rules {
            holiday_days: 3,
            ..Rules::default()
        };
        let mut league = begin_league(rules, SeasonFormat::Spread, 4);
        let seat = |number: usize| SeatingSeat {
            member: member(number),
            nations: Vec::new(),
        };
        let table = |number: u32, seats: [usize; 2]| Seating {
            table: number,
            round: Some(1),
            game: Some(Uuid::from_u128(u128::from(number))),
            edition: "antike".to_owned(),
            board: None,
            deadline: None,
            byes: Vec::new(),
            seats: seats.map(seat).to_vec(),
        };
        let tables = vec![table(1, [0, 1]), table(2, [2, 3])];
        league
            .add(0, None, &LeagueEvent::TablesCreated { tables })
            .unwrap();
        league
    }

    fn paused(tables: &[u32], until: Option<Timestamp>) -> LeagueEvent {
        LeagueEvent::Paused {
            tables: tables.to_vec(),
            until,
            note: None,
        }
    }

    fn resumed(tables: &[u32]) -> LeagueEvent {
        LeagueEvent::PauseEnded {
            tables: tables.to_vec(),
            note: None,
        }
    }

    fn holiday(number: usize, from: i64, until: i64) -> LeagueEvent {
        LeagueEvent::HolidayTaken {
            member: member(number),
            from: at(from),
            until: at(until),
        }
    }

    #[test]
    fn a_pause_is_of_a_table_or_of_the_league() {
        let mut league = running();
        let hour = |hours| at(hours).as_microsecond();
        league.add(hour(10), None, &paused(&[1], None)).unwrap();
        league
            .add(hour(20), None, &paused(&[], Some(at(30))))
            .unwrap();
        for wrong in [
            paused(&[1], None),
            paused(&[], None),
            paused(&[3], None),
            paused(&[2, 1], None),
        ] {
            assert!(
                league.clone().add(hour(21), None, &wrong).is_err(),
                "{wrong:?}"
            );
        }
        assert!(league.clone().add(hour(21), None, &resumed(&[2])).is_err());
        league.add(hour(25), None, &resumed(&[1])).unwrap();
        let pauses = |table: u32| {
            let pauses = league.pauses_of(league.table_numbered(table).unwrap());
            let hours = |at: i64| at / 3_600_000_000;
            pauses
                .into_iter()
                .map(|pause| (pause.seat, hours(pause.from), pause.until.map(hours)))
                .collect::<Vec<_>>()
        };
        assert_eq!(pauses(1), [(None, 10, Some(25)), (None, 20, Some(30))]);
        assert_eq!(pauses(2), [(None, 20, Some(30))]);
        // The pause of the league is over.
        league.add(hour(31), None, &paused(&[], None)).unwrap();
    }

    #[test]
    fn holidays_use_the_days_of_the_season() {
        let mut league = running();
        let hour = |hours| at(hours).as_microsecond();
        league.add(hour(1), None, &holiday(1, 24, 48)).unwrap();
        for wrong in [
            holiday(1, 47, 50),
            holiday(1, 60, 109),
            holiday(1, 0, 5),
            holiday(1, 60, 60),
            holiday(9, 60, 61),
        ] {
            assert!(
                league.clone().add(hour(2), None, &wrong).is_err(),
                "{wrong:?}"
            );
        }
        league.add(hour(2), None, &holiday(1, 60, 108)).unwrap();
        let pauses = league.pauses_of(league.table_numbered(1).unwrap());
        assert!(pauses.iter().all(|pause| pause.seat == Some(1)));
        assert_eq!(pauses.len(), 2);
        assert!(
            league
                .pauses_of(league.table_numbered(2).unwrap())
                .is_empty()
        );
        // A holiday that has begun is shortened, and a later one is removed.
        let ended = LeagueEvent::HolidayEnded { member: member(1) };
        league.add(hour(36), None, &ended).unwrap();
        assert_eq!(league.holidays_used(1, &member(1)), hour(12 + 48));
        league.add(hour(40), None, &ended).unwrap();
        assert_eq!(league.holidays_used(1, &member(1)), hour(12));
        assert!(league.clone().add(hour(50), None, &ended).is_err());
        let spread = begin_league(Rules::default(), SeasonFormat::Spread, 2);
        assert!(spread.clone().add(0, None, &holiday(1, 24, 25)).is_err());
    }
}
