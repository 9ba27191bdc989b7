//! Logs and metrics.

use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

/// The format of log lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Text for people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

/// Starts logging to standard error; `RUST_LOG` selects the events. A second call changes nothing.
pub fn log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,actix_server=warn"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // A log line that cannot be written, for example to a full disk, must not stop the service.
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    // If a logger is already installed, it stays.
    let _ = match format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
}

/// Bounds of the latency histogram, in seconds.
const BUCKETS: &[f64] = &[
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
];

/// Starts the metrics once per process and returns a handle that renders them.
///
/// `None` if the process already has another recorder.
pub fn metrics() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let start = || {
        let latency = Matcher::Full("tabularium_request_seconds".to_owned());
        PrometheusBuilder::new()
            .set_buckets_for_metric(latency, BUCKETS)
            .and_then(PrometheusBuilder::install_recorder)
            .inspect_err(
                |error| tracing::warn!(%error, "metrics cannot be started, so /metrics is empty"),
            )
            .ok()
    };
    HANDLE.get_or_init(start).as_ref()
}
