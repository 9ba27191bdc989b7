//! Points for results, in whole parts so that equal results compare equal.

use crate::leagues::event::{Scoring, SeatCredit};

/// The parts of a seat's point: divisible by the numbers of seats that can share places, and by 10 for prices.
pub const SEAT_PARTS: i64 = 60;
/// The parts of the credit for a seat: divisible by the numbers of members who can play it.
pub const CREDIT_PARTS: i64 = 12;

/// Returns the points of each seat in parts of [`SEAT_PARTS`].
///
/// Equal seats share the points of their places; only the order of the ranks matters.
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

/// Takes the price of each seat, in tenths of a point, off its points.
pub fn pay(points: &mut [i64], prices: &[u16]) {
    for (points, price) in points.iter_mut().zip(prices) {
        *points -= i64::from(*price) * SEAT_PARTS / 10;
    }
}

/// Returns the credit of each member who played a seat, in parts of [`CREDIT_PARTS`].
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
        // Other servers may number ranks without gaps.
        assert_eq!(points(&scoring, &[1, 1, 2]), [240, 240, 120]);
    }

    #[test]
    fn the_credits_of_a_seat_add_up_to_one() {
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
        fn the_sum_of_points_is_constant(ranks in proptest::collection::vec(1_u8..7, 2..7),
            places in proptest::collection::vec(0_u16..20, 6)) {
            let whole: i64 = places[..ranks.len()].iter().map(|points| i64::from(*points)).sum();
            let given: i64 = points(&Scoring::RankPoints(places), &ranks).iter().sum();
            prop_assert_eq!(given, whole * SEAT_PARTS);
            let shares: i64 = points(&Scoring::Shares, &ranks).iter().sum();
            prop_assert_eq!(shares, SEAT_PARTS);
        }
    }
}
