//! What administrators and the senders of reports may do.

use std::sync::Arc;

use uuid::Uuid;

use crate::accounts::queries::StoredAccount;
use crate::accounts::service::Accounts;
use crate::db::Store;
use crate::db::answers::{KeptRequest, StoredAct};
use crate::db::time::timestamp;
use crate::games::Games;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::page::cut;
use crate::http::scope::Scope;
use crate::leagues::service::Leagues;
use crate::moderation::model::{
    ActBody, ActPage, ActType, NewAct, NewReport, ReportBody, ReportKind, ReportPage,
};
use crate::moderation::queries::{ReportOutcome, StoredReport};

/// The longest reason of an act and text of a report, in bytes.
const LONGEST_TEXT: usize = 1_000;

/// The most open reports of an account.
const MAX_OPEN_REPORTS: i64 = 20;

fn now() -> i64 {
    jiff::Timestamp::now().as_microsecond()
}

fn check_text(field: &str, text: &str) -> Result<(), ServiceError> {
    match (1..=LONGEST_TEXT).contains(&text.len()) {
        true => Ok(()),
        false => Err(ServiceError::invalid(
            field,
            format!("the text must have 1 to {LONGEST_TEXT} bytes"),
        )),
    }
}

fn parse_id(subject: &str, kind: &str) -> Result<Uuid, ServiceError> {
    Uuid::try_parse(subject).map_err(|_| ServiceError::NotFound(format!("{kind} {subject:?}")))
}

/// Moderates accounts, games and leagues.
#[derive(Debug)]
pub struct Moderation {
    store: Arc<Store>,
    accounts: Arc<Accounts>,
    games: Arc<Games>,
    leagues: Arc<Leagues>,
}

impl Moderation {
    /// Creates the moderation of a store.
    pub fn new(
        store: Arc<Store>,
        accounts: Arc<Accounts>,
        games: Arc<Games>,
        leagues: Arc<Leagues>,
    ) -> Moderation {
        Moderation {
            store,
            accounts,
            games,
            leagues,
        }
    }

    /// Carries out an act of an administrator, and adds it to the log of acts.
    pub fn act(&self, call: &Call, new: &NewAct) -> Result<ActBody, ServiceError> {
        let administrator = call.account(Scope::Admin)?.account;
        if let Some(kept) = call.stored_answer(&self.store)? {
            return Ok(kept);
        }
        check_text("reason", &new.reason)?;
        match (new.r#type, &new.handle) {
            (ActType::RenameAccount, None) => {
                return Err(ServiceError::invalid("handle", "give the new handle"));
            }
            (ActType::RenameAccount, Some(_)) | (_, None) => {}
            (_, Some(_)) => {
                let message = "only an account that is renamed receives a handle: omit it";
                return Err(ServiceError::invalid("handle", message));
            }
        }
        let id = self.subject(new)?;
        if new.r#type == ActType::SuspendAccount && id == administrator {
            let message = "this is your own account: another administrator can suspend it";
            return Err(ServiceError::Forbidden(message.to_owned()));
        }
        let stored = StoredAct {
            id: Uuid::now_v7().to_string(),
            at: now(),
            account: administrator.to_string(),
            kind: name(new.r#type),
            subject: id.to_string(),
            detail: new.handle.clone(),
            reason: Some(new.reason.clone()),
        };
        let body = ActBody::from_stored(stored.clone())?;
        let kept = KeptRequest {
            act: Some(stored),
            ..call.keep(&body)?.unwrap_or_default()
        };
        match self.carry_out(new, id, kept) {
            Ok(()) => Ok(body),
            // The same request may have been first.
            Err(error) => call.stored_answer(&self.store)?.ok_or(error),
        }
    }

    /// Returns the id of the subject of an act.
    /// Games, leagues and reports must exist when the act is carried out.
    fn subject(&self, new: &NewAct) -> Result<Uuid, ServiceError> {
        match new.r#type {
            ActType::SuspendAccount
            | ActType::LiftSuspension
            | ActType::RenameAccount
            | ActType::DeleteAccount => Ok(self.account(&new.subject)?.id),
            ActType::HideTexts | ActType::ShowTexts => parse_id(&new.subject, "game"),
            ActType::CloseLeague | ActType::ReopenLeague => {
                let id = parse_id(&new.subject, "league")?;
                Ok(self.leagues.log.now(id)?.id)
            }
            ActType::ResolveReport => parse_id(&new.subject, "report"),
        }
    }

    fn account(&self, named: &str) -> Result<StoredAccount, ServiceError> {
        let found = self.accounts.account_named(named)?;
        let found = found.filter(|account| account.deleted_at.is_none());
        found.ok_or_else(|| ServiceError::NotFound(format!("player {named:?}")))
    }

    fn carry_out(&self, new: &NewAct, id: Uuid, kept: KeptRequest) -> Result<(), ServiceError> {
        match new.r#type {
            ActType::SuspendAccount => self.accounts.suspend(id, true, kept),
            ActType::LiftSuspension => self.accounts.suspend(id, false, kept),
            ActType::RenameAccount => {
                let handle = new.handle.as_deref().unwrap_or_default();
                self.accounts.moderate_handle(id, handle, kept)
            }
            ActType::DeleteAccount => self.accounts.delete_for_administrator(id, kept),
            ActType::HideTexts => self.show_texts(id, false, kept),
            ActType::ShowTexts => self.show_texts(id, true, kept),
            ActType::CloseLeague => Ok(self.store.set_league_closed(id, Some(now()), kept)?),
            ActType::ReopenLeague => Ok(self.store.set_league_closed(id, None, kept)?),
            ActType::ResolveReport => match self.store.resolve_report(id, now(), kept)? {
                true => Ok(()),
                false => Err(ServiceError::NotFound(format!("report {id}"))),
            },
        }
    }

    fn show_texts(&self, game: Uuid, shown: bool, kept: KeptRequest) -> Result<(), ServiceError> {
        match self.store.set_texts_hidden(game, !shown, kept)? {
            true => self.games.refresh(&[game.to_string()]),
            false => Err(ServiceError::NotFound(format!("game {game}"))),
        }
    }

    /// Returns acts before an id, the newest first, perhaps only those on one subject.
    pub fn acts(
        &self,
        call: &Call,
        subject: Option<&str>,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<ActPage, ServiceError> {
        call.account(Scope::Admin)?;
        let found = self.store.acts(subject, before, limit + 1)?;
        let (found, next) = cut(found, limit, |act| act.id.clone());
        let items: Result<Vec<ActBody>, ServiceError> =
            found.into_iter().map(ActBody::from_stored).collect();
        Ok(ActPage {
            items: items?,
            next,
        })
    }

    /// Stores a report of a player about something that the player may see.
    pub fn report(&self, call: &Call, new: &NewReport) -> Result<ReportBody, ServiceError> {
        let account = call.account(Scope::Play)?.account;
        if let Some(kept) = call.stored_answer(&self.store)? {
            return Ok(kept);
        }
        check_text("text", &new.text)?;
        let subject = match new.kind {
            ReportKind::Account => self.account(&new.subject)?.id,
            ReportKind::Game => {
                let id = parse_id(&new.subject, "game")?;
                let table = self.games.table(id)?;
                let sees = self.games.access.sees(call, &table)?;
                let missing = || ServiceError::NotFound(format!("game {id}"));
                sees.then_some(id).ok_or_else(missing)?
            }
            ReportKind::League => {
                self.leagues
                    .get(parse_id(&new.subject, "league")?, call)?
                    .summary
                    .id
            }
        };
        let stored = StoredReport {
            id: Uuid::now_v7().to_string(),
            at: now(),
            account: account.to_string(),
            kind: new.kind.name().to_owned(),
            subject: subject.to_string(),
            text: new.text.clone(),
            resolved_at: None,
        };
        let body = ReportBody::from_stored(stored.clone())?;
        let kept = call.keep(&body)?;
        match self.store.add_report(stored, MAX_OPEN_REPORTS, kept)? {
            ReportOutcome::Stored => Ok(body),
            // The same request may have been first.
            ReportOutcome::Repeated => {
                let repeated = || {
                    let message =
                        "you have reported this already: an administrator will look at it";
                    ServiceError::conflict(ConflictKind::AlreadyReported, message)
                };
                call.stored_answer(&self.store)?.ok_or_else(repeated)
            }
            ReportOutcome::TooMany => Err(ServiceError::conflict(
                ConflictKind::LimitReached,
                format!(
                    "an account can have at most {MAX_OPEN_REPORTS} open reports: wait until an administrator has \
                     resolved some"
                ),
            )),
        }
    }

    /// Returns reports after an id, the oldest first, perhaps only the open or the resolved ones.
    pub fn reports(
        &self,
        call: &Call,
        open: Option<bool>,
        after: Option<Uuid>,
        limit: usize,
    ) -> Result<ReportPage, ServiceError> {
        call.account(Scope::Admin)?;
        let found = self.store.reports(open, after, limit + 1)?;
        let (found, next) = cut(found, limit, |report| report.id.clone());
        let items: Result<Vec<ReportBody>, ServiceError> =
            found.into_iter().map(ReportBody::from_stored).collect();
        Ok(ReportPage {
            items: items?,
            next,
        })
    }
}

/// Returns the name of a type in JSON and in the database.
fn name(act: ActType) -> String {
    // A unit variant always serializes as its name.
    let value = serde_json::to_value(act).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

fn stored_id(id: &str) -> Result<Uuid, ServiceError> {
    id.parse()
        .map_err(|error: uuid::Error| ServiceError::Damaged {
            id: format!("{id:?} in the log of acts or the reports"),
            message: error.to_string(),
        })
}

impl ActBody {
    fn from_stored(act: StoredAct) -> Result<ActBody, ServiceError> {
        Ok(ActBody {
            id: stored_id(&act.id)?,
            at: timestamp(act.at),
            account: stored_id(&act.account)?,
            r#type: act.kind,
            subject: act.subject,
            handle: act.detail,
            reason: act.reason,
        })
    }
}

impl ReportBody {
    fn from_stored(report: StoredReport) -> Result<ReportBody, ServiceError> {
        let kind = ReportKind::ALL
            .into_iter()
            .find(|kind| kind.name() == report.kind);
        Ok(ReportBody {
            id: stored_id(&report.id)?,
            at: timestamp(report.at),
            account: stored_id(&report.account)?,
            kind: kind.ok_or_else(|| ServiceError::Damaged {
                id: format!("report {}", report.id),
                message: format!("its kind {:?} is unknown", report.kind),
            })?,
            subject: stored_id(&report.subject)?,
            text: report.text,
            resolved_at: report.resolved_at.map(timestamp),
        })
    }
}
