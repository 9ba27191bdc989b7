//! Changes of settings, requests to join, the invitation link, closing and deleting.

use uuid::Uuid;

use crate::db::StoreError;
use crate::db::time::timestamp;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::scope::Scope;
use crate::http::secret::{fresh, hashed};
use crate::leagues::event::{
    Joining, LeagueEvent, LeagueRole, LeagueSettings, RegistrationQuestion,
};
use crate::leagues::league::League;
use crate::leagues::log::not_found;
use crate::leagues::members::{check_return, may_join};
use crate::leagues::model::{LeagueAccountBody, LeagueBody};
use crate::leagues::queries::now;
use crate::leagues::registration::model::{
    AnswerBody, InvitationLink, NewRegistration, RegistrationBody, RegistrationForm,
    RegistrationOutcome, RegistrationState, RegistrationsBody,
};
use crate::leagues::registration::queries::StoredRegistration;
use crate::leagues::service::{LeagueStep, Leagues};

/// The longest answer to a question, in bytes.
const LONGEST_ANSWER: usize = 500;

/// The number of characters of an invitation link's code, each worth 4 random bits.
const CODE: usize = 32;

/// Returns the hash of a code, as the log contains it.
fn hash(code: &str) -> String {
    hashed(&format!("league {code}"))
}

impl League {
    /// Whether a code is that of the current invitation link.
    pub(in crate::leagues) fn has_code(&self, code: Option<&str>) -> bool {
        code.is_some_and(|code| self.invitation.as_deref() == Some(&*hash(code)))
    }

    fn registration_state(&self, account: Uuid) -> Option<RegistrationState> {
        if self.requests.contains(&account) {
            return Some(RegistrationState::Requested);
        }
        let member = self.member(&account.to_string())?;
        Some(match member.active {
            true => RegistrationState::Member,
            false => RegistrationState::Left,
        })
    }
}

impl Leagues {
    /// Replaces the settings of a league.
    pub(crate) fn change_settings(
        &self,
        id: Uuid,
        call: &Call,
        new: &LeagueSettings,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let by = call.organizes(league)?;
            Ok((by, LeagueEvent::SettingsChanged(new.clone())))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Closes the current season of a league.
    pub(crate) fn close_season(
        &self,
        id: Uuid,
        call: &Call,
        season: u16,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let by = call.organizes(league)?;
            Ok((by, LeagueEvent::SeasonClosed { season }))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Deletes a league without tables and without members other than the caller.
    pub(crate) fn delete(&self, id: Uuid, call: &Call) -> Result<(), ServiceError> {
        let work = |league: &League| {
            let by = self.check_owner(league, call)?;
            let own = by.to_string();
            if league.members.iter().any(|member| member.id != own) {
                let message = "the league has members, so it cannot be deleted: archive it";
                return Err(ServiceError::conflict(
                    ConflictKind::LeagueNotEmpty,
                    message,
                ));
            }
            Ok((by, LeagueEvent::Deleted))
        };
        self.change(id, call, work, |_| Ok(()))
    }

    /// Creates an invitation link, which replaces the earlier one.
    ///
    /// Its code is a secret, so the answer is not stored for repeated requests.
    pub(crate) fn create_link(
        &self,
        id: Uuid,
        call: &Call,
    ) -> Result<InvitationLink, ServiceError> {
        let fault = |error: getrandom::Error| StoreError::Unavailable(error.to_string());
        let code = fresh().map_err(fault)?[..CODE].to_owned();
        let call = Call {
            idempotency: None,
            ..call.clone()
        };
        let work = |league: &League| {
            let by = call.organizes(league)?;
            let hash = Some(hash(&code));
            Ok((by, LeagueEvent::InvitationLinkSet { hash }))
        };
        self.change(id, &call, work, |league| {
            Ok(InvitationLink {
                seq: league.seq,
                path: format!("/leagues/{id}/join?code={code}"),
                code: code.clone(),
            })
        })
    }

    /// Withdraws the invitation link.
    pub(crate) fn withdraw_link(&self, id: Uuid, call: &Call) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let by = call.organizes(league)?;
            if league.invitation.is_none() {
                return Err(ServiceError::NotFound("invitation link".to_owned()));
            }
            Ok((by, LeagueEvent::InvitationLinkSet { hash: None }))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Returns what the registration page shows, to everyone who may see the league or has its code.
    pub(crate) fn registration_form(
        &self,
        id: Uuid,
        call: &Call,
        code: Option<&str>,
    ) -> Result<RegistrationForm, ServiceError> {
        let league = self.log.now(id)?;
        let has_code = league.has_code(code) && !league.deleted;
        if !has_code && !call.sees_league(&league) {
            return Err(not_found(id));
        }
        let account = call.access.as_ref().map(|access| access.account);
        Ok(RegistrationForm {
            name: league.name.clone(),
            description: league.description.clone(),
            joining: league.joining,
            questions: league.questions.clone(),
            archived: league.archived,
            has_code,
            invited: account.is_some_and(|account| {
                league.invited.contains(&account) || league.organizers.contains(&account)
            }),
            state: account.and_then(|account| league.registration_state(account)),
        })
    }

    /// Registers the caller's account: it becomes a member, or asks to become one.
    ///
    /// The answers are stored before the event. Without the event, no one is shown them.
    pub(crate) fn register(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewRegistration,
    ) -> Result<RegistrationOutcome, ServiceError> {
        let account = call.account(Scope::Play)?.account;
        let code = new.code.as_deref();
        let sees = |league: &League| {
            call.sees_league(league) || (league.has_code(code) && !league.deleted)
        };
        let league = self.log.now(id)?;
        if !sees(&league) {
            return Err(not_found(id));
        }
        let questions = league.questions.clone();
        let event = |league: &League| {
            check_answers(&league.questions, &new.answers)?;
            let member = account.to_string();
            let joined = LeagueEvent::Joined {
                member: member.clone(),
                name: None,
            };
            let is_wanted =
                league.invited.contains(&account) || league.organizers.contains(&account);
            if is_wanted {
                return Ok(joined);
            }
            check_return(league, &member, league.joining == Joining::Approval)?;
            match league.joining {
                _ if league.has_code(code) => Ok(joined),
                Joining::Approval => Ok(LeagueEvent::Requested { account }),
                Joining::Open | Joining::Invited => may_join(league, &member).map(|()| joined),
            }
        };
        let is_repetition = call
            .stored_answer::<RegistrationOutcome>(&self.store)?
            .is_some();
        if !is_repetition {
            // A refused registration leaves no answers.
            let mut tried = League::clone(&league);
            tried.add(now(), Some(account), &event(&tried)?)?;
        }
        if !questions.is_empty() && !is_repetition {
            let answers: Vec<(&String, &str)> = (questions.iter().enumerate())
                .map(|(number, question)| {
                    let answer = new.answers.get(number).map_or("", |answer| answer.trim());
                    (&question.text, answer)
                })
                .collect();
            let json = serde_json::to_string(&answers);
            self.store.keep_registration(StoredRegistration {
                league: id.to_string(),
                account: account.to_string(),
                answers: json.map_err(|error| ServiceError::damaged(id, error))?,
                created_at: now(),
            })?;
        }
        self.write_if(id, call, sees, |league| {
            let row = league.add(now(), Some(account), &event(league)?)?;
            let state = league.registration_state(account);
            Ok(LeagueStep {
                row,
                tables: Vec::new(),
                answer: RegistrationOutcome {
                    seq: league.seq,
                    state: state.unwrap_or(RegistrationState::Requested),
                },
            })
        })
    }

    /// Returns the requests to join, and the answers of members, for organizers.
    pub(crate) fn registrations(
        &self,
        id: Uuid,
        call: &Call,
    ) -> Result<RegistrationsBody, ServiceError> {
        let league = self.visible_league(id, call)?;
        call.acts_as(&league, LeagueRole::Organizer)?;
        let stored = self.store.registrations(id)?;
        let known: Vec<(Uuid, Option<&StoredRegistration>)> = {
            let find = |account: &Uuid| {
                let account = account.to_string();
                stored.iter().find(|one| one.account == account)
            };
            let requests = league.requests.iter();
            let requests = requests.map(|account| (*account, find(account)));
            let of_members = stored.iter().filter_map(|one| {
                let account = Uuid::try_parse(&one.account).ok()?;
                let is_member = league.member(&one.account).is_some();
                (is_member && !league.requests.contains(&account)).then_some((account, Some(one)))
            });
            requests.chain(of_members).collect()
        };
        let ids: Vec<String> = known
            .iter()
            .map(|(account, _)| account.to_string())
            .collect();
        let handles = self.store.handles(&ids)?;
        let body = |(account, stored): (Uuid, Option<&StoredRegistration>)| {
            let answers: Vec<(String, String)> = match stored {
                Some(stored) => serde_json::from_str(&stored.answers)
                    .map_err(|error| ServiceError::damaged(id, error))?,
                None => Vec::new(),
            };
            Ok(RegistrationBody {
                account: LeagueAccountBody {
                    id: account,
                    handle: handles
                        .get(&account.to_string())
                        .cloned()
                        .unwrap_or_default(),
                },
                state: (league.registration_state(account)).unwrap_or(RegistrationState::Left),
                answers: (answers.into_iter())
                    .map(|(question, answer)| AnswerBody { question, answer })
                    .collect(),
                at: stored.map(|stored| timestamp(stored.created_at)),
            })
        };
        let items: Result<Vec<RegistrationBody>, ServiceError> =
            known.into_iter().map(body).collect();
        Ok(RegistrationsBody {
            seq: league.seq,
            items: items?,
        })
    }
}

/// Checks that all required questions are answered.
fn check_answers(
    questions: &[RegistrationQuestion],
    answers: &[String],
) -> Result<(), ServiceError> {
    if answers.len() > questions.len() {
        let message = format!(
            "the league asks {} questions: answer each once, in their order",
            questions.len()
        );
        return Err(ServiceError::invalid("answers", message));
    }
    for (number, question) in questions.iter().enumerate() {
        let field = format!("answers[{number}]");
        let answer = answers.get(number).map_or("", |answer| answer.trim());
        if answer.is_empty() && question.required {
            let message = format!("answer the question {:?}", question.text);
            return Err(ServiceError::invalid(field, message));
        }
        if answer.len() > LONGEST_ANSWER {
            let message = format!("an answer can have at most {LONGEST_ANSWER} bytes");
            return Err(ServiceError::invalid(field, message));
        }
    }
    Ok(())
}
