//! How often intervals hold the true rate: corpora made with known effects, from fixed seeds. The figures
//! of a larger run are in `analytics/COVERAGE.md`, which says how to repeat them.

mod losses;
mod page;
mod strength;

use analytics::interval::{Evidence, Squares, wilson};

/// SplitMix64, which is enough to scatter.
struct Chance(u64);

impl Chance {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// From 0 to 1.
    fn part(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        (self.part() * end as f64) as usize
    }

    /// Normally distributed (Box and Muller).
    fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.part(), self.part());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }
}

/// How a corpus is made.
#[derive(Clone, Copy)]
struct Corpus {
    name: &'static str,
    games: usize,
    /// How many persons there are; nobody plays twice with 0.
    persons: usize,
    /// The standard deviation of their skill, in log odds.
    spread: f64,
    /// How often a person does what he or she has the habit of.
    habit: f64,
    /// How often two seats share a win.
    shared: f64,
    /// How many seats share four nations.
    seats: usize,
}

const PLAIN: Corpus = Corpus {
    name: "no effect, nobody plays twice",
    games: 200,
    persons: 0,
    spread: 0.0,
    habit: 0.25,
    shared: 0.0,
    seats: 4,
};

/// What a nation does is of four kinds, by a person's habit or by chance, and has no effect: a quarter
/// of those who do it win, whatever it is.
const CORPORA: [Corpus; 7] = [
    PLAIN,
    Corpus {
        name: "shared wins",
        shared: 0.3,
        ..PLAIN
    },
    Corpus {
        name: "two players with four nations",
        seats: 2,
        ..PLAIN
    },
    Corpus {
        name: "40 persons, skill alike",
        persons: 40,
        habit: 0.7,
        ..PLAIN
    },
    Corpus {
        name: "40 persons, skill spread 0.5, habits",
        persons: 40,
        spread: 0.5,
        habit: 0.7,
        ..PLAIN
    },
    Corpus {
        name: "40 persons, skill spread 1.0, habits",
        persons: 40,
        spread: 1.0,
        habit: 0.7,
        ..PLAIN
    },
    Corpus {
        name: "80 persons, skill spread 1.0, who always choose the same",
        games: 400,
        persons: 80,
        spread: 1.0,
        habit: 1.0,
        ..PLAIN
    },
];

/// What a unit adds to the row.
#[derive(Clone, Copy, Default)]
struct Sum {
    nations: f64,
    wins: f64,
}

fn squares(sums: impl Iterator<Item = Sum>) -> Squares {
    sums.fold(Squares::default(), |squares, sum| Squares {
        nn: squares.nn + sum.nations * sum.nations,
        nw: squares.nw + sum.nations * sum.wins,
        ww: squares.ww + sum.wins * sum.wins,
    })
}

/// The row of the nations that did the first of four things.
fn row(corpus: &Corpus, chance: &mut Chance) -> Evidence {
    let everybody = corpus.persons.max(corpus.games * corpus.seats);
    let skills: Vec<(f64, usize)> = (0..everybody)
        .map(|_| (corpus.spread * chance.normal(), chance.below(4)))
        .collect();
    let mut persons = vec![Sum::default(); everybody];
    let (mut seats, mut games) = (Vec::new(), Vec::new());
    for game in 0..corpus.games {
        let mut table: Vec<usize> = Vec::new();
        while table.len() < corpus.seats {
            let person = match corpus.persons {
                0 => game * corpus.seats + table.len(),
                persons => chance.below(persons),
            };
            if !table.contains(&person) {
                table.push(person);
            }
        }
        let winner = |chance: &mut Chance| {
            let strengths = table.iter().map(|person| skills[*person].0.exp());
            let mut place = chance.part() * strengths.clone().sum::<f64>();
            let found = strengths.enumerate().find(|(_, strength)| {
                place -= strength;
                place < 0.0
            });
            found.map_or(0, |(seat, _)| seat)
        };
        let first = winner(chance);
        let second = match chance.part() < corpus.shared {
            true => (first + 1 + chance.below(corpus.seats - 1)) % corpus.seats,
            false => first,
        };
        let nations = 4 / corpus.seats;
        let mut all = Sum::default();
        for (seat, person) in table.iter().enumerate() {
            let share = [first, second].iter().filter(|won| **won == seat).count() as f64 / 2.0;
            let mut own = Sum::default();
            for _ in 0..nations {
                let done = match chance.part() < corpus.habit {
                    true => skills[*person].1,
                    false => chance.below(4),
                };
                if done == 0 {
                    own.nations += 1.0;
                    own.wins += share / nations as f64;
                }
            }
            persons[*person].nations += own.nations;
            persons[*person].wins += own.wins;
            all.nations += own.nations;
            all.wins += own.wins;
            seats.push(own);
        }
        games.push(all);
    }
    let told = |sums: &[Sum]| squares(sums.iter().copied());
    Evidence {
        games: games.iter().filter(|sum| sum.nations > 0.0).count() as f64,
        nation_games: games.iter().map(|sum| sum.nations).sum(),
        wins: games.iter().map(|sum| sum.wins).sum(),
        by_game: told(&games),
        by_seat: told(&seats),
        by_person: told(&persons),
        of_persons: persons.iter().map(|sum| sum.nations).sum(),
    }
}

/// What parts of so many corpora the interval and that of Wilson hold the truth.
fn coverage(corpus: &Corpus, times: usize) -> (f64, f64, f64) {
    let mut chance = Chance(corpus.name.len() as u64);
    let (mut held, mut by_wilson, mut false_alarms) = (0, 0, 0);
    for _ in 0..times {
        let row = row(corpus, &mut chance);
        let holds = |(low, high): (f64, f64)| usize::from(low <= 0.25 && 0.25 <= high);
        held += holds(row.interval());
        by_wilson += holds(wilson(row.wins, row.nation_games));
        false_alarms += usize::from(row.p_value(0.25) < 0.05);
    }
    let part = |count: usize| count as f64 / times as f64;
    (part(held), part(by_wilson), part(false_alarms))
}

#[test]
fn intervals_hold_the_true_rate() {
    let times = page::times(1_000, 20_000);
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for corpus in &CORPORA {
        let (held, by_wilson, false_alarms) = coverage(corpus, times);
        rows.push((corpus.name, [held, by_wilson, false_alarms]));
        if !(0.93..=0.97).contains(&held) || false_alarms > 0.07 {
            wrong.push((corpus.name, held, false_alarms));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    page::check(
        "| 200 games of four (400 in the last row) | held | Wilson | alarms |",
        &rows,
    );
}
