//! Applies the rows of a file to a league, and reports what happens to each row.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use engine::setup::{PLACEHOLDER, check_name};
use jiff::tz::TimeZone;
use uuid::Uuid;

use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::leagues::event::{LeagueEvent, SeasonFormat};
use crate::leagues::exchange::model::{
    ImportContent, ImportQuery, ImportReport, ImportedRow, RowFate,
};
use crate::leagues::exchange::rows::{
    ImportRows, ImportedSeat, MemberRow, ResultRows, RowFault, board_named, edition_named, folded,
    nation_named,
};
use crate::leagues::fold::LeagueEventError;
use crate::leagues::league::{League, LeagueTable, TableState};
use crate::leagues::model::{NewResult, ResultSeat};
use crate::leagues::queries::{LeagueRow, now};
use crate::leagues::service::{LeagueSteps, Leagues};
use crate::leagues::standings::seat_points;
use crate::leagues::tables::same_result;

/// By how much points may differ because of rounding.
const ROUNDING: f64 = 0.01;

/// An import that is applied to a copy of a league.
struct ImportRun<'a> {
    leagues: &'a Leagues,
    query: &'a ImportQuery,
    by: Uuid,
    league: League,
    /// The number of tables before the import.
    tables_before: usize,
    /// The ids of members by name in lower case.
    members: HashMap<String, Vec<String>>,
    /// The events of the import, in order.
    events: Vec<LeagueEvent>,
    report: ImportReport,
}

/// Why a row or an import is refused.
enum ImportFault {
    /// The row is refused, and the others can be checked.
    Row(RowFault),
    /// The import ends.
    Whole(ServiceError),
}

impl From<RowFault> for ImportFault {
    fn from(fault: RowFault) -> ImportFault {
        ImportFault::Row(fault)
    }
}

impl From<ServiceError> for ImportFault {
    fn from(error: ServiceError) -> ImportFault {
        match error {
            ServiceError::Invalid { field, message } => {
                ImportFault::Row(RowFault::new(field, message))
            }
            error => ImportFault::Whole(error),
        }
    }
}

/// What happens to a result.
struct ResultFate {
    fate: RowFate,
    table: Option<u32>,
    /// The column in doubt and a remark.
    doubt: Option<RowFault>,
    /// Remarks about seats, by index.
    remarks: BTreeMap<usize, RowFault>,
}

impl Leagues {
    /// Imports the rows of a file, all or none, or reports what would happen to them.
    ///
    /// # Errors
    /// 403 for callers who do not organize the league; 422 when a row is refused, unless this is a dry run; 409 when no
    /// season has begun, or when the league would exceed a limit.
    pub fn import(
        &self,
        id: Uuid,
        call: &Call,
        rows: &ImportRows,
        query: &ImportQuery,
    ) -> Result<ImportReport, ServiceError> {
        if query.dry_run {
            let league = self.visible_league(id, call)?;
            let import = call.guarded(league.seq, || self.apply(&league, call, rows, query))?;
            return Ok(ImportReport {
                seq: league.seq,
                ..import.report
            });
        }
        self.write_steps(id, call, |league| {
            let import = self.apply(league, call, rows, query)?;
            import.check()?;
            // Added again, because events are written soon after their time, and a long file takes long to check.
            let rows = import.events.iter();
            let rows = rows.map(|event| league.add(now(), Some(import.by), event));
            let rows = rows.collect::<Result<Vec<LeagueRow>, LeagueEventError>>()?;
            Ok(LeagueSteps {
                rows,
                tables: Vec::new(),
                answer: ImportReport {
                    imported: true,
                    seq: league.seq,
                    ..import.report
                },
            })
        })
    }

    /// Applies rows to a copy of a league.
    fn apply<'a>(
        &'a self,
        league: &League,
        call: &Call,
        rows: &ImportRows,
        query: &'a ImportQuery,
    ) -> Result<ImportRun<'a>, ServiceError> {
        let by = call.organizes(league)?;
        let names = self.names_in(league)?;
        let mut members: HashMap<String, Vec<String>> = HashMap::new();
        for member in &league.members {
            let name = names.get(&member.id).map(|name| name.to_lowercase());
            let same = members.entry(name.unwrap_or_default()).or_default();
            same.push(member.id.clone());
        }
        let content = match rows {
            ImportRows::Members(_) => ImportContent::Members,
            ImportRows::Results(_) => ImportContent::Results,
        };
        let mut import = ImportRun {
            leagues: self,
            query,
            by,
            league: league.clone(),
            tables_before: league.tables.len(),
            members,
            events: Vec::new(),
            report: ImportReport {
                imported: false,
                seq: league.seq,
                content,
                added: 0,
                invited: 0,
                possible_duplicates: 0,
                already_there: 0,
                skipped: 0,
                refused: 0,
                new_members: Vec::new(),
                new_seasons: Vec::new(),
                rows: Vec::new(),
            },
        };
        match rows {
            ImportRows::Members(rows) => import.add_members(rows)?,
            ImportRows::Results(results) => {
                league.season()?;
                import.add_results(results)?;
            }
        }
        import.report.rows.sort_by_key(|row| row.row);
        Ok(import)
    }
}

impl ImportRun<'_> {
    /// Checks that no row is refused.
    fn check(&self) -> Result<(), ServiceError> {
        let mut refused = self
            .report
            .rows
            .iter()
            .filter(|row| row.fate == RowFate::Refused);
        let Some(first) = refused.next() else {
            return Ok(());
        };
        let (column, reason) = (first.column.as_deref(), first.message.as_deref());
        let message = format!(
            "{}: {} of {} rows are refused, and nothing was imported: `dry_run=true` lists all of them",
            reason.unwrap_or("the row is refused"),
            self.report.refused,
            self.report.rows.len()
        );
        let column = column.map_or(String::new(), |column| format!(".{column}"));
        Err(ServiceError::invalid(
            format!("rows[{}]{column}", first.row),
            message,
        ))
    }

    fn add(&mut self, event: &LeagueEvent) -> Result<(), ServiceError> {
        self.league.add(now(), Some(self.by), event)?;
        self.events.push(event.clone());
        Ok(())
    }

    /// Adds what happens to a row to the report.
    fn note(
        &mut self,
        row: u64,
        name: &str,
        fate: RowFate,
        table: Option<u32>,
        remark: Option<RowFault>,
    ) {
        let report = &mut self.report;
        let count = match fate {
            RowFate::Added => &mut report.added,
            RowFate::Invited => &mut report.invited,
            RowFate::PossibleDuplicate => &mut report.possible_duplicates,
            RowFate::AlreadyThere => &mut report.already_there,
            RowFate::Skipped => &mut report.skipped,
            RowFate::Refused => &mut report.refused,
        };
        *count += 1;
        if fate == RowFate::PossibleDuplicate {
            report.added += 1;
        }
        let (column, message) = remark.map(|fault| (fault.column, fault.message)).unzip();
        report.rows.push(ImportedRow {
            row,
            name: name.to_owned(),
            fate,
            table,
            column: column.filter(|column| !column.is_empty()),
            message,
        });
    }

    fn add_members(&mut self, rows: &[MemberRow]) -> Result<(), ServiceError> {
        for row in rows {
            let shown = row
                .handle
                .as_deref()
                .or(row.name.as_deref())
                .unwrap_or_default();
            let outcome = match (&row.handle, &row.name) {
                (Some(handle), _) => self.invite(handle),
                (None, Some(name)) => self.add_member(name),
                (None, None) => Err(RowFault::new("name", "give a name or a handle").into()),
            };
            match outcome {
                Ok((fate, remark)) => self.note(row.row, shown, fate, None, remark),
                Err(ImportFault::Row(fault)) => {
                    self.note(row.row, shown, RowFate::Refused, None, Some(fault));
                }
                Err(ImportFault::Whole(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// Invites an account, unless it is a member or is invited.
    fn invite(&mut self, handle: &str) -> Result<(RowFate, Option<RowFault>), ImportFault> {
        let found = self.leagues.accounts.account_named(handle)?;
        let found = found.filter(|account| account.deleted_at.is_none());
        let missing = || {
            let message = "no account has this handle: check the spelling, or give a name only";
            RowFault::new("handle", message)
        };
        let account = found.ok_or_else(missing)?.id;
        let member = self.league.member(&account.to_string());
        if member.is_some_and(|member| member.active) || self.league.invited.contains(&account) {
            return Ok((RowFate::AlreadyThere, None));
        }
        self.add(&LeagueEvent::Invited { account })?;
        Ok((RowFate::Invited, None))
    }

    /// Adds a member without an account, unless a member has the name.
    fn add_member(&mut self, name: &str) -> Result<(RowFate, Option<RowFault>), ImportFault> {
        if let Some(same) = self.members.get(&name.to_lowercase()) {
            let known = same.iter().find_map(|id| self.league.member(id));
            let has_left = known.is_some_and(|member| !member.active);
            let remark = RowFault::new("name", "this member has left the league");
            return Ok((RowFate::AlreadyThere, Some(remark).filter(|_| has_left)));
        }
        let (_, doubt) = self.add_placeholder("name", name)?;
        let fate = match doubt {
            Some(_) => RowFate::PossibleDuplicate,
            None => RowFate::Added,
        };
        Ok((fate, doubt))
    }

    /// Adds a member without an account, and returns the id, and a doubt if the name resembles another.
    fn add_placeholder(
        &mut self,
        column: &str,
        name: &str,
    ) -> Result<(String, Option<RowFault>), ImportFault> {
        check_name(name).map_err(|message| RowFault::new(column, message))?;
        let similar = (self.members.keys()).find(|known| folded(known) == folded(name));
        let mut doubt = similar.map(|known| {
            let message = format!("the league also has a member {known:?}");
            RowFault::new(column, message)
        });
        if doubt.is_none() && self.leagues.accounts.account_named(name)?.is_some() {
            let message = "an account has this handle but is not a member: it can take over this member later";
            doubt = Some(RowFault::new(column, message));
        }
        let member = format!("{PLACEHOLDER}{}", Uuid::now_v7());
        self.add(&LeagueEvent::Joined {
            member: member.clone(),
            name: Some(name.to_owned()),
        })?;
        self.members
            .insert(name.to_lowercase(), vec![member.clone()]);
        self.report.new_members.push(name.to_owned());
        Ok((member, doubt))
    }

    /// Adds results: those of the current season first, then those of each new season.
    fn add_results(&mut self, results: &[ResultRows]) -> Result<(), ServiceError> {
        let current = self
            .league
            .seasons
            .last()
            .map(|season| season.name.to_lowercase());
        let mut seasons: Vec<Option<String>> = vec![None];
        let mut by_season: BTreeMap<usize, Vec<&ResultRows>> = BTreeMap::new();
        for result in results {
            let named = result.season.as_ref().or(self.query.season.as_ref());
            let named = named
                .map(|name| name.to_lowercase())
                .filter(|name| Some(name) != current.as_ref());
            let place = seasons.iter().position(|season| *season == named);
            let place = place.unwrap_or_else(|| {
                seasons.push(named);
                seasons.len() - 1
            });
            by_season.entry(place).or_default().push(result);
        }
        for result in by_season.into_values().flatten() {
            self.add_result(result)?;
        }
        Ok(())
    }

    fn add_result(&mut self, result: &ResultRows) -> Result<(), ServiceError> {
        if let Some(reason) = &result.skipped {
            for seat in &result.seats {
                let reason = RowFault::new("", reason);
                self.note(seat.row, &seat.player, RowFate::Skipped, None, Some(reason));
            }
            return Ok(());
        }
        let is_faulty = result.seats.iter().any(|seat| seat.fault.is_some());
        let outcome = match is_faulty {
            true => Err((
                None,
                RowFault::new("", "another row of this table is refused").into(),
            )),
            false => self.enter(result),
        };
        let (outcome, at) = match outcome {
            Ok(outcome) => (Ok(outcome), None),
            Err((_, ImportFault::Whole(error))) => return Err(error),
            Err((at, ImportFault::Row(fault))) => (Err(fault), at),
        };
        for (index, seat) in result.seats.iter().enumerate() {
            let (fate, table, remark) = match &outcome {
                Ok(outcome) => {
                    let own = outcome.remarks.get(&index).or(outcome.doubt.as_ref());
                    (outcome.fate, outcome.table, own.cloned())
                }
                Err(fault) if at.is_none_or(|at| at == index) => {
                    let own = seat.fault.as_ref().unwrap_or(fault);
                    (RowFate::Refused, None, Some(own.clone()))
                }
                Err(_) => {
                    let message = "another row of this table is refused";
                    (RowFate::Refused, None, Some(RowFault::new("", message)))
                }
            };
            self.note(seat.row, &seat.player, fate, table, remark);
        }
        Ok(())
    }

    /// Enters a result.
    ///
    /// An error comes with the index of the seat that it is about.
    fn enter(&mut self, result: &ResultRows) -> Result<ResultFate, (Option<usize>, ImportFault)> {
        let of_table = |fault: ImportFault| (None, fault);
        let library = self.leagues.games.library();
        let named =
            |column: &'static str, name: Option<&String>, find: &dyn Fn(&str) -> Option<String>| {
                let unknown = |name: &String| {
                    RowFault::new(column, format!("this server has no {column} {name:?}"))
                };
                name.map(|name| find(name).ok_or_else(|| of_table(unknown(name).into())))
                    .transpose()
            };
        let edition = result.edition.as_ref().or(self.query.edition.as_ref());
        let edition = named("edition", edition, &|name| edition_named(library, name))?;
        let no_edition = || {
            let message = "give the edition in this column or as the parameter `edition`";
            of_table(RowFault::new("edition", message).into())
        };
        let edition = edition.ok_or_else(no_edition)?;
        let board = result.board.as_ref().or(self.query.board.as_ref());
        let board = named("board", board, &|name| board_named(library, name))?;
        let season = self.season(result).map_err(of_table)?;
        let mut remarks = BTreeMap::new();
        let mut seats = Vec::with_capacity(result.seats.len());
        for (index, seat) in result.seats.iter().enumerate() {
            let of_seat = |fault: ImportFault| (Some(index), fault);
            let mut nations = Vec::new();
            for name in &seat.nations {
                let unknown =
                    || RowFault::new("nation", format!("no board has the nation {name:?}"));
                let nation = nation_named(library, name).ok_or_else(unknown);
                nations.push(nation.map_err(|fault| of_seat(fault.into()))?);
            }
            let (member, doubt) = self.player(seat).map_err(of_seat)?;
            if let Some(doubt) = doubt {
                remarks.insert(index, doubt);
            }
            seats.push(ResultSeat {
                member,
                nations,
                rank: seat.rank,
            });
        }
        let new = NewResult {
            round: result.round,
            edition: Some(edition),
            board,
            played_at: result.played_at,
            seats,
            again: true,
            note: result.note.clone(),
            ..NewResult::default()
        };
        let event = self.leagues.over_the_board(&self.league, &new);
        let event = event.map_err(|error| located(error.into()))?;
        let same = same_result(&self.league, season, &event).map(|table| table.number);
        if let Some(number) = same.filter(|number| *number as usize <= self.tables_before) {
            let remark = RowFault::new(
                "table",
                format!("this result is table {number} of the league"),
            );
            return Ok(ResultFate {
                fate: RowFate::AlreadyThere,
                table: Some(number),
                doubt: Some(remark),
                remarks,
            });
        }
        if usize::from(season) != self.league.seasons.len() {
            let message = "this season is over: results can be added to the current season and to new seasons only";
            return Err(of_table(RowFault::new("season", message).into()));
        }
        let doubt = match same {
            Some(number) => Some(format!("the file also has this result as table {number}")),
            None => self.same_day(season, &new).map(|table| {
                format!(
                    "table {} has the same members on the same day",
                    table.number
                )
            }),
        };
        self.add(&event).map_err(|error| located(error.into()))?;
        for (index, remark) in self.other_points(&result.seats) {
            remarks.entry(index).or_insert(remark);
        }
        Ok(ResultFate {
            fate: match doubt {
                Some(_) => RowFate::PossibleDuplicate,
                None => RowFate::Added,
            },
            table: Some(self.league.tables.len() as u32),
            doubt: doubt.map(|message| RowFault::new("table", message)),
            remarks,
        })
    }

    /// Returns the number of the season of a result, and begins it if it is new.
    fn season(&mut self, result: &ResultRows) -> Result<u16, ImportFault> {
        let named = result.season.as_ref().or(self.query.season.as_ref());
        let Some(name) = named else {
            return Ok(self.league.seasons.len() as u16);
        };
        let is_named = |own: &str| own.to_lowercase() == name.to_lowercase();
        let known = (1..).zip(&self.league.seasons);
        // If seasons share a name, the last one is meant.
        let known = known.filter(|(_, season)| is_named(&season.name)).last();
        if let Some((number, _)) = known {
            return Ok(number);
        }
        let no_season = || ServiceError::conflict(ConflictKind::NotStarted, "no season has begun");
        let rules = self
            .league
            .seasons
            .last()
            .map(|season| season.rules.clone());
        let number = self.league.seasons.len() as u16 + 1;
        let event = LeagueEvent::SeasonBegan {
            season: number,
            name: name.clone(),
            rules: rules.ok_or_else(no_season)?,
            // Other formats restrict which results are possible.
            format: SeasonFormat::Spread,
        };
        self.add(&event).map_err(|error| match error {
            ServiceError::Invalid { message, .. } => RowFault::new("season", message).into(),
            error => ImportFault::Whole(error),
        })?;
        self.report.new_seasons.push(name.clone());
        Ok(number)
    }

    /// Returns the member that a row names, who is added if there is none.
    fn player(&mut self, seat: &ImportedSeat) -> Result<(String, Option<RowFault>), ImportFault> {
        if self.league.member(&seat.player).is_some() {
            return Ok((seat.player.clone(), None));
        }
        match self
            .members
            .get(&seat.player.to_lowercase())
            .map(Vec::as_slice)
        {
            Some([id]) => Ok((id.clone(), None)),
            Some(_) => {
                let message = "several members have this name: give the id of one";
                Err(RowFault::new("player", message).into())
            }
            None => self.add_placeholder("player", &seat.player),
        }
    }

    /// Returns a table from before the import that has the same members on the same day.
    fn same_day(&self, season: u16, new: &NewResult) -> Option<&LeagueTable> {
        let day = |at: jiff::Timestamp| at.to_zoned(TimeZone::UTC).date();
        let (members, played): (BTreeSet<&String>, _) = (
            new.seats.iter().map(|seat| &seat.member).collect(),
            day(new.played_at?),
        );
        let before = self.league.tables.iter().take(self.tables_before);
        let mut before =
            before.filter(|table| table.season == season && table.state != TableState::Void);
        before.find(|table| {
            let is_same_day = || table.played_at.is_some_and(|at| day(at) == played);
            let own = table.seats.iter().filter_map(|seat| seat.members.last());
            is_same_day() && own.collect::<BTreeSet<&String>>() == members
        })
    }

    /// Returns remarks about points of the file that the rules of the season do not give for the last table.
    fn other_points(&self, seats: &[ImportedSeat]) -> Vec<(usize, RowFault)> {
        let points = self
            .league
            .tables
            .last()
            .and_then(|table| seat_points(&self.league, table));
        let points = points
            .unwrap_or_default()
            .into_iter()
            .zip(seats)
            .enumerate();
        let remark = |(index, (points, seat)): (
            usize,
            (crate::leagues::standings::Parts, &ImportedSeat),
        )| {
            let (own, given) = (points.number(), seat.points?);
            let message =
                format!("the rules of the season give {own} points, the file has {given}");
            ((own - given).abs() > ROUNDING).then(|| (index, RowFault::new("points", message)))
        };
        points.filter_map(remark).collect()
    }
}

/// Returns the seat and the column of a fault that names the field of a request.
fn located(fault: ImportFault) -> (Option<usize>, ImportFault) {
    let ImportFault::Row(fault) = fault else {
        return (None, fault);
    };
    let seat = fault.column.strip_prefix("seats[");
    let seat = seat.and_then(|rest| rest.split(']').next()?.parse().ok());
    let column = match fault.column.rsplit('.').next().unwrap_or_default() {
        "member" => "player",
        "nations" => "nation",
        "rank" | "ranks" => "place",
        "played_at" => "date",
        "seats" => "table",
        other => other,
    };
    (seat, RowFault::new(column, fault.message).into())
}
