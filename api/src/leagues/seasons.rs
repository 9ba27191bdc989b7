//! Standings and head-to-head of a season, and the pairing of its coming rounds.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use uuid::Uuid;

use crate::db::time::timestamp;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::scope::Scope;
use crate::leagues::bodies::member_body;
use crate::leagues::league::{League, TableState, Tabled, TabledSeat};
use crate::leagues::log::Until;
use crate::leagues::model::{
    HeadToHeadBody, LeagueRounds, MeetingBody, NewPairing, NewTableSeat, PairedRound, PairedTable,
    PairingBody, StandingBody, StandingsBody,
};
use crate::leagues::pairing::{PastTable, Request as PairingRequest, SeatAssignment, pair};
use crate::leagues::queries::{LONGEST_WAIT, now};
use crate::leagues::service::Leagues;
use crate::leagues::standings::{Parts, meetings, places_by_round, standings};

/// For how long a moment must be past, in microseconds, before it is told how a league was then, unless its log goes
/// on behind it: longer than the store lets an event wait until it is written ([`LONGEST_WAIT`]).
pub const SETTLED: i64 = LONGEST_WAIT + 2_000_000;

/// The most members that are paired.
const MOST_PAIRED: usize = 400;
/// The most rounds that are paired.
const MOST_ROUNDS: u8 = 12;

/// A season of a league, as it is or was.
#[derive(Clone, Copy, Debug)]
pub struct SeasonAt {
    /// The league.
    pub league: Uuid,
    /// The season; the one that goes on when `None`.
    pub season: Option<u16>,
    /// Up to where the league is read.
    pub until: Until,
}

impl Leagues {
    /// A league that the caller may see as it is now, and as it is or was.
    pub(in crate::leagues) fn until(
        &self,
        id: Uuid,
        call: &Call,
        until: Until,
    ) -> Result<(Arc<League>, Arc<League>), ServiceError> {
        let current = self.seen(id, call)?;
        let (behind, message) = match until {
            Until::Event(seq) if seq > current.seq => {
                (true, format!("the last event is {}", current.seq))
            }
            // What is being written meanwhile may have an earlier time.
            Until::Moment(at) if at > current.at && at > now() - SETTLED => {
                let message = format!(
                    "it is to come, or not yet {} seconds past",
                    SETTLED / 1_000_000
                );
                (true, message)
            }
            Until::Moment(at) if at < current.created_at => {
                (true, "the league was made later".to_owned())
            }
            _ => (false, String::new()),
        };
        if behind {
            return Err(ServiceError::invalid("as_of", message));
        }
        let then = match until {
            Until::Now => current.clone(),
            Until::Event(seq) if seq == current.seq => current.clone(),
            until => Arc::new(self.log.load(id, until)?),
        };
        Ok((current, then))
    }

    /// A season of a league that the caller may see, as it is or was: the one that goes on when none is named.
    fn season_seen(&self, call: &Call, at: SeasonAt) -> Result<(Arc<League>, u16), ServiceError> {
        let (_, league) = self.until(at.league, call, at.until)?;
        let number = at.season.unwrap_or(league.seasons.len() as u16);
        match league.season_of(number) {
            Some(_) => Ok((league, number)),
            None => Err(ServiceError::NotFound(format!("season {number}"))),
        }
    }

    /// The standings of a season, as they are or were.
    pub(in crate::leagues) fn standings(
        &self,
        call: &Call,
        at: SeasonAt,
    ) -> Result<StandingsBody, ServiceError> {
        let (league, season) = self.season_seen(call, at)?;
        let body = standings_body(&league, season, &self.names_in(&league)?);
        body.ok_or_else(|| ServiceError::NotFound(format!("season {season}")))
    }

    /// The places of the best members after each round of a season, as it is or was.
    ///
    /// # Errors
    /// As [`Leagues::standings`].
    pub(in crate::leagues) fn rounds(
        &self,
        call: &Call,
        at: SeasonAt,
        best: usize,
    ) -> Result<LeagueRounds, ServiceError> {
        let (league, season) = self.season_seen(call, at)?;
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

    /// Who met in a season and came out ahead, as it is or was.
    ///
    /// # Errors
    /// As [`Leagues::standings`].
    pub(in crate::leagues) fn head_to_head(
        &self,
        call: &Call,
        at: SeasonAt,
    ) -> Result<HeadToHeadBody, ServiceError> {
        let (league, season) = self.season_seen(call, at)?;
        let body = meetings_body(&league, season, &self.names_in(&league)?);
        body.ok_or_else(|| ServiceError::NotFound(format!("season {season}")))
    }

    /// Who sits where in coming rounds of the season that goes on. Nothing is written.
    pub fn pair(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewPairing,
    ) -> Result<PairingBody, ServiceError> {
        call.account(Scope::Organize)?;
        let league = self.seen(id, call)?;
        let (season, members) = call.guarded(league.seq, || {
            call.organizes(&league)?;
            let season = league.season()?;
            let members = self.paired_members(&league, new)?;
            check_pairing(new, members.len())?;
            Ok((season, members))
        })?;
        let numbers: HashMap<&str, usize> = (members.iter().enumerate())
            .map(|(number, member)| (member.as_str(), number))
            .collect();
        let of_season = league
            .tables
            .iter()
            .filter(|table| table.season == season && table.state != TableState::Void);
        let past: Vec<PastTable> = of_season
            .map(|table| past_table(table, &numbers, &new.nations))
            .collect();
        let (rounds, figures) = pair(&PairingRequest {
            players: members.len(),
            size: usize::from(new.size),
            rounds: usize::from(new.rounds),
            nations: !new.nations.is_empty(),
            past: &past,
            seed: &new.seed,
        });
        let seat = |place: &SeatAssignment| NewTableSeat {
            member: members.get(place.player).cloned().unwrap_or_default(),
            nations: (place.nation.and_then(|nation| new.nations.get(nation)))
                .into_iter()
                .cloned()
                .collect(),
        };
        let table = |places: &Vec<SeatAssignment>| PairedTable {
            seats: places.iter().map(seat).collect(),
        };
        Ok(PairingBody {
            seq: league.seq,
            figures,
            rounds: (rounds.iter())
                .map(|tables| PairedRound {
                    tables: tables.iter().map(table).collect(),
                })
                .collect(),
        })
    }

    /// The ids of those who are paired, in the order of the league's list.
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
                return Err(ServiceError::invalid(field, "this account is deleted"));
            }
            if !wanted.insert(member.id.as_str()) {
                return Err(ServiceError::invalid(field, "nobody is paired twice"));
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

/// The standings of a season as they are told; `None` without such a season.
pub(in crate::leagues) fn standings_body(
    league: &League,
    season: u16,
    names: &HashMap<String, String>,
) -> Option<StandingsBody> {
    let rows = standings(league, season)?.into_iter();
    Some(StandingsBody {
        league: league.id,
        season,
        rules: league.season_of(season)?.rules.clone(),
        seq: league.seq,
        at: timestamp(league.at),
        rows: rows
            .map(|row| StandingBody {
                rank: row.rank,
                member: member_body(league, &row.member, names),
                games: row.games.number(),
                points: row.points.number(),
                tie_breaks: row.tie_breaks.into_iter().map(Parts::number).collect(),
            })
            .collect(),
    })
}

/// Who met in a season as it is told; `None` without such a season.
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

fn check_pairing(new: &NewPairing, players: usize) -> Result<(), ServiceError> {
    engine::setup::check_seed(&new.seed)
        .map_err(|message| ServiceError::invalid("seed", message))?;
    if !(1..=MOST_ROUNDS).contains(&new.rounds) {
        let message = format!("1 to {MOST_ROUNDS} are paired");
        return Err(ServiceError::invalid("rounds", message));
    }
    if !(2..=crate::leagues::limits::MOST_SEATS).contains(&usize::from(new.size)) {
        let message = format!("2 to {} sit at a table", crate::leagues::limits::MOST_SEATS);
        return Err(ServiceError::invalid("size", message));
    }
    if !(2..=MOST_PAIRED).contains(&players) {
        let message = format!("2 to {MOST_PAIRED} members are paired, not {players}");
        return Err(ServiceError::invalid("members", message));
    }
    let nations: BTreeSet<&String> = new.nations.iter().collect();
    if nations.len() != new.nations.len() {
        return Err(ServiceError::invalid("nations", "each is there once"));
    }
    match new.nations.len() {
        0 => Ok(()),
        count if count == usize::from(new.size) => Ok(()),
        _ => Err(ServiceError::invalid(
            "nations",
            "there are as many as sit at a table",
        )),
    }
}

/// A table that was; a seat counts to who began.
fn past_table(table: &Tabled, numbers: &HashMap<&str, usize>, nations: &[String]) -> PastTable {
    let player = |seat: &TabledSeat| numbers.get(seat.members.first()?.as_str()).copied();
    let nation = |seat: &TabledSeat| match seat.nations.as_slice() {
        [nation] => nations.iter().position(|known| known == nation),
        _ => None,
    };
    PastTable {
        players: table.seats.iter().map(player).collect(),
        nations: table.seats.iter().map(nation).collect(),
    }
}
