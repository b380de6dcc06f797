//! Paths to handlers: every path is the dialect's.

use axum::Router;
use axum::middleware::map_request;
use compat_http::hide_key;

use crate::handle::handle;
use crate::state::State;

/// The service behind a gateway, with paths relative to its mount; it also stands at `/`. The
/// gateway's key in the query is no filter.
pub fn router(state: State) -> Router {
    dialect(state).layer(map_request(async |request| hide_key(request)))
}

/// The dialect alone: every parameter is its own.
pub(crate) fn dialect(state: State) -> Router {
    Router::new().fallback(handle).with_state(state)
}
