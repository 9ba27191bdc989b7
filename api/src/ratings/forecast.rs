//! How good ratings are: how well they foretell games that they do not know yet, beside Elo's and a coin.

use std::collections::HashMap;

use skillratings::elo::{EloRating, expected_score};

use crate::games::counts::RankedPlayer;
use crate::ratings::algorithm::{NEW, chance, step};
use crate::ratings::queries::Skill;

/// Elo's K: how many points a surprise is worth at the most.
const K: f64 = 32.0;

/// What forecasts have cost. The loss of a pair is -ln of the probability that was given to what happened, of a tie
/// half of each; the lower, the better.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// How many pairs of players were foretold.
    pub pairs: u64,
    /// The sum by ratings as they are shown here.
    pub ratings: f64,
    /// The sum by Elo's ratings, each player against each other one with K = 32 shared among them.
    pub elo: f64,
    /// The sum by a coin.
    pub coin: f64,
}

impl Loss {
    /// The means for a pair: of ratings, Elo's and a coin.
    pub fn means(&self) -> [f64; 3] {
        [self.ratings, self.elo, self.coin].map(|sum| sum / self.pairs.max(1) as f64)
    }
}

/// Ratings that see games once, in order, each foretold before it is taken in.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    skills: HashMap<String, Skill>,
    elo: HashMap<String, EloRating>,
}

/// The score of who has the first of two places.
fn score(one: u32, other: u32) -> f64 {
    match one.cmp(&other) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    }
}

fn loss(score: f64, chance: f64) -> f64 {
    // No forecast is certain, whatever a number can hold.
    let chance = chance.clamp(1e-12, 1.0 - 1e-12);
    -(score * chance.ln() + (1.0 - score) * (1.0 - chance).ln())
}

impl Forecast {
    /// Takes in a game and tells what foretelling it has cost.
    pub fn take(&mut self, players: &[RankedPlayer]) -> Loss {
        let start = EloRating::new();
        // What is known of each, and the place.
        let known: Vec<(Skill, EloRating, u32)> = (players.iter())
            .map(|RankedPlayer { player, place, .. }| {
                let skill = self.skills.get(player).copied();
                let elo = self.elo.get(player).copied();
                (skill.unwrap_or(NEW), elo.unwrap_or(start), *place)
            })
            .collect();
        let mut cost = Loss::default();
        let mut gained = vec![0.0; players.len()];
        for (one, (skill, elo, place)) in known.iter().enumerate() {
            for (other, (other_skill, other_elo, other_place)) in
                known.iter().enumerate().skip(one + 1)
            {
                let score = score(*place, *other_place);
                let by_elo = expected_score(elo, other_elo).0;
                cost.pairs += 1;
                cost.ratings += loss(score, chance(*skill, *other_skill));
                cost.elo += loss(score, by_elo);
                cost.coin += loss(score, 0.5);
                gained[one] += score - by_elo;
                gained[other] -= score - by_elo;
            }
        }
        let share = K / (players.len().max(2) - 1) as f64;
        let placed: Vec<(Skill, u32)> = (known.iter())
            .map(|(skill, _, place)| (*skill, *place))
            .collect();
        let after = step(&placed);
        for (((player, (_, elo, _)), gained), after) in
            players.iter().zip(known).zip(gained).zip(after)
        {
            let rating = share.mul_add(gained, elo.rating);
            self.elo.insert(player.player.clone(), EloRating { rating });
            self.skills.insert(player.player.clone(), after);
        }
        cost
    }
}

#[cfg(test)]
mod tests {
    use engine::setup::PlayerKind;

    use super::*;

    #[test]
    fn a_first_game_is_a_coin_and_habits_are_learned() {
        let mut forecast = Forecast::default();
        let game: Vec<RankedPlayer> = [("a", 60), ("b", 120), ("c", 120)]
            .map(|(name, place)| RankedPlayer {
                player: name.to_owned(),
                kind: PlayerKind::Bot,
                place,
            })
            .into();
        let first = forecast.take(&game);
        assert_eq!(first.pairs, 3);
        for mean in first.means() {
            assert!((mean - 2.0_f64.ln()).abs() < 1e-12, "{first:?}");
        }
        for _ in 0..20 {
            forecast.take(&game);
        }
        let later = forecast.take(&game);
        assert!(later.ratings < first.ratings && later.elo < first.elo);
        assert_eq!(later.coin, first.coin);
    }
}
