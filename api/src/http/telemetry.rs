//! Logs, metrics, and where traces are sent.

use std::io::IsTerminal;
use std::sync::OnceLock;

use metrics::{counter, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use reqwest::Url;
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use crate::http::metric::{METRICS, Metric};
use crate::http::traces::{Traces, is_for_logs};

/// The format of log lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Text for people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

/// Starts logging to standard error, and sends traces to a collector, if there is one.
/// `RUST_LOG` selects the events of the log. A second call changes nothing.
///
/// # Errors
/// If traces cannot be sent to an address of this kind.
pub fn start(format: LogFormat, collector: Option<&Url>) -> anyhow::Result<Traces> {
    let selected = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,actix_server=warn"));
    let lines = fmt::layer()
        // A log line that cannot be written, for example to a full disk, must not stop the service.
        .log_internal_errors(false)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let lines = match format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().with_span_list(false).boxed(),
    };
    let traces = Traces::new(collector)?;
    // If a logger is already installed, it stays.
    let _ = tracing_subscriber::registry()
        .with(lines.with_filter(selected.and(filter_fn(is_for_logs))))
        .with(traces.layer())
        .try_init();
    Ok(traces)
}

/// Bounds of the histograms of durations, in seconds.
const BUCKETS: &[f64] = &[
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
];

/// Starts the metrics once per process and returns a handle that renders them.
///
/// `None` if the process already has another recorder.
pub fn metrics() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let start = || {
        let durations = Matcher::Suffix("_seconds".to_owned());
        let handle = PrometheusBuilder::new()
            .set_buckets_for_metric(durations, BUCKETS)
            .and_then(PrometheusBuilder::install_recorder)
            .inspect_err(
                |error| tracing::warn!(%error, "metrics cannot be started, so /metrics is empty"),
            )
            .ok()?;
        METRICS.iter().for_each(Metric::describe);
        start_metrics();
        Some(handle)
    };
    HANDLE.get_or_init(start).as_ref()
}

/// Sets the metrics that never change, and zero for metrics without labels that have no value yet.
///
/// Prometheus computes rates of a counter only from its second value on.
fn start_metrics() {
    let started = jiff::Timestamp::now().as_microsecond() as f64 / 1e6;
    gauge!("process_start_time_seconds").set(started);
    gauge!("tabularium_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    gauge!("tabularium_live_streams").increment(0.0);
    counter!("tabularium_games_created_total").increment(0);
    counter!("tabularium_events_appended_total").increment(0);
}

/// The unit of processor times in `/proc`: the same on all machines that Linux runs on.
#[cfg(target_os = "linux")]
const TICKS_PER_SECOND: u64 = 100;

/// Sets the metrics of the process. One that cannot be read keeps its value.
#[cfg(target_os = "linux")]
pub(crate) fn measure_process() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = (status.lines())
        .find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"))
        .and_then(|kilobytes| kilobytes.parse::<u32>().ok());
    if let Some(memory) = memory {
        gauge!("process_resident_memory_bytes").set(f64::from(memory) * 1024.0);
    }
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may contain spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: Vec<u64> = (fields.split_whitespace().skip(11).take(2))
        .filter_map(|time| time.parse().ok())
        .collect();
    counter!("process_cpu_seconds_total").absolute(ticks.iter().sum::<u64>() / TICKS_PER_SECOND);
    if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
        gauge!("process_open_fds").set(files.count() as f64);
    }
    if let Ok((most, _)) = rlimit::getrlimit(rlimit::Resource::NOFILE) {
        gauge!("process_max_fds").set(most as f64);
    }
}

/// Other systems have no `/proc`.
#[cfg(not(target_os = "linux"))]
pub(crate) fn measure_process() {}
