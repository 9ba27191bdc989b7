//! Learning that somebody may have written to the database: PostgreSQL tells it (`LISTEN`), at a
//! SQLite file one has to look again.

use std::time::{Duration, Instant};

use diesel::PgConnection;
use diesel::connection::SimpleConnection;

use super::connection::Manager;

/// What committed appends are announced on.
const CHANNEL: &str = "tabularium_events";

/// How often notifications that have come in are taken up; it asks the server nothing.
const TICK: Duration = Duration::from_millis(10);

/// How long a wait lasts where nothing notifies.
const WITHOUT_NOTIFICATION: Duration = Duration::from_millis(200);

/// How long a wait lasts at most where something does, should a notification be lost.
const WITH_NOTIFICATION: Duration = Duration::from_secs(2);

/// Waits for what other processes write.
pub struct Changes {
    manager: Manager,
    listener: Option<PgConnection>,
}

impl Changes {
    /// Begins to listen. What is written from now on ends a wait.
    pub(super) fn new(manager: Manager) -> Changes {
        let listener = listen(&manager);
        Changes { manager, listener }
    }

    /// Waits until something may have been written since the last wait, for two seconds at the
    /// most. Says whether the database has told it.
    pub fn wait(&mut self) -> bool {
        let Some(listener) = &mut self.listener else {
            std::thread::sleep(WITHOUT_NOTIFICATION);
            self.listener = listen(&self.manager);
            return false;
        };
        let begun = Instant::now();
        while begun.elapsed() < WITH_NOTIFICATION {
            let all: diesel::QueryResult<Vec<_>> = listener.notifications_iter().collect();
            match all {
                Ok(told) if told.is_empty() => std::thread::sleep(TICK),
                Ok(_) => return true,
                Err(error) => {
                    tracing::warn!(%error, "the database does not notify any more");
                    self.listener = None;
                    return false;
                }
            }
        }
        false
    }
}

/// A connection that is notified; none where the database cannot, or cannot now.
fn listen(manager: &Manager) -> Option<PgConnection> {
    let mut connection = manager.postgres()?.ok()?;
    let listens = connection.batch_execute(&format!("LISTEN {CHANNEL}"));
    listens.ok().map(|()| connection)
}

/// Announces at the commit of the transaction that something was written.
pub(super) fn notify(connection: &mut PgConnection) -> diesel::QueryResult<()> {
    connection.batch_execute(&format!("NOTIFY {CHANNEL}"))
}
