//! Bidding for places at the table: for the nations of a seat and for its turn order.
//!
//! When every seat of a game has a player, the players bid for the seats. Then each takes the seat that the bids give
//! it, and the game starts. The log has new players on seats, as after any other exchange; bids are not in it.

use engine::chance::Chance;
use engine::forms::ResultBody;
use engine::setup::Player;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::db::time::timestamp;
use crate::games::clocks::{ClockPause, time_after};
use crate::http::error::{ConflictKind, ServiceError};

/// The highest bid, in tenths of a point.
const HIGHEST: u16 = 99;

/// How players bid for seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BiddingKind {
    /// Each player bids in secret for all seats. The players take the seats so that the sum of their bids is the
    /// highest; equal sums are decided by the game's seed. A player pays what the player has bid for the seat.
    Sealed,
    /// One player after the other bids for one seat, more than the bid on it. Who is outbid bids again next. It ends when
    /// each player has the highest bid on a seat.
    Open,
}

/// How the seats of a new game are bid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"kind": "sealed", "hours": 24}))]
pub struct NewBidding {
    /// How players bid.
    pub kind: BiddingKind,
    /// The hours for the sealed bids from when every seat is taken, or for each open bid; 24 if omitted.
    /// Then a sealed bid that is missing is 0 for each seat, and an open one is 0 for the first seat without a bid.
    #[serde(default = "day")]
    #[schema(minimum = 1, maximum = 336)]
    pub hours: u16,
}

fn day() -> u16 {
    24
}

/// Bids of a seat's player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"bids": [{"seat": 0, "points": 1.5}, {"seat": 2, "points": 0.5}]}))]
pub struct NewBids {
    /// Sealed: what each seat is worth to the player, 0 for seats that are missing. Open: one bid.
    #[schema(max_items = 12)]
    pub bids: Vec<BidBody>,
}

/// What is bid for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BidBody {
    /// The number of the seat.
    pub seat: u8,
    /// The points, from 0 to 9.9, with one decimal.
    #[schema(minimum = 0, maximum = 9.9)]
    pub points: f64,
}

/// The highest bid on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HighestBid {
    /// The number of the seat that is bid for.
    pub seat: u8,
    /// The number of the seat on which the bidder sits during the bidding.
    pub bidder: u8,
    /// The points.
    pub points: f64,
}

/// What a player paid for its seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PriceBody {
    /// The number of the seat.
    pub seat: u8,
    /// The price in points.
    pub price: f64,
    /// The points of the result minus the price; null until the game has a result, and for a table of a league, where
    /// the price is taken off the points of the standings.
    pub score: Option<f64>,
    /// The sealed bids of the player for all seats, in order; empty if the bids were open.
    pub bids: Vec<f64>,
}

/// The bidding for the seats of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BiddingBody {
    /// How players bid.
    pub kind: BiddingKind,
    /// The hours for the bids.
    pub hours: u16,
    /// When missing bids count as 0; null unless bids are awaited, and while a pause has no end.
    pub ends_at: Option<Timestamp>,
    /// The seats whose players must bid now.
    pub missing: Vec<u8>,
    /// The highest open bids so far, in seat order.
    pub highest: Vec<HighestBid>,
    /// The price of each seat, in order; empty until the bidding is over.
    ///
    /// Prices do not change the result of the game, its record, ratings or statistics.
    pub prices: Vec<PriceBody>,
}

/// A seat after the bidding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenSeat {
    /// The number of the seat where its player sat during the bidding.
    pub from: u8,
    /// The price, in tenths of a point.
    pub price: u16,
}

/// The bidding for the seats of a game, as stored. Bids are in tenths of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bidding {
    kind: BiddingKind,
    hours: u16,
    /// When missing bids count as 0, in microseconds since 1970; `None` unless bids are awaited.
    pub(in crate::games) ends_at: Option<i64>,
    /// The sealed bids of each seat for all seats; `None` while missing. After the bidding, of the players there.
    sealed: Vec<Option<Vec<u16>>>,
    /// The bidder and the highest open bid on each seat.
    open: Vec<Option<(u8, u16)>>,
    /// The seats after the bidding.
    taken: Option<Vec<TakenSeat>>,
    /// The first and the last event with which the players took their seats after the bidding.
    seated: Option<(u64, u64)>,
}

/// The seats of people.
fn people(players: &[Player]) -> impl Iterator<Item = u8> {
    let seats = (0..).zip(players);
    seats.filter_map(|(seat, player)| matches!(player, Player::Person { .. }).then_some(seat))
}

fn points(tenths: u16) -> f64 {
    f64::from(tenths) / 10.0
}

fn tenths(field: String, points: f64) -> Result<u16, ServiceError> {
    let tenths = (points * 10.0).round();
    if !(0.0..=f64::from(HIGHEST)).contains(&tenths) || (tenths / 10.0 - points).abs() > 1e-9 {
        let message = "a bid is a number from 0 to 9.9 with at most one decimal";
        return Err(ServiceError::invalid(field, message));
    }
    Ok(tenths as u16)
}

impl Bidding {
    /// Returns the bidding of a new game.
    pub fn new(new: NewBidding, seats: usize) -> Bidding {
        Bidding {
            kind: new.kind,
            hours: new.hours,
            ends_at: None,
            sealed: vec![None; seats],
            open: vec![None; seats],
            taken: None,
            seated: None,
        }
    }

    /// Returns the same kind of bidding for another game.
    pub fn again(&self) -> NewBidding {
        NewBidding {
            kind: self.kind,
            hours: self.hours,
        }
    }

    /// Returns true until the players have their seats.
    pub fn is_pending(&self) -> bool {
        self.taken.is_none()
    }

    /// The seats after the bidding, in order; empty until then.
    pub fn taken(&self) -> &[TakenSeat] {
        self.taken.as_deref().unwrap_or_default()
    }

    /// Notes the first and the last event with which the players took their seats.
    pub fn seat(&mut self, first: u64, last: u64) {
        self.seated = Some((first, last));
    }

    /// Returns true if the players take their seats with an event of the game's log.
    pub fn seats_with(&self, seq: u64) -> bool {
        (self.seated).is_some_and(|(first, last)| (first..=last).contains(&seq))
    }

    /// Returns true if the players have their seats after an event of the game's log.
    pub fn has_seated(&self, seq: u64) -> bool {
        self.seated.is_some_and(|(_, last)| last <= seq)
    }

    /// Begins again, because a player came or left: with the time for bids if every seat has a player.
    /// Sealed bids of the others stay.
    pub fn restart(&mut self, changed: u8, players: &[Player], now: i64) {
        if let Some(bids) = self.sealed.get_mut(usize::from(changed)) {
            *bids = None;
        }
        self.open.fill(None);
        self.ends_at = None;
        if !players.contains(&Player::Open) {
            self.wait(now);
        }
    }

    fn wait(&mut self, now: i64) {
        self.ends_at = Some(now.saturating_add(self.time()));
    }

    /// The time for bids, in microseconds.
    fn time(&self) -> i64 {
        let time = SignedDuration::from_hours(self.hours.into());
        i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
    }

    /// Since when the present bids are awaited, in microseconds since 1970; `None` if none are.
    pub fn since(&self) -> Option<i64> {
        self.ends_at.map(|at| at.saturating_sub(self.time()))
    }

    /// When missing bids count as 0, in microseconds since 1970. Pauses of those who must bid add to the time.
    ///
    /// `None` if no bids are awaited, or while a pause has no end.
    pub fn due(&self, players: &[Player], pauses: &[ClockPause]) -> Option<i64> {
        let since = self.since()?;
        let mut ends = self
            .missing(players)
            .into_iter()
            .map(|seat| time_after(pauses, seat, since, self.time()));
        ends.try_fold(self.ends_at?, |last, end| Some(last.max(end?)))
    }

    /// The seats whose players must bid now. Bots never bid.
    pub fn missing(&self, players: &[Player]) -> Vec<u8> {
        if self.ends_at.is_none() || !self.is_pending() {
            return Vec::new();
        }
        match self.kind {
            BiddingKind::Sealed => {
                let has_bid = |seat: &u8| {
                    let bids = self.sealed.get(usize::from(*seat));
                    bids.is_some_and(Option::is_some)
                };
                people(players).filter(|seat| !has_bid(seat)).collect()
            }
            BiddingKind::Open => self.next_bidder(players).into_iter().collect(),
        }
    }

    /// The seat of the first person without a highest bid.
    fn next_bidder(&self, players: &[Player]) -> Option<u8> {
        let holds = |seat: &u8| self.open.iter().flatten().any(|(by, _)| by == seat);
        people(players).find(|seat| !holds(seat))
    }

    /// Takes the bids of a seat's player.
    ///
    /// # Errors
    /// 409 if no bid of this seat is awaited, 422 if a bid is invalid.
    pub fn bid(
        &mut self,
        seat: u8,
        new: &NewBids,
        players: &[Player],
        now: i64,
    ) -> Result<(), ServiceError> {
        let mut bids = vec![None; players.len()];
        for (index, bid) in new.bids.iter().enumerate() {
            let field = |name: &str| format!("bids[{index}].{name}");
            let place = bids.get_mut(usize::from(bid.seat)).ok_or_else(|| {
                ServiceError::invalid(field("seat"), format!("there is no seat {}", bid.seat))
            })?;
            if place.is_some() {
                let message = format!("seat {} is given twice: give it once", bid.seat);
                return Err(ServiceError::invalid(field("seat"), message));
            }
            *place = Some(tenths(field("points"), bid.points)?);
        }
        match self.kind {
            BiddingKind::Sealed => {
                let bids = bids.into_iter().map(Option::unwrap_or_default).collect();
                // Bids can be given and changed as soon as the player has a seat.
                if let Some(own) = self.sealed.get_mut(usize::from(seat)) {
                    *own = Some(bids);
                }
                Ok(())
            }
            BiddingKind::Open => {
                if self.ends_at.is_none() {
                    let message = "the bidding begins when every seat has a player";
                    return Err(ServiceError::conflict(ConflictKind::NotStarted, message));
                }
                if self.next_bidder(players) != Some(seat) {
                    let message = "another player must bid now, or has to be outbid first";
                    return Err(ServiceError::conflict(ConflictKind::NotYourBid, message));
                }
                let [bid] = &new.bids[..] else {
                    let message = "give one bid, for one seat";
                    return Err(ServiceError::invalid("bids", message));
                };
                let offered = tenths("bids[0].points".to_owned(), bid.points)?;
                let place = &mut self.open[usize::from(bid.seat)];
                if let Some((_, highest)) = place
                    && offered <= *highest
                {
                    let highest = points(*highest);
                    let message = format!("the bid on this seat is {highest}: bid more");
                    return Err(ServiceError::invalid("bids[0].points", message));
                }
                *place = Some((seat, offered));
                self.wait(now);
                Ok(())
            }
        }
    }

    /// Counts bids that are missing now as 0.
    pub fn miss(&mut self, players: &[Player], now: i64) {
        match self.kind {
            BiddingKind::Sealed => {
                for bids in &mut self.sealed {
                    bids.get_or_insert_with(|| vec![0; players.len()]);
                }
            }
            BiddingKind::Open => {
                if let Some(seat) = self.next_bidder(players)
                    && let Some(free) = self.open.iter_mut().find(|bid| bid.is_none())
                {
                    *free = Some((seat, 0));
                    self.wait(now);
                }
            }
        }
    }

    /// Ends the bidding if no bid is missing, and returns the seats after it.
    pub fn resolve(&mut self, players: &[Player], seed: &str) -> Option<&[TakenSeat]> {
        if self.ends_at.is_none() || !self.missing(players).is_empty() {
            return None;
        }
        let count = players.len();
        let taken = match self.kind {
            BiddingKind::Sealed => {
                let none = vec![0; count];
                let bids: Vec<Vec<u16>> = (self.sealed.iter())
                    .map(|bids| bids.clone().unwrap_or_else(|| none.clone()))
                    .collect();
                let takers = assign(&bids, &mut Chance::new(&format!("{seed} bids")));
                let moved = takers
                    .iter()
                    .map(|taker| self.sealed[usize::from(*taker)].take());
                self.sealed = moved.collect();
                let taken = takers
                    .into_iter()
                    .enumerate()
                    .map(|(seat, from)| TakenSeat {
                        from,
                        price: bids[usize::from(from)][seat],
                    });
                taken.collect()
            }
            BiddingKind::Open => {
                let held: Vec<u8> = self.open.iter().flatten().map(|(by, _)| *by).collect();
                // Bots take what is left, in seat order.
                let mut left = (0..count as u8).filter(|seat| !held.contains(seat));
                let mut taken = Vec::new();
                for bid in &self.open {
                    let (from, price) = match bid {
                        Some(bid) => *bid,
                        None => (left.next()?, 0),
                    };
                    taken.push(TakenSeat { from, price });
                }
                self.open.fill(None);
                taken
            }
        };
        self.ends_at = None;
        Some(self.taken.insert(taken))
    }

    /// Returns the bidding as it is sent to everyone who can see the game.
    /// Without a result, no price has a score.
    pub fn body(
        &self,
        players: &[Player],
        pauses: &[ClockPause],
        result: Option<&ResultBody>,
    ) -> BiddingBody {
        let highest = (0..).zip(&self.open).filter_map(|(seat, bid)| {
            let (bidder, tenths) = (*bid)?;
            Some(HighestBid {
                seat,
                bidder,
                points: points(tenths),
            })
        });
        let price = |(seat, taken): (u8, &TakenSeat)| PriceBody {
            seat,
            price: points(taken.price),
            score: result.and_then(|result| {
                let rank = result.ranks.iter().find(|rank| rank.seat == seat)?;
                Some((f64::from(rank.points) * 10.0 - f64::from(taken.price)).round() / 10.0)
            }),
            bids: (self.sealed.get(usize::from(seat)).cloned().flatten())
                .into_iter()
                .flatten()
                .map(points)
                .collect(),
        };
        BiddingBody {
            kind: self.kind,
            hours: self.hours,
            ends_at: self.due(players, pauses).map(timestamp),
            missing: self.missing(players),
            highest: highest.collect(),
            prices: (0..).zip(self.taken()).map(price).collect(),
        }
    }
}

/// Returns for each seat the player who takes it, so that the sum of the bids is the highest.
/// `bids` has for each player the bids for all seats. Among equal sums, `chance` decides.
fn assign(bids: &[Vec<u16>], chance: &mut Chance) -> Vec<u8> {
    let count = bids.len();
    // Of equal sums the first one found counts, so players and seats come in a drawn order.
    let mut players: Vec<u8> = (0..count as u8).collect();
    let mut seats = players.clone();
    chance.shuffle(&mut players);
    chance.shuffle(&mut seats);
    // The best sum, and the seat of the last player, for each set of seats of the first players.
    let mut best: Vec<Option<(u32, u8)>> = vec![None; 1 << count];
    best[0] = Some((0, 0));
    for taken in 0..best.len() {
        let Some((sum, _)) = best[taken] else {
            continue;
        };
        let Some(player) = players.get(taken.count_ones() as usize) else {
            continue;
        };
        for seat in seats.iter().filter(|seat| taken & (1 << **seat) == 0) {
            let sum = sum + u32::from(bids[usize::from(*player)][usize::from(*seat)]);
            let next = &mut best[taken | (1 << seat)];
            if next.is_none_or(|(other, _)| sum > other) {
                *next = Some((sum, *seat));
            }
        }
    }
    let mut takers = vec![0; count];
    let mut taken = best.len() - 1;
    for player in players.iter().rev() {
        let seat = best[taken].map_or(0, |(_, seat)| seat);
        takers[usize::from(seat)] = *player;
        taken &= !(1 << seat);
    }
    takers
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn guests(count: u8) -> Vec<Player> {
        let player = |number: u8| Player::Person {
            id: format!("guest:{number}"),
            name: None,
        };
        (0..count).map(player).collect()
    }

    fn bids(of: &[(u8, f64)]) -> NewBids {
        let bid = |(seat, points): &(u8, f64)| BidBody {
            seat: *seat,
            points: *points,
        };
        NewBids {
            bids: of.iter().map(bid).collect(),
        }
    }

    fn bidding(kind: BiddingKind, seats: &[Player]) -> Bidding {
        let mut bidding = Bidding::new(NewBidding { kind, hours: 1 }, seats.len());
        bidding.restart(0, seats, 0);
        bidding
    }

    #[test]
    fn sealed_bids_give_the_seats_with_the_highest_sum() {
        let seats = guests(3);
        let mut sealed = bidding(BiddingKind::Sealed, &seats);
        for (seat, of) in [
            (0, bids(&[(0, 2.0), (1, 1.5)])),
            (1, bids(&[(0, 1.8)])),
            (2, bids(&[(2, 0.1)])),
        ] {
            assert!(sealed.resolve(&seats, "seed").is_none());
            sealed.bid(seat, &of, &seats, 0).unwrap();
        }
        // 1.5 + 1.8 + 0.1 is more than 2.0 + 0 + 0.1.
        let taken = sealed.resolve(&seats, "seed").unwrap();
        let taken: Vec<_> = taken.iter().map(|seat| (seat.from, seat.price)).collect();
        assert_eq!(taken, [(1, 18), (0, 15), (2, 1)]);
        let prices = sealed.body(&seats, &[], None).prices;
        assert_eq!(
            prices.iter().map(|one| one.price).collect::<Vec<f64>>(),
            [1.8, 1.5, 0.1]
        );
    }

    #[test]
    fn an_outbid_player_bids_again() {
        let seats = guests(2);
        let mut open = bidding(BiddingKind::Open, &seats);
        open.bid(0, &bids(&[(1, 0.0)]), &seats, 0).unwrap();
        assert!(open.bid(0, &bids(&[(0, 0.0)]), &seats, 0).is_err());
        assert!(open.bid(1, &bids(&[(1, 0.0)]), &seats, 0).is_err());
        open.bid(1, &bids(&[(1, 0.5)]), &seats, 0).unwrap();
        assert_eq!(open.missing(&seats), [0]);
        // Who does not bid in time takes the first seat without a bid.
        open.miss(&seats, 0);
        let taken = open.resolve(&seats, "seed").unwrap();
        let taken: Vec<_> = taken.iter().map(|seat| (seat.from, seat.price)).collect();
        assert_eq!(taken, [(0, 0), (1, 5)]);
    }

    #[test]
    fn pauses_of_those_who_must_bid_add_to_the_time() {
        const HOUR: i64 = 3_600_000_000;
        let seats = guests(2);
        let mut sealed = bidding(BiddingKind::Sealed, &seats);
        let pause = |seat, from: i64, until: Option<i64>| ClockPause { seat, from, until };
        let holiday = [pause(Some(1), HOUR / 2, Some(3 * HOUR))];
        assert_eq!(sealed.due(&seats, &[]), Some(HOUR));
        assert_eq!(sealed.due(&seats, &holiday), Some(3 * HOUR + HOUR / 2));
        let pauses = [pause(None, HOUR / 2, None)];
        assert_eq!(sealed.due(&seats, &pauses), None);
        // The player with the holiday has bid.
        sealed.bid(1, &bids(&[]), &seats, 0).unwrap();
        assert_eq!(sealed.due(&seats, &holiday), Some(HOUR));
    }

    proptest! {
        #[test]
        fn no_exchange_of_two_seats_has_a_higher_sum(
            table in proptest::collection::vec(proptest::collection::vec(0_u16..100, 6), 6), seed in 0_u32..1000
        ) {
            let takers = assign(&table, &mut Chance::new(&seed.to_string()));
            let bid = |seat: usize, taker: u8| u32::from(table[usize::from(taker)][seat]);
            let mut sorted = takers.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..6).collect::<Vec<u8>>());
            for one in 0..6 {
                for other in 0..one {
                    let kept = bid(one, takers[one]) + bid(other, takers[other]);
                    prop_assert!(kept >= bid(one, takers[other]) + bid(other, takers[one]));
                }
            }
        }

        #[test]
        fn among_equal_bids_a_lot_decides(seed in 0_u32..1000) {
            let table = vec![vec![5; 4]; 4];
            let lot = |seed: u32| assign(&table, &mut Chance::new(&seed.to_string()));
            prop_assert_eq!(lot(seed), lot(seed));
            prop_assert!((0..20).any(|more| lot(seed + more) != lot(seed)));
        }
    }
}
