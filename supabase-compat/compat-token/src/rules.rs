//! What a service requires of a token besides its signature and times.

use std::borrow::Cow;
use std::sync::Arc;

use crate::{ClaimPath, Claims, KeyRing, TokenRefusal};

/// How the claims of a token become a caller. The default uses the claim `role` and accepts every
/// audience.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// `PGRST_JWT_ROLE_CLAIM_KEY`: the path to the role.
    pub role_claim: ClaimPath,
    /// `PGRST_JWT_AUD`: the audience that tokens must name; `None` accepts every audience.
    pub audience: Option<Arc<str>>,
    /// The role of callers whose token names none, instead of the authenticator's
    /// (`pgrst.db_anon_role`).
    pub anon_role: Option<Arc<str>>,
    /// Keys that replace the deployment's own (`pgrst.jwt_secret` in the database).
    pub keys: Option<Arc<KeyRing>>,
}

impl Rules {
    pub(crate) fn check(&self, claims: &Claims) -> Result<(), TokenRefusal> {
        match &self.audience {
            Some(audience) => claims.check_audience(audience),
            None => claims.check_audience_shape(),
        }
    }

    /// The role, and whether it is also the value of the claim `role`.
    pub(crate) fn role<'a>(&self, claims: &'a Claims) -> Option<(Cow<'a, str>, bool)> {
        let role = self.role_claim.find(claims.value())?;
        let is_role_claim = claims.get("role").and_then(serde_json::Value::as_str) == Some(&*role);
        Some((role, is_role_claim))
    }
}
