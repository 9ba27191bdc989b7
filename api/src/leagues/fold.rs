//! Folds the log of a league into its state.
//! The same checks apply when an event is written and when it is read.

use std::collections::{BTreeMap, BTreeSet};

use engine::setup::{PLACEHOLDER, check_name};
use jiff::Timestamp;
use uuid::Uuid;

use crate::games::model::Visibility;
use crate::http::error::ConflictKind;
use crate::leagues::event::{
    CountedResults, LeagueEvent, MemberGroup, Rules, Scoring, SeasonFormat, Seating, TieBreak,
};
use crate::leagues::league::{
    Dispute, League, LeaguePauses, LeagueResult, LeagueSeat, LeagueTable, Member, ReportState,
    ResultReport, Season, SeasonGroups, TableState,
};
use crate::leagues::limits::{
    LAST_ROUND, LONGEST_GRACE, MOST_EVENTS, MOST_HOLIDAYS, MOST_MEETINGS, MOST_MEMBERS,
    MOST_OF_MATCH, MOST_ORGANIZERS, MOST_PERCENT, MOST_REACH, MOST_SEASONS, MOST_SEATS,
    MOST_TABLES, MOST_TOGETHER,
};
use crate::leagues::queries::LeagueRow;

/// The longest description, in bytes.
pub(in crate::leagues) const LONGEST_DESCRIPTION: usize = 2_000;
/// The longest note, in bytes.
pub(in crate::leagues) const LONGEST_NOTE: usize = 1_000;
/// The most members that play a seat in succession.
const MOST_HOLDERS: usize = 4;
/// The most points for a place.
const MOST_POINTS: u16 = 1_000;

/// Why an event cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeagueEventError {
    /// A value is invalid.
    #[error("{message}")]
    Invalid {
        /// The field, as a path.
        field: String,
        /// What is wrong.
        message: String,
    },
    /// The state of the league does not allow the event.
    #[error("{1}")]
    Conflict(ConflictKind, String),
    /// The event names something that does not exist.
    #[error("there is no {0}")]
    Missing(String),
    /// The row does not follow from the one before.
    #[error("{0}")]
    Broken(String),
}

pub(in crate::leagues) fn invalid(
    field: impl Into<String>,
    message: impl ToString,
) -> LeagueEventError {
    LeagueEventError::Invalid {
        field: field.into(),
        message: message.to_string(),
    }
}

pub(in crate::leagues) fn conflict(
    kind: ConflictKind,
    message: impl Into<String>,
) -> LeagueEventError {
    LeagueEventError::Conflict(kind, message.into())
}

impl League {
    /// Creates a league by its first event, and returns its row.
    pub fn begin(
        id: Uuid,
        at: i64,
        by: Uuid,
        event: &LeagueEvent,
    ) -> Result<(League, LeagueRow), LeagueEventError> {
        let row = row(0, at, Some(by), event)?.chained(id, None);
        Ok((League::created(id, &row, event.clone())?, row))
    }

    /// Reads a league from row 0.
    pub fn first(id: Uuid, row: &LeagueRow) -> Result<League, LeagueEventError> {
        if row.seq != 0 || row.hash != row.chained_hash(id, None) {
            return Err(LeagueEventError::Broken(
                "row 0 is missing, or its hash is wrong".to_owned(),
            ));
        }
        League::created(id, row, parse_event(row)?)
    }

    /// Creates a league from the event of row 0.
    fn created(id: Uuid, row: &LeagueRow, event: LeagueEvent) -> Result<League, LeagueEventError> {
        let LeagueEvent::Created {
            name,
            description,
            visibility,
            joining,
            organizer,
        } = event
        else {
            return Err(LeagueEventError::Broken(
                "event 0 is not the creation of the league".to_owned(),
            ));
        };
        check_name(&name).map_err(|message| invalid("name", message))?;
        check_text("description", description.as_deref(), LONGEST_DESCRIPTION)?;
        Ok(League {
            id,
            seq: row.seq,
            at: row.at,
            hash: row.hash.clone(),
            created_at: row.at,
            name,
            description,
            visibility,
            joining,
            organizers: BTreeSet::from([organizer]),
            invited: BTreeSet::new(),
            members: Vec::new(),
            seasons: Vec::new(),
            tables: Vec::new(),
            pauses: LeaguePauses::default(),
            owners: BTreeSet::from([organizer]),
            assistants: BTreeMap::new(),
            questions: Vec::new(),
            archived: false,
            deleted: false,
            invitation: None,
            requests: BTreeSet::new(),
            closed_seasons: BTreeSet::new(),
            reports: Vec::new(),
            disputes: Vec::new(),
        })
    }

    /// Applies the next row.
    pub fn apply_row(&mut self, row: &LeagueRow) -> Result<(), LeagueEventError> {
        let broken = |what: &str| Err(LeagueEventError::Broken(what.to_owned()));
        if row.seq != self.seq + 1 {
            return broken("an event is missing before it");
        }
        if row.at < self.at {
            return broken("it is earlier than the event before it");
        }
        if row.hash != row.chained_hash(self.id, Some(&self.hash)) {
            return broken("its hash does not follow from the event before it");
        }
        self.follow(row, parse_event(row)?)
    }

    /// Applies the event of the next row.
    fn follow(&mut self, row: &LeagueRow, event: LeagueEvent) -> Result<(), LeagueEventError> {
        self.apply(row.at, row.by.as_deref(), event)?;
        self.seq = row.seq;
        self.at = row.at;
        self.hash.clone_from(&row.hash);
        Ok(())
    }

    /// Adds a new event, and returns its row.
    pub fn add(
        &mut self,
        now: i64,
        by: Option<Uuid>,
        event: &LeagueEvent,
    ) -> Result<LeagueRow, LeagueEventError> {
        if self.seq + 1 >= MOST_EVENTS {
            return Err(conflict(
                ConflictKind::LimitReached,
                format!(
                    "the league has reached the limit of {MOST_EVENTS} events: continue in a new league"
                ),
            ));
        }
        // Times within a league increase even if the clock does not, so the past of a league never changes.
        let row = row(self.seq + 1, now.max(self.at + 1), by, event)?;
        let row = row.chained(self.id, Some(&self.hash));
        self.follow(&row, event.clone())?;
        Ok(row)
    }

    /// Returns the member with an id.
    pub fn member(&self, id: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.id == id)
    }

    /// Whether a member exists and has not left.
    pub(in crate::leagues) fn is_active(&self, id: &str) -> bool {
        self.member(id).is_some_and(|member| member.active)
    }

    /// Returns the season with a number, from 1.
    pub fn season_numbered(&self, number: u16) -> Option<&Season> {
        self.seasons.get(usize::from(number).checked_sub(1)?)
    }

    /// Returns the table with a number, from 1.
    pub fn table_numbered(&self, number: u32) -> Option<&LeagueTable> {
        self.tables.get((number as usize).checked_sub(1)?)
    }

    /// Returns the number of the current season.
    pub fn season(&self) -> Result<u16, LeagueEventError> {
        match self.seasons.len() {
            0 => Err(conflict(
                ConflictKind::NotStarted,
                "no season has begun: begin a season first",
            )),
            count => Ok(count as u16),
        }
    }

    /// Whether an account that is not an administrator may see the league.
    ///
    /// Organizers, active members and invited accounts may see a private league.
    pub fn is_shown_to(&self, account: Uuid) -> bool {
        self.visibility != Visibility::Private
            || self.role_of(account).is_some()
            || self.invited.contains(&account)
            || (self.member(&account.to_string())).is_some_and(|member| member.active)
    }

    pub(in crate::leagues) fn apply(
        &mut self,
        at: i64,
        by: Option<&str>,
        event: LeagueEvent,
    ) -> Result<(), LeagueEventError> {
        match event {
            LeagueEvent::Created { .. } => Err(LeagueEventError::Broken(
                "the league exists already".to_owned(),
            )),
            LeagueEvent::OrganizerAdded { account } => self.add_organizer(account),
            LeagueEvent::OrganizerRemoved { account } => self.remove_organizer(account),
            LeagueEvent::Invited { account } => self.invite(account),
            LeagueEvent::Uninvited { account } => match self.invited.remove(&account) {
                true => Ok(()),
                false => Err(LeagueEventError::Missing(format!(
                    "invitation of {account}"
                ))),
            },
            LeagueEvent::Joined { member, name } => self.join(member, name),
            LeagueEvent::Left { member } => match self.find_member(&member)? {
                member if member.active => {
                    member.active = false;
                    Ok(())
                }
                _ => Err(conflict(
                    ConflictKind::AlreadyLeft,
                    "this member has already left the league",
                )),
            },
            LeagueEvent::SeasonBegan {
                season,
                name,
                rules,
                format,
            } => {
                check_format(format)?;
                check_rules(&rules)?;
                let began_at = at;
                self.begin_season(
                    season,
                    Season {
                        name,
                        rules,
                        format,
                        began_at,
                        groups: SeasonGroups::default(),
                        challenges: Vec::new(),
                    },
                )
            }
            LeagueEvent::DivisionsSet { divisions, moves } => self.set_divisions(divisions, moves),
            LeagueEvent::TeamsSet { teams } => self.set_teams(teams),
            LeagueEvent::MemberPlaced {
                member,
                division,
                team,
            } => self.place_member(&member, division, team),
            LeagueEvent::LineUpSet {
                team,
                round,
                members,
            } => self.set_line_up(team, round, members),
            LeagueEvent::Challenged { member, opponent } => self.challenge(at, member, opponent),
            LeagueEvent::ChallengeWithdrawn { member } => self.withdraw_challenge(&member),
            LeagueEvent::Paused {
                tables,
                until,
                note,
            } => self.pause(at, &tables, until, note.as_deref()),
            LeagueEvent::PauseEnded { tables, note } => {
                self.end_pause(at, &tables, note.as_deref())
            }
            LeagueEvent::HolidayTaken {
                member,
                from,
                until,
            } => self.take_holiday(at, member, from, until),
            LeagueEvent::HolidayEnded { member } => self.end_holiday(at, &member),
            LeagueEvent::TablesCreated { tables } => self.create_tables(tables),
            LeagueEvent::SeatsTaken { game, from, prices } => {
                let table = self.table_of_game(game)?;
                // A decision of the organizers is about the seats as they were.
                if table.state == TableState::Playing && !table.take_seats(&from, prices) {
                    return Err(invalid("from", "each player takes one seat, for a price"));
                }
                Ok(())
            }
            LeagueEvent::GameFinished {
                game,
                reason,
                ranks,
            } => {
                let table = self.table_of_game(game)?;
                if ranks.len() != table.seats.len() {
                    return Err(invalid("ranks", "give one rank for each seat"));
                }
                // A decision of the organizers has priority.
                if table.state == TableState::Playing {
                    table.state = TableState::Counted;
                    table.result = Some(LeagueResult {
                        ranks,
                        reason: Some(reason),
                        adjudicated: false,
                        at,
                        by: None,
                    });
                }
                Ok(())
            }
            LeagueEvent::GameAbandoned { game } => {
                let table = self.table_of_game(game)?;
                if table.state == TableState::Playing {
                    table.state = TableState::Abandoned;
                }
                Ok(())
            }
            LeagueEvent::ResultEntered {
                table,
                played_at,
                reason,
                ranks,
                note,
            } => {
                check_note(note.as_deref())?;
                check_ranks(&ranks, table.seats.len())?;
                self.seat("", table, false)?;
                if let Some(table) = self.tables.last_mut() {
                    table.state = TableState::Counted;
                    table.played_at = played_at;
                    table.note = note;
                    table.result = Some(LeagueResult {
                        ranks,
                        reason,
                        adjudicated: false,
                        at,
                        by: by.map(str::to_owned),
                    });
                }
                Ok(())
            }
            LeagueEvent::TableAdjudicated { table, ranks, note } => {
                check_note(note.as_deref())?;
                let table = self.table(table)?;
                check_ranks(&ranks, table.seats.len())?;
                let (number, game) = (table.number, table.game);
                if game.is_some_and(|game| self.counts(game, number)) {
                    return Err(conflict(
                        ConflictKind::AlreadyCounted,
                        "the result of this game is entered at another table: correct that table, or void it first",
                    ));
                }
                let table = self.table(number)?;
                let reason = table.result.as_ref().and_then(|result| result.reason);
                table.state = TableState::Counted;
                table.set_note(note);
                table.result = Some(LeagueResult {
                    ranks,
                    reason,
                    adjudicated: true,
                    at,
                    by: by.map(str::to_owned),
                });
                Ok(())
            }
            LeagueEvent::TableVoided { table, note } => {
                check_note(note.as_deref())?;
                let table = self.table(table)?;
                if table.state == TableState::Void {
                    return Err(conflict(
                        ConflictKind::TableVoid,
                        "the table is already void, and nothing was changed",
                    ));
                }
                table.state = TableState::Void;
                table.set_note(note);
                Ok(())
            }
            LeagueEvent::PlayerReplaced {
                table,
                seat,
                member,
                note,
            } => {
                check_note(note.as_deref())?;
                self.replace(table, seat, member)?;
                self.table(table)?.set_note(note);
                Ok(())
            }
            LeagueEvent::PlaceholderClaimed {
                placeholder,
                account,
                tables,
            } => self.claim(&placeholder, account, &tables),
            LeagueEvent::DeadlineMoved {
                tables,
                deadline,
                note,
            } => self.move_deadline(&tables, deadline, &note),
            LeagueEvent::SettingsChanged(settings) => self.change_settings(settings),
            LeagueEvent::Deleted => self.delete(),
            LeagueEvent::RoleSet { account, role } => self.set_role(account, role),
            LeagueEvent::InvitationLinkSet { hash } => {
                self.invitation = hash;
                Ok(())
            }
            LeagueEvent::Requested { account } => self.request(account),
            LeagueEvent::RequestClosed { account, note } => {
                self.close_request(account, note.as_deref())
            }
            LeagueEvent::SeasonClosed { season } => self.close_season(season),
            LeagueEvent::ResultReported {
                report,
                table,
                played_at,
                ranks,
                note,
            } => self.add_report(
                (at, by),
                ResultReport {
                    number: report,
                    table,
                    played_at,
                    ranks,
                    note,
                    by: Uuid::nil(),
                    at,
                    state: ReportState::Open,
                    answer: None,
                },
            ),
            LeagueEvent::ReportAnswered {
                report,
                table,
                note,
            } => self.answer_report((at, by), report, table, note),
            LeagueEvent::DisputeOpened {
                dispute,
                table,
                report,
                text,
            } => self.add_dispute(
                (at, by),
                Dispute {
                    number: dispute,
                    table,
                    report,
                    text,
                    by: Uuid::nil(),
                    at,
                    answer: None,
                },
            ),
            LeagueEvent::DisputeAnswered { dispute, text } => {
                self.answer_dispute(by, dispute, text)
            }
        }
    }

    /// Returns the numbers of the tables where a member has played, in order.
    pub fn tables_of(&self, member: &str) -> Vec<u32> {
        let sits = |table: &&LeagueTable| {
            let mut seats = table.seats.iter();
            seats.any(|seat| seat.members.iter().any(|id| id == member))
        };
        self.tables
            .iter()
            .filter(sits)
            .map(|table| table.number)
            .collect()
    }

    /// Puts an account in the place of a member without an account, at all tables and byes.
    fn claim(
        &mut self,
        placeholder: &str,
        account: Uuid,
        tables: &[u32],
    ) -> Result<(), LeagueEventError> {
        let account = account.to_string();
        if self.find_member(placeholder)?.name.is_none() {
            return Err(invalid("player", "this member has an account already"));
        }
        if !self.is_active(&account) {
            let message = "this account is not an active member of the league: invite it first";
            return Err(invalid("id", message));
        }
        if self.tables_of(placeholder) != tables {
            return Err(invalid("tables", "these are not the tables of this member"));
        }
        let own = self.tables_of(&account);
        if let Some(both) = tables.iter().find(|number| own.contains(number)) {
            let message = format!("both played at table {both}, so they are different people");
            return Err(invalid("id", message));
        }
        for table in &mut self.tables {
            let members = table.seats.iter_mut().flat_map(|seat| &mut seat.members);
            for member in members.chain(&mut table.byes) {
                if member == placeholder {
                    member.clone_from(&account);
                }
            }
            let byes = std::mem::take(&mut table.byes);
            for bye in byes {
                if !table.byes.contains(&bye) {
                    table.byes.push(bye);
                }
            }
        }
        for season in &mut self.seasons {
            let groups = &mut season.groups;
            let members = |groups: &mut Vec<MemberGroup>| {
                let lists = groups.iter_mut().map(|group| &mut group.members);
                rename(&mut lists.collect::<Vec<_>>(), placeholder, &account);
            };
            members(&mut groups.divisions);
            members(&mut groups.teams);
            for list in groups.line_ups.values_mut() {
                rename(&mut [list], placeholder, &account);
            }
            let challenges = season.challenges.iter_mut();
            let named = challenges.flat_map(|one| [&mut one.member, &mut one.opponent]);
            for member in named.filter(|member| *member == placeholder) {
                member.clone_from(&account);
            }
        }
        let of_reports = (self.reports.iter_mut()).flat_map(|report| &mut report.table.seats);
        let of_reports = of_reports.map(|seat| &mut seat.member);
        let of_holidays = (self.pauses.holidays.iter_mut()).map(|holiday| &mut holiday.member);
        for member in (of_reports.chain(of_holidays)).filter(|member| *member == placeholder) {
            member.clone_from(&account);
        }
        self.members.retain(|member| member.id != placeholder);
        Ok(())
    }

    fn move_deadline(
        &mut self,
        tables: &[u32],
        deadline: Timestamp,
        note: &str,
    ) -> Result<(), LeagueEventError> {
        check_note(Some(note))?;
        if tables.is_empty() || !tables.is_sorted_by(|one, other| one < other) {
            return Err(invalid(
                "tables",
                "list each table once, in ascending order",
            ));
        }
        for number in tables {
            let table = self.table(*number)?;
            if table.state != TableState::Playing {
                return Err(conflict(
                    ConflictKind::TableNotRunning,
                    format!("the game of table {number} is not running"),
                ));
            }
            table.deadline = Some(deadline);
            table.deadline_moves += 1;
            table.deadline_note = Some(note.to_owned());
        }
        Ok(())
    }

    pub(in crate::leagues) fn add_organizer(
        &mut self,
        account: Uuid,
    ) -> Result<(), LeagueEventError> {
        if self.organizers.len() >= MOST_ORGANIZERS {
            let message =
                format!("a league has at most {MOST_ORGANIZERS} organizers: remove one first");
            return Err(conflict(ConflictKind::LimitReached, message));
        }
        self.assistants.remove(&account);
        match self.organizers.insert(account) {
            true => Ok(()),
            false => Err(conflict(
                ConflictKind::AlreadyOrganizer,
                "this account is already an organizer of the league",
            )),
        }
    }

    pub(in crate::leagues) fn remove_organizer(
        &mut self,
        account: Uuid,
    ) -> Result<(), LeagueEventError> {
        if !self.organizers.contains(&account) {
            return Err(LeagueEventError::Missing(format!("organizer {account}")));
        }
        if self.organizers.len() == 1 {
            return Err(conflict(
                ConflictKind::LastOrganizer,
                "this is the last organizer of the league: add another organizer first",
            ));
        }
        self.organizers.remove(&account);
        self.owners.remove(&account);
        Ok(())
    }

    fn invite(&mut self, account: Uuid) -> Result<(), LeagueEventError> {
        let member = self.member(&account.to_string());
        if member.is_some_and(|member| member.active) {
            return Err(conflict(
                ConflictKind::AlreadyMember,
                "this account is already a member",
            ));
        }
        if self.invited.len() >= MOST_MEMBERS {
            let message = format!(
                "at most {MOST_MEMBERS} accounts can be invited at a time: withdraw an invitation first"
            );
            return Err(conflict(ConflictKind::LimitReached, message));
        }
        match self.invited.insert(account) {
            true => Ok(()),
            false => Err(conflict(
                ConflictKind::AlreadyInvited,
                "this account is already invited",
            )),
        }
    }

    fn join(&mut self, id: String, name: Option<String>) -> Result<(), LeagueEventError> {
        let account = Uuid::try_parse(&id).ok();
        let placeholder = id.strip_prefix(PLACEHOLDER).map(Uuid::try_parse);
        match (account, placeholder, &name) {
            (Some(_), _, None) => {}
            (None, Some(Ok(_)), Some(name)) => {
                check_name(name).map_err(|message| invalid("placeholder", message))?;
            }
            _ => {
                return Err(invalid(
                    "member",
                    "this is neither the id of an account nor of a placeholder",
                ));
            }
        }
        if let Some(account) = account {
            self.invited.remove(&account);
            self.requests.remove(&account);
        }
        if let Some(known) = self.members.iter_mut().find(|known| known.id == id) {
            if known.active {
                return Err(conflict(
                    ConflictKind::AlreadyMember,
                    "this account is already a member",
                ));
            }
            known.active = true;
            return Ok(());
        }
        if self.members.len() >= MOST_MEMBERS {
            let message = format!(
                "the league has reached the limit of {MOST_MEMBERS} members: continue in a new league"
            );
            return Err(conflict(ConflictKind::LimitReached, message));
        }
        let active = true;
        self.members.push(Member { id, name, active });
        Ok(())
    }

    fn find_member(&mut self, id: &str) -> Result<&mut Member, LeagueEventError> {
        let found = self.members.iter_mut().find(|member| member.id == id);
        found.ok_or_else(|| LeagueEventError::Missing(format!("member {id:?}")))
    }

    fn begin_season(&mut self, number: u16, season: Season) -> Result<(), LeagueEventError> {
        if self.seasons.len() >= MOST_SEASONS {
            let message = format!(
                "the league has reached the limit of {MOST_SEASONS} seasons: continue in a new league"
            );
            return Err(conflict(ConflictKind::LimitReached, message));
        }
        if usize::from(number) != self.seasons.len() + 1 {
            return Err(invalid(
                "season",
                "this is not the number of the next season",
            ));
        }
        check_name(&season.name).map_err(|message| invalid("name", message))?;
        self.seasons.push(season);
        Ok(())
    }

    fn create_tables(&mut self, tables: Vec<Seating>) -> Result<(), LeagueEventError> {
        if tables.is_empty() || tables.len() > MOST_TOGETHER {
            let message = format!("create 1 to {MOST_TOGETHER} tables in a request");
            return Err(invalid("tables", message));
        }
        for (index, table) in tables.into_iter().enumerate() {
            if table.game.is_none() {
                return Err(invalid(
                    "tables",
                    "the table has no game: give the id of one",
                ));
            }
            self.seat(&format!("tables[{index}]."), table, true)?;
        }
        Ok(())
    }

    /// Adds a table. `field` is the path of the table in the request, for errors.
    fn seat(&mut self, field: &str, table: Seating, active: bool) -> Result<(), LeagueEventError> {
        let season = self.season()?;
        self.check_season_open()?;
        if self.tables.len() >= MOST_TABLES {
            let message = format!(
                "the league has reached the limit of {MOST_TABLES} tables: continue in a new league"
            );
            return Err(conflict(ConflictKind::LimitReached, message));
        }
        if table.table as usize != self.tables.len() + 1 {
            return Err(invalid("table", "this is not the number of the next table"));
        }
        check_name(&table.edition)
            .map_err(|message| invalid(format!("{field}edition"), message))?;
        if let Some(board) = &table.board {
            check_name(board).map_err(|message| invalid(format!("{field}board"), message))?;
        }
        let seats = format!("{field}seats");
        if !(2..=MOST_SEATS).contains(&table.seats.len()) {
            return Err(invalid(
                seats,
                format!("a table has 2 to {MOST_SEATS} seats"),
            ));
        }
        if table.game.is_some_and(|game| self.counts(game, 0)) {
            let message = "this game is already a table of the league";
            return Err(invalid(format!("{field}game"), message));
        }
        let mut members: BTreeSet<&str> = BTreeSet::new();
        let mut nations: BTreeSet<&str> = BTreeSet::new();
        for (number, seat) in table.seats.iter().enumerate() {
            let at = format!("{seats}[{number}].member");
            let known = self.member(&seat.member);
            let Some(_) = known.filter(|member| member.active || !active) else {
                let message = format!(
                    "{:?} is not an active member of the league: add the member first",
                    seat.member
                );
                return Err(invalid(at, message));
            };
            if !members.insert(&seat.member) {
                return Err(invalid(at, "a member can have only one seat at a table"));
            }
            for nation in &seat.nations {
                let at = format!("{seats}[{number}].nations");
                check_name(nation).map_err(|message| invalid(&*at, message))?;
                if !nations.insert(nation) {
                    return Err(invalid(
                        at,
                        format!("{nation:?} is given twice at this table"),
                    ));
                }
            }
            if seat.nations.len() > 2 {
                let at = format!("{seats}[{number}].nations");
                return Err(invalid(at, "a seat can have at most two nations"));
            }
        }
        self.check_table(season, &table, &seats)?;
        self.check_groups(season, &table, &seats)?;
        self.check_byes(season, &table, "byes")?;
        self.close_challenges(season, &table);
        let seats: Vec<LeagueSeat> = (table.seats.into_iter())
            .map(|seat| LeagueSeat {
                willing: self.is_active(&seat.member),
                members: vec![seat.member],
                nations: seat.nations,
            })
            .collect();
        self.tables.push(LeagueTable {
            number: table.table,
            seq: self.seq + 1,
            season,
            round: table.round,
            game: table.game,
            edition: table.edition,
            board: table.board,
            byes: table.byes,
            seats,
            state: TableState::Playing,
            result: None,
            deadline: table.deadline,
            deadline_moves: 0,
            prices: Vec::new(),
            played_at: None,
            note: None,
            deadline_note: None,
        });
        Ok(())
    }

    /// Checks that a new table fits the format of the current season.
    fn check_table(
        &self,
        season: u16,
        table: &Seating,
        seats: &str,
    ) -> Result<(), LeagueEventError> {
        let format = self.season_numbered(season).map(|season| season.format);
        let games = match format {
            Some(SeasonFormat::RoundRobin { games }) => games,
            Some(SeasonFormat::KnockOut { .. } | SeasonFormat::DoubleElimination { .. })
                if table.seats.len() != 2 || table.round.is_none() =>
            {
                let message = "a match of a bracket has 2 seats and a round";
                return Err(invalid(seats, message));
            }
            Some(SeasonFormat::Ladder { .. }) if table.seats.len() != 2 => {
                return Err(invalid(seats, "a table of a ladder has 2 seats"));
            }
            Some(
                SeasonFormat::Spread
                | SeasonFormat::Swiss { .. }
                | SeasonFormat::KnockOut { .. }
                | SeasonFormat::DoubleElimination { .. }
                | SeasonFormat::Ladder { .. },
            )
            | None => return Ok(()),
        };
        let [one, other] = &*table.seats else {
            return Err(invalid(seats, "a table of a round robin has 2 seats"));
        };
        let met = self.games_between(season, [&one.member, &other.member]);
        if met >= usize::from(games) {
            let message = format!(
                "these two members have {met} games against each other, as many as the round robin has: void a table to play again"
            );
            return Err(invalid(seats, message));
        }
        Ok(())
    }

    /// Checks the members who sit out the round of a new table.
    fn check_byes(
        &self,
        season: u16,
        table: &Seating,
        field: &str,
    ) -> Result<(), LeagueEventError> {
        if table.byes.is_empty() {
            return Ok(());
        }
        if table.round.is_none() {
            return Err(invalid(field, "give the round that these members sit out"));
        }
        let of_round = self.tables.iter().filter(|other| {
            (other.season, other.round) == (season, table.round) && other.state != TableState::Void
        });
        let mut placed: BTreeSet<&str> = table.seats.iter().map(|seat| &*seat.member).collect();
        for other in of_round {
            let first = other.seats.iter().filter_map(|seat| seat.members.first());
            placed.extend(first.chain(&other.byes).map(String::as_str));
        }
        for member in &table.byes {
            if self.member(member).is_none() {
                let message = format!("{member:?} is not a member of the league");
                return Err(invalid(field, message));
            }
            if !placed.insert(member) {
                let message =
                    format!("{member:?} has a seat in this round, or sits it out already");
                return Err(invalid(field, message));
            }
        }
        Ok(())
    }

    /// Returns the number of tables of a season, except void ones, at which two members were seated.
    fn games_between(&self, season: u16, members: [&str; 2]) -> usize {
        let of_season = self
            .tables
            .iter()
            .filter(|table| table.season == season && table.state != TableState::Void);
        let sits = |table: &LeagueTable, member: &str| {
            let mut first = table.seats.iter().filter_map(|seat| seat.members.first());
            first.any(|sits| sits == member)
        };
        of_season
            .filter(|table| members.iter().all(|member| sits(table, member)))
            .count()
    }

    fn table_of_game(&mut self, game: Uuid) -> Result<&mut LeagueTable, LeagueEventError> {
        let found = self
            .tables
            .iter_mut()
            .find(|table| table.game == Some(game));
        found.ok_or_else(|| LeagueEventError::Missing(format!("table with game {game}")))
    }

    /// Whether a game is a table that is not void, except the table with a given number.
    fn counts(&self, game: Uuid, but: u32) -> bool {
        let mut others = self.tables.iter().filter(|table| table.number != but);
        others.any(|table| table.game == Some(game) && table.state != TableState::Void)
    }

    pub(in crate::leagues) fn table(
        &mut self,
        number: u32,
    ) -> Result<&mut LeagueTable, LeagueEventError> {
        let index = (number as usize).checked_sub(1);
        let found = index.and_then(|index| self.tables.get_mut(index));
        found.ok_or_else(|| LeagueEventError::Missing(format!("table {number}")))
    }

    fn replace(&mut self, table: u32, seat: u8, member: String) -> Result<(), LeagueEventError> {
        let known = self.is_active(&member);
        let table = self.table(table)?;
        let others = (0_u8..).zip(&table.seats);
        let mut others = others.filter(|(number, _)| *number != seat);
        if others.any(|(_, seat)| seat.members.contains(&member)) {
            return Err(invalid(
                "member",
                "a member can have only one seat at a table",
            ));
        }
        let seat = table.seats.get_mut(usize::from(seat));
        let seat = seat.ok_or_else(|| invalid("seat", "the table has no seat with this number"))?;
        // Naming an earlier player of the seat undoes the later replacements.
        match seat.members.iter().position(|holder| *holder == member) {
            Some(place) if place + 1 == seat.members.len() => {
                return Err(invalid("member", "this member already plays the seat"));
            }
            Some(place) => {
                seat.members.truncate(place + 1);
                seat.willing = known;
                return Ok(());
            }
            None if !known => {
                let message = format!("{member:?} is not an active member of the league");
                return Err(invalid("member", message));
            }
            None => {}
        }
        if seat.members.len() >= MOST_HOLDERS {
            let message = format!("at most {MOST_HOLDERS} members can play a seat in succession");
            return Err(conflict(ConflictKind::LimitReached, message));
        }
        seat.members.push(member);
        seat.willing = true;
        Ok(())
    }
}

fn row(
    seq: u64,
    at: i64,
    by: Option<Uuid>,
    event: &LeagueEvent,
) -> Result<LeagueRow, LeagueEventError> {
    let text = serde_json::to_string(event)
        .map_err(|error| LeagueEventError::Broken(error.to_string()))?;
    Ok(LeagueRow {
        seq,
        at,
        by: by.map(|by| by.to_string()),
        text,
        hash: String::new(),
        position: None,
        log_position: None,
    })
}

fn parse_event(row: &LeagueRow) -> Result<LeagueEvent, LeagueEventError> {
    serde_json::from_str(&row.text).map_err(|error| LeagueEventError::Broken(error.to_string()))
}

pub(in crate::leagues) fn check_text(
    field: &str,
    text: Option<&str>,
    most: usize,
) -> Result<(), LeagueEventError> {
    let is_odd = |letter: char| letter.is_control() && letter != '\n';
    match text {
        Some(text) if text.is_empty() || text.len() > most || text.contains(is_odd) => {
            let message = format!(
                "the text must have 1 to {most} bytes, without control characters except line feeds"
            );
            Err(invalid(field, message))
        }
        _ => Ok(()),
    }
}

/// Checks the length and characters of a note.
pub fn check_note(note: Option<&str>) -> Result<(), LeagueEventError> {
    check_text("note", note, LONGEST_NOTE)
}

fn check_format(format: SeasonFormat) -> Result<(), LeagueEventError> {
    match format {
        SeasonFormat::RoundRobin { games } if !(1..=MOST_MEETINGS).contains(&games) => {
            let message = format!("each pair plays 1 to {MOST_MEETINGS} games");
            Err(invalid("format.games", message))
        }
        SeasonFormat::Swiss { bye_points } if bye_points > MOST_POINTS => {
            let message = format!("a bye can give at most {MOST_POINTS} points");
            Err(invalid("format.bye_points", message))
        }
        SeasonFormat::KnockOut { best_of } | SeasonFormat::DoubleElimination { best_of }
            if best_of % 2 == 0 || best_of > MOST_OF_MATCH =>
        {
            let message = format!("a match is the best of 1, 3, 5 or {MOST_OF_MATCH} games");
            Err(invalid("format.best_of", message))
        }
        SeasonFormat::Ladder { reach } if !(1..=MOST_REACH).contains(&reach) => {
            let message = format!("a challenged member is 1 to {MOST_REACH} places above");
            Err(invalid("format.reach", message))
        }
        SeasonFormat::Spread
        | SeasonFormat::RoundRobin { .. }
        | SeasonFormat::Swiss { .. }
        | SeasonFormat::KnockOut { .. }
        | SeasonFormat::DoubleElimination { .. }
        | SeasonFormat::Ladder { .. } => Ok(()),
    }
}

fn check_rules(rules: &Rules) -> Result<(), LeagueEventError> {
    if let Scoring::RankPoints(points) = &rules.scoring {
        let field = "rules.scoring.rank_points";
        if !(1..=MOST_SEATS).contains(&points.len()) {
            return Err(invalid(
                field,
                format!("give the points of 1 to {MOST_SEATS} ranks"),
            ));
        }
        if points.iter().any(|points| *points > MOST_POINTS) {
            return Err(invalid(
                field,
                format!("a rank can give at most {MOST_POINTS} points"),
            ));
        }
        if !points.is_sorted_by(|one, other| one >= other) {
            return Err(invalid(
                field,
                "a better rank must not give fewer points than a worse one",
            ));
        }
    }
    check_weights(rules)?;
    let is_twice =
        |(index, tie_break): (usize, &TieBreak)| rules.tie_breaks[..index].contains(tie_break);
    match rules.tie_breaks.iter().enumerate().any(is_twice) {
        true => Err(invalid("rules.tie_breaks", "list each tie-break only once")),
        false => Ok(()),
    }
}

/// Checks the weights of rounds, and how many results count.
fn check_weights(rules: &Rules) -> Result<(), LeagueEventError> {
    for (number, weight) in rules.round_weights.iter().enumerate() {
        let field = format!("rules.round_weights[{number}]");
        if !(1..=LAST_ROUND).contains(&weight.round) {
            let message = format!("a round must be a number from 1 to {LAST_ROUND}");
            return Err(invalid(format!("{field}.round"), message));
        }
        if weight.percent > MOST_PERCENT {
            let message = format!("a round can count at most {MOST_PERCENT} percent");
            return Err(invalid(format!("{field}.percent"), message));
        }
        let mut before = rules.round_weights[..number].iter();
        if before.any(|other| other.round == weight.round) {
            return Err(invalid(
                format!("{field}.round"),
                "list each round only once",
            ));
        }
    }
    if rules.holiday_days > MOST_HOLIDAYS {
        let message = format!("a member has at most {MOST_HOLIDAYS} days of holidays");
        return Err(invalid("rules.holiday_days", message));
    }
    if rules
        .deadline
        .is_some_and(|rule| rule.grace_hours > LONGEST_GRACE)
    {
        let message = format!("the grace is at most {LONGEST_GRACE} hours");
        return Err(invalid("rules.deadline.grace_hours", message));
    }
    match rules.counted {
        CountedResults::Best(count) | CountedResults::AllBut(count)
            if !(1..=LAST_ROUND).contains(&count) =>
        {
            let message = format!("give a number from 1 to {LAST_ROUND}");
            Err(invalid("rules.counted", message))
        }
        CountedResults::All | CountedResults::Best(_) | CountedResults::AllBut(_) => Ok(()),
    }
}

/// Checks ranks: from 1, equal seats share a rank, and the following ranks are skipped.
pub(in crate::leagues) fn check_ranks(ranks: &[u8], seats: usize) -> Result<(), LeagueEventError> {
    if ranks.len() != seats {
        return Err(invalid("ranks", "give one rank for each seat"));
    }
    let better = |rank: u8| ranks.iter().filter(|other| **other < rank).count();
    let fits = |rank: &u8| usize::from(*rank) == better(*rank) + 1;
    match ranks.iter().all(fits) {
        true => Ok(()),
        false => Err(invalid(
            "ranks",
            "ranks start at 1; after seats that share a rank, as many ranks are skipped, such as 1, 1, 3",
        )),
    }
}

/// Replaces a member of lists by another, who is then in one of them, once.
fn rename(lists: &mut [&mut Vec<String>], old: &str, new: &str) {
    let is_listed = lists
        .iter()
        .any(|list| list.iter().any(|member| member == new));
    for list in lists {
        match is_listed {
            true => list.retain(|member| member != old),
            false => (list.iter_mut().filter(|member| *member == old))
                .for_each(|member| new.clone_into(member)),
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::words::EndReason;

    use super::*;
    use crate::leagues::event::{Joining, SeatCredit, SeatingSeat};

    const LEAGUE: Uuid = Uuid::from_u128(1);
    const DIDO: Uuid = Uuid::from_u128(2);
    const HANNO: Uuid = Uuid::from_u128(3);

    fn created() -> LeagueEvent {
        LeagueEvent::Created {
            name: "Punic Cup".to_owned(),
            description: None,
            visibility: Visibility::Public,
            joining: Joining::Open,
            organizer: DIDO,
        }
    }

    fn rules() -> Rules {
        Rules {
            scoring: Scoring::RankPoints(vec![5, 3, 2, 0]),
            tie_breaks: vec![TieBreak::Wins],
            replacement: SeatCredit::Split,
            ..Rules::default()
        }
    }

    fn seating(table: u32, members: &[&str]) -> Seating {
        let seat = |member: &&str| SeatingSeat {
            member: (*member).to_owned(),
            nations: Vec::new(),
        };
        Seating {
            table,
            round: None,
            game: None,
            edition: "antike".to_owned(),
            board: None,
            deadline: None,
            byes: Vec::new(),
            seats: members.iter().map(seat).collect(),
        }
    }

    fn played() -> (League, Vec<LeagueRow>) {
        let (mut league, row) = League::begin(LEAGUE, 10, DIDO, &created()).unwrap();
        let mut rows = vec![row];
        let (dido, hanno) = (DIDO.to_string(), HANNO.to_string());
        let joined = |member: &str| LeagueEvent::Joined {
            member: member.to_owned(),
            name: None,
        };
        let season = LeagueEvent::SeasonBegan {
            season: 1,
            name: "Spring".to_owned(),
            rules: rules(),
            format: SeasonFormat::Spread,
        };
        let result = LeagueEvent::ResultEntered {
            table: seating(1, &[&dido, &hanno]),
            played_at: None,
            reason: None,
            ranks: vec![1, 1],
            note: None,
        };
        for event in [joined(&dido), joined(&hanno), season, result] {
            rows.push(league.add(5, Some(DIDO), &event).unwrap());
        }
        (league, rows)
    }

    #[test]
    fn a_written_log_is_read_back_the_same() {
        let (league, rows) = played();
        let mut read = League::first(LEAGUE, &rows[0]).unwrap();
        for row in &rows[1..] {
            read.apply_row(row).unwrap();
        }
        assert_eq!(read, league);
        assert_eq!((league.seq, league.at), (4, 14), "times increase");
        assert_eq!(league.tables[0].state, TableState::Counted);
    }

    #[test]
    fn every_alteration_is_found() {
        let (_, rows) = played();
        for place in 0..rows.len() {
            for change in 0..5 {
                let mut rows = rows.clone();
                match change {
                    0 => rows[place].at += 1,
                    1 => rows[place].by = None,
                    2 => rows[place].text.push(' '),
                    3 => rows[place].seq += 1,
                    _ => rows[place].hash.replace_range(..1, "x"),
                }
                let read = League::first(LEAGUE, &rows[0]);
                let read = read.and_then(|mut league| {
                    rows[1..].iter().try_for_each(|row| league.apply_row(row))
                });
                assert!(read.is_err(), "change {change} of row {place}");
            }
        }
        let other = League::first(DIDO, &rows[0]);
        assert!(other.is_err(), "a row belongs to one league");
    }

    #[test]
    fn players_take_the_seats_that_they_have_bid_for() {
        let (mut league, _) = played();
        let (dido, hanno) = (DIDO.to_string(), HANNO.to_string());
        let game = Uuid::from_u128(7);
        let tables = vec![Seating {
            game: Some(game),
            ..seating(2, &[&dido, &hanno])
        }];
        let created = LeagueEvent::TablesCreated { tables };
        league.add(20, Some(DIDO), &created).unwrap();
        let taken = |from: &[u8], prices: &[u16]| LeagueEvent::SeatsTaken {
            game,
            from: from.to_vec(),
            prices: prices.to_vec(),
        };
        for wrong in [
            taken(&[0, 0], &[0, 5]),
            taken(&[1, 2], &[0, 5]),
            taken(&[1, 0, 2], &[0, 5, 0]),
            taken(&[1, 0], &[5]),
        ] {
            assert!(league.clone().add(30, None, &wrong).is_err(), "{wrong:?}");
        }
        league.add(30, None, &taken(&[1, 0], &[0, 5])).unwrap();
        let table = league.tables.last().unwrap();
        assert_eq!(table.seats[0].members, [hanno]);
        assert_eq!(table.seats[1].members, [dido]);
        assert_eq!(table.prices, [0, 5]);
    }

    #[test]
    fn the_end_of_a_game_counts_unless_the_organizers_have_decided() {
        let (league, _) = played();
        let (dido, hanno) = (DIDO.to_string(), HANNO.to_string());
        let game = Uuid::from_u128(7);
        let mut playing = league;
        let tables = vec![Seating {
            game: Some(game),
            ..seating(2, &[&dido, &hanno])
        }];
        let created = LeagueEvent::TablesCreated { tables };
        playing.add(20, Some(DIDO), &created).unwrap();
        let decided = LeagueEvent::TableAdjudicated {
            table: 2,
            ranks: vec![2, 1],
            note: None,
        };
        let finished = LeagueEvent::GameFinished {
            game,
            reason: EndReason::Goal,
            ranks: vec![1, 2],
        };
        let abandoned = LeagueEvent::GameAbandoned { game };
        let after = |events: &[&LeagueEvent]| {
            let mut league = playing.clone();
            for event in events {
                league.add(30, None, event).unwrap();
            }
            let table = league.tables.pop().unwrap();
            (table.state, table.result.map(|result| result.ranks))
        };
        let (first, last) = (Some(vec![1, 2]), Some(vec![2, 1]));
        assert_eq!(after(&[]), (TableState::Playing, None));
        assert_eq!(after(&[&finished]), (TableState::Counted, first));
        assert_eq!(after(&[&abandoned]), (TableState::Abandoned, None));
        let corrected = (TableState::Counted, last);
        assert_eq!(after(&[&finished, &decided]), corrected);
        assert_eq!(after(&[&decided, &finished]), corrected);
        assert_eq!(after(&[&abandoned, &decided]), corrected);
    }

    #[test]
    fn wrong_corrections_can_be_corrected() {
        let (mut league, _) = played();
        let mago = Uuid::from_u128(4).to_string();
        let joined = LeagueEvent::Joined {
            member: mago.clone(),
            name: None,
        };
        let replaced = |seat, member: &str| LeagueEvent::PlayerReplaced {
            table: 1,
            seat,
            member: member.to_owned(),
            note: None,
        };
        let (dido, hanno) = (DIDO.to_string(), HANNO.to_string());
        league.add(20, None, &joined).unwrap();
        let twice = replaced(0, &dido);
        assert!(league.clone().add(20, None, &twice).is_err());
        league.add(20, None, &replaced(0, &mago)).unwrap();
        assert_eq!(
            league.tables[0].seats[0].members,
            [dido.clone(), mago.clone()]
        );
        let elsewhere = replaced(1, &mago);
        assert!(league.clone().add(20, None, &elsewhere).is_err());
        league.add(20, None, &twice).unwrap();
        assert_eq!(
            league.tables[0].seats[0].members,
            std::slice::from_ref(&dido)
        );
        league.add(20, None, &elsewhere).unwrap();

        // The result of a game whose table is void can be entered again, and counts once.
        let game = Uuid::from_u128(7);
        let entered = |number| LeagueEvent::ResultEntered {
            table: Seating {
                game: Some(game),
                ..seating(number, &[&dido, &hanno])
            },
            played_at: None,
            reason: None,
            ranks: vec![1, 2],
            note: None,
        };
        let void = |table| LeagueEvent::TableVoided { table, note: None };
        let decided = |table| LeagueEvent::TableAdjudicated {
            table,
            ranks: vec![2, 1],
            note: None,
        };
        league.add(20, None, &entered(2)).unwrap();
        assert!(league.clone().add(20, None, &entered(3)).is_err());
        league.add(20, None, &void(2)).unwrap();
        let mut again = league.clone();
        again.add(20, None, &decided(2)).unwrap();
        assert!(again.add(20, None, &entered(3)).is_err());
        league.add(20, None, &entered(3)).unwrap();
        league.add(20, None, &decided(3)).unwrap();
        assert!(league.clone().add(20, None, &decided(2)).is_err());
        league.add(20, None, &void(3)).unwrap();
        league.add(20, None, &decided(2)).unwrap();
    }

    #[test]
    fn ranks_skip_as_many_as_share_one() {
        for good in [vec![1, 2, 3], vec![1, 1, 3], vec![2, 1, 2], vec![1, 1, 1]] {
            check_ranks(&good, 3).unwrap();
        }
        for bad in [
            vec![1, 2],
            vec![0, 1, 2],
            vec![1, 1, 2],
            vec![2, 2, 3],
            vec![1, 2, 4],
        ] {
            check_ranks(&bad, 3).unwrap_err();
        }
    }

    fn moved(tables: &[u32]) -> LeagueEvent {
        LeagueEvent::DeadlineMoved {
            tables: tables.to_vec(),
            deadline: Timestamp::UNIX_EPOCH,
            note: "a storm at sea".to_owned(),
        }
    }

    #[test]
    fn deadlines_move_only_for_running_tables() {
        let (mut league, _) = played();
        let (dido, hanno) = (DIDO.to_string(), HANNO.to_string());
        let table = |number: u32| Seating {
            game: Some(Uuid::from_u128(u128::from(number))),
            ..seating(number, &[&dido, &hanno])
        };
        let tables = vec![table(2), table(3), table(4)];
        let created = LeagueEvent::TablesCreated { tables };
        league.add(20, Some(DIDO), &created).unwrap();
        for tables in [&[2, 4][..], &[4]] {
            league.add(30, Some(DIDO), &moved(tables)).unwrap();
        }
        let moves = league.tables.iter().map(|table| {
            let moved = table.deadline == Some(Timestamp::UNIX_EPOCH);
            (moved, table.deadline_moves)
        });
        let expected = [(false, 0), (true, 1), (false, 0), (true, 2)];
        assert_eq!(moves.collect::<Vec<_>>(), expected);
        for tables in [&[1, 2][..], &[3, 2], &[2, 2], &[5]] {
            let mut tried = league.clone();
            assert!(tried.add(40, None, &moved(tables)).is_err(), "{tables:?}");
        }
    }

    #[test]
    fn a_round_robin_has_tables_of_two_and_each_pair_only_so_often() {
        let (mut league, _) = played();
        let (dido, hanno) = (DIDO.to_string(), HANNO.to_string());
        let mago = Uuid::from_u128(4).to_string();
        let joined = LeagueEvent::Joined {
            member: mago.clone(),
            name: None,
        };
        let season = LeagueEvent::SeasonBegan {
            season: 2,
            name: "Autumn".to_owned(),
            rules: rules(),
            format: SeasonFormat::RoundRobin { games: 1 },
        };
        for event in [&joined, &season] {
            league.add(20, None, event).unwrap();
        }
        let entered = |number, members: &[&str]| LeagueEvent::ResultEntered {
            table: seating(number, members),
            played_at: None,
            reason: None,
            ranks: (1..).take(members.len()).collect(),
            note: None,
        };
        let three = entered(2, &[&dido, &hanno, &mago]);
        assert!(league.clone().add(20, None, &three).is_err());
        // The game of the season before does not count.
        league.add(20, None, &entered(2, &[&dido, &hanno])).unwrap();
        let again = entered(3, &[&hanno, &dido]);
        assert!(league.clone().add(20, None, &again).is_err());
        league
            .clone()
            .add(20, None, &entered(3, &[&hanno, &mago]))
            .unwrap();
        let void = LeagueEvent::TableVoided {
            table: 2,
            note: None,
        };
        league.add(20, None, &void).unwrap();
        league.add(20, None, &again).unwrap();
    }

    #[test]
    fn seasons_of_the_first_format_keep_their_bytes() {
        let event = LeagueEvent::SeasonBegan {
            season: 1,
            name: "Spring".to_owned(),
            rules: rules(),
            format: SeasonFormat::Spread,
        };
        let text = serde_json::to_string(&event).unwrap();
        assert!(text.ends_with("\"replacement\":\"split\"}}"), "{text}");
        assert_eq!(serde_json::from_str::<LeagueEvent>(&text).unwrap(), event);
    }

    #[test]
    fn impossible_events_are_refused() {
        let (league, _) = played();
        let dido = DIDO.to_string();
        let stranger = Uuid::from_u128(9).to_string();
        let entered = |table, ranks: &[u8]| LeagueEvent::ResultEntered {
            table,
            played_at: None,
            reason: None,
            ranks: ranks.to_vec(),
            note: None,
        };
        for event in [
            created(),
            LeagueEvent::OrganizerAdded { account: DIDO },
            LeagueEvent::OrganizerRemoved { account: DIDO },
            LeagueEvent::OrganizerRemoved { account: HANNO },
            LeagueEvent::Invited { account: HANNO },
            LeagueEvent::Uninvited { account: HANNO },
            LeagueEvent::Left {
                member: stranger.clone(),
            },
            LeagueEvent::SeasonBegan {
                season: 3,
                name: "Autumn".to_owned(),
                rules: rules(),
                format: SeasonFormat::Spread,
            },
            LeagueEvent::SeasonBegan {
                season: 2,
                name: "Autumn".to_owned(),
                rules: rules(),
                format: SeasonFormat::RoundRobin { games: 0 },
            },
            LeagueEvent::TablesCreated { tables: Vec::new() },
            LeagueEvent::TablesCreated {
                tables: vec![seating(2, &[&dido, &stranger])],
            },
            entered(seating(2, &[&dido, &stranger]), &[1, 2]),
            entered(seating(2, &[&dido, &dido]), &[1, 2]),
            entered(seating(2, &[&dido]), &[1]),
            entered(seating(3, &[&dido, &HANNO.to_string()]), &[1, 2]),
            entered(seating(2, &[&dido, &HANNO.to_string()]), &[1, 3]),
            LeagueEvent::TableVoided {
                table: 2,
                note: None,
            },
            LeagueEvent::PlayerReplaced {
                table: 1,
                seat: 0,
                member: HANNO.to_string(),
                note: None,
            },
            LeagueEvent::GameAbandoned { game: DIDO },
            moved(&[]),
            moved(&[2]),
            moved(&[1]),
        ] {
            let mut tried = league.clone();
            assert!(tried.add(20, None, &event).is_err(), "{event:?}");
        }
    }
}
