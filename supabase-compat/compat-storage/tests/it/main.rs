//! The service with a real PostgreSQL and a real folder; the router is called in process.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod addresses;
mod buckets;
mod bytes;
mod cache;
mod downloads;
mod forms;
mod lists;
mod moves;
mod pictures;
mod rights;
mod s3;
mod schema;
mod sweep;
mod tus;
mod uploads;
mod values;
mod world;
