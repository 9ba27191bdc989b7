//! Pairs players for two so that each pair plays the same number of games.
//!
//! The schedule is the circle method, once for each game of a pair. It depends on the league and the season only, so
//! each round can be paired alone. Games that were played are removed from it. If members have joined or left, little
//! of the earlier rounds fits the schedule, and many short rounds may remain. Then the remaining games are divided into
//! rounds by trying: players with many remaining games choose first.

use std::collections::BTreeMap;

use engine::chance::Chance;

use crate::leagues::bound::Meetings;
use crate::leagues::pairing::{
    PairingFigures, Request, Round, RoundOpponents, circle, figures, seat,
};

/// How often the remaining games of few players are divided into rounds by chance.
///
/// The shortest schedule is used.
const TRIES: usize = 60;

/// The most players whose seats are balanced over the whole schedule.
const MOST_SEATED: usize = 60;

/// The schedule of a round robin.
#[derive(Clone, Copy, Debug)]
pub struct RoundRobin<'a> {
    /// The number of games of each pair.
    pub games: usize,
    /// The seed of the order of players and rounds.
    pub order: &'a str,
}

/// Pairs the next rounds of a round robin: at most as many as requested.
/// There are none if all games are played.
///
/// The same request has the same result on every machine.
pub fn pair_round_robin(
    request: &Request<'_>,
    schedule: &RoundRobin<'_>,
) -> (Vec<Round>, PairingFigures) {
    let mut chance = Chance::new(schedule.order);
    let met = request.past_meetings();
    let planned = remaining_rounds(request.players, schedule.games, &met, &mut chance);
    let remaining = remaining_games(request.players, schedule.games, &met);
    // Every player has at most one game in a round, and a round has at most so many games.
    let of_player = remaining.iter().max().copied().unwrap_or(0);
    let together = remaining.iter().sum::<usize>().div_ceil(2);
    let least = of_player.max(together.div_ceil((request.players / 2).max(1)));
    let mut rounds = planned;
    for _ in 0..TRIES / (1 + request.players / 32) {
        if rounds.len() <= least {
            break;
        }
        let tried = divide(request.players, schedule.games, &met, &mut chance);
        if tried.len() < rounds.len() {
            rounds = tried;
        }
    }
    if request.players > MOST_SEATED {
        rounds.truncate(request.rounds);
    }
    // Seats are balanced over the whole schedule, so that rounds that are paired alone fit together.
    let mut rounds = seat(request, &rounds, &mut Chance::new(request.seed));
    rounds.truncate(request.rounds);
    exchange_seats(request, &mut rounds);
    let figures = figures(request, &rounds);
    (rounds, figures)
}

/// Returns the number of remaining games of each player.
fn remaining_games(players: usize, games: usize, met: &Meetings) -> Vec<usize> {
    let of_pair = |one, other| games.saturating_sub(met.between(one, other));
    let of_player = |one| {
        (0..players)
            .filter(|other| *other != one)
            .map(|other| of_pair(one, other))
            .sum()
    };
    (0..players).map(of_player).collect()
}

/// Returns the rounds of the circle method without the games that were played.
fn remaining_rounds(
    players: usize,
    games: usize,
    met: &Meetings,
    chance: &mut Chance,
) -> Vec<RoundOpponents> {
    let mut names: Vec<usize> = (0..players).collect();
    chance.shuffle(&mut names);
    let mut cycle = circle(&names);
    chance.shuffle(&mut cycle);
    let mut played: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut rounds = Vec::with_capacity(cycle.len() * games);
    for round in cycle.iter().cycle().take(cycle.len() * games) {
        let mut tables = round.tables.clone();
        tables.retain(|table| {
            let pair = (table[0].min(table[1]), table[0].max(table[1]));
            let before = played.entry(pair).or_default();
            *before += 1;
            *before > met.between(pair.0, pair.1)
        });
        rounds.extend(with_byes(players, tables));
    }
    rounds
}

/// Divides the remaining games into rounds: in each, players with many remaining games choose first.
fn divide(
    players: usize,
    games: usize,
    met: &Meetings,
    chance: &mut Chance,
) -> Vec<RoundOpponents> {
    let mut met = met.clone();
    let mut rounds = Vec::new();
    loop {
        let degrees = remaining_games(players, games, &met);
        let mut names: Vec<usize> = (0..players).collect();
        chance.shuffle(&mut names);
        names.sort_by_key(|player| std::cmp::Reverse(degrees[*player]));
        let mut tables: Vec<Vec<usize>> = Vec::new();
        let mut sits = vec![false; players];
        for (place, one) in names.iter().enumerate() {
            let others = names[place + 1..].iter();
            let mut free = others.filter(|other| {
                !sits[*one] && !sits[**other] && met.between(*one, **other) < games
            });
            if let Some(other) = free.next() {
                tables.push(vec![*one, *other]);
                (sits[*one], sits[*other]) = (true, true);
            }
        }
        tables.iter().for_each(|table| met.add(table));
        match with_byes(players, tables) {
            Some(round) => rounds.push(round),
            None => return rounds,
        }
    }
}

/// Returns a round with the players who sit out; `None` without a table.
fn with_byes(players: usize, tables: Vec<Vec<usize>>) -> Option<RoundOpponents> {
    let byes = (0..players).filter(|player| !tables.iter().flatten().any(|sits| sits == player));
    let byes = byes.collect();
    (!tables.is_empty()).then_some(RoundOpponents { tables, byes })
}

/// Lets two players who have met sit the other way round than the last time.
fn exchange_seats(request: &Request<'_>, rounds: &mut [Round]) {
    let mut first: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for table in request.past {
        if let [Some(one), Some(other)] = table.players[..] {
            first.insert((one.min(other), one.max(other)), one);
        }
    }
    for table in rounds.iter_mut().flat_map(|round| &mut round.tables) {
        let (one, other) = (table[0].player, table[1].player);
        let pair = (one.min(other), one.max(other));
        if first.insert(pair, one) == Some(one) {
            table.swap(0, 1);
            first.insert(pair, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::leagues::pairing::{PastTable, figures as figures_of};

    fn request(players: usize, rounds: usize, past: &[PastTable]) -> Request<'_> {
        Request {
            players,
            size: 2,
            smallest: 2,
            rounds,
            nations: true,
            score_groups: &[],
            teams: &[],
            past,
            seed: "carthage",
        }
    }

    fn schedule(games: usize) -> RoundRobin<'static> {
        RoundRobin {
            games,
            order: "spring",
        }
    }

    fn played(number: u16, round: &Round) -> Vec<PastTable> {
        let tables = round.tables.iter().map(|table| PastTable {
            round: Some(number),
            players: table.iter().map(|place| Some(place.player)).collect(),
            nations: table.iter().map(|place| place.nation).collect(),
        });
        tables.collect()
    }

    /// Counts how often each player has sat first against each other.
    fn first_seats(tables: &[PastTable]) -> BTreeMap<(usize, usize), usize> {
        let mut counts = BTreeMap::new();
        for table in tables {
            let (one, other) = (table.players[0].unwrap(), table.players[1].unwrap());
            *counts.entry((one, other)).or_default() += 1;
        }
        counts
    }

    #[test]
    fn everybody_plays_everybody_whether_rounds_are_paired_together_or_alone() {
        for players in 2..=21 {
            for games in 1..=3 {
                let (rounds, figures) =
                    pair_round_robin(&request(players, 200, &[]), &schedule(games));
                let of_leg = players - 1 + players % 2;
                assert_eq!(rounds.len(), games * of_leg, "{players}");
                assert!(figures.bye_difference == 0, "{players}: {figures:?}");
                let most = [1, 0, u32::MAX][games - 1];
                assert!(figures.place_difference <= most, "{players}: {figures:?}");
                let mut past = Vec::new();
                for (number, round) in (1..).zip(&rounds) {
                    let (alone, _) =
                        pair_round_robin(&request(players, 1, &past), &schedule(games));
                    let pairs = |round: &Round| -> Vec<(usize, usize)> {
                        let players = round
                            .tables
                            .iter()
                            .map(|table| (table[0].player, table[1].player));
                        players
                            .map(|(one, other)| (one.min(other), one.max(other)))
                            .collect()
                    };
                    assert_eq!(pairs(&alone[0]), pairs(round), "{players}");
                    assert_eq!(alone[0].byes, round.byes);
                    past.extend(played(number, &alone[0]));
                }
                let (more, _) = pair_round_robin(&request(players, 1, &past), &schedule(games));
                assert!(more.is_empty(), "all games are played");
                let figures = figures_of(&request(players, 0, &past), &[]);
                assert!(
                    games > 2 || figures.place_difference <= 2,
                    "{players}: {figures:?}"
                );
                let counts = first_seats(&past);
                for one in 0..players {
                    for other in 0..one {
                        let of = |pair| counts.get(&pair).copied().unwrap_or_default();
                        let (first, second): (usize, usize) = (of((one, other)), of((other, one)));
                        assert_eq!(first + second, games);
                        assert!(first.abs_diff(second) <= 1, "the seats are exchanged");
                    }
                }
            }
        }
    }

    #[test]
    fn many_players_meet_once() {
        for players in 22..=64 {
            let (rounds, figures) = pair_round_robin(&request(players, 200, &[]), &schedule(1));
            assert_eq!(rounds.len(), players - 1 + players % 2);
            let pairs = (players * (players - 1) / 2) as u32;
            assert_eq!(&*figures.meetings, &[0, pairs], "{players}");
            assert_eq!(figures.bye_difference, 0, "{players}");
        }
    }

    #[test]
    fn late_players_and_void_tables_are_played_in_few_rounds() {
        let (rounds, _) = pair_round_robin(&request(8, 3, &[]), &schedule(1));
        let mut past: Vec<PastTable> = (1..)
            .zip(&rounds)
            .flat_map(|(number, round)| played(number, round))
            .collect();
        // One table was void, and two players join.
        past.remove(0);
        let (rest, figures) = pair_round_robin(&request(10, 200, &past), &schedule(1));
        let games: usize = rest.iter().map(|round| round.tables.len()).sum();
        assert_eq!(games, 45 - 11);
        assert_eq!(&*figures.meetings, &[0, 45], "each pair meets once");
        // The late players have nine games each.
        assert!((9..=11).contains(&rest.len()), "{}", rest.len());
    }
}
