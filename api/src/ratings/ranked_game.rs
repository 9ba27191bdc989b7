//! Games of numbered players, for forecasts and simulations.

use analytics::ratings::algorithm::score;

/// The players of a game by number, each with the place; a lower place is better.
pub type RankedGame = Vec<(usize, u32)>;

/// Iterates over the pairs of players of a game, each with the score of the first.
pub fn pairs(game: &RankedGame) -> impl Iterator<Item = (usize, usize, f64)> {
    game.iter()
        .enumerate()
        .flat_map(move |(seat, (one, place))| {
            (game[seat + 1..].iter())
                .map(move |(other, other_place)| (*one, *other, score(*place, *other_place)))
        })
}

/// Rates a game: changes the ratings of its players.
pub fn rate<S: Copy>(
    game: &RankedGame,
    ratings: &mut [S],
    step: impl FnOnce(&[(S, u32)]) -> Vec<S>,
) {
    let before: Vec<(S, u32)> = (game.iter())
        .map(|(player, place)| (ratings[*player], *place))
        .collect();
    for ((player, _), after) in game.iter().zip(step(&before)) {
        ratings[*player] = after;
    }
}
