//! Signing in through an external account: redirecting to the provider, handling its callback, and
//! finding the account.

pub mod begin;
pub mod callback;
pub mod id_token;
pub mod link;
pub mod unlink;
