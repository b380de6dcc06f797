//! The stream against a real PostgreSQL.

mod stream;
