//! The layer that limits requests per client, before anything of them is parsed.

use axum::extract::{Request, State as Extract};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::MethodRouter;

use crate::guard::limit::{LimitKind, take};
use crate::state::State;
use crate::wire::extract::client;

/// Limits the requests of each client to this endpoint by its bucket.
pub fn limited(
    state: &State,
    bucket: LimitKind,
    methods: MethodRouter<State>,
) -> MethodRouter<State> {
    methods.route_layer(from_fn_with_state((state.clone(), bucket), count))
}

async fn count(
    Extract((state, bucket)): Extract<(State, LimitKind)>,
    request: Request,
    next: Next,
) -> Response {
    match take(&state, bucket, client(request.extensions())).await {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}
