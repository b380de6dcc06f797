//! What every crate's tests stand on: a database of their own, callers to be, a way to call a
//! router in process, a check that every SQL statement is understood by a real server, and random
//! input for whatever reads what strangers send.
//!
//! It deliberately does not know any service. It is a dev-dependency only.

mod call;
mod database;
mod personas;
mod property_test;
mod queue;
mod statements;

pub use call::{TestResponse, call};
pub use database::TestDatabase;
pub use personas::{Headers, Personas};
pub use property_test::{property_test, property_test_async};
pub use queue::queue_table_is_right;
pub use statements::every_statement_prepares;
