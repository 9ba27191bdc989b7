//! Detects writes of other processes: notifications on PostgreSQL, the data version on SQLite.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::r2d2::ManageConnection;
use diesel::sql_types::BigInt;

use crate::db::StoreError;
use crate::db::connection::{AnyConnection, Manager};

/// The PostgreSQL channel on which commits are announced.
const CHANNEL: &str = "tabularium_events";

/// How often received notifications are read. This sends nothing to the server.
const TICK: Duration = Duration::from_millis(20);

/// How often the data version of a SQLite file is read.
const LOOK: Duration = Duration::from_secs(1);

/// The longest wait for notifications, in case one is lost with its connection.
const LONGEST: Duration = Duration::from_secs(5);

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeReason {
    /// Something was written, by this process or another.
    Seen,
    /// Something may have been written.
    Possible,
    /// Nothing was written.
    None,
}

/// Waits for what other processes write.
pub struct Changes {
    manager: Manager,
    connection: Option<AnyConnection>,
    /// The version of a file's data when it was last read.
    version: i64,
}

#[derive(QueryableByName)]
struct DataVersion {
    #[diesel(sql_type = BigInt)]
    data_version: i64,
}

impl Changes {
    /// Starts to listen. Writes from this moment on end a wait.
    pub(crate) fn new(manager: Manager) -> Changes {
        let mut changes = Changes {
            manager,
            connection: None,
            version: 0,
        };
        changes.connect();
        changes
    }

    /// Waits until something may have been written since the last wait, for a few seconds at most.
    pub fn wait(&mut self) -> WakeReason {
        let Some(connection) = &mut self.connection else {
            std::thread::sleep(LOOK);
            self.connect();
            return WakeReason::Possible;
        };
        let found = match connection {
            AnyConnection::Sqlite(sqlite) => {
                std::thread::sleep(LOOK);
                let before = self.version;
                data_version(sqlite).map(|version| {
                    self.version = version;
                    match version == before {
                        true => WakeReason::None,
                        false => WakeReason::Seen,
                    }
                })
            }
            AnyConnection::Postgres(postgres) => wait_for_notification(postgres),
        };
        found.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot watch for writes of other processes; polling until the connection is back");
            self.connection = None;
            WakeReason::Possible
        })
    }

    fn connect(&mut self) {
        self.connection = self.listen().ok();
    }

    fn listen(&mut self) -> Result<AnyConnection, StoreError> {
        let unavailable = |error: ConnectionError| StoreError::Unavailable(error.to_string());
        let mut connection = self.manager.connect().map_err(unavailable)?;
        match &mut connection {
            AnyConnection::Sqlite(sqlite) => self.version = data_version(sqlite)?,
            AnyConnection::Postgres(postgres) => {
                postgres.batch_execute(&format!("LISTEN {CHANNEL}"))?;
            }
        }
        Ok(connection)
    }
}

/// Returns a number that changes with each commit of another connection.
fn data_version(sqlite: &mut SqliteConnection) -> QueryResult<i64> {
    let found: DataVersion = diesel::sql_query("PRAGMA data_version").get_result(sqlite)?;
    Ok(found.data_version)
}

fn wait_for_notification(postgres: &mut PgConnection) -> QueryResult<WakeReason> {
    let begun = Instant::now();
    while begun.elapsed() < LONGEST {
        let all: QueryResult<Vec<_>> = postgres.notifications_iter().collect();
        match all?.is_empty() {
            true => std::thread::sleep(TICK),
            false => return Ok(WakeReason::Seen),
        }
    }
    Ok(WakeReason::Possible)
}

/// Announces a write when the transaction commits.
pub(crate) fn notify(connection: &mut PgConnection) -> QueryResult<()> {
    connection.batch_execute(&format!("NOTIFY {CHANNEL}"))
}
