//! Support for the tests of every crate: a database for each test, callers to act as, a way to call
//! a router in process, a check that a real server can prepare every SQL statement, and random
//! input for code that parses input of strangers.
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
