//! Emails and text messages: enqueued in the flow's transaction, delivered after its commit.
//!
//! A crash between the two loses nothing: a message is claimed by another process when its lease
//! ends, so it is delivered at least once and sometimes twice. One-time tokens are stored only as
//! hashes, so messages are rendered when they are enqueued. This module knows how a message is
//! rendered and delivered, but not which flow requests it.

mod deliver;
mod dispatch;
pub mod email;
pub mod link;
mod message;
mod sms_provider;
pub mod text;

pub use dispatch::{run, send, send_notifications};
pub use message::{OutboxMessage, PendingMessages};
