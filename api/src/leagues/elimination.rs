//! The matches of a double elimination, computed from its tables.
//!
//! Two brackets are played at the same time. The winners' bracket is that of a knock-out. A member who loses there
//! enters the losers' bracket, and a member who loses there is out.
//!
//! In the losers' bracket, two kinds of rounds alternate: in the first kind, its members play each other; in the second
//! kind, they play the members who have just lost in the winners' bracket. These come in the opposite order, so that two
//! members who have met before meet again as late as possible.
//!
//! The winners of both brackets meet in the final. If the winner of the losers' bracket wins it, both have lost once, and
//! a second final decides.
//!
//! A round of the season has matches of both brackets. With `k` rounds of the winners' bracket:
//!
//! | round of the season | winners' bracket | losers' bracket |
//! | --- | --- | --- |
//! | 1 | round 1 | |
//! | 2 | round 2 | losers of round 1 |
//! | 3 | | winners of round 2, and losers of round 2 of the winners' bracket |
//! | 4 | round 3 | winners of round 3 |
//! | ... | | |
//! | 2k, 2k + 1 | the final, and the second one | |

use crate::leagues::bracket::{
    BracketMatch, MatchTables, first_round, tables_of_round, wins_of_match,
};
use crate::leagues::league::League;

/// The matches of a double elimination.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DoubleBracket {
    /// The matches of each round of the winners' bracket, with the round of the season.
    pub winners: Vec<(u16, Vec<BracketMatch>)>,
    /// The matches of each round of the losers' bracket, with the round of the season.
    pub losers: Vec<(u16, Vec<BracketMatch>)>,
    /// The final, and the second one if it is needed, with their rounds.
    pub finals: Vec<(u16, BracketMatch)>,
}

/// A place in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
enum BracketPlace {
    /// A member.
    Member(String),
    /// A member who is not known yet.
    Open,
    /// No one, and no one will come.
    Nobody,
}

impl BracketPlace {
    fn known(member: Option<&String>) -> BracketPlace {
        member.map_or(BracketPlace::Open, |id| BracketPlace::Member(id.clone()))
    }

    fn member(self) -> Option<String> {
        match self {
            BracketPlace::Member(id) => Some(id),
            BracketPlace::Open | BracketPlace::Nobody => None,
        }
    }
}

/// Returns the places of the winner and of the loser of a match.
fn outcome(one: &BracketMatch) -> (BracketPlace, BracketPlace) {
    match (one.empty, one.bye) {
        (true, _) => (BracketPlace::Nobody, BracketPlace::Nobody),
        (false, true) => (
            BracketPlace::known(one.winner.as_ref()),
            BracketPlace::Nobody,
        ),
        (false, false) => (
            BracketPlace::known(one.winner.as_ref()),
            BracketPlace::known(one.loser.as_ref()),
        ),
    }
}

/// Returns the match of two places.
fn meet(one: BracketPlace, other: BracketPlace, tables: &MatchTables<'_>) -> BracketMatch {
    match (one, other) {
        (BracketPlace::Nobody, BracketPlace::Nobody) => BracketMatch::empty(),
        (alone, BracketPlace::Nobody) | (BracketPlace::Nobody, alone) => {
            BracketMatch::bye(alone.member())
        }
        (one, other) => BracketMatch::between([one.member(), other.member()], tables),
    }
}

/// Returns the matches of the first place with the last one, of the second with the last but one, and so on.
fn fold(places: &[BracketPlace], tables: &MatchTables<'_>) -> Vec<BracketMatch> {
    let (first, last) = places.split_at(places.len() / 2);
    let pairs = first.iter().zip(last.iter().rev());
    pairs
        .map(|(one, other)| meet(one.clone(), other.clone(), tables))
        .collect()
}

fn outcomes(matches: &[BracketMatch]) -> (Vec<BracketPlace>, Vec<BracketPlace>) {
    matches.iter().map(outcome).unzip()
}

/// Returns the matches of a double elimination; none before round 1.
pub fn double_bracket(league: &League, season: u16) -> DoubleBracket {
    let wins = wins_of_match(league, season);
    let of_round = |round: u16| {
        let tables = tables_of_round(league, season, usize::from(round));
        MatchTables::valid(&tables, wins)
    };
    let mut first = first_round(&tables_of_round(league, season, 1), wins);
    let mut whole = DoubleBracket::default();
    if first.is_empty() {
        return whole;
    }
    first.resize(first.len().next_power_of_two(), BracketMatch::empty());
    let (mut winners, mut losers) = outcomes(&first);
    whole.winners.push((1, first));
    let mut round = 1;
    if losers.len() > 1 {
        let matches = fold(&losers, &of_round(2));
        losers = outcomes(&matches).0;
        whole.losers.push((2, matches));
    }
    while winners.len() > 1 {
        let tables = of_round(round + 1);
        let matches = fold(&winners, &tables);
        let (next, lost) = outcomes(&matches);
        whole.winners.push((round + 1, matches));
        winners = next;
        // Round 2 of the season has the first round of the losers already.
        if round > 1 {
            let matches = fold(&losers, &tables);
            losers = outcomes(&matches).0;
            whole.losers.push((round + 1, matches));
        }
        let tables = of_round(round + 2);
        let pairs = losers.into_iter().zip(lost.into_iter().rev());
        let matches: Vec<BracketMatch> = pairs
            .map(|(one, other)| meet(one, other, &tables))
            .collect();
        losers = outcomes(&matches).0;
        whole.losers.push((round + 2, matches));
        round += 2;
    }
    let (Some(winner), Some(loser)) = (winners.pop(), losers.pop()) else {
        return whole;
    };
    let last = meet(winner, loser, &of_round(round + 1));
    let again = match last.first_won {
        Some(false) => Some([last.loser.clone(), last.winner.clone()]),
        Some(true) | None => None,
    };
    whole.finals.push((round + 1, last));
    if let Some(members) = again {
        let last = BracketMatch::between(members, &of_round(round + 2));
        whole.finals.push((round + 2, last));
    }
    whole
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::leagues::event::{Rules, SeasonFormat};
    use crate::leagues::fixtures::{begin_league, match_result, member, next_match};
    use crate::leagues::matches::{check_matches, matches_by_round};

    fn enter(league: &mut League, round: u16, seats: [&str; 2], byes: &[String], first: bool) {
        let table = next_match(league, round, seats, byes);
        check_matches(league, 1, &[&table]).unwrap();
        league.add(0, None, &match_result(table, first)).unwrap();
    }

    /// Plays all matches; `wins` says for each whether the first member wins. Returns the losses of each member.
    fn play(members: usize, mut wins: impl FnMut() -> bool) -> (League, BTreeMap<String, u32>) {
        let mut league = begin_league(
            Rules::default(),
            SeasonFormat::DoubleElimination { best_of: 1 },
            members,
        );
        let byes = members.next_power_of_two() - members;
        let mut lost: BTreeMap<String, u32> = (0..members).map(|one| (member(one), 0)).collect();
        let out: Vec<String> = (0..byes).map(member).collect();
        let ids: Vec<String> = (byes..members).map(member).collect();
        for (number, pair) in ids.chunks(2).enumerate() {
            let first = wins();
            let byes = if number == 0 { &out[..] } else { &[] };
            enter(&mut league, 1, [&pair[0], &pair[1]], byes, first);
            *lost.get_mut(&pair[usize::from(first)]).unwrap() += 1;
        }
        for round in 2.. {
            let rounds = matches_by_round(&league, 1);
            let Some(matches) = rounds.get(&round) else {
                break;
            };
            for one in matches.iter().filter(|one| !one.bye) {
                let [member, other] = one
                    .pair()
                    .expect("both members of the next round are known");
                let first = wins();
                enter(&mut league, round, [member, other], &[], first);
                *lost.get_mut(if first { other } else { member }).unwrap() += 1;
            }
        }
        (league, lost)
    }

    fn check(members: usize, league: &League, lost: &BTreeMap<String, u32>) {
        let whole = double_bracket(league, 1);
        let champion = whole.finals.last().unwrap().1.winner.clone().unwrap();
        for (id, lost) in lost {
            let expected = if *id == champion {
                *lost < 2
            } else {
                *lost == 2
            };
            assert!(expected, "{members}: {id} lost {lost} times");
        }
        // Everybody but the champion has lost twice.
        let least = 2 * (members - 1);
        assert!(
            [least, least + 1].contains(&league.tables.len()),
            "{members}"
        );
    }

    #[test]
    fn a_member_is_out_after_two_losses() {
        for members in 2..=64 {
            for first in [true, false] {
                let (league, lost) = play(members, || first);
                check(members, &league, &lost);
            }
        }
    }

    #[test]
    fn four_members_play_six_or_seven_matches() {
        let (league, _) = play(4, || true);
        let whole = double_bracket(&league, 1);
        let rounds = |rounds: &[(u16, Vec<BracketMatch>)]| -> Vec<(u16, usize)> {
            rounds
                .iter()
                .map(|(round, all)| (*round, all.len()))
                .collect()
        };
        assert_eq!(rounds(&whole.winners), [(1, 2), (2, 1)]);
        assert_eq!(rounds(&whole.losers), [(2, 1), (3, 1)]);
        assert_eq!(whole.finals.len(), 1);
        assert_eq!(whole.finals[0].0, 4);
        // The winner of the losers' bracket wins the final, and a second one decides.
        let mut number = 0;
        let (league, _) = play(4, || {
            number += 1;
            number != 6
        });
        let whole = double_bracket(&league, 1);
        assert_eq!(whole.finals.len(), 2);
        assert_eq!(whole.finals[1].0, 5);
        assert_eq!(
            whole.finals[1].1.members,
            [
                whole.finals[0].1.loser.clone(),
                whole.finals[0].1.winner.clone()
            ]
        );
        assert_eq!(league.tables.len(), 7);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_results_lead_to_one_winner(members in 2_usize..40, bits in any::<u64>()) {
            let mut number = 0_u32;
            let (league, lost) = play(members, || {
                number += 1;
                bits.rotate_right(number) & 1 == 1
            });
            check(members, &league, &lost);
        }
    }
}
