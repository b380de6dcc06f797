//! The actions of operators, one module each.

pub(crate) mod audit;
pub(crate) mod backup_schedule;
pub(crate) mod backup_work;
pub(crate) mod backups;
pub(crate) mod import;
pub(crate) mod keys;
pub(crate) mod operators;
pub(crate) mod overview;
pub(crate) mod passkey;
pub(crate) mod password;
pub(crate) mod permission;
pub(crate) mod query;
pub(crate) mod restore;
pub(crate) mod second_factor;
pub(crate) mod session;
pub(crate) mod setup;
pub(crate) mod snippets;
pub(crate) mod token;
pub(crate) mod warnings;
