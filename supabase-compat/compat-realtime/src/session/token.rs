//! Tokens of sockets and channels.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use compat_http::ServiceEnvironment;
use compat_token::{Caller, Credentials};
use serde_json::Value;

use crate::error::KeyRefusal;

/// A verified token: its caller, and when it expires.
#[derive(Debug, Clone)]
pub(crate) struct SocketToken {
    pub caller: Caller,
    /// Unix seconds.
    exp: i64,
    /// A hash, to compare the token with another text.
    fingerprint: u64,
}

impl SocketToken {
    /// Verifies a token, or an opaque key that stands for one. The token must have a role and an
    /// expiry.
    ///
    /// # Errors
    /// [`KeyRefusal`].
    pub fn verify(environment: &ServiceEnvironment, text: &str) -> Result<Self, KeyRefusal> {
        let text: String = text.split_whitespace().collect();
        let now = environment.clock.unix();
        let credentials = Credentials { apikey: Some(&text), authorization: None };
        let caller = environment.authenticator.caller(credentials, now).map_err(|refusal| {
            KeyRefusal::of(refusal, exp_of(&text).map_or(0, |exp| now.saturating_sub(exp)))
        })?;
        let claims = caller.claims().ok_or(KeyRefusal::Malformed)?;
        // `none` is not a role: setting it returns to the login, to which policies do not apply.
        let is_role = |role: &str| !role.is_empty() && role != "null" && role != "none";
        let has_role = claims.role().is_some_and(is_role) && is_role(caller.role());
        let exp = claims.exp().filter(|_| has_role);
        let exp = exp.ok_or(KeyRefusal::Fields)?;
        // No tolerance for clock skew: a channel ends with its token, so an expired token cannot
        // open one.
        if exp <= now {
            return Err(KeyRefusal::Expired(now - exp));
        }
        Ok(Self { exp, fingerprint: fingerprint(&text), caller })
    }

    /// Whether a text is this token.
    pub fn is(&self, text: &str) -> bool {
        fingerprint(text) == self.fingerprint
    }

    /// The time left at `now` (Unix seconds).
    pub fn left(&self, now: i64) -> Duration {
        Duration::from_secs(u64::try_from(self.exp.saturating_sub(now)).unwrap_or_default())
    }

    /// The refusal, if the token has expired at `now`.
    pub fn expired(&self, now: i64) -> Option<KeyRefusal> {
        (self.exp <= now).then(|| KeyRefusal::Expired(now - self.exp))
    }

    /// The claim `sub`; empty if there is none.
    pub fn sub(&self) -> &str {
        self.caller.claims().and_then(|claims| claims.sub_text()).unwrap_or_default()
    }
}

fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The claim `exp` of an unverified token.
fn exp_of(token: &str) -> Option<i64> {
    let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    let claims: Value = serde_json::from_slice(&payload).ok()?;
    let exp = claims.get("exp")?;
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, which is right here")]
    exp.as_i64().or_else(|| exp.as_f64().map(|seconds| seconds as i64))
}
