//! External accounts: every OAuth and OpenID Connect provider is a row of data for one
//! implementation.
//!
//! It promises a person's claims in one form, whatever the provider calls them. It does not know
//! our accounts.

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
