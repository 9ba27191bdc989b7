//! Connections to either database, and the pool of them.

use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::r2d2::{ManageConnection, Pool};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::StoreError;

const SQLITE: EmbeddedMigrations = embed_migrations!("../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../migrations/postgres");

/// What every SQLite connection is set to: readers beside one writer, each commit on disk.
const PRAGMAS: &str = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; \
     PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";

/// A connection to either database.
#[derive(diesel::MultiConnection)]
#[allow(missing_docs, reason = "the variants are the databases")]
pub enum AnyConnection {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

/// Opens connections for the pool.
#[derive(Clone, Debug)]
pub struct Manager {
    database: Database,
}

/// Where the data are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Database {
    /// A file.
    Sqlite(String),
    /// A connection URL.
    Postgres(String),
}

/// A pool of connections.
pub type Connections = Pool<Manager>;

impl Manager {
    /// Connections to `sqlite:FILE` or `postgres://…`.
    ///
    /// # Errors
    /// When the URL is neither.
    pub fn new(url: &str) -> Result<Manager, StoreError> {
        let database = if let Some(file) = url.strip_prefix("sqlite:") {
            Database::Sqlite(file.to_owned())
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Database::Postgres(url.to_owned())
        } else {
            return Err(StoreError::Url(url.to_owned()));
        };
        Ok(Manager { database })
    }

    /// A connection of its own to PostgreSQL; nothing for a file.
    pub(super) fn postgres(&self) -> Option<Result<PgConnection, ConnectionError>> {
        match &self.database {
            Database::Sqlite(_) => None,
            Database::Postgres(url) => Some(PgConnection::establish(url)),
        }
    }

    /// A pool of such connections; the first one is opened at once.
    ///
    /// # Errors
    /// When the database cannot be opened.
    pub fn pool(self) -> Result<Connections, StoreError> {
        Pool::builder()
            .max_size(8)
            .min_idle(Some(1))
            .connection_timeout(Duration::from_secs(5))
            .build(self)
            .map_err(StoreError::Pool)
    }
}

impl ManageConnection for Manager {
    type Connection = AnyConnection;
    type Error = ConnectionError;

    fn connect(&self) -> Result<AnyConnection, ConnectionError> {
        match &self.database {
            Database::Sqlite(file) => {
                let mut connection = SqliteConnection::establish(file)?;
                connection
                    .batch_execute(PRAGMAS)
                    .map_err(ConnectionError::CouldntSetupConfiguration)?;
                Ok(AnyConnection::Sqlite(connection))
            }
            Database::Postgres(url) => Ok(AnyConnection::Postgres(PgConnection::establish(url)?)),
        }
    }

    fn is_valid(&self, connection: &mut AnyConnection) -> Result<(), ConnectionError> {
        connection
            .batch_execute("SELECT 1")
            .map_err(ConnectionError::CouldntSetupConfiguration)
    }

    fn has_broken(&self, _: &mut AnyConnection) -> bool {
        false
    }
}

/// Brings the schema up to date and returns the names of the migrations that were run.
///
/// # Errors
/// When a migration fails.
pub fn migrate(connection: &mut AnyConnection) -> Result<Vec<String>, StoreError> {
    let versions = match connection {
        AnyConnection::Sqlite(connection) => names(connection.run_pending_migrations(SQLITE)),
        AnyConnection::Postgres(connection) => {
            // Several nodes may start at once: the lock lets one of them migrate at a time.
            connection.batch_execute("SELECT pg_advisory_lock(7421)")?;
            let versions = names(connection.run_pending_migrations(POSTGRES));
            connection.batch_execute("SELECT pg_advisory_unlock(7421)")?;
            versions
        }
    };
    versions.map_err(|error| StoreError::Migration(error.to_string()))
}

fn names<E>(
    versions: Result<Vec<diesel::migration::MigrationVersion<'_>>, E>,
) -> Result<Vec<String>, E> {
    versions.map(|all| all.iter().map(ToString::to_string).collect())
}

#[cfg(test)]
mod tests {
    use diesel::migration::MigrationSource;
    use diesel::pg::Pg;
    use diesel::sqlite::Sqlite;

    use super::*;
    use crate::store::schema::{events, games};

    #[test]
    fn both_databases_have_the_same_migrations() {
        let sqlite = MigrationSource::<Sqlite>::migrations(&SQLITE).unwrap();
        let postgres = MigrationSource::<Pg>::migrations(&POSTGRES).unwrap();
        let sqlite: Vec<String> = sqlite.iter().map(|m| m.name().to_string()).collect();
        let postgres: Vec<String> = postgres.iter().map(|m| m.name().to_string()).collect();
        assert_eq!(sqlite, postgres);
    }

    #[test]
    fn migrations_can_be_taken_back_and_run_again() {
        let mut connection = SqliteConnection::establish(":memory:").unwrap();
        let run = connection.run_pending_migrations(SQLITE).unwrap().len();
        assert_eq!(connection.revert_all_migrations(SQLITE).unwrap().len(), run);
        assert_eq!(
            connection.run_pending_migrations(SQLITE).unwrap().len(),
            run
        );
    }

    #[test]
    fn events_of_before_are_taken_over() {
        let mut connection = SqliteConnection::establish(":memory:").unwrap();
        connection.run_next_migration(SQLITE).unwrap();
        let digits = "0123456789abcdef";
        let game = "INSERT INTO games (id, edition, board, status, setup, seed, seed_known, seq, \
             created_at, updated_at, rated, source, bot_due) \
             VALUES ('one', '', '', 'running', '', '', 0, 1, 0, 0, 0, '', 0)";
        let event = |seq: i64| {
            format!(
                "INSERT INTO events (game_id, seq, position, turn, notation, digest, hash, at) \
                 VALUES ('one', {seq}, 7 + {seq}, 0, 'end', '{digits}', '{}', {seq})",
                digits.repeat(4)
            )
        };
        connection.batch_execute(game).unwrap();
        connection.batch_execute(&event(0)).unwrap();
        connection.batch_execute(&event(1)).unwrap();
        connection.run_pending_migrations(SQLITE).unwrap();
        let found: (i64, String) = games::table
            .select((games::number, games::hash))
            .first(&mut connection)
            .unwrap();
        assert_eq!(found, (7, digits.repeat(4)));
        let rows: Vec<(i64, Vec<u8>, Vec<u8>)> = events::table
            .select((events::game, events::digest, events::hash))
            .load(&mut connection)
            .unwrap();
        let bytes = hex::decode(digits).unwrap();
        assert_eq!(rows, vec![(7, bytes.clone(), bytes); 2]);
    }

    #[test]
    fn other_urls_are_refused() {
        for url in ["", "tabularium.db", "mysql://x", "sqlite"] {
            Manager::new(url).unwrap_err();
        }
    }
}
