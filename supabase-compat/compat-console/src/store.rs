//! The SQL of the schema `_console`, one file per table. A store never commits.

pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod backup_schedule;
pub(crate) mod ceremony;
pub(crate) mod operator;
pub(crate) mod passkey;
pub(crate) mod session;
pub(crate) mod setup_link;
pub(crate) mod statistics;
