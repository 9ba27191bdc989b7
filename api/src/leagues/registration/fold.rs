//! Folds the events about settings and registration into a league.

use uuid::Uuid;

use crate::games::model::Visibility;
use crate::http::error::ConflictKind;
use crate::leagues::event::LeagueSettings;
use crate::leagues::fold::{
    LONGEST_DESCRIPTION, LeagueEventError, check_note, check_text, conflict, invalid,
};
use crate::leagues::league::{League, TableState};
use crate::leagues::limits::{MOST_MEMBERS, MOST_QUESTIONS};

/// The longest question, in bytes.
const LONGEST_QUESTION: usize = 200;

impl League {
    /// Returns the current settings.
    pub fn settings(&self) -> LeagueSettings {
        LeagueSettings {
            name: self.name.clone(),
            description: self.description.clone(),
            joining: self.joining,
            questions: self.questions.clone(),
            archived: self.archived,
        }
    }

    /// Replaces the settings.
    pub(in crate::leagues) fn change_settings(
        &mut self,
        new: LeagueSettings,
    ) -> Result<(), LeagueEventError> {
        engine::setup::check_name(&new.name).map_err(|message| invalid("name", message))?;
        check_text(
            "description",
            new.description.as_deref(),
            LONGEST_DESCRIPTION,
        )?;
        if new.questions.len() > MOST_QUESTIONS {
            let message = format!("ask at most {MOST_QUESTIONS} questions");
            return Err(invalid("questions", message));
        }
        for (number, question) in new.questions.iter().enumerate() {
            let field = format!("questions[{number}].text");
            check_text(&field, Some(&question.text), LONGEST_QUESTION)?;
        }
        let running = self.tables.iter();
        let running = running.filter(|table| table.state == TableState::Playing);
        let running = running.count();
        if new.archived && !self.archived && running > 0 {
            let message = format!("{running} games of the league are running: end them first");
            return Err(conflict(ConflictKind::NotFinished, message));
        }
        self.name = new.name;
        self.description = new.description;
        self.joining = new.joining;
        self.questions = new.questions;
        self.archived = new.archived;
        Ok(())
    }

    /// Deletes the league: its log remains, and no one may read it.
    pub(in crate::leagues) fn delete(&mut self) -> Result<(), LeagueEventError> {
        if !self.tables.is_empty() {
            let message = "the league has tables, so it cannot be deleted: archive it";
            return Err(conflict(ConflictKind::LeagueNotEmpty, message));
        }
        self.deleted = true;
        // Lists contain public leagues only.
        self.visibility = Visibility::Private;
        Ok(())
    }

    /// Adds a request to join.
    pub(in crate::leagues) fn request(&mut self, account: Uuid) -> Result<(), LeagueEventError> {
        let member = self.member(&account.to_string());
        if member.is_some_and(|member| member.active) {
            let message = "this account is already a member";
            return Err(conflict(ConflictKind::AlreadyMember, message));
        }
        if self.requests.len() >= MOST_MEMBERS {
            let message = "too many requests wait for an answer: ask an organizer to answer them";
            return Err(conflict(ConflictKind::LimitReached, message));
        }
        match self.requests.insert(account) {
            true => Ok(()),
            false => Err(conflict(
                ConflictKind::AlreadyRequested,
                "this account has already asked to join: wait for the answer of an organizer",
            )),
        }
    }

    /// Removes a request to join.
    pub(in crate::leagues) fn close_request(
        &mut self,
        account: Uuid,
        note: Option<&str>,
    ) -> Result<(), LeagueEventError> {
        check_note(note)?;
        match self.requests.remove(&account) {
            true => Ok(()),
            false => Err(LeagueEventError::Missing(format!("request of {account}"))),
        }
    }

    /// Closes the current season.
    pub(in crate::leagues) fn close_season(&mut self, season: u16) -> Result<(), LeagueEventError> {
        if self.season()? != season {
            return Err(LeagueEventError::Missing(format!(
                "season {season} that is going on"
            )));
        }
        self.check_season_open()?;
        let of_season = self.tables.iter().filter(|table| table.season == season);
        let running = of_season.filter(|table| table.state == TableState::Playing);
        let running = running.count();
        let reports = self.reports.iter().filter(|report| report.state.is_open());
        let reports = reports.count();
        if running + reports > 0 {
            let message = format!(
                "the season has {running} running games and {reports} reports without an answer: end and answer them first"
            );
            return Err(conflict(ConflictKind::NotFinished, message));
        }
        self.closed_seasons.insert(season);
        Ok(())
    }

    /// Checks that the current season is not closed.
    pub(in crate::leagues) fn check_season_open(&self) -> Result<(), LeagueEventError> {
        match self.closed_seasons.contains(&self.season()?) {
            false => Ok(()),
            true => Err(conflict(
                ConflictKind::SeasonClosed,
                "the season is closed: begin another season",
            )),
        }
    }
}
