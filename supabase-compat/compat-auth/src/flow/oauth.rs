//! Coming in through an outside account: leaving for the provider, coming back, and whose account
//! that is.

pub mod begin;
pub mod callback;
pub mod id_token;
pub mod link;
pub mod unlink;
