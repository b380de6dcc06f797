//! Paths to handlers.

use axum::Router;
use axum::routing::any;

use crate::State;
use crate::wire::invocation;

/// The service's routes, relative to its mount. It expects the layers of `compat-http` around it:
/// they answer preflights, add the CORS header where a function did not, and name the client's
/// address.
pub fn router(state: State) -> Router {
    Router::new()
        .route("/{name}", any(invocation::call))
        .route("/{name}/", any(invocation::call))
        .route("/{name}/{*rest}", any(invocation::call))
        .fallback(invocation::unnamed)
        .with_state(state)
}
