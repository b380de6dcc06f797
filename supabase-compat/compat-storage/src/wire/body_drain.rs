//! Draining a body that is still arriving when its request is rejected.
//!
//! A client reads the response after it has sent the whole file. If the connection were closed
//! earlier, the client would lose the response, so the rest of the body is read and discarded,
//! within limits. A client that waits for `100 Continue` (`Expect: 100-continue`) sends no body
//! after a rejection.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http::{HeaderMap, header};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// The limits of draining, in bytes and in time.
const MOST: usize = 64 * 1024 * 1024;
const LONGEST: Duration = Duration::from_secs(30);

/// The unread rest of a body.
pub struct BodyDrain(Arc<Mutex<UnreadBody>>);

struct UnreadBody {
    body: BodyDataStream,
    /// Whether the client waits for `100 Continue`, which the first read sends.
    waits: bool,
}

impl UnreadBody {
    async fn next(&mut self) -> Option<Result<Bytes, axum::Error>> {
        self.waits = false;
        self.body.next().await
    }
}

impl BodyDrain {
    /// Splits a body into one to read and a handle on its unread rest.
    pub fn of(headers: &HeaderMap, body: Body) -> (Self, Body) {
        let waits = headers.contains_key(header::EXPECT);
        let shared = Arc::new(Mutex::new(UnreadBody { body: body.into_data_stream(), waits }));
        let pieces = stream::unfold(Arc::clone(&shared), |shared| async {
            let piece = shared.lock().await.next().await?;
            Some((piece, shared))
        });
        (Self(shared), Body::from_stream(pieces))
    }

    /// Returns `outcome`; an error only after the rest of the body was drained.
    pub async fn until<T, E>(self, outcome: Result<T, E>) -> Result<T, E> {
        if outcome.is_err() {
            let _ = timeout(LONGEST, self.drain()).await;
        }
        outcome
    }

    async fn drain(self) {
        let (mut rest, mut bytes_read) = (self.0.lock().await, 0);
        if rest.waits {
            return;
        }
        while let Some(Ok(piece)) = rest.next().await {
            bytes_read += piece.len();
            if bytes_read > MOST {
                return;
            }
        }
    }
}
