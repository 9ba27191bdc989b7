//! Streams that are opened by hand: thousands of clients of a library would dominate the measurement.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;

/// An open stream of server-sent events.
pub type Stream = Lines<BufReader<TcpStream>>;

/// Requests a stream. Returns the status, or 0 without an answer in ten seconds, and the stream if there is one.
pub async fn open_stream(socket: &str, path: &str) -> (u16, Option<Stream>) {
    let ask = format!("GET {path} HTTP/1.1\r\nHost: {socket}\r\nAccept: text/event-stream\r\n\r\n");
    let open = async {
        let mut stream = TcpStream::connect(socket).await.ok()?;
        stream.write_all(ask.as_bytes()).await.ok()?;
        let mut lines = BufReader::with_capacity(2048, stream).lines();
        let status = lines.next_line().await.ok()??;
        let status: u16 = status.split(' ').nth(1)?.parse().ok()?;
        Some((status, lines))
    };
    match tokio::time::timeout(Duration::from_secs(10), open).await {
        Ok(Some((200, lines))) => (200, Some(lines)),
        Ok(Some((status, _))) => (status, None),
        Ok(None) | Err(_) => (0, None),
    }
}
