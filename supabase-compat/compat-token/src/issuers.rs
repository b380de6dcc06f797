//! Trusted issuers other than this deployment. Tokens of an issuer are verified only with the keys
//! that it publishes.
//!
//! This module does not fetch keys: it holds the current ones and tells when a token needs a key
//! that is not among them.

use std::sync::{Arc, PoisonError, RwLock};

use crate::cache::Fingerprint;
use crate::jws::Jws;
use crate::{CacheCounts, CacheRules, Claims, KeyError, KeyRing, TokenRefusal};

/// A trusted issuer and its current keys.
pub struct Issuer {
    /// The configured `iss`, without a trailing slash.
    name: Box<str>,
    keys: RwLock<Arc<KeyRing>>,
    cache: CacheRules,
}

impl std::fmt::Debug for Issuer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Issuer").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Issuer {
    /// Creates an issuer with this `iss`, without keys yet. A trailing slash is ignored, because
    /// configurations and tokens disagree about it.
    pub fn new(name: &str, cache: CacheRules) -> Self {
        let name = bare(name).into();
        Self { name, keys: RwLock::new(Arc::new(KeyRing::empty())), cache }
    }

    /// The `iss` of the issuer, without a trailing slash.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Replaces the keys with a JWK set that the issuer published, and clears the cache of tokens
    /// that the old keys verified.
    ///
    /// # Errors
    /// [`KeyError`] when the set holds no usable key; the old keys then stay.
    pub fn accept(&self, jwks: &str) -> Result<(), KeyError> {
        let ring = KeyRing::published(jwks)?.with_cache(self.cache);
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(ring);
        Ok(())
    }

    /// Whether any keys are known.
    pub fn has_keys(&self) -> bool {
        !self.keys().is_empty()
    }

    fn keys(&self) -> Arc<KeyRing> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn issued(&self, claimed: &str) -> bool {
        bare(claimed) == &*self.name
    }
}

/// All trusted issuers.
#[derive(Debug, Clone, Default)]
pub struct Issuers(Arc<[Arc<Issuer>]>);

impl FromIterator<Arc<Issuer>> for Issuers {
    fn from_iter<I: IntoIterator<Item = Arc<Issuer>>>(issuers: I) -> Self {
        Self(issuers.into_iter().collect())
    }
}

impl Issuers {
    /// Whether no other issuer is trusted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every trusted issuer.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Issuer>> {
        self.0.iter()
    }

    /// The issuer of a token that none of its known keys can have signed, so that its keys should
    /// be fetched again. `None` for a token that is cached, malformed, or of no trusted issuer.
    pub fn lacking(&self, token: &str, now: i64) -> Option<&Arc<Issuer>> {
        if self.is_empty() || self.recall(&Fingerprint::of(token), now).is_some() {
            return None;
        }
        let jws = Jws::parse(token).ok()?;
        let issuer = self.of(&jws)?;
        (!issuer.keys().has_candidate(&jws)).then_some(issuer)
    }

    /// The counters of all issuers' caches together.
    pub fn cache_counts(&self) -> CacheCounts {
        self.0.iter().map(|issuer| issuer.keys().cache_counts()).fold(
            CacheCounts::default(),
            |all, one| CacheCounts {
                requests: all.requests + one.requests,
                hits: all.hits + one.hits,
                evictions: all.evictions + one.evictions,
            },
        )
    }

    pub(crate) fn recall(
        &self,
        token: &Fingerprint,
        now: i64,
    ) -> Option<Result<Arc<Claims>, TokenRefusal>> {
        self.0.iter().find_map(|issuer| issuer.keys().recall(token, now))
    }

    /// Verifies a token of one of these issuers; `None` if it names none of them.
    pub(crate) fn verify(
        &self,
        jws: &Jws<'_>,
        token: Fingerprint,
        now: i64,
    ) -> Option<Result<Arc<Claims>, TokenRefusal>> {
        let issuer = self.of(jws)?;
        let verified = issuer.keys().verify_new(jws, token, now);
        // The issuer was read before the signature was checked, so it is compared with the signed
        // claim.
        Some(verified.and_then(|claims| match claims.issuer() {
            Some(name) if issuer.issued(name) => Ok(claims),
            _ => Err(TokenRefusal::NoKey),
        }))
    }

    fn of(&self, jws: &Jws<'_>) -> Option<&Arc<Issuer>> {
        if self.is_empty() {
            return None;
        }
        let claimed = jws.claimed_issuer()?;
        self.0.iter().find(|issuer| issuer.issued(&claimed))
    }
}

fn bare(name: &str) -> &str {
    name.strip_suffix('/').unwrap_or(name)
}
