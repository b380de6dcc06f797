//! What arrives over HTTP, and what is answered.

pub(crate) mod broadcast;
pub(crate) mod ping;
pub(crate) mod socket;
