//! auth/v1: accounts, sessions and the tokens that prove them, compatible with GoTrue to the letter
//! of its clients.
//!
//! It promises that a token is valid only while its account and session are, that a refused request
//! changes nothing except for the revocation after a detected theft, and that every response has
//! the shape that clients of the original expect. It owns the schema `auth`. It deliberately does
//! not know who mounts it, which tables of an application refer to its users, or how mail is
//! transported.
//!
//! Passwords, codes of authenticator apps and passkey ceremonies can be used without the service,
//! too ([`Passwords`], [`totp`], [`webauthn`]).
//!
//! Besides the router it has three tasks. The program that mounts the service runs them until it
//! stops, and restarts a task that ends early: [`run_cleanup`] deletes expired rows,
//! [`run_templates`] fetches mail templates, [`run_outbox`] delivers emails and text messages.

mod account;
mod audit;
mod cleanup;
pub mod config;
mod error;
mod flow;
mod guard;
mod hashing;
mod hook;
pub mod mail;
mod model;
mod outbox;
mod pending;
mod provider;
mod router;
mod state;
mod store;
mod unit_of_work;
mod wire;

pub use account::ensure::{InitialPassword, NewUser, ensure_user};
pub use cleanup::{clean, run_cleanup};
pub use config::{
    CaptchaConfig, CaptchaProvider, Config, EmailConfig, Hook, HookTarget, HooksConfig,
    LimitConfig, MfaConfig, OauthServerConfig, PasskeyConfig, PasswordConfig, SessionConfig,
    SmsConfig, SmsProvider, TwilioConfig, UrlPaths,
};
pub use error::{AuthError, InvalidRequest};
pub use flow::oauth::begin::callback_uri;
pub use flow::templates::{run as run_templates, sample as sample_mail};
pub use hashing::{PasswordMatch, Passwords};
pub use model::totp;
pub use model::webauthn;
pub use outbox::run as run_outbox;
pub use provider::{CustomEndpoints, CustomProvider, ProviderConfig, provider_names};
pub use router::router;
pub use state::State;

/// The schema `auth`, for the migration runner.
pub static SCHEMA: compat_pg::SchemaSource = compat_pg::SchemaSource {
    schema: "auth",
    dir: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/sql"),
};
