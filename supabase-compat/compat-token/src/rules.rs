//! What a service asks of a token beyond its signature and times.

use std::borrow::Cow;
use std::sync::Arc;

use crate::{ClaimPath, Claims, KeyRing, TokenRefusal};

/// How claims become a caller. The default takes the claim `role` and every audience.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// `PGRST_JWT_ROLE_CLAIM_KEY`: where the role stands.
    pub role_claim: ClaimPath,
    /// `PGRST_JWT_AUD`: the audience this service identifies with; all of them without one.
    pub audience: Option<Arc<str>>,
    /// The role of callers without one, in place of the authenticator's (`pgrst.db_anon_role`).
    pub anon_role: Option<Arc<str>>,
    /// Keys in place of the deployment's own (`pgrst.jwt_secret` in the database).
    pub keys: Option<Arc<KeyRing>>,
}

impl Rules {
    pub(crate) fn check(&self, claims: &Claims) -> Result<(), TokenRefusal> {
        match &self.audience {
            Some(wanted) => claims.check_audience(wanted),
            None => claims.check_audience_shape(),
        }
    }

    /// The role, and whether the claims as they stand already say it.
    pub(crate) fn role<'a>(&self, claims: &'a Claims) -> Option<(Cow<'a, str>, bool)> {
        let role = self.role_claim.find(claims.value())?;
        let is_role_claim = claims.get("role").and_then(serde_json::Value::as_str) == Some(&*role);
        Some((role, is_role_claim))
    }
}
