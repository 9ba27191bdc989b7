//! How often the interval of the average loss of a turn contains the true mean.

use analytics::statistics::interval::{Evidence, SkillVariance, Squares};

use super::{Chance, Sum, page, squares};

/// The average loss of a turn: two of three lose nothing, the others an exponentially distributed amount.
const MEAN: f64 = 0.04 / 3.0;

/// The analysed games of one kind.
struct Corpus {
    name: &'static str,
    games: usize,
    /// The standard deviation of the logarithm of a game's factor on losses.
    of_games: f64,
    /// The number of persons; 0 for bots.
    persons: usize,
    /// The standard deviation of the logarithm of a person's factor.
    of_persons: f64,
}

const CORPORA: [Corpus; 4] = [
    Corpus {
        name: "12 games of a bot",
        games: 12,
        of_games: 0.3,
        persons: 0,
        of_persons: 0.0,
    },
    Corpus {
        name: "40 games of a bot",
        games: 40,
        of_games: 0.3,
        persons: 0,
        of_persons: 0.0,
    },
    Corpus {
        name: "40 games of a bot that differ much",
        games: 40,
        of_games: 0.6,
        persons: 0,
        of_persons: 0.0,
    },
    Corpus {
        name: "200 games of 40 persons, skill spread 0.3",
        games: 200,
        of_games: 0.3,
        persons: 40,
        of_persons: 0.3,
    },
];

/// A positive number with mean 1.
fn factor(spread: f64, chance: &mut Chance) -> f64 {
    (spread * chance.normal() - spread * spread / 2.0).exp()
}

/// Returns a seat of each game, with 20 to 59 turns.
fn row(corpus: &Corpus, chance: &mut Chance) -> Evidence {
    let skills: Vec<f64> = (0..corpus.persons)
        .map(|_| factor(corpus.of_persons, chance))
        .collect();
    let mut persons = vec![Sum::default(); corpus.persons];
    let mut games = Vec::new();
    for _ in 0..corpus.games {
        let person = (corpus.persons > 0).then(|| chance.below(corpus.persons));
        let skill = person.map_or(1.0, |person| skills[person]);
        let factor = skill * factor(corpus.of_games, chance);
        let mut own = Sum::default();
        for _ in 0..20 + chance.below(40) {
            own.nations += 1.0;
            if chance.below(3) == 0 {
                let lost = -3.0 * MEAN * (1.0 - chance.part()).ln();
                own.wins += (factor * lost).min(1.0);
            }
        }
        if let Some(person) = person {
            persons[person].nations += own.nations;
            persons[person].wins += own.wins;
        }
        games.push(own);
    }
    let of_games = squares(games.iter().copied());
    let by_seat = match persons.is_empty() {
        true => Squares::default(),
        false => of_games,
    };
    let of_persons = persons.iter().map(|own| own.nations).sum();
    let evidence = Evidence {
        games: corpus.games as f64,
        nation_games: games.iter().map(|own| own.nations).sum(),
        wins: games.iter().map(|own| own.wins).sum(),
        by_game: of_games,
        skill: SkillVariance::default(),
    };
    let by_person = squares(persons.iter().copied());
    Evidence {
        skill: SkillVariance::for_sample(of_persons, by_person, by_seat, evidence.rate()),
        ..evidence
    }
}

#[test]
fn intervals_hold_the_true_loss() {
    let times = page::times(500, 20_000);
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for corpus in &CORPORA {
        let mut chance = Chance(corpus.name.len() as u64);
        let held = (0..times).filter(|_| {
            let (low, high) = row(corpus, &mut chance).interval();
            low <= MEAN && MEAN <= high
        });
        let held = held.count() as f64 / times as f64;
        rows.push((corpus.name, [held]));
        if !(0.92..=0.98).contains(&held) {
            wrong.push((corpus.name, held));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    page::check("| a seat a game, 20 to 59 turns | held |", &rows);
}
