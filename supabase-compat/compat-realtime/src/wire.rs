//! HTTP requests and their responses.

pub(crate) mod broadcast;
pub(crate) mod ping;
pub(crate) mod socket;
