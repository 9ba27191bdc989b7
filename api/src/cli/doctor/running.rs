//! Checks a running server by its answers.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::DATE;
use reqwest::{Client, Url};
use serde_json::Value;

use crate::cli::doctor::report::{Diagnosis, time};
use crate::db::connection::{VERSION, is_newer};

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The largest difference of clocks that is not reported, in seconds. The header has whole seconds.
const TOLERANCE: i64 = 5;

/// After this time without a checkpoint, the log is reported, in microseconds.
const LONG: i64 = 2 * 24 * 60 * 60 * 1_000_000;

/// An answer, or why there is none.
struct Answered {
    status: u16,
    date: Option<Timestamp>,
    text: String,
}

async fn ask(client: &Client, server: &Url, path: &str) -> Result<Answered, String> {
    let url = server.join(path).map_err(|error| error.to_string())?;
    let answer = client.get(url).send().await.map_err(|error| {
        // The innermost error says why, such as a refused connection.
        let mut cause: &dyn std::error::Error = &error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        cause.to_string()
    })?;
    let date = answer
        .headers()
        .get(DATE)
        .and_then(|date| date.to_str().ok());
    let date = date.and_then(|date| DateTimeParser::new().parse_timestamp(date).ok());
    Ok(Answered {
        status: answer.status().as_u16(),
        date,
        text: answer.text().await.map_err(|error| error.to_string())?,
    })
}

/// Checks a running server.
pub async fn examine(server: &Url) -> Vec<Diagnosis> {
    let client = match Client::builder().timeout(PATIENCE).build() {
        Ok(client) => client,
        Err(error) => {
            return vec![Diagnosis::damaged(
                "server",
                error.to_string(),
                "check --server",
            )];
        }
    };
    let health = match ask(&client, server, "/healthz").await {
        Ok(health) => health,
        Err(error) => {
            return vec![Diagnosis::damaged(
                "server",
                format!("does not answer: {error}"),
                "check the address, and that the server runs; then examine its database with --database",
            )];
        }
    };
    let mut found = vec![version(&health)];
    found.extend(encryption(server));
    found.extend(clock(&health));
    match ask(&client, server, "/readyz").await {
        Ok(ready) => found.extend(readiness(&ready)),
        Err(error) => found.push(Diagnosis::damaged("ready", error, "read the server's log")),
    }
    if let Ok(metrics) = ask(&client, server, "/metrics").await {
        found.extend(counts(&metrics));
    }
    if let Ok(checkpoint) = ask(&client, server, "/v1/checkpoints/latest").await {
        found.extend(checkpoints(&checkpoint));
    }
    found
}

fn version(health: &Answered) -> Diagnosis {
    let body: Value = serde_json::from_str(&health.text).unwrap_or_default();
    let Some(version) = body["version"].as_str() else {
        return Diagnosis::damaged(
            "server",
            format!("/healthz is {}, without a version", health.status),
            "check that the address is that of a Tabularium server",
        );
    };
    match version {
        VERSION => Diagnosis::healthy("server", format!("version {version} answers")),
        _ if is_newer(version) => Diagnosis::warning(
            "server",
            format!("it runs version {version}, and this program is the older {VERSION}"),
            "examine it with a program of its version",
        ),
        _ => Diagnosis::warning(
            "server",
            format!("it runs version {version}, and this program is {VERSION}"),
            "upgrade the server, or examine it with a program of its version",
        ),
    }
}

fn encryption(server: &Url) -> Option<Diagnosis> {
    let host = server.host_str().unwrap_or_default();
    let is_local = host == "localhost" || host.starts_with("127.") || host == "[::1]";
    (server.scheme() == "http" && !is_local).then(|| {
        Diagnosis::warning(
            "TLS",
            "the server answers over http, so tokens can be read on the way",
            "put a proxy with TLS before it",
        )
    })
}

fn clock(health: &Answered) -> Option<Diagnosis> {
    let ahead = health.date?.as_second() - Timestamp::now().as_second();
    Some(match ahead.abs() > TOLERANCE {
        true => Diagnosis::damaged(
            "clock",
            format!(
                "the server's clock is {} seconds {} this machine's",
                ahead.abs(),
                if ahead > 0 { "ahead of" } else { "behind" }
            ),
            "set both by NTP: the server dates events by its clock",
        ),
        false => Diagnosis::healthy("clock", "agrees with this machine's"),
    })
}

fn readiness(ready: &Answered) -> Vec<Diagnosis> {
    let body: Value = serde_json::from_str(&ready.text).unwrap_or_default();
    if ready.status != 200 {
        let errors = body["errors"].as_array().cloned().unwrap_or_default();
        if errors.is_empty() {
            let detail = format!("/readyz is {}: {}", ready.status, ready.text);
            return vec![Diagnosis::damaged("ready", detail, "read the server's log")];
        }
        let each = errors.iter().map(|error| {
            let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
            Diagnosis::damaged(
                "ready",
                format!("{}: {}", text("field"), text("detail")),
                "correct the cause in the message; the server recovers by itself",
            )
        });
        return each.collect();
    }
    let checks = body["checks"].as_object().cloned().unwrap_or_default();
    let failed = checks.iter().filter(|(_, check)| check["ok"] == false);
    let mut found: Vec<Diagnosis> = failed
        .map(|(name, check)| {
            let detail = check["detail"].as_str().unwrap_or_default();
            Diagnosis::warning(
                "ready",
                format!("{name}: {detail}"),
                "correct the cause in the message",
            )
        })
        .collect();
    let quarantined = body["checks"]["workers"]["quarantined"]
        .as_u64()
        .unwrap_or(0);
    if quarantined > 0 {
        found.push(Diagnosis::warning(
            "work",
            format!("{quarantined} tasks are set aside, because they failed permanently"),
            "examine the database with --database, which lists them",
        ));
    }
    if found.is_empty() {
        found.push(Diagnosis::healthy("ready", "reads, writes and works"));
    }
    found
}

/// Returns the sum of a metric over its labels; `None` if the metric is absent.
fn metric(text: &str, name: &str) -> Option<f64> {
    let samples = text.lines().filter(|line| {
        let rest = line.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with([' ', '{']))
    });
    let values = samples.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
    values.reduce(|one, other| one + other)
}

fn counts(metrics: &Answered) -> Vec<Diagnosis> {
    if metrics.status != 200 {
        // The operator serves them at another address.
        return Vec::new();
    }
    let mut found = Vec::new();
    let skipped = metric(&metrics.text, "tabularium_projection_skipped_total").unwrap_or(0.0);
    if skipped > 0.0 {
        found.push(Diagnosis::warning(
            "derived data",
            format!("{skipped} entries were skipped, because they failed each time"),
            "run `tabularium verify`; after a repair, run `tabularium rebuild`",
        ));
    }
    if let Some(made) = metric(&metrics.text, "tabularium_backup_time_seconds") {
        let age = Timestamp::now().as_microsecond() - (made * 1e6) as i64;
        found.push(Diagnosis::healthy(
            "backup",
            format!("this node made the last one {} ago", time(age)),
        ));
    }
    found
}

fn checkpoints(checkpoint: &Answered) -> Option<Diagnosis> {
    let body: Value = serde_json::from_str(&checkpoint.text).ok()?;
    let at: Timestamp = body["at"].as_str()?.parse().ok()?;
    let age = Timestamp::now().as_microsecond() - at.as_microsecond();
    Some(match age > LONG {
        // Without new events there is no new checkpoint.
        true => Diagnosis::healthy(
            "log",
            format!(
                "the last checkpoint is {} old; a new one needs new events",
                time(age)
            ),
        ),
        false => Diagnosis::healthy("log", format!("the last checkpoint is {} old", time(age))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::report::Severity;

    fn answered(status: u16, text: &str) -> Answered {
        Answered {
            status,
            date: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_clock_that_is_an_hour_wrong_is_found() {
        for (hours, severity) in [
            (0, Severity::Healthy),
            (1, Severity::Damaged),
            (-1, Severity::Damaged),
        ] {
            let date = Timestamp::now() + jiff::SignedDuration::from_hours(hours);
            let health = Answered {
                date: Some(date),
                ..answered(200, "")
            };
            assert_eq!(clock(&health).unwrap().severity, severity);
        }
    }

    #[test]
    fn each_failed_check_is_a_finding() {
        let body = r#"{"errors": [{"field": "writable", "detail": "disk is full"}]}"#;
        let found = readiness(&answered(503, body));
        assert_eq!(found[0].severity, Severity::Damaged);
        assert_eq!(found[0].detail, "writable: disk is full");
        let body = r#"{"checks": {"clock": {"ok": false, "detail": "was set"}, "workers": {"ok": true, "quarantined": 2}}}"#;
        let found = readiness(&answered(200, body));
        let details: Vec<&str> = found.iter().map(|one| one.detail.as_str()).collect();
        assert_eq!(details[0], "clock: was set");
        assert!(details[1].starts_with("2 tasks are set aside"));
        let found = readiness(&answered(200, r#"{"checks": {}}"#));
        assert_eq!(found[0].severity, Severity::Healthy);
    }

    #[test]
    fn metrics_are_summed_over_their_labels() {
        let text = "# HELP a b\na{x=\"1\"} 2\na{x=\"2\"} 3\nab 7\n";
        assert_eq!(metric(text, "a"), Some(5.0));
        assert_eq!(metric(text, "c"), None);
    }
}
