//! The domain types of this service, and the rules that need only their values.

pub mod added_provider;
pub mod address;
pub mod challenge;
pub mod client;
pub mod duration;
pub mod identity;
pub mod metadata;
pub mod one_time;
pub mod passkey;
pub mod password;
pub mod redirect;
pub mod refresh;
pub mod request_context;
pub mod session;
pub mod totp;
pub mod user;
pub mod user_body;
pub mod webauthn;

pub use added_provider::AddedProvider;
pub use address::{Address, Email, Phone};
pub use challenge::{Challenge, ChallengeMethod};
pub use identity::{Factor, Identity};
pub use one_time::{OneTime, TokenHash};
pub use passkey::Passkey;
pub use redirect::RedirectRules;
pub use request_context::RequestContext;
pub use session::{Amr, Session};
pub use user::User;
