//! auth/v1: accounts, sessions and the tokens that prove them, compatible with GoTrue to the letter
//! of its clients.
//!
//! It promises that a token is worth what its account and session are worth at that moment, that a
//! refused request leaves nothing behind except a detected theft's revocation, and that every
//! answer has the shape the original's clients match on. It owns the schema `auth`. It deliberately
//! does not know who mounts it, what tables an application hangs on its users, or how mail travels.
//!
//! Passwords, codes of authenticator apps and ceremonies of passkeys are of use without it, too ([`Passwords`],
//! [`totp`], [`webauthn`]).
//!
//! Beside the router it has three tasks, which whoever mounts it runs until the stop and starts
//! anew when they end before: [`run_cleanup`] removes what expired, [`run_templates`] reads mail
//! templates from their addresses, [`run_outbox`] delivers emails and text messages.

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
