//! Keys, claims and roles: this crate signs tokens, verifies them, and decides who makes a request.
//!
//! It promises that a [`Caller`] has either claims whose signature and times were checked, or no
//! claims. It does no I/O, reads no clock (the time is an argument) and knows neither HTTP nor
//! PostgreSQL: a role here is only a name.

mod api_keys;
mod cache;
mod caller;
mod claim_path;
mod claims;
mod issuers;
mod jwk;
mod jws;
mod key;
mod key_error;
mod key_ring;
mod local_keys;
mod new_key;
mod refusal;
mod rotation;
mod rules;
mod signing;
#[cfg(test)]
mod tests;

pub use api_keys::{ApiKeys, PreviousKeys};
pub use cache::{CacheCounts, CacheRules};
pub use caller::{Authenticator, Caller, Credentials};
pub use claim_path::{ClaimPath, ClaimPathError};
pub use claims::Claims;
pub use issuers::{Issuer, Issuers};
pub use key::Key;
pub use key_error::KeyError;
pub use key_ring::KeyRing;
pub use new_key::{SigningAlgorithm, new_private_jwk};
pub use refusal::TokenRefusal;
pub use rotation::{KeyLine, KeyStatus, RotationError, SigningKeys};
pub use rules::Rules;
