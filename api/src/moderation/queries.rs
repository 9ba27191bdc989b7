//! Queries of the log of acts and of reports.

use diesel::prelude::*;
use uuid::Uuid;

use crate::db::answers::{KeptRequest, StoredAct, keep_answer};
use crate::db::schema::{administrator_acts as acts, reports};
use crate::db::{Store, StoreError};

/// A report, as stored.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable, Insertable)]
#[diesel(table_name = reports)]
pub struct StoredReport {
    /// UUIDv7.
    pub id: String,
    /// Microseconds since 1970.
    pub at: i64,
    /// The account that sent it.
    pub account: String,
    /// The name of the kind.
    pub kind: String,
    /// The id of the account, game or league.
    pub subject: String,
    /// What is wrong.
    pub text: String,
    /// When it was resolved, in microseconds since 1970; `None` if it is open.
    pub resolved_at: Option<i64>,
}

/// What became of a new report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportOutcome {
    /// It is stored.
    Stored,
    /// The account has an open report of the same subject.
    Repeated,
    /// The account has too many open reports.
    TooMany,
}

impl Store {
    /// Returns acts before an id, the newest first, perhaps only those on one subject.
    pub(super) fn acts(
        &self,
        subject: Option<&str>,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<StoredAct>, StoreError> {
        let connection = &mut *self.connection()?;
        let mut query = acts::table.into_boxed();
        if let Some(subject) = subject {
            query = query.filter(acts::subject.eq(subject.to_owned()));
        }
        if let Some(before) = before {
            query = query.filter(acts::id.lt(before.to_string()));
        }
        let query = query.order(acts::id.desc()).limit(limit as i64);
        Ok(query.load(connection)?)
    }

    /// Stores a report, if its account has less than `most` open ones and none of the same subject.
    pub(super) fn add_report(
        &self,
        report: StoredReport,
        most: i64,
        kept: Option<KeptRequest>,
    ) -> Result<ReportOutcome, StoreError> {
        self.write(move |connection| {
            let open = reports::table
                .filter(reports::account.eq(report.account.clone()))
                .filter(reports::resolved_at.is_null());
            let subjects: Vec<String> =
                open.select(reports::subject).limit(most).load(connection)?;
            if subjects.contains(&report.subject) {
                return Ok(ReportOutcome::Repeated);
            }
            if subjects.len() as i64 >= most {
                return Ok(ReportOutcome::TooMany);
            }
            diesel::insert_into(reports::table)
                .values(report)
                .execute(connection)?;
            keep_answer(connection, kept)?;
            Ok(ReportOutcome::Stored)
        })
    }

    /// Returns reports after an id, the oldest first, perhaps only the open or the resolved ones.
    pub(super) fn reports(
        &self,
        open: Option<bool>,
        after: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<StoredReport>, StoreError> {
        let connection = &mut *self.connection()?;
        let mut query = reports::table.into_boxed();
        query = match open {
            Some(true) => query.filter(reports::resolved_at.is_null()),
            Some(false) => query.filter(reports::resolved_at.is_not_null()),
            None => query,
        };
        if let Some(after) = after {
            query = query.filter(reports::id.gt(after.to_string()));
        }
        let query = query.order(reports::id).limit(limit as i64);
        Ok(query.load(connection)?)
    }

    /// Marks a report as resolved. Returns false if there is no such report.
    pub(super) fn resolve_report(
        &self,
        id: Uuid,
        now: i64,
        kept: KeptRequest,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let report = reports::table.find(id.to_string());
            let changed = diesel::update(report)
                .set(reports::resolved_at.eq(now))
                .execute(connection)?;
            if changed == 0 {
                return Ok(false);
            }
            keep_answer(connection, kept)?;
            Ok(true)
        })
    }
}
