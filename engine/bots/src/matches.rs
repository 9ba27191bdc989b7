//! Matches between bots in which each side has every seat equally often.

use std::ops::Range;

use engine::chance::Chance;
use engine::content::Library;
use engine::setup::{Player, Setup, SetupSeat};
use records::Record;

use crate::{PlayError, Spec, play_with};

/// Shares of wins are counted in this many parts, which makes them whole with up to six seats.
const PARTS: u64 = 60;

/// One side of a match.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The bot that plays its seats.
    pub bot: Spec,
    /// How many seats of each game it has.
    pub seats: usize,
}

/// A match between bots, played in rounds.
///
/// Round N is played with the seed `SEED-N`, which draws nations, seats and decks, and also an order of the sides. Then
/// every rotation of that order is played with the same seed. So in every round each side has each seat, with the same
/// nation and deck, as often as any other side in proportion to its seats. Rounds are independent of each other; the
/// games of one round are not.
#[derive(Clone, Debug)]
pub struct Match {
    /// Edition, board, variants, the last round and the seed of the match.
    /// Seats that name nations keep them; their players are replaced.
    pub setup: Setup,
    /// The sides, at least one.
    pub sides: Vec<Side>,
}

/// One game of a match.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// Its round in the match.
    pub round: u64,
    /// Its setup; the seats name the bots.
    pub setup: Setup,
    /// The side on each seat, as an index into [`Match::sides`].
    pub sides: Vec<usize>,
    bots: Vec<Spec>,
}

impl Match {
    /// Returns the games of some rounds, in order. Each can be played independently.
    pub fn fixtures(&self, rounds: Range<u64>) -> impl Iterator<Item = Fixture> + '_ {
        rounds.flat_map(|round| self.round(round))
    }

    /// Returns the games of one round: one for each different rotation of its order of the sides.
    pub fn round(&self, round: u64) -> Vec<Fixture> {
        let sides = self.sides.iter().enumerate();
        let mut order: Vec<usize> = sides
            .flat_map(|(index, side)| std::iter::repeat_n(index, side.seats))
            .collect();
        let seed = format!("{}-{round}", self.setup.seed);
        Chance::new(&format!("{seed} order")).shuffle(&mut order);
        let turned = |by: usize| {
            let mut turned = order.clone();
            turned.rotate_left(by);
            turned
        };
        let different = (1..order.len())
            .find(|by| turned(*by) == order)
            .unwrap_or(order.len());
        let fixture = |by| self.fixture(round, &seed, turned(by));
        (0..different).map(fixture).collect()
    }

    fn fixture(&self, round: u64, seed: &str, sides: Vec<usize>) -> Fixture {
        let bots: Vec<Spec> = sides.iter().map(|side| self.sides[*side].bot).collect();
        let mut setup = self.setup.clone();
        setup.seed = seed.to_owned();
        setup.seats.resize_with(bots.len(), || SetupSeat {
            nations: Vec::new(),
            player: Player::Open,
        });
        for (seat, bot) in setup.seats.iter_mut().zip(&bots) {
            seat.player = Player::Bot {
                name: bot.to_string(),
            };
        }
        Fixture {
            round,
            setup,
            sides,
            bots,
        }
    }
}

impl Fixture {
    /// Plays the game.
    ///
    /// # Errors
    /// Those of [`play_with`].
    pub fn play(&self, library: &Library, id: &str, played_at: &str) -> Result<Record, PlayError> {
        play_with(library, &self.setup, &self.bots, id, played_at)
    }
}

/// The result of one side, as sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Seats played: a side with three seats has three in each game.
    pub seats: u64,
    /// Parts of wins.
    parts: u64,
}

impl Score {
    /// The sum of its shares of wins: 1/k for each of k seats that won together.
    pub fn shares(&self) -> f64 {
        self.parts as f64 / PARTS as f64
    }
}

/// The scores of the sides of a match.
///
/// Games can be added, and such sums merged, in any order: the result is the same to the last digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// Games played.
    pub games: u64,
    /// By index in [`Match::sides`].
    pub sides: Vec<Score>,
}

impl Scores {
    /// Returns empty scores for this many sides.
    pub fn new(sides: usize) -> Scores {
        Scores {
            games: 0,
            sides: vec![Score::default(); sides],
        }
    }

    /// Adds a played game.
    pub fn add(&mut self, fixture: &Fixture, record: &Record) {
        self.games += 1;
        for side in &fixture.sides {
            self.sides[*side].seats += 1;
        }
        let ranks = record.result.iter().flat_map(|result| &result.ranks);
        let winners: Vec<u8> = ranks
            .filter(|body| body.rank == 1)
            .map(|body| body.seat)
            .collect();
        for seat in &winners {
            let side = fixture.sides[usize::from(*seat)];
            self.sides[side].parts += PARTS / winners.len() as u64;
        }
    }

    /// Adds other scores.
    pub fn merge(&mut self, other: &Scores) {
        self.games += other.games;
        for (side, more) in self.sides.iter_mut().zip(&other.sides) {
            side.seats += more.seats;
            side.parts += more.parts;
        }
    }
}
