//! The body of a multipart form as a stream that is read no faster than its parser needs, with a
//! limit on the bytes before the file.
//!
//! The parser buffers everything that has arrived before it looks for the next field: a form whose
//! first part header never ends would fill the memory.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll, ready};

use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::Stream;

use crate::bytes::Cause;

/// Whether the file of a form has begun: from there on the file's own limit applies.
#[derive(Clone, Default)]
pub struct FileStartFlag(Arc<AtomicBool>);

impl FileStartFlag {
    /// Records that the file has begun.
    pub fn set(&self) {
        self.0.store(true, Relaxed);
    }
}

/// The stream of a form's chunks.
pub struct FormChunks {
    body: BodyDataStream,
    start_flag: FileStartFlag,
    /// The number of bytes that may still arrive before the file.
    left: usize,
    /// Whether the parser must process the last chunk before it gets another.
    is_paused: bool,
}

impl FormChunks {
    /// Rejects a form whose file does not begin within `most` bytes and one chunk.
    pub fn of(body: Body, most: usize) -> (Self, FileStartFlag) {
        let start_flag = FileStartFlag::default();
        let body = body.into_data_stream();
        (Self { body, start_flag: start_flag.clone(), left: most, is_paused: false }, start_flag)
    }
}

impl Stream for FormChunks {
    type Item = Result<Bytes, Cause>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.is_paused) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let piece = match ready!(Pin::new(&mut self.body).poll_next(context)) {
            Some(Ok(piece)) => piece,
            Some(Err(error)) => return Poll::Ready(Some(Err(error.into()))),
            None => return Poll::Ready(None),
        };
        self.is_paused = true;
        if !self.start_flag.0.load(Relaxed) {
            match self.left.checked_sub(piece.len()) {
                Some(left) => self.left = left,
                // A chunk may contain the start of a file and be longer than the rest of the limit.
                None if self.left > 0 => self.left = 0,
                None => {
                    return Poll::Ready(Some(Err("the form is too long before its file".into())));
                }
            }
        }
        Poll::Ready(Some(Ok(piece)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use futures_util::{StreamExt as _, stream};
    use multer::Multipart;

    use super::*;

    const PIECE: usize = 64 * 1024;

    /// A form that never ends and whose chunks are ready at once; the counter shows how many were
    /// read.
    fn endless(start: &'static str) -> (Body, Arc<AtomicUsize>) {
        let byte_count = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&byte_count);
        let rest = stream::repeat_with(move || {
            count.fetch_add(1, Relaxed);
            Bytes::from(vec![b'x'; PIECE])
        });
        let body = stream::iter([Bytes::from(start)]).chain(rest.take(10_000));
        (Body::from_stream(body.map(Ok::<_, std::io::Error>)), byte_count)
    }

    #[tokio::test]
    async fn endless_form_without_file_is_refused_early() {
        for start in ["", "--x\r\ncontent-disposition: form-data; name=\"", "--x\r\n"] {
            let (body, byte_count) = endless(start);
            let (pieces, _) = FormChunks::of(body, 4 * PIECE);
            let refusal = Multipart::new(pieces, "x").next_field().await;
            assert!(refusal.is_err(), "{start:?}");
            assert!(byte_count.load(Relaxed) <= 6, "{start:?}");
        }
    }

    #[tokio::test]
    async fn form_file_streams_piece_by_piece() {
        let (body, byte_count) =
            endless("--x\r\ncontent-disposition: form-data; name=\"\"\r\n\r\n");
        let (pieces, start_flag) = FormChunks::of(body, PIECE);
        let mut form = Multipart::new(pieces, "x");
        let mut file = form.next_field().await.expect("a form").expect("a field");
        start_flag.set();
        let mut length = 0;
        while length < 100 * PIECE {
            length += file.chunk().await.expect("a file").expect("more of it").len();
            let read = byte_count.load(Relaxed) * PIECE;
            assert!(read <= length + 3 * PIECE, "{read} were taken for {length}");
        }
    }
}
