//! The decision about a presented refresh token, with the three cases of reuse.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::error::InvalidRequest;

/// The presented token, with its row as read under the session's lock.
#[derive(Debug, Clone)]
pub struct PresentedToken {
    pub token: String,
    pub revoked: bool,
    pub updated_at: DateTime<Utc>,
}

/// The session's unused token.
#[derive(Debug, Clone)]
pub struct ActiveToken {
    pub token: String,
    pub parent: Option<String>,
}

/// The decision about a presented token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefreshDecision {
    /// Revoke the presented token and issue a child of it.
    Rotate,
    /// Return the active token again, because the client did not receive the last response.
    Repeat(String),
    /// Refuse; if theft is assumed, revoke all tokens of the session.
    Refuse { revoke_family: bool },
}

/// Decides by three rules, in this order. The parent of the active token gets the active token
/// again. A token revoked within `reuse_interval` gets a new child if its session has an active
/// token. Any other token is taken for stolen. A session without an active token was revoked as a
/// whole, which also set the time of revocation of its unused tokens.
pub fn decide(
    presented: &PresentedToken,
    active: Option<&ActiveToken>,
    now: DateTime<Utc>,
    reuse_interval: Duration,
    rotation_enabled: bool,
) -> RefreshDecision {
    if !presented.revoked {
        return RefreshDecision::Rotate;
    }
    let Some(active) = active else {
        return RefreshDecision::Refuse { revoke_family: rotation_enabled };
    };
    if active.parent.as_deref() == Some(presented.token.as_str()) {
        return RefreshDecision::Repeat(active.token.clone());
    }
    if now <= presented.updated_at + reuse_interval {
        return RefreshDecision::Rotate;
    }
    RefreshDecision::Refuse { revoke_family: rotation_enabled }
}

/// # Errors
/// [`InvalidRequest::RefreshToken`] when the text does not have the form of our tokens; checked
/// before any look-up.
pub fn check_shape(token: &str) -> Result<(), InvalidRequest> {
    let is_ours =
        token.len() == 12 && token.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if is_ours { Ok(()) } else { Err(InvalidRequest::RefreshToken) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const INTERVAL: Duration = Duration::from_secs(10);

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_000_000 + second, 0).unwrap()
    }

    fn presented(revoked: bool, updated: i64) -> PresentedToken {
        PresentedToken { token: "parent".to_owned(), revoked, updated_at: at(updated) }
    }

    fn active(parent: &str) -> ActiveToken {
        ActiveToken { token: "child".to_owned(), parent: Some(parent.to_owned()) }
    }

    #[test]
    fn an_unused_token_rotates() {
        let decision = decide(&presented(false, 0), None, at(99_999), INTERVAL, true);
        assert_eq!(decision, RefreshDecision::Rotate);
    }

    #[test]
    fn parent_of_active_refresh_token_repeats_its_child() {
        let decision =
            decide(&presented(true, 0), Some(&active("parent")), at(999_999), INTERVAL, true);
        assert_eq!(decision, RefreshDecision::Repeat("child".to_owned()));
    }

    #[test]
    fn older_token_rotates_only_within_reuse_interval() {
        let other = active("another");
        let within = decide(&presented(true, 0), Some(&other), at(10), INTERVAL, true);
        assert_eq!(within, RefreshDecision::Rotate);
        let late = decide(&presented(true, 0), Some(&other), at(11), INTERVAL, true);
        assert_eq!(late, RefreshDecision::Refuse { revoke_family: true });
    }

    #[test]
    fn nothing_of_a_revoked_family_was_just_used() {
        let refusal = decide(&presented(true, 0), None, at(1), INTERVAL, true);
        assert_eq!(refusal, RefreshDecision::Refuse { revoke_family: true });
    }

    #[test]
    fn without_rotation_a_theft_revokes_nothing() {
        let late = decide(&presented(true, 0), None, at(11), INTERVAL, false);
        assert_eq!(late, RefreshDecision::Refuse { revoke_family: false });
    }

    proptest! {
        #[test]
        fn only_twelve_lower_alphanumerics_are_looked_up(text in "\\PC{0,20}") {
            let ours = text.len() == 12
                && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
            prop_assert_eq!(check_shape(&text).is_ok(), ours);
        }
    }
}
