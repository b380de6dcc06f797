//! Addresses as people type them: `?select=data->key` and `?name=eq."x"` reach the server unencoded
//! from curl and from many clients, PostgREST reads them, and hyper answers 400 before any of our code
//! runs. The listener here encodes such characters on their way in.
//!
//! Only the address of a request line is ever touched. To find the next one the heads are followed as
//! far as the length of the body; from an upgrade, a chunked body or anything unclear on, a connection
//! passes through as it is.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// A listener whose connections may send addresses with characters that should have been encoded.
#[derive(Debug)]
pub struct ForgivingListener(pub TcpListener);

/// The address of the other end of a connection of [`ForgivingListener`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

impl Listener for ForgivingListener {
    type Io = Forgiving<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        (Forgiving::new(stream), address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

impl Connected<IncomingStream<'_, ForgivingListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, ForgivingListener>) -> Self {
        Self(*stream.remote_addr())
    }
}

/// Longest header line that is looked into.
const LONGEST_LINE: usize = 128;

/// Where in the stream of requests the next byte stands.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// In a request line; true behind its first blank.
    RequestLine(bool),
    /// In the headers, with what is known of the body's length.
    Head(u64),
    /// In a body, so many bytes before its end.
    Body(u64),
    /// Somewhere that is not followed any more.
    Beyond,
}

/// A connection whose request lines are mended.
#[derive(Debug)]
pub struct Forgiving<S> {
    stream: S,
    place: Place,
    /// The line read so far, up to [`LONGEST_LINE`].
    line: Vec<u8>,
    /// What was mended but found no room with the reader.
    waiting: Vec<u8>,
}

impl<S> Forgiving<S> {
    /// A connection at its beginning.
    pub fn new(stream: S) -> Self {
        Self {
            stream,
            place: Place::RequestLine(false),
            line: Vec::with_capacity(LONGEST_LINE),
            waiting: Vec::new(),
        }
    }

    /// Follows the bytes; gives the mended ones where any had to be.
    fn mend(&mut self, mut bytes: &[u8]) -> Option<Vec<u8>> {
        let whole = bytes;
        let mut mended: Option<Vec<u8>> = None;
        while !bytes.is_empty() {
            let taken = match self.place {
                Place::RequestLine(behind) => {
                    let (line, taken) = until_newline(bytes);
                    let blank = line.iter().position(|b| *b == b' ').filter(|_| !behind);
                    let target = blank.map_or(if behind { 0 } else { line.len() }, |at| at + 1);
                    if line.get(target..).is_some_and(|t| t.iter().any(|b| is_forgiven(*b))) {
                        let passed = whole.len() - bytes.len();
                        let into = mended
                            .get_or_insert_with(|| whole.get(..passed).unwrap_or(&[]).to_vec());
                        encode(line, target, into);
                    } else if let Some(into) = &mut mended {
                        into.extend_from_slice(line);
                    }
                    self.place = self.after_request_line(line, behind || blank.is_some());
                    bytes = bytes.get(taken..).unwrap_or(&[]);
                    continue;
                }
                Place::Head(length) => {
                    let (line, taken) = until_newline(bytes);
                    self.place = self.after_header(line, length);
                    taken
                }
                Place::Body(left) => {
                    let taken = usize::try_from(left).map_or(bytes.len(), |n| n.min(bytes.len()));
                    let left = left.saturating_sub(taken as u64);
                    self.place =
                        if left == 0 { Place::RequestLine(false) } else { Place::Body(left) };
                    taken
                }
                Place::Beyond => bytes.len(),
            };
            let (passed, rest) = bytes.split_at(taken.min(bytes.len()));
            if let Some(into) = &mut mended {
                into.extend_from_slice(passed);
            }
            bytes = rest;
        }
        mended
    }

    fn after_request_line(&mut self, part: &[u8], behind: bool) -> Place {
        self.remember(part);
        if part.last() != Some(&b'\n') {
            return Place::RequestLine(behind);
        }
        // HTTP/2 opens with a request line of its own and goes on in frames.
        let opens_frames = self.line.starts_with(b"PRI ");
        self.line.clear();
        match (opens_frames, behind) {
            (true, _) => Place::Beyond,
            // Empty lines before a request are ignored by every server.
            (false, false) => Place::RequestLine(false),
            (false, true) => Place::Head(0),
        }
    }

    fn remember(&mut self, part: &[u8]) {
        let room = LONGEST_LINE.saturating_sub(self.line.len());
        self.line.extend_from_slice(part.get(..room.min(part.len())).unwrap_or(&[]));
    }

    fn after_header(&mut self, part: &[u8], length: u64) -> Place {
        self.remember(part);
        if part.last() != Some(&b'\n') {
            return Place::Head(length);
        }
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line).to_ascii_lowercase();
        let place = match text.trim_end().split_once(':') {
            None if text.trim().is_empty() && length == 0 => Place::RequestLine(false),
            None if text.trim().is_empty() => Place::Body(length),
            Some(("content-length", value)) => {
                value.trim().parse().map_or(Place::Beyond, Place::Head)
            }
            Some(("transfer-encoding" | "upgrade", _)) => Place::Beyond,
            _ => Place::Head(length),
        };
        self.line = line;
        self.line.clear();
        place
    }
}

/// Printable characters that no address may hold, but that many do.
fn is_forgiven(byte: u8) -> bool {
    matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
}

/// The bytes up to and with the next line end, and how many they are.
fn until_newline(bytes: &[u8]) -> (&[u8], usize) {
    let taken = bytes.iter().position(|b| *b == b'\n').map_or(bytes.len(), |at| at + 1);
    (bytes.get(..taken).unwrap_or(bytes), taken)
}

fn encode(line: &[u8], target: usize, into: &mut Vec<u8>) {
    for (at, byte) in line.iter().enumerate() {
        if at >= target && is_forgiven(*byte) {
            into.extend_from_slice(format!("%{byte:02X}").as_bytes());
        } else {
            into.push(*byte);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Forgiving<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.waiting.is_empty() {
            let before = buffer.filled().len();
            ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
            let mended = self.mend(buffer.filled().get(before..).unwrap_or(&[]));
            let Some(mended) = mended else { return Poll::Ready(Ok(())) };
            buffer.set_filled(before);
            self.waiting = mended;
        }
        let room = buffer.remaining().min(self.waiting.len());
        let given: Vec<u8> = self.waiting.drain(..room).collect();
        buffer.put_slice(&given);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Forgiving<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    /// Every way of cutting the same bytes into reads must give the same result.
    async fn through(sent: &str) -> String {
        let mut results = Vec::new();
        for size in [1, 2, 3, 7, 64, 4096] {
            let mut connection = Forgiving::new(sent.as_bytes());
            let mut received = Vec::new();
            let mut buffer = vec![0; size];
            loop {
                let read = connection.read(&mut buffer).await.expect("a read");
                if read == 0 {
                    break;
                }
                received.extend_from_slice(&buffer[..read]);
            }
            results.push(String::from_utf8(received).expect("text"));
        }
        results.dedup();
        assert_eq!(results.len(), 1, "{results:?}");
        results.remove(0)
    }

    #[tokio::test]
    async fn arrows_and_quotes_in_addresses_are_encoded() {
        let got = through("GET /a?select=b->>c,\"d\" HTTP/1.1\r\nhost: x->y\r\n\r\n").await;
        assert_eq!(got, "GET /a?select=b-%3E%3Ec,%22d%22 HTTP/1.1\r\nhost: x->y\r\n\r\n");
    }

    #[tokio::test]
    async fn bodies_and_headers_pass_as_they_are_and_the_next_request_is_found() {
        let body = "GET /not>a request\r\n\r\n";
        let post =
            format!("POST /a?x=<1> HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let get = "GET /b?y=>2 HTTP/1.1\r\n\r\n";
        let got = through(&format!("{post}{get}")).await;
        let expected = format!(
            "POST /a?x=%3C1%3E HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}GET /b?y=%3E2 HTTP/1.1\r\n\r\n",
            body.len()
        );
        assert_eq!(got, expected);
    }

    #[tokio::test]
    async fn what_cannot_be_followed_is_left_alone() {
        for sent in [
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGET /a>b",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na>b\r\nGET />",
            "POST / HTTP/1.1\r\nContent-Length: many\r\n\r\nGET />",
            "nonsense without end > and so on",
        ] {
            let kept = through(sent).await;
            let nonsense = !sent.contains("HTTP");
            assert_eq!(kept == sent, !nonsense, "{kept}");
        }
    }
}
