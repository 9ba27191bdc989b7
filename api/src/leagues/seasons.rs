//! Standings and head-to-head results of a season, and the pairing of its next rounds.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use engine::chance::Chance;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::scope::Scope;
use crate::leagues::bodies::member_body;
use crate::leagues::bracket::{BracketMatch, bracket};
use crate::leagues::elimination::double_bracket;
use crate::leagues::event::SeasonFormat;
use crate::leagues::league::{League, LeagueSeat, LeagueTable, SeasonGroups, TableState};
use crate::leagues::log::Until;
use crate::leagues::matches::matches_by_round;
use crate::leagues::model::{
    BracketBody, HeadToHeadBody, LeagueRounds, MatchBody, MeetingBody, NewPairing, NewTableSeat,
    PairedRound, PairedTable, PairingBody, ResultPointsBody, StandingBody, StandingsBody,
    TableReason,
};
use crate::leagues::pairing::{
    PastTable, Request as PairingRequest, RoundOpponents, SeatAssignment, figures, pair, seat,
    sizes,
};
use crate::leagues::queries::{LONGEST_WAIT, now};
use crate::leagues::round_robin::{RoundRobin, pair_round_robin};
use crate::leagues::service::Leagues;
use crate::leagues::standings::{Parts, meetings, places_by_round, standings, standings_of};

/// The age in microseconds at which an earlier state of a league is final.
///
/// A later event makes it final earlier.
///
/// It is longer than an event may wait until it is written ([`LONGEST_WAIT`]).
pub const SETTLED: i64 = LONGEST_WAIT + 2_000_000;

/// The most members that are paired.
const MOST_PAIRED: usize = 400;
/// The most rounds that are paired.
const MOST_ROUNDS: u8 = 12;

/// Selects a season of a league, in its current or an earlier state.
#[derive(Clone, Copy, Debug)]
pub struct SeasonAt {
    /// The league.
    pub league: Uuid,
    /// The number of the season; `None` means the current one.
    pub season: Option<u16>,
    /// The point up to which the log is read.
    pub until: Until,
}

impl Leagues {
    /// Returns the current state of a league that the caller may see, and its state at `until`.
    pub(in crate::leagues) fn until(
        &self,
        id: Uuid,
        call: &Call,
        until: Until,
    ) -> Result<(Arc<League>, Arc<League>), ServiceError> {
        let current = self.visible_league(id, call)?;
        let (behind, message) = match until {
            Until::Event(seq) if seq > current.seq => (
                true,
                format!(
                    "the last event of the league is {}: give its number or an earlier one",
                    current.seq
                ),
            ),
            // An event that is being written may have an earlier time.
            Until::Moment(at) if at > current.at && at > now() - SETTLED => {
                let message = format!(
                    "the time must be at least {} seconds in the past",
                    SETTLED / 1_000_000
                );
                (true, message)
            }
            Until::Moment(at) if at < current.created_at => (
                true,
                "the league did not exist at that time: give a later time".to_owned(),
            ),
            _ => (false, String::new()),
        };
        if behind {
            return Err(ServiceError::invalid_parameter("as_of", message));
        }
        let then = match until {
            Until::Now => current.clone(),
            Until::Event(seq) if seq == current.seq => current.clone(),
            until => Arc::new(self.log.load(id, until)?),
        };
        Ok((current, then))
    }

    /// Returns a season of a league that the caller may see; the current season by default.
    pub(in crate::leagues) fn visible_season(
        &self,
        call: &Call,
        at: SeasonAt,
    ) -> Result<(Arc<League>, u16), ServiceError> {
        let (_, league) = self.until(at.league, call, at.until)?;
        let number = at.season.unwrap_or(league.seasons.len() as u16);
        match league.season_numbered(number) {
            Some(_) => Ok((league, number)),
            None => Err(ServiceError::NotFound(format!("season {number}"))),
        }
    }

    /// Returns the standings of a division of a season, or of all members.
    ///
    /// # Errors
    /// 404 if the season has no such division.
    pub(in crate::leagues) fn division_standings(
        &self,
        call: &Call,
        at: SeasonAt,
        division: Option<u16>,
    ) -> Result<StandingsBody, ServiceError> {
        let (league, season) = self.visible_season(call, at)?;
        let names = self.names_in(&league)?;
        let (body, missing) = match division {
            None => {
                let body = standings_body(&league, season, &names);
                (body, format!("season {season}"))
            }
            Some(division) => {
                let body = division_standings_body(&league, season, division, &names);
                (body, format!("division {division} of season {season}"))
            }
        };
        body.ok_or(ServiceError::NotFound(missing))
    }

    /// Returns the standings and the head-to-head results of a season, at the same event.
    ///
    /// # Errors
    /// The errors of [`Leagues::division_standings`].
    pub(in crate::leagues) fn season_results(
        &self,
        call: &Call,
        at: SeasonAt,
    ) -> Result<(StandingsBody, HeadToHeadBody), ServiceError> {
        let (league, season) = self.visible_season(call, at)?;
        let names = self.names_in(&league)?;
        let results =
            standings_body(&league, season, &names).zip(meetings_body(&league, season, &names));
        results.ok_or_else(|| ServiceError::NotFound(format!("season {season}")))
    }

    /// Returns the ranks of the best members after each round of a season.
    ///
    /// # Errors
    /// The errors of [`Leagues::division_standings`].
    pub(in crate::leagues) fn rounds(
        &self,
        call: &Call,
        at: SeasonAt,
        best: usize,
    ) -> Result<LeagueRounds, ServiceError> {
        let (league, season) = self.visible_season(call, at)?;
        let names = self.names_in(&league)?;
        let missing = || ServiceError::NotFound(format!("season {season}"));
        let places = places_by_round(&league, season, best).ok_or_else(missing)?;
        let name = |member: &String| names.get(member).cloned().unwrap_or_default();
        Ok(LeagueRounds {
            season,
            seq: league.seq,
            at: timestamp(league.at),
            members: places.members.iter().map(name).collect(),
            left_out: places.left_out,
            rounds: places.rounds,
            name: league.name.clone(),
        })
    }

    /// Returns the head-to-head results of a season.
    ///
    /// # Errors
    /// The errors of [`Leagues::division_standings`].
    pub(in crate::leagues) fn head_to_head(
        &self,
        call: &Call,
        at: SeasonAt,
    ) -> Result<HeadToHeadBody, ServiceError> {
        let (league, season) = self.visible_season(call, at)?;
        let body = meetings_body(&league, season, &self.names_in(&league)?);
        body.ok_or_else(|| ServiceError::NotFound(format!("season {season}")))
    }

    /// Returns the bracket of a knock-out season or a double elimination.
    ///
    /// # Errors
    /// The errors of [`Leagues::division_standings`]; also 404 for a season of another format.
    pub(in crate::leagues) fn bracket(
        &self,
        call: &Call,
        at: SeasonAt,
    ) -> Result<BracketBody, ServiceError> {
        let (league, season) = self.visible_season(call, at)?;
        let body = bracket_body(&league, season, &self.names_in(&league)?);
        body.ok_or_else(|| ServiceError::NotFound(format!("bracket of season {season}")))
    }

    /// Pairs members for the next rounds of the current season, without storing anything.
    pub fn pair(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewPairing,
    ) -> Result<PairingBody, ServiceError> {
        call.account(Scope::Organize)?;
        let league = self.visible_league(id, call)?;
        let (season, members) = call.guarded(league.seq, || {
            call.organizes(&league)?;
            let season = league.season()?;
            let mut members = self.paired_members(&league, new)?;
            let groups = league.season_numbered(season).map(|season| &season.groups);
            let round = next_round(&league, season, new)?;
            groups.map_or(Ok(()), |groups| {
                keep_group(groups, new, round, &mut members)
            })?;
            check_pairing(new, members.len())?;
            Ok((season, members))
        })?;
        let of_season = league.season_numbered(season);
        let format = of_season.map(|season| season.format);
        let teams: Vec<u16> = match of_season {
            Some(season) if !season.groups.teams.is_empty() => (members.iter())
                .map(|member| season.groups.team_of(member).unwrap_or(0))
                .collect(),
            _ => Vec::new(),
        };
        let mut bracket_round = None;
        let numbers: HashMap<&str, usize> = (members.iter().enumerate())
            .map(|(number, member)| (member.as_str(), number))
            .collect();
        let of_season = league
            .tables
            .iter()
            .filter(|table| table.season == season && table.state != TableState::Void);
        // The tables of other divisions do not matter.
        let of_season = of_season.filter(|table| {
            let mut first = table.seats.iter().filter_map(|seat| seat.members.first());
            new.division.is_none() || first.any(|member| numbers.contains_key(member.as_str()))
        });
        let past: Vec<PastTable> = of_season
            .map(|table| past_table(table, &numbers, &new.nations))
            .collect();
        let points = match format {
            Some(SeasonFormat::Swiss { .. }) => {
                if new.rounds != 1 {
                    let message = "the season is Swiss: pair one round, and the next one when its results are entered";
                    return Err(ServiceError::invalid("rounds", message));
                }
                points_of(&league, season, &members)
            }
            _ => Vec::new(),
        };
        let score_groups = score_groups(&points);
        let request = PairingRequest {
            players: members.len(),
            size: usize::from(new.size),
            smallest: smallest(new),
            rounds: usize::from(new.rounds),
            nations: !new.nations.is_empty(),
            score_groups: &score_groups,
            teams: &teams,
            past: &past,
            seed: &new.seed,
        };
        let (rounds, figures) = match format {
            Some(SeasonFormat::RoundRobin { games }) => {
                if new.size != 2 {
                    let message = "the season is a round robin, which has tables of 2 seats";
                    return Err(ServiceError::invalid("size", message));
                }
                let schedule = RoundRobin {
                    games: usize::from(games),
                    order: &format!("round robin {} {season}", league.id),
                };
                let paired = pair_round_robin(&request, &schedule);
                if paired.0.is_empty() {
                    let message = format!(
                        "these members have played {games} games against each other: the round robin has no more rounds"
                    );
                    return Err(ServiceError::invalid("rounds", message));
                }
                paired
            }
            Some(SeasonFormat::KnockOut { .. } | SeasonFormat::DoubleElimination { .. }) => {
                if (new.size, new.rounds) != (2, 1) {
                    let message = "the season has a bracket: pair one round of tables of 2 seats";
                    return Err(ServiceError::invalid("size", message));
                }
                let mut chance = Chance::new(&new.seed);
                let (round, opponents) = knock_out_round(&league, season, &numbers, &mut chance)?;
                bracket_round = Some(round);
                let rounds = seat(&request, &[opponents], &mut chance);
                let figures = figures(&request, &rounds);
                (rounds, figures)
            }
            Some(SeasonFormat::Ladder { .. }) => {
                if (new.size, new.rounds) != (2, 1) {
                    let message = "the season is a ladder: pair one round of tables of 2 seats";
                    return Err(ServiceError::invalid("size", message));
                }
                let opponents = challenged_round(&league, season, &numbers)?;
                let rounds = seat(&request, &[opponents], &mut Chance::new(&new.seed));
                let figures = figures(&request, &rounds);
                (rounds, figures)
            }
            Some(SeasonFormat::Spread | SeasonFormat::Swiss { .. }) | None => pair(&request),
        };
        let new_seat = |place: &SeatAssignment| NewTableSeat {
            member: members.get(place.player).cloned().unwrap_or_default(),
            nations: (place.nation.and_then(|nation| new.nations.get(nation)))
                .into_iter()
                .cloned()
                .collect(),
        };
        let met = request.past_meetings();
        let id = |player: usize| members.get(player).cloned().unwrap_or_default();
        let reason = |places: &Vec<SeatAssignment>| {
            let players: Vec<usize> = places.iter().map(|place| place.player).collect();
            let same = |group: u32| {
                let others = players.iter().map(|player| score_groups[*player]);
                others.filter(|other| *other == group).count()
            };
            // The larger group, and of equal ones the better.
            let groups = players.iter().map(|player| score_groups[*player]);
            let main = groups.max_by_key(|group| (same(*group), std::cmp::Reverse(*group)));
            let pairs = (players.iter().enumerate())
                .flat_map(|(place, one)| players[..place].iter().map(move |other| (*other, *one)));
            TableReason {
                points: players
                    .iter()
                    .map(|player| points[*player].number())
                    .collect(),
                moved: (players.iter())
                    .filter(|player| Some(score_groups[**player]) != main)
                    .map(|player| id(*player))
                    .collect(),
                met: pairs
                    .filter(|(one, other)| met.between(*one, *other) > 0)
                    .map(|(one, other)| [id(one), id(other)])
                    .collect(),
            }
        };
        let table = |places: &Vec<SeatAssignment>| PairedTable {
            seats: places.iter().map(new_seat).collect(),
        };
        Ok(PairingBody {
            seq: league.seq,
            figures,
            rounds: (rounds.iter())
                .map(|round| PairedRound {
                    round: bracket_round,
                    tables: round.tables.iter().map(table).collect(),
                    byes: (round.byes.iter())
                        .filter_map(|player| members.get(*player).cloned())
                        .collect(),
                    reasons: match points.is_empty() {
                        true => Vec::new(),
                        false => round.tables.iter().map(reason).collect(),
                    },
                })
                .collect(),
        })
    }

    /// Returns the ids of the members to pair, in the order of the league's list.
    fn paired_members(
        &self,
        league: &League,
        new: &NewPairing,
    ) -> Result<Vec<String>, ServiceError> {
        let deleted = self.deleted(league.members.iter().map(|member| member.id.clone()))?;
        let mut wanted = BTreeSet::new();
        for (number, named) in new.members.iter().take(MOST_PAIRED + 1).enumerate() {
            let field = format!("members[{number}]");
            let member = self.active_member(league, named, &field)?;
            if deleted.contains(&member.id) {
                return Err(ServiceError::invalid(
                    field,
                    "the account of this member is deleted: name another member",
                ));
            }
            if !wanted.insert(member.id.as_str()) {
                return Err(ServiceError::invalid(field, "name each member only once"));
            }
        }
        let paired = league
            .members
            .iter()
            .filter(|member| match wanted.is_empty() {
                true => member.active && !deleted.contains(&member.id),
                false => wanted.contains(member.id.as_str()),
            });
        Ok(paired.map(|member| member.id.clone()).collect())
    }
}

/// Returns the standings of a season as in answers; `None` if there is no such season.
pub(in crate::leagues) fn standings_body(
    league: &League,
    season: u16,
    names: &HashMap<String, String>,
) -> Option<StandingsBody> {
    standings_among(league, season, None, names)
}

/// Returns the standings of a division as in answers; `None` if there is no such season or division.
pub(in crate::leagues) fn division_standings_body(
    league: &League,
    season: u16,
    division: u16,
    names: &HashMap<String, String>,
) -> Option<StandingsBody> {
    let groups = &league.season_numbered(season)?.groups;
    let members = &groups.division(division)?.members;
    let body = standings_among(league, season, Some(members), names)?;
    Some(StandingsBody {
        division: Some(division),
        ..body
    })
}

fn standings_among(
    league: &League,
    season: u16,
    among: Option<&[String]>,
    names: &HashMap<String, String>,
) -> Option<StandingsBody> {
    let rules = &league.season_numbered(season)?.rules;
    let rows = standings_of(league, season, among)?.into_iter();
    let explained = |result: &crate::leagues::standings::ResultPoints| ResultPointsBody {
        table: result.table,
        round: result.round,
        bye: result.bye,
        percent: rules.percent(result.round),
        points: result.points.number(),
        counted: result.counted,
    };
    Some(StandingsBody {
        league: league.id,
        season,
        division: None,
        rules: rules.clone(),
        seq: league.seq,
        at: timestamp(league.at),
        rows: rows
            .map(|row| StandingBody {
                rank: row.rank,
                member: member_body(league, &row.member, names),
                games: row.games.number(),
                points: row.points.number(),
                tie_breaks: row.tie_breaks.into_iter().map(Parts::number).collect(),
                results: match rules.are_weighed() {
                    true => row.results.iter().map(explained).collect(),
                    false => Vec::new(),
                },
            })
            .collect(),
    })
}

/// Returns the bracket of a season as in answers; `None` without a season of this number that has one.
pub(in crate::leagues) fn bracket_body(
    league: &League,
    season: u16,
    names: &HashMap<String, String>,
) -> Option<BracketBody> {
    let member = |id: &String| member_body(league, id, names);
    let body = |round: u16, one: &BracketMatch| MatchBody {
        round,
        members: one
            .members
            .iter()
            .map(|id| id.as_ref().map(member))
            .collect(),
        bye: one.bye,
        tables: one.tables.clone(),
        wins: one.wins.to_vec(),
        winner: one.winner.as_ref().map(member),
    };
    let bodies = |(round, matches): (u16, Vec<BracketMatch>)| -> Vec<MatchBody> {
        let matches = matches.iter().filter(|one| !one.empty);
        matches.map(|one| body(round, one)).collect()
    };
    let (rounds, losers, finals) = match league.season_numbered(season)?.format {
        SeasonFormat::KnockOut { .. } => {
            let rounds = (1..).zip(bracket(league, season));
            (rounds.collect(), Vec::new(), Vec::new())
        }
        SeasonFormat::DoubleElimination { .. } => {
            let whole = double_bracket(league, season);
            (whole.winners, whole.losers, whole.finals)
        }
        SeasonFormat::Spread
        | SeasonFormat::RoundRobin { .. }
        | SeasonFormat::Swiss { .. }
        | SeasonFormat::Ladder { .. } => return None,
    };
    Some(BracketBody {
        league: league.id,
        season,
        seq: league.seq,
        at: timestamp(league.at),
        rounds: rounds.into_iter().map(bodies).collect(),
        losers: losers.into_iter().map(bodies).collect(),
        finals: (finals.iter())
            .map(|(round, last)| body(*round, last))
            .collect(),
    })
}

/// Returns the first round that is paired.
fn next_round(league: &League, season: u16, new: &NewPairing) -> Result<u16, ServiceError> {
    if let Some(round) = new.round {
        return match (1..=crate::leagues::limits::LAST_ROUND).contains(&round) {
            true => Ok(round),
            false => Err(ServiceError::invalid(
                "round",
                format!(
                    "a round must be a number from 1 to {}",
                    crate::leagues::limits::LAST_ROUND
                ),
            )),
        };
    }
    let of_season = league
        .tables
        .iter()
        .filter(|table| table.season == season && table.state != TableState::Void);
    let last = of_season.filter_map(|table| table.round).max();
    Ok(last.map_or(1, |last| last.saturating_add(1)))
}

/// Keeps the members of the division, and of the line-ups of the round.
fn keep_group(
    groups: &SeasonGroups,
    new: &NewPairing,
    round: u16,
    members: &mut Vec<String>,
) -> Result<(), ServiceError> {
    match new.division {
        None if groups.divisions.is_empty() => {}
        None => {
            let message = "the season has divisions: give the number of one, from 1";
            return Err(ServiceError::invalid("division", message));
        }
        Some(division) => {
            if groups.division(division).is_none() {
                let message = format!("the season has no division {division}");
                return Err(ServiceError::invalid("division", message));
            }
            members.retain(|member| groups.division_of(member) == Some(division));
        }
    }
    let last = round
        .saturating_add(u16::from(new.rounds))
        .saturating_sub(1);
    if last > round
        && groups
            .line_ups
            .keys()
            .any(|(own, _)| (round..=last).contains(own))
    {
        let message = "a team has a line-up for one of these rounds: pair one round";
        return Err(ServiceError::invalid("rounds", message));
    }
    members.retain(|member| groups.is_lined_up(member, round));
    Ok(())
}

/// Returns the challenges of a ladder as a round.
fn challenged_round(
    league: &League,
    season: u16,
    numbers: &HashMap<&str, usize>,
) -> Result<RoundOpponents, ServiceError> {
    let season = league.season_numbered(season);
    let open = season.map_or(&[][..], |season| &season.challenges);
    let number = |id: &String| numbers.get(id.as_str()).copied();
    let tables = open
        .iter()
        .filter_map(|one| Some(vec![number(&one.member)?, number(&one.opponent)?]));
    let tables: Vec<Vec<usize>> = tables.collect();
    if tables.is_empty() {
        let message = "no member of these has challenged another one";
        return Err(ServiceError::invalid("members", message));
    }
    Ok(RoundOpponents {
        tables,
        byes: Vec::new(),
    })
}

/// Returns the number and the opponents of the next round of a season with a bracket.
///
/// In round 1, those who sit out are drawn, so that the number of members in round 2 is a power of two.
fn knock_out_round(
    league: &League,
    season: u16,
    numbers: &HashMap<&str, usize>,
    chance: &mut Chance,
) -> Result<(u16, RoundOpponents), ServiceError> {
    let rounds = matches_by_round(league, season);
    if rounds.is_empty() {
        let mut names: Vec<usize> = (0..numbers.len()).collect();
        chance.shuffle(&mut names);
        let byes = names.len().next_power_of_two() - names.len();
        let rest = names.split_off(byes);
        let first = RoundOpponents {
            tables: rest.chunks(2).map(<[usize]>::to_vec).collect(),
            byes: names,
        };
        return Ok((1, first));
    }
    let is_undecided = |one: &BracketMatch| one.winner.is_none() && !one.empty;
    let next = (rounds.iter()).find(|(_, matches)| matches.iter().any(is_undecided));
    let Some((round, matches)) = next else {
        let message = "the season is over: its final has a winner";
        return Err(ServiceError::invalid("rounds", message));
    };
    let mut tables = Vec::new();
    for one in matches.iter().filter(|one| one.open) {
        let sits = |id: &String| {
            numbers.get(id.as_str()).copied().ok_or_else(|| {
                let message = format!(
                    "{id:?} is in round {round} but is not paired: name this member, or enter who has won"
                );
                ServiceError::invalid("members", message)
            })
        };
        if let Some([first, second]) = one.pair() {
            tables.push(vec![sits(first)?, sits(second)?]);
        }
    }
    if tables.is_empty() {
        let message = format!(
            "round {round} is not over: wait for the results of its tables, or decide them"
        );
        return Err(ServiceError::invalid("rounds", message));
    }
    let byes = Vec::new();
    Ok((*round, RoundOpponents { tables, byes }))
}

/// Returns the head-to-head results of a season as in answers; `None` if there is no such season.
pub(in crate::leagues) fn meetings_body(
    league: &League,
    season: u16,
    names: &HashMap<String, String>,
) -> Option<HeadToHeadBody> {
    let rows = meetings(league, season)?.into_iter();
    Some(HeadToHeadBody {
        league: league.id,
        season,
        seq: league.seq,
        at: timestamp(league.at),
        rows: rows
            .map(|met| MeetingBody {
                one: member_body(league, &met.one, names),
                other: member_body(league, &met.other, names),
                games: met.games.number(),
                ahead: met.ahead.number(),
                equal: met.equal.number(),
                behind: met.behind.number(),
            })
            .collect(),
    })
}

/// Returns the points of members in a season.
fn points_of(league: &League, season: u16, members: &[String]) -> Vec<Parts> {
    let rows = standings(league, season).unwrap_or_default();
    let rows: HashMap<&str, Parts> = rows.iter().map(|row| (&*row.member, row.points)).collect();
    let none = Parts { count: 0, of: 1 };
    let points = members.iter().map(|member| rows.get(&**member).copied());
    points.map(|points| points.unwrap_or(none)).collect()
}

/// Returns the score group of each member: 0 for the most points, 1 for the next.
fn score_groups(points: &[Parts]) -> Vec<u32> {
    let mut groups: Vec<i64> = points.iter().map(|points| points.count).collect();
    groups.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
    groups.dedup();
    let group = |points: &Parts| groups.iter().position(|count| *count == points.count);
    let groups = points
        .iter()
        .map(|points| group(points).unwrap_or_default() as u32);
    groups.collect()
}

/// Returns the least number of seats of a table.
fn smallest(new: &NewPairing) -> usize {
    let one_less = new.size.saturating_sub(1).max(2);
    usize::from(new.smallest.unwrap_or(one_less))
}

fn check_pairing(new: &NewPairing, players: usize) -> Result<(), ServiceError> {
    engine::setup::check_seed(&new.seed)
        .map_err(|message| ServiceError::invalid("seed", message))?;
    if !(1..=MOST_ROUNDS).contains(&new.rounds) {
        let message = format!("1 to {MOST_ROUNDS} rounds can be paired");
        return Err(ServiceError::invalid("rounds", message));
    }
    if !(2..=crate::leagues::limits::MOST_SEATS).contains(&usize::from(new.size)) {
        let message = format!(
            "a table has 2 to {} seats",
            crate::leagues::limits::MOST_SEATS
        );
        return Err(ServiceError::invalid("size", message));
    }
    if !(2..=MOST_PAIRED).contains(&players) {
        let message = format!("2 to {MOST_PAIRED} members can be paired, not {players}");
        return Err(ServiceError::invalid("members", message));
    }
    let smallest = smallest(new);
    if !(2..=usize::from(new.size)).contains(&smallest) {
        let message = format!("give 2 to {} seats, at most `size`", new.size);
        return Err(ServiceError::invalid("smallest", message));
    }
    if sizes(players, usize::from(new.size), smallest).is_empty() {
        let message = format!(
            "{players} members do not fill a table of at least {smallest} seats: choose a smaller table"
        );
        return Err(ServiceError::invalid("size", message));
    }
    let nations: BTreeSet<&String> = new.nations.iter().collect();
    if nations.len() != new.nations.len() {
        return Err(ServiceError::invalid(
            "nations",
            "list each nation only once",
        ));
    }
    match new.nations.len() {
        0 => Ok(()),
        count if count == usize::from(new.size) => Ok(()),
        count => Err(ServiceError::invalid(
            "nations",
            format!(
                "list one nation for each of the {} seats of a table, or none; not {count}",
                new.size
            ),
        )),
    }
}

/// Converts an earlier table for pairing; a seat counts for its first player.
fn past_table(
    table: &LeagueTable,
    numbers: &HashMap<&str, usize>,
    nations: &[String],
) -> PastTable {
    let player = |seat: &LeagueSeat| numbers.get(seat.members.first()?.as_str()).copied();
    let nation = |seat: &LeagueSeat| match seat.nations.as_slice() {
        [nation] => nations.iter().position(|known| known == nation),
        _ => None,
    };
    PastTable {
        round: table.round,
        players: table.seats.iter().map(player).collect(),
        nations: table.seats.iter().map(nation).collect(),
    }
}
