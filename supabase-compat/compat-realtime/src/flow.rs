//! The flows of clients without a socket.

pub(crate) mod broadcast;
