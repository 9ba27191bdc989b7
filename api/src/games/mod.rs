//! Games: the snapshots in memory, what callers may do, and what is appended to the logs.
//!
//! A [`Table`](table::Table) is an immutable snapshot of a game. A [`Draft`](draft::Draft) contains the next events.
//! [`Games`] caches the snapshots and makes the changes ([`service`]). What callers may do is in [`create`],
//! [`branches`], [`seats`], [`play`], [`undo`], [`ending`], [`organizer`] and [`rematch`]; scheduled work is in [`due`] and
//! [`deadlines`]. Other services need less: [`GameLogs`](history::GameLogs) and [`GameRecords`](records::GameRecords)
//! read, [`GameAccess`](access::GameAccess) checks the caller, [`Feed`](feed::Feed) publishes,
//! [`GameLists`](lists::GameLists) lists, [`Imports`](import::Imports) imports records,
//! [`Invitations`](invitations::Invitations) reserves seats by codes, [`AccountNotifications`](notifications::AccountNotifications) notifies
//! players. [`stateless`] plays without a game, [`audit`] verifies all games, and [`projection`] writes the rows by
//! which lists filter.
//!
//! - Every write to a game or its seats, even without an event, gives the game a version that no game had before. A
//!   write is based on the version that the writer has read. Other nodes find changes by the versions.
//! - State is never stored: it is folded from the log ([`Fold`](::records::Fold)). `(game, seq)` is the primary key
//!   of `events`. No row is ever changed or deleted.
//! - Followers receive each event once, in the order of the log of all games, and after the snapshot of its game is
//!   replaced. Only the thread of [`follower`] publishes. It receives what this node wrote with its JSON, and reads
//!   the rest from the store. A stream subscribes before it reads, and skips what it has read. Whether a game has
//!   followers is asked after its snapshot is replaced: who follows later reads the new one.
//! - An undo request is not an event. Consents are stored in the seats and are void with the next event. Streams send
//!   the request after the events before it (`handlers/reader.rs`).
//! - The order of the event deck is secret. A request ends where a card is drawn ([`play`]), a dry run omits what
//!   only the deck reveals, and a draw is undone only with the consent of all others, never a bot's ([`undo`]).
//! - The seed is secret until the game is over, unless the creator gave it. Until then responses contain its SHA-256.
//! - A private game is 404 for strangers: every path of a game is read by `GameId` or `SeatId` (`handlers/path.rs`).
//! - A damaged game is never shown as a valid one. The log is compared with the stored game in one place
//!   ([`log::Reading::check_end`]); a record is also checked row by row. In `/v1/records` it is a line without a
//!   record.
//! - Reading the end of a log does not replay it, and reads at most 1,000 rows at a time: [`history`] stores a
//!   reading every 512 events, at most 96 MiB for all games.
//! - An account that lost a seat is notified by `seat_lost`, however late its stream resumes: `seats.former` names
//!   it.
//! - Every game with bots ends: a new game has `max_rounds`, and a log has a greatest length ([`GameLimits`]),
//!   including undone events. Beyond it the organizer adjudicates, and a game of bots alone is abandoned. The number
//!   of games in which bots have to move is limited, in total and by address.

pub mod access;
pub mod accounts;
pub mod audit;
pub mod bidding;
pub mod bodies;
pub mod branches;
pub mod call;
pub mod clocks;
pub mod counts;
pub mod create;
pub mod deadlines;
pub mod draft;
pub mod due;
pub mod ending;
pub mod feed;
pub mod follower;
pub mod handlers;
pub mod history;
pub mod import;
pub mod invitations;
pub mod leagues;
pub mod limits;
pub mod lists;
pub mod live;
pub mod log;
pub mod model;
pub mod named_action;
pub mod notifications;
pub mod occurrences;
pub mod orders;
pub mod organizer;
pub mod pauses;
pub mod play;
pub mod positions;
pub mod projection;
pub mod queries;
pub mod records;
pub mod rematch;
pub mod seats;
pub mod service;
pub mod setup;
pub mod signatures;
pub mod stateless;
pub mod table;
pub mod undo;
pub mod waits;

pub use limits::GameLimits;
pub use model::known_id;
pub use service::Games;
