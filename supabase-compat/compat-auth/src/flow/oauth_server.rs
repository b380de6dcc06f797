//! Being a provider ourselves (OAuth 2.1): clients, what people allow them, and their tokens.

pub mod authorize;
pub mod clients;
pub mod exchange;
pub mod grants;

use crate::error::{AuthError, DisabledFeature};
use crate::state::State;

/// # Errors
/// [`DisabledFeature::OauthServer`].
pub fn check_enabled(state: &State) -> Result<(), AuthError> {
    if state.config.oauth_server.enabled {
        Ok(())
    } else {
        Err(DisabledFeature::OauthServer.into())
    }
}
