//! The application: every route, and what every request passes on its way there.

mod count;
mod fallback;
mod headers;
mod log;
mod problems;
mod wire;

use std::net::TcpListener;
use std::sync::Arc;

use actix_web::middleware::{Compress, from_fn};
use actix_web::{App, guard, web};
use tracing_actix_web::TracingLogger;
use utoipa_actix_web::AppExt;

use crate::games::Games;
use crate::health::Health;
use crate::limits::{self, Gate};
use crate::reply::Closing;
use crate::request::Contract;
use crate::routes::drawings::Pictures;
use crate::routes::index::Index;
use crate::routes::operations::{self, Counts};
use crate::statistics::Statistics;
use crate::{docs, pages, routes};
use log::RequestLog;
use wire::Size;

/// Serves the application on a listener.
pub fn listen(
    listener: TcpListener,
    (games, statistics, health): (Arc<Games>, Arc<Statistics>, Arc<Health>),
    closing: Closing,
    gate: Arc<Gate>,
    counts: Counts,
) -> std::io::Result<actix_web::dev::Server> {
    let document = docs::whole_or_null();
    let contract = web::Data::new(Contract::of(document));
    let index = web::Data::new(Index::of(document));
    let log = web::Data::new(RequestLog::new());
    let pictures = web::Data::new(Pictures::default());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let size = Size {
        threads,
        connections: gate.connections.of_each(threads),
    };
    wire::serve(listener, size, move || {
        gate.settle();
        App::new()
            .app_data(web::Data::from(games.clone()))
            .app_data(web::Data::from(statistics.clone()))
            .app_data(web::Data::from(health.clone()))
            .app_data(web::Data::new(closing.clone()))
            .app_data(web::Data::new(gate.limits.clone()))
            .app_data(web::Data::from(gate.clone()))
            .app_data(web::Data::new(counts))
            .app_data(contract.clone())
            .app_data(index.clone())
            .app_data(log.clone())
            .app_data(pictures.clone())
            .into_utoipa_app()
            .map(|app| app.configure(pages::configure))
            // Else its other methods would be those of a game.
            .map(|app| app.route("/v1/games/count", other_methods()))
            .configure(routes::configure)
            .map(|app| app.configure(docs::page::configure))
            .into_app()
            .default_service(web::to(fallback::fallback))
            // The last wrapped is the first to see a request.
            .wrap(from_fn(problems::problems))
            .wrap(from_fn(count::count))
            .wrap(from_fn(pages::errors))
            .wrap(Compress::default())
            .wrap(from_fn(limits::layer))
            .wrap(from_fn(headers::headers))
            .wrap(TracingLogger::default())
    })
}

/// What is answered to methods other than those that read.
fn other_methods() -> actix_web::Route {
    let reads = guard::Any(guard::Get()).or(guard::Head());
    web::route().guard(guard::Not(reads)).to(fallback::fallback)
}

/// Serves what the service counts, and nothing else, on a listener of its own.
pub fn listen_for_metrics(
    listener: TcpListener,
    games: Arc<Games>,
) -> std::io::Result<actix_web::dev::Server> {
    let size = Size {
        threads: 1,
        connections: 1000,
    };
    wire::serve(listener, size, move || {
        App::new()
            .app_data(web::Data::from(games.clone()))
            .app_data(web::Data::new(Counts::Here))
            .service(operations::metrics)
            .default_service(web::to(fallback::nothing_but_counts))
    })
}
