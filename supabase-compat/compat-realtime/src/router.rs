//! Paths to handlers; nothing else.

use axum::Router;
use axum::routing::{get, post};

use crate::state::State;
use crate::wire::{broadcast, ping, socket};

/// The service, relative to where it is mounted.
pub fn router(state: State) -> Router {
    Router::new()
        .route("/websocket", get(socket::open))
        .route("/api/ping", get(ping::get))
        .route("/api/broadcast", post(broadcast::batch))
        .route("/api/broadcast/{topic}/events/{event}", post(broadcast::one))
        .with_state(state)
}
