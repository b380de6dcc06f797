//! Checks of a new password: the configured rules, and the list of leaked passwords.

use compat_http::{EgressPolicy, OutgoingResponse};
use sha1::{Digest as _, Sha1};

use crate::error::{AuthError, BodyRefusal};
use crate::model::password;
use crate::state::State;

/// # Errors
/// As [`password::check`], or [`BodyRefusal::WeakPassword`] for a leaked password.
pub async fn check(state: &State, new: &str) -> Result<(), AuthError> {
    let rules = &state.config.password;
    password::check(new, rules)?;
    if !rules.hibp_enabled {
        return Ok(());
    }
    match is_pwned(state, new).await {
        Ok(false) => Ok(()),
        Ok(true) => Err(BodyRefusal::WeakPassword {
            message:
                "Password is known to be weak and easy to guess, please choose a different one."
                    .to_owned(),
            reasons: vec!["pwned"],
        }
        .into()),
        Err(error) if rules.hibp_fail_closed => Err(error),
        Err(error) => {
            tracing::warn!(%error, "cannot check for leaked passwords; the password is accepted unchecked");
            Ok(())
        }
    }
}

/// Looks the password up by the first five digits of its hash, so that the list's server does not
/// learn the password.
async fn is_pwned(state: &State, password: &str) -> Result<bool, AuthError> {
    let hash: String = Sha1::digest(password).iter().map(|byte| format!("{byte:02X}")).collect();
    let (range, rest) = hash.split_at(5);
    let base = state.config.password.hibp_url.trim_end_matches('/');
    let response = state
        .environment
        .outgoing
        .get(EgressPolicy::Trusted, &format!("{base}/range/{range}"))
        .send()
        .await;
    let answer = response.and_then(OutgoingResponse::success).map_err(AuthError::internal)?;
    let listed = String::from_utf8_lossy(&answer.body);
    // Padded responses contain hashes with a count of 0, which were never leaked.
    let is_ours = |line: &str| {
        line.trim()
            .split_once(':')
            .is_some_and(|(hash, count)| hash.eq_ignore_ascii_case(rest) && count.trim() != "0")
    };
    Ok(listed.lines().any(is_ours))
}
