//! What a result is worth, in whole parts, so that equal is equal.

use crate::leagues::event::{Scoring, SeatCredit};

/// How many parts a point of a seat has: whole for up to six seats that share places.
pub const SEAT_PARTS: i64 = 60;
/// How many parts the credit for a seat has: whole for up to four who played it.
pub const CREDIT_PARTS: i64 = 12;

/// The points of each seat in parts of [`SEAT_PARTS`], by the ranks of the seats. Equal ones share what their places
/// are worth; only the order of the ranks counts.
pub fn points(scoring: &Scoring, ranks: &[u8]) -> Vec<i64> {
    let worth = |place: usize| match scoring {
        Scoring::RankPoints(points) => points.get(place).copied().map_or(0, i64::from),
        Scoring::Shares => i64::from(place == 0),
    };
    let each = |rank: &u8| {
        let better = ranks.iter().filter(|other| *other < rank).count();
        let equal = ranks.iter().filter(|other| *other == rank).count();
        let together: i64 = (better..better + equal).map(worth).sum();
        together * SEAT_PARTS / equal as i64
    };
    ranks.iter().map(each).collect()
}

/// To what parts of [`CREDIT_PARTS`] a seat counts to each of those who played it one after the other.
pub fn credits(replacement: SeatCredit, players: usize) -> Vec<i64> {
    let credit = |index: usize| match replacement {
        SeatCredit::Split => CREDIT_PARTS / players as i64,
        SeatCredit::First if index == 0 => CREDIT_PARTS,
        SeatCredit::Last if index + 1 == players => CREDIT_PARTS,
        SeatCredit::First | SeatCredit::Last => 0,
    };
    (0..players).map(credit).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_seats_share_what_their_places_are_worth() {
        let scoring = Scoring::RankPoints(vec![5, 3, 2]);
        assert_eq!(points(&scoring, &[1, 2, 3, 4]), [300, 180, 120, 0]);
        assert_eq!(points(&scoring, &[1, 1, 3, 3]), [240, 240, 60, 60]);
        assert_eq!(points(&scoring, &[2, 1, 2, 2]), [100, 300, 100, 100]);
        assert_eq!(points(&Scoring::Shares, &[1, 2, 1, 1]), [20, 0, 20, 20]);
        // As another office might count ranks.
        assert_eq!(points(&scoring, &[1, 1, 2]), [240, 240, 120]);
    }

    #[test]
    fn a_seat_counts_once_whoever_played_it() {
        for rule in [SeatCredit::Split, SeatCredit::First, SeatCredit::Last] {
            for players in 1..=4 {
                let credits = credits(rule, players);
                assert_eq!(
                    credits.iter().sum::<i64>(),
                    CREDIT_PARTS,
                    "{rule:?} {players}"
                );
            }
        }
        assert_eq!(credits(SeatCredit::Split, 2), [6, 6]);
        assert_eq!(credits(SeatCredit::First, 2), [12, 0]);
        assert_eq!(credits(SeatCredit::Last, 2), [0, 12]);
    }

    proptest! {
        #[test]
        fn no_point_is_lost_or_made(ranks in proptest::collection::vec(1_u8..7, 2..7),
            places in proptest::collection::vec(0_u16..20, 6)) {
            let whole: i64 = places[..ranks.len()].iter().map(|points| i64::from(*points)).sum();
            let given: i64 = points(&Scoring::RankPoints(places), &ranks).iter().sum();
            prop_assert_eq!(given, whole * SEAT_PARTS);
            let shares: i64 = points(&Scoring::Shares, &ranks).iter().sum();
            prop_assert_eq!(shares, SEAT_PARTS);
        }
    }
}
