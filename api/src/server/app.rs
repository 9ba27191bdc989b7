//! The application: all routes and middleware.

use std::net::TcpListener;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::middleware::{Compress, from_fn};
use actix_web::{App, HttpServer, guard, web};
use tracing_actix_web::TracingLogger;

use crate::content::drawings::Pictures;
use crate::datasets::service::Datasets;
use crate::games::Games;
use crate::games::handlers::path::check_game;
use crate::http::limits::gate::Gate;
use crate::http::log::RequestLog;
use crate::http::reply::Closing;
use crate::http::request::PublicUrl;
use crate::http::request::body::PathCheck;
use crate::http::request::contract::{Contract, SchemaError};
use crate::http::traces::RequestSpan;
use crate::http::{count, fallback, headers, limits};
use crate::server::health::HealthMonitor;
use crate::server::index::Index;
use crate::server::operations::MetricsPlace;
use crate::server::{docs, operations, problems, routes};
use crate::services::Services;
use crate::signing::tlog;
use crate::site as pages;
use crate::site::docs::reference::Specification;
use crate::statistics::Statistics;

/// How long a connection is read after the answer, if the request was not read to its end.
///
/// Otherwise a client that is still sending would not receive the answer.
const LINGER: Duration = Duration::from_secs(2);

/// The contract for requests and the index of paths, both derived from the specification.
type ContractAndIndex = (Arc<Contract>, Arc<Index>);

/// Created once per process; the large specification itself is not kept.
static CONTRACT_AND_INDEX: LazyLock<Result<ContractAndIndex, SchemaError>> = LazyLock::new(|| {
    let document = docs::whole_or_null();
    let contract = Contract::from_document(&document)?;
    Ok((
        Arc::new(contract),
        Arc::new(Index::from_document(&document)),
    ))
});

/// Serves the application on a listener.
pub fn listen(
    listener: TcpListener,
    (services, statistics, datasets, health): (
        Services,
        Arc<Statistics>,
        Datasets,
        Arc<HealthMonitor>,
    ),
    closing: Closing,
    gate: Arc<Gate>,
    counts: MetricsPlace,
    public_url: Option<PublicUrl>,
) -> std::io::Result<Server> {
    let (contract, index) = CONTRACT_AND_INDEX
        .as_ref()
        .map_err(std::io::Error::other)?
        .clone();
    let (contract, index) = (web::Data::from(contract), web::Data::from(index));
    let log = web::Data::new(RequestLog::new());
    let pictures = web::Data::new(Pictures::default());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let connections = gate.connections.per_thread(threads);
    let server = HttpServer::new(move || {
        gate.settle();
        App::new()
            .app_data(PathCheck(check_game))
            .app_data(web::Data::new(services.clone()))
            .app_data(web::Data::from(services.library.clone()))
            .app_data(web::Data::from(services.accounts.clone()))
            .app_data(web::Data::from(services.sessions.clone()))
            .app_data(web::Data::from(services.oauth.clone()))
            .app_data(web::Data::from(services.signing.clone()))
            .app_data(web::Data::from(services.games.clone()))
            .app_data(web::Data::from(services.games.feed.clone()))
            .app_data(web::Data::from(services.games.records.clone()))
            .app_data(web::Data::from(services.lists.clone()))
            .app_data(web::Data::from(services.imports.clone()))
            .app_data(web::Data::from(services.invitations.clone()))
            .app_data(web::Data::from(services.notifications.clone()))
            .app_data(web::Data::from(services.leagues.clone()))
            .app_data(web::Data::from(services.notices.clone()))
            .app_data(web::Data::from(services.moderation.clone()))
            .app_data(web::Data::from(services.ratings.clone()))
            .app_data(web::Data::from(statistics.clone()))
            .app_data(web::Data::new(datasets.clone()))
            .app_data(web::Data::from(health.clone()))
            .app_data(web::Data::new(closing.clone()))
            .app_data(web::Data::new(gate.limits.clone()))
            .app_data(web::Data::from(gate.clone()))
            .app_data(web::Data::new(counts))
            .app_data(public_url.clone())
            .app_data(contract.clone())
            .app_data(index.clone())
            .app_data(log.clone())
            .app_data(pictures.clone())
            .app_data(web::Data::new(Specification(|| docs::texts().new.clone())))
            // It shares `/` with the API.
            .service(pages::home::home_page)
            // Without this route, other methods would match the route of a game.
            .route("/v1/games/count", other_methods())
            .configure(routes::configure)
            .configure(docs::serve::configure)
            .configure(tlog::handlers::configure)
            .configure(pages::configure)
            .default_service(web::to(fallback::fallback))
            // The last middleware added is the first to see a request.
            .wrap(from_fn(problems::problems))
            .wrap(from_fn(count::count))
            .wrap(from_fn(pages::errors::errors))
            .wrap(Compress::default())
            .wrap(from_fn(limits::gate::layer))
            .wrap(from_fn(headers::headers))
            .wrap(TracingLogger::<RequestSpan>::new())
    });
    Ok(server
        .workers(threads)
        .max_connections(connections)
        .client_disconnect_timeout(LINGER)
        // Else the second piece of a stream waits until the first is acknowledged, which can take 40 ms.
        .tcp_nodelay(true)
        .shutdown_timeout(10)
        .disable_signals()
        .listen(listener)?
        .run())
}

/// Returns the fallback for all methods except GET and HEAD.
fn other_methods() -> actix_web::Route {
    let reads = guard::Any(guard::Get()).or(guard::Head());
    web::route().guard(guard::Not(reads)).to(fallback::fallback)
}

/// Serves only the metrics, on a listener of their own.
pub fn listen_for_metrics(
    listener: TcpListener,
    games: Arc<Games>,
    health: Arc<HealthMonitor>,
) -> std::io::Result<Server> {
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::from(games.clone()))
            .app_data(web::Data::from(health.clone()))
            .app_data(web::Data::new(MetricsPlace::Here))
            .service(operations::get_metrics)
            .default_service(web::to(fallback::metrics_only))
    });
    Ok(server
        .workers(1)
        .max_connections(1000)
        .disable_signals()
        .listen(listener)?
        .run())
}
