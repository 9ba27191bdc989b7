//! Connections to either database, and the pool of them.

use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::migration::MigrationSource;
use diesel::prelude::*;
use diesel::r2d2::{ManageConnection, Pool};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::StoreError;
use crate::database_url::{DatabaseUrl, Place};

const SQLITE: EmbeddedMigrations = embed_migrations!("../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../migrations/postgres");

/// What every SQLite connection is set to: readers beside one writer, each commit on disk. The log is moved into the
/// database in commits only when it has grown beyond what [`super::backfill`] leaves.
const PRAGMAS: &str = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; \
     PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 4000;";

/// The same for connections that only read.
const READING_PRAGMAS: &str = "PRAGMA busy_timeout = 10000; PRAGMA query_only = ON;";

/// What every PostgreSQL connection is set to: no statement and no wait for a lock lasts for ever.
const SETTINGS: &str = "SET statement_timeout = '30s'; SET lock_timeout = '15s'; \
     SET idle_in_transaction_session_timeout = '60s';";

/// The same for connections that only read, which may take their time: they go through the whole log.
const READING_SETTINGS: &str = "SET default_transaction_read_only = on;";

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
    database: DatabaseUrl,
    reads_only: bool,
}

/// A pool of connections.
pub type Connections = Pool<Manager>;

impl Manager {
    /// Connections to a database.
    pub fn new(url: &DatabaseUrl) -> Result<Manager, StoreError> {
        url.place()?;
        Ok(Manager {
            database: url.clone(),
            reads_only: false,
        })
    }

    /// Connections that only read, to a database that is there.
    pub fn for_reading(url: &DatabaseUrl) -> Result<Manager, StoreError> {
        if let Place::Sqlite(file) = url.place()?
            && !file.starts_with("file:")
            && !std::path::Path::new(file).exists()
        {
            return Err(StoreError::Missing(file.to_owned()));
        }
        Ok(Manager {
            reads_only: true,
            ..Manager::new(url)?
        })
    }

    /// The file of SQLite.
    pub(super) fn file(&self) -> Option<&str> {
        match self.database.place() {
            Ok(Place::Sqlite(file)) => Some(file),
            _ => None,
        }
    }

    /// A connection of its own to PostgreSQL; nothing for a file.
    pub(super) fn postgres(&self) -> Option<Result<PgConnection, ConnectionError>> {
        match self.database.place() {
            Ok(Place::Postgres(url)) => Some(PgConnection::establish(url)),
            _ => None,
        }
    }

    /// A pool of such connections; the first one is opened at once.
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
        let place = self.database.place();
        match place.map_err(|error| ConnectionError::InvalidConnectionUrl(error.to_string()))? {
            Place::Sqlite(file) => {
                if !self.reads_only {
                    create_private(file);
                }
                let mut connection = SqliteConnection::establish(file)?;
                connection
                    .batch_execute(match self.reads_only {
                        true => READING_PRAGMAS,
                        false => PRAGMAS,
                    })
                    .map_err(ConnectionError::CouldntSetupConfiguration)?;
                Ok(AnyConnection::Sqlite(connection))
            }
            Place::Postgres(url) => {
                let mut connection = PgConnection::establish(url)?;
                connection
                    .batch_execute(match self.reads_only {
                        true => READING_SETTINGS,
                        false => SETTINGS,
                    })
                    .map_err(ConnectionError::CouldntSetupConfiguration)?;
                Ok(AnyConnection::Postgres(connection))
            }
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

/// Creates the file of a new database so that only its owner may read it, as it holds secrets. SQLite gives the
/// files beside it the same permissions. What goes wrong here SQLite meets again and reports.
#[cfg(unix)]
fn create_private(file: &str) {
    use std::os::unix::fs::OpenOptionsExt;
    let path = match file.strip_prefix("file:") {
        None => Some(file),
        // A URI names a path, and may forbid to create it.
        Some(uri) => match uri.split_once('?') {
            Some((_, query)) if query.contains("mode=") && !query.contains("mode=rwc") => None,
            Some((path, _)) => Some(path),
            None => Some(uri),
        }
        .map(|path| path.strip_prefix("//").unwrap_or(path)),
    };
    if let Some(path) = path.filter(|path| !path.is_empty() && *path != ":memory:") {
        let mut options = std::fs::OpenOptions::new();
        let _ = options.write(true).create_new(true).mode(0o600).open(path);
    }
}

#[cfg(not(unix))]
fn create_private(_: &str) {}

#[derive(QueryableByName)]
struct Run {
    #[diesel(sql_type = diesel::sql_types::Text)]
    version: String,
}

/// The versions of the migrations that were run; none where there is no schema.
fn applied(connection: &mut AnyConnection) -> Vec<String> {
    let run = diesel::sql_query("SELECT version FROM __diesel_schema_migrations ORDER BY version");
    let run: Vec<Run> = run.load(connection).unwrap_or_default();
    run.into_iter().map(|run| run.version).collect()
}

/// The versions of the program's migrations, which are the same for both databases.
fn own() -> Vec<String> {
    let own = MigrationSource::<diesel::sqlite::Sqlite>::migrations(&SQLITE).unwrap_or_default();
    let versions = own.iter();
    versions
        .map(|migration| migration.name().version().to_string())
        .collect()
}

/// Refuses a schema that a newer version of the program has migrated.
fn check_not_newer(connection: &mut AnyConnection) -> Result<(), StoreError> {
    let own = own();
    let mut applied = applied(connection).into_iter();
    match applied.find(|version| !own.contains(version)) {
        Some(version) => Err(StoreError::Newer(version)),
        None => Ok(()),
    }
}

/// Checks that the schema is that of the program.
pub fn check_schema(connection: &mut AnyConnection) -> Result<(), StoreError> {
    check_not_newer(connection)?;
    let applied = applied(connection);
    match own().iter().all(|version| applied.contains(version)) {
        true => Ok(()),
        false => Err(StoreError::Schema),
    }
}

/// Brings the schema up to date and returns the names of the migrations that were run.
pub fn migrate(connection: &mut AnyConnection) -> Result<Vec<String>, StoreError> {
    check_not_newer(connection)?;
    let versions = match connection {
        AnyConnection::Sqlite(connection) => names(connection.run_pending_migrations(SQLITE)),
        AnyConnection::Postgres(connection) => {
            // Several nodes may start at once: the lock lets one of them migrate at a time.
            connection.batch_execute("SET statement_timeout = 0; SELECT pg_advisory_lock(7421)")?;
            let versions = names(connection.run_pending_migrations(POSTGRES));
            connection.batch_execute("SELECT pg_advisory_unlock(7421)")?;
            connection.batch_execute(SETTINGS)?;
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
            .select((events::game, events::digest, events::hash_start))
            .load(&mut connection)
            .unwrap();
        let bytes = hex::decode(digits).unwrap();
        assert_eq!(rows, vec![(7, bytes.clone(), bytes); 2]);
    }

    #[test]
    fn rows_behind_the_first_of_a_run_are_spelled_out_for_the_program_of_before() {
        let mut connection = SqliteConnection::establish(":memory:").unwrap();
        connection.run_pending_migrations(SQLITE).unwrap();
        let migrations = MigrationSource::<Sqlite>::migrations(&SQLITE).unwrap();
        let at = migrations
            .iter()
            .position(|one| one.name().to_string().ends_with("_rows"));
        let later = migrations.len() - at.unwrap();
        let event = |seq: i64, position: i64, at: i64| {
            format!(
                "INSERT INTO events (game, seq, position, turn, notation, digest, hash_start, at) \
                 VALUES (3, {seq}, {position}, 0, 'end', x'00', x'', {at});"
            )
        };
        let events = [(0, 3, 10), (1, 0, 0), (2, 9, 11), (3, 0, 0), (4, 0, 0)];
        let events = events.map(|(seq, position, at)| event(seq, position, at));
        connection
            .batch_execute(&format!("PRAGMA foreign_keys = OFF; {}", events.concat()))
            .unwrap();
        for _ in 0..later {
            connection.revert_last_migration(SQLITE).unwrap();
        }
        let rows: Vec<(i64, i64)> = events::table
            .order(events::seq)
            .select((events::position, events::at))
            .load(&mut connection)
            .unwrap();
        assert_eq!(rows, [(3, 10), (4, 10), (9, 11), (10, 11), (11, 11)]);
    }

    /// The statements are those of the program before versions.
    #[test]
    fn a_program_of_before_can_write_beside() {
        let mut connection = SqliteConnection::establish(":memory:").unwrap();
        connection.run_pending_migrations(SQLITE).unwrap();
        let mut found = |statement: &str| {
            connection.batch_execute(statement).unwrap();
            games::table
                .select((games::version, games::finished_position))
                .first::<(i64, Option<i64>)>(&mut connection)
                .unwrap()
        };
        let created = found(
            "UPDATE log_end SET position = position + 1;
             INSERT INTO games (id, edition, board, status, setup, seed, seed_known, seq,
             created_at, updated_at, rated, source, bot_due, number, hash)
             VALUES ('one', '', '', 'running', '', '', 0, 0, 1, 0, 0, '', 0, 1, '')",
        );
        assert_eq!(created, (1, None));
        let acted = found(
            "UPDATE log_end SET position = position + 2;
             UPDATE games SET status = 'finished', seq = 2, hash = '00'",
        );
        // To note when it was recorded is a change too.
        assert_eq!(acted, (3, Some(3)));
        assert_eq!(found("UPDATE games SET signature = '{}'"), (4, Some(3)));
    }

    #[test]
    fn other_urls_are_refused() {
        for url in ["", "tabularium.db", "mysql://x", "sqlite"] {
            Manager::new(&url.into()).unwrap_err();
        }
    }
}
