//! Pairs players for coming rounds: reproducible from a seed, and balanced over the season.
//!
//! First, the opponents: no two players meet twice where that is possible. If the players exactly fill tables of equal
//! size, and the least prime factor of the number of tables is not less than the size, a construction is known for as
//! many rounds as there are tables. Player `i` of group `g` sits at table `i + g·r` in round `r`, modulo the number of
//! tables. Two players of different groups meet only in the round with `(g - h)·r = j - i`. In other cases, a search
//! exchanges players of a round as long as that improves the pairing, and sometimes when it does not.
//!
//! Then, places and nations, table by table, so that each player has each of them equally often.

use engine::chance::Chance;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::leagues::limits::MOST_SEATS;

/// An earlier table: its players by number, in the order of the seats, and their nations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastTable {
    /// The players; `None` for a player who is not paired now.
    pub players: Vec<Option<usize>>,
    /// The nation of each player, as an index in the list of nations; `None` for another nation.
    pub nations: Vec<Option<usize>>,
}

/// A request to pair rounds.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The number of players, at least 2.
    pub players: usize,
    /// The number of seats of a table, 2 to 6. If the players do not fill all tables, some have one seat less.
    pub size: usize,
    /// The number of rounds.
    pub rounds: usize,
    /// Whether to assign nations, one for each seat of a full table. Smaller tables have none.
    pub nations: bool,
    /// The earlier tables of the season.
    pub past: &'a [PastTable],
    /// The seed of all random choices.
    pub seed: &'a str,
}

impl PastTable {
    /// Returns the players of the table who are paired now.
    fn paired(&self) -> Vec<usize> {
        self.players.iter().copied().flatten().collect()
    }
}

/// A player on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatAssignment {
    /// The number of the player.
    pub player: usize,
    /// The nation, as an index in the list of nations.
    pub nation: Option<usize>,
}

/// The quality of a pairing, over the earlier tables of the season and the paired rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PairingFigures {
    /// The numbers of pairs of players who meet never, once, twice and so on.
    #[schema(example = json!([96, 180]))]
    pub meetings: Vec<u32>,
    /// The number of meetings of players who have met before.
    pub repeated: u32,
    /// How many of these are unavoidable, because a player has more opponents than there are players.
    pub unavoidable: u32,
    /// The largest difference, for any player, between the numbers of games on two places at the table.
    pub place_difference: u32,
    /// The largest difference, for any player, between the numbers of games with two nations. 0 without nations.
    pub nation_difference: u32,
}

/// The seats of the tables of the rounds.
pub type Rounds = Vec<Vec<Vec<SeatAssignment>>>;

/// The minimum number of steps of the search for opponents.
const LEAST_STEPS: usize = 1_000_000;
/// The additional steps for each player in each round.
const STEPS_EACH: usize = 2_000;
/// The number of passes over all tables when balancing.
const PASSES: usize = 12;

/// Pairs rounds. The same request has the same result on every machine.
///
/// # Panics
/// When an earlier table names a player that does not exist.
pub fn pair(request: &Request<'_>) -> (Rounds, PairingFigures) {
    let mut chance = Chance::new(request.seed);
    let sizes = sizes(request.players, request.size);
    let rounds = match known_plan(request, &sizes, &mut chance) {
        Some(rounds) => rounds,
        None => PairingSearch::new(request, &sizes, &mut chance).run(&mut chance),
    };
    let tables: Vec<&Vec<usize>> = rounds.iter().flatten().collect();
    let past = request.past.iter();
    let sat = past.clone().flat_map(|table| {
        let places = table.players.iter().zip(0..);
        places.filter_map(|(player, place)| Some(((*player)?, place)))
    });
    let (places, place_difference) = balance(request.players, &tables, sat, &mut chance);
    let full: Vec<&Vec<usize>> = (tables.iter().copied())
        .filter(|table| request.nations && table.len() == request.size)
        .collect();
    let had = past.flat_map(|table| {
        let nations = table.players.iter().zip(&table.nations);
        nations.filter_map(|(player, nation)| Some(((*player)?, (*nation)?)))
    });
    let (nations, nation_difference) = balance(request.players, &full, had, &mut chance);
    let mut nations = nations.into_iter();
    let mut places = places.into_iter();
    let mut seated = Vec::with_capacity(rounds.len());
    for round in &rounds {
        let mut tables = Vec::with_capacity(round.len());
        for table in round {
            let order = places.next().unwrap_or_default();
            let full = request.nations && table.len() == request.size;
            let nations = if full { nations.next() } else { None };
            let mut seats: Vec<(usize, SeatAssignment)> = (table.iter().enumerate())
                .map(|(index, player)| {
                    let nation = nations.as_ref().map(|nations| nations[index]);
                    let player = *player;
                    (order[index], SeatAssignment { player, nation })
                })
                .collect();
            seats.sort_by_key(|(place, _)| *place);
            tables.push(seats.into_iter().map(|(_, place)| place).collect());
        }
        seated.push(tables);
    }
    let figures = figures(request, &rounds, place_difference, nation_difference);
    (seated, figures)
}

/// Returns the sizes of the tables: the wanted size, or one less at some; never a single player.
fn sizes(players: usize, size: usize) -> Vec<usize> {
    let tables = players.div_ceil(size).min(players / 2).max(1);
    let (least, more) = (players / tables, players % tables);
    (0..tables)
        .map(|table| least + usize::from(table < more))
        .collect()
}

/// Returns a construction in which no two players meet twice, if one is known.
///
/// The players and the rounds are assigned to it at random.
fn known_plan(
    request: &Request<'_>,
    sizes: &[usize],
    chance: &mut Chance,
) -> Option<Vec<Vec<Vec<usize>>>> {
    let (tables, size) = (sizes.len(), request.size);
    let is_even = sizes.iter().all(|own| *own == size);
    let least_factor = (2..=tables).find(|factor| tables % factor == 0);
    if !request.past.is_empty() || !is_even || least_factor? < size {
        return None;
    }
    let mut names: Vec<usize> = (0..request.players).collect();
    chance.shuffle(&mut names);
    let turn = |round: usize| -> Vec<Vec<usize>> {
        let mut round_tables = vec![Vec::with_capacity(size); tables];
        for group in 0..size {
            for number in 0..tables {
                let table = (number + group * round) % tables;
                round_tables[table].push(names[group * tables + number]);
            }
        }
        round_tables
    };
    let mut rounds: Vec<Vec<Vec<usize>>> = (0..tables).map(turn).collect();
    if tables == size {
        // The players of a group have not met each other.
        rounds.push(names.chunks(tables).map(<[usize]>::to_vec).collect());
    }
    chance.shuffle(&mut rounds);
    (rounds.len() >= request.rounds).then(|| {
        rounds.truncate(request.rounds);
        rounds
    })
}

/// A local search for opponents.
struct PairingSearch {
    players: usize,
    rounds: Vec<Vec<Vec<usize>>>,
    /// The table of each player, by round.
    sits: Vec<Vec<usize>>,
    /// How often two players have met, by both numbers.
    met: Vec<u16>,
    /// The number of meetings of players who have met before.
    repeated: i64,
    /// A lower bound of `repeated`.
    least: i64,
}

impl PairingSearch {
    fn new(request: &Request<'_>, sizes: &[usize], chance: &mut Chance) -> PairingSearch {
        let players = request.players;
        let mut search = PairingSearch {
            players,
            rounds: Vec::with_capacity(request.rounds),
            sits: Vec::with_capacity(request.rounds),
            met: vec![0; players * players],
            repeated: 0,
            least: 0,
        };
        for table in request.past {
            search.meet(&table.paired());
        }
        let past = search.repeated;
        for _ in 0..request.rounds {
            let mut names: Vec<usize> = (0..players).collect();
            chance.shuffle(&mut names);
            let mut names = names.into_iter();
            let tables: Vec<Vec<usize>> = (sizes.iter())
                .map(|size| names.by_ref().take(*size).collect())
                .collect();
            let mut sits = vec![0; players];
            for (number, table) in tables.iter().enumerate() {
                table.iter().for_each(|player| sits[*player] = number);
                search.meet(table);
            }
            search.rounds.push(tables);
            search.sits.push(sits);
        }
        // Earlier meetings cannot be undone, and there may be more meetings than pairs.
        let of_tables = request.past.iter().map(|table| table.paired().len());
        let of_tables = of_tables.chain(search.rounds.iter().flatten().map(Vec::len));
        let meetings: usize = of_tables
            .map(|size| size * size.saturating_sub(1) / 2)
            .sum();
        let pairs = players * (players - 1) / 2;
        search.least = past.max(meetings as i64 - pairs as i64);
        search
    }

    fn meet(&mut self, table: &[usize]) {
        for (index, one) in table.iter().enumerate() {
            for other in &table[..index] {
                self.change(*one, *other, 1);
            }
        }
    }

    fn often(&self, one: usize, other: usize) -> u16 {
        self.met[one * self.players + other]
    }

    /// Adds or removes a meeting of two players.
    fn change(&mut self, one: usize, other: usize, by: i16) {
        let before = self.often(one, other);
        let after = before.saturating_add_signed(by);
        self.met[one * self.players + other] = after;
        self.met[other * self.players + one] = after;
        self.repeated += i64::from(after.saturating_sub(1)) - i64::from(before.saturating_sub(1));
    }

    /// The cost of one more meeting of two players who have met `often` times.
    fn cost(often: u16) -> i64 {
        i64::from(often)
    }

    /// Returns by how much the cost increases if two players of a round exchange tables.
    fn worse(&self, round: usize, one: usize, other: usize) -> i64 {
        let tables = &self.rounds[round];
        let side = |leaves: usize, comes: usize| -> i64 {
            let stay = tables[self.sits[round][leaves]]
                .iter()
                .filter(|player| **player != leaves);
            let each = stay.map(|player| {
                let now = self.often(leaves, *player).saturating_sub(1);
                PairingSearch::cost(self.often(comes, *player)) - PairingSearch::cost(now)
            });
            each.sum()
        };
        side(one, other) + side(other, one)
    }

    fn exchange(&mut self, round: usize, one: usize, other: usize) {
        for (leaves, comes) in [(one, other), (other, one)] {
            let table = self.sits[round][leaves];
            for index in 0..self.rounds[round][table].len() {
                let stays = self.rounds[round][table][index];
                if stays != leaves {
                    self.change(leaves, stays, -1);
                    self.change(comes, stays, 1);
                }
            }
        }
        let (first, second) = (self.sits[round][one], self.sits[round][other]);
        for (table, from, to) in [(first, one, other), (second, other, one)] {
            for player in &mut self.rounds[round][table] {
                if *player == from {
                    *player = to;
                    break;
                }
            }
        }
        self.sits[round].swap(one, other);
    }

    /// Whether a player meets an opponent at the table of a round more than once in the season.
    fn is_repeated(&self, round: usize, player: usize) -> bool {
        let table = &self.rounds[round][self.sits[round][player]];
        let mut others = table.iter().filter(|other| **other != player);
        others.any(|other| self.often(player, *other) > 1)
    }

    /// Exchanges players until no two meet twice or all steps are used.
    ///
    /// Exchanges that increase the cost are accepted ever less often. Only integers are used, so the result is the same
    /// on every machine.
    fn run(mut self, chance: &mut Chance) -> Vec<Vec<Vec<usize>>> {
        let rounds = self.rounds.len();
        if rounds == 0 || self.rounds[0].len() < 2 {
            return self.rounds;
        }
        let steps = LEAST_STEPS + STEPS_EACH * self.players * rounds;
        let mut best = (self.repeated, self.rounds.clone());
        for step in 0..steps {
            if self.repeated == self.least {
                return self.rounds;
            }
            let round = chance.below(rounds as u32) as usize;
            let one = chance.below(self.players as u32) as usize;
            // Players without repeated meetings move rarely.
            if !self.is_repeated(round, one) && chance.below(8) > 0 {
                continue;
            }
            let other = chance.below(self.players as u32) as usize;
            if self.sits[round][one] == self.sits[round][other] {
                continue;
            }
            let worse = self.worse(round, one, other);
            let cold = 1 + (8 * step / steps) as i64;
            let taken = worse <= 0 || {
                let bits = (worse * cold).min(31) as u32;
                chance.below(1 << bits) == 0
            };
            if taken {
                self.exchange(round, one, other);
                if self.repeated < best.0 {
                    best = (self.repeated, self.rounds.clone());
                }
            }
        }
        best.1
    }
}

/// Assigns slots to the players of each table, so that each player has each slot about equally often.
///
/// `had` contains earlier slots of players. Returns the slots by table, and the largest difference of a player between
/// two slots.
fn balance(
    players: usize,
    tables: &[&Vec<usize>],
    had: impl Iterator<Item = (usize, usize)>,
    chance: &mut Chance,
) -> (Vec<Vec<usize>>, u32) {
    let mut counts = vec![[0_u32; MOST_SEATS]; players];
    for (player, slot) in had.filter(|(_, slot)| *slot < MOST_SEATS) {
        counts[player][slot] += 1;
    }
    let mut slots: Vec<Vec<usize>> = Vec::with_capacity(tables.len());
    for pass in 0..PASSES {
        let mut moved = false;
        for (index, table) in tables.iter().enumerate() {
            if pass > 0 {
                for (player, slot) in table.iter().zip(&slots[index]) {
                    counts[*player][*slot] -= 1;
                }
            }
            let own: Vec<[u32; MOST_SEATS]> = table.iter().map(|player| counts[*player]).collect();
            let found = best_order(&own, chance);
            for (player, slot) in table.iter().zip(&found) {
                counts[*player][*slot] += 1;
            }
            match slots.get_mut(index) {
                Some(before) => {
                    moved |= *before != found;
                    *before = found;
                }
                None => {
                    moved = true;
                    slots.push(found);
                }
            }
        }
        if !moved {
            break;
        }
    }
    let most_slots = tables.iter().map(|table| table.len()).max().unwrap_or(0);
    let difference = counts.iter().map(|own| {
        let own = &own[..most_slots];
        let (most, least) = (own.iter().max(), own.iter().min());
        most.copied().unwrap_or(0) - least.copied().unwrap_or(0)
    });
    let difference = difference.max().unwrap_or(0);
    (slots, difference)
}

/// Returns the cheapest order of slots. A slot costs more the more often the player had it.
///
/// Ties are broken at random.
fn best_order(counts: &[[u32; MOST_SEATS]], chance: &mut Chance) -> Vec<usize> {
    struct Orders<'a> {
        counts: &'a [[u32; MOST_SEATS]],
        least: u32,
        found: Vec<Vec<usize>>,
    }
    impl Orders<'_> {
        fn go_on(&mut self, order: &mut Vec<usize>, cost: u32) {
            if cost > self.least {
                return;
            }
            if order.len() == self.counts.len() {
                if cost < self.least {
                    self.least = cost;
                    self.found.clear();
                }
                self.found.push(order.clone());
                return;
            }
            for slot in 0..self.counts.len() {
                if !order.contains(&slot) {
                    let had = self.counts[order.len()][slot];
                    order.push(slot);
                    self.go_on(order, cost + had * had + had);
                    order.pop();
                }
            }
        }
    }
    let mut orders = Orders {
        counts,
        least: u32::MAX,
        found: Vec::new(),
    };
    orders.go_on(&mut Vec::with_capacity(counts.len()), 0);
    let index = chance.below(orders.found.len().max(1) as u32) as usize;
    orders.found.swap_remove(index)
}

fn figures(
    request: &Request<'_>,
    rounds: &[Vec<Vec<usize>>],
    place_difference: u32,
    nation_difference: u32,
) -> PairingFigures {
    let players = request.players;
    let mut met = vec![0_usize; players * players];
    let past: Vec<Vec<usize>> = request.past.iter().map(PastTable::paired).collect();
    for table in past.iter().chain(rounds.iter().flatten()) {
        for one in table {
            for other in table.iter().filter(|other| *other != one) {
                met[one * players + other] += 1;
            }
        }
    }
    let mut meetings: Vec<u32> = Vec::new();
    let (mut repeated, mut unavoidable) = (0, 0);
    for one in 0..players {
        let own = &met[one * players..(one + 1) * players];
        let all: usize = own.iter().sum();
        unavoidable += all.saturating_sub(players - 1);
        for often in &own[..one] {
            meetings.resize(meetings.len().max(often + 1), 0);
            meetings[*often] += 1;
            repeated += often.saturating_sub(1);
        }
    }
    PairingFigures {
        meetings,
        repeated: repeated as u32,
        unavoidable: unavoidable.div_ceil(2) as u32,
        place_difference,
        nation_difference,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn request(players: usize, size: usize, rounds: usize) -> Request<'static> {
        Request {
            players,
            size,
            rounds,
            nations: true,
            past: &[],
            seed: "carthage",
        }
    }

    #[test]
    fn no_two_meet_twice_where_a_construction_is_known() {
        for (players, size, rounds) in [
            (9, 3, 4),
            (20, 4, 5),
            (25, 5, 6),
            (28, 4, 7),
            (4, 2, 3),
            (6, 2, 3),
        ] {
            let (paired, figures) = pair(&request(players, size, rounds));
            assert_eq!(paired.len(), rounds);
            assert_eq!(
                figures.repeated, 0,
                "{players} {size} {rounds}: {figures:?}"
            );
        }
    }

    #[test]
    fn no_two_meet_twice_in_a_season_of_usual_size() {
        for (players, size, rounds) in [(24, 4, 5), (24, 3, 7), (22, 4, 4), (40, 4, 6), (200, 4, 6)]
        {
            let (_, figures) = pair(&request(players, size, rounds));
            assert_eq!(
                figures.repeated, 0,
                "{players} {size} {rounds}: {figures:?}"
            );
            assert!(figures.nation_difference <= 2, "{figures:?}");
            assert!(figures.place_difference <= 2, "{figures:?}");
        }
    }

    #[test]
    fn earlier_tables_count() {
        let (first, _) = pair(&request(24, 4, 3));
        let table = |table: &Vec<SeatAssignment>| PastTable {
            players: table.iter().map(|place| Some(place.player)).collect(),
            nations: table.iter().map(|place| place.nation).collect(),
        };
        let past: Vec<PastTable> = first.iter().flatten().map(table).collect();
        let next = Request {
            past: &past,
            ..request(24, 4, 2)
        };
        let (_, figures) = pair(&next);
        assert_eq!(figures.repeated, 0, "{figures:?}");
        assert_eq!(figures.meetings.iter().sum::<u32>(), 24 * 23 / 2);
        assert_eq!(
            figures.meetings[1],
            5 * 6 * 6,
            "five rounds of six tables of six pairs"
        );
    }

    #[test]
    fn places_are_those_of_the_table_even_if_a_player_has_left() {
        // 0 and 1 have had the second and third place behind a player who is not paired now.
        let past = |one, other| PastTable {
            players: vec![None, one, other],
            nations: vec![None; 3],
        };
        let past = [past(Some(0), None), past(None, Some(1))];
        let request = Request {
            nations: false,
            past: &past,
            ..request(2, 2, 1)
        };
        for seed in ["a", "b", "c", "d"] {
            let (paired, figures) = pair(&Request { seed, ..request });
            let seats: Vec<usize> = paired[0][0].iter().map(|place| place.player).collect();
            assert_eq!(seats, [0, 1], "0 has sat second already");
            assert_eq!((figures.repeated, &*figures.meetings), (0, &[0, 1][..]));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn each_player_has_one_seat_per_round(players in 2_usize..18, size in 2_usize..7, rounds in 1_usize..4,
            seed in "[a-z]{1,8}") {
            let request = Request { seed: &seed, ..request(players, size, rounds) };
            let (paired, figures) = pair(&request);
            prop_assert_eq!(&pair(&request), &(paired.clone(), figures.clone()));
            for round in &paired {
                let sit: BTreeSet<usize> = round.iter().flatten().map(|place| place.player).collect();
                prop_assert_eq!(sit.len(), players);
                prop_assert_eq!(round.iter().map(Vec::len).sum::<usize>(), players);
                let (least, most) = (round.iter().map(Vec::len).min(), round.iter().map(Vec::len).max());
                prop_assert!(most.unwrap() - least.unwrap() <= 1);
                for table in round {
                    prop_assert!(table.len() >= 2 && table.len() <= size.max(3), "{:?}", table);
                    let nations: BTreeSet<usize> = table.iter().filter_map(|place| place.nation).collect();
                    prop_assert_eq!(nations.len(), if table.len() == size { size } else { 0 });
                }
            }
            prop_assert!(figures.repeated >= figures.unavoidable, "{:?}", figures);
            prop_assert_eq!(figures.meetings.iter().sum::<u32>() as usize, players * (players - 1) / 2);
        }
    }
}
