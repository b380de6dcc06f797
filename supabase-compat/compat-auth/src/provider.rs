//! The outside world's accounts: every OAuth and OpenID Connect provider is a row of data over one
//! implementation.
//!
//! It promises a person's claims in one shape, whatever the provider calls them. It knows nothing
//! of our accounts.

mod claims;
mod client;
mod discovery;
mod settings;
mod table;

pub use claims::Person;
pub use client::{Client, Tokens};
pub use discovery::discover;
pub use settings::{CustomEndpoints, CustomProvider, ProviderConfig};
pub use table::{Provider, provider_names};
