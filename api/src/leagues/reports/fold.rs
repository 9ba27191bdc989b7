//! Folds the events about reports and disputes into a league.

use uuid::Uuid;

use crate::http::error::ConflictKind;
use crate::leagues::event::{LeagueEvent, Seating};
use crate::leagues::fold::{
    LONGEST_NOTE, LeagueEventError, check_note, check_ranks, check_text, conflict, invalid,
};
use crate::leagues::league::{
    Dispute, League, LeagueResult, ReportState, ResultReport, TableState,
};

fn account(by: Option<&str>) -> Result<Uuid, LeagueEventError> {
    let account = by.and_then(|by| Uuid::try_parse(by).ok());
    account.ok_or_else(|| LeagueEventError::Broken("the event has no account".to_owned()))
}

impl League {
    /// Adds a report.
    pub(in crate::leagues) fn add_report(
        &mut self,
        (at, by): (i64, Option<&str>),
        new: ResultReport,
    ) -> Result<(), LeagueEventError> {
        if new.number as usize != self.reports.len() + 1 {
            return Err(invalid(
                "report",
                "this is not the number of the next report",
            ));
        }
        check_note(new.note.as_deref())?;
        check_ranks(&new.ranks, new.table.seats.len())?;
        self.check_season_open()?;
        if new.table.table > 0 {
            let table = self.table(new.table.table)?;
            if !matches!(table.state, TableState::Playing | TableState::Abandoned) {
                let message = "the table has a result: dispute it if it is wrong";
                return Err(conflict(ConflictKind::AlreadyCounted, message));
            }
        }
        let by = account(by)?;
        self.reports.push(ResultReport { by, at, ..new });
        Ok(())
    }

    /// Returns a report.
    pub(in crate::leagues) fn report_numbered(
        &self,
        number: u32,
    ) -> Result<&ResultReport, LeagueEventError> {
        let index = (number as usize).checked_sub(1);
        let found = index.and_then(|index| self.reports.get(index));
        found.ok_or_else(|| LeagueEventError::Missing(format!("report {number}")))
    }

    /// Answers a report. If it is accepted, `table` is the number of the table with its result.
    pub(in crate::leagues) fn answer_report(
        &mut self,
        (at, by): (i64, Option<&str>),
        number: u32,
        table: Option<u32>,
        note: Option<String>,
    ) -> Result<(), LeagueEventError> {
        check_note(note.as_deref())?;
        let report = self.report_numbered(number)?.clone();
        if !report.state.is_open() {
            let message = "the report is already answered";
            return Err(conflict(ConflictKind::AlreadyAnswered, message));
        }
        if let Some(table) = table {
            self.count_report(at, by, &report, table)?;
        }
        let answer = note.clone().unwrap_or_default();
        let answered_by = account(by)?;
        let of_report = self.disputes.iter_mut();
        for dispute in of_report.filter(|dispute| dispute.report == Some(number)) {
            dispute.answer = Some((answered_by, answer.clone()));
        }
        let index = number as usize - 1;
        if let Some(report) = self.reports.get_mut(index) {
            report.state = match table {
                Some(_) => ReportState::Accepted,
                None => ReportState::Rejected,
            };
            report.table.table = table.unwrap_or(report.table.table);
            report.answer = note;
        }
        Ok(())
    }

    /// Enters the result of a report.
    fn count_report(
        &mut self,
        at: i64,
        by: Option<&str>,
        report: &ResultReport,
        number: u32,
    ) -> Result<(), LeagueEventError> {
        if report.table.table == 0 {
            let event = LeagueEvent::ResultEntered {
                table: Seating {
                    table: number,
                    ..report.table.clone()
                },
                played_at: report.played_at,
                reason: None,
                ranks: report.ranks.clone(),
                note: report.note.clone(),
            };
            return self.apply(at, by, event);
        }
        let table = self.table(number)?;
        if report.table.table != number
            || !matches!(table.state, TableState::Playing | TableState::Abandoned)
            || table.seats.len() != report.ranks.len()
        {
            let message = "the table has a result, or other seats: correct the table";
            return Err(conflict(ConflictKind::AlreadyCounted, message));
        }
        table.state = TableState::Counted;
        table.played_at = report.played_at;
        table.set_note(report.note.clone());
        table.result = Some(LeagueResult {
            ranks: report.ranks.clone(),
            reason: None,
            adjudicated: false,
            at,
            by: by.map(str::to_owned),
        });
        Ok(())
    }

    /// Adds a dispute.
    pub(in crate::leagues) fn add_dispute(
        &mut self,
        (at, by): (i64, Option<&str>),
        new: Dispute,
    ) -> Result<(), LeagueEventError> {
        if new.number as usize != self.disputes.len() + 1 {
            return Err(invalid(
                "dispute",
                "this is not the number of the next dispute",
            ));
        }
        check_text("text", Some(&new.text), LONGEST_NOTE)?;
        match (new.table, new.report) {
            (Some(table), None) => {
                self.table(table)?;
            }
            (None, Some(number)) => {
                if !self.report_numbered(number)?.state.is_open() {
                    let message = "the report is already answered: dispute the table";
                    return Err(conflict(ConflictKind::AlreadyAnswered, message));
                }
                if let Some(report) = self.reports.get_mut(number as usize - 1) {
                    report.state = ReportState::Disputed;
                }
            }
            _ => return Err(invalid("table", "give either `table` or `report`")),
        }
        let by = account(by)?;
        self.disputes.push(Dispute { by, at, ..new });
        Ok(())
    }

    /// Answers a dispute.
    pub(in crate::leagues) fn answer_dispute(
        &mut self,
        by: Option<&str>,
        number: u32,
        text: String,
    ) -> Result<(), LeagueEventError> {
        check_text("text", Some(&text), LONGEST_NOTE)?;
        let by = account(by)?;
        let index = (number as usize).checked_sub(1);
        let found = index.and_then(|index| self.disputes.get_mut(index));
        let dispute =
            found.ok_or_else(|| LeagueEventError::Missing(format!("dispute {number}")))?;
        if dispute.answer.is_some() {
            let message = "the dispute is already answered";
            return Err(conflict(ConflictKind::AlreadyAnswered, message));
        }
        dispute.answer = Some((by, text));
        Ok(())
    }
}
