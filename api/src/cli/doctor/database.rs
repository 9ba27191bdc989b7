//! Checks a database: schema, damage, clocks, nodes, key, log, derived data and scheduled work.

use jiff::Timestamp;

use crate::cli::config::problems::database_file;
use crate::cli::doctor::report::{Diagnosis, bytes, time};
use crate::cli::serve::Serve;
use crate::db::connection::VERSION;
use crate::db::diagnosis::LogState;
use crate::db::nodes::difference;
use crate::db::{Store, StoreError};
use crate::signing::keys::read_public_key;

/// After this time without a heartbeat, a node has ended or hangs, in microseconds.
const SILENT: i64 = 3 * 60 * 1_000_000;

/// The largest difference of clocks that is not reported, in microseconds.
const TOLERANCE: i64 = 5_000_000;

/// A day, in microseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// The age of a signing key after which the operator should consider another one, in days.
const OLD_KEY: i64 = 730;

/// How many failures of scheduled work are listed.
const LISTED: i64 = 5;

/// Checks a database. Returns the end of its log of all games too, if it can be read.
pub fn examine(serve: &Serve) -> (Vec<Diagnosis>, Option<i64>) {
    let database = &serve.database.database;
    let store = match Store::open_for_reading(database) {
        Ok(store) => store,
        Err(error) => return (vec![unreadable(&error)], None),
    };
    let mut found = Vec::new();
    let mut add = |subject, checked: anyhow::Result<Vec<Diagnosis>>| match checked {
        Ok(checked) => found.extend(checked),
        Err(error) => found.push(Diagnosis::damaged(
            subject,
            format!("cannot be read: {error:#}"),
            "run `tabularium verify`, and restore a backup if data are damaged",
        )),
    };
    add("database", structure(serve, &store));
    add("clock", clocks(&store));
    add("nodes", nodes(&store));
    add("key", key(serve, &store));
    let log = store.log_state();
    let end = log.as_ref().ok().map(|log| log.position);
    add("log", log.map(|log| logs(&log)).map_err(Into::into));
    add("work", work(&store));
    add("derived data", projections(&store));
    add("tokens", tokens(&store));
    (found, end)
}

fn unreadable(error: &StoreError) -> Diagnosis {
    match error {
        StoreError::Newer { .. } => Diagnosis::damaged(
            "schema",
            error.to_string(),
            "upgrade this program, or restore a backup from before the upgrade",
        ),
        StoreError::Schema => Diagnosis::warning(
            "schema",
            error.to_string(),
            "back up the database, then start the server, or run `tabularium migrate`",
        ),
        _ => Diagnosis::damaged(
            "database",
            error.to_string(),
            "check the path or the URL, and that the database server runs",
        ),
    }
}

fn structure(serve: &Serve, store: &Store) -> anyhow::Result<Vec<Diagnosis>> {
    if let Some(damage) = store.find_damage()? {
        return Ok(vec![Diagnosis::damaged(
            "database",
            damage,
            "if the file is damaged, restore a backup; if the server is a standby, name the primary",
        )]);
    }
    let detail = match database_file(serve) {
        Some(file) => {
            let size = std::fs::metadata(&file)?.len();
            format!(
                "SQLite, {}, the structure of the file is intact",
                bytes(size)
            )
        }
        None => {
            let size = store.postgres_size()?.unwrap_or(0);
            let size = bytes(u64::try_from(size).unwrap_or(0));
            format!("PostgreSQL, {size}, accepts writes")
        }
    };
    let mut found = vec![
        Diagnosis::healthy("database", detail),
        Diagnosis::healthy("schema", format!("that of this program, {VERSION}")),
    ];
    found.extend(store.disabled_durability()?.into_iter().map(|setting| {
        let detail = format!(
            "{setting} is off: if the machine of PostgreSQL fails, acknowledged writes can be lost"
        );
        let advice = "set it to on in postgresql.conf, and check that the database and the role do not switch it off";
        Diagnosis::warning("database", detail, advice)
    }));
    Ok(found)
}

fn clocks(store: &Store) -> anyhow::Result<Vec<Diagnosis>> {
    let advice = "set all clocks by NTP";
    let mut found = Vec::new();
    match store.check_clock(false) {
        Ok(()) => {}
        Err(error @ StoreError::Clock(_)) => {
            found.push(Diagnosis::damaged("clock", error.to_string(), advice));
        }
        Err(error) => return Err(error.into()),
    }
    let disorder = store.find_disorder()?;
    if disorder.count > 0 {
        found.push(Diagnosis::warning(
            "clock",
            format!(
                "{} of the last events are dated before earlier ones, by {} at most: a clock was wrong",
                disorder.count,
                time(disorder.largest)
            ),
            "set the clocks of all nodes by NTP; the times of these events stay as they are",
        ));
    }
    if found.is_empty() {
        found.push(Diagnosis::healthy("clock", "agrees with the database"));
    }
    Ok(found)
}

fn nodes(store: &Store) -> anyhow::Result<Vec<Diagnosis>> {
    let now = Timestamp::now().as_microsecond();
    let (mut found, mut running) = (Vec::new(), 0);
    for node in store.nodes()? {
        let silent = now - node.seen_at;
        if -silent > TOLERANCE {
            found.push(Diagnosis::damaged(
                "nodes",
                format!(
                    "the clock of the node {} is {} this machine's",
                    node.id,
                    difference(-silent, "ahead of", "behind")
                ),
                "set the clocks of both by NTP: events are dated by them",
            ));
        } else if silent > SILENT {
            found.push(Diagnosis::warning(
                "nodes",
                format!(
                    "the node {} was last seen {} ago and did not stop in order, or its clock is behind",
                    node.id,
                    time(silent)
                ),
                "read its log; it is forgotten after a day",
            ));
        } else {
            running += 1;
        }
        if node.jumped.abs() > TOLERANCE {
            found.push(Diagnosis::warning(
                "nodes",
                format!(
                    "the clock of the node {} was set {} while it ran, or its machine slept",
                    node.id,
                    difference(node.jumped, "ahead", "back")
                ),
                "set its clock by NTP, and restart it",
            ));
        }
        if node.version != VERSION {
            found.push(Diagnosis::warning(
                "nodes",
                format!(
                    "the node {} runs version {}, not {VERSION}",
                    node.id, node.version
                ),
                "upgrade all nodes to the same version",
            ));
        }
    }
    if found.is_empty() {
        found.push(Diagnosis::healthy(
            "nodes",
            match running {
                0 => "none runs".to_owned(),
                running => format!("{running} run, and their clocks agree"),
            },
        ));
    }
    Ok(found)
}

fn key(serve: &Serve, store: &Store) -> anyhow::Result<Vec<Diagnosis>> {
    let file = serve.key.file(&serve.database);
    let rows = store.keys()?;
    let Some(public) = read_public_key(&file)? else {
        let detail = match rows.iter().rfind(|row| row.retired_at.is_none()) {
            Some(row) => format!(
                "{} is missing; the key {} signed before",
                file.display(),
                row.id
            ),
            None => format!("{} does not exist yet", file.display()),
        };
        return Ok(vec![Diagnosis::warning(
            "key",
            detail,
            "restore its file from your copy; else the next start creates a new key",
        )]);
    };
    let id = public.id();
    let Some(row) = rows.iter().find(|row| row.id == id) else {
        return Ok(vec![Diagnosis::warning(
            "key",
            format!("the key {id} in {} has never signed here", file.display()),
            "check that the file belongs to this database; the next start registers the key",
        )]);
    };
    let age = (Timestamp::now().as_microsecond() - row.created_at) / DAY;
    Ok(vec![match row.retired_at {
        Some(_) => Diagnosis::damaged(
            "key",
            format!(
                "the key {id} in {} is retired, so the server does not start",
                file.display()
            ),
            "create a new key with `tabularium keys rotate`",
        ),
        None if age > OLD_KEY => Diagnosis::warning(
            "key",
            format!("{id} has signed for {age} days"),
            "replace it with `tabularium keys rotate`",
        ),
        None => Diagnosis::healthy("key", format!("{id} has signed for {age} days")),
    }])
}

fn logs(log: &LogState) -> Vec<Diagnosis> {
    let now = Timestamp::now().as_microsecond();
    let mut found = Vec::new();
    let tail = format!(
        "{} games, {} events; no checkpoint covers the last {}",
        log.games, log.position, log.uncovered
    );
    let age = log.covered_at.map_or(0, |at| now - at);
    found.push(match log.uncovered > 0 && age > 2 * DAY {
        true => Diagnosis::warning(
            "log",
            format!("{tail}, since {}", time(age)),
            "start the server, which makes a checkpoint each day, or run `tabularium checkpoint`",
        ),
        false => Diagnosis::healthy("log", tail),
    });
    if let Some(change) = log.last_change.filter(|change| change - now > TOLERANCE) {
        found.push(Diagnosis::damaged(
            "log",
            format!("the last change is dated {} in the future", time(change - now)),
            "set the clock of this machine right; if it was wrong when that was written, start with --trust-clock",
        ));
    }
    if log.unsigned > 0 {
        found.push(Diagnosis::warning(
            "log",
            format!("{} finished games are not signed", log.unsigned),
            "start the server, which signs them",
        ));
    }
    found
}

fn work(store: &Store) -> anyhow::Result<Vec<Diagnosis>> {
    let counts = store.work_counts()?;
    let mut found: Vec<Diagnosis> = store
        .failed_work(LISTED)?
        .into_iter()
        .map(|failed| {
            let state = match failed.quarantined_at {
                Some(_) => "is set aside for a day",
                None => "is retried",
            };
            let subject = match failed.subject.is_empty() {
                true => String::new(),
                false => format!(" of {}", failed.subject),
            };
            Diagnosis::warning(
                "work",
                format!(
                    "{}{subject} failed {} times and {state}: {}",
                    failed.kind,
                    failed.attempts,
                    failed.failure.unwrap_or_default()
                ),
                "run `tabularium verify` if a game is damaged; else correct the cause in the message",
            )
        })
        .collect();
    if counts.quarantined > LISTED {
        found.push(Diagnosis::warning(
            "work",
            format!("{} tasks are set aside in total", counts.quarantined),
            "correct the first ones, then look again",
        ));
    }
    let (disabled, failing) = store.failing_webhooks()?;
    if disabled + failing > 0 {
        found.push(Diagnosis::warning(
            "work",
            format!("{disabled} webhooks are disabled, and {failing} fail at present"),
            "their owners find the reason in the list of deliveries",
        ));
    }
    if found.is_empty() {
        found.push(Diagnosis::healthy(
            "work",
            format!("{} tasks are due, none failed", counts.due),
        ));
    }
    Ok(found)
}

fn projections(store: &Store) -> anyhow::Result<Vec<Diagnosis>> {
    let now = Timestamp::now().as_microsecond();
    let is_running = store
        .nodes()?
        .iter()
        .any(|node| now - node.seen_at < SILENT);
    let waiting = store
        .waiting_games()?
        .into_iter()
        .map(|(name, count, since)| {
            let age = since.map_or(0, |since| now - since);
            let detail = format!(
                "{name}: {count} finished games wait, the first for {}",
                time(age)
            );
            // A server applies a game within seconds.
            match is_running && age > SILENT {
                true => Diagnosis::warning(
                    "derived data",
                    detail,
                    "read the server's log for the error; after a repair, run `tabularium rebuild`",
                ),
                false => Diagnosis::healthy("derived data", detail),
            }
        });
    let mut found: Vec<Diagnosis> = waiting.collect();
    if found.is_empty() {
        found.push(Diagnosis::healthy(
            "derived data",
            "lists and ratings are up to date",
        ));
    }
    Ok(found)
}

fn tokens(store: &Store) -> anyhow::Result<Vec<Diagnosis>> {
    Ok(match store.endless_admin_tokens()? {
        0 => Vec::new(),
        count => vec![Diagnosis::warning(
            "tokens",
            format!("{count} tokens with the scope admin never expire"),
            "revoke them with `tabularium token revoke`, and create others with --expires",
        )],
    })
}
