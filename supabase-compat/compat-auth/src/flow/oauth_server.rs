//! The OAuth 2.1 server: clients, consents, and the clients' tokens.

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
