//! Tokens of sockets and channels.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use compat_http::ServiceEnvironment;
use compat_token::{Caller, Credentials};
use serde_json::Value;

use crate::error::KeyRefusal;

/// A token that was found good: who it says is calling, and until when.
#[derive(Debug, Clone)]
pub(crate) struct SocketToken {
    pub caller: Caller,
    /// Unix seconds.
    exp: i64,
    /// Tells whether another text is the same token.
    fingerprint: u64,
}

impl SocketToken {
    /// Verifies a token, or an opaque key that stands for one. It must have a role and an end.
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
        // `none` is no role: to set it is to be the login again, which is above policies.
        let is_role = |role: &str| !role.is_empty() && role != "null" && role != "none";
        let has_role = claims.role().is_some_and(is_role) && is_role(caller.role());
        let exp = claims.exp().filter(|_| has_role);
        let exp = exp.ok_or(KeyRefusal::Fields)?;
        // No skew: a channel ends with its token, so one that is over begins none.
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

    /// The refusal at `now`, where it is over.
    pub fn expired(&self, now: i64) -> Option<KeyRefusal> {
        (self.exp <= now).then(|| KeyRefusal::Expired(now - self.exp))
    }

    /// `sub`, where there is one.
    pub fn sub(&self) -> &str {
        self.caller.claims().and_then(|claims| claims.sub_text()).unwrap_or_default()
    }
}

fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The end a token names, whatever else it is.
fn exp_of(token: &str) -> Option<i64> {
    let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    let claims: Value = serde_json::from_slice(&payload).ok()?;
    let exp = claims.get("exp")?;
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, which is right here")]
    exp.as_i64().or_else(|| exp.as_f64().map(|seconds| seconds as i64))
}
