//! The roles of a league, and what each allows.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::scope::Scope;
use crate::leagues::event::{LeagueEvent, LeagueRole};
use crate::leagues::fold::{LeagueEventError, conflict};
use crate::leagues::league::League;
use crate::leagues::limits::MOST_ASSISTANTS;
use crate::leagues::model::{LeagueBody, LeagueSummary};
use crate::leagues::queries::StoredLeague;
use crate::leagues::service::Leagues;

/// The new role of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"role": "referee"}))]
pub struct NewRole {
    /// The role; null withdraws the account's role.
    pub role: Option<LeagueRole>,
}

impl League {
    /// Returns the role of an account.
    pub fn role_of(&self, account: Uuid) -> Option<LeagueRole> {
        if self.owners.contains(&account) {
            return Some(LeagueRole::Owner);
        }
        match self.organizers.contains(&account) {
            true => Some(LeagueRole::Organizer),
            false => self.assistants.get(&account).copied(),
        }
    }

    /// Returns the accounts with a role, those with the most rights first.
    pub fn officials(&self) -> Vec<(Uuid, LeagueRole)> {
        let accounts = self.organizers.iter().chain(self.assistants.keys());
        let mut officials: Vec<(Uuid, LeagueRole)> = accounts
            .filter_map(|account| Some((*account, self.role_of(*account)?)))
            .collect();
        officials.sort_by_key(|(_, role)| std::cmp::Reverse(*role));
        officials
    }

    /// Gives an account a role, or withdraws it.
    pub(in crate::leagues) fn set_role(
        &mut self,
        account: Uuid,
        role: Option<LeagueRole>,
    ) -> Result<(), LeagueEventError> {
        let old = self.role_of(account);
        match (old, role) {
            (None, None) => return Err(LeagueEventError::Missing(format!("role of {account}"))),
            _ if old == role => {
                let message = "the account has this role already";
                return Err(conflict(ConflictKind::AlreadyOrganizer, message));
            }
            _ => {}
        }
        let organizes = role >= Some(LeagueRole::Organizer);
        match (self.organizers.contains(&account), organizes) {
            (true, false) => self.remove_organizer(account)?,
            (false, true) => self.add_organizer(account)?,
            _ => {}
        }
        match role {
            Some(LeagueRole::Owner) => {
                self.owners.insert(account);
            }
            Some(LeagueRole::Organizer) => {
                self.owners.remove(&account);
            }
            Some(role) => {
                if self.assistants.len() >= MOST_ASSISTANTS {
                    let message = format!(
                        "a league has at most {MOST_ASSISTANTS} referees and scorers: withdraw a role first"
                    );
                    return Err(conflict(ConflictKind::LimitReached, message));
                }
                self.assistants.insert(account, role);
            }
            None => {
                self.assistants.remove(&account);
            }
        }
        Ok(())
    }
}

impl Call {
    /// Checks that the caller has at least this role or is an administrator, and returns the account.
    ///
    /// # Errors
    /// 401 without a token of an account; 403 for other accounts and for tokens without the scope.
    pub(in crate::leagues) fn acts_as(
        &self,
        league: &League,
        least: LeagueRole,
    ) -> Result<Uuid, ServiceError> {
        let access = self.account(Scope::Organize)?;
        if league.role_of(access.account) >= Some(least) || self.act_as_administrator() {
            return Ok(access.account);
        }
        let message = match least {
            LeagueRole::Scorer => {
                "only owners, organizers, referees and scorers of the league may do this"
            }
            LeagueRole::Referee => "only owners, organizers and referees of the league may do this",
            LeagueRole::Organizer => "only owners and organizers of the league may do this",
            LeagueRole::Owner => "only owners of the league may do this",
        };
        Err(ServiceError::Forbidden(message.to_owned()))
    }
}

impl Leagues {
    /// Checks that the caller owns the league or is an administrator, and returns the account.
    ///
    /// If no owner has an account any more, every organizer counts as an owner.
    pub(in crate::leagues) fn check_owner(
        &self,
        league: &League,
        call: &Call,
    ) -> Result<Uuid, ServiceError> {
        let by = call.acts_as(league, LeagueRole::Organizer)?;
        let role = league.role_of(by);
        let owners = league.owners.iter().map(ToString::to_string);
        let is_owner = role == Some(LeagueRole::Owner)
            || (role.is_some() && self.deleted(owners)?.len() == league.owners.len());
        match is_owner {
            true => Ok(by),
            false => call.acts_as(league, LeagueRole::Owner),
        }
    }

    /// Checks that the caller has at least this role in a league that the caller may see.
    pub(crate) fn check_role(
        &self,
        id: Uuid,
        call: &Call,
        least: LeagueRole,
    ) -> Result<(), ServiceError> {
        let league = self.visible_league(id, call)?;
        call.acts_as(&league, least).map(drop)
    }

    /// Returns the leagues where the caller's account is a member or has a role, newest first.
    pub(crate) fn leagues_of(&self, call: &Call) -> Result<Vec<LeagueSummary>, ServiceError> {
        let Some(account) = call.access.as_ref().map(|access| access.account) else {
            return Ok(Vec::new());
        };
        let member = account.to_string();
        let mut found = Vec::new();
        for id in self.store.leagues_written_by(account)? {
            let league = match crate::games::known_id(&id).and_then(|id| self.log.now(id)) {
                Err(ServiceError::Damaged { .. }) => continue,
                league => league?,
            };
            let is_member = league.member(&member).is_some_and(|member| member.active);
            if (is_member || league.role_of(account).is_some()) && !league.deleted {
                found.push(LeagueSummary::from(StoredLeague::from(&*league)));
            }
        }
        found.sort_unstable_by_key(|league| std::cmp::Reverse(league.id));
        Ok(found)
    }

    /// Gives an account a role in a league, or withdraws it.
    ///
    /// Owners may do this; every account may give up its own role.
    pub(crate) fn change_role(
        &self,
        id: Uuid,
        call: &Call,
        named: &str,
        new: &NewRole,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let own = call.account(Scope::Organize)?.account;
            let found = self.accounts.account_named(named)?;
            let account = found.as_ref().map(|account| account.id);
            let gives_up = account == Some(own) && new.role.is_none();
            let by = match gives_up {
                true => own,
                false => self.check_owner(league, call)?,
            };
            let missing = || ServiceError::NotFound(format!("account {named:?}"));
            let found = found.ok_or_else(missing)?;
            if new.role.is_some() && found.deleted_at.is_some() {
                return Err(missing());
            }
            if new.role < Some(LeagueRole::Organizer) && self.is_last_organizer(league, found.id)? {
                let message =
                    "this is the last organizer of the league: add another organizer first";
                return Err(ServiceError::conflict(ConflictKind::LastOrganizer, message));
            }
            Ok((
                by,
                LeagueEvent::RoleSet {
                    account: found.id,
                    role: new.role,
                },
            ))
        };
        self.change(id, call, work, |league| self.body(league))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leagues::event::{Rules, SeasonFormat};
    use crate::leagues::fixtures::begin_league;

    #[test]
    fn a_role_replaces_the_earlier_one() {
        let mut league = begin_league(Rules::default(), SeasonFormat::Spread, 2);
        let (owner, other) = (Uuid::from_u128(1), Uuid::from_u128(9));
        assert_eq!(league.role_of(owner), Some(LeagueRole::Owner));
        for role in LeagueRole::ALL {
            league.set_role(other, Some(role)).unwrap();
            assert_eq!(league.role_of(other), Some(role));
            assert!(league.set_role(other, Some(role)).is_err());
            assert_eq!(league.officials().len(), 2);
        }
        league.set_role(owner, Some(LeagueRole::Scorer)).unwrap();
        assert_eq!(league.officials()[0], (other, LeagueRole::Owner));
        let last = league.set_role(other, None);
        assert!(
            matches!(
                last,
                Err(LeagueEventError::Conflict(ConflictKind::LastOrganizer, _))
            ),
            "{last:?}"
        );
        league.set_role(owner, None).unwrap();
        assert!(league.set_role(owner, None).is_err());
    }
}
