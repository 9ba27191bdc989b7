//! Traces: how long each step of a request, job or projection takes, sent to an OpenTelemetry collector.
//!
//! Without a collector no span of a step is created.

use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::HeaderMap;
use actix_web::{Error, HttpMessage, web};
use anyhow::Context;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{TraceContextExt, TracerProvider};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use reqwest::Url;
use tracing::level_filters::LevelFilter;
use tracing::{Metadata, Span, Subscriber, field};
use tracing_actix_web::{RequestId, RootSpanBuilder};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use crate::db::STEP;
use crate::http::limits::options::Limits;
use crate::http::request::contract::Template;

/// Whether there is a collector. Like the log, it belongs to the process.
static IS_COLLECTED: AtomicBool = AtomicBool::new(false);

/// The target of the span of a request, which log lines show too.
const REQUEST: &str = "request";

/// Returns true for everything that log lines show.
pub fn is_for_logs(metadata: &Metadata) -> bool {
    metadata.target() != STEP
}

/// Sends spans to a collector until it is finished.
#[derive(Debug, Default)]
pub struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Prepares sending to the address at which a collector receives OTLP over HTTP, if there is one.
    ///
    /// # Errors
    /// If the client for the address cannot be built.
    pub fn new(collector: Option<&Url>) -> anyhow::Result<Traces> {
        let Some(collector) = collector else {
            return Ok(Traces(None));
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_endpoint(collector.as_str())
            .build()
            .with_context(|| format!("traces cannot be sent to {collector}"))?;
        // `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` prevail.
        let resource = Resource::builder();
        let resource = match std::env::var_os("OTEL_SERVICE_NAME") {
            Some(_) => resource,
            None => resource.with_service_name("tabularium"),
        };
        IS_COLLECTED.store(true, Ordering::Relaxed);
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource.build())
            .build();
        Ok(Traces(Some(provider)))
    }

    /// The layer that turns spans into traces.
    pub fn layer<S>(&self) -> Option<impl Layer<S> + use<S>>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        let tracer = self.0.as_ref()?.tracer("tabularium");
        let shown = Targets::new()
            .with_target(STEP, LevelFilter::INFO)
            .with_target(REQUEST, LevelFilter::INFO)
            .with_target("api", LevelFilter::INFO);
        let layer = tracing_opentelemetry::layer().with_tracer(tracer);
        Some(layer.with_filter(shown))
    }

    /// Sends what is left.
    pub fn finish(&self) {
        if let Some(provider) = &self.0
            && let Err(error) = provider.shutdown()
        {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

/// The span of a request. Fields have the names of OpenTelemetry's conventions for HTTP.
///
/// Neither the query nor a code in the path is recorded, because both may be secret.
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let route = &*Template::find(request).name();
        let id = request.extensions().get::<RequestId>().copied();
        let connection = request.connection_info();
        // Log lines do not need these fields.
        let is_traced = IS_COLLECTED.load(Ordering::Relaxed);
        let name = || field::display(format!("{} {route}", request.method()));
        let span = tracing::info_span!(
            target: REQUEST,
            "HTTP request",
            http.request.method = %request.method(),
            http.route = route,
            http.response.status_code = field::Empty,
            url.path = shown_path(request),
            client.address = connection.peer_addr().unwrap_or_default(),
            request_id = id.map(field::display),
            otel.name = is_traced.then(name),
            otel.kind = is_traced.then_some("server"),
            otel.status_code = field::Empty,
        );
        if has_trusted_peer(request) {
            let caller = Headers(request.headers());
            let caller = TraceContextPropagator::new().extract(&caller);
            if caller.has_active_span() {
                // It fails where traces are not collected.
                let _ = span.set_parent(caller);
            }
        }
        span
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        let status = match outcome {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        span.record("http.response.status_code", status.as_u16());
        if status.is_server_error() {
            span.record("otel.status_code", "ERROR");
        }
    }
}

/// The path of a request as logs and traces show it. A code in it is secret.
pub fn shown_path(request: &ServiceRequest) -> String {
    let template = Template::of(request);
    let secret = template.path().filter(|path| path.contains("{code}"));
    secret.unwrap_or(request.path()).to_owned()
}

/// Strangers must not add to traces, nor decide what is traced.
fn has_trusted_peer(request: &ServiceRequest) -> bool {
    let limits = request.app_data::<web::Data<Limits>>();
    let peer = request.peer_addr();
    limits
        .zip(peer)
        .is_some_and(|(limits, peer)| limits.trusts(peer.ip()))
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}
