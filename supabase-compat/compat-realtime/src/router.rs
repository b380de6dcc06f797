//! Paths to handlers; nothing else.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use crate::state::State;
use crate::wire::{broadcast, ping, socket};

/// Bytes of the longest body.
const LONGEST_BODY: usize = 8_000_000;

/// The service, relative to where it is mounted.
pub fn router(state: State) -> Router {
    Router::new()
        .route("/websocket", get(socket::open))
        .route("/api/ping", get(ping::get))
        .route("/api/broadcast", post(broadcast::batch))
        .route("/api/broadcast/{topic}/events/{event}", post(broadcast::one))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .with_state(state)
}
