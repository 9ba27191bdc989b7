//! Rates the games of facts, in the order of the log.
//!
//! The steps are those of the server's ratings. Results over the board have no record, so they do not count here.

use std::collections::HashMap;
use std::sync::Arc;

use polars::prelude::*;

use super::derive::GameFacts;
use super::rows::RatingRow;
use crate::ratings::algorithm::{NEW, Skill, millionths, number, step};
use crate::ratings::{KINDS, PLACES};

/// How many rated games in the edition a player needs before the rating is in `seats`.
const ESTABLISHED: u32 = 10;

/// The position of a player's last rated game, the rating after it, and the number of games.
type RatedPlayer = (i64, Skill, u32);

/// The ratings of players in each edition after the games so far.
///
/// The default knows no games.
#[derive(Clone, Debug, Default)]
pub struct Rater {
    /// By edition and player.
    known: HashMap<(Arc<str>, Arc<str>), RatedPlayer>,
}

impl Rater {
    /// Rates games in this order, which must be that of the log: fills in the ratings in their rows.
    pub fn rate(&mut self, games: &mut [GameFacts]) {
        for game in games {
            let edition = &game.game.edition;
            // Accounts and bots are compared separately.
            for kind in KINDS.map(|kind| kind.name()) {
                let is_own = |row: &&mut RatingRow| row.player_kind == kind;
                let mut rows: Vec<&mut RatingRow> =
                    game.ratings.iter_mut().filter(is_own).collect();
                let before: Vec<(Skill, u32)> = (rows.iter())
                    .map(|row| {
                        let known = self.known.get(&(edition.clone(), row.player.clone()));
                        let place = (row.rank * f64::from(PLACES)).round() as u32;
                        (known.map_or(NEW, |(_, skill, _)| *skill), place)
                    })
                    .collect();
                let after = step(&before);
                for (row, ((before, _), after)) in rows.iter_mut().zip(before.iter().zip(after)) {
                    let key = (edition.clone(), row.player.clone());
                    let (last, known, games) = self.known.entry(key).or_insert((0, NEW, 0));
                    row.rated_games = *games;
                    (row.rating, row.uncertainty) =
                        (number(before.rating), number(before.uncertainty));
                    (row.rating_after, row.uncertainty_after) =
                        (number(after.rating), number(after.uncertainty));
                    (*last, *known, *games) = (row.log_position, after, *games + 1);
                }
            }
            fill_seats(game);
        }
    }

    /// Notes rows of `ratings`, in any order.
    ///
    /// # Errors
    /// If a column is missing.
    pub(crate) fn note(&mut self, rows: &DataFrame) -> PolarsResult<()> {
        let text =
            |name: &str| -> PolarsResult<StringChunked> { Ok(rows.column(name)?.str()?.clone()) };
        let value =
            |name: &str| -> PolarsResult<Float64Chunked> { Ok(rows.column(name)?.f64()?.clone()) };
        let (editions, players) = (text("edition")?, text("player")?);
        let positions = rows.column("log_position")?.i64()?;
        let games = rows.column("rated_games")?.u32()?;
        let (ratings, uncertainties) = (value("rating_after")?, value("uncertainty_after")?);
        for row in 0..rows.height() {
            let number = |column: &Float64Chunked| millionths(column.get(row).unwrap_or_default());
            let after = Skill {
                rating: number(&ratings),
                uncertainty: number(&uncertainties),
            };
            let (Some(edition), Some(player)) = (editions.get(row), players.get(row)) else {
                continue;
            };
            let position = positions.get(row).unwrap_or_default();
            let games = games.get(row).unwrap_or_default() + 1;
            let known = self.known.entry((edition.into(), player.into()));
            let known = known.or_insert((position, after, games));
            if position >= known.0 {
                *known = (position, after, games);
            }
        }
        Ok(())
    }
}

/// Copies the ratings before a game to the rows of its seats.
fn fill_seats(game: &mut GameFacts) {
    let rating = |row: &RatingRow| (row.rated_games >= ESTABLISHED).then_some(row.rating);
    let all: Option<Vec<f64>> = game.ratings.iter().map(rating).collect();
    let lowest = all.and_then(|all| all.into_iter().reduce(f64::min));
    for seat in &mut game.seats {
        let own = game.ratings.iter().find(|row| row.player == seat.player);
        (seat.rating, seat.table_rating) = (own.and_then(rating), lowest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::FactRow;
    use crate::facts::column::RowKeys;
    use crate::facts::rows::{GameRow, SeatRow};

    fn game(position: i64, places: &[(&str, f64)]) -> GameFacts {
        let keys = RowKeys {
            edition: "antike".into(),
            month: "2026-11".into(),
            game: position.to_string().into(),
        };
        let row = |(player, rank): &(&str, f64)| RatingRow {
            log_position: position,
            player: (*player).into(),
            player_kind: "account",
            rank: *rank,
            ..RatingRow::for_game(&keys)
        };
        let seat = |(player, _): &(&str, f64)| SeatRow {
            player: (*player).into(),
            ..SeatRow::for_game(&keys)
        };
        GameFacts {
            game: GameRow::for_game(&keys),
            seats: places.iter().map(seat).collect(),
            ratings: places.iter().map(row).collect(),
            ..GameFacts::default()
        }
    }

    #[test]
    fn seats_have_ratings_after_ten_games_and_a_lowest_one_if_all_players_have() {
        let two = [("dido", 1.0), ("hanno", 2.0)];
        let mut games: Vec<GameFacts> = (1..=11).map(|position| game(position, &two)).collect();
        games.push(game(12, &[("dido", 1.0), ("hanno", 2.0), ("mago", 3.0)]));
        let mut unrated = game(13, &two);
        unrated.ratings.clear();
        games.push(unrated);
        Rater::default().rate(&mut games);
        let seats = |index: usize| -> Vec<(Option<f64>, Option<f64>)> {
            let seats = games[index].seats.iter();
            seats.map(|row| (row.rating, row.table_rating)).collect()
        };
        let before = |index: usize, player: usize| Some(games[index].ratings[player].rating);
        assert_eq!(seats(9), [(None, None), (None, None)]);
        let lowest = before(10, 1);
        assert!(lowest < before(10, 0));
        assert_eq!(seats(10), [(before(10, 0), lowest), (lowest, lowest)]);
        let with_mago = [(before(11, 0), None), (before(11, 1), None), (None, None)];
        assert_eq!(seats(11), with_mago, "it is Mago's first game");
        assert_eq!(seats(12), [(None, None), (None, None)]);
    }

    #[test]
    fn ratings_continue_from_stored_rows_in_any_order() {
        let mut games = [
            game(1, &[("dido", 1.0), ("hanno", 2.0)]),
            game(2, &[("hanno", 1.0), ("dido", 2.0)]),
            game(3, &[("dido", 1.0), ("hanno", 2.0), ("mago", 3.0)]),
        ];
        let mut rater = Rater::default();
        rater.rate(&mut games);
        let first = &games[0].ratings[0];
        assert_eq!((first.rating, first.rated_games), (25.0, 0));
        assert!(first.rating_after > 28.0, "{first:?}");
        let third = &games[2].ratings;
        assert_eq!(third[0].rating, games[1].ratings[1].rating_after);
        assert_eq!((third[0].rated_games, third[2].rated_games), (2, 0));

        let mut again = Rater::default();
        for game in games[..2].iter().rev() {
            again
                .note(&RatingRow::frame(&game.ratings).unwrap())
                .unwrap();
        }
        let mut last = [game(3, &[("dido", 1.0), ("hanno", 2.0), ("mago", 3.0)])];
        again.rate(&mut last);
        assert_eq!(last[0].ratings, games[2].ratings);
    }
}
