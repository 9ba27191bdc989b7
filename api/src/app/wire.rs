//! Listening, and what the framework does by itself:
//! - It answers what is no HTTP, heads that are too large and heads that never come to an end, before the application is
//!   asked. These answers have no body, so they are replaced by problems on their way out.
//! - It closes connections on requests that it has not read to their end, which would make the system discard the answer.
//!   A connection is read on for a moment, so that the answer arrives.
//! - It takes part in any change of protocol that a request asks for ([`ignore_upgrade`]).

use std::fmt::Debug;
use std::io;
use std::net::TcpListener;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_http::error::{DispatchError, PayloadError};
use actix_http::header::{CONTENT_LENGTH, HeaderValue, UPGRADE};
use actix_http::{
    ConnectionType, HttpMessage, HttpService, Method, Payload, Protocol, Request, Response,
    ResponseHead,
};
use actix_server::Server;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, apply_fn_factory, map_config};
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, Service, ServiceFactory, fn_service};
use actix_web::rt::net::TcpStream;
use actix_web::{Error, ResponseError};
use bytes::{Buf, Bytes};
use futures_util::stream::{Stream, StreamExt, unfold};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::limits::overloaded;
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
        let application = apply_fn_factory(application, |mut request: Request, application| {
            let upgrade = ignore_upgrade(&mut request);
            let answered = application.call(request);
            async move {
                let mut answered = answered.await.map(Into::<Response<B>>::into);
                upgrade.mark(match &mut answered {
                    Ok(answer) => answer.head_mut(),
                    Err(answer) => answer.head_mut(),
                });
                answered
            }
        });
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

/// What the framework makes of a request that asks for another protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Upgrade {
    /// The request asks for none.
    None,
    /// The framework closes the connection behind the answer.
    Closes,
    /// The framework also takes all that follows for the body of the request, and writes no chunks.
    Streams,
}

/// Makes a request that asks for another protocol one that does not: the service has none to offer, and the request is
/// to be answered all the same (RFC 9110, section 7.8). The framework has decided by then how it answers, so the
/// answer must say the same: [`Upgrade::mark`].
fn ignore_upgrade(request: &mut Request) -> Upgrade {
    if !request.upgrade() && !request.headers().contains_key(UPGRADE) {
        return Upgrade::None;
    }
    if request.chunked().unwrap_or(false) {
        return Upgrade::Closes;
    }
    let headers = request.headers();
    let length = headers.get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.trim().parse().ok());
    let length: u64 = length.unwrap_or(0);
    let is_socket = |value: &HeaderValue| {
        let value = value.to_str().unwrap_or_default().trim();
        value.eq_ignore_ascii_case("websocket")
    };
    let streams = headers.get_all(UPGRADE).any(is_socket)
        || (request.method() == Method::CONNECT && length == 0);
    if !streams {
        return Upgrade::Closes;
    }
    *request.payload() = match (request.take_payload(), length) {
        (_, 0) => Payload::None,
        (payload, length) => Payload::Stream {
            payload: Box::pin(first(payload, length)),
        },
    };
    Upgrade::Streams
}

/// The first bytes of a body.
fn first(
    payload: Payload,
    length: u64,
) -> impl Stream<Item = Result<Bytes, PayloadError>> + 'static {
    unfold((payload, length), |(mut payload, left)| async move {
        if left == 0 {
            return None;
        }
        let part = payload.next().await?;
        let part = part.map(|mut part| {
            part.truncate(usize::try_from(left).unwrap_or(usize::MAX));
            part
        });
        let left = part.as_ref().map_or(0, |part| left - part.len() as u64);
        Some((part, (payload, left)))
    })
}

impl Upgrade {
    /// Has an answer say how it ends.
    fn mark(self, answer: &mut ResponseHead) {
        if self != Upgrade::None {
            answer.set_connection_type(ConnectionType::Close);
        }
        if self == Upgrade::Streams {
            answer.no_chunking(true);
        }
    }
}

/// For how long a connection is read on that is closed before the client has sent all.
const LINGER: Duration = Duration::from_secs(2);

/// A connection that replaces the framework's own answers, and sees to it that answers arrive.
struct Wire {
    stream: TcpStream,
    /// What is still to be written of an answer in place of another one.
    replacement: Bytes,
    /// How long that other one is.
    replaced: usize,
    /// Until when the client may still send, once this side is closed.
    closing: Option<Pin<Box<Sleep>>>,
}

impl Wire {
    fn new(stream: TcpStream) -> Wire {
        Wire {
            stream,
            replacement: Bytes::new(),
            replaced: 0,
            closing: None,
        }
    }

    /// Whether the client has sent what was not read yet. It is thrown away.
    fn has_unread(&mut self, context: &mut Context<'_>) -> bool {
        let mut bytes = [0; 1_024];
        let mut buffer = ReadBuf::new(&mut bytes);
        let read = Pin::new(&mut self.stream).poll_read(context, &mut buffer);
        matches!(read, Poll::Ready(Ok(()))) && !buffer.filled().is_empty()
    }

    /// Closes this side, and reads on for a moment while the client is `sending`. Were the connection closed with
    /// something unread, the system would tell the client to forget the answer.
    fn poll_close(&mut self, context: &mut Context<'_>, mut sending: bool) -> Poll<io::Result<()>> {
        if self.closing.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        } else {
            sending = true;
        }
        let mut bytes = [0; 8_192];
        loop {
            let mut buffer = ReadBuf::new(&mut bytes);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Pending if !sending => return Poll::Ready(Ok(())),
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => sending = true,
                Poll::Pending => {}
                // The client has closed too, or is gone.
                Poll::Ready(_) => return Poll::Ready(Ok(())),
            }
            let closing = self.closing.get_or_insert_with(|| Box::pin(sleep(LINGER)));
            if closing.as_mut().poll(context).is_ready() {
                return Poll::Ready(Ok(()));
            }
            if buffer.filled().is_empty() {
                return Poll::Pending;
            }
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
            match bare_answer(bytes).and_then(|(place, head)| Some((place, head, problem(head)?))) {
                None => return Pin::new(&mut wire.stream).poll_write(context, bytes),
                // First the answers before it.
                Some((place, ..)) if place > 0 => {
                    return Pin::new(&mut wire.stream).poll_write(context, &bytes[..place]);
                }
                Some((_, head, problem)) => {
                    // The request has come, but the service was too busy to read it.
                    let is_late = problem.code == Code::RequestTimeout && wire.has_unread(context);
                    let problem = if is_late { overloaded() } else { problem };
                    wire.replacement = replacement(head, &problem);
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
        // The framework drops the connection as soon as this is written.
        ready!(wire.poll_close(context, true))?;
        Poll::Ready(Ok(std::mem::take(&mut wire.replaced)))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_close(context, false)
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
fn problem(head: &str) -> Option<Problem> {
    Some(match head.split(' ').nth(1)? {
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
    })
}

/// An answer with a problem in place of one with this head.
fn replacement(head: &str, problem: &Problem) -> Bytes {
    let labels = [("code", problem.code.name())];
    metrics::counter!("tabularium_requests_refused_total", &labels).increment(1);
    // A problem is plain data with string keys, which is always JSON.
    let body = serde_json::to_string(problem).unwrap_or_default();
    let is_date = |line: &&str| line.to_ascii_lowercase().starts_with("date: ");
    let date = head.split("\r\n").find(is_date);
    let own = problem.headers.iter();
    let own = own.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap_or_default()));
    let more: String = date
        .map(str::to_owned)
        .into_iter()
        .chain(own)
        .map(|line| line + "\r\n")
        .collect();
    Bytes::from(format!(
        "HTTP/1.1 {}\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {}\r\nconnection: close\r\n\
         x-content-type-options: nosniff\r\n{more}\r\n{body}",
        problem.status_code(),
        body.len()
    ))
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
        let told = replacement(head, &problem(head).unwrap());
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
