//! The application: every route, and what every request passes on its way there.

mod fallback;
mod middleware;

use std::net::TcpListener;
use std::sync::Arc;

use actix_web::middleware::{Compress, from_fn};
use actix_web::{App, HttpServer, web};
use tracing_actix_web::TracingLogger;
use utoipa_actix_web::AppExt;

use crate::games::Games;
use crate::limits::Limits;
use crate::reply::Closing;
use crate::statistics::Statistics;
use crate::{docs, routes};

/// Serves the application on a listener.
///
/// # Errors
/// When the system refuses the listener.
pub fn listen(
    listener: TcpListener,
    games: Arc<Games>,
    statistics: Arc<Statistics>,
    closing: Closing,
    limits: Limits,
) -> std::io::Result<actix_web::dev::Server> {
    let methods = web::Data::new(fallback::Methods::of(&docs::document()));
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::from(games.clone()))
            .app_data(web::Data::from(statistics.clone()))
            .app_data(web::Data::new(closing.clone()))
            .app_data(web::Data::new(limits))
            .app_data(methods.clone())
            .app_data(web::PayloadConfig::new(limits.body))
            .into_utoipa_app()
            .configure(routes::configure)
            .map(|app| app.configure(docs::page::configure))
            .into_app()
            .default_service(web::to(fallback::fallback))
            // The last wrapped is the first to see a request.
            .wrap(from_fn(middleware::problems))
            .wrap(from_fn(middleware::count))
            .wrap(Compress::default())
            .wrap(from_fn(middleware::cors))
            .wrap(from_fn(middleware::request_id))
            .wrap(TracingLogger::default())
    });
    Ok(server
        .workers(std::thread::available_parallelism().map_or(2, usize::from))
        .shutdown_timeout(10)
        .disable_signals()
        .listen(listener)?
        .run())
}
