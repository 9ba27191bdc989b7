//! Leagues: what their events come to, without a word of HTTP or SQL.
//!
//! | file | what lives there |
//! | --- | --- |
//! | `event.rs` | what can happen in a league |
//! | `fold.rs` | what a log comes to, and which event may come next |
//! | `pairing.rs` | who sits where in coming rounds |
//! | `scoring.rs` | what a result is worth |
//! | `standings.rs` | standings of a season, and who came out ahead of whom |

mod event;
mod fold;
mod pairing;
mod scoring;
mod standings;

pub use event::{Joining, LeagueEvent, Rules, Scoring, SeatCredit, Seating, SeatingSeat, TieBreak};
pub use fold::{
    Ended, League, Member, Refused, Season, TableState, Tabled, TabledSeat, check_note,
};
pub use pairing::{PairingFigures, PastTable, Place, Request as PairingRequest, Rounds, pair};
pub use standings::{
    Meeting, Parts, RoundPlaces, StandingsRow, meetings, places_by_round, seat_points, standings,
};

/// The most members of a league, those who have left too.
pub const MOST_MEMBERS: usize = 1_000;
/// The most organizers of a league.
pub const MOST_ORGANIZERS: usize = 20;
/// The most seasons of a league.
pub const MOST_SEASONS: usize = 100;
/// The most tables of a league, of all seasons.
pub const MOST_TABLES: usize = 5_000;
/// The most events of a league, but ends of games, which come when they come.
pub const MOST_EVENTS: u64 = 20_000;
/// The greatest number of a round that anybody may tell, and how many rounds are drawn.
pub const LAST_ROUND: u16 = 200;
/// The most tables that are made together.
pub const MOST_TOGETHER: usize = 100;
/// How often the deadline of a table can be moved.
pub const MOST_MOVES: u32 = 50;
/// The most seats of a table.
pub const MOST_SEATS: usize = 6;
