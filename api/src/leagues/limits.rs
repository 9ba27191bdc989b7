//! The most that a league may have.

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
/// The most rows of the log of a league: ends of games come behind [`MOST_EVENTS`].
pub const MOST_ROWS: i64 = MOST_EVENTS as i64 + MOST_TABLES as i64;
/// The greatest number of a round that anybody may tell, and how many rounds are drawn.
pub const LAST_ROUND: u16 = 200;
/// The most tables that are made together.
pub const MOST_TOGETHER: usize = 100;
/// How often the deadline of a table can be moved.
pub const MOST_MOVES: u32 = 50;
/// The most seats of a table.
pub const MOST_SEATS: usize = 6;
