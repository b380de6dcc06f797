//! The service on a database of its own, driven in process.

mod flow;
mod schema;
mod world;
