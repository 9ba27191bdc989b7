//! The Plackett-Luce model, fitted to rankings: a benchmark for the ratings.
//!
//! A ranking is drawn from the top: the player in each place is chosen from all players not yet placed, with a
//! probability proportional to the player's strength. Players who share a place are each chosen from the same set.

use crate::ratings::ranked_game::RankedGame;

/// The maximum number of steps of a fit.
const STEPS: usize = 1_000;

/// A fit ends when no strength changes by more than this fraction.
const PRECISION: f64 = 1e-5;

/// Finds the strengths that make the rankings most likely, starting from the given strengths.
///
/// A prior keeps them finite: a player without games has strength 1. Each step divides the number of times that a
/// player was chosen by the expected number for the current strengths (D. R. Hunter, "MM algorithms for generalized
/// Bradley-Terry models", Annals of Statistics 32, 2004).
pub fn fit(games: &[RankedGame], strengths: &mut [f64]) {
    let mut chosen = vec![1.0; strengths.len()];
    let mut ordered = games.to_vec();
    for game in &mut ordered {
        game.sort_by_key(|(_, place)| *place);
        let choices = match &game[..] {
            [.., (_, place), (_, last)] if place == last => game.len(),
            _ => game.len().saturating_sub(1),
        };
        for (player, _) in &game[..choices] {
            chosen[*player] += 1.0;
        }
    }
    for _ in 0..STEPS {
        let mut chances = vec![1.0; strengths.len()];
        for game in &ordered {
            add_chances(game, strengths, &mut chances);
        }
        // The mean strength at the maximum is 1; scaling each step to it saves many steps.
        let next: Vec<f64> = (chosen.iter().zip(&chances))
            .map(|(chosen, chances)| chosen / chances)
            .collect();
        let mean = next.iter().sum::<f64>() / next.len() as f64;
        let mut change = 0.0_f64;
        for (strength, next) in strengths.iter_mut().zip(next) {
            let next = next / mean;
            change = change.max((next / *strength - 1.0).abs());
            *strength = next;
        }
        if change < PRECISION {
            return;
        }
    }
}

/// Adds the contribution of a game, ordered by places, to each player's expected choices.
///
/// The contribution is for a strength of 1.
fn add_chances(game: &RankedGame, strengths: &[f64], chances: &mut [f64]) {
    let mut left = &game[..];
    let mut chance = 0.0;
    while let Some((_, place)) = left.first() {
        let tied = left.iter().take_while(|(_, other)| other == place).count();
        if left.len() > 1 {
            let sum: f64 = left.iter().map(|(player, _)| strengths[*player]).sum();
            chance += tied as f64 / sum;
        }
        for (player, _) in &left[..tied] {
            chances[*player] += chance;
        }
        left = &left[tied..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(games: &[RankedGame], players: usize) -> Vec<f64> {
        let mut strengths = vec![1.0; players];
        fit(games, &mut strengths);
        strengths
    }

    /// Computed by hand, with n wins of one player and none of the other.
    /// The equations are 1 + n = a + n a / (a + b) and 1 = b + n b / (a + b).
    #[test]
    fn the_strengths_of_two_players_follow_from_their_wins() {
        let wins = vec![vec![(0, 1), (1, 2)]; 3];
        let [a, b] = fitted(&wins, 2)[..] else {
            panic!("two players");
        };
        assert!((a + b - 2.0).abs() < 1e-4, "{a} {b}");
        assert!((a - 4.0 / 2.5).abs() < 1e-3, "{a}");
    }

    #[test]
    fn players_who_tie_or_do_not_play_have_strength_1() {
        let ties = vec![vec![(0, 2), (1, 2), (2, 2)]; 5];
        assert_eq!(fitted(&ties, 4), [1.0; 4]);
        assert_eq!(fitted(&[], 2), [1.0; 2]);
    }

    #[test]
    fn a_better_place_means_a_higher_strength() {
        let games = vec![vec![(2, 3), (0, 1), (1, 1), (3, 4)]; 4];
        let strengths = fitted(&games, 4);
        assert!((strengths[0] - strengths[1]).abs() < 1e-9, "{strengths:?}");
        assert!(
            strengths[1] > strengths[2] && strengths[2] > strengths[3],
            "{strengths:?}"
        );
    }
}
