//! Pairs players for coming rounds: reproducible from a seed, and balanced over the season.
//!
//! First, the opponents: no two players meet twice where that is possible. Two constructions are known:
//!
//! - Tables for two: one player keeps the place, and the others move on by one place each round (the circle method).
//!   With an odd number of players, the one who would meet nobody sits out.
//! - The players exactly fill tables of equal size, and the least prime factor of the number of tables is not less than
//!   the size: there are as many rounds as tables. Player `i` of group `g` sits at table `i + g·r` in round `r`, modulo
//!   the number of tables. Two players of different groups meet only in the round with `(g - h)·r = j - i`.
//!
//! Where score groups matter (Swiss), players of near groups meet, but no two meet twice if that can be avoided.
//!
//! In other cases, a search exchanges players of a round as long as that improves the pairing, and sometimes when it
//! does not. The exchanges keep the numbers of rounds without a seat and of small tables balanced among the players.
//!
//! Then, places and nations, so that each player has each of them equally often.

use std::collections::{BTreeMap, VecDeque};

use engine::chance::Chance;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::leagues::bound::{Grouping, Meetings, least_repeats};
use crate::leagues::limits::MOST_SEATS;

/// An earlier table: its players by number, in the order of the seats, and their nations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastTable {
    /// The round; `None` if the table belongs to none.
    pub round: Option<u16>,
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
    /// The number of seats of a table, 2 to 6.
    pub size: usize,
    /// The least number of seats of a table, 2 to `size`. Players who do not fit into such tables sit out.
    pub smallest: usize,
    /// The number of rounds.
    pub rounds: usize,
    /// Whether to assign nations, one for each seat of a full table. Smaller tables have none.
    pub nations: bool,
    /// The score group of each player, 0 the best; empty if scores do not matter.
    pub score_groups: &'a [u32],
    /// The team of each player; 0 for players without one. Empty if there are no teams.
    pub teams: &'a [u16],
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

/// The seats of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The seats of each table.
    pub tables: Vec<Vec<SeatAssignment>>,
    /// The players who sit out, in ascending order.
    pub byes: Vec<usize>,
}

impl Round {
    /// Returns the players without their seats.
    fn opponents(&self) -> RoundOpponents {
        let tables = self.tables.iter();
        RoundOpponents {
            tables: tables
                .map(|table| table.iter().map(|seat| seat.player).collect())
                .collect(),
            byes: self.byes.clone(),
        }
    }
}

/// The opponents of a round: the players of each table in any order, and the players who sit out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundOpponents {
    /// The players of each table.
    pub tables: Vec<Vec<usize>>,
    /// The players who sit out.
    pub byes: Vec<usize>,
}

/// The quality of a pairing, over the earlier tables of the season and the paired rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PairingFigures {
    /// The numbers of pairs of players who meet never, once, twice and so on.
    #[schema(example = json!([96, 180]))]
    pub meetings: Vec<u32>,
    /// The number of meetings of players who have met before.
    pub repeated: u32,
    /// How many of these are proven to be unavoidable.
    /// The same players cannot be paired with fewer repeated meetings, unless some pair meets more often than
    /// the pair that meets most often here.
    pub unavoidable: u32,
    /// The largest difference, for any player, between the numbers of games on two places at the table.
    ///
    /// Only tables that have both places count.
    pub place_difference: u32,
    /// The largest difference, for any player, between the numbers of games with two nations.
    /// 0 without nations.
    pub nation_difference: u32,
    /// The largest difference between two players in the number of small tables.
    ///
    /// A table is small if it has fewer seats than the largest of its round.
    pub small_table_difference: u32,
    /// The largest difference between two players in the number of rounds without a seat.
    pub bye_difference: u32,
    /// The number of pairs of team-mates at the paired tables.
    pub team_mates: u32,
}

/// The minimum number of steps of the search for opponents.
const LEAST_STEPS: usize = 1_000_000;
/// The cost of two team-mates at a table, in repeated meetings.
const TEAM_MATES: i64 = 1_000;
/// The additional steps for each player in each round.
const STEPS_EACH: usize = 2_000;

/// Pairs rounds. The same request has the same result on every machine.
///
/// # Panics
/// When an earlier table names a player that does not exist.
pub fn pair(request: &Request<'_>) -> (Vec<Round>, PairingFigures) {
    let least = match request.score_groups {
        [] => LEAST_STEPS,
        // The search rarely ends early, because the least possible cost is unknown.
        _ => LEAST_STEPS / 5,
    };
    pair_within(
        request,
        least + STEPS_EACH * request.players * request.rounds,
    )
}

/// Pairs rounds with a search of at most so many steps.
fn pair_within(request: &Request<'_>, steps: usize) -> (Vec<Round>, PairingFigures) {
    let mut chance = Chance::new(request.seed);
    let sizes = sizes(request.players, request.size, request.smallest);
    let rounds = match known_plan(request, &sizes, &mut chance) {
        Some(rounds) => rounds,
        None => PairingSearch::new(request, &sizes, &mut chance).run(steps, &mut chance),
    };
    let rounds = seat(request, &rounds, &mut chance);
    let figures = figures(request, &rounds);
    (rounds, figures)
}

/// Assigns seats and nations to the players of rounds.
pub fn seat(request: &Request<'_>, rounds: &[RoundOpponents], chance: &mut Chance) -> Vec<Round> {
    let tables: Vec<&Vec<usize>> = rounds.iter().flat_map(|round| &round.tables).collect();
    let mut places = balanced_places(request, &tables, chance).into_iter();
    let is_full = |table: &Vec<usize>| request.nations && table.len() == request.size;
    let full: Vec<&Vec<usize>> = (tables.iter().copied())
        .filter(|table| is_full(table))
        .collect();
    let mut had = vec![[0; MOST_SEATS]; request.players];
    for table in request.past {
        for (player, nation) in table.players.iter().zip(&table.nations) {
            if let (Some(player), Some(nation)) = (player, nation) {
                had[*player][*nation] += 1;
            }
        }
    }
    let mut nations = balance(had, &full, chance).into_iter();
    let mut seated = Vec::with_capacity(rounds.len());
    for round in rounds {
        let mut tables = Vec::with_capacity(round.tables.len());
        for table in &round.tables {
            let order = places.next().unwrap_or_default();
            let owners = if is_full(table) { nations.next() } else { None };
            let seat = |player: usize| SeatAssignment {
                player,
                nation: (owners.as_ref())
                    .and_then(|owners| owners.iter().position(|owner| *owner == player)),
            };
            tables.push(order.into_iter().map(seat).collect());
        }
        let mut byes = round.byes.clone();
        byes.sort_unstable();
        seated.push(Round { tables, byes });
    }
    seated
}

/// Returns the players of each table in the order of balanced places.
///
/// Large tables come first: only they have a last place, which is shared among their players. Then small tables
/// balance the places that all tables have.
fn balanced_places(
    request: &Request<'_>,
    tables: &[&Vec<usize>],
    chance: &mut Chance,
) -> Vec<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> = vec![Vec::new(); tables.len()];
    for size in (2..=request.size).rev() {
        let own = (0..tables.len()).filter(|table| tables[*table].len() == size);
        let own: Vec<usize> = own.collect();
        let mut had = vec![[0; MOST_SEATS]; request.players];
        for table in request
            .past
            .iter()
            .filter(|table| table.players.len() >= size)
        {
            for (place, player) in table.players.iter().enumerate().take(MOST_SEATS) {
                if let Some(player) = player {
                    had[*player][place] += 1;
                }
            }
        }
        for order in &orders {
            for (place, player) in order.iter().enumerate() {
                had[*player][place] += 1;
            }
        }
        let group: Vec<&Vec<usize>> = own.iter().map(|table| tables[*table]).collect();
        for (table, order) in own.into_iter().zip(balance(had, &group, chance)) {
            orders[table] = order;
        }
    }
    orders
}

/// Returns the figures of paired rounds, together with the earlier ones.
pub fn figures(request: &Request<'_>, rounds: &[Round]) -> PairingFigures {
    let mut shares = FairnessCounts::of_past(request);
    let opponents: Vec<RoundOpponents> = rounds.iter().map(Round::opponents).collect();
    opponents.iter().for_each(|round| shares.add(round));
    // How often each player had each place at tables of each size, and each nation.
    let mut places = vec![[[0_u32; MOST_SEATS]; MOST_SEATS + 1]; request.players];
    let mut nations = vec![[0_u32; MOST_SEATS]; request.players];
    let past = request.past.iter().map(|table| {
        let nations = table.nations.iter().copied();
        table.players.iter().copied().zip(nations).collect()
    });
    let paired = rounds.iter().flat_map(|round| &round.tables);
    let paired = paired.map(|table| {
        let seats = table.iter().map(|seat| (Some(seat.player), seat.nation));
        seats.collect::<Vec<(Option<usize>, Option<usize>)>>()
    });
    for table in past.chain(paired) {
        for (place, (player, nation)) in table.iter().enumerate().take(MOST_SEATS) {
            let Some(player) = player else {
                continue;
            };
            places[*player][table.len().min(MOST_SEATS)][place] += 1;
            if let Some(nation) = nation {
                nations[*player][*nation] += 1;
            }
        }
    }
    let of_places = places.iter().map(|own| {
        let apart = (0..MOST_SEATS).flat_map(|last| {
            let count = move |place: usize| own[last + 1..].iter().map(|size| size[place]).sum();
            (0..last).map(move |first| u32::abs_diff(count(first), count(last)))
        });
        apart.max().unwrap_or(0)
    });
    let of_nations = nations.iter().map(|own| difference(&own[..request.size]));
    let (meetings, repeated) = meetings(request, &opponents);
    PairingFigures {
        unavoidable: least_repeats(
            &request.past_meetings(),
            &groupings(request, &opponents),
            meetings.len() - 1,
        ),
        meetings,
        repeated,
        place_difference: of_places.max().unwrap_or(0),
        nation_difference: match request.nations {
            true => of_nations.max().unwrap_or(0),
            false => 0,
        },
        small_table_difference: difference(&shares.small),
        bye_difference: difference(&shares.byes),
        team_mates: (opponents.iter().flat_map(|round| &round.tables))
            .map(|table| team_mates(request.teams, table))
            .sum(),
    }
}

/// Whether two players are in one team.
fn are_team_mates(teams: &[u16], one: usize, other: usize) -> bool {
    let team = |player: usize| teams.get(player).copied().unwrap_or(0);
    team(one) != 0 && team(one) == team(other)
}

/// Counts the pairs of team-mates at a table.
fn team_mates(teams: &[u16], table: &[usize]) -> u32 {
    let pairs = (table.iter().enumerate())
        .flat_map(|(place, one)| table[..place].iter().map(move |other| (*one, *other)));
    pairs
        .filter(|(one, other)| are_team_mates(teams, *one, *other))
        .count() as u32
}

/// Returns the difference between the largest and the smallest number.
fn difference(counts: &[u32]) -> u32 {
    let (most, least) = (counts.iter().max(), counts.iter().min());
    most.copied().unwrap_or(0) - least.copied().unwrap_or(0)
}

/// Returns the sizes of the tables, with as few byes and as few and equal tables as possible.
///
/// Empty if there are not enough players for a table.
pub fn sizes(players: usize, size: usize, smallest: usize) -> Vec<usize> {
    let fits = |seated: &usize| seated.div_ceil(size) * smallest <= *seated;
    let Some(seated) = (smallest..=players).rev().find(fits) else {
        return Vec::new();
    };
    let tables = seated.div_ceil(size);
    (0..tables)
        .map(|table| seated / tables + usize::from(table < seated % tables))
        .collect()
}

/// Returns a construction in which no two players meet twice, if one is known.
///
/// The players and the rounds are assigned to it at random.
fn known_plan(
    request: &Request<'_>,
    sizes: &[usize],
    chance: &mut Chance,
) -> Option<Vec<RoundOpponents>> {
    let (tables, size) = (sizes.len(), request.size);
    if !request.past.is_empty() || !request.score_groups.is_empty() || !request.teams.is_empty() {
        return None;
    }
    let mut names: Vec<usize> = (0..request.players).collect();
    if size == 2 {
        chance.shuffle(&mut names);
        let mut rounds = Vec::with_capacity(request.rounds);
        while rounds.len() < request.rounds {
            let mut cycle = circle(&names);
            chance.shuffle(&mut cycle);
            rounds.extend(cycle);
        }
        rounds.truncate(request.rounds);
        return Some(rounds);
    }
    let is_even = tables * size == request.players;
    let least_factor = (2..=tables).find(|factor| tables % factor == 0);
    if !is_even || least_factor? < size {
        return None;
    }
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
        let round = |tables| RoundOpponents {
            tables,
            byes: Vec::new(),
        };
        rounds.into_iter().map(round).collect()
    })
}

/// Returns rounds for two in which each pair of players meets once (the circle method).
pub fn circle(names: &[usize]) -> Vec<RoundOpponents> {
    let mut ring: Vec<Option<usize>> = names.iter().copied().map(Some).collect();
    if ring.len() % 2 == 1 {
        // The opponent of this place sits out.
        ring.push(None);
    }
    let mut rounds = Vec::with_capacity(ring.len().saturating_sub(1));
    for _ in 1..ring.len() {
        let (mut tables, mut byes) = (Vec::with_capacity(ring.len() / 2), Vec::new());
        for place in 0..ring.len() / 2 {
            match (ring[place], ring[ring.len() - 1 - place]) {
                (Some(one), Some(other)) => tables.push(vec![one, other]),
                (one, other) => byes.extend(one.or(other)),
            }
        }
        rounds.push(RoundOpponents { tables, byes });
        ring[1..].rotate_right(1);
    }
    rounds
}

/// How often each player has sat at a small table, and has sat out.
#[derive(Clone, Debug)]
struct FairnessCounts {
    small: Vec<u32>,
    byes: Vec<u32>,
}

impl FairnessCounts {
    /// Counts the earlier tables of a season. A round without a seat counts as a bye, whatever the reason.
    fn of_past(request: &Request<'_>) -> FairnessCounts {
        let mut counts = FairnessCounts {
            small: vec![0; request.players],
            byes: vec![0; request.players],
        };
        let mut rounds: BTreeMap<Option<u16>, Vec<&PastTable>> = BTreeMap::new();
        for table in request.past {
            rounds.entry(table.round).or_default().push(table);
        }
        for (round, tables) in rounds {
            let largest = tables.iter().map(|table| table.players.len()).max();
            let largest = round.and(largest).unwrap_or(request.size);
            let mut sits = vec![false; request.players];
            for table in tables {
                for player in table.paired() {
                    sits[player] = true;
                    counts.small[player] += u32::from(table.players.len() < largest);
                }
            }
            if round.is_some() {
                let byes = counts.byes.iter_mut().zip(sits);
                byes.for_each(|(byes, sits)| *byes += u32::from(!sits));
            }
        }
        counts
    }

    /// Counts a paired round.
    fn add(&mut self, round: &RoundOpponents) {
        let largest = round.tables.iter().map(Vec::len).max().unwrap_or(0);
        let small = round.tables.iter().filter(|table| table.len() < largest);
        small.flatten().for_each(|player| self.small[*player] += 1);
        round.byes.iter().for_each(|player| self.byes[*player] += 1);
    }
}

/// What a group of a round is to its players, apart from the opponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupKind {
    Large,
    Small,
    Bye,
}

/// A local search for opponents.
struct PairingSearch {
    players: usize,
    /// The groups of each round: the tables, and behind them the players who sit out.
    rounds: Vec<Vec<Vec<usize>>>,
    /// The group of each player, by round.
    sits: Vec<Vec<usize>>,
    /// The kind of each group.
    groups: Vec<GroupKind>,
    /// The score group of each player.
    scores: Vec<u32>,
    /// The team of each player; empty if there are no teams.
    teams: Vec<u16>,
    /// The cost of one unit of repeated meetings.
    weight: i64,
    counts: FairnessCounts,
    /// How often two players have met, by both numbers.
    met: Vec<u16>,
    /// The cost of all meetings.
    cost: i64,
    /// A lower bound of `cost`.
    least: i64,
}

impl PairingSearch {
    fn new(request: &Request<'_>, sizes: &[usize], chance: &mut Chance) -> PairingSearch {
        let players = request.players;
        let largest = sizes.iter().max().copied().unwrap_or(0);
        let of_size = |size: &usize| match *size < largest {
            true => GroupKind::Small,
            false => GroupKind::Large,
        };
        let mut search = PairingSearch {
            players,
            rounds: Vec::with_capacity(request.rounds),
            sits: Vec::with_capacity(request.rounds),
            groups: sizes.iter().map(of_size).chain([GroupKind::Bye]).collect(),
            scores: match request.score_groups {
                [] => vec![0; players],
                scores => scores.to_vec(),
            },
            teams: request.teams.to_vec(),
            weight: match request.score_groups.iter().max() {
                None => 1,
                // An exchange changes the meetings at two tables, so this is more than all their differences.
                Some(last) => 2 * MOST_SEATS as i64 * i64::from(*last).pow(2) + 1,
            },
            counts: FairnessCounts::of_past(request),
            met: vec![0; players * players],
            cost: 0,
            least: 0,
        };
        for table in request.past {
            search.meet(&table.paired());
        }
        for _ in 0..request.rounds {
            search.begin_round(sizes, chance);
        }
        let past = request.past_meetings();
        let mut groupings = past_groupings(request);
        let earlier = groupings.len();
        let grouping = Grouping {
            tables: sizes.to_vec(),
            byes: players - sizes.iter().sum::<usize>(),
        };
        groupings.extend(std::iter::repeat_n(grouping, request.rounds));
        let of_rounds = past.least_pairs_of_meetings(&groupings, earlier);
        let spread = past.least_cost(past.new_meetings(&groupings, earlier), |often| {
            cost(often as u16)
        });
        search.least = (of_rounds as i64).max(spread) * search.weight;
        search
    }

    /// Adds a round. Those sit out, or at small tables, who have done so least often.
    fn begin_round(&mut self, sizes: &[usize], chance: &mut Chance) {
        let mut names: Vec<usize> = (0..self.players).collect();
        chance.shuffle(&mut names);
        let seated = sizes.iter().sum::<usize>();
        names.sort_by_key(|player| self.scores[*player]);
        names.sort_by_key(|player| std::cmp::Reverse(self.counts.byes[*player]));
        let byes = names.split_off(seated);
        names.sort_by_key(|player| std::cmp::Reverse(self.counts.small[*player]));
        // The sizes are descending, so the players with the fewest small tables sit at the small ones.
        let large = self.groups.iter().zip(sizes);
        let large = large.filter(|(kind, _)| **kind == GroupKind::Large);
        let large: usize = large.map(|(_, size)| size).sum();
        chance.shuffle(&mut names[..large]);
        names[..large].sort_by_key(|player| self.scores[*player]);
        let mut names = names.into_iter();
        let mut tables: Vec<Vec<usize>> = (sizes.iter())
            .map(|size| names.by_ref().take(*size).collect())
            .collect();
        let round = RoundOpponents {
            tables: tables.clone(),
            byes: byes.clone(),
        };
        self.counts.add(&round);
        tables.iter().for_each(|table| self.meet(table));
        self.cost += byes
            .iter()
            .map(|player| self.bye_cost(*player))
            .sum::<i64>();
        tables.push(byes);
        let mut sits = vec![0; self.players];
        for (number, table) in tables.iter().enumerate() {
            table.iter().for_each(|player| sits[*player] = number);
        }
        self.rounds.push(tables);
        self.sits.push(sits);
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
        self.cost += match by > 0 {
            true => self.pair_cost(one, other, before),
            false => -self.pair_cost(one, other, after),
        };
    }

    /// Returns the cost of one more meeting of two players who have met `often` times.
    fn pair_cost(&self, one: usize, other: usize, often: u16) -> i64 {
        let apart = i64::from(self.scores[one].abs_diff(self.scores[other]));
        let mates = match are_team_mates(&self.teams, one, other) {
            true => TEAM_MATES,
            false => 0,
        };
        self.weight * (cost(often) + mates) + apart * apart
    }

    /// Returns the cost of a bye: it is best for a player of the last score group.
    fn bye_cost(&self, player: usize) -> i64 {
        let last = self.scores.iter().max().copied().unwrap_or(0);
        let apart = i64::from(last - self.scores[player]);
        apart * apart * (self.weight + 3) / 4
    }

    fn kind(&self, round: usize, player: usize) -> GroupKind {
        self.groups[self.sits[round][player]]
    }

    /// Whether byes and small tables stay balanced if two players of a round exchange their groups.
    fn may_exchange(&self, round: usize, one: usize, other: usize) -> bool {
        let (first, second) = (self.kind(round, one), self.kind(round, other));
        let fair = |kind: GroupKind, counts: &[u32]| match (first == kind, second == kind) {
            (true, false) => counts[one] > counts[other],
            (false, true) => counts[other] > counts[one],
            _ => true,
        };
        fair(GroupKind::Bye, &self.counts.byes) && fair(GroupKind::Small, &self.counts.small)
    }

    /// Returns by how much the cost increases if two players of a round exchange groups.
    fn worse(&self, round: usize, one: usize, other: usize) -> i64 {
        let tables = &self.rounds[round];
        let side = |leaves: usize, comes: usize| -> i64 {
            if self.kind(round, leaves) == GroupKind::Bye {
                return self.bye_cost(comes) - self.bye_cost(leaves);
            }
            let stay = tables[self.sits[round][leaves]]
                .iter()
                .filter(|player| **player != leaves);
            let each = stay.map(|player| {
                let now = self.often(leaves, *player).saturating_sub(1);
                self.pair_cost(comes, *player, self.often(comes, *player))
                    - self.pair_cost(leaves, *player, now)
            });
            each.sum()
        };
        side(one, other) + side(other, one)
    }

    fn exchange(&mut self, round: usize, one: usize, other: usize) {
        for (leaves, comes) in [(one, other), (other, one)] {
            let kind = self.kind(round, leaves);
            let counts = match kind {
                GroupKind::Large => None,
                GroupKind::Small => Some(&mut self.counts.small),
                GroupKind::Bye => Some(&mut self.counts.byes),
            };
            if let Some(counts) = counts {
                counts[leaves] -= 1;
                counts[comes] += 1;
            }
            if kind == GroupKind::Bye {
                self.cost += self.bye_cost(comes) - self.bye_cost(leaves);
            }
            let table = self.sits[round][leaves];
            for index in 0..self.rounds[round][table].len() {
                let stays = self.rounds[round][table][index];
                if stays != leaves && kind != GroupKind::Bye {
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
        self.kind(round, player) != GroupKind::Bye
            && others.any(|other| {
                self.often(player, *other) > 1 || are_team_mates(&self.teams, player, *other)
            })
    }

    /// Exchanges players until the cost is the least possible or all steps are used.
    ///
    /// Exchanges that increase the cost are accepted ever less often. Only integers are used, so the result is the same
    /// on every machine.
    fn run(mut self, steps: usize, chance: &mut Chance) -> Vec<RoundOpponents> {
        let rounds = self.rounds.len();
        let mut best = (self.cost, self.rounds.clone());
        let levels = self.weight.ilog2() as usize;
        for step in 0..steps {
            if best.0 == self.least || rounds == 0 || self.groups.len() < 2 {
                break;
            }
            let round = chance.below(rounds as u32) as usize;
            let one = chance.below(self.players as u32) as usize;
            // If only meetings matter, players without repeated ones move rarely.
            if self.weight == 1 && !self.is_repeated(round, one) && chance.below(8) > 0 {
                continue;
            }
            let other = chance.below(self.players as u32) as usize;
            if self.sits[round][one] == self.sits[round][other]
                || !self.may_exchange(round, one, other)
            {
                continue;
            }
            let worse = self.worse(round, one, other);
            let taken = worse <= 0 || {
                let bits = match self.weight {
                    1 => worse * (1 + (8 * step / steps) as i64),
                    // The temperature falls from the cost of a repeated meeting to nothing.
                    weight => 6 * worse / (weight >> (3 + step * levels / steps)).max(1),
                };
                let bits = bits.min(31) as u32;
                chance.below(1 << bits) == 0
            };
            if taken {
                self.exchange(round, one, other);
                if self.cost < best.0 {
                    best = (self.cost, self.rounds.clone());
                }
            }
        }
        let split = |mut tables: Vec<Vec<usize>>| {
            let byes = tables.pop().unwrap_or_default();
            RoundOpponents { tables, byes }
        };
        best.1.into_iter().map(split).collect()
    }
}

/// The cost of one more meeting of two players who have met `often` times: the more, the steeper.
///
/// So repeated meetings are those of many pairs rather than of one.
fn cost(often: u16) -> i64 {
    i64::from(often) * (i64::from(often) + 1) / 2
}

/// Assigns slots to the players of tables of one size, so that each player has each slot equally often.
///
/// `had` counts the earlier slots of each player. Returns the player of each slot by table.
///
/// A player who has one slot too often exchanges it with the player of the other slot at the same table; if that player
/// then has it too often, that one exchanges it at another table, and so on. Such a chain exists for every difference
/// above one if there were no slots before.
fn balance(
    had: Vec<[u32; MOST_SEATS]>,
    tables: &[&Vec<usize>],
    chance: &mut Chance,
) -> Vec<Vec<usize>> {
    let players = had.len();
    let mut slots = SeatSlots {
        counts: had,
        holders: Vec::with_capacity(tables.len()),
        tables: vec![Vec::new(); players],
    };
    for (number, table) in tables.iter().enumerate() {
        let mut holders = (*table).clone();
        chance.shuffle(&mut holders);
        for (slot, player) in holders.iter().enumerate() {
            slots.counts[*player][slot] += 1;
            slots.tables[*player].push(number);
        }
        slots.holders.push(holders);
    }
    let most = tables.first().map_or(0, |table| table.len());
    let pairs: Vec<(usize, usize)> = (0..most)
        .flat_map(|from| (0..most).map(move |to| (from, to)))
        .collect();
    let mut moved = true;
    while moved {
        moved = false;
        for player in 0..players {
            for (from, to) in &pairs {
                moved |= slots.move_on(player, *from, *to);
            }
        }
    }
    slots.holders
}

/// The slots of players at tables.
struct SeatSlots {
    /// How often each player has each slot.
    counts: Vec<[u32; MOST_SEATS]>,
    /// The player of each slot, by table.
    holders: Vec<Vec<usize>>,
    /// The tables of each player.
    tables: Vec<Vec<usize>>,
}

impl SeatSlots {
    /// Gives a player another slot once, if the player has one too often and a chain of exchanges is found.
    fn move_on(&mut self, player: usize, from: usize, to: usize) -> bool {
        if self.counts[player][from] < self.counts[player][to] + 2 {
            return false;
        }
        // For each player that a chain reaches: the player before, and their table.
        let mut reached: Vec<Option<(usize, usize)>> = vec![None; self.counts.len()];
        let mut queue = VecDeque::from([player]);
        while let Some(one) = queue.pop_front() {
            for table in &self.tables[one] {
                let holders = &self.holders[*table];
                let (has, other) = (holders[from], holders[to]);
                if has != one || other == player || reached[other].is_some() {
                    continue;
                }
                reached[other] = Some((one, *table));
                if self.counts[other][from] < self.counts[other][to] {
                    self.exchange(other, &reached, (from, to));
                    return true;
                }
                queue.push_back(other);
            }
        }
        false
    }

    /// Exchanges two slots at each table of a chain that ends with a player.
    fn exchange(
        &mut self,
        last: usize,
        reached: &[Option<(usize, usize)>],
        (from, to): (usize, usize),
    ) {
        let mut other = last;
        while let Some((one, table)) = reached[other] {
            self.holders[table].swap(from, to);
            self.counts[one][from] -= 1;
            self.counts[one][to] += 1;
            self.counts[other][to] -= 1;
            self.counts[other][from] += 1;
            other = one;
        }
    }
}

impl Request<'_> {
    /// Counts the earlier meetings of the players.
    pub fn past_meetings(&self) -> Meetings {
        let mut met = Meetings::new(self.players);
        self.past.iter().for_each(|table| met.add(&table.paired()));
        met
    }
}

/// Counts the pairs that meet never, once and so on, and the repeated meetings.
fn meetings(request: &Request<'_>, rounds: &[RoundOpponents]) -> (Vec<u32>, u32) {
    let mut met = request.past_meetings();
    let tables = rounds.iter().flat_map(|round| &round.tables);
    tables.for_each(|table| met.add(table));
    let pairs = met.pairs();
    let repeated = (0_u32..).zip(&pairs);
    let repeated = repeated
        .map(|(often, pairs)| often.saturating_sub(1) * pairs)
        .sum();
    (pairs, repeated)
}

/// Returns how the earlier rounds and the paired ones divide the players; the earlier ones first.
fn groupings(request: &Request<'_>, rounds: &[RoundOpponents]) -> (Vec<Grouping>, usize) {
    let mut groupings = past_groupings(request);
    let earlier = groupings.len();
    groupings.extend(rounds.iter().map(|round| Grouping {
        tables: round.tables.iter().map(Vec::len).collect(),
        byes: round.byes.len(),
    }));
    (groupings, earlier)
}

/// Returns how the earlier rounds divide the players who are paired now.
fn past_groupings(request: &Request<'_>) -> Vec<Grouping> {
    let mut rounds: BTreeMap<(u16, usize), Vec<Vec<usize>>> = BTreeMap::new();
    for (number, table) in request.past.iter().enumerate() {
        // A table without a round is a round by itself.
        let round = table.round.map_or((0, number), |round| (round, 0));
        rounds.entry(round).or_default().push(table.paired());
    }
    let mut groupings = Vec::with_capacity(rounds.len());
    for mut tables in rounds.into_values() {
        tables.retain(|table| !table.is_empty());
        let mut seated: Vec<usize> = tables.iter().flatten().copied().collect();
        seated.sort_unstable();
        // An organizer may give several rounds the same number.
        if seated.windows(2).all(|two| two[0] != two[1]) {
            groupings.push(Grouping {
                tables: tables.iter().map(Vec::len).collect(),
                byes: request.players - seated.len(),
            });
        }
    }
    groupings
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
            smallest: (size - 1).max(2),
            rounds,
            nations: true,
            score_groups: &[],
            teams: &[],
            past: &[],
            seed: "carthage",
        }
    }

    #[test]
    fn team_mates_do_not_meet_where_possible() {
        // Teams of four at tables of four: each table has a member of four teams.
        for (teams, members, size, rounds) in [
            (6, 4, 4, 5),
            (4, 4, 4, 3),
            (5, 3, 3, 6),
            (2, 5, 2, 5),
            (8, 2, 6, 4),
        ] {
            let of_team: Vec<u16> = (0..teams * members)
                .map(|one| (one % teams) as u16 + 1)
                .collect();
            let request = Request {
                teams: &of_team,
                ..request(teams * members, size, rounds)
            };
            let (paired, figures) = pair(&request);
            let least = size.saturating_sub(teams);
            let tables: usize = paired.iter().map(|round| round.tables.len()).sum();
            assert_eq!(
                figures.team_mates as usize,
                least * tables,
                "{teams} of {members} at {size}: {figures:?}"
            );
            assert!(figures.bye_difference <= 1, "{figures:?}");
        }
        // With one team only, the others are paired as ever.
        let of_team = [1, 1, 0, 0];
        let (_, figures) = pair(&Request {
            teams: &of_team,
            ..request(4, 2, 2)
        });
        assert_eq!((figures.team_mates, figures.repeated), (0, 0));
    }

    fn past(rounds: &[Round]) -> Vec<PastTable> {
        let tables = (1..).zip(rounds);
        let tables = tables.flat_map(|(round, tables)| {
            tables.tables.iter().map(move |table| PastTable {
                round: Some(round),
                players: table.iter().map(|place| Some(place.player)).collect(),
                nations: table.iter().map(|place| place.nation).collect(),
            })
        });
        tables.collect()
    }

    #[test]
    fn no_two_meet_twice_where_a_construction_is_known() {
        for (players, size, rounds) in [
            (9, 3, 4),
            (20, 4, 5),
            (25, 5, 6),
            (28, 4, 7),
            (4, 2, 3),
            (6, 2, 5),
            (9, 2, 9),
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
        for (players, size, rounds) in [
            (24, 4, 5),
            (24, 3, 7),
            (23, 4, 5),
            (22, 4, 4),
            (40, 4, 6),
            (200, 4, 6),
        ] {
            let (_, figures) = pair(&request(players, size, rounds));
            assert_eq!(
                figures.repeated, 0,
                "{players} {size} {rounds}: {figures:?}"
            );
            assert!(figures.nation_difference <= 1, "{figures:?}");
            let is_even = players % size == 0;
            let most = if is_even { 1 } else { 2 };
            assert!(figures.place_difference <= most, "{figures:?}");
            assert!(figures.small_table_difference <= 1, "{figures:?}");
        }
    }

    #[test]
    fn players_who_fit_no_table_sit_out_in_turn() {
        for (players, size, smallest, expected) in [
            (9, 2, 2, &[2, 2, 2, 2][..]),
            (5, 4, 3, &[4]),
            (5, 4, 2, &[3, 2]),
            (7, 6, 5, &[6]),
            (7, 6, 3, &[4, 3]),
            (9, 6, 4, &[5, 4]),
            (23, 4, 3, &[4, 4, 4, 4, 4, 3]),
            (6, 4, 3, &[3, 3]),
            (3, 6, 5, &[]),
        ] {
            assert_eq!(sizes(players, size, smallest), expected, "{players} {size}");
        }
        for (players, size) in [(9, 2), (5, 4), (7, 6), (13, 6)] {
            let (rounds, figures) = pair(&request(players, size, 10));
            let sat_out = rounds.iter().map(|round| round.byes.len()).sum::<usize>();
            assert!(sat_out >= 10, "{rounds:?}");
            assert!(figures.bye_difference <= 1, "{players} {size}: {figures:?}");
            // The same holds if each round is paired alone.
            let mut played = Vec::new();
            for _ in 0..10 {
                let past = past(&played);
                let next = Request {
                    past: &past,
                    ..request(players, size, 1)
                };
                let (round, figures) = pair_within(&next, 10_000);
                assert!(figures.bye_difference <= 1, "{players} {size}: {figures:?}");
                played.extend(round);
            }
        }
    }

    #[test]
    fn nobody_sits_at_small_tables_more_often_than_others() {
        let (rounds, figures) = pair(&request(23, 4, 5));
        let small = rounds.iter().flat_map(|round| &round.tables);
        let small = small.filter(|table| table.len() == 3).flatten();
        let players: BTreeSet<usize> = small.map(|place| place.player).collect();
        assert_eq!(players.len(), 15, "five tables of three different players");
        assert_eq!(figures.small_table_difference, 1);
    }

    #[test]
    fn unavoidable_meetings_are_spread_and_reported() {
        let (_, figures) = pair(&request(24, 6, 4));
        assert_eq!(
            figures.meetings.len(),
            3,
            "no two meet three times: {figures:?}"
        );
        assert_eq!((figures.repeated, figures.unavoidable), (48, 48));
    }

    #[test]
    fn earlier_tables_count() {
        let (first, _) = pair(&request(24, 4, 3));
        let past = past(&first);
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
            round: None,
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
            let table = &paired[0].tables[0];
            let seats: Vec<usize> = table.iter().map(|place| place.player).collect();
            assert_ne!(seats, [1, 0], "0 has sat second already");
            assert_eq!((figures.repeated, &*figures.meetings), (0, &[0, 1][..]));
        }
    }

    /// Checks a pairing without earlier tables, without the code that made it.
    fn check(request: &Request<'_>, rounds: &[Round], figures: &PairingFigures) {
        let Request { players, size, .. } = *request;
        let about = format!("{players} at {size}, {figures:?}");
        let mut met = vec![vec![0_u32; players]; players];
        let mut places = vec![vec![[0_u32; MOST_SEATS]; size]; players];
        let mut nations = vec![vec![0_u32; size]; players];
        let (mut small, mut byes) = (vec![0_u32; players], vec![0_u32; players]);
        assert_eq!(rounds.len(), request.rounds);
        for round in rounds {
            let mut sit = vec![false; players];
            let mut once = |player: usize| assert!(!std::mem::replace(&mut sit[player], true));
            round.byes.iter().for_each(|player| once(*player));
            round.byes.iter().for_each(|player| byes[*player] += 1);
            let seated = round.tables.iter().flatten();
            seated.for_each(|place| once(place.player));
            assert!(sit.iter().all(|sits| *sits), "{about}");
            for table in &round.tables {
                assert!((request.smallest..=size).contains(&table.len()), "{about}");
                for (place, seat) in table.iter().enumerate() {
                    places[seat.player][place][table.len() - 1] += 1;
                    small[seat.player] += u32::from(table.len() < size);
                    if let Some(nation) = seat.nation {
                        nations[seat.player][nation] += 1;
                    }
                    for other in table.iter().filter(|other| *other != seat) {
                        met[seat.player][other.player] += 1;
                    }
                }
                let all: BTreeSet<_> = table.iter().map(|seat| seat.nation).collect();
                let expected = if table.len() == size { size } else { 1 };
                assert_eq!(all.len(), expected, "{about}");
            }
        }
        let is_even = rounds[0].tables.iter().all(|table| table.len() == size);
        let apart = |counts: &[u32]| counts.iter().max().unwrap() - counts.iter().min().unwrap();
        assert!(apart(&byes) <= 1, "byes: {about}");
        let has_large = rounds[0].tables.iter().any(|table| table.len() == size);
        assert!(!has_large || apart(&small) <= 1, "small tables: {about}");
        let of_nations = nations.iter().map(|own| apart(own)).max().unwrap();
        assert!(of_nations <= 1, "nations: {about}");
        for own in &places {
            for last in 0..size {
                for first in 0..last {
                    let count = |place: usize| own[place][last..].iter().sum::<u32>();
                    let most = if is_even { 1 } else { 3 };
                    assert!(
                        count(first).abs_diff(count(last)) <= most,
                        "places: {about}"
                    );
                }
            }
        }
        let pairs = (0..players).flat_map(|one| (0..one).map(move |other| (one, other)));
        let repeated = pairs.map(|(one, other)| met[one][other].saturating_sub(1));
        assert_eq!(figures.repeated, repeated.sum::<u32>(), "{about}");
        assert!(figures.repeated >= figures.unavoidable, "{about}");
    }

    #[test]
    fn every_number_of_players_is_paired_in_a_balanced_way() {
        for size in 2..=MOST_SEATS {
            for players in 2..=64 {
                let request = request(players, size, 10);
                let (rounds, figures) = pair_within(&request, 2_000);
                check(&request, &rounds, &figures);
                // Nobody meets twice who need not.
                if size == 2 {
                    assert_eq!(
                        figures.repeated, figures.unavoidable,
                        "{players}: {figures:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn nobody_meets_twice_in_ten_rounds_of_many_players() {
        // From so many players on, the search finds ten rounds without a repeated meeting.
        for (size, from) in [(3, 28), (4, 52)] {
            for players in [from, from + 5, 64] {
                let (_, figures) = pair(&request(players, size, 10));
                assert_eq!(figures.repeated, 0, "{players} at {size}: {figures:?}");
            }
        }
        // With few players, as many meetings are repeated as the bound proves.
        for (size, most) in [(3, 18), (4, 18), (5, 18), (6, 12)] {
            for players in [size, most - 4, most] {
                let (_, figures) = pair(&request(players, size, 10));
                let (repeated, least) = (figures.repeated, figures.unavoidable);
                assert_eq!(repeated, least, "{players} at {size}: {figures:?}");
            }
        }
    }

    #[test]
    fn players_of_near_score_groups_meet_and_the_last_sit_out() {
        for (players, size) in [(23, 2), (16, 2), (23, 4), (24, 3), (30, 6)] {
            let mut played: Vec<Round> = Vec::new();
            let mut points = vec![0_u32; players];
            for number in 0..5 {
                let mut order: Vec<u32> = points.clone();
                order.sort_unstable_by(|one, other| other.cmp(one));
                order.dedup();
                let group = |points: &u32| order.iter().position(|own| own == points);
                let groups: Vec<u32> = points
                    .iter()
                    .map(|own| group(own).unwrap() as u32)
                    .collect();
                let past = past(&played);
                let request = Request {
                    score_groups: &groups,
                    past: &past,
                    ..request(players, size, 1)
                };
                let (paired, figures) = pair_within(&request, 40_000);
                let about = format!("{players} at {size}, round {number}: {figures:?}");
                let possible = (size - 1) * (number + 1) < players / 2 && players / size >= size;
                assert!(figures.repeated == 0 || !possible, "{about}");
                assert!(figures.bye_difference <= 1, "{about}");
                assert!(figures.small_table_difference <= 1, "{about}");
                // The pairs at the tables are nearer than pairs drawn by lot.
                let apart = |one: usize, other: usize| groups[one].abs_diff(groups[other]);
                let tables = paired[0].tables.iter();
                let pairs = tables.flat_map(|table| {
                    let pair = move |one: usize| {
                        table[..one]
                            .iter()
                            .map(move |other| (table[one].player, other.player))
                    };
                    (0..table.len()).flat_map(pair)
                });
                let (mut sum, mut count) = (0, 0);
                for (one, other) in pairs {
                    sum += apart(one, other);
                    count += 1;
                }
                let all: u32 = (0..players)
                    .flat_map(|one| (0..one).map(move |other| (one, other)))
                    .map(|(one, other)| apart(one, other))
                    .sum();
                let pairs = (players * (players - 1) / 2) as u32;
                let is_near = 3 * sum * pairs <= 2 * all * count;
                assert!(is_near || !possible, "{about}: {sum} of {count}");
                for table in &paired[0].tables {
                    for (place, seat) in table.iter().enumerate() {
                        points[seat.player] += (size - place) as u32;
                    }
                }
                for player in &paired[0].byes {
                    let worst = (0..players).filter(|other| *other != *player);
                    let sat_out = |one: usize| played.iter().any(|round| round.byes.contains(&one));
                    let mut worse = worst.filter(|other| groups[*other] > groups[*player]);
                    assert!(worse.all(sat_out), "{about}: {player} sits out");
                    points[*player] += size as u32;
                }
                played.extend(paired);
            }
        }
    }

    #[test]
    fn every_number_of_players_has_ten_balanced_swiss_rounds() {
        for size in 2..=MOST_SEATS {
            for players in 2..=64 {
                let (mut played, mut points) = (Vec::new(), vec![0_usize; players]);
                for number in 0..10 {
                    let mut order = points.clone();
                    order.sort_unstable_by(|one, other| other.cmp(one));
                    order.dedup();
                    let group = |own: &usize| order.iter().position(|points| points == own);
                    let groups: Vec<u32> = points
                        .iter()
                        .map(|own| group(own).unwrap() as u32)
                        .collect();
                    let past = past(&played);
                    let request = Request {
                        score_groups: &groups,
                        past: &past,
                        ..request(players, size, 1)
                    };
                    let (paired, figures) = pair_within(&request, 300);
                    let about = format!("{players} at {size}, round {number}: {figures:?}");
                    let Some(round) = paired.first() else {
                        panic!("{about}");
                    };
                    let seated = round.tables.iter().flatten().map(|seat| seat.player);
                    let mut once: Vec<usize> = seated.chain(round.byes.iter().copied()).collect();
                    once.sort_unstable();
                    assert!(once.into_iter().eq(0..players), "{about}");
                    assert!(figures.bye_difference <= 1, "{about}");
                    assert!(figures.small_table_difference <= 1, "{about}");
                    assert!(figures.repeated >= figures.unavoidable, "{about}");
                    for table in &round.tables {
                        for (place, seat) in table.iter().enumerate() {
                            points[seat.player] += size - place;
                        }
                    }
                    round.byes.iter().for_each(|player| points[*player] += size);
                    played.extend(paired);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_same_request_has_the_same_pairing(players in 2_usize..30, size in 2_usize..7, rounds in 1_usize..5,
            smallest in 2_usize..7, nations in any::<bool>(), seed in "[a-z]{1,8}") {
            let smallest = smallest.min(size);
            let request = Request { seed: &seed, smallest, nations, ..request(players, size, rounds) };
            let (paired, figures) = pair_within(&request, 2_000);
            prop_assert_eq!(pair_within(&request, 2_000), (paired.clone(), figures.clone()));
            if nations && sizes(players, size, smallest).contains(&size) {
                check(&request, &paired, &figures);
            }
        }
    }
}
