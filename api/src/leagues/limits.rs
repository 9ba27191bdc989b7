//! The limits of a league.

/// The most members of a league, including those who have left.
pub const MOST_MEMBERS: usize = 1_000;
/// The most organizers of a league.
pub const MOST_ORGANIZERS: usize = 20;
/// The most referees and scorers of a league.
pub const MOST_ASSISTANTS: usize = 40;
/// The most questions for accounts that register.
pub const MOST_QUESTIONS: usize = 10;
/// The most seasons of a league.
pub const MOST_SEASONS: usize = 100;
/// The most tables of a league, in all seasons.
pub const MOST_TABLES: usize = 5_000;
/// The most events of a league, except ends of games, which cannot be refused.
pub const MOST_EVENTS: u64 = 20_000;
/// The most rows of a league's log: [`MOST_EVENTS`] and the ends of all games.
pub const MOST_ROWS: i64 = MOST_EVENTS as i64 + MOST_TABLES as i64;
/// The greatest number of a round, and the most rounds in a picture.
pub const LAST_ROUND: u16 = 200;
/// The most tables that are created together.
pub const MOST_TOGETHER: usize = 100;
/// The longest grace after a deadline, in hours.
pub const LONGEST_GRACE: u16 = 14 * 24;

/// How often the deadline of a table can be moved.
pub const MOST_MOVES: u32 = 50;
/// The most seats of a table.
pub const MOST_SEATS: usize = 6;
/// The most games of each pair of members in a round robin.
pub const MOST_MEETINGS: u8 = 4;
/// The most games of a match in a bracket.
pub const MOST_OF_MATCH: u8 = 7;
/// The most divisions or teams of a season.
pub const MOST_GROUPS: usize = 100;
/// The most members of a division who move up, and down, after a season.
pub const MOST_MOVED: u8 = 20;
/// The most places between a member of a ladder and a member who can be challenged.
pub const MOST_REACH: u8 = 20;
/// The most days of holidays of a member in a season.
pub const MOST_HOLIDAYS: u16 = 100;
/// The greatest weight of a round, in percent.
pub const MOST_PERCENT: u16 = 1_000;
