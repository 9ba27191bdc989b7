//! Listening, and what the framework answers by itself before the application is asked: to what is no HTTP, to
//! heads that are too large, to those that never come to an end. These answers have no body, so they are replaced
//! by problems on their way out.

use std::fmt::Debug;
use std::io;
use std::net::TcpListener;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol, Request, Response};
use actix_server::Server;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, map_config};
use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, Service, ServiceFactory, fn_service};
use actix_web::rt::net::TcpStream;
use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::problem::{Code, MEDIA_TYPE, Problem};

/// How many threads serve, and how many connections each of them takes.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The threads.
    pub threads: usize,
    /// The connections of each.
    pub connections: usize,
}

/// Serves applications on a listener, one a thread.
///
/// # Errors
/// When the system refuses the listener.
pub fn serve<F, I, S, B>(listener: TcpListener, size: Size, application: F) -> io::Result<Server>
where
    F: Fn() -> I + Send + Clone + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<Error> + 'static,
    S::InitError: Debug,
    S::Response: Into<Response<B>> + 'static,
    <S::Service as Service<Request>>::Future: 'static,
    S::Service: 'static,
    B: MessageBody + 'static,
{
    let address = listener.local_addr()?;
    let builder = Server::build()
        .workers(size.threads)
        .max_concurrent_connections(size.connections)
        .shutdown_timeout(10)
        .disable_signals();
    let stopping = builder.graceful_shutdown_signal();
    let listening = builder.listen("http", listener, move || {
        let stopping = stopping.clone();
        let application = application().into_factory();
        let application = application.map_err(|error| error.into().error_response());
        let service = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .local_addr(address)
            .finish(map_config(application, |_: ()| AppConfig::default()));
        let wire = fn_service(|stream: TcpStream| async move {
            let peer = stream.peer_addr().ok();
            Ok::<_, DispatchError>((Wire::new(stream), Protocol::Http1, peer))
        });
        wire.and_then(service)
    })?;
    Ok(listening.run())
}

/// A connection that replaces the framework's own answers.
struct Wire {
    stream: TcpStream,
    /// What is still to be written of an answer in place of another one.
    replacement: Bytes,
    /// How long that other one is.
    replaced: usize,
}

impl Wire {
    fn new(stream: TcpStream) -> Wire {
        Wire {
            stream,
            replacement: Bytes::new(),
            replaced: 0,
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wire = &mut *self;
        if wire.replaced == 0 {
            match bare_answer(bytes).and_then(|(place, head)| Some((place, replacement(head)?))) {
                None => return Pin::new(&mut wire.stream).poll_write(context, bytes),
                // First the answers before it.
                Some((place, _)) if place > 0 => {
                    return Pin::new(&mut wire.stream).poll_write(context, &bytes[..place]);
                }
                Some((_, replacement)) => {
                    wire.replacement = replacement;
                    wire.replaced = bytes.len();
                }
            }
        }
        // Whoever is told to wait comes back with the same bytes.
        while wire.replacement.has_remaining() {
            let stream = Pin::new(&mut wire.stream);
            let written = ready!(stream.poll_write(context, &wire.replacement))?;
            if written == 0 {
                return Poll::Ready(Ok(0));
            }
            wire.replacement.advance(written);
        }
        Poll::Ready(Ok(std::mem::take(&mut wire.replaced)))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// The answer that ends the bytes, when it is one that the framework formed by itself: where it begins, and its
/// head. It has no body and no headers but these; every answer of the application has others.
fn bare_answer(bytes: &[u8]) -> Option<(usize, &str)> {
    const LONGEST: usize = 200;
    if !bytes.ends_with(b"\r\n\r\n") {
        return None;
    }
    let end = &bytes[bytes.len().saturating_sub(LONGEST)..];
    let place = end.windows(7).rposition(|window| window == b"HTTP/1.")?;
    let head = std::str::from_utf8(&end[place..]).ok()?;
    let mut headers = head.split("\r\n").skip(1).filter(|line| !line.is_empty());
    let known = ["content-length: 0", "date: ", "connection: "];
    let is_bare = headers.all(|line| {
        let line = line.to_ascii_lowercase();
        known.iter().any(|known| line.starts_with(known))
    });
    is_bare.then_some((bytes.len() - end.len() + place, head))
}

/// The problem in place of an answer with this head; `None` when it is no error.
fn replacement(head: &str) -> Option<Bytes> {
    let (status_line, headers) = head.split_once("\r\n")?;
    let problem = match status_line.split(' ').nth(1)? {
        "400" => Problem::new(
            Code::MalformedRequest,
            "what was sent cannot be read as HTTP/1.1",
        ),
        "408" => Problem::new(
            Code::RequestTimeout,
            "the head of the request did not come in time",
        ),
        "431" => Problem::new(
            Code::HeadTooLarge,
            "request line and headers are longer than 128 KiB together",
        ),
        "500" => Problem::new(Code::Internal, "the request was not answered"),
        _ => return None,
    };
    let labels = [("code", problem.code.name())];
    metrics::counter!("tabularium_requests_refused_total", &labels).increment(1);
    // A problem is plain data with string keys, which is always JSON.
    let body = serde_json::to_string(&problem).ok()?;
    let is_date = |line: &&str| line.to_ascii_lowercase().starts_with("date: ");
    let date = headers.split("\r\n").find(is_date);
    let date = date.map_or_else(String::new, |date| format!("{date}\r\n"));
    Some(Bytes::from(format!(
        "{status_line}\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {}\r\nconnection: close\r\n\
         x-content-type-options: nosniff\r\n{date}\r\n{body}",
        body.len()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_answers_of_the_framework_are_replaced() {
        let bare = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\
            date: Sat, 21 Nov 2026 17:00:00 GMT\r\n\r\n";
        let (place, head) = bare_answer(bare).unwrap();
        assert_eq!((place, head.len()), (0, bare.len()));
        let told = replacement(head).unwrap();
        let told = std::str::from_utf8(&told).unwrap();
        assert!(told.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{told}");
        assert!(
            told.contains("\r\ndate: Sat, 21 Nov 2026 17:00:00 GMT\r\n\r\n{"),
            "{told}"
        );
        assert!(told.contains("\"code\":\"malformed_request\""), "{told}");
        let behind = [&b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"[..], bare].concat();
        assert_eq!(bare_answer(&behind).unwrap().0, behind.len() - bare.len());
        for own in [
            &b"HTTP/1.1 304 Not Modified\r\ncontent-length: 0\r\netag: \"1\"\r\n\r\n"[..],
            b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
            b"0\r\n\r\n",
        ] {
            assert!(bare_answer(own).is_none(), "{own:?}");
        }
    }
}
