//! Frames of both versions of the protocol, as values. No I/O.
//!
//! Version 1.0.0 writes each message as an object, 2.0.0 as an array of five, and broadcasts as
//! binary frames. The JSON text of a payload is passed on unchanged, never serialized again.

mod binary;
mod frame;

pub(crate) use binary::{UserBroadcast, UserPayload};
pub(crate) use frame::{
    ClientMessage, ClientPayload, Reference, TextEnvelope, Version, read, text,
};
