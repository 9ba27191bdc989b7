//! Tables of leagues: creating games, entering results, corrections, deadlines.

use analytics::ratings::participants;
use engine::setup::{Player, Player::Person, PlayerKind};
use uuid::Uuid;

use crate::accounts::token;
use crate::db::time::timestamp;
use crate::games::Games;
use crate::games::bodies::{NewGame, NewSeat, Replacement, SeatPlayer};
use crate::games::create::seat_of;
use crate::games::draft::Draft;
use crate::games::model::{Append, Claims, Seat, Visibility};
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::page::cut;
use crate::http::secret;
use crate::leagues::bodies::{DueTimes, table_body};
use crate::leagues::event::LeagueRole;
use crate::leagues::event::{LeagueEvent, SeasonFormat, Seating, SeatingSeat};
use crate::leagues::ladder::check_ladder_tables;
use crate::leagues::league::{League, LeagueTable, Member, TableState};
use crate::leagues::limits::{LAST_ROUND, MOST_MOVES};
use crate::leagues::matches::check_matches;
use crate::leagues::model::{
    ChangedTable, ChangedTables, Correction, CreatedTables, LeagueTableBody, LeagueTablePage,
    NewDeadline, NewResult, NewTables, SeatToken,
};
use crate::leagues::queries::now;
use crate::leagues::results::ranked_at_table;
use crate::leagues::service::{LeagueStep, Leagues};

/// By how much the clock of a client may be ahead.
const CLOCK_DIFFERENCE: jiff::SignedDuration = jiff::SignedDuration::from_mins(5);

/// A game that is ready to be written, and the tokens of its seats.
type PreparedGame = (Draft, Append, Vec<SeatToken>);

impl Leagues {
    /// Creates tables as games on this server, all of them or none.
    ///
    /// Members with accounts are seated immediately, because they agreed by joining.
    pub fn create_tables(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewTables,
    ) -> Result<CreatedTables, ServiceError> {
        self.write(id, call, |league| self.set_up_tables(league, call, new))
    }

    /// Adds tables to a league, and returns the event, the games and the answer.
    fn set_up_tables(
        &self,
        league: &mut League,
        call: &Call,
        new: &NewTables,
    ) -> Result<LeagueStep<CreatedTables>, ServiceError> {
        let by = call.organizes(league)?;
        league.season()?;
        new.deadline.map_or(Ok(()), check_ahead)?;
        check_round(new.round)?;
        check_bidding(league, new)?;
        let first = league.tables.len() as u32 + 1;
        let mut ready = Vec::with_capacity(new.tables.len());
        for (index, table) in (0_u32..)
            .zip(&new.tables)
            .take(crate::leagues::limits::MOST_TOGETHER + 1)
        {
            let prepared = self.prepare_table(league, call, new, &table.seats, first + index);
            ready.push(prepared.map_err(|error| at_table(index, error))?);
        }
        let tables = ready.iter().zip(&new.tables).zip(first..);
        let tables = tables.map(|(((draft, ..), table), number)| {
            seating(league, self, draft, (table, number), new)
        });
        let tables: Result<Vec<Seating>, ServiceError> = tables.collect();
        let tables = tables?;
        check_format(league, &tables.iter().collect::<Vec<_>>(), |number| {
            format!("tables[{number}].seats")
        })?;
        let event = LeagueEvent::TablesCreated { tables };
        let row = league.add(now(), Some(by), &event)?;
        // Games that begin in a pause, or have a player with a holiday.
        for ((draft, append, _), table) in
            (ready.iter_mut()).zip(&league.tables[first as usize - 1..])
        {
            Games::set_new_pauses(draft, append, league.pauses_of(table));
        }
        let names = self.names_in(league)?;
        let set_up = league.tables.iter().skip(first as usize - 1);
        let due: DueTimes = (ready.iter())
            .filter_map(|(draft, ..)| Some((draft.table.id(), draft.table.stored.due_at?)))
            .collect();
        let tables = set_up.map(|table| table_body(league, table, &names, &due));
        let tables = tables.collect();
        let (games, tokens): (Vec<_>, Vec<_>) = (ready.into_iter())
            .map(|(draft, append, tokens)| ((draft, append), tokens))
            .unzip();
        Ok(LeagueStep {
            row,
            tables: games,
            answer: CreatedTables {
                seq: league.seq,
                tables,
                tokens: tokens.concat(),
            },
        })
    }

    /// Prepares the game of a table.
    fn prepare_table(
        &self,
        league: &League,
        call: &Call,
        new: &NewTables,
        seats: &[crate::leagues::model::NewTableSeat],
        number: u32,
    ) -> Result<PreparedGame, ServiceError> {
        let mut tokens = Vec::new();
        let mut sitting = Vec::with_capacity(seats.len());
        for (seat, wanted) in (0_u8..=u8::MAX).zip(seats) {
            let field = format!("seats[{seat}].member");
            let member = self.active_member(league, &wanted.member, &field)?;
            match (Uuid::try_parse(&member.id), &member.name) {
                (Ok(account), _) => {
                    let account = self.store.account_by_id(account)?;
                    let account = account.filter(|account| account.deleted_at.is_none());
                    let gone = || {
                        ServiceError::invalid(
                            &*field,
                            "the account of this member is deleted: name another member",
                        )
                    };
                    sitting.push(seat_of(seat, &account.ok_or_else(gone)?));
                }
                (Err(_), name) => {
                    let token = token::generate()?;
                    let player = Person {
                        id: member.id.clone(),
                        name: name.clone(),
                    };
                    sitting.push(Seat::new(seat, player, Some(secret::hashed(&token))));
                    tokens.push(SeatToken {
                        table: number,
                        seat,
                        member: member.id.clone(),
                        token,
                    });
                }
            }
        }
        let new_seat = |seat: &crate::leagues::model::NewTableSeat| NewSeat {
            nations: seat.nations.clone(),
            player: SeatPlayer::Open,
        };
        let request = NewGame {
            edition: new.edition.clone(),
            board: new.board.clone(),
            variants: new.variants.clone(),
            seats: seats.iter().map(new_seat).collect(),
            seed: None,
            first: None,
            max_rounds: new.max_rounds,
            rated: new.rated,
            league: Some(league.id.to_string()),
            position: None,
            from: None,
            content: None,
            pace: new.pace.clone(),
            visibility: league.visibility,
            claims: Some(Claims::Invited),
            bidding: new.bidding,
        };
        let (draft, append) = self.games.draft_for(call, &request, sitting)?;
        Ok((draft, append, tokens))
    }

    /// Returns an active member, by id or handle.
    pub(in crate::leagues) fn active_member<'a>(
        &self,
        league: &'a League,
        named: &str,
        field: &str,
    ) -> Result<&'a Member, ServiceError> {
        let id = self.known_member(league, named, field)?;
        let active = league.member(&id).filter(|member| member.active);
        let missing = || {
            ServiceError::invalid(
                field,
                "this member has left the league: name an active member",
            )
        };
        active.ok_or_else(missing)
    }

    /// Returns the id of a member, by id or handle.
    pub(in crate::leagues) fn known_member(
        &self,
        league: &League,
        named: &str,
        field: &str,
    ) -> Result<String, ServiceError> {
        let found = self.member_named(league, named).ok();
        let found = found.filter(|id| league.member(id).is_some());
        let missing = || {
            ServiceError::invalid(
                field,
                format!(
                    "{named:?} is not a member of the league: give its id, or the handle of its account"
                ),
            )
        };
        found.ok_or_else(missing)
    }

    /// Returns the ids of members who sit out a round, by id or handle.
    fn known_byes(&self, league: &League, named: &[String]) -> Result<Vec<String>, ServiceError> {
        let each = (0..).zip(named);
        let each = each.map(|(number, named): (usize, &String)| {
            self.known_member(league, named, &format!("byes[{number}]"))
        });
        each.collect()
    }

    /// Enters a result: of a finished game on this server, or of an over-the-board game.
    pub fn enter_result(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewResult,
    ) -> Result<ChangedTable, ServiceError> {
        let work = |league: &League| {
            let by = call.acts_as(league, LeagueRole::Scorer)?;
            league.season()?;
            check_round(new.round)?;
            new.played_at.map_or(Ok(()), check_past)?;
            let table = league.tables.len() as u32 + 1;
            let event = match new.game {
                Some(game) => self.result_of_game(league, call, new, game, table)?,
                None => self.result_at_table(league, new, table)?,
            };
            if !new.again {
                check_new(league, &event)?;
            }
            if let LeagueEvent::ResultEntered { table, .. } = &event {
                check_format(league, &[table], |_| "seats".to_owned())?;
            }
            Ok((by, event))
        };
        self.change(id, call, work, |league| {
            self.changed_table(league, league.tables.len() as u32)
        })
    }

    /// Returns the event of an over-the-board result, without comparing it with other results.
    pub(in crate::leagues) fn over_the_board(
        &self,
        league: &League,
        new: &NewResult,
    ) -> Result<LeagueEvent, ServiceError> {
        check_round(new.round)?;
        new.played_at.map_or(Ok(()), check_past)?;
        let event = self.result_at_table(league, new, league.tables.len() as u32 + 1)?;
        if let LeagueEvent::ResultEntered { table, .. } = &event {
            check_format(league, &[table], |_| "seats".to_owned())?;
        }
        Ok(event)
    }

    pub(in crate::leagues) fn result_at_table(
        &self,
        league: &League,
        new: &NewResult,
        table: u32,
    ) -> Result<LeagueEvent, ServiceError> {
        let missing =
            || ServiceError::invalid("edition", "give the edition of the over-the-board game");
        let mut seats = Vec::with_capacity(new.seats.len());
        let mut ranks = Vec::with_capacity(new.seats.len());
        for (number, seat) in new.seats.iter().enumerate() {
            let field = format!("seats[{number}]");
            let missing = || {
                ServiceError::invalid(
                    format!("{field}.rank"),
                    "give the rank of each seat of the over-the-board game",
                )
            };
            ranks.push(seat.rank.ok_or_else(missing)?);
            seats.push(SeatingSeat {
                member: self.known_member(league, &seat.member, &format!("{field}.member"))?,
                nations: seat.nations.clone(),
            });
        }
        Ok(LeagueEvent::ResultEntered {
            table: Seating {
                table,
                round: new.round,
                game: None,
                edition: new.edition.clone().ok_or_else(missing)?,
                board: new.board.clone(),
                deadline: None,
                byes: self.known_byes(league, &new.byes)?,
                seats,
            },
            played_at: new.played_at,
            reason: None,
            ranks,
            note: new.note.clone(),
        })
    }

    fn result_of_game(
        &self,
        league: &League,
        call: &Call,
        new: &NewResult,
        game: Uuid,
        number: u32,
    ) -> Result<LeagueEvent, ServiceError> {
        let no_game = || ServiceError::invalid("game", "there is no game with this id: check it");
        let table = match self.games.table(game) {
            Ok(table) if self.games.access.sees(call, &table)? => table,
            Ok(_) | Err(ServiceError::NotFound(_)) => return Err(no_game()),
            Err(error) => return Err(error),
        };
        let stored = &table.stored;
        // `Visibility::ALL` begins with the most visible.
        let seen_by = |visibility| Visibility::ALL.iter().position(|own| *own == visibility);
        if seen_by(stored.visibility) > seen_by(league.visibility) {
            let message = "the game is less visible than the league, which would reveal it: enter it in a league that is as private";
            return Err(ServiceError::invalid("game", message));
        }
        let not_over = || {
            ServiceError::invalid(
                "game",
                "this game is not finished, so it has no result: enter it when it is over",
            )
        };
        let result = stored.result.as_ref().ok_or_else(not_over)?;
        if new.edition.is_some() || new.board.is_some() {
            let message = "omit edition and board: they are those of the game";
            return Err(ServiceError::invalid("game", message));
        }
        if !new.seats.is_empty() && new.seats.len() != table.seats.len() {
            let message = format!(
                "the game has {} seats: name one member for each, or none",
                table.seats.len()
            );
            return Err(ServiceError::invalid("seats", message));
        }
        let mut seats = Vec::with_capacity(table.seats.len());
        let mut ranks = Vec::with_capacity(table.seats.len());
        for (index, seat) in table.seats.iter().enumerate() {
            let field = format!("seats[{index}]");
            let member = match new.seats.get(index) {
                Some(named) if named.rank.is_some() || !named.nations.is_empty() => {
                    return Err(ServiceError::invalid(
                        field,
                        "omit nations and ranks: they are those of the game",
                    ));
                }
                Some(named) => {
                    let field = format!("{field}.member");
                    let member = self.known_member(league, &named.member, &field)?;
                    check_sat(league, &seat.player, &member)
                        .map_err(|message| ServiceError::invalid(field, message))?;
                    member
                }
                None => {
                    let account = account_of(&seat.player);
                    let known = account.filter(|id| league.member(id).is_some());
                    let missing = || {
                        ServiceError::invalid(
                            field,
                            "the player of this seat is not a member: name the member who played it",
                        )
                    };
                    known.ok_or_else(missing)?.to_owned()
                }
            };
            let own = result.ranks.iter().find(|rank| rank.seat == seat.number);
            let own = own.ok_or_else(|| ServiceError::damaged(game, "a seat has no rank"))?;
            ranks.push(own.rank);
            seats.push(SeatingSeat {
                member,
                nations: own.nations.clone(),
            });
        }
        Ok(LeagueEvent::ResultEntered {
            table: Seating {
                table: number,
                round: new.round,
                game: Some(game),
                edition: stored.edition.clone(),
                board: Some(stored.board.clone()),
                deadline: None,
                byes: self.known_byes(league, &new.byes)?,
                seats,
            },
            played_at: Some(new.played_at.unwrap_or(timestamp(stored.updated_at))),
            reason: Some(result.reason),
            ranks,
            note: new.note.clone(),
        })
    }

    /// Corrects a table.
    pub fn correct_table(
        &self,
        id: Uuid,
        call: &Call,
        number: u32,
        correction: &Correction,
    ) -> Result<ChangedTable, ServiceError> {
        let work = |league: &League| self.correction(league, call, number, correction);
        if !matches!(correction, Correction::Replace { .. }) {
            return self.change(id, call, work, |league| self.changed_table(league, number));
        }
        // The holidays of the substitute are pauses of the game.
        self.write(id, call, |league| {
            let (by, event) = work(league)?;
            Ok(LeagueStep {
                row: league.add(now(), Some(by), &event)?,
                tables: self.paused_games(league, Some(number))?,
                answer: self.changed_table(league, number)?,
            })
        })
    }

    /// Returns who corrects a table, and the event.
    fn correction(
        &self,
        league: &League,
        call: &Call,
        number: u32,
        correction: &Correction,
    ) -> Result<(Uuid, LeagueEvent), ServiceError> {
        let by = call.acts_as(league, LeagueRole::Referee)?;
        check_impartial(league, number, by)?;
        let event = match correction.clone() {
            Correction::Adjudicate { ranks, note } => LeagueEvent::TableAdjudicated {
                table: number,
                ranks,
                note,
            },
            Correction::Void { note } => LeagueEvent::TableVoided {
                table: number,
                note,
            },
            Correction::Replace { seat, member, note } => LeagueEvent::PlayerReplaced {
                table: number,
                seat,
                member: self.known_member(league, &member, "member")?,
                note,
            },
        };
        Ok((by, event))
    }

    /// Lets a member take over a seat, in the league and in the running game.
    ///
    /// The league checks the change first. Then the game changes, or refuses, and last the league.
    /// Returns the token of the seat if the member has no account.
    pub(crate) fn substitute(
        &self,
        id: Uuid,
        call: &Call,
        number: u32,
        correction: &Correction,
    ) -> Result<Option<String>, ServiceError> {
        let mut league = (*self.visible_league(id, call)?).clone();
        let (by, event) = self.correction(&league, call, number, correction)?;
        league.add(now(), Some(by), &event)?;
        let table = league.table_numbered(number);
        let running = table.filter(|table| table.state == TableState::Playing);
        let mut token = None;
        if let (Some(game), LeagueEvent::PlayerReplaced { seat, member, .. }) =
            (running.and_then(|table| table.game), event)
        {
            let player = match Uuid::try_parse(&member) {
                Ok(_) => SeatPlayer::Id(member),
                Err(_) => {
                    let name = self.names_in(&league)?.remove(&member);
                    SeatPlayer::Placeholder(name.unwrap_or(member))
                }
            };
            let replaced = self
                .games
                .replace(game, call, seat, &Replacement { player })?;
            token = replaced.token;
        }
        self.correct_table(id, call, number, correction)?;
        Ok(token)
    }

    /// Moves the deadline of a table, or of the running tables of a round of the current season.
    pub(crate) fn move_deadline(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewDeadline,
    ) -> Result<ChangedTables, ServiceError> {
        let work = |league: &League| {
            let by = call.acts_as(league, LeagueRole::Referee)?;
            if new.round.is_some() == new.table.is_some() {
                let message = "give either `round` or `table`";
                return Err(ServiceError::invalid("round", message));
            }
            check_ahead(new.deadline)?;
            let mut named = deadline_tables(league, new)?.peekable();
            if named.peek().is_none() {
                let what = |what, number| ServiceError::NotFound(format!("{what} {number}"));
                return Err(match new.table {
                    Some(table) => what("table", table),
                    None => what("round", u32::from(new.round.unwrap_or_default())),
                });
            }
            let tables: Vec<u32> = named
                .filter(|table| table.state == TableState::Playing)
                .map(|table| table.number)
                .collect();
            if tables.is_empty() {
                return Err(ServiceError::conflict(
                    ConflictKind::TableNotRunning,
                    "no game of this table or round is running, so it has no deadline",
                ));
            }
            let is_settled = |table: &&LeagueTable| {
                table.deadline_moves >= MOST_MOVES && tables.contains(&table.number)
            };
            if let Some(table) = league.tables.iter().find(is_settled) {
                let message = format!(
                    "the deadline of table {} was moved {MOST_MOVES} times, which is the limit",
                    table.number
                );
                return Err(ServiceError::conflict(ConflictKind::LimitReached, message));
            }
            let event = LeagueEvent::DeadlineMoved {
                tables,
                deadline: new.deadline,
                note: new.note.clone(),
            };
            Ok((by, event))
        };
        self.change(id, call, work, |league| {
            let moved =
                deadline_tables(league, new)?.filter(|table| table.state == TableState::Playing);
            Ok(ChangedTables {
                seq: league.seq,
                tables: self.table_bodies(league, moved)?,
            })
        })
    }

    /// Returns tables of a league as in answers.
    pub(in crate::leagues) fn table_bodies<'a>(
        &self,
        league: &League,
        tables: impl IntoIterator<Item = &'a LeagueTable>,
    ) -> Result<Vec<LeagueTableBody>, ServiceError> {
        let (names, due) = (self.names_in(league)?, self.due_in(league)?);
        let tables = tables.into_iter();
        Ok(tables
            .map(|table| table_body(league, table, &names, &due))
            .collect())
    }

    /// Returns when the time of the player to move runs out, by game of a league.
    pub(in crate::leagues) fn due_in(&self, league: &League) -> Result<DueTimes, ServiceError> {
        let due = self.store.due_in_league(league.id)?.into_iter();
        due.map(|(game, at)| Ok((crate::games::known_id(&game)?, at)))
            .collect()
    }

    fn changed_table(&self, league: &League, number: u32) -> Result<ChangedTable, ServiceError> {
        let missing = || ServiceError::NotFound(format!("table {number}"));
        let table = league.table_numbered(number).ok_or_else(missing)?;
        let (names, due) = (self.names_in(league)?, self.due_in(league)?);
        Ok(ChangedTable {
            seq: league.seq,
            table: table_body(league, table, &names, &due),
        })
    }

    /// Returns a page of tables after a number, of one season or all, and the last event of the league.
    pub fn tables(
        &self,
        id: Uuid,
        call: &Call,
        season: Option<u16>,
        behind: Option<u32>,
        limit: usize,
    ) -> Result<(LeagueTablePage, u64), ServiceError> {
        let league = self.visible_league(id, call)?;
        if let Some(missing) = season.filter(|season| league.season_numbered(*season).is_none()) {
            return Err(ServiceError::NotFound(format!("season {missing}")));
        }
        let wanted = league.tables.iter().filter(|table| {
            season.is_none_or(|season| table.season == season)
                && behind.is_none_or(|behind| table.number > behind)
        });
        let wanted: Vec<&LeagueTable> = wanted.take(limit + 1).collect();
        let (wanted, next) = cut(wanted, limit, |table| table.number.to_string());
        let page = LeagueTablePage {
            items: self.table_bodies(&league, wanted)?,
            next,
        };
        Ok((page, league.seq))
    }
}

/// Checks the number of a round.
pub(in crate::leagues) fn check_round(round: Option<u16>) -> Result<(), ServiceError> {
    match round {
        Some(round) if !(1..=LAST_ROUND).contains(&round) => {
            let message = format!("a round must be a number from 1 to {LAST_ROUND}");
            Err(ServiceError::invalid("round", message))
        }
        _ => Ok(()),
    }
}

/// Checks that a deadline is in the future.
fn check_ahead(deadline: jiff::Timestamp) -> Result<(), ServiceError> {
    match deadline > jiff::Timestamp::now() {
        true => Ok(()),
        false => Err(ServiceError::invalid(
            "deadline",
            "the deadline must be in the future",
        )),
    }
}

/// Checks that the price of a seat can be taken off the points of the standings.
fn check_bidding(league: &League, new: &NewTables) -> Result<(), ServiceError> {
    let season = league.season_numbered(league.season()?);
    let pays = season.is_some_and(|season| season.format.counts_points());
    match new.bidding.is_some() && !pays {
        true => Err(ServiceError::invalid(
            "bidding",
            "in a bracket or a ladder points do not count, so nothing is paid for a seat: omit `bidding`",
        )),
        false => Ok(()),
    }
}

/// Checks that new tables are matches of the bracket, or possible in the ladder of the current season.
pub(in crate::leagues) fn check_format(
    league: &League,
    tables: &[&Seating],
    field: impl Fn(usize) -> String,
) -> Result<(), ServiceError> {
    let season = league.season()?;
    let format = league.season_numbered(season).map(|season| season.format);
    let checked = match format {
        Some(SeasonFormat::KnockOut { .. } | SeasonFormat::DoubleElimination { .. }) => {
            check_matches(league, season, tables)
        }
        Some(SeasonFormat::Ladder { .. }) => check_ladder_tables(league, season, tables),
        Some(
            SeasonFormat::Spread | SeasonFormat::RoundRobin { .. } | SeasonFormat::Swiss { .. },
        )
        | None => Ok(()),
    };
    checked.map_err(|(number, message)| ServiceError::invalid(field(number), message))
}

/// Checks that a game was not played in the future.
pub(in crate::leagues) fn check_past(played_at: jiff::Timestamp) -> Result<(), ServiceError> {
    match played_at <= jiff::Timestamp::now() + CLOCK_DIFFERENCE {
        true => Ok(()),
        false => Err(ServiceError::invalid(
            "played_at",
            "the time must not be in the future",
        )),
    }
}

/// Checks that the current season does not have the same over-the-board result.
pub(in crate::leagues) fn check_new(
    league: &League,
    event: &LeagueEvent,
) -> Result<(), ServiceError> {
    match same_result(league, league.season()?, event) {
        None => Ok(()),
        Some(table) => {
            let message = format!(
                "this result is entered as table {}: if the members have played again, send `again`, or another `played_at`",
                table.number
            );
            Err(ServiceError::conflict(
                ConflictKind::AlreadyCounted,
                message,
            ))
        }
    }
}

/// Returns the table of a season that has the same over-the-board result.
pub(in crate::leagues) fn same_result<'a>(
    league: &'a League,
    season: u16,
    event: &LeagueEvent,
) -> Option<&'a LeagueTable> {
    let LeagueEvent::ResultEntered {
        table: new,
        played_at,
        ranks,
        ..
    } = event
    else {
        return None;
    };
    let entered = new.seats.iter().map(|seat| (&seat.member, &seat.nations));
    let entered = ranked_seats(entered, ranks);
    let is_same = |table: &&LeagueTable| {
        let seats = table.seats.iter();
        let seats = seats.filter_map(|seat| Some((seat.members.first()?, &seat.nations)));
        let result = table
            .result
            .as_ref()
            .map_or(&[][..], |result| &result.ranks[..]);
        table.season == season
            && table.state == TableState::Counted
            && (table.game, new.game) == (None, None)
            && (table.round, table.played_at) == (new.round, *played_at)
            && (&table.edition, &table.board) == (&new.edition, &new.board)
            && ranked_seats(seats, result) == entered
    };
    league.tables.iter().find(is_same)
}

/// Returns members and nations with their ranks, in an order that does not depend on the seats.
fn ranked_seats<'a>(
    seats: impl Iterator<Item = (&'a String, &'a Vec<String>)>,
    ranks: &[u8],
) -> Vec<(&'a String, &'a Vec<String>, u8)> {
    let seats = seats.zip(ranks);
    let mut ranked: Vec<_> = seats
        .map(|((member, nations), rank)| (member, nations, *rank))
        .collect();
    ranked.sort_unstable();
    ranked
}

/// Returns the tables that receive a new deadline.
fn deadline_tables<'a>(
    league: &'a League,
    new: &'a NewDeadline,
) -> Result<impl Iterator<Item = &'a LeagueTable>, ServiceError> {
    let season = league.season()?;
    let is_named = move |table: &&LeagueTable| match new.table {
        Some(number) => table.number == number,
        None => table.season == season && table.round == new.round,
    };
    Ok(league.tables.iter().filter(is_named))
}

/// Checks that an official who plays at a table corrects neither a rated result of it nor a disputed one.
fn check_impartial(league: &League, number: u32, by: Uuid) -> Result<(), ServiceError> {
    let Some(table) = league.table_numbered(number) else {
        // The change itself reports the missing table.
        return Ok(());
    };
    let by = by.to_string();
    if !(table.seats.iter()).any(|seat| seat.members.contains(&by)) {
        return Ok(());
    }
    let ranked = ranked_at_table(league, table).unwrap_or_default();
    let mut open = league.disputes.iter().filter(|one| one.answer.is_none());
    let why = if !participants(&ranked, PlayerKind::Account).is_empty() {
        "rated"
    } else if open.any(|dispute| dispute.table == Some(number)) {
        "disputed"
    } else {
        return Ok(());
    };
    let message = format!(
        "this result is {why} and you play at the table: ask another official to correct it"
    );
    Err(ServiceError::Forbidden(message))
}

/// Returns the account of a seat's player.
fn account_of(player: &Player) -> Option<&str> {
    let id = player.actor()?;
    Uuid::try_parse(id).is_ok().then_some(id)
}

/// Checks that a seat can belong to a member: it has no bot, and no account of another member.
fn check_sat(league: &League, player: &Player, member: &str) -> Result<(), &'static str> {
    match (player, account_of(player)) {
        (Player::Bot { .. }, _) => Err("a bot played this seat"),
        (_, Some(account)) if account != member && league.member(account).is_some() => Err(
            "another member played this seat; use a correction of the table if a member took it over",
        ),
        _ => Ok(()),
    }
}

/// Returns a table as in the league's log.
/// Its nations are those of the game, which may have drawn them.
fn seating(
    league: &League,
    leagues: &Leagues,
    draft: &Draft,
    (table, number): (&crate::leagues::model::NewTable, u32),
    new: &NewTables,
) -> Result<Seating, ServiceError> {
    // Those who sit out are listed with the first of the tables.
    let is_first = number as usize == league.tables.len() + 1;
    let body = draft.table.body()?.summary;
    let mut seats = Vec::with_capacity(body.seats.len());
    for (seat, wanted) in body.seats.into_iter().zip(&table.seats) {
        seats.push(SeatingSeat {
            member: leagues.known_member(league, &wanted.member, "seats")?,
            nations: seat.nations,
        });
    }
    Ok(Seating {
        table: number,
        round: new.round,
        game: Some(body.id),
        edition: body.edition,
        board: Some(body.board),
        deadline: new.deadline,
        byes: match is_first {
            true => leagues.known_byes(league, &new.byes)?,
            false => Vec::new(),
        },
        seats,
    })
}

/// Prefixes the field of an error with its table, if it is about seats.
fn at_table(index: u32, error: ServiceError) -> ServiceError {
    let within = |field: String| match field.starts_with("seats") {
        true => format!("tables[{index}].{field}"),
        false => field,
    };
    match error {
        ServiceError::Invalid { field, message } => ServiceError::Invalid {
            field: within(field),
            message,
        },
        ServiceError::Setup { error, .. } => {
            let first = error.first();
            ServiceError::Invalid {
                field: within(first.field.clone()),
                message: first.message.clone(),
            }
        }
        other => other,
    }
}
