//! Every metric of the server: its name, kind, labels and meaning.
//!
//! `/metrics` shows the meanings. A test compares this list with the metrics of a running server, with the page
//! `api/docs/monitoring.md`, and with the dashboard and the alerts in `api/packaging`.

use self::MetricKind::{Counter, Gauge, Histogram};

/// What the values of a metric are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// A number that only grows, from zero at the start of the process.
    Counter,
    /// A number that grows and shrinks.
    Gauge,
    /// Counts of durations, by upper bound.
    Histogram,
}

impl MetricKind {
    /// The name in the format of Prometheus.
    pub fn name(self) -> &'static str {
        match self {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
            MetricKind::Histogram => "histogram",
        }
    }
}

/// A metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name in the code and in the format of Prometheus.
    pub name: &'static str,
    /// What its values are.
    pub kind: MetricKind,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// The meaning, as a sentence without an end.
    pub meaning: &'static str,
}

impl Metric {
    const fn new(
        name: &'static str,
        kind: MetricKind,
        labels: &'static [&'static str],
        meaning: &'static str,
    ) -> Metric {
        Metric {
            name,
            kind,
            labels,
            meaning,
        }
    }

    /// Registers the meaning with the recorder.
    pub(crate) fn describe(&self) {
        match self.kind {
            MetricKind::Counter => metrics::describe_counter!(self.name, self.meaning),
            MetricKind::Gauge => metrics::describe_gauge!(self.name, self.meaning),
            MetricKind::Histogram => metrics::describe_histogram!(self.name, self.meaning),
        }
    }
}

/// All metrics, by subject.
pub const METRICS: &[Metric] = &[
    Metric::new(
        "tabularium_requests_total",
        Counter,
        &["method", "route", "status"],
        "Answered requests",
    ),
    Metric::new(
        "tabularium_request_seconds",
        Histogram,
        &["method", "route"],
        "Seconds until the answer to a request begins",
    ),
    Metric::new(
        "tabularium_requests_refused_total",
        Counter,
        &["code"],
        "Requests refused on arrival: above a rate (`rate_limited`), or too many at a time (`overloaded`)",
    ),
    Metric::new(
        "tabularium_live_streams",
        Gauge,
        &[],
        "Live streams that are open",
    ),
    Metric::new(
        "tabularium_games_created_total",
        Counter,
        &[],
        "Games that this process created",
    ),
    Metric::new(
        "tabularium_events_appended_total",
        Counter,
        &[],
        "Events that this process appended to games",
    ),
    Metric::new(
        "tabularium_games_in_memory",
        Gauge,
        &[],
        "Games whose position is in memory",
    ),
    Metric::new(
        "tabularium_commit_seconds",
        Histogram,
        &[],
        "Seconds of a commit, each of up to 64 writes",
    ),
    Metric::new(
        "tabularium_disk_free_bytes",
        Gauge,
        &[],
        "Free bytes on the disk of the SQLite file; absent on PostgreSQL",
    ),
    Metric::new(
        "tabularium_check_ok",
        Gauge,
        &["check"],
        "1 if a check of `/readyz` passes, else 0; `clocks` compares those of all nodes",
    ),
    Metric::new(
        "tabularium_clock_difference_seconds",
        Gauge,
        &[],
        "Seconds by which the clock of this node differs most from those of other nodes",
    ),
    Metric::new(
        "tabularium_backup_time_seconds",
        Gauge,
        &[],
        "When this node began its last scheduled backup, in seconds since 1970; absent without one",
    ),
    Metric::new(
        "tabularium_work_due",
        Gauge,
        &[],
        "Scheduled jobs whose time has come, on all nodes",
    ),
    Metric::new(
        "tabularium_work_leased",
        Gauge,
        &[],
        "Scheduled jobs that a node carries out",
    ),
    Metric::new(
        "tabularium_work_oldest_seconds",
        Gauge,
        &[],
        "Seconds by which the oldest due job is late",
    ),
    Metric::new(
        "tabularium_work_quarantined",
        Gauge,
        &[],
        "Scheduled jobs that are set aside because a retry does not help",
    ),
    Metric::new(
        "tabularium_work_failures_total",
        Counter,
        &["kind"],
        "Failed attempts at scheduled jobs",
    ),
    Metric::new(
        "tabularium_projection_failures_total",
        Counter,
        &["projection"],
        "Failed batches of a projection; they are retried",
    ),
    Metric::new(
        "tabularium_projection_skipped_total",
        Counter,
        &["projection"],
        "Games that a projection skipped because they failed every time",
    ),
    Metric::new(
        "tabularium_statistics_games",
        Gauge,
        &[],
        "Games in the statistics",
    ),
    Metric::new(
        "tabularium_statistics_games_without_facts",
        Gauge,
        &[],
        "Damaged games without facts, which the statistics omit",
    ),
    Metric::new(
        "tabularium_statistics_lag_events",
        Gauge,
        &[],
        "Events of the log that the statistics have not read yet",
    ),
    Metric::new(
        "tabularium_webhook_attempts_total",
        Counter,
        &["outcome"],
        "Attempts to deliver a webhook, `delivered` or `failed`",
    ),
    Metric::new(
        "tabularium_notices_total",
        Counter,
        &["channel", "outcome"],
        "Attempts to send a notice by `mail` or `push`: `sent` or `failed`",
    ),
    Metric::new(
        "tabularium_build_info",
        Gauge,
        &["version"],
        "Always 1; the label is the version of the program",
    ),
    Metric::new(
        "process_start_time_seconds",
        Gauge,
        &[],
        "When the process started, in seconds since 1970",
    ),
    Metric::new(
        "process_cpu_seconds_total",
        Counter,
        &[],
        "Whole seconds of processor time (only Linux)",
    ),
    Metric::new(
        "process_resident_memory_bytes",
        Gauge,
        &[],
        "Memory in use (only Linux)",
    ),
    Metric::new(
        "process_open_fds",
        Gauge,
        &[],
        "Open files and connections (only Linux)",
    ),
    Metric::new(
        "process_max_fds",
        Gauge,
        &[],
        "The most open files and connections that the system allows (only Linux)",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// `TABULARIUM_WRITE_METRICS=1` writes the table of metrics in the documentation.
    #[test]
    fn the_documentation_has_every_metric() {
        const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/monitoring.md");
        const HEAD: &str = "| metric | kind | labels | meaning |\n| --- | --- | --- | --- |\n";
        let rows = METRICS.iter().map(|metric| {
            let labels: Vec<String> = (metric.labels.iter())
                .map(|label| format!("`{label}`"))
                .collect();
            let kind = metric.kind.name();
            let (name, labels, meaning) = (metric.name, labels.join(", "), metric.meaning);
            format!("| `{name}` | {kind} | {labels} | {meaning} |\n")
        });
        let table = HEAD.to_owned() + &rows.collect::<String>();
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (before, rest) = page.split_once(HEAD).unwrap();
        let end = rest.find("\n\n").unwrap();
        let written = format!("{before}{table}{}", &rest[end + 1..]);
        if std::env::var_os("TABULARIUM_WRITE_METRICS").is_some() {
            std::fs::write(PAGE, &written).unwrap();
        } else {
            assert_eq!(page, written);
        }
    }
}
