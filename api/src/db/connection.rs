//! Connections to SQLite or PostgreSQL, and their pool.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::migration::MigrationSource;
use diesel::prelude::*;
use diesel::r2d2::{ManageConnection, Pool};
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::db::StoreError;
use crate::db::opened::OpenedFile;
use crate::db::schema::program;
use crate::db::url::{DatabaseKind, DatabaseUrl};

const SQLITE: EmbeddedMigrations = embed_migrations!("../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../migrations/postgres");

/// Settings of every SQLite connection: readers beside one writer, and each commit on disk.
/// A commit moves the log into the database only if it has grown beyond what [`crate::db::backfill`] leaves.
const PRAGMAS: &str = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; \
     PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 4000;";

/// The settings of connections that only read.
const READING_PRAGMAS: &str = "PRAGMA busy_timeout = 10000; PRAGMA query_only = ON;";

/// Settings of every PostgreSQL connection: statements and waits for locks have a time limit.
const SETTINGS: &str = "SET statement_timeout = '30s'; SET lock_timeout = '15s'; \
     SET idle_in_transaction_session_timeout = '60s';";

/// The settings of connections that only read.
/// They have no time limit, because they read the whole log.
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
    /// The SQLite file of the first connection, shared with the manager's clones.
    file: Arc<OnceLock<Option<OpenedFile>>>,
}

/// A pool of connections.
pub type Connections = Pool<Manager>;

impl Manager {
    /// Creates a manager of connections that read and write.
    pub fn new(url: &DatabaseUrl) -> Result<Manager, StoreError> {
        url.kind()?;
        Ok(Manager {
            database: url.clone(),
            reads_only: false,
            file: Arc::default(),
        })
    }

    /// Creates a manager of connections that only read. The database must exist.
    pub fn for_reading(url: &DatabaseUrl) -> Result<Manager, StoreError> {
        if let DatabaseKind::Sqlite(file) = url.kind()?
            && !std::path::Path::new(file).exists()
        {
            return Err(StoreError::Missing(file.to_owned()));
        }
        Ok(Manager {
            reads_only: true,
            ..Manager::new(url)?
        })
    }

    /// Returns the path of the SQLite file, or `None` for PostgreSQL.
    pub(crate) fn file(&self) -> Option<&str> {
        match self.database.kind() {
            Ok(DatabaseKind::Sqlite(file)) => Some(file),
            _ => None,
        }
    }

    /// Returns the file that the first connection opened, or `None` if there is none.
    pub(crate) fn opened_file(&self) -> Option<&OpenedFile> {
        self.file.get()?.as_ref()
    }

    /// Returns true if the file of the first connection was deleted or replaced.
    pub(crate) fn is_gone(&self) -> bool {
        self.opened_file().is_some_and(OpenedFile::is_gone)
    }

    /// Refuses a file that has taken the place of the first connection's.
    fn check_file(&self) -> Result<(), ConnectionError> {
        match self.is_gone() {
            true => Err(ConnectionError::BadConnection(StoreError::Gone.to_string())),
            false => Ok(()),
        }
    }

    /// Builds the pool and opens the first connection.
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
        let kind = self.database.kind();
        match kind.map_err(|error| ConnectionError::InvalidConnectionUrl(error.to_string()))? {
            DatabaseKind::Sqlite(file) => {
                self.check_file()?;
                if !self.reads_only {
                    create_private(file);
                }
                let mut connection = SqliteConnection::establish(file)?;
                self.file.get_or_init(|| OpenedFile::new(file));
                // The first statement on another file would cut the index of the log, which connections to the
                // first file have mapped: the process would end by SIGBUS.
                self.check_file()?;
                connection
                    .batch_execute(match self.reads_only {
                        true => READING_PRAGMAS,
                        false => PRAGMAS,
                    })
                    .map_err(ConnectionError::CouldntSetupConfiguration)?;
                Ok(AnyConnection::Sqlite(connection))
            }
            DatabaseKind::Postgres(url) => {
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

/// Creates the file of a new database so that only its owner can read it, because it contains secrets.
/// SQLite gives the files beside it the same permissions. An error here is ignored: SQLite meets and reports it.
#[cfg(unix)]
fn create_private(file: &str) {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = std::fs::OpenOptions::new();
    let _ = options.write(true).create_new(true).mode(0o600).open(file);
}

#[cfg(not(unix))]
fn create_private(_: &str) {}

#[derive(QueryableByName)]
struct AppliedMigration {
    #[diesel(sql_type = diesel::sql_types::Text)]
    version: String,
}

/// Returns the versions of the applied migrations; none if there is no schema.
fn applied_versions(connection: &mut AnyConnection) -> Vec<String> {
    diesel::sql_query("SELECT version FROM __diesel_schema_migrations ORDER BY version")
        .load(connection)
        .unwrap_or_default()
        .into_iter()
        .map(|applied: AppliedMigration| applied.version)
        .collect()
}

/// Returns the versions of the program's migrations, which are the same for both databases.
fn own_versions() -> Vec<String> {
    MigrationSource::<diesel::sqlite::Sqlite>::migrations(&SQLITE)
        .unwrap_or_default()
        .iter()
        .map(|migration| migration.name().version().to_string())
        .collect()
}

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the numbers of a version, such as 0, 1 and 0. A part that is not a number counts as 0.
fn numbers(version: &str) -> [u64; 3] {
    let mut parts = version.split(['.', '-', '+']);
    [(); 3].map(|()| parts.next().and_then(|part| part.parse().ok()).unwrap_or(0))
}

/// Returns true if a program of this version cannot read what one of the given version has written.
pub(crate) fn is_newer(version: &str) -> bool {
    numbers(version)[..2] > numbers(VERSION)[..2]
}

/// Returns the highest version of the program that has used the database; `None` if it is not recorded.
pub(crate) fn recorded_version(connection: &mut AnyConnection) -> Option<String> {
    let recorded = program::table.find(1).select(program::version);
    recorded.first(connection).ok()
}

/// Records the version of this program, unless a higher one is recorded.
fn record_version(connection: &mut AnyConnection) -> QueryResult<()> {
    let recorded = match recorded_version(connection) {
        Some(recorded) if numbers(&recorded) >= numbers(VERSION) => return Ok(()),
        Some(_) => diesel::update(program::table.find(1))
            .set(program::version.eq(VERSION))
            .execute(connection),
        None => diesel::insert_into(program::table)
            .values((program::id.eq(1), program::version.eq(VERSION)))
            .execute(connection),
    };
    match recorded {
        // Another process inserted the row first.
        Ok(_) | Err(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Refuses a schema from before the first release, and a database that a newer program has used.
///
/// A program with the same major and minor version can always read it.
fn check_version(connection: &mut AnyConnection) -> Result<(), StoreError> {
    let own = own_versions();
    let applied = applied_versions(connection);
    if applied.is_empty() {
        return Ok(());
    }
    let unknown = applied.iter().find(|version| !own.contains(version));
    if let Some(version) = unknown
        && own.first().is_some_and(|first| version < first)
    {
        return Err(StoreError::Older(version.clone()));
    }
    let recorded = recorded_version(connection);
    let newer = recorded.filter(|recorded| is_newer(recorded));
    if unknown.is_none() && newer.is_none() {
        return Ok(());
    }
    Err(StoreError::Newer {
        database: newer.unwrap_or_else(|| "unknown".to_owned()),
        migration: applied.last().cloned().unwrap_or_default(),
        program: VERSION,
    })
}

/// Checks that the schema is exactly that of the program.
pub fn check_schema(connection: &mut AnyConnection) -> Result<(), StoreError> {
    check_version(connection)?;
    let applied = applied_versions(connection);
    match own_versions()
        .iter()
        .all(|version| applied.contains(version))
    {
        true => Ok(()),
        false => Err(StoreError::Schema),
    }
}

/// Brings the schema up to date and returns the versions of the applied migrations.
pub fn migrate(connection: &mut AnyConnection) -> Result<Vec<String>, StoreError> {
    check_version(connection)?;
    let versions = match connection {
        AnyConnection::Sqlite(connection) => {
            version_names(connection.run_pending_migrations(SQLITE))
        }
        AnyConnection::Postgres(connection) => {
            // Several nodes may start at the same time. The lock lets one of them migrate at a time.
            connection.batch_execute("SET statement_timeout = 0; SELECT pg_advisory_lock(7421)")?;
            let versions = version_names(connection.run_pending_migrations(POSTGRES));
            connection.batch_execute("SELECT pg_advisory_unlock(7421)")?;
            connection.batch_execute(SETTINGS)?;
            versions
        }
    };
    let versions = versions.map_err(|error| StoreError::Migration(error.to_string()))?;
    record_version(connection)?;
    Ok(versions)
}

/// Creates the schema of an earlier version in an empty database: all migrations up to one.
pub(crate) fn migrate_until(connection: &mut AnyConnection, last: &str) -> Result<(), StoreError> {
    if !own_versions().iter().any(|version| version == last) {
        return Err(StoreError::Migration(format!(
            "this version of the program does not have the migration {last}"
        )));
    }
    while !applied_versions(connection).iter().any(|one| one == last) {
        let applied = match connection {
            AnyConnection::Sqlite(connection) => connection.run_next_migration(SQLITE).map(drop),
            AnyConnection::Postgres(connection) => {
                connection.run_next_migration(POSTGRES).map(drop)
            }
        };
        applied.map_err(|error| StoreError::Migration(error.to_string()))?;
    }
    Ok(())
}

/// Removes all tables.
pub(crate) fn remove_schema(connection: &mut AnyConnection) -> Result<(), StoreError> {
    let removed = match connection {
        AnyConnection::Sqlite(connection) => connection.revert_all_migrations(SQLITE).map(drop),
        AnyConnection::Postgres(connection) => connection.revert_all_migrations(POSTGRES).map(drop),
    };
    removed.map_err(|error| StoreError::Migration(error.to_string()))
}

/// Returns the last applied migration; `None` if there is no schema.
pub(crate) fn last_migration(connection: &mut AnyConnection) -> Option<String> {
    applied_versions(connection).pop()
}

fn version_names<E>(
    versions: Result<Vec<diesel::migration::MigrationVersion<'_>>, E>,
) -> Result<Vec<String>, E> {
    versions.map(|all| all.iter().map(ToString::to_string).collect())
}

#[cfg(test)]
mod tests {
    use diesel::pg::Pg;
    use diesel::sqlite::Sqlite;

    use super::*;

    #[test]
    fn both_databases_have_the_same_migrations() {
        let sqlite = MigrationSource::<Sqlite>::migrations(&SQLITE).unwrap();
        let postgres = MigrationSource::<Pg>::migrations(&POSTGRES).unwrap();
        let sqlite: Vec<String> = sqlite.iter().map(|m| m.name().to_string()).collect();
        let postgres: Vec<String> = postgres.iter().map(|m| m.name().to_string()).collect();
        assert_eq!(sqlite, postgres);
    }

    #[test]
    fn migrations_can_be_reverted_and_applied_again() {
        let mut connection = SqliteConnection::establish(":memory:").unwrap();
        let run = connection.run_pending_migrations(SQLITE).unwrap().len();
        assert_eq!(connection.revert_all_migrations(SQLITE).unwrap().len(), run);
        assert_eq!(
            connection.run_pending_migrations(SQLITE).unwrap().len(),
            run
        );
    }

    #[test]
    fn databases_from_before_the_first_release_and_newer_ones_are_refused() {
        for (version, is_older) in [("20261120000000", true), ("20990101000000", false)] {
            let mut connection =
                AnyConnection::Sqlite(SqliteConnection::establish(":memory:").unwrap());
            migrate(&mut connection).unwrap();
            let note =
                format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{version}')");
            connection.batch_execute(&note).unwrap();
            match migrate(&mut connection).unwrap_err() {
                StoreError::Older(found) => assert!(is_older && found == version),
                StoreError::Newer {
                    database,
                    migration,
                    program,
                } => {
                    assert!(!is_older && migration == version);
                    assert_eq!((&*database, program), ("unknown", VERSION));
                }
                other => panic!("{other}"),
            }
        }
    }

    #[test]
    fn a_database_that_a_newer_version_has_used_is_refused() {
        let mut connection =
            AnyConnection::Sqlite(SqliteConnection::establish(":memory:").unwrap());
        migrate(&mut connection).unwrap();
        assert_eq!(recorded_version(&mut connection).as_deref(), Some(VERSION));
        let [major, minor, _] = numbers(VERSION);
        for (version, is_accepted) in [
            (format!("{major}.{minor}.999"), true),
            (format!("{major}.{}.0", minor + 1), false),
            (format!("{}.0.0-rc.1", major + 1), false),
        ] {
            let record = format!("UPDATE program SET version = '{version}'");
            connection.batch_execute(&record).unwrap();
            assert_eq!(migrate(&mut connection).is_ok(), is_accepted, "{version}");
            assert_eq!(check_schema(&mut connection).is_ok(), is_accepted);
            // A higher version stays recorded.
            assert_eq!(recorded_version(&mut connection), Some(version));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_in_the_place_of_the_first_one_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let copy = folder.path().join("copy");
        let manager = Manager::new(&format!("sqlite:{}", path.display()).as_str().into()).unwrap();
        let mut first = manager.connect().unwrap();
        first.batch_execute("CREATE TABLE one (id)").unwrap();
        manager.connect().unwrap();
        std::fs::copy(&path, &copy).unwrap();
        std::fs::rename(&copy, &path).unwrap();
        let refused = manager.connect().err().unwrap().to_string();
        assert!(refused.contains("deleted or replaced"), "{refused}");
        // The index of the log is still whole.
        first.batch_execute("INSERT INTO one VALUES (1)").unwrap();
        std::fs::remove_file(&path).unwrap();
        manager.clone().connect().err().unwrap();
        assert!(!path.exists(), "a new file was created");
    }

    #[test]
    fn other_urls_are_refused() {
        for url in ["", "tabularium.db", "mysql://x", "sqlite"] {
            Manager::new(&url.into()).unwrap_err();
        }
    }
}
