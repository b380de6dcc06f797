//! What leaves for a mailbox or a telephone: put into a queue inside the flow's transaction, handed
//! over after it.
//!
//! A process that dies in between loses nothing: what it held is anybody's when its lease ends, so
//! that a letter may arrive twice and never not at all. This room knows how a letter is worded and
//! who carries it, and nothing of why it is asked for.

mod carry;
mod hand_over;
pub mod letter;
pub mod link;
mod parcel;
pub mod text;

pub use hand_over::{QUEUE, run, send, send_notices};
pub use parcel::{Parcel, Posted};
