//! Reporting results, answering reports, and disputes.

use std::collections::HashMap;

use uuid::Uuid;

use crate::db::time::timestamp;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::page::cut;
use crate::http::scope::Scope;
use crate::leagues::bodies::member_body;
use crate::leagues::event::{LeagueEvent, LeagueRole, Seating, SeatingSeat};
use crate::leagues::league::{Dispute, League, LeagueTable, ReportState, ResultReport};
use crate::leagues::limits::MOST_EVENTS;
use crate::leagues::members::KEPT_EVENTS;
use crate::leagues::queries::now;
use crate::leagues::reports::model::{
    ChangedDispute, ChangedReport, DisputeAnswer, DisputeBody, DisputePage, NewDispute,
    NewResultReport, ReportAnswer, ReportSeatBody, ResultReportBody, ResultReportPage,
};
use crate::leagues::service::{Leagues, within};
use crate::leagues::tables::{check_format, check_new, check_past, check_round, same_result};

/// The most reports, and the most disputes, of an account that wait for an answer.
const MOST_OPEN: usize = 20;

impl Leagues {
    /// Reports the result of a table where the caller plays.
    pub(crate) fn report(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewResultReport,
    ) -> Result<ChangedReport, ServiceError> {
        let work = |league: &League| {
            let by = call.account(Scope::Play)?.account;
            check_member(league, by)?;
            let event = self.report_event(league, by, new)?;
            Ok((by, event))
        };
        self.change(id, call, work, |league| {
            self.changed_report(league, league.reports.len() as u32)
        })
    }

    fn report_event(
        &self,
        league: &League,
        by: Uuid,
        new: &NewResultReport,
    ) -> Result<LeagueEvent, ServiceError> {
        let (table, played_at, ranks, note) = match (new.table, &new.result) {
            (Some(number), None) => {
                let missing = || ServiceError::NotFound(format!("table {number}"));
                let table = league.table_numbered(number).ok_or_else(missing)?;
                (seating(table), None, new.ranks.clone(), new.note.clone())
            }
            (None, Some(result)) => {
                if result.game.is_some() || !result.byes.is_empty() {
                    let message =
                        "a report is about an over-the-board game, without `game` and `byes`";
                    return Err(ServiceError::invalid("result", message));
                }
                let checked = || {
                    check_round(result.round)?;
                    result.played_at.map_or(Ok(()), check_past)?;
                    let next = league.tables.len() as u32 + 1;
                    let event = self.result_at_table(league, result, next)?;
                    if !result.again {
                        check_new(league, &event)?;
                    }
                    // What is refused as a result is refused as a report.
                    League::clone(league).add(now(), Some(by), &event)?;
                    Ok(event)
                };
                match checked().map_err(|error| within("result", error))? {
                    LeagueEvent::ResultEntered {
                        mut table,
                        played_at,
                        ranks,
                        ..
                    } => {
                        check_format(league, &[&table], |_| "result.seats".to_owned())?;
                        table.table = 0;
                        (table, played_at, ranks, result.note.clone())
                    }
                    _ => {
                        return Err(ServiceError::invalid(
                            "result",
                            "give an over-the-board game",
                        ));
                    }
                }
            }
            _ => {
                let message = "give either `table` with `ranks`, or `result`";
                return Err(ServiceError::invalid("table", message));
            }
        };
        let own = by.to_string();
        if !table.seats.iter().any(|seat| seat.member == own) {
            let message = "you do not play at this table: report the results of your own tables";
            return Err(ServiceError::Forbidden(message.to_owned()));
        }
        let mut open = league.reports.iter().filter(|one| one.state.is_open());
        if let Some(same) = open.clone().find(|one| is_same(&one.table, &table)) {
            let message = format!(
                "report {} about this game waits for an answer: confirm or dispute it",
                same.number
            );
            return Err(ServiceError::conflict(
                ConflictKind::AlreadyReported,
                message,
            ));
        }
        check_room(league, open.by_ref().filter(|one| one.by == by).count())?;
        Ok(LeagueEvent::ResultReported {
            report: league.reports.len() as u32 + 1,
            table,
            played_at,
            ranks,
            note,
        })
    }

    /// Confirms, accepts, rejects or withdraws a report.
    pub(crate) fn answer_report(
        &self,
        id: Uuid,
        call: &Call,
        number: u32,
        answer: &ReportAnswer,
    ) -> Result<ChangedReport, ServiceError> {
        let work = |league: &League| {
            let report = league.report_numbered(number)?;
            let by = may_answer(league, call, report, answer.accept)?;
            if report.state == ReportState::Disputed && answer.note.is_none() {
                let message = "the report is disputed: give the reason of the decision";
                return Err(ServiceError::invalid("note", message));
            }
            let table = match report.table.table {
                0 => league.tables.len() as u32 + 1,
                table => table,
            };
            if answer.accept && report.table.table == 0 {
                check_not_entered(league, report)?;
            }
            let event = LeagueEvent::ReportAnswered {
                report: number,
                table: answer.accept.then_some(table),
                note: answer.note.clone(),
            };
            Ok((by, event))
        };
        self.change(id, call, work, |league| self.changed_report(league, number))
    }

    /// Disputes a report or the result of a table where the caller plays.
    pub(crate) fn dispute(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewDispute,
    ) -> Result<ChangedDispute, ServiceError> {
        let work = |league: &League| {
            let by = call.account(Scope::Play)?.account;
            check_member(league, by)?;
            let own = by.to_string();
            let plays = match (new.table, new.report) {
                (Some(number), None) => {
                    let missing = || ServiceError::NotFound(format!("table {number}"));
                    let table = league.table_numbered(number).ok_or_else(missing)?;
                    table.seats.iter().any(|seat| seat.members.contains(&own))
                }
                (None, Some(number)) => league.report_numbered(number)?.has(&own),
                // The event is refused.
                _ => true,
            };
            if !plays {
                let message = "you do not play at this table: only its players dispute a result";
                return Err(ServiceError::Forbidden(message.to_owned()));
            }
            let open = league.disputes.iter().filter(|one| one.answer.is_none());
            let mut own = open.filter(|one| one.by == by);
            if own
                .clone()
                .any(|one| (one.table, one.report) == (new.table, new.report))
            {
                let message = "you have disputed this already: wait for the answer";
                return Err(ServiceError::conflict(
                    ConflictKind::AlreadyReported,
                    message,
                ));
            }
            check_room(league, own.by_ref().count())?;
            let event = LeagueEvent::DisputeOpened {
                dispute: league.disputes.len() as u32 + 1,
                table: new.table,
                report: new.report,
                text: new.text.clone(),
            };
            Ok((by, event))
        };
        self.change(id, call, work, |league| {
            self.changed_dispute(league, league.disputes.len() as u32)
        })
    }

    /// Answers a dispute about a table.
    pub(crate) fn answer_dispute(
        &self,
        id: Uuid,
        call: &Call,
        number: u32,
        answer: &DisputeAnswer,
    ) -> Result<ChangedDispute, ServiceError> {
        let work = |league: &League| {
            let by = call.acts_as(league, LeagueRole::Referee)?;
            let missing = || ServiceError::NotFound(format!("dispute {number}"));
            let dispute = dispute_numbered(league, number).ok_or_else(missing)?;
            let own = by.to_string();
            let table = dispute.table.and_then(|table| league.table_numbered(table));
            if table.is_some_and(|table| table.seats.iter().any(|seat| seat.members.contains(&own)))
            {
                return Err(partial());
            }
            if dispute.report.is_some() && dispute.answer.is_none() {
                let message =
                    "the dispute is about a report: accept or reject the report, with a note";
                return Err(ServiceError::invalid("text", message));
            }
            let event = LeagueEvent::DisputeAnswered {
                dispute: number,
                text: answer.text.clone(),
            };
            Ok((by, event))
        };
        self.change(id, call, work, |league| {
            self.changed_dispute(league, number)
        })
    }

    /// Returns a page of reports after a number, and the last event of the league.
    pub(crate) fn reports(
        &self,
        id: Uuid,
        call: &Call,
        behind: Option<u32>,
        limit: usize,
    ) -> Result<(ResultReportPage, u64), ServiceError> {
        let league = self.visible_league(id, call)?;
        let names = self.names_in(&league)?;
        let wanted = league.reports.iter().skip(behind.unwrap_or(0) as usize);
        let wanted: Vec<&ResultReport> = wanted.take(limit + 1).collect();
        let (wanted, next) = cut(wanted, limit, |report| report.number.to_string());
        let bodies = wanted
            .into_iter()
            .map(|report| report_body(&league, report, &names));
        let page = ResultReportPage {
            items: bodies.collect(),
            next,
        };
        Ok((page, league.seq))
    }

    /// Returns a page of disputes after a number, and the last event of the league.
    pub(crate) fn disputes(
        &self,
        id: Uuid,
        call: &Call,
        behind: Option<u32>,
        limit: usize,
    ) -> Result<(DisputePage, u64), ServiceError> {
        let league = self.visible_league(id, call)?;
        let names = self.names_in(&league)?;
        let wanted = league.disputes.iter().skip(behind.unwrap_or(0) as usize);
        let wanted: Vec<&Dispute> = wanted.take(limit + 1).collect();
        let (wanted, next) = cut(wanted, limit, |dispute| dispute.number.to_string());
        let bodies = wanted
            .into_iter()
            .map(|dispute| dispute_body(&league, dispute, &names));
        let page = DisputePage {
            items: bodies.collect(),
            next,
        };
        Ok((page, league.seq))
    }

    fn changed_report(&self, league: &League, number: u32) -> Result<ChangedReport, ServiceError> {
        let report = league.report_numbered(number)?;
        Ok(ChangedReport {
            seq: league.seq,
            report: report_body(league, report, &self.names_in(league)?),
        })
    }

    fn changed_dispute(
        &self,
        league: &League,
        number: u32,
    ) -> Result<ChangedDispute, ServiceError> {
        let missing = || ServiceError::NotFound(format!("dispute {number}"));
        let dispute = dispute_numbered(league, number).ok_or_else(missing)?;
        Ok(ChangedDispute {
            seq: league.seq,
            dispute: dispute_body(league, dispute, &self.names_in(league)?),
        })
    }
}

fn dispute_numbered(league: &League, number: u32) -> Option<&Dispute> {
    league.disputes.get((number as usize).checked_sub(1)?)
}

/// Returns a table as it was created, with the current player of each seat.
fn seating(table: &LeagueTable) -> Seating {
    let seats = table.seats.iter().map(|seat| SeatingSeat {
        member: seat.members.last().cloned().unwrap_or_default(),
        nations: seat.nations.clone(),
    });
    Seating {
        table: table.number,
        round: table.round,
        game: table.game,
        edition: table.edition.clone(),
        board: table.board.clone(),
        deadline: None,
        byes: Vec::new(),
        seats: seats.collect(),
    }
}

/// Whether two reports are about the same game: one table, or the same members in the same round.
fn is_same(one: &Seating, other: &Seating) -> bool {
    let members = |table: &Seating| {
        let mut members: Vec<String> = table.seats.iter().map(|seat| seat.member.clone()).collect();
        members.sort_unstable();
        members
    };
    one.table == other.table
        && (one.table > 0 || (one.round == other.round && members(one) == members(other)))
}

fn check_member(league: &League, account: Uuid) -> Result<(), ServiceError> {
    let member = league.member(&account.to_string());
    match member.is_some_and(|member| member.active) {
        true => Ok(()),
        false => Err(ServiceError::Forbidden(
            "only members of the league may do this".to_owned(),
        )),
    }
}

/// Checks that an account has few open reports or disputes, and that the league has room for those of members.
fn check_room(league: &League, open: usize) -> Result<(), ServiceError> {
    if open >= MOST_OPEN {
        let message = format!("{open} of yours wait for an answer, which is the limit");
        return Err(ServiceError::conflict(ConflictKind::LimitReached, message));
    }
    if league.seq >= MOST_EVENTS - KEPT_EVENTS {
        let message =
            "the league has room for events of officials only: ask one to enter the result";
        return Err(ServiceError::conflict(ConflictKind::LimitReached, message));
    }
    Ok(())
}

fn partial() -> ServiceError {
    ServiceError::Forbidden("you play at this table: ask another official to decide".to_owned())
}

/// Checks that the caller may answer a report, and returns the account.
fn may_answer(
    league: &League,
    call: &Call,
    report: &ResultReport,
    accept: bool,
) -> Result<Uuid, ServiceError> {
    let own = call.account(Scope::Play)?.account;
    let plays = report.has(&own.to_string());
    let is_reporter = report.by == own;
    let confirms = accept && plays && !is_reporter && report.state == ReportState::Open;
    let withdraws = !accept && is_reporter;
    if confirms || withdraws {
        return Ok(own);
    }
    let least = match report.state {
        ReportState::Disputed => LeagueRole::Referee,
        _ => LeagueRole::Scorer,
    };
    if league.role_of(own).is_none() && plays {
        let message = match accept {
            _ if report.state == ReportState::Disputed => {
                "a referee or organizer who does not play at the table decides about this dispute"
            }
            true => "another player of the table or an official has to confirm this report",
            false => "open a dispute about this report, and an official decides",
        };
        return Err(ServiceError::Forbidden(message.to_owned()));
    }
    let by = call.acts_as(league, least)?;
    match plays && report.state == ReportState::Disputed {
        true => Err(partial()),
        false => Ok(by),
    }
}

/// Checks that the result of a report was not entered since.
fn check_not_entered(league: &League, report: &ResultReport) -> Result<(), ServiceError> {
    let event = LeagueEvent::ResultEntered {
        table: report.table.clone(),
        played_at: report.played_at,
        reason: None,
        ranks: report.ranks.clone(),
        note: None,
    };
    let same = same_result(league, league.season()?, &event);
    let since = same.filter(|table| {
        let result = table.result.as_ref();
        result.is_some_and(|result| result.at > report.at)
    });
    match since {
        None => Ok(()),
        Some(table) => Err(ServiceError::conflict(
            ConflictKind::AlreadyCounted,
            format!(
                "this result was entered as table {} since: reject the report",
                table.number
            ),
        )),
    }
}

fn report_body(
    league: &League,
    report: &ResultReport,
    names: &HashMap<String, String>,
) -> ResultReportBody {
    let table = &report.table;
    let seats = table.seats.iter().zip(&report.ranks);
    ResultReportBody {
        report: report.number,
        state: report.state,
        table: Some(table.table).filter(|table| *table > 0),
        round: table.round,
        edition: table.edition.clone(),
        board: table.board.clone(),
        played_at: report.played_at,
        seats: seats
            .map(|(seat, rank)| ReportSeatBody {
                member: member_body(league, &seat.member, names),
                nations: seat.nations.clone(),
                rank: *rank,
            })
            .collect(),
        note: report.note.clone(),
        by: member_body(league, &report.by.to_string(), names),
        at: timestamp(report.at),
        answer: report.answer.clone(),
    }
}

fn dispute_body(
    league: &League,
    dispute: &Dispute,
    names: &HashMap<String, String>,
) -> DisputeBody {
    let answer = dispute.answer.as_ref();
    DisputeBody {
        dispute: dispute.number,
        table: dispute.table,
        report: dispute.report,
        text: dispute.text.clone(),
        by: member_body(league, &dispute.by.to_string(), names),
        at: timestamp(dispute.at),
        answer: answer.map(|(_, text)| text.clone()),
        answered_by: answer.and_then(|(by, _)| names.get(&by.to_string()).cloned()),
    }
}
