//! What does not fit together, cannot be written, or is unsafe in an effective configuration.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};

use crate::cli::serve::Serve;
use crate::db::backup::schedule::BackupOptions;
use crate::db::url::DatabaseKind;
use crate::http::limits::options::{Limits, ProxyHeader};
use crate::statistics::facts_folder;

/// Returns each fault of the values, as a sentence that starts with a key.
pub fn faults(serve: &Serve) -> Vec<String> {
    let mut faults = Vec::new();
    let listen = addresses("listen", &serve.listen, &mut faults);
    if let Some(metrics) = &serve.metrics_listen {
        let metrics = addresses("metrics_listen", metrics, &mut faults);
        if metrics
            .iter()
            .any(|one| one.port() != 0 && listen.contains(one))
        {
            faults
                .push("metrics_listen: the same address as listen; choose another port".to_owned());
        }
    }
    if let Err(error) = serve.database.database.kind() {
        faults.push(format!("database: {error}"));
    }
    if let Err(error) = serve.data.library() {
        faults.push(format!("data: {error}"));
    }
    limits(&serve.limits, &mut faults);
    let defaults = BackupOptions::default();
    if serve.backups.backup_folder.is_none() && serve.backups != defaults {
        faults.push(
            "backup.folder: no folder is set, so the other settings of backups have no effect"
                .to_owned(),
        );
    }
    if let Err(error) = serve.mail.mailer() {
        faults.push(error.to_string());
    }
    if serve.mail.mail_server.is_some() && serve.public_url.is_none() {
        faults.push("public_url: it is needed for the links of mails".to_owned());
    }
    faults.extend(paths(serve));
    faults
}

fn addresses(key: &str, text: &str, faults: &mut Vec<String>) -> Vec<SocketAddr> {
    match text.to_socket_addrs() {
        Ok(addresses) => addresses.collect(),
        Err(error) => {
            faults.push(format!(
                "{key}: {text:?} is not an address such as 127.0.0.1:8080: {error}"
            ));
            Vec::new()
        }
    }
}

fn limits(limits: &Limits, faults: &mut Vec<String>) {
    if limits.proxy_header != ProxyHeader::default() && limits.trusted_proxies.is_empty() {
        faults.push("proxy_header: it has no effect without trusted_proxy".to_owned());
    }
    let all = limits.all();
    let defaults = Limits::default().all();
    let quantity = |option: &str| {
        let found = all.iter().find(|limit| limit.option == option);
        found.map_or(0, |limit| limit.quantity)
    };
    for (limit, default) in all.iter().zip(&defaults) {
        let Some(name) = limit.option.strip_prefix("limit-address-") else {
            continue;
        };
        let total = quantity(&format!("limit-{name}"));
        // A smaller total is enough to lower both.
        if total > 0 && limit.quantity > total && limit.quantity != default.quantity {
            faults.push(format!(
                "limit.address_{}: {} is more than limit.{}, {total}, for all addresses together",
                name.replace('-', "_"),
                limit.quantity,
                name.replace('-', "_"),
            ));
        }
    }
    if limits.request_time > 0 && limits.wait > limits.request_time {
        faults.push(format!(
            "limit.wait: {} milliseconds are more than limit.time, {}, for the whole request",
            limits.wait, limits.request_time
        ));
    }
}

/// Returns the paths that the server cannot write.
fn paths(serve: &Serve) -> Vec<String> {
    let mut faults = Vec::new();
    let mut check = |key: &str, path: &Path, result: std::io::Result<()>| {
        if let Err(error) = result {
            faults.push(format!(
                "{key}: {} cannot be written: {error}",
                path.display()
            ));
        }
    };
    if let Some(file) = database_file(serve) {
        check("database", &file, check_file(&file));
    }
    let key = serve.key.file(&serve.database);
    check("key", &key, check_file(&key));
    let facts = facts_folder(&serve.database.database, serve.facts.as_deref());
    check("facts", &facts, check_folder(&facts));
    if let Some(folder) = &serve.backups.backup_folder {
        check("backup.folder", folder, check_folder(folder));
    }
    faults
}

/// Returns the path of the SQLite file, if the database is one.
pub fn database_file(serve: &Serve) -> Option<PathBuf> {
    match serve.database.database.kind() {
        Ok(DatabaseKind::Sqlite(file)) => Some(PathBuf::from(file)),
        _ => None,
    }
}

/// Checks that a file can be written, or created in its folder.
fn check_file(file: &Path) -> std::io::Result<()> {
    if file.exists() {
        return std::fs::OpenOptions::new()
            .append(true)
            .open(file)
            .map(drop);
    }
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    tempfile::tempfile_in(folder.unwrap_or(Path::new("."))).map(drop)
}

/// Checks that files can be created in a folder, or the folder itself where it is missing.
fn check_folder(folder: &Path) -> std::io::Result<()> {
    let existing = folder.ancestors().find(|path| path.exists());
    tempfile::tempfile_in(existing.unwrap_or(Path::new("."))).map(drop)
}

/// A setting that permits more than is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsafeSetting {
    /// What is unsafe.
    pub detail: String,
    /// What to do.
    pub advice: &'static str,
}

/// Returns the settings that permit more than is safe.
pub fn unsafe_settings(serve: &Serve) -> Vec<UnsafeSetting> {
    let limits = &serve.limits;
    let is_public = is_public(&serve.listen);
    let metrics = serve.metrics_listen.as_deref();
    let whole: Vec<&ipnet::IpNet> = limits
        .trusted_proxies
        .iter()
        .filter(|network| network.prefix_len() == 0)
        .collect();
    [
        (
            is_public && limits.trusted_proxies.is_empty(),
            format!(
                "the server listens on {} without TLS, and no proxy is configured: tokens can be read on the way",
                serve.listen
            ),
            "listen on 127.0.0.1 behind a proxy with TLS, and set trusted_proxy to its address",
        ),
        (
            !whole.is_empty(),
            "every caller is a trusted proxy, and can claim any address".to_owned(),
            "set trusted_proxy to the address of the proxy alone",
        ),
        (
            is_public && metrics.is_none(),
            "the metrics are public at /metrics".to_owned(),
            "set metrics_listen to an address that only you can reach, such as 127.0.0.1:9090",
        ),
        (
            metrics.is_some_and(is_public_or_any),
            format!(
                "the metrics are served on {}",
                metrics.unwrap_or_default()
            ),
            "set metrics_listen to an address that only you can reach, such as 127.0.0.1:9090",
        ),
        (
            limits.open_records,
            "everyone may import records (open_records)".to_owned(),
            "unset open_records, and import with a token that has the scope admin",
        ),
        (
            limits.webhooks_to_loopback,
            "webhooks may call services of this machine (webhooks_to_loopback)".to_owned(),
            "unset webhooks_to_loopback: it is for tests",
        ),
        (
            limits.unmetered,
            "callers are not limited (unmetered)".to_owned(),
            "unset unmetered: it is for load tests",
        ),
        (
            is_unencrypted(serve),
            "the connection to PostgreSQL may be unencrypted".to_owned(),
            "add sslmode=verify-full and sslrootcert to the URL of the database",
        ),
    ]
    .into_iter()
    .filter(|(is_unsafe, ..)| *is_unsafe)
    .map(|(_, detail, advice)| UnsafeSetting { detail, advice })
    .collect()
}

/// Returns true if other machines can reach an address.
fn is_public(address: &str) -> bool {
    let all = address.to_socket_addrs().into_iter().flatten();
    let mut addresses = all.map(|address| address.ip());
    addresses.any(|address| !address.is_loopback())
}

/// Returns true for all addresses of the machine, and for those that are not private.
fn is_public_or_any(address: &str) -> bool {
    let all = address.to_socket_addrs().into_iter().flatten();
    let mut addresses = all.map(|address| address.ip());
    addresses.any(|address| match address {
        IpAddr::V4(four) => !four.is_loopback() && !four.is_private(),
        IpAddr::V6(six) => !six.is_loopback() && !six.is_unique_local(),
    })
}

/// Returns true if passwords and data may cross a network unencrypted.
fn is_unencrypted(serve: &Serve) -> bool {
    let Ok(DatabaseKind::Postgres(url)) = serve.database.database.kind() else {
        return false;
    };
    let after = url.split("://").nth(1).unwrap_or_default();
    let main = after.split(['/', '?']).next().unwrap_or_default();
    let host = main.rsplit('@').next().unwrap_or_default();
    // Without a host, the connection is a socket of this machine.
    let is_local = ["", "localhost", "127.", "[::1]"]
        .iter()
        .any(|local| host == *local || (!local.is_empty() && host.starts_with(local)));
    let is_encrypted = ["require", "verify-ca", "verify-full"]
        .iter()
        .any(|mode| url.contains(&format!("sslmode={mode}")));
    !is_local && !is_encrypted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct CommandLine {
        #[command(flatten)]
        serve: Serve,
    }

    fn serve(folder: &Path, options: &str) -> Serve {
        let database = format!("--database=sqlite:{}", folder.join("a.db").display());
        let options = options.split_whitespace();
        let line = ["serve", &database].into_iter().chain(options);
        <CommandLine as clap::Parser>::try_parse_from(line)
            .unwrap()
            .serve
    }

    #[test]
    fn values_that_do_not_fit_together_are_found() {
        let folder = tempfile::tempdir().unwrap();
        for (options, words) in [
            ("", ""),
            ("--limit-streams 10", ""),
            ("--listen nowhere", "listen: \"nowhere\" is not an address"),
            (
                "--listen 127.0.0.1:80 --metrics-listen 127.0.0.1:80",
                "metrics_listen: the same address",
            ),
            ("--proxy-header forwarded", "proxy_header: it has no effect"),
            (
                "--limit-streams 10 --limit-address-streams 11",
                "limit.address_streams: 11 is more than limit.streams, 10",
            ),
            (
                "--limit-wait 5000 --limit-time 4000",
                "limit.wait: 5000 milliseconds",
            ),
            ("--backup-keep 3", "backup.folder: no folder is set"),
            ("--data /nowhere", "data: "),
            ("--key /nowhere/key", "key: /nowhere/key cannot be written"),
            (
                "--backup-folder /proc/backups",
                "backup.folder: /proc/backups cannot be written",
            ),
        ] {
            let found = faults(&serve(folder.path(), options)).join("\n");
            match words {
                "" => assert_eq!(found, "", "{options}"),
                words => assert!(found.contains(words), "{options}: {found}"),
            }
        }
    }

    #[test]
    fn unsafe_settings_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let found = |options: &str| unsafe_settings(&serve(folder.path(), options)).len();
        for (options, count) in [
            ("", 0),
            ("--listen 0.0.0.0:80", 2),
            ("--listen 0.0.0.0:80 --metrics-listen 10.0.0.1:90", 1),
            (
                "--listen 0.0.0.0:80 --metrics-listen 10.0.0.1:90 --trusted-proxy 10.0.0.2",
                0,
            ),
            ("--trusted-proxy 0.0.0.0/0", 1),
            ("--metrics-listen 0.0.0.0:90", 1),
            ("--open-records --unmetered --webhooks-to-loopback", 3),
        ] {
            assert_eq!(found(options), count, "{options}");
        }
        for (url, is_unsafe) in [
            ("postgres://me@db.example/x", true),
            ("postgres://me@db.example/x?sslmode=verify-full", false),
            ("postgres://me@localhost:5432/x", false),
            ("postgres:///x", false),
        ] {
            let mut serve = serve(folder.path(), "");
            serve.database.database = url.into();
            assert_eq!(is_unencrypted(&serve), is_unsafe, "{url}");
        }
    }
}
