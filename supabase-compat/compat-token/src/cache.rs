//! A cache of tokens whose signature was checked before.
//!
//! The number of entries is bounded, and so is their age where the operator sets a limit. A hit
//! does not prove that a token is still valid: callers check its times at every use, and remove an
//! expired token.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use sha2::{Digest as _, Sha256};

use crate::Claims;

/// The SHA-256 of a token, under which it is cached; the token itself is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint([u8; 32]);

impl Fingerprint {
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }
}

/// Limits of a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheRules {
    /// `PGRST_JWT_CACHE_MAX_ENTRIES`: the largest number of tokens; 0 switches the cache off.
    pub entries: usize,
    /// `PGRST_JWT_CACHE_MAX_LIFETIME` (PostgREST 12 and 13): seconds after which a signature is
    /// checked again; `None` is no limit.
    pub lifetime: Option<i64>,
}

impl Default for CacheRules {
    fn default() -> Self {
        Self { entries: 1000, lifetime: None }
    }
}

/// Counters of a cache since the process started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Number of lookups.
    pub requests: u64,
    /// Lookups that found the token.
    pub hits: u64,
    /// Tokens that were removed to make room for others.
    pub evictions: u64,
}

struct Entry {
    claims: Arc<Claims>,
    since: i64,
}

/// The cache of one key ring.
pub(crate) struct VerifiedTokens {
    known: Option<Mutex<LruCache<Fingerprint, Entry>>>,
    lifetime: Option<i64>,
    requests: AtomicU64,
    hits: AtomicU64,
    evictions: AtomicU64,
}

impl VerifiedTokens {
    pub fn new(rules: CacheRules) -> Self {
        let known = NonZeroUsize::new(rules.entries).map(LruCache::new).map(Mutex::new);
        let (requests, hits, evictions) = Default::default();
        Self { known, lifetime: rules.lifetime, requests, hits, evictions }
    }

    /// The claims of a cached token. A hit allocates nothing.
    pub fn get(&self, token: &Fingerprint, now: i64) -> Option<Arc<Claims>> {
        self.requests.fetch_add(1, Relaxed);
        let mut known = lock(self.known.as_ref()?);
        let entry = known.get(token)?;
        if self.lifetime.is_some_and(|seconds| now.saturating_sub(entry.since) >= seconds) {
            known.pop(token);
            return None;
        }
        self.hits.fetch_add(1, Relaxed);
        Some(Arc::clone(&entry.claims))
    }

    pub fn put(&self, token: Fingerprint, claims: &Arc<Claims>, now: i64) {
        let Some(known) = &self.known else { return };
        let entry = Entry { claims: Arc::clone(claims), since: now };
        let replaced = lock(known).push(token, entry);
        if replaced.is_some_and(|(old, _)| old != token) {
            self.evictions.fetch_add(1, Relaxed);
        }
    }

    pub fn forget(&self, token: &Fingerprint) {
        if let Some(known) = &self.known {
            lock(known).pop(token);
        }
    }

    pub fn counts(&self) -> CacheCounts {
        CacheCounts {
            requests: self.requests.load(Relaxed),
            hits: self.hits.load(Relaxed),
            evictions: self.evictions.load(Relaxed),
        }
    }
}

/// Ignores poisoning: a panic cannot leave an entry half written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims() -> Arc<Claims> {
        Arc::new(Claims::parse("{}").expect("an object"))
    }

    fn cache(entries: usize, lifetime: Option<i64>) -> VerifiedTokens {
        VerifiedTokens::new(CacheRules { entries, lifetime })
    }

    #[test]
    fn full_cache_evicts_the_least_recently_used_entry() {
        let cache = cache(2, None);
        let [a, b, c] = ["a", "b", "c"].map(Fingerprint::of);
        cache.put(a, &claims(), 0);
        cache.put(b, &claims(), 0);
        assert!(cache.get(&a, 0).is_some());
        cache.put(c, &claims(), 0);
        assert!(cache.get(&a, 0).is_some());
        assert!(cache.get(&b, 0).is_none());
        assert_eq!(cache.counts(), CacheCounts { requests: 3, hits: 2, evictions: 1 });
    }

    #[test]
    fn entry_is_removed_after_its_lifetime() {
        let cache = cache(2, Some(10));
        let token = Fingerprint::of("a");
        cache.put(token, &claims(), 100);
        assert!(cache.get(&token, 109).is_some());
        assert!(cache.get(&token, 110).is_none());
        assert!(cache.get(&token, 100).is_none(), "it was forgotten, not hidden");
    }

    #[test]
    fn no_entries_means_no_cache() {
        let cache = cache(0, None);
        let token = Fingerprint::of("a");
        cache.put(token, &claims(), 0);
        assert!(cache.get(&token, 0).is_none());
        assert_eq!(cache.counts(), CacheCounts { requests: 1, ..CacheCounts::default() });
    }
}
