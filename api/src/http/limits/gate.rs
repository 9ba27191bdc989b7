//! The middleware that counts every request and refuses those above a limit.

use std::sync::Arc;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, ResponseError, web};

use crate::http::limits::analyses::{AnalysisGuard, RunningAnalyses};
use crate::http::limits::connections::Connections;
use crate::http::limits::load::{Load, WORKS_FOR, WorksFor};
use crate::http::limits::options::Limits;
use crate::http::limits::rates::{
    Policy, QuotaStanding, RATE_LIMIT, RATE_LIMIT_POLICY, Rates, SWEEP, fields,
};
use crate::http::limits::sending::Sending;
use crate::http::limits::streams::{StreamGuard, Streams};
use crate::http::limits::visitor::Visitor;
use crate::http::problem::{Code, Problem};

/// Paths without limits, so that monitoring always works.
pub const UNLIMITED_PATHS: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The counters of all limits.
#[derive(Debug)]
pub struct Gate {
    /// The limits.
    pub limits: Limits,
    /// The maximum number of connections.
    pub connections: Connections,
    rates: Rates,
    load: Load,
    streams: Streams,
    analyses: RunningAnalyses,
}

/// Marks a request whose answer is a live stream.
struct IsLive;

/// The quotas of a caller under the policies that apply to the request.
#[derive(Default)]
struct Standings(Vec<QuotaStanding>);

impl Gate {
    /// Creates a gate with empty counters.
    pub fn new(limits: Limits) -> Arc<Gate> {
        let connections = Connections::bound(&limits);
        // The metric begins with zero, so that the first refusal is an increase.
        for code in [Code::RateLimited, Code::Overloaded] {
            metrics::counter!("tabularium_requests_refused_total", "code" => code.name())
                .increment(0);
        }
        Arc::new(Gate {
            connections,
            rates: Rates::new(&limits),
            load: Load::new(&limits),
            streams: Streams::new(&limits, connections.streams()),
            analyses: RunningAnalyses::new(&limits),
            limits,
        })
    }

    /// Registers the current thread as one that answers requests; call it within the thread's runtime.
    pub fn settle(&self) {
        self.load.settle();
    }

    /// Periodically evicts idle callers. Runs until shutdown.
    pub async fn sweep(self: Arc<Gate>) {
        loop {
            tokio::time::sleep(SWEEP).await;
            self.rates.sweep();
            self.load.sweep();
        }
    }

    fn charge(
        &self,
        request: &impl HttpMessage,
        policy: Policy,
        times: u32,
    ) -> Result<(), Problem> {
        let visitor = request.extensions().get::<Visitor>().copied();
        let standing = visitor.and_then(|visitor| self.rates.count(&visitor, policy, times));
        self.show(request, standing)
    }

    /// Shows the standing in the headers of the answer, and refuses the request if the quota is used up.
    fn show(
        &self,
        request: &impl HttpMessage,
        standing: Option<QuotaStanding>,
    ) -> Result<(), Problem> {
        let Some(standing) = standing else {
            return Ok(());
        };
        let mut extensions = request.extensions_mut();
        match extensions.get_mut::<Standings>() {
            Some(standings) => standings.0.push(standing),
            None => {
                extensions.insert(Standings(vec![standing]));
            }
        }
        let Some(retry) = standing.retry else {
            return Ok(());
        };
        let name = standing.policy.name();
        let mut limits = self.limits.all().into_iter();
        let limit = limits.find(|limit| limit.name() == name);
        let bounds = limit.map(|limit| limit.bounds).unwrap_or_default();
        let detail = format!(
            "{name}: at most {} in {} seconds. {bounds} Retry in {retry} seconds",
            standing.rate.quantity, standing.rate.seconds
        );
        Err(Problem::again(Code::RateLimited, detail, retry))
    }
}

/// Counts a request under a policy in addition to those of every request.
///
/// # Errors
/// 429 when the quota is used up.
pub fn charge(request: &HttpRequest, policy: Policy) -> Result<(), Problem> {
    charge_as(request, policy, 1)
}

/// Counts a request `times` times under a policy, but at most the whole quota.
///
/// # Errors
/// 429 when the rest of the quota is too small.
pub fn charge_as(request: &HttpRequest, policy: Policy, times: usize) -> Result<(), Problem> {
    let times = u32::try_from(times).unwrap_or(u32::MAX);
    match request.app_data::<web::Data<Gate>>() {
        Some(gate) => gate.charge(request, policy, times),
        None => Ok(()),
    }
}

/// Counts a request under a name, such as a handle, in addition to the policies of every request.
///
/// # Errors
/// 429 when the quota is used up.
pub fn charge_name(request: &HttpRequest, policy: Policy, name: &str) -> Result<(), Problem> {
    match request.app_data::<web::Data<Gate>>() {
        Some(gate) => gate.show(request, gate.rates.count_name(name, policy)),
        None => Ok(()),
    }
}

/// The caller as the gate sees it; `None` where there is no gate.
pub fn visitor(request: &HttpRequest) -> Option<Visitor> {
    request.extensions().get().copied()
}

/// Starts a live stream, of one game or of the log of all games. Without a gate, nothing is counted.
///
/// # Errors
/// 429 when the caller's address has too many, 503 when there are too many in total.
pub fn stream(request: &HttpRequest, of_log: bool) -> Result<Option<StreamGuard>, Problem> {
    let gate = request.app_data::<web::Data<Gate>>();
    let counted = gate.zip(visitor(request));
    let guard = counted.map(|(gate, visitor)| gate.streams.enter(&visitor, of_log));
    request.extensions_mut().insert(IsLive);
    guard.transpose()
}

/// Starts an analysis. Without a gate, nothing is counted.
///
/// # Errors
/// 429 when the caller's address has too many, 503 when there are too many in total.
pub fn analysis(request: &HttpRequest) -> Result<Option<AnalysisGuard>, Problem> {
    let gate = request.app_data::<web::Data<Gate>>();
    let counted = gate.zip(visitor(request));
    let guard = counted.map(|(gate, visitor)| gate.analyses.enter(&visitor));
    guard.transpose()
}

/// Counts a request, and refuses it with a problem if a limit is reached.
///
/// The answer's headers show the caller's quotas.
pub async fn layer(
    gate: web::Data<Gate>,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if UNLIMITED_PATHS.contains(&request.path()) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let (peer, headers) = (request.peer_addr(), request.headers());
    let visitor = Visitor::from_request(peer, headers, &gate.limits, &gate.rates.hasher);
    request.extensions_mut().insert(visitor);
    let entered = gate.load.enter(&visitor).and_then(|under_way| {
        let policies = Policy::for_request(request.method(), &visitor);
        let counted = policies
            .iter()
            .try_for_each(|policy| gate.charge(&request, *policy, 1));
        counted.map(|()| under_way)
    });
    let mut response = match entered {
        Ok(under_way) => {
            let works_for = WorksFor {
                visitor,
                begun: false,
            };
            let answered = WORKS_FOR.scope(works_for, next.call(request)).await?;
            let answered = answered.map_into_boxed_body();
            let is_live = answered.request().extensions().get::<IsLive>().is_some();
            let counted = Some(under_way.by_address).filter(|_| !is_live);
            answered.map_body(|_, body| match body.size() {
                BodySize::None | BodySize::Sized(0) => body,
                _ => BoxBody::new(Sending {
                    body,
                    visitor,
                    _counted: counted,
                }),
            })
        }
        Err(problem) => {
            let labels = [("code", problem.code.name())];
            metrics::counter!("tabularium_requests_refused_total", &labels).increment(1);
            let instance = request.path().to_owned();
            let problem = Problem {
                instance,
                ..problem
            };
            request.into_response(problem.error_response())
        }
    };
    let standings = response.request().extensions_mut().remove::<Standings>();
    if let Some(Standings(standings)) = standings {
        add_headers(response.headers_mut(), &standings);
    }
    Ok(response)
}

fn add_headers(headers: &mut HeaderMap, standings: &[QuotaStanding]) {
    let (left, policies) = fields(standings);
    for (name, value) in [(RATE_LIMIT, left), (RATE_LIMIT_POLICY, policies)] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}
