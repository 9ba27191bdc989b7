//! Checks the files of a server: disk space, permissions, backups, facts.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::cli::config::problems::database_file;
use crate::cli::doctor::report::{Diagnosis, bytes, time};
use crate::cli::serve::Serve;
use crate::db::backup::{complete_backups, key_copy, manifest_file};
use crate::statistics::facts_folder;

/// With less free space, writes soon fail. `/readyz` is 503 then.
const LEAST_FREE: u64 = 16 << 20;

/// With less free space, the operator should act.
const LITTLE_FREE: u64 = 1 << 30;

/// Checks the files on this machine.
/// `end` is the end of the log of all games, if the database could be read.
pub fn examine(serve: &Serve, end: Option<i64>) -> Vec<Diagnosis> {
    let mut found = disks(serve);
    found.extend(permissions(serve));
    found.extend(backups(serve));
    found.push(facts(serve, end));
    found
}

/// Returns the folders in which the server writes.
fn folders(serve: &Serve) -> Vec<(&'static str, PathBuf)> {
    let folder = |file: PathBuf| {
        let parent = file.parent().filter(|folder| *folder != Path::new(""));
        parent.unwrap_or(Path::new(".")).to_owned()
    };
    let facts = facts_folder(&serve.database.database, serve.facts.as_deref());
    let database = database_file(serve).map(|file| ("the database", folder(file)));
    let backups = serve.backups.backup_folder.clone();
    let backups = backups.map(|folder| ("backups", folder));
    let facts = ("facts", folder(facts));
    database.into_iter().chain([facts]).chain(backups).collect()
}

fn disks(serve: &Serve) -> Vec<Diagnosis> {
    let mut examined: Vec<(u64, u64)> = Vec::new();
    let mut found = Vec::new();
    for (what, folder) in folders(serve) {
        let existing = folder.ancestors().find(|path| path.exists());
        let existing = existing.unwrap_or(Path::new("."));
        let (Ok(free), Ok(total)) = (fs4::available_space(existing), fs4::total_space(existing))
        else {
            continue;
        };
        // Folders of one disk have the same numbers.
        if examined.contains(&(free, total)) {
            continue;
        }
        examined.push((free, total));
        let detail = format!(
            "{} of {} are free for {what} in {}",
            bytes(free),
            bytes(total),
            existing.display()
        );
        let advice = "free some space, or move the files to a larger disk";
        found.push(match free {
            free if free < LEAST_FREE => Diagnosis::damaged("disk", detail, advice),
            free if free < LITTLE_FREE => Diagnosis::warning("disk", detail, advice),
            _ => Diagnosis::healthy("disk", detail),
        });
    }
    found
}

/// Returns the files that contain secrets.
fn secret_files(serve: &Serve) -> Vec<PathBuf> {
    let database = database_file(serve);
    let beside = |end: &str| {
        let mut name = database.clone()?.into_os_string();
        name.push(end);
        Some(PathBuf::from(name))
    };
    let backups = serve.backups.backup_folder.as_deref();
    let backups = backups.and_then(|folder| complete_backups(folder).ok());
    let backups = backups.into_iter().flatten();
    let backups = backups.flat_map(|(file, _)| [key_copy(&file), manifest_file(&file), file]);
    ["", "-wal", "-shm"]
        .into_iter()
        .filter_map(beside)
        .chain([serve.key.file(&serve.database)])
        .chain(backups)
        .filter(|path| path.exists())
        .collect()
}

#[cfg(unix)]
fn permissions(serve: &Serve) -> Vec<Diagnosis> {
    use std::os::unix::fs::PermissionsExt;
    let files = secret_files(serve);
    let open = files.iter().filter_map(|file| {
        let mode = std::fs::metadata(file).ok()?.permissions().mode() & 0o777;
        (mode & 0o077 != 0).then(|| {
            Diagnosis::warning(
                "permissions",
                format!(
                    "other users can read or write {} (mode {mode:04o}), which has secrets",
                    file.display()
                ),
                format!("chmod 600 {}", file.display()),
            )
        })
    });
    let open: Vec<Diagnosis> = open.collect();
    match (open.is_empty(), files.len()) {
        (true, 0) => Vec::new(),
        (true, count) => vec![Diagnosis::healthy(
            "permissions",
            format!("only their owner can read the {count} files with secrets"),
        )],
        (false, _) => open,
    }
}

#[cfg(not(unix))]
fn permissions(_: &Serve) -> Vec<Diagnosis> {
    Vec::new()
}

fn backups(serve: &Serve) -> Vec<Diagnosis> {
    let options = &serve.backups;
    let Some(folder) = &options.backup_folder else {
        return vec![Diagnosis::warning(
            "backup",
            "no scheduled backups are configured",
            "set backup.folder, best on another disk, or run `tabularium backup` by a timer",
        )];
    };
    let advice = "read the log of the server for the reason, or run `tabularium backup`";
    let complete = match complete_backups(folder) {
        Ok(complete) => complete,
        Err(error) => {
            return vec![Diagnosis::warning(
                "backup",
                format!("there is no backup yet: {error}"),
                "start the server, which makes the first one at once",
            )];
        }
    };
    let Some((file, manifest)) = complete.last() else {
        return vec![Diagnosis::warning(
            "backup",
            format!("{} has no complete backup", folder.display()),
            advice,
        )];
    };
    let age = Timestamp::now().as_microsecond() - manifest.created_at.as_microsecond();
    let detail = format!(
        "the newest is {} old: {} ({}, {} games)",
        time(age),
        file.display(),
        bytes(manifest.bytes),
        manifest.rows("games")
    );
    let every = i64::try_from(options.backup_every.as_micros()).unwrap_or(i64::MAX);
    let size = std::fs::metadata(file).map(|metadata| metadata.len()).ok();
    let mut found = vec![
        match (size == Some(manifest.bytes), age > every.saturating_mul(2)) {
            (false, _) => Diagnosis::damaged(
                "backup",
                format!("{} does not have the size in its manifest", file.display()),
                "make another with `tabularium backup`",
            ),
            (true, true) => Diagnosis::warning("backup", detail, advice),
            (true, false) => Diagnosis::healthy("backup", detail),
        },
    ];
    let has_key = complete.iter().any(|(_, manifest)| manifest.key.is_some());
    if !has_key {
        found.push(Diagnosis::healthy(
            "backup",
            "no backup includes the signing key: keep a copy of its file in another place",
        ));
    }
    found
}

fn facts(serve: &Serve, end: Option<i64>) -> Diagnosis {
    let folder = facts_folder(&serve.database.database, serve.facts.as_deref());
    let shown = folder.display();
    let store = analytics::FactsStore::new(&folder);
    let manifest = match store.manifest() {
        Ok(manifest) => manifest,
        Err(error) => {
            return Diagnosis::warning(
                "facts",
                format!("{shown} cannot be used: {error}"),
                "the next start of the server computes the facts again",
            );
        }
    };
    let damaged = store.damaged(&manifest.parts);
    if let Some((_, file)) = damaged.first() {
        return Diagnosis::warning(
            "facts",
            format!(
                "{} files of {shown} are damaged, such as {}",
                damaged.len(),
                file.display()
            ),
            "the server computes them again; check the disk",
        );
    }
    if manifest.without_facts > 0 {
        return Diagnosis::warning(
            "facts",
            format!(
                "{} games of {shown} have no facts, because they are damaged",
                manifest.without_facts
            ),
            "run `tabularium verify`, repair the games from a backup, then `tabularium rebuild facts`",
        );
    }
    let games = manifest.version().games;
    match (&manifest.cursor, end) {
        (Some(cursor), Some(end)) if cursor.position > end => Diagnosis::warning(
            "facts",
            format!("{shown} belongs to another database, or to a later state of this one"),
            "the next start of the server computes the facts again",
        ),
        (None, _) => Diagnosis::healthy("facts", format!("none yet in {shown}")),
        _ => Diagnosis::healthy(
            "facts",
            format!("{games} games in {shown}, checksums agree"),
        ),
    }
}
