//! Limits the permits of each key, for instance the calls to one host.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Limits the permits of each key. Only keys in use take memory. Clones share the permits.
pub struct KeyedLimiter<K> {
    limit: fn(&K) -> usize,
    keys: Arc<Mutex<HashMap<K, Arc<Semaphore>>>>,
}

/// A permit of a key, released when it is dropped.
pub struct KeyedPermit<K: Eq + Hash> {
    limiter: KeyedLimiter<K>,
    key: K,
    permit: Option<OwnedSemaphorePermit>,
}

impl<K: Eq + Hash + Clone> KeyedLimiter<K> {
    /// Creates a limiter; each key has as many permits as `limit` says, at least one.
    #[must_use]
    pub fn new(limit: fn(&K) -> usize) -> Self {
        Self { limit, keys: Arc::default() }
    }

    /// Waits for a permit; the calls for a key are served in the order in which they came.
    pub async fn acquire(&self, key: K) -> KeyedPermit<K> {
        let semaphore = Arc::clone(self.semaphore(&mut self.lock(), &key));
        // Created before the wait, so that its drop removes the key if the caller stops waiting.
        let mut permit = KeyedPermit { limiter: self.clone(), key, permit: None };
        // The semaphore is never closed, so this does not fail.
        permit.permit = semaphore.acquire_owned().await.ok();
        permit
    }

    /// A permit, if the key has one left.
    #[must_use]
    pub fn try_acquire(&self, key: K) -> Option<KeyedPermit<K>> {
        // Done under the lock: a refused call must not keep the semaphore while another permit is
        // released.
        let permit = {
            let mut keys = self.lock();
            Arc::clone(self.semaphore(&mut keys, &key)).try_acquire_owned().ok()?
        };
        Some(KeyedPermit { limiter: self.clone(), key, permit: Some(permit) })
    }

    fn semaphore<'a>(
        &self,
        keys: &'a mut HashMap<K, Arc<Semaphore>>,
        key: &K,
    ) -> &'a Arc<Semaphore> {
        let new = || Arc::new(Semaphore::new((self.limit)(key).max(1)));
        keys.entry(key.clone()).or_insert_with(new)
    }
}

impl<K> KeyedLimiter<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Arc<Semaphore>>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K> Clone for KeyedLimiter<K> {
    fn clone(&self) -> Self {
        Self { limit: self.limit, keys: Arc::clone(&self.keys) }
    }
}

impl<K> fmt::Debug for KeyedLimiter<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedLimiter").field("keys", &self.lock().len()).finish_non_exhaustive()
    }
}

impl<K: Eq + Hash + fmt::Debug> fmt::Debug for KeyedPermit<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedPermit").field("key", &self.key).finish_non_exhaustive()
    }
}

impl<K: Eq + Hash> Drop for KeyedPermit<K> {
    fn drop(&mut self) {
        let mut keys = self.limiter.lock();
        drop(self.permit.take());
        // Every permit and every waiting call has a clone; a count of one means that the key is
        // unused.
        if keys.get(&self.key).is_some_and(|semaphore| Arc::strong_count(semaphore) == 1) {
            keys.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use futures_util::future::join_all;

    use super::*;

    fn limiter(limit: fn(&&str) -> usize) -> KeyedLimiter<&'static str> {
        KeyedLimiter::new(limit)
    }

    #[tokio::test]
    async fn key_with_one_permit_is_exclusive() {
        let (hosts, inside) = (limiter(|_| 1), AtomicUsize::new(0));
        join_all((0..8).map(async |_| {
            let _permit = hosts.acquire("a").await;
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
            tokio::task::yield_now().await;
            inside.fetch_sub(1, Ordering::SeqCst);
        }))
        .await;
        assert!(hosts.lock().is_empty());
    }

    #[tokio::test]
    async fn each_key_has_its_own_limit() {
        let hosts = limiter(|host| if *host == "common" { 3 } else { 2 });
        let held: Vec<_> = (0..4).filter_map(|_| hosts.try_acquire("common")).collect();
        assert_eq!(held.len(), 3);
        let (one, _two) = (hosts.try_acquire("a"), hosts.try_acquire("a").expect("a permit"));
        assert!(hosts.try_acquire("a").is_none() && hosts.try_acquire("b").is_some());
        drop(one);
        assert!(hosts.try_acquire("a").is_some());
    }

    #[tokio::test]
    async fn caller_that_stops_waiting_leaves_no_key() {
        let hosts = limiter(|_| 1);
        let first = hosts.acquire("a").await;
        assert!(tokio::time::timeout(Duration::ZERO, hosts.acquire("a")).await.is_err());
        assert!(hosts.try_acquire("a").is_none());
        drop(first);
        assert!(hosts.lock().is_empty());
    }
}
