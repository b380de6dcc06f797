//! The log of all services in a bounded ring on disk: requests with their answers, and messages of
//! the services, the functions and the embedded PostgreSQL.
//!
//! Entries are JSON lines in segments of the data folder. Requests pass theirs to a thread and
//! never wait for the disk. Tokens, keys, mail addresses and values of rows are removed before an
//! entry is queued; a person is named only by the id of their account. This module does not know
//! how entries are queried: see [`crate::log_queries`] and the commands.

mod access;
mod entry;
mod layer;
mod postgres;
mod ring;
mod segments;
mod writer;

pub use entry::{LogEntry, LogLevel};
pub use layer::LogLayer;
pub use segments::{
    Follower, LogFilter, LogPosition, ReadError, StatusRange, logs_folder, read_logs, read_tail,
    visit_newest_first,
};
pub use writer::LogWriter;

pub(crate) use access::{AccessLog, record, service_of};
pub(crate) use postgres::PostgresLog;

#[cfg(test)]
mod tests;
