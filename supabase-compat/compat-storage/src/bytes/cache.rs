//! A memory cache of small public objects: their contents and rows.
//!
//! It promises never to return an object that was changed, moved, removed or hidden, once the
//! process could know of that. When such a change is committed, the database notifies every process
//! (the channel [`CHANNEL`]); the process that made the change drops its entry at once. While the
//! connection for notifications is down, the cache neither returns nor keeps anything; when it is
//! back, or when notifications may have been missed, the cache is cleared. In addition, no entry
//! becomes older than a minute.
//!
//! A [`CacheFill`] keeps out an object that was read before a change and would be stored after it.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use compat_pg::{Notification, NotificationListener};
use futures_util::StreamExt as _;
use lru::LruCache;
use tokio_util::sync::CancellationToken;

/// The channel on which the database announces changes: a JSON list of a bucket and a key, of a
/// bucket for all its objects, or an empty one for everything.
pub const CHANNEL: &str = "storage_changes";

/// The longest content that is cached.
pub const LONGEST: usize = 64 * 1024;
/// The maximum age of an entry.
const AGE: Duration = Duration::from_secs(60);
/// The approximate size of an entry without its content and names.
const OVERHEAD: usize = 1024;
/// The number of groups of keys; the keys of a group share one counter of changes.
const GROUPS: usize = 1024;

/// A cached public object.
#[derive(Debug)]
pub struct CachedObject<F> {
    /// The values of the object's row.
    pub facts: F,
    /// All of its bytes.
    pub content: Bytes,
}

/// A ticket to cache what is read from now on, unless it changes before it is stored.
#[derive(Debug)]
pub struct CacheFill {
    name: u64,
    changes: u64,
}

/// The cache; shared by reference.
pub struct Cache<F> {
    names: RandomState,
    shard: Mutex<CacheShard<F>>,
    /// For each group of keys, the number of changes.
    changes: Box<[AtomicU64]>,
    /// Whether the process receives notifications of changes.
    is_listening: AtomicBool,
    /// The most bytes of memory that the cache may use.
    limit: usize,
}

struct CacheShard<F> {
    entries: LruCache<u64, Entry<F>>,
    size: usize,
}

struct Entry<F> {
    bucket: String,
    key: String,
    object: Arc<CachedObject<F>>,
    since: Instant,
}

impl<F> Entry<F> {
    fn size(&self) -> usize {
        self.object.content.len() + self.bucket.len() + self.key.len() + OVERHEAD
    }
}

impl<F> Cache<F> {
    /// An empty cache with this limit in bytes; it stores nothing until it [`Self::listen`]s.
    pub fn new(limit: usize) -> Self {
        Self {
            names: RandomState::new(),
            shard: Mutex::new(CacheShard { entries: LruCache::unbounded(), size: 0 }),
            changes: (0..GROUPS).map(|_| AtomicU64::new(0)).collect(),
            is_listening: AtomicBool::new(false),
            limit,
        }
    }

    /// The entry of a key.
    pub fn get(&self, bucket: &str, key: &str) -> Option<Arc<CachedObject<F>>> {
        if !self.is_listening.load(Ordering::Acquire) {
            return None;
        }
        let mut shard = self.shard();
        let entry = shard.entries.get(&self.name(bucket, key))?;
        let is_it = entry.bucket == bucket && entry.key == key && entry.since.elapsed() < AGE;
        is_it.then(|| Arc::clone(&entry.object))
    }

    /// A ticket, to be taken before the row is read; `None` while the cache stores nothing.
    pub fn ticket(&self, bucket: &str, key: &str) -> Option<CacheFill> {
        let name = self.name(bucket, key);
        let changes = self.group(name).load(Ordering::Acquire);
        (self.limit > 0 && self.is_listening.load(Ordering::Acquire))
            .then_some(CacheFill { name, changes })
    }

    /// Stores an object that was read after its ticket was taken, unless it has changed since or is
    /// too long.
    pub fn keep(&self, ticket: &CacheFill, bucket: &str, key: &str, object: CachedObject<F>) {
        let (bucket, key) = (bucket.to_owned(), key.to_owned());
        let entry = Entry { bucket, key, object: Arc::new(object), since: Instant::now() };
        let size = entry.size();
        if entry.object.content.len() > LONGEST || size > self.limit {
            return;
        }
        let mut shard = self.shard();
        // Checked under the lock: a removal counts the change first and then takes the lock.
        let is_good = self.group(ticket.name).load(Ordering::Acquire) == ticket.changes;
        if !is_good || !self.is_listening.load(Ordering::Acquire) {
            return;
        }
        if let Some(old) = shard.entries.put(ticket.name, entry) {
            shard.size -= old.size();
        }
        shard.size += size;
        while shard.size > self.limit {
            let Some((_, oldest)) = shard.entries.pop_lru() else { return };
            shard.size -= oldest.size();
        }
    }

    /// Removes a key that has changed.
    pub fn forget(&self, bucket: &str, key: &str) {
        let name = self.name(bucket, key);
        self.group(name).fetch_add(1, Ordering::AcqRel);
        let mut shard = self.shard();
        if let Some(old) = shard.entries.pop(&name) {
            shard.size -= old.size();
        }
    }

    /// Removes all keys of a bucket.
    pub fn forget_bucket(&self, bucket: &str) {
        self.forget_if(|entry| entry.bucket == bucket);
    }

    /// Removes all entries.
    pub fn forget_all(&self) {
        self.forget_if(|_| true);
    }

    fn forget_if(&self, has_changed: impl Fn(&Entry<F>) -> bool) {
        for group in &self.changes {
            group.fetch_add(1, Ordering::AcqRel);
        }
        let mut shard = self.shard();
        let names: Vec<u64> = shard
            .entries
            .iter()
            .filter_map(|(name, entry)| has_changed(entry).then_some(*name))
            .collect();
        for name in names {
            let old = shard.entries.pop(&name);
            shard.size -= old.map_or(0, |old| old.size());
        }
    }

    /// The approximate bytes of memory that the cache uses.
    pub fn size(&self) -> usize {
        self.shard().size
    }

    /// Applies the database's notifications of changes until `stop` is cancelled.
    pub async fn listen(&self, listener: &NotificationListener, stop: &CancellationToken) {
        let mut notifications = listener.subscribe(CHANNEL);
        while let Some(Some(news)) = stop.run_until_cancelled(notifications.next()).await {
            self.apply(&news);
        }
        self.is_listening.store(false, Ordering::Release);
    }

    fn apply(&self, news: &Notification) {
        let Notification::Payload(text) = news else {
            self.is_listening.store(*news == Notification::Listening, Ordering::Release);
            return self.forget_all();
        };
        let names: Option<Vec<String>> = serde_json::from_str(text).ok();
        match names.as_deref() {
            Some([bucket, key]) => self.forget(bucket, key),
            Some([bucket]) => self.forget_bucket(bucket),
            _ => self.forget_all(),
        }
    }

    fn name(&self, bucket: &str, key: &str) -> u64 {
        self.names.hash_one((bucket, key))
    }

    fn group(&self, name: u64) -> &AtomicU64 {
        let groups = self.changes.len() as u64;
        &self.changes[usize::try_from(name % groups).unwrap_or_default()]
    }

    fn shard(&self) -> MutexGuard<'_, CacheShard<F>> {
        self.shard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listening_cache(limit: usize) -> Cache<u8> {
        let cache = Cache::new(limit);
        cache.apply(&Notification::Listening);
        cache
    }

    fn cached_object(facts: u8, length: usize) -> CachedObject<u8> {
        CachedObject { facts, content: vec![0; length].into() }
    }

    fn keep(cache: &Cache<u8>, bucket: &str, key: &str, facts: u8) {
        let ticket = cache.ticket(bucket, key).unwrap();
        cache.keep(&ticket, bucket, key, cached_object(facts, 10));
    }

    fn notify(cache: &Cache<u8>, payload: &str) {
        cache.apply(&Notification::Payload(payload.to_owned()));
    }

    fn facts(cache: &Cache<u8>, bucket: &str, key: &str) -> Option<u8> {
        cache.get(bucket, key).map(|object| object.facts)
    }

    #[test]
    fn cached_objects_are_served_until_they_change() {
        let cache = listening_cache(1 << 20);
        for (bucket, key) in [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")] {
            keep(&cache, bucket, key, 1);
        }
        notify(&cache, r#"["a","x"]"#);
        assert_eq!(facts(&cache, "a", "x"), None);
        assert_eq!(facts(&cache, "a", "y"), Some(1));
        notify(&cache, r#"["b"]"#);
        assert_eq!(facts(&cache, "b", "x"), None);
        assert_eq!(facts(&cache, "a", "y"), Some(1));
        notify(&cache, "[]");
        assert_eq!(facts(&cache, "a", "y"), None);
        assert_eq!(cache.size(), 0);
    }

    #[test]
    fn unreadable_notification_clears_the_cache() {
        for payload in ["", "a/x", "{}", "[1]", r#"["a","x","z"]"#, "null"] {
            let cache = listening_cache(1 << 20);
            keep(&cache, "a", "x", 1);
            notify(&cache, payload);
            assert_eq!(facts(&cache, "a", "x"), None, "{payload}");
        }
    }

    #[test]
    fn reads_before_a_change_are_not_cached() {
        let cache = listening_cache(1 << 20);
        let changes: [&dyn Fn(); 4] = [
            &|| cache.forget("a", "x"),
            &|| cache.forget_bucket("a"),
            &|| cache.forget_all(),
            &|| cache.apply(&Notification::Listening),
        ];
        for change in changes {
            let ticket = cache.ticket("a", "x").unwrap();
            change();
            cache.keep(&ticket, "a", "x", cached_object(1, 10));
            assert_eq!(facts(&cache, "a", "x"), None);
        }
    }

    #[test]
    fn cache_is_disabled_while_notifications_are_lost() {
        let cache = listening_cache(1 << 20);
        keep(&cache, "a", "x", 1);
        let ticket = cache.ticket("a", "y").unwrap();
        cache.apply(&Notification::Lost("gone".to_owned()));
        assert_eq!(facts(&cache, "a", "x"), None);
        assert!(cache.ticket("a", "x").is_none());
        cache.keep(&ticket, "a", "y", cached_object(1, 10));
        cache.apply(&Notification::Listening);
        assert_eq!(facts(&cache, "a", "x"), None);
        assert_eq!(facts(&cache, "a", "y"), None);
        assert!(Cache::<u8>::new(1 << 20).ticket("a", "x").is_none());
    }

    #[test]
    fn cache_evicts_least_recently_read_objects() {
        let cache = listening_cache(10 * (10_000 + OVERHEAD + 3));
        for number in 0..100_u8 {
            let key = format!("{number:02}");
            let ticket = cache.ticket("b", &key).unwrap();
            cache.keep(&ticket, "b", &key, cached_object(number, 10_000));
            assert!(cache.size() <= 10 * (10_000 + OVERHEAD + 3));
            assert_eq!(facts(&cache, "b", "00"), Some(0));
        }
        assert_eq!(facts(&cache, "b", "99"), Some(99));
        assert_eq!(facts(&cache, "b", "50"), None);
        let ticket = cache.ticket("b", "long").unwrap();
        cache.keep(&ticket, "b", "long", cached_object(1, LONGEST + 1));
        assert_eq!(facts(&cache, "b", "long"), None);
        assert!(listening_cache(0).ticket("b", "a").is_none());
    }
}
