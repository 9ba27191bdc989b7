//! The matches of a season with a bracket by round, and which tables can be added to it.

use std::collections::{BTreeMap, BTreeSet};

use crate::leagues::bracket::{BracketMatch, bracket, sorted};
use crate::leagues::elimination::double_bracket;
use crate::leagues::event::{SeasonFormat, Seating};
use crate::leagues::league::{League, TableState};

/// Returns the matches of a season with a bracket by round of the season; none before round 1.
pub fn matches_by_round(league: &League, season: u16) -> BTreeMap<u16, Vec<BracketMatch>> {
    let format = league.season_numbered(season).map(|season| season.format);
    if format != Some(SeasonFormat::DoubleElimination) {
        return (1..).zip(bracket(league, season)).collect();
    }
    let whole = double_bracket(league, season);
    let mut rounds: BTreeMap<u16, Vec<BracketMatch>> = BTreeMap::new();
    for (round, matches) in whole.winners.into_iter().chain(whole.losers) {
        rounds.entry(round).or_default().extend(matches);
    }
    for (round, last) in whole.finals {
        rounds.entry(round).or_default().push(last);
    }
    rounds
}

/// Checks that new tables are matches of the bracket: of a later round, or the first ones.
///
/// Returns the number of the first table that is not, and the reason.
pub fn check_matches(
    league: &League,
    season: u16,
    tables: &[&Seating],
) -> Result<(), (usize, String)> {
    let rounds = matches_by_round(league, season);
    // Members enter until round 2 has a table.
    let has_begun = rounds
        .get(&2)
        .is_some_and(|next| next.iter().any(|one| one.table.is_some()));
    let of_first = league.tables.iter().filter(|table| {
        (table.season, table.round) == (season, Some(1)) && table.state != TableState::Void
    });
    let placed: BTreeSet<&str> = of_first
        .flat_map(|table| {
            let first = table.seats.iter().filter_map(|seat| seat.members.first());
            first.chain(&table.byes)
        })
        .map(String::as_str)
        .collect();
    let mut now = BTreeSet::new();
    for (number, table) in tables.iter().enumerate() {
        let refuse = |message: String| Err((number, message));
        let ([one, other], Some(round)) = (&*table.seats, table.round) else {
            return refuse("a match of a bracket has 2 seats and a round".to_owned());
        };
        let pair = sorted([&one.member, &other.member]);
        let own = rounds.get(&round);
        let is_open = own.into_iter().flatten().any(|open| {
            let members = open.pair().map(|[one, other]| sorted([one, other]));
            open.table.is_none() && members == Some(pair)
        });
        let is_first = round == 1 && !has_begun;
        let is_new = pair.iter().all(|member| !placed.contains(member));
        let is_once = pair.iter().all(|member| now.insert(*member));
        let fits = match round {
            1 => is_new && (is_open || is_first),
            _ => is_open,
        };
        if !fits || !is_once {
            let message =
                "these two members do not meet in this round, or have met: see the bracket";
            return refuse(message.to_owned());
        }
        if !table.byes.is_empty() && !is_first {
            return refuse("members sit out only in round 1 of a bracket".to_owned());
        }
    }
    Ok(())
}
