//! What somebody without a socket does.

pub(crate) mod broadcast;
