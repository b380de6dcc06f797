//! The SQL of the schema `auth`, one file per table. A store never commits; nulls that SQL may have
//! left are tolerated.

pub mod allowance;
pub mod audit;
pub mod cleanup;
pub mod custom_provider;
pub mod factor;
pub mod flow_state;
pub mod hook;
pub mod identity;
pub mod oauth_server;
pub mod one_time_token;
pub mod passkey;
pub mod refresh_token;
pub mod session;
pub mod user;
