//! What leaves for a mailbox or a telephone: enqueued in the flow's transaction, delivered after it.
//!
//! A process that dies in between loses nothing: what it had claimed is anybody's when its lease ends,
//! so that a message may arrive twice and never not at all. One-time tokens are stored as hashes only,
//! so that messages are rendered when they are enqueued. This room knows how a message is rendered and
//! who delivers it, and nothing of why it is asked for.

mod deliver;
mod dispatch;
pub mod email;
pub mod link;
mod message;
mod sms_provider;
pub mod text;

pub use dispatch::{run, send, send_notifications};
pub use message::{OutboxMessage, PendingMessages};
