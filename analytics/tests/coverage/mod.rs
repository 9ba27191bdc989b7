//! How often intervals contain the true rate, in corpora with known effects and fixed seeds. The figures of a
//! larger run are in `analytics/COVERAGE.md`, which says how to repeat them.

mod change;
mod losses;
mod page;
mod strength;

use analytics::statistics::interval::{Evidence, Others, PersonSums, SkillVariance, Squares};
use statrs::distribution::{Binomial, Discrete};

/// SplitMix64, which is good enough for these simulations.
struct Chance(u64);

impl Chance {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// Returns a number from 0 to 1.
    fn part(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        (self.part() * end as f64) as usize
    }

    /// Returns a normally distributed number (Box and Muller).
    fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.part(), self.part());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }
}

/// The choice of the nations in the row whose rate is estimated.
#[derive(Clone, Copy)]
enum RowChoice {
    /// The nations that did the first of four things. A player does the habitual thing in this share of cases,
    /// otherwise any of them.
    Habit(f64),
    /// One nation of each game, in any seat.
    Drawn,
    /// One nation of each game, with a player of more than average skill in most games that have one.
    LikedByStrong,
}

/// The parameters of a corpus.
#[derive(Clone, Copy)]
struct Corpus {
    name: &'static str,
    games: usize,
    /// The number of persons; with 0, no person plays twice.
    persons: usize,
    /// The standard deviation of their skill, in log odds.
    spread: f64,
    row: RowChoice,
    /// The share of wins that two seats divide.
    shared: f64,
    seats: usize,
    nations_of_seat: usize,
}

const PLAIN: Corpus = Corpus {
    name: "no person plays twice",
    games: 200,
    persons: 0,
    spread: 0.0,
    row: RowChoice::Habit(0.0),
    shared: 0.0,
    seats: 4,
    nations_of_seat: 1,
};

const fn drawn(name: &'static str, games: usize, persons: usize, spread: f64) -> Corpus {
    Corpus {
        name,
        games,
        persons,
        spread,
        row: RowChoice::Drawn,
        ..PLAIN
    }
}

const fn habits(name: &'static str, games: usize, persons: usize, spread: f64) -> Corpus {
    Corpus {
        row: RowChoice::Habit(0.7),
        ..drawn(name, games, persons, spread)
    }
}

/// The row has no effect: its nations win as often as others, apart from the skill of their players.
const CORPORA: [Corpus; 15] = [
    PLAIN,
    Corpus {
        name: "15 games, no person plays twice",
        row: RowChoice::Drawn,
        games: 15,
        ..PLAIN
    },
    Corpus {
        name: "shared wins",
        shared: 0.3,
        ..PLAIN
    },
    drawn("drawn, 60 games, 4 persons, spread 0.5", 60, 4, 0.5),
    drawn("drawn, 60 games, 4 persons, spread 1.0", 60, 4, 1.0),
    drawn("drawn, 15 games, 12 persons, spread 0.5", 15, 12, 0.5),
    drawn("drawn, 200 games, 12 persons, spread 0.5", 200, 12, 0.5),
    drawn("drawn, 200 games, 40 persons, spread 1.0", 200, 40, 1.0),
    habits("habits, 60 games, 5 persons, spread 0.5", 60, 5, 0.5),
    habits("habits, 200 games, 8 persons, spread 0.5", 200, 8, 0.5),
    habits("habits, 200 games, 40 persons, spread 0.5", 200, 40, 0.5),
    habits("habits, 200 games, 40 persons, spread 1.0", 200, 40, 1.0),
    Corpus {
        row: RowChoice::LikedByStrong,
        ..drawn(
            "the strong like it, 200 games, 40 persons, spread 0.5",
            200,
            40,
            0.5,
        )
    },
    Corpus {
        seats: 2,
        nations_of_seat: 2,
        ..drawn(
            "drawn, two players, 60 games, 12 persons, spread 0.5",
            60,
            12,
            0.5,
        )
    },
    Corpus {
        seats: 6,
        shared: 0.3,
        ..drawn(
            "drawn, six players, shared wins, 60 games, 24 persons, spread 0.5",
            60,
            24,
            0.5,
        )
    },
];

/// The contribution of a unit to the row.
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

/// Returns how many nations of each seat belong to the row. The seats are given by skill and habit of their players.
fn nations_in_row(corpus: &Corpus, table: &[(f64, usize)], chance: &mut Chance) -> Vec<f64> {
    let one_of = |seat: usize| {
        let seats = 0..table.len();
        seats
            .map(|other| f64::from(u8::from(other == seat)))
            .collect()
    };
    match corpus.row {
        RowChoice::Habit(habit) => table
            .iter()
            .map(|(_, habitual)| {
                let done = (0..corpus.nations_of_seat).filter(|_| {
                    let done = match chance.part() < habit {
                        true => *habitual,
                        false => chance.below(4),
                    };
                    done == 0
                });
                done.count() as f64
            })
            .collect(),
        RowChoice::Drawn => one_of(chance.below(table.len())),
        RowChoice::LikedByStrong => {
            let strong = table.iter().position(|(skill, _)| *skill > 0.0);
            let any = chance.below(table.len());
            one_of(strong.filter(|_| chance.part() < 0.7).unwrap_or(any))
        }
    }
}

/// Simulates the row of a corpus.
fn row(corpus: &Corpus, chance: &mut Chance) -> Evidence {
    let everybody = match corpus.persons {
        0 => corpus.games * corpus.seats,
        persons => persons,
    };
    let skills: Vec<(f64, usize)> = (0..everybody)
        .map(|_| (corpus.spread * chance.normal(), chance.below(4)))
        .collect();
    let mut persons = vec![PersonSums::default(); everybody];
    let mut games = Vec::new();
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
        let seated: Vec<(f64, usize)> = table.iter().map(|person| skills[*person]).collect();
        let strengths = seated.iter().map(|(skill, _)| skill.exp());
        let mut place = chance.part() * strengths.clone().sum::<f64>();
        let first = strengths.clone().position(|strength| {
            place -= strength;
            place < 0.0
        });
        let first = first.unwrap_or_default();
        let second = match chance.part() < corpus.shared {
            true => (first + 1 + chance.below(corpus.seats - 1)) % corpus.seats,
            false => first,
        };
        let in_row = nations_in_row(corpus, &seated, chance);
        let nations = corpus.nations_of_seat as f64;
        let mut all = Sum::default();
        for (seat, person) in table.iter().enumerate() {
            let share = [first, second].iter().filter(|won| **won == seat).count() as f64 / 2.0;
            let own = &mut persons[*person];
            own.in_row += in_row[seat];
            own.nations += nations;
            own.wins += share;
            own.by_seat.nn += nations * nations;
            own.by_seat.nw += nations * share;
            own.by_seat.ww += share * share;
            all.nations += in_row[seat];
            all.wins += in_row[seat] * share / nations;
        }
        games.push(all);
    }
    Evidence {
        games: games.iter().filter(|sum| sum.nations > 0.0).count() as f64,
        nation_games: games.iter().map(|sum| sum.nations).sum(),
        wins: games.iter().map(|sum| sum.wins).sum(),
        by_game: squares(games.iter().copied()),
        skill: SkillVariance::for_row(persons.iter().copied()),
    }
}

/// Returns the shares of corpora in which the interval contains the truth, is below it and is above it; and its mean
/// width relative to an interval with the true variance.
fn coverage(corpus: &Corpus, times: usize) -> [f64; 4] {
    let mut chance = Chance(corpus.name.len() as u64);
    let rows: Vec<Evidence> = (0..times).map(|_| row(corpus, &mut chance)).collect();
    let mean = rows.iter().map(Evidence::rate).sum::<f64>() / times as f64;
    let squared = rows.iter().map(|row| (row.rate() - mean).powi(2));
    let deviation = (squared.sum::<f64>() / times as f64).sqrt();
    let truth = match corpus.row {
        // The skill of its players makes the row win.
        RowChoice::LikedByStrong => mean,
        _ => 1.0 / (corpus.seats * corpus.nations_of_seat) as f64,
    };
    let ends: Vec<(f64, f64)> = rows.iter().map(Evidence::interval).collect();
    let part = |holds: &dyn Fn(f64, f64) -> bool| {
        let found = ends.iter().filter(|(low, high)| holds(*low, *high));
        found.count() as f64 / times as f64
    };
    let width = ends.iter().map(|(low, high)| high - low).sum::<f64>() / times as f64;
    [
        part(&|low, high| low <= truth && truth <= high),
        part(&|_, high| high < truth),
        part(&|low, _| truth < low),
        width / (2.0 * 1.96 * deviation),
    ]
}

#[test]
fn intervals_hold_the_true_rate() {
    let times = page::times(1_000, 20_000);
    let rows = CORPORA
        .each_ref()
        .map(|corpus| (corpus.name, coverage(corpus, times)));
    let wrong: Vec<_> = rows
        .iter()
        .filter(|(_, [held, _, _, width])| {
            !(0.93..=0.99).contains(held) || !(0.9..1.3).contains(width)
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    page::check("| corpus | held | too low | too high | width |", &rows);
}

/// Returns the shares of cases in which a rate below and above the expectation is significant without an effect.
fn tails(rows: impl Iterator<Item = (f64, Evidence)>, expected: f64) -> [f64; 2] {
    let mut tails = [0.0; 2];
    for (likely, row) in rows {
        if row.p_value(expected) < 0.05 {
            tails[usize::from(row.rate() > expected)] += likely;
        }
    }
    tails
}

/// Simulates a row of games of twelve persons, who win more or less often than expected and have three times as many
/// other games.
fn of_twelve(games: u32, expected: f64, chance: &mut Chance) -> Evidence {
    let mut persons = [PersonSums::default(); 12];
    let (mut count, mut wins) = (0.0, 0.0);
    for game in 0..4 * games {
        let index = chance.below(12);
        let strength = if index.is_multiple_of(2) { 0.6 } else { 1.4 };
        let won = f64::from(u8::from(chance.part() < expected * strength));
        let own = &mut persons[index];
        own.nations += 1.0;
        own.wins += won;
        own.by_seat.nn += 1.0;
        own.by_seat.nw += won;
        own.by_seat.ww += won;
        if game < games {
            own.in_row += 1.0;
            count += 1.0;
            wins += won;
        }
    }
    Evidence {
        skill: SkillVariance::for_row(persons.into_iter()),
        ..Evidence::independent(wins, count)
    }
}

#[test]
fn both_tails_of_the_test_are_of_their_size() {
    let times = page::times(2_000, 20_000);
    let mut rows = Vec::new();
    for games in [10u32, 20, 30, 60, 100] {
        for (name, expected) in [
            ("0.05", 0.05),
            ("1/6", 1.0 / 6.0),
            ("0.25", 0.25),
            ("0.5", 0.5),
        ] {
            let binomial = Binomial::new(expected, u64::from(games)).expect("a distribution");
            let each = (0..=games).map(|wins| {
                let row = Evidence::independent(f64::from(wins), f64::from(games));
                (binomial.pmf(u64::from(wins)), row)
            });
            let [low, high] = tails(each, expected);
            let mut chance = Chance(u64::from(games));
            let each = (0..times).map(|_| {
                let row = of_twelve(games, expected, &mut chance);
                (1.0 / times as f64, row)
            });
            let [low_of_twelve, high_of_twelve] = tails(each, expected);
            // The number of wins is whole: with few of them no test has tails of exactly this size.
            assert!(low < 0.04 && high < 0.04, "{games} {name} {low} {high}");
            if f64::from(games) * expected >= 10.0 {
                assert!(low > 0.015 && high > 0.015, "{games} {name} {low} {high}");
            }
            let name = format!("{games} games, expected {name}");
            rows.push((name, [low, high, low_of_twelve, high_of_twelve]));
        }
    }
    let rows: Vec<(&str, [f64; 4])> = rows
        .iter()
        .map(|(name, tails)| (name.as_str(), *tails))
        .collect();
    page::check(
        "| row | too low | too high | too low, 12 players | too high, 12 players |",
        &rows,
    );
}

/// Nations that have something by chance win no more than the others of their games.
#[test]
fn nations_differ_by_chance_from_the_others_of_their_games_as_often_as_the_test_says() {
    let mut chance = Chance(1);
    for (nations, part) in [(3, 0.3), (3, 0.6), (4, 0.8), (6, 0.2)] {
        let samples = 1_000;
        let mut differ = 0;
        for _ in 0..samples {
            let mut row = Evidence::default();
            let (mut others, mut other_wins) = (0.0, 0.0);
            for _ in 0..64 {
                let winner = chance.below(nations);
                let (mut own, mut wins) = (0.0, 0.0);
                for nation in 0..nations {
                    let share = if nation == winner { 1.0 } else { 0.0 };
                    if chance.part() < part {
                        (own, wins) = (own + 1.0, wins + share);
                    } else {
                        (others, other_wins) = (others + 1.0, other_wins + share);
                    }
                }
                row.games += if own > 0.0 { 1.0 } else { 0.0 };
                row.nation_games += own;
                row.wins += wins;
                row.by_game.nn += own * own;
                row.by_game.nw += own * wins;
                row.by_game.ww += wins * wins;
            }
            let expected = other_wins / others;
            let p = row.p_value_against(expected, Others::OfTheseGames(others));
            differ += usize::from(p < 0.05);
        }
        let differ = differ as f64 / samples as f64;
        assert!(
            (0.025..0.075).contains(&differ),
            "{nations} nations, {part}: {differ}"
        );
    }
}
