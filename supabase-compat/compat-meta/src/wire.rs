//! The HTTP handlers: requests and answers.

pub(crate) mod body;
pub(crate) mod catalog;
pub(crate) mod change;
pub(crate) mod guard;
pub(crate) mod query;
pub(crate) mod service;
