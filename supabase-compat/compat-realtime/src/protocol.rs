//! Frames of both versions of the protocol, as values. No I/O.
//!
//! Version 1.0.0 writes each message as an object, 2.0.0 as an array of five, and broadcasts as
//! binary frames. Texts of payloads are passed on as they came, never written anew.

mod binary;
mod frame;

pub(crate) use binary::{UserBroadcast, UserPayload};
pub(crate) use frame::{
    ClientMessage, ClientPayload, Reference, TextEnvelope, Version, read, text,
};
