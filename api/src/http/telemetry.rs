//! Logs and metrics.

use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

/// How log lines look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Starts logging to standard error; `RUST_LOG` chooses what. A second call changes nothing.
pub fn log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,actix_server=warn"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // What cannot be logged, as on a full disk, is no reason to fail.
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    // Logging that is there already stays.
    let _ = match format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
}

/// Bounds of the latency histogram, in seconds.
const BUCKETS: &[f64] = &[
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
];

/// Starts counting, once in a process, and gives the hand that renders the counts; `None` when
/// the process counts elsewhere.
pub fn metrics() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let start = || {
        let latency = Matcher::Full("tabularium_request_seconds".to_owned());
        PrometheusBuilder::new()
            .set_buckets_for_metric(latency, BUCKETS)
            .and_then(PrometheusBuilder::install_recorder)
            .inspect_err(|error| tracing::warn!(%error, "there are no metrics"))
            .ok()
    };
    HANDLE.get_or_init(start).as_ref()
}
