//! The layer that counts requests per client before anything is read of them.

use axum::extract::{Request, State as Extract};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::asking::client;
use crate::flow::limit::{Bucket, take};
use crate::state::State;

/// Refuses a request whose client's bucket is empty.
pub async fn count(Extract(state): Extract<State>, request: Request, next: Next) -> Response {
    if let Some(bucket) = Bucket::of(request.method().as_str(), request.uri().path()) {
        let client = client(request.extensions());
        if let Err(refused) = take(&state, bucket, client).await {
            return refused.into_response();
        }
    }
    next.run(request).await
}
