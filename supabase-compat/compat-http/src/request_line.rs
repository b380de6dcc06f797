//! Addresses as people type them: `?select=data->key` and `?name=eq."x"` reach the server
//! unencoded from curl and from many clients, PostgREST reads them, and hyper answers 400 before
//! any of our code runs. The stream here encodes such characters on their way in.
//!
//! Only the address of a request line is ever touched. To find the next one the heads are followed
//! as far as the length of the body; from an upgrade, a chunked body or anything unclear on, a
//! connection passes through as it is.

mod sanitizer;

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use sanitizer::Sanitizer;

/// The address of the other end of a connection, as the server that accepted it tells the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// A connection whose request lines are sanitized.
#[derive(Debug)]
pub struct LenientIo<S> {
    stream: S,
    sanitizer: Sanitizer,
    /// Sanitized bytes that did not fit into the reader's buffer.
    waiting: Vec<u8>,
}

impl<S> LenientIo<S> {
    /// A connection at its beginning.
    pub fn new(stream: S) -> Self {
        Self { stream, sanitizer: Sanitizer::new(), waiting: Vec::new() }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LenientIo<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.waiting.is_empty() {
            let before = buffer.filled().len();
            ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
            let sanitized = self.sanitizer.sanitize(buffer.filled().get(before..).unwrap_or(&[]));
            let Some(sanitized) = sanitized else { return Poll::Ready(Ok(())) };
            buffer.set_filled(before);
            self.waiting = sanitized;
        }
        let room = buffer.remaining().min(self.waiting.len());
        let bytes: Vec<u8> = self.waiting.drain(..room).collect();
        buffer.put_slice(&bytes);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LenientIo<S> {
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
mod tests;
