//! Tokens whose signature was checked before.
//!
//! Bounded in number, and in time where the operator says so. Nothing here decides that a token
//! is still valid: its times are checked at every use, and a token found expired is forgotten.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use sha2::{Digest as _, Sha256};

use crate::Claims;

/// What is remembered of a token: never the token itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint([u8; 32]);

impl Fingerprint {
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }
}

/// How much is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheRules {
    /// `PGRST_JWT_CACHE_MAX_ENTRIES`: most tokens; 0 remembers none.
    pub entries: usize,
    /// `PGRST_JWT_CACHE_MAX_LIFETIME` (PostgREST 12 and 13): seconds after which a signature is
    /// checked again; none without one.
    pub lifetime: Option<i64>,
}

impl Default for CacheRules {
    fn default() -> Self {
        Self { entries: 1000, lifetime: None }
    }
}

/// What became of the lookups so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Lookups.
    pub requests: u64,
    /// Lookups that found the token.
    pub hits: u64,
    /// Tokens forgotten to make room.
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

    /// The claims of a token seen before. Costs no allocation.
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

/// A panic elsewhere leaves the cache usable: every entry is whole.
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
    fn room_is_made_by_forgetting_what_was_used_longest_ago() {
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
    fn an_entry_ends_with_the_lifetime_it_was_given() {
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
