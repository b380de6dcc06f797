//! The HTTP handlers: requests and answers.

pub(crate) mod address;
pub(crate) mod audit;
pub(crate) mod backups;
pub(crate) mod body;
pub(crate) mod caller;
pub(crate) mod cookie;
pub(crate) mod guard;
pub(crate) mod import;
pub(crate) mod keys;
pub(crate) mod operators;
pub(crate) mod overview;
pub(crate) mod passkeys;
pub(crate) mod query;
pub(crate) mod realtime;
pub(crate) mod second_factor;
pub(crate) mod services;
pub(crate) mod session;
pub(crate) mod setup;
pub(crate) mod snippets;
pub(crate) mod warnings;
