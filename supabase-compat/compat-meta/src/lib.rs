//! `/pg`: the catalogue and statements of an administrator over HTTP, with the answers of npm's
//! `@supabase/postgres-meta`.
//!
//! It guarantees that only the service key gets an answer, that statements run as a login without
//! superuser rights, on a session with limits of time and size whose state does not reach the next
//! request, and that values are encoded as JSON as node-postgres decodes them for the original.
//!
//! It does not know that login, who mounts it, how types of a language are generated, or how a
//! statement is parsed: the routes below `/pg/generators` and the [`SqlParser`] are passed in.

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
