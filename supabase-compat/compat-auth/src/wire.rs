//! Requests and responses, one file per group of endpoints.

pub mod admin;
pub mod body;
pub mod discovery;
pub mod enterprise;
pub mod extract;
pub mod factor;
pub mod guard;
pub mod mail_request;
pub mod oauth;
pub mod oauth_server;
pub mod passkey;
pub mod response;
pub mod shape;
pub mod sign_out;
pub mod sign_up;
pub mod token;
pub mod user;
pub mod verify;
