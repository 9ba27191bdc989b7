//! Members and organizers of leagues: joining, inviting, leaving.

use std::collections::BTreeSet;

use engine::setup::PLACEHOLDER;
use uuid::Uuid;

use crate::accounts::queries::StoredAccount;
use crate::games::bodies::NewOrganizer;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::scope::Scope;
use crate::leagues::event::{Joining, LeagueEvent};
use crate::leagues::league::League;
use crate::leagues::limits::{MOST_EVENTS, MOST_MEMBERS};
use crate::leagues::model::{LeagueBody, MemberAccount, NewMember};
use crate::leagues::service::Leagues;

/// The number of members and of events that only organizers and their invited accounts can use.
const KEPT_MEMBERS: usize = 100;
pub(in crate::leagues) const KEPT_EVENTS: u64 = 5_000;

impl Leagues {
    /// Adds a member, or invites an account.
    pub fn add_member(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewMember,
    ) -> Result<LeagueBody, ServiceError> {
        let placeholder = format!("{PLACEHOLDER}{}", Uuid::now_v7());
        let work = |league: &League| {
            let named = match new {
                NewMember::Placeholder(name) => {
                    let event = LeagueEvent::Joined {
                        member: placeholder.clone(),
                        name: Some(name.clone()),
                    };
                    return Ok((call.organizes(league)?, event));
                }
                NewMember::Id(named) => named,
            };
            let account = self.living_account(named)?;
            match call.access.as_deref() {
                Some(own)
                    if account
                        .as_ref()
                        .is_some_and(|found| found.id == own.account) =>
                {
                    own.needs(Scope::Play)?;
                    let is_wanted = league.invited.contains(&own.account)
                        || league.organizers.contains(&own.account);
                    let member = own.account.to_string();
                    if !is_wanted {
                        may_join(league, &member)?;
                        check_no_questions(league)?;
                    }
                    Ok((own.account, LeagueEvent::Joined { member, name: None }))
                }
                _ => {
                    let by = call.organizes(league)?;
                    let account = account.ok_or_else(no_account)?.id;
                    // An account that asks to join has agreed.
                    let member = account.to_string();
                    match league.requests.contains(&account) {
                        true => Ok((by, LeagueEvent::Joined { member, name: None })),
                        false => Ok((by, LeagueEvent::Invited { account })),
                    }
                }
            }
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Removes a member or withdraws an invitation, by the account itself or an organizer.
    pub(crate) fn remove_member(
        &self,
        id: Uuid,
        call: &Call,
        named: &str,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let (by, member) = self.own_or_organized(league, call, named)?;
            let account = Uuid::try_parse(&member).ok();
            if let Some(account) = account.filter(|account| league.requests.contains(account)) {
                let note = None;
                return Ok((by, LeagueEvent::RequestClosed { account, note }));
            }
            match account.filter(|account| league.invited.contains(account)) {
                Some(account) => Ok((by, LeagueEvent::Uninvited { account })),
                None => Ok((by, LeagueEvent::Left { member })),
            }
        };
        let changed = self.change(id, call, work, |league| self.body(league))?;
        // The answers of a request that is closed are of no more use.
        if let Some(account) = self.accounts.account_named(named)? {
            let own = account.id.to_string();
            if !changed.members.iter().any(|member| member.id == own) {
                self.store.delete_registration(id, account.id)?;
            }
        }
        Ok(changed)
    }

    /// Puts an account that is a member in the place of a member without an account.
    pub(in crate::leagues) fn claim_placeholder(
        &self,
        id: Uuid,
        call: &Call,
        named: &str,
        new: &MemberAccount,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let by = call.organizes(league)?;
            let missing = || ServiceError::NotFound(format!("member {named:?}"));
            let placeholder = league.member(named).ok_or_else(missing)?.id.clone();
            let account = self.living_account(&new.id)?.ok_or_else(no_account)?.id;
            let event = LeagueEvent::PlaceholderClaimed {
                tables: league.tables_of(&placeholder),
                placeholder,
                account,
            };
            Ok((by, event))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Adds an organizer.
    pub(in crate::leagues) fn add_organizer(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewOrganizer,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let by = self.check_owner(league, call)?;
            let account = self.living_account(&new.id)?.ok_or_else(no_account)?.id;
            Ok((by, LeagueEvent::OrganizerAdded { account }))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Removes an organizer.
    pub(in crate::leagues) fn remove_organizer(
        &self,
        id: Uuid,
        call: &Call,
        named: &str,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let own = call.organizes(league)?;
            let found = self.accounts.account_named(named)?;
            let gives_up = found.as_ref().is_some_and(|found| found.id == own);
            let by = match gives_up {
                true => own,
                false => self.check_owner(league, call)?,
            };
            let missing = || ServiceError::NotFound(format!("organizer {named:?}"));
            let account = found.ok_or_else(missing)?.id;
            if self.is_last_organizer(league, account)? {
                let message =
                    "this is the last organizer of the league: add another organizer first";
                return Err(ServiceError::conflict(ConflictKind::LastOrganizer, message));
            }
            Ok((by, LeagueEvent::OrganizerRemoved { account }))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Returns an account that is not deleted, by id or handle.
    fn living_account(&self, named: &str) -> Result<Option<StoredAccount>, ServiceError> {
        let found = self.accounts.account_named(named)?;
        Ok(found.filter(|account| account.deleted_at.is_none()))
    }

    /// Returns those of the accounts that are deleted, by id.
    pub(in crate::leagues) fn deleted(
        &self,
        ids: impl Iterator<Item = String>,
    ) -> Result<BTreeSet<String>, ServiceError> {
        Ok(self.store.deleted(&ids.collect::<Vec<String>>())?)
    }

    /// Whether an account is the only organizer of a league whose account is not deleted.
    pub(in crate::leagues) fn is_last_organizer(
        &self,
        league: &League,
        account: Uuid,
    ) -> Result<bool, ServiceError> {
        let others = league.organizers.iter().filter(|other| **other != account);
        let others: BTreeSet<String> = others.map(Uuid::to_string).collect();
        let deleted = self.deleted(others.iter().cloned())?;
        Ok(league.organizers.contains(&account) && others.is_subset(&deleted))
    }

    /// Checks that deleting an account leaves no league without organizers.
    ///
    /// A league counts only if it has other members or tables. An organizer who has never acted in the league has not
    /// agreed to the role and may leave. Leagues that cannot be read are skipped.
    pub(crate) fn check_leagues_of(&self, account: Uuid) -> Result<(), ServiceError> {
        let own = account.to_string();
        for id in self.store.leagues_written_by(account)? {
            let league = match crate::games::known_id(&id).and_then(|id| self.log.now(id)) {
                Err(ServiceError::Damaged { .. }) => continue,
                league => league?,
            };
            let mut members = league.members.iter();
            let is_used = !league.tables.is_empty()
                || members.any(|member| member.active && member.id != own);
            if is_used && self.is_last_organizer(&league, account)? {
                let message = format!(
                    "the account is the last organizer of the league {id}: add another organizer first"
                );
                return Err(ServiceError::conflict(ConflictKind::LastOrganizer, message));
            }
        }
        Ok(())
    }

    /// Returns who acts and for which active member: an account for itself, or an organizer for the named member.
    pub(in crate::leagues) fn acting_for(
        &self,
        league: &League,
        call: &Call,
        named: Option<&str>,
    ) -> Result<(Uuid, String), ServiceError> {
        let Some(named) = named else {
            let own = call.account(Scope::Play)?.account;
            let is_active = league.is_active(&own.to_string());
            let message = "only members of the league may do this: join it first";
            let missing = || ServiceError::Forbidden(message.to_owned());
            return (is_active.then(|| (own, own.to_string()))).ok_or_else(missing);
        };
        // Permissions are checked before the member is looked up.
        let by = call.organizes(league)?;
        Ok((by, self.active_member(league, named, "member")?.id.clone()))
    }

    /// Returns who acts for the named member or invited account: that account itself, or an organizer.
    pub(in crate::leagues) fn own_or_organized(
        &self,
        league: &League,
        call: &Call,
        named: &str,
    ) -> Result<(Uuid, String), ServiceError> {
        // Permissions are checked before an error about the member is returned.
        let member = self.member_named(league, named);
        let account = member.as_deref().ok();
        let account = account.and_then(|member| Uuid::try_parse(member).ok());
        let by = match call.access.as_deref() {
            Some(own) if account == Some(own.account) => {
                own.needs(Scope::Play)?;
                own.account
            }
            _ => call.organizes(league)?,
        };
        Ok((by, member?))
    }

    /// Returns the id of a member or of an invited account, by id or handle.
    pub(in crate::leagues) fn member_named(
        &self,
        league: &League,
        named: &str,
    ) -> Result<String, ServiceError> {
        if league.member(named).is_some() {
            return Ok(named.to_owned());
        }
        let found = self.accounts.account_named(named)?;
        let known = found.filter(|account| {
            league.invited.contains(&account.id)
                || league.requests.contains(&account.id)
                || league.member(&account.id.to_string()).is_some()
        });
        let missing = || ServiceError::NotFound(format!("member {named:?}"));
        Ok(known.ok_or_else(missing)?.id.to_string())
    }
}

fn no_account() -> ServiceError {
    ServiceError::invalid("id", "no account has this id or handle: check the spelling")
}

/// Checks whether an account may join without an invitation.
///
/// It may join only an open league, only once, and while there is room.
pub(in crate::leagues) fn may_join(league: &League, member: &str) -> Result<(), ServiceError> {
    let forbidden = |message: &str| Err(ServiceError::Forbidden(message.to_owned()));
    match league.joining {
        Joining::Open => {}
        Joining::Invited => {
            return forbidden("this league is by invitation: ask an organizer to invite you");
        }
        Joining::Approval => {
            return forbidden("an organizer admits members: register, and wait for the answer");
        }
    }
    check_return(league, member, false)
}

/// Checks that an open league asks no question that must be answered.
fn check_no_questions(league: &League) -> Result<(), ServiceError> {
    match league.questions.iter().any(|question| question.required) {
        false => Ok(()),
        true => Err(ServiceError::Forbidden(
            "this league asks questions: register with your answers".to_owned(),
        )),
    }
}

/// Checks that an account has not left the league, and that the league has room for more than invited members.
pub(in crate::leagues) fn check_return(
    league: &League,
    member: &str,
    is_request: bool,
) -> Result<(), ServiceError> {
    if !is_request && league.member(member).is_some_and(|known| !known.active) {
        return Err(ServiceError::Forbidden(
            "you have left this league: ask an organizer to invite you again".to_owned(),
        ));
    }
    if league.members.len() >= MOST_MEMBERS - KEPT_MEMBERS
        || league.seq >= MOST_EVENTS - KEPT_EVENTS
    {
        let message = "this league is full for open joining: ask an organizer to invite you";
        return Err(ServiceError::conflict(ConflictKind::LimitReached, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::model::Visibility;

    #[test]
    fn open_joining_leaves_room_for_invited_members() {
        let organizer = Uuid::from_u128(1);
        let league = |joining| {
            let created = LeagueEvent::Created {
                name: "Cup".to_owned(),
                description: None,
                visibility: Visibility::Public,
                joining,
                organizer,
            };
            League::begin(Uuid::from_u128(2), 0, organizer, &created)
                .unwrap()
                .0
        };
        let member = |number: u128| Uuid::from_u128(number + 10).to_string();
        let mut open = league(Joining::Open);
        assert!(may_join(&league(Joining::Invited), &member(0)).is_err());
        may_join(&open, &member(0)).unwrap();
        let joined = |number| LeagueEvent::Joined {
            member: member(number),
            name: None,
        };
        for number in 0..(MOST_MEMBERS - KEPT_MEMBERS - 1) as u128 {
            open.add(0, None, &joined(number)).unwrap();
        }
        may_join(&open, &member(5_000)).unwrap();
        open.add(0, None, &LeagueEvent::Left { member: member(3) })
            .unwrap();
        let again = may_join(&open, &member(3));
        assert!(
            matches!(again, Err(ServiceError::Forbidden(_))),
            "{again:?}"
        );
        let mut long = open.clone();
        long.seq = MOST_EVENTS - KEPT_EVENTS;
        let late = may_join(&long, &member(5_000));
        assert!(matches!(late, Err(ServiceError::Conflict(..))), "{late:?}");
        open.add(0, None, &joined(5_000)).unwrap();
        let last = may_join(&open, &member(5_001));
        assert!(matches!(last, Err(ServiceError::Conflict(..))), "{last:?}");
        open.add(0, None, &joined(5_001)).unwrap();
    }
}
