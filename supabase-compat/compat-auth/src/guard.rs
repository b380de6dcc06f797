//! What stands before a door: who may pass, how often, and whether a person is there at all.
//!
//! It judges facts that it is handed; which door is guarded by what is the router's to say.

pub mod attempt_limit;
pub mod authenticate;
pub mod captcha;
pub mod limit;
