//! Being a provider ourselves (OAuth 2.1): clients, what people allow them, and their tokens.

pub mod authorize;
pub mod clients;
pub mod exchange;
pub mod grants;

use crate::error::{AuthError, Closed};
use crate::state::State;

/// # Errors
/// [`Closed::OauthServer`].
pub fn check_enabled(state: &State) -> Result<(), AuthError> {
    if state.config.oauth_server.enabled { Ok(()) } else { Err(Closed::OauthServer.into()) }
}
