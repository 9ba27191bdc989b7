//! Pauses, holidays and used time: the operations and their permissions.

use std::collections::HashMap;

use uuid::Uuid;

use crate::db::time::timestamp;
use crate::games::draft::Draft;
use crate::games::model::Append;
use crate::games::waits::SeatWaits;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::leagues::bodies::member_body;
use crate::leagues::event::LeagueEvent;
use crate::leagues::league::{League, LeagueTable, TableState};
use crate::leagues::limits::MOST_TOGETHER;
use crate::leagues::pause_model::{
    HolidayBody, NewHoliday, NewPause, PauseBody, PauseEnd, PausesBody, TimeUsedBody, TimesBody,
};
use crate::leagues::pauses::NOTICE;
use crate::leagues::seasons::SeasonAt;
use crate::leagues::service::{LeagueStep, Leagues};

/// The most games whose logs are read for the time that members have used.
const MOST_READ: usize = 400;

impl Leagues {
    /// Pauses the clocks of the league, of a round or of a table.
    pub fn pause(&self, id: Uuid, call: &Call, new: &NewPause) -> Result<PausesBody, ServiceError> {
        self.change_pauses(id, call, |league| {
            let by = call.organizes(league)?;
            let event = LeagueEvent::Paused {
                tables: paused_tables(league, new.round, new.table)?,
                until: new.until,
                note: new.note.clone(),
            };
            Ok((by, event))
        })
    }

    /// Ends pauses of the league, of a round or of a table.
    pub fn end_pause(
        &self,
        id: Uuid,
        call: &Call,
        end: &PauseEnd,
    ) -> Result<PausesBody, ServiceError> {
        self.change_pauses(id, call, |league| {
            let by = call.organizes(league)?;
            let mut tables = paused_tables(league, end.round, end.table)?;
            if end.round.is_some() {
                let at = self.store.now();
                tables.retain(|number| {
                    let mut pauses = league.pauses.pauses.iter();
                    pauses.any(|pause| {
                        pause.table == Some(*number) && pause.until.is_none_or(|until| until > at)
                    })
                });
                if tables.is_empty() {
                    let message = "paused table in this round".to_owned();
                    return Err(ServiceError::NotFound(message));
                }
            }
            let note = end.note.clone();
            Ok((by, LeagueEvent::PauseEnded { tables, note }))
        })
    }

    /// Takes a holiday, by the member or an organizer.
    pub fn take_holiday(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewHoliday,
    ) -> Result<PausesBody, ServiceError> {
        self.change_pauses(id, call, |league| {
            let (by, member) = self.acting_for(league, call, new.member.as_deref())?;
            if new.member.is_none() && new.from.as_microsecond() < self.store.now() + NOTICE {
                let message =
                    "a holiday begins at least 12 hours ahead: ask an organizer for an earlier one";
                return Err(ServiceError::invalid("from", message));
            }
            let event = LeagueEvent::HolidayTaken {
                member,
                from: new.from,
                until: new.until,
            };
            Ok((by, event))
        })
    }

    /// Ends the current holiday of a member, or removes the next one; by the member or an organizer.
    pub fn end_holiday(
        &self,
        id: Uuid,
        call: &Call,
        named: &str,
    ) -> Result<PausesBody, ServiceError> {
        self.change_pauses(id, call, |league| {
            let (by, member) = self.own_or_organized(league, call, named)?;
            Ok((by, LeagueEvent::HolidayEnded { member }))
        })
    }

    /// Returns the pauses and holidays of a league.
    pub fn pauses(&self, id: Uuid, call: &Call) -> Result<PausesBody, ServiceError> {
        self.pauses_body(&*self.visible_league(id, call)?)
    }

    fn pauses_body(&self, league: &League) -> Result<PausesBody, ServiceError> {
        let names = self.names_in(league)?;
        Ok(PausesBody {
            seq: league.seq,
            pauses: (league.pauses.pauses.iter())
                .map(|pause| PauseBody {
                    table: pause.table,
                    from: timestamp(pause.from),
                    until: pause.until.map(timestamp),
                    note: pause.note.clone(),
                })
                .collect(),
            holidays: (league.pauses.holidays.iter())
                .map(|holiday| HolidayBody {
                    member: member_body(league, &holiday.member, &names),
                    season: holiday.season,
                    from: timestamp(holiday.from),
                    until: timestamp(holiday.until),
                })
                .collect(),
        })
    }

    /// Adds an event about pauses, and stores the pauses of all running games in the same transaction.
    fn change_pauses(
        &self,
        id: Uuid,
        call: &Call,
        work: impl Fn(&League) -> Result<(Uuid, LeagueEvent), ServiceError>,
    ) -> Result<PausesBody, ServiceError> {
        self.write(id, call, |league| {
            let (by, event) = work(league)?;
            // Games have this clock too.
            let row = league.add(self.store.now(), Some(by), &event)?;
            Ok(LeagueStep {
                row,
                tables: self.paused_games(league, None)?,
                answer: self.pauses_body(league)?,
            })
        })
    }

    /// Prepares the pauses of the running games of a league for writing: of all, or of one table.
    pub(in crate::leagues) fn paused_games(
        &self,
        league: &League,
        only: Option<u32>,
    ) -> Result<Vec<(Draft, Append)>, ServiceError> {
        let running = league.tables.iter().filter(|table| {
            table.state == TableState::Playing && only.is_none_or(|number| number == table.number)
        });
        let mut changed = Vec::new();
        for table in running {
            if let Some(game) = table.game {
                let pauses = league.pauses_of(table);
                changed.extend(self.games.prepare_pauses(game, pauses)?);
            }
        }
        Ok(changed)
    }

    /// Returns the time that the members of a season have used in its games on this server.
    pub fn times(&self, call: &Call, at: SeasonAt) -> Result<TimesBody, ServiceError> {
        let (league, season) = self.visible_season(call, at)?;
        let names = self.names_in(&league)?;
        let mut used: HashMap<&str, SeatWaits> = HashMap::new();
        let tables = league.tables.iter().filter(|table| {
            table.season == season && table.game.is_some() && table.state != TableState::Void
        });
        let tables: Vec<&LeagueTable> = tables.collect();
        // The last games are those that matter now.
        for table in tables.iter().rev().take(MOST_READ) {
            let Some(game) = table.game else {
                continue;
            };
            for (player, waits) in self.games.waits(game, &league.pauses_of(table))? {
                let known = league.members.iter().find(|member| member.id == player);
                if let Some(member) = known {
                    used.entry(&member.id).or_default().add(&waits);
                }
            }
        }
        let seconds = |microseconds: i64| u64::try_from(microseconds / 1_000_000).unwrap_or(0);
        let mut rows: Vec<(i64, TimeUsedBody)> = used
            .into_iter()
            .map(|(member, waits)| {
                let row = TimeUsedBody {
                    member: member_body(&league, member, &names),
                    turns: waits.turns,
                    seconds: seconds(waits.total),
                    longest_seconds: seconds(waits.longest),
                    timeouts: waits.timeouts,
                    waiting: waits.waiting,
                    waiting_since: waits.since.map(timestamp),
                };
                (waits.total / i64::from(waits.turns.max(1)), row)
            })
            .collect();
        rows.sort_by(|(one, first), (other, second)| {
            (other, &first.member.id).cmp(&(one, &second.member.id))
        });
        Ok(TimesBody {
            league: league.id,
            season,
            seq: league.seq,
            rows: rows.into_iter().map(|(_, row)| row).collect(),
        })
    }
}

/// Returns the running tables that pause; none for the whole league.
fn paused_tables(
    league: &League,
    round: Option<u16>,
    table: Option<u32>,
) -> Result<Vec<u32>, ServiceError> {
    let season = league.season()?;
    let running = |of_round: u16| {
        let tables = league.tables.iter().filter(move |table| {
            (table.season, table.round) == (season, Some(of_round))
                && table.state == TableState::Playing
        });
        tables
            .map(|table| table.number)
            .take(MOST_TOGETHER)
            .collect::<Vec<u32>>()
    };
    match (round, table) {
        (Some(_), Some(_)) => Err(ServiceError::invalid(
            "round",
            "give `round` or `table`, not both",
        )),
        (Some(round), None) => match running(round) {
            tables if tables.is_empty() => Err(ServiceError::NotFound(format!(
                "running table of round {round}"
            ))),
            tables => Ok(tables),
        },
        (None, Some(table)) => Ok(vec![table]),
        (None, None) => Ok(Vec::new()),
    }
}
