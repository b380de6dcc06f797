//! The service against a real PostgreSQL and a real folder, its router driven in process.

mod buckets;
mod schema;
mod uploads;
mod world;
