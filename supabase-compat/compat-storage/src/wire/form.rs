//! The body of a form, read no further ahead than its parser needs, and only so far up to its file.
//!
//! The parser takes all that has arrived before it looks for the next field, and keeps it: a form whose
//! first head never ends would fill the memory.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll, ready};

use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::Stream;

use crate::bytes::Cause;

/// Whether the file of a form has begun: from there on its bytes are the file's to count.
#[derive(Clone, Default)]
pub struct FileStartFlag(Arc<AtomicBool>);

impl FileStartFlag {
    /// The file has begun.
    pub fn set(&self) {
        self.0.store(true, Relaxed);
    }
}

/// The pieces of a form.
pub struct FormChunks {
    body: BodyDataStream,
    start_flag: FileStartFlag,
    /// Bytes that may still come before the file.
    left: usize,
    /// Whether the parser is to work on the last piece before it gets another.
    is_paused: bool,
}

impl FormChunks {
    /// Refuses a form whose file does not begin within `most` bytes, and a piece.
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
                // A piece may begin a file, and be longer than what was left.
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

    /// A form that goes on with pieces that are ready at once; how many were taken.
    fn endless(start: &'static str) -> (Body, Arc<AtomicUsize>) {
        let taken = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&taken);
        let rest = stream::repeat_with(move || {
            count.fetch_add(1, Relaxed);
            Bytes::from(vec![b'x'; PIECE])
        });
        let body = stream::iter([Bytes::from(start)]).chain(rest.take(10_000));
        (Body::from_stream(body.map(Ok::<_, std::io::Error>)), taken)
    }

    #[tokio::test]
    async fn a_form_without_a_file_is_refused_within_bounds() {
        for start in ["", "--x\r\ncontent-disposition: form-data; name=\"", "--x\r\n"] {
            let (body, taken) = endless(start);
            let (pieces, _) = FormChunks::of(body, 4 * PIECE);
            let refused = Multipart::new(pieces, "x").next_field().await;
            assert!(refused.is_err(), "{start:?}");
            assert!(taken.load(Relaxed) <= 6, "{start:?}");
        }
    }

    #[tokio::test]
    async fn form_file_streams_piece_by_piece() {
        let (body, taken) = endless("--x\r\ncontent-disposition: form-data; name=\"\"\r\n\r\n");
        let (pieces, start_flag) = FormChunks::of(body, PIECE);
        let mut form = Multipart::new(pieces, "x");
        let mut file = form.next_field().await.expect("a form").expect("a field");
        start_flag.set();
        let mut length = 0;
        while length < 100 * PIECE {
            length += file.chunk().await.expect("a file").expect("more of it").len();
            let read = taken.load(Relaxed) * PIECE;
            assert!(read <= length + 3 * PIECE, "{read} were taken for {length}");
        }
    }
}
