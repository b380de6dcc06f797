//! Issuers of tokens that are not us: each with the keys it publishes, verified with those alone.
//!
//! Whoever fetches the keys hands them in; this room only knows which are current and notices when
//! a token names one that is not there.

use std::sync::{Arc, PoisonError, RwLock};

use crate::cache::Fingerprint;
use crate::jws::Jws;
use crate::{CacheCounts, CacheRules, Claims, KeyError, KeyRing, TokenRefusal};

/// One issuer that is trusted.
pub struct Issuer {
    /// As configured, without a slash at the end.
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
    /// An issuer by its `iss`, without keys yet. A slash at the end makes no difference, because
    /// configurations and tokens disagree about it.
    pub fn new(name: &str, cache: CacheRules) -> Self {
        let name = bare(name).into();
        Self { name, keys: RwLock::new(Arc::new(KeyRing::empty())), cache }
    }

    /// Its name, without a slash at the end.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Replaces the keys by a JWK set the issuer published. What was verified with the old ones
    /// is forgotten.
    ///
    /// # Errors
    /// [`KeyError`] when the set holds no key that could be used; the old keys stay.
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

/// All issuers that are trusted.
#[derive(Debug, Clone, Default)]
pub struct Issuers(Arc<[Arc<Issuer>]>);

impl FromIterator<Arc<Issuer>> for Issuers {
    fn from_iter<I: IntoIterator<Item = Arc<Issuer>>>(issuers: I) -> Self {
        Self(issuers.into_iter().collect())
    }
}

impl Issuers {
    /// Whether nobody but us is trusted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Issuer>> {
        self.0.iter()
    }

    /// The issuer that a token names and whose known keys cannot have signed it: its keys may
    /// have changed. A token that was verified before, or that is none, names nobody.
    pub fn lacking(&self, token: &str, now: i64) -> Option<&Arc<Issuer>> {
        if self.is_empty() || self.recall(&Fingerprint::of(token), now).is_some() {
            return None;
        }
        let jws = Jws::parse(token).ok()?;
        let issuer = self.of(&jws)?;
        (!issuer.keys().has_candidate(&jws)).then_some(issuer)
    }

    /// What the caches of all did so far.
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

    /// Verifies a token of one of these issuers; none when it is of somebody else.
    pub(crate) fn verify(
        &self,
        jws: &Jws<'_>,
        token: Fingerprint,
        now: i64,
    ) -> Option<Result<Arc<Claims>, TokenRefusal>> {
        let issuer = self.of(jws)?;
        let verified = issuer.keys().verify_new(jws, token, now);
        // What was read before the signature was checked has to be what was signed.
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
