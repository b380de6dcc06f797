//! A body that is still arriving when its request is refused.
//!
//! Whoever sends a file reads the answer when all of it is sent. A connection that is closed before
//! takes the answer along, so the rest is read and thrown away, within bounds. Whoever waits to be
//! told to go on (`Expect: 100-continue`) is not told so once it was refused.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http::{HeaderMap, header};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// Bytes and time that are spent on what nobody wants.
const MOST: usize = 64 * 1024 * 1024;
const LONGEST: Duration = Duration::from_secs(30);

/// What is left of a body.
pub struct BodyDrain(Arc<Mutex<UnreadBody>>);

struct UnreadBody {
    body: BodyDataStream,
    /// Whether its client sends nothing before it is read.
    waits: bool,
}

impl UnreadBody {
    async fn next(&mut self) -> Option<Result<Bytes, axum::Error>> {
        self.waits = false;
        self.body.next().await
    }
}

impl BodyDrain {
    /// The body to be read, and what will be left of it.
    pub fn of(headers: &HeaderMap, body: Body) -> (Self, Body) {
        let waits = headers.contains_key(header::EXPECT);
        let shared = Arc::new(Mutex::new(UnreadBody { body: body.into_data_stream(), waits }));
        let pieces = stream::unfold(Arc::clone(&shared), |shared| async {
            let piece = shared.lock().await.next().await?;
            Some((piece, shared))
        });
        (Self(shared), Body::from_stream(pieces))
    }

    /// Passes an outcome on, a refusal once there is nothing left to read.
    pub async fn until<T, E>(self, outcome: Result<T, E>) -> Result<T, E> {
        if outcome.is_err() {
            let _ = timeout(LONGEST, self.drain()).await;
        }
        outcome
    }

    async fn drain(self) {
        let (mut rest, mut seen) = (self.0.lock().await, 0);
        if rest.waits {
            return;
        }
        while let Some(Ok(piece)) = rest.next().await {
            seen += piece.len();
            if seen > MOST {
                return;
            }
        }
    }
}
