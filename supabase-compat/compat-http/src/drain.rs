//! Reads bodies to their end after their handler has stopped: if a connection is closed while its
//! client still sends, it is reset, and the client never reads why it was refused.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http::{HeaderMap, header};
use http_body::{Frame, SizeHint};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// The most bytes that are read and discarded; a client that sends more is cut off.
const MOST: u64 = 16 * 1024 * 1024;
/// For how long a client may take to send them.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Wraps a body, so that a background task reads the rest of it, within bounds, if its reader drops
/// it early.
pub(crate) fn drained(headers: &HeaderMap, body: Body) -> Body {
    // A client with `Expect` sends nothing until it gets 100 Continue, which it must not get after
    // a refusal.
    let waits = headers.contains_key(header::EXPECT);
    if body.is_end_stream() || waits || body.size_hint().lower() > MOST {
        return body;
    }
    Body::new(DrainingBody { body: Some(body) })
}

struct DrainingBody {
    /// `None` once the body has ended.
    body: Option<Body>,
}

impl HttpBody for DrainingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let frame = Pin::new(body).poll_frame(context);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.body = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for DrainingBody {
    fn drop(&mut self) {
        let Some(body) = self.body.take().filter(|body| !body.is_end_stream()) else { return };
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(timeout(TIMEOUT, read_on(body)));
        }
    }
}

async fn read_on(mut body: Body) {
    let mut left = MOST;
    while let Some(Ok(frame)) =
        std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await
    {
        let length = frame.data_ref().map_or(0, |data| data.len() as u64);
        let Some(rest) = left.checked_sub(length) else { return };
        left = rest;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use http::HeaderValue;
    use tokio::sync::mpsc;

    use super::*;

    /// A body of pieces of a megabyte, and a channel that reports each piece as it is read.
    fn pieces(many: usize) -> (Body, mpsc::UnboundedReceiver<usize>) {
        let (sender, read) = mpsc::unbounded_channel();
        let next = move |piece: usize| {
            let sender = sender.clone();
            async move {
                (piece < many).then(|| {
                    sender.send(piece).ok();
                    (Ok::<_, std::io::Error>(Bytes::from(vec![0; 1024 * 1024])), piece + 1)
                })
            }
        };
        (Body::from_stream(stream::unfold(0, next)), read)
    }

    async fn all_read(mut read: mpsc::UnboundedReceiver<usize>) -> usize {
        let mut pieces = 0;
        while read.recv().await.is_some() {
            pieces += 1;
        }
        pieces
    }

    #[tokio::test]
    async fn dropped_body_is_read_to_its_end() {
        let (body, read) = pieces(11);
        drop(drained(&HeaderMap::new(), body));
        assert_eq!(all_read(read).await, 11);
    }

    #[tokio::test]
    async fn oversized_body_is_abandoned_at_the_limit() {
        let (body, read) = pieces(1000);
        drop(drained(&HeaderMap::new(), body));
        assert_eq!(all_read(read).await, 17);
    }

    #[tokio::test]
    async fn body_awaiting_100_continue_is_never_read() {
        let (body, read) = pieces(11);
        let waiting = HeaderValue::from_static("100-continue");
        drop(drained(&HeaderMap::from_iter([(header::EXPECT, waiting)]), body));
        assert_eq!(all_read(read).await, 0);
    }

    #[tokio::test]
    async fn body_arrives_as_it_was_sent() {
        let (body, read) = pieces(2);
        let bytes = axum::body::to_bytes(drained(&HeaderMap::new(), body), usize::MAX).await;
        assert_eq!(bytes.expect("a body").len(), 2 * 1024 * 1024);
        assert_eq!(all_read(read).await, 2);
    }
}
