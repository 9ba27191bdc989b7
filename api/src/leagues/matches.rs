//! The matches of a season with a bracket by round, and which tables can be added to it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::leagues::bracket::{BracketMatch, bracket, sorted};
use crate::leagues::elimination::double_bracket;
use crate::leagues::event::{SeasonFormat, Seating};
use crate::leagues::league::{League, TableState};

/// Returns the matches of a season with a bracket by round of the season; none before round 1.
pub fn matches_by_round(league: &League, season: u16) -> BTreeMap<u16, Vec<BracketMatch>> {
    let format = league.season_numbered(season).map(|season| season.format);
    if !matches!(format, Some(SeasonFormat::DoubleElimination { .. })) {
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

/// Returns how far each member has come in a bracket up to a round, in the order of the league's members.
///
/// Members who can still win have more than those who are out: the more, the fewer matches they have lost. Members who
/// are out have the round in which they lost their last match, or in which another member took over their seat. Members
/// who have neither had a seat nor sat out have 0.
pub fn progress(league: &League, season: u16, until: u16) -> Vec<i64> {
    let format = league.season_numbered(season).map(|season| season.format);
    let lives = match format {
        Some(SeasonFormat::DoubleElimination { .. }) => 2,
        _ => 1,
    };
    // The matches that each member has lost, and the round of the last one.
    let mut lost: HashMap<&str, (i64, u16)> = HashMap::new();
    let rounds = matches_by_round(league, season);
    let tables = || {
        let of_season = league.tables.iter().filter(|table| table.season == season);
        of_season.filter_map(|table| Some((table.round.filter(|round| *round <= until)?, table)))
    };
    for (round, table) in tables() {
        let seats = table.seats.iter().map(|seat| &*seat.members);
        for (last, replaced) in seats.filter_map(<[String]>::split_last) {
            lost.entry(last).or_default();
            for member in replaced {
                lost.insert(member, (lives, round));
            }
        }
        table.byes.iter().for_each(|member| {
            lost.entry(member).or_default();
        });
    }
    for (round, matches) in rounds.range(..=until) {
        for loser in matches.iter().filter_map(|one| one.loser.as_deref()) {
            if let Some((count, last)) = lost.get_mut(loser) {
                *count += 1;
                *last = (*last).max(*round);
            }
        }
    }
    let of = |id: &str| match lost.get(id) {
        None => 0,
        Some((count, _)) if *count < lives => i64::from(u16::MAX) + lives - count,
        Some((_, round)) => i64::from(*round),
    };
    league.members.iter().map(|member| of(&member.id)).collect()
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
        .is_some_and(|next| next.iter().any(|one| !one.tables.is_empty()));
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
            open.open && members == Some(pair)
        });
        let is_first = round == 1 && !has_begun;
        let is_new = pair.iter().all(|member| !placed.contains(member));
        let is_once = pair.iter().all(|member| now.insert(*member));
        let fits = match round {
            1 => is_open || (is_new && is_first),
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::leagues::event::Rules;
    use crate::leagues::fixtures::{begin_league, match_result, member, next_match};

    fn enter(league: &mut League, round: u16, seats: [&str; 2], byes: &[String], first: bool) {
        let table = next_match(league, round, seats, byes);
        check_matches(league, 1, &[&table]).unwrap();
        league.add(0, None, &match_result(table, first)).unwrap();
    }

    /// Enters games of two members until one has won the match. Returns whether the first one has.
    fn decide(
        league: &mut League,
        (round, pair, byes): (u16, [&str; 2], &[String]),
        wins_of_match: u8,
        wins: &mut impl FnMut() -> bool,
    ) -> bool {
        let mut won = [0, 0];
        let mut byes = byes;
        while won[0].max(won[1]) < wins_of_match {
            let first = wins();
            enter(league, round, pair, byes, first);
            byes = &[];
            won[usize::from(!first)] += 1;
        }
        won[0] > won[1]
    }

    fn play(members: usize, bits: u64, best_of: u8) {
        let mut number = 0_u32;
        let mut wins = || {
            number += 1;
            bits.rotate_right(number) & 1 == 1
        };
        let format = SeasonFormat::KnockOut { best_of };
        let needed = format.wins_of_match();
        let mut league = begin_league(Rules::default(), format, members);
        let mut lost: BTreeMap<String, u32> = (0..members).map(|one| (member(one), 0)).collect();
        let byes = members.next_power_of_two() - members;
        let out: Vec<String> = (0..byes).map(member).collect();
        let ids: Vec<String> = (byes..members).map(member).collect();
        for (table, pair) in ids.chunks(2).enumerate() {
            let byes = if table == 0 { &out[..] } else { &[] };
            let own = (1, [&*pair[0], &*pair[1]], byes);
            let first = decide(&mut league, own, needed, &mut wins);
            *lost.get_mut(&pair[usize::from(first)]).unwrap() += 1;
        }
        for round in 2.. {
            let rounds = matches_by_round(&league, 1);
            let Some(matches) = rounds.get(&round) else {
                break;
            };
            for one in matches {
                let pair = one.pair().unwrap();
                let own = (round, pair.map(String::as_str), &[][..]);
                let first = decide(&mut league, own, needed, &mut wins);
                *lost.get_mut(pair[usize::from(first)]).unwrap() += 1;
            }
        }
        let rounds = matches_by_round(&league, 1);
        let all: Vec<&BracketMatch> = rounds.values().flatten().filter(|one| !one.bye).collect();
        assert_eq!(all.len(), members - 1);
        let games: usize = all.iter().map(|one| one.tables.len()).sum();
        assert_eq!(games, league.tables.len());
        let champion = rounds.values().next_back().unwrap()[0]
            .winner
            .clone()
            .unwrap();
        for (id, lost) in lost {
            assert_eq!(lost, u32::from(id != champion), "{members}: {id}");
        }
    }

    #[test]
    fn every_number_of_members_has_a_knock_out() {
        for members in 2..=64 {
            play(members, 0x9E37_79B9_7F4A_7C15, 1);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn one_member_wins_and_the_others_lose_once(
            members in 2_usize..40, bits in any::<u64>(), half in 0_u8..4
        ) {
            play(members, bits, 2 * half + 1);
        }
    }
}
