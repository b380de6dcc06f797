//! The dialect of PostgREST 16 as pure code: an HTTP request becomes a plan, a plan becomes one SQL
//! statement.
//!
//! Three stages, each in a folder of its own: [`request`] reads what the client wrote and knows no
//! table; [`plan`] resolves it against the [`schema`] cache and makes every choice; [`render`]
//! writes the statement and decides nothing. Each may refuse only with its own error type.
//!
//! Deliberately unknown here: databases, sockets, clocks, HTTP status codes and the wording of
//! errors.

pub mod plan;
pub mod render;
pub mod request;
pub mod schema;
pub mod sql;

pub use plan::{Plan, PlanError, PlanRules};
pub use render::RenderedStatement;
pub use request::{ApiRequest, RawRequest, RequestError, RequestRules};
pub use schema::SchemaCache;
