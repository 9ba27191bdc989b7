//! The server with which the speed of answers is compared.

use actix_web::{App, HttpResponse, HttpServer, web};

/// Starts a server with a single handler that answers these bytes, and returns its address.
pub fn start_bare_server(bytes: web::Bytes) -> String {
    let answer = move || {
        let bytes = bytes.clone();
        async move {
            HttpResponse::Ok()
                .content_type("application/json")
                .body(bytes)
        }
    };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        let app = move || App::new().route("/", web::get().to(answer.clone()));
        let server = HttpServer::new(app).workers(2).disable_signals();
        let server = server.listen(listener).expect("it listens");
        actix_web::rt::System::new().block_on(server.run())
    });
    format!("http://{address}/")
}
