//! Storage that all features share. The same queries run on SQLite and PostgreSQL.
//!
//! - One thread does every write (`writer.rs`). It commits all waiting writes in one transaction. `Store::write`
//!   returns when the write is on disk.
//! - The writer checks the SQLite file and its log before and after each commit. If one was deleted or replaced, no
//!   write is acknowledged and the process ends (`opened.rs`).
//! - Nothing is written while the clock of this node differs from the database's by more than 5 seconds (`clock.rs`).
//!   On PostgreSQL the query that locks the end of the log also returns the time, so this costs no round trip.
//! - An idle service sleeps and writes nothing. Each commit here wakes its threads. `changes.rs` wakes them for
//!   commits of other processes: by LISTEN/NOTIFY on PostgreSQL, by `PRAGMA data_version` once a second on SQLite. A
//!   thread that waits for a time reads the next one from the database and sleeps until then.
//! - No message contains a password ([`url`]). A URL is refused if the client library could mistake a part of the
//!   password for something else. The error that ends the program goes through [`url::without_passwords`].
//! - There is one migration until the first release. After it, a migration only adds what nodes of the previous
//!   version can run with. Programs that only read never migrate. Every program refuses a schema that it does not
//!   know, and a database that a program with a higher major or minor version has used (table `program`).
//! - Each node writes its clock's time once a minute (`nodes.rs`), so that differing clocks are noticed.
//! - [`backup`] copies the whole database and restores it.

pub(crate) mod answers;
mod backfill;
pub mod backup;
pub mod changes;
pub mod clock;
pub(crate) mod connection;
pub(crate) mod diagnosis;
pub(crate) mod durable;
mod error;
pub(crate) mod jobs;
pub(crate) mod nodes;
mod opened;
pub(crate) mod probe;
pub mod projections;
pub(crate) mod schema;
mod store;
pub(crate) mod time;
pub mod url;
pub(crate) mod versions;
mod wake;
pub(crate) mod work;
pub(crate) mod writer;

/// The target of spans that only traces show: the steps of a request, jobs and projections.
pub const STEP: &str = "step";

pub use self::error::StoreError;
pub use self::store::{Store, migrate};
