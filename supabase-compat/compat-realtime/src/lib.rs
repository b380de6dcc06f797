//! realtime/v1: channels over a websocket, compatible with the original to the letter of its
//! clients.
//!
//! It promises that a join is answered when everything it asks for is live, that the data queued
//! for a slow reader is bounded, and that processes on one database behave as one: broadcasts and
//! presence cross between them. Row security on `realtime.messages` decides, as the caller, who may
//! read or write a private channel. It owns the schema `realtime`. It deliberately does not know
//! what topics mean or who mounts it.

mod byte_quota;
mod changes;
mod config;
mod connection;
mod error;
mod flow;
mod hub;
mod jobs;
mod protocol;
mod question_limit;
mod read_rights;
mod relay;
mod router;
mod send_queue;
mod session;
mod sockets;
mod state;
mod stats;
mod store;
mod wire;

pub use changes::run as run_changes;
pub use config::Config;
pub use error::{HandshakeRefusal, JoinRefusal, KeyRefusal, RestRefusal};
pub use jobs::MESSAGE_DAYS;
pub use relay::run as run_relay;
pub use router::router;
pub use sockets::run as run_sockets;
pub use state::State;
pub use stats::RealtimeCounts;

/// The schema `realtime`, for the migration runner.
pub static SCHEMA: compat_pg::SchemaSource = compat_pg::SchemaSource {
    schema: "realtime",
    dir: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/sql"),
};
