//! The log of all services in a bounded ring on disk: what was asked and answered, what the services,
//! the functions and the embedded PostgreSQL said.
//!
//! Entries are JSON lines in segments of the data folder. Requests hand theirs to a thread and never
//! wait for the disk. Tokens, keys, mail addresses and values of rows are taken out before anything is
//! queued for it; a person is named by the id of their account only. It does not know what the
//! entries are asked for: see [`crate::log_queries`] and the commands.

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
