//! The gate that every request passes.

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

/// Paths that are answered whatever happens, for who watches over the service.
pub const UNLIMITED_PATHS: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// What is counted by the limits.
#[derive(Debug)]
pub struct Gate {
    /// The limits.
    pub limits: Limits,
    /// How many connections there may be.
    pub connections: Connections,
    rates: Rates,
    load: Load,
    streams: Streams,
    analyses: RunningAnalyses,
}

/// The answer of a request is a live stream.
struct IsLive;

/// How the caller of a request stands under the policies that it fell under.
#[derive(Default)]
struct Standings(Vec<QuotaStanding>);

impl Gate {
    /// A gate that nobody has passed.
    pub fn new(limits: Limits) -> Arc<Gate> {
        let connections = Connections::bound(&limits);
        Arc::new(Gate {
            connections,
            rates: Rates::new(&limits),
            load: Load::new(&limits),
            streams: Streams::new(&limits, connections.streams()),
            analyses: RunningAnalyses::new(&limits),
            limits,
        })
    }

    /// Makes this thread one that answers requests behind the gate, within its runtime.
    pub fn settle(&self) {
        self.load.settle();
    }

    /// Forgets from time to time who has not come for long; it never ends.
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
        let mut extensions = request.extensions_mut();
        let visitor = extensions.get::<Visitor>().copied();
        let standing = visitor.and_then(|visitor| self.rates.count(&visitor, policy, times));
        let Some(standing) = standing else {
            return Ok(());
        };
        match extensions.get_mut::<Standings>() {
            Some(standings) => standings.0.push(standing),
            None => {
                extensions.insert(Standings(vec![standing]));
            }
        }
        if !standing.refused {
            return Ok(());
        }
        let name = policy.name();
        let mut limits = self.limits.all().into_iter();
        let limit = limits.find(|limit| limit.name() == name);
        let bounds = limit.map(|limit| limit.bounds).unwrap_or_default();
        let detail = format!(
            "{name}: {bounds} At most {} in {} seconds",
            standing.rate.quantity, standing.rate.seconds
        );
        Err(Problem::again(Code::RateLimited, detail, standing.seconds))
    }
}

/// Counts a call under a policy besides those that every request falls under.
///
/// # Errors
/// 429 when it is one too many.
pub fn charge(request: &HttpRequest, policy: Policy) -> Result<(), Problem> {
    charge_as(request, policy, 1)
}

/// Counts a call under a policy as so many, or, if these are more than the whole quota, as the whole.
///
/// # Errors
/// 429 when it is too much.
pub fn charge_as(request: &HttpRequest, policy: Policy, times: usize) -> Result<(), Problem> {
    let times = u32::try_from(times).unwrap_or(u32::MAX);
    match request.app_data::<web::Data<Gate>>() {
        Some(gate) => gate.charge(request, policy, times),
        None => Ok(()),
    }
}

/// Who calls, as the gate knows it; nobody is known where there is none.
pub fn visitor(request: &HttpRequest) -> Option<Visitor> {
    request.extensions().get().copied()
}

/// Begins a live stream, of one game or of the log of all games. Where there is no gate, nothing is
/// counted.
///
/// # Errors
/// 429 when the caller's address has too many, 503 when there are too many in all.
pub fn stream(request: &HttpRequest, of_log: bool) -> Result<Option<StreamGuard>, Problem> {
    let gate = request.app_data::<web::Data<Gate>>();
    let counted = gate.zip(visitor(request));
    let guard = counted.map(|(gate, visitor)| gate.streams.enter(&visitor, of_log));
    request.extensions_mut().insert(IsLive);
    guard.transpose()
}

/// Begins an analysis. Where there is no gate, nothing is counted.
///
/// # Errors
/// 429 when the caller's address has too many, 503 when there are too many in all.
pub fn analysis(request: &HttpRequest) -> Result<Option<AnalysisGuard>, Problem> {
    let gate = request.app_data::<web::Data<Gate>>();
    let counted = gate.zip(visitor(request));
    let guard = counted.map(|(gate, visitor)| gate.analyses.enter(&visitor));
    guard.transpose()
}

/// Leads a request through the gate: it is refused, with a problem, when the service has too much to do or
/// the caller has asked too much. Answers tell how the caller stands.
pub async fn layer(
    gate: web::Data<Gate>,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if UNLIMITED_PATHS.contains(&request.path()) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let (peer, headers) = (request.peer_addr(), request.headers());
    let visitor = Visitor::of(peer, headers, &gate.limits, &gate.rates.hasher);
    request.extensions_mut().insert(visitor);
    let entered = gate.load.enter(&visitor).and_then(|under_way| {
        let policies = Policy::of(request.method(), &visitor);
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
        tell(response.headers_mut(), &standings);
    }
    Ok(response)
}

fn tell(headers: &mut HeaderMap, standings: &[QuotaStanding]) {
    let (left, policies) = fields(standings);
    for (name, value) in [(RATE_LIMIT, left), (RATE_LIMIT_POLICY, policies)] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}
