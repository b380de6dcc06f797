//! The flows: one for each thing that a person does. A flow begins and ends its transaction; mail
//! is sent after the commit.

pub mod admin;
pub mod change_email;
pub mod custom_provider;
pub mod decoy;
pub mod exchange_code;
pub mod factor;
pub mod grant;
pub mod oauth;
pub mod oauth_server;
pub mod passkey;
pub mod password;
pub mod passwordless;
pub mod reauthenticate;
pub mod recover;
pub mod refresh;
pub mod relying_party;
pub mod resend;
pub mod sign_in;
pub mod sign_out;
pub mod sign_up;
pub mod templates;
pub mod unverified;
pub mod update_user;
pub mod verify;
