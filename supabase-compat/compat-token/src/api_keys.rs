//! The keys that an application sends as `apikey`: two long-lived tokens and an opaque key for
//! each.

use serde_json::json;
use subtle::ConstantTimeEq as _;

use crate::{KeyError, KeyRing};

/// Ten years, as in the original's key generator.
const LIFETIME: i64 = 10 * 365 * 24 * 60 * 60;

/// The API keys of a deployment: the legacy tokens and the opaque `sb_…` keys.
#[derive(Clone)]
pub struct ApiKeys {
    /// JWT of role `anon`; public.
    pub anon: String,
    /// JWT of role `service_role`; secret, because this role bypasses row security.
    pub service_role: String,
    /// `sb_publishable_…`; equivalent to [`Self::anon`].
    pub publishable: String,
    /// `sb_secret_…`; equivalent to [`Self::service_role`].
    pub secret: String,
    /// Opaque keys that were replaced but not revoked; they still work.
    pub previous: PreviousKeys,
}

/// Replaced opaque keys that are still accepted.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PreviousKeys {
    /// The `sb_publishable_…` keys, newest first.
    pub publishable: Vec<String>,
    /// The `sb_secret_…` keys, newest first.
    pub secret: Vec<String>,
}

impl std::fmt::Debug for ApiKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ApiKeys").field("publishable", &self.publishable).finish_non_exhaustive()
    }
}

impl ApiKeys {
    /// No keys, for a service that accepts only tokens.
    pub fn none() -> Self {
        let [anon, service_role, publishable, secret] = Default::default();
        Self { anon, service_role, publishable, secret, previous: PreviousKeys::default() }
    }

    /// The token that an opaque key stands for; `None` for an unknown key. The comparison takes
    /// constant time, so that its duration does not reveal how much of a key is right.
    pub fn token_of(&self, key: &str) -> Option<&str> {
        let same = |known: &str| bool::from(known.as_bytes().ct_eq(key.as_bytes()));
        let is = |known: &str| !known.is_empty() && same(known);
        let is_any = |known: &[String]| known.iter().any(|known| is(known));
        if is(&self.secret) || is_any(&self.previous.secret) {
            Some(&self.service_role)
        } else if is(&self.publishable) || is_any(&self.previous.publishable) {
            Some(&self.anon)
        } else {
            None
        }
    }

    /// Issues all four keys at `now` (Unix seconds); `chance` holds random bytes for the opaque
    /// keys.
    ///
    /// # Errors
    /// [`KeyError`] when the ring cannot sign.
    pub fn issue(ring: &KeyRing, now: i64, chance: [u8; 48]) -> Result<Self, KeyError> {
        let [first, second] = [0, 24].map(|at| {
            let mut part = [0; 24];
            part.copy_from_slice(&chance[at..at + 24]);
            part
        });
        let token = |role: &str| {
            ring.sign(&json!({"role": role, "iss": "supabase", "iat": now, "exp": now + LIFETIME}))
        };
        Ok(Self {
            anon: token("anon")?,
            service_role: token("service_role")?,
            publishable: Self::opaque("sb_publishable_", first),
            secret: Self::opaque("sb_secret_", second),
            previous: PreviousKeys::default(),
        })
    }

    /// An opaque key with this prefix, made of random bytes.
    pub fn opaque(prefix: &str, chance: [u8; 24]) -> String {
        use base64::Engine as _;
        use base64::engine::general_purpose::URL_SAFE_NO_PAD;
        format!("{prefix}{}", URL_SAFE_NO_PAD.encode(chance))
    }
}
