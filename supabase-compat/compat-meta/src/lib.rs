//! `/pg`: the catalogue and statements of an administrator over HTTP, as npm `@supabase/postgres-meta`
//! answers them.
//!
//! It promises that nobody but the service key gets an answer, that statements run as a login without
//! superuser rights, on a session that is bounded in time and bytes and of which nothing reaches the next
//! request, and that values are written as JSON as node-postgres reads them there.
//!
//! It does not know which login that is, who mounts it, how types of a language are generated, or how a
//! statement is parsed: who serves `/pg/generators`, and the [`SqlParser`], are handed in.

mod config;
mod error;
mod flow;
mod model;
mod router;
mod state;
mod store;
mod wire;

pub use config::Config;
pub use error::MetaError;
pub use flow::query::{QueryRules, run_query};
pub use flow::syntax::{ParserError, SqlParser};
pub use router::router;
pub use state::State;
