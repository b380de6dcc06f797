//! Paths to handlers: every path is the dialect's.

use axum::Router;

use crate::handle::handle;
use crate::state::State;

/// The service, with paths relative to its mount; it also stands at `/`.
pub fn router(state: State) -> Router {
    Router::new().fallback(handle).with_state(state)
}
