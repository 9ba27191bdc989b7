//! Scheduled backups: one row of scheduled work, which one node at a time takes.

use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::db::backup::create::{BackupRequest, create, file_name, remove};
use crate::db::backup::error::BackupError;
use crate::db::backup::manifest::{complete_backups, key_copy, manifest_file};
use crate::db::jobs::{Task, WorkKind};
use crate::db::url::DatabaseUrl;
use crate::db::work::{TaskFailure, TaskOutcome};
use crate::db::{Store, StoreError};

/// After how long at most another node makes a backup that the node with the task has not completed.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// The heading of the options in the help.
const BACKUPS: &str = "Backups";

/// The options of scheduled backups.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct BackupOptions {
    /// The folder of scheduled backups. Without it, none are made.
    #[arg(long, env = "TABULARIUM_BACKUP_FOLDER", value_name = "DIR", help_heading = BACKUPS)]
    pub backup_folder: Option<PathBuf>,
    /// The time between two scheduled backups, such as 24h, 30m or 1h30m.
    #[arg(long, env = "TABULARIUM_BACKUP_EVERY", value_name = "TIME", default_value = "24h",
        value_parser = interval, help_heading = BACKUPS)]
    pub backup_every: Duration,
    /// How many scheduled backups are kept. The oldest are deleted; 0 keeps all.
    #[arg(long, env = "TABULARIUM_BACKUP_KEEP", value_name = "NUMBER", default_value_t = 7,
        help_heading = BACKUPS)]
    pub backup_keep: usize,
    /// Include the signing key in scheduled backups. A reader of such a backup can sign as this server.
    #[arg(long, env = "TABULARIUM_BACKUP_WITH_KEY", help_heading = BACKUPS)]
    pub backup_with_key: bool,
}

impl Default for BackupOptions {
    fn default() -> BackupOptions {
        BackupOptions {
            backup_folder: None,
            backup_every: Duration::from_secs(24 * 60 * 60),
            backup_keep: 7,
            backup_with_key: false,
        }
    }
}

/// Parses the time between backups.
fn interval(text: &str) -> Result<Duration, String> {
    let parsed = text.parse::<SignedDuration>().ok();
    let parsed = parsed.and_then(|time| Duration::try_from(time).ok());
    parsed
        .filter(|time| *time >= Duration::from_secs(60))
        .ok_or_else(|| format!("{text:?} is not a time of at least a minute, such as 24h or 30m"))
}

/// The backups that a node makes.
#[derive(Clone, Debug)]
pub struct ScheduledBackups {
    /// The database.
    pub database: DatabaseUrl,
    /// The folder of the backups.
    pub folder: PathBuf,
    /// The time between two backups.
    pub every: Duration,
    /// How many are kept; 0 means all.
    pub keep: usize,
    /// The file of the signing key, if backups include it.
    pub key: Option<PathBuf>,
}

impl ScheduledBackups {
    /// Returns the scheduled backups of a server; `None` without a folder.
    pub fn new(
        options: &BackupOptions,
        database: &DatabaseUrl,
        key: PathBuf,
    ) -> Option<ScheduledBackups> {
        Some(ScheduledBackups {
            database: database.clone(),
            folder: options.backup_folder.clone()?,
            every: options.backup_every,
            keep: options.backup_keep,
            key: options.backup_with_key.then_some(key),
        })
    }

    /// The scheduled work. Its row stays, with the time of the next backup.
    pub fn task() -> Task {
        Task {
            kind: WorkKind::Backup,
            subject: String::new(),
        }
    }

    /// Creates the folder and lets the node take the task.
    /// A task that another interval has scheduled later is moved.
    pub fn begin(&self, store: &Store) -> Result<(), BackupError> {
        create_folder(&self.folder).map_err(BackupError::file(&self.folder))?;
        store.take_backups();
        let latest = store.now().saturating_add(micros(self.every));
        store.hasten_work(&ScheduledBackups::task(), latest)?;
        Ok(store.note_work(vec![ScheduledBackups::task()])?)
    }

    /// Makes a backup, and deletes the oldest ones.
    pub fn perform(&self, store: &Store) -> Result<TaskOutcome, TaskFailure> {
        let begun = store.now();
        let temporary = |error: &dyn std::fmt::Display| TaskFailure::Temporary(error.to_string());
        // A backup may last longer than a lease, so the row says when another node may try.
        let retry = begun.saturating_add(micros(self.every.min(LONGEST)));
        let schedule = |due_at| store.reschedule_work(&ScheduledBackups::task(), due_at);
        schedule(retry).map_err(|error| temporary(&error))?;
        self.back_up().map_err(|error| temporary(&error))?;
        schedule(begun.saturating_add(micros(self.every))).map_err(|error| temporary(&error))?;
        metrics::gauge!("tabularium_backup_time_seconds").set(begun as f64 / 1e6);
        Ok(TaskOutcome::Stored)
    }

    fn back_up(&self) -> Result<(), BackupError> {
        create_folder(&self.folder).map_err(BackupError::file(&self.folder))?;
        let name = file_name(&self.database, Timestamp::now())?;
        let file = self.folder.join(name);
        let manifest = create(BackupRequest {
            database: &self.database,
            file: &file,
            key: self.key.as_deref(),
            scheduled: true,
        })?;
        tracing::info!(file = %file.display(), bytes = manifest.bytes, "made a backup");
        self.delete_oldest()
    }

    fn delete_oldest(&self) -> Result<(), BackupError> {
        let mut scheduled = complete_backups(&self.folder)?;
        scheduled.retain(|(_, manifest)| manifest.scheduled);
        let surplus = match self.keep {
            0 => 0,
            keep => scheduled.len().saturating_sub(keep),
        };
        for (file, _) in scheduled.into_iter().take(surplus) {
            remove(&[file.clone(), key_copy(&file), manifest_file(&file)]);
        }
        Ok(())
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Creates a folder that only its owner can read.
fn create_folder(folder: &std::path::Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

impl From<BackupError> for StoreError {
    fn from(error: BackupError) -> StoreError {
        match error {
            BackupError::Store(error) => error,
            other => StoreError::Unavailable(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use diesel::connection::SimpleConnection;

    use super::*;
    use crate::db::clock::Clock;

    const DAY: SignedDuration = SignedDuration::from_hours(24);

    fn open(folder: &tempfile::TempDir, keep: usize) -> (Store, Clock, ScheduledBackups) {
        let url = format!("sqlite:{}", folder.path().join("a.db").display());
        let url = DatabaseUrl::from(url);
        let clock = Clock::default();
        let store = Store::open_with(&url, clock.clone()).unwrap();
        let options = BackupOptions {
            backup_folder: Some(folder.path().join("backups")),
            backup_keep: keep,
            ..BackupOptions::default()
        };
        let key = folder.path().join("key");
        let backups = ScheduledBackups::new(&options, &url, key).unwrap();
        (store, clock, backups)
    }

    fn take(store: &Store) -> usize {
        store
            .take_work(vec![ScheduledBackups::task()])
            .unwrap()
            .len()
    }

    #[test]
    fn one_node_makes_each_backup_and_the_next_is_made_after_the_interval() {
        let folder = tempfile::tempdir().unwrap();
        let ((one, clock_1, backups), (two, clock_2, other)) = (open(&folder, 7), open(&folder, 7));
        backups.begin(&one).unwrap();
        other.begin(&two).unwrap();
        assert_eq!((take(&one), take(&two)), (1, 0));
        backups.perform(&one).unwrap();
        assert_eq!((take(&one), take(&two)), (0, 0), "the next is in a day");
        assert_eq!(complete_backups(&backups.folder).unwrap().len(), 1);
        for clock in [&clock_1, &clock_2] {
            clock.set_ahead(DAY);
        }
        assert_eq!((take(&two), take(&one)), (1, 0));
    }

    #[test]
    fn a_failed_backup_leaves_no_file_and_is_tried_again_on_any_node() {
        let folder = tempfile::tempdir().unwrap();
        let (store, clock, mut backups) = open(&folder, 7);
        backups.key = Some(folder.path().join("missing"));
        backups.begin(&store).unwrap();
        assert_eq!(take(&store), 1);
        let failure = backups.perform(&store).unwrap_err();
        assert!(matches!(failure, TaskFailure::Temporary(_)), "{failure}");
        assert_eq!(std::fs::read_dir(&backups.folder).unwrap().count(), 0);
        clock.set_ahead(SignedDuration::from_hours(1));
        assert_eq!(take(&store), 1);
    }

    #[test]
    fn only_the_newest_scheduled_backups_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (store, _, backups) = open(&folder, 2);
        backups.begin(&store).unwrap();
        let make = |name: &str, scheduled| {
            create(BackupRequest {
                database: &backups.database,
                file: &backups.folder.join(name),
                key: None,
                scheduled,
            })
            .unwrap();
        };
        make("manual.db", false);
        for name in ["a.db", "b.db"] {
            make(name, true);
        }
        backups.back_up().unwrap();
        let kept = complete_backups(&backups.folder).unwrap();
        let names: Vec<String> = kept
            .iter()
            .map(|(file, _)| file.file_name().unwrap().display().to_string())
            .collect();
        assert_eq!(names[..2], ["manual.db", "b.db"]);
        assert_eq!(names.len(), 3);
        // Each has a file and a manifest.
        assert_eq!(std::fs::read_dir(&backups.folder).unwrap().count(), 6);
    }

    #[test]
    fn a_copy_that_differs_from_its_manifest_is_refused() {
        use crate::db::backup::{check, find, unpack};
        let folder = tempfile::tempdir().unwrap();
        let (store, _, backups) = open(&folder, 2);
        backups.begin(&store).unwrap();
        backups.back_up().unwrap();
        let (file, manifest) = find(&backups.folder).unwrap();
        check(&file, &manifest).unwrap();
        let to = folder.path().join("restored.db");
        unpack(&file, &manifest, &to).unwrap();
        let mut more = manifest.clone();
        more.rows.insert("games".to_owned(), 1);
        let error = unpack(&file, &more, &to).unwrap_err().to_string();
        assert!(error.contains("the table games has 0 rows"), "{error}");
        let newer = crate::db::backup::BackupManifest {
            program: "99.0.0".to_owned(),
            ..manifest.clone()
        };
        let error = check(&file, &newer).unwrap_err().to_string();
        assert!(error.contains("version 99.0.0"), "{error}");
        use diesel::Connection;
        let mut connection =
            diesel::SqliteConnection::establish(&file.display().to_string()).unwrap();
        connection.batch_execute("UPDATE probe SET at = 1").unwrap();
        drop(connection);
        let error = check(&file, &manifest).unwrap_err().to_string();
        assert!(error.contains("checksum differs"), "{error}");
        std::fs::remove_file(manifest_file(&file)).unwrap();
        assert!(find(&file).is_err() && find(&backups.folder).is_err());
    }

    #[test]
    fn intervals_are_times_of_at_least_a_minute() {
        assert_eq!(interval("24h"), Ok(BackupOptions::default().backup_every));
        assert_eq!(interval("1h30m"), Ok(Duration::from_secs(5_400)));
        for text in ["", "24", "-1h", "10s", "soon"] {
            assert!(interval(text).is_err(), "{text}");
        }
    }
}
