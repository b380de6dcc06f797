//! What arrives and what is answered, field for field.

pub(crate) mod captcha_challenge;
pub(crate) mod server_click;
pub(crate) mod steam_server_status;
pub(crate) mod vote;
pub(crate) mod vote_api;

/// The longest body of a call that is read: what is asked takes a few hundred bytes, the answer to
/// a challenge among them.
pub(crate) const MAX_BODY: usize = 16 << 10;
