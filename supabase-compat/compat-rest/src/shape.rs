//! Requests seen before: their plan and statement are remembered, so that they are neither parsed nor
//! planned nor rendered again.
//!
//! The key is everything those stages look at, with the schema cache's version. The number of entries
//! and the size of a key are bounded.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use compat_rest_core::{ApiRequest, Incoming, Plan, Statement};
use lru::LruCache;

/// Longest key worth remembering, in bytes.
const LONGEST_KEY: usize = 4096;

/// What the first three stages made of a request.
#[derive(Debug)]
pub(crate) struct Shape {
    pub request: ApiRequest,
    pub plan: Plan,
    pub statement: Option<Statement>,
    /// The statement that asks the planner for its guess of the total.
    pub estimate: Option<Statement>,
}

/// The remembered shapes.
pub(crate) struct ShapeCache {
    entries: Mutex<LruCache<String, Arc<Shape>>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl ShapeCache {
    /// Room for so many shapes, at least one.
    pub(crate) fn new(capacity: usize) -> Self {
        let capacity = NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN);
        Self {
            entries: Mutex::new(LruCache::new(capacity)),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// A remembered shape.
    pub(crate) fn get(&self, key: &str) -> Option<Arc<Shape>> {
        let found = self.lock().get(key).cloned();
        let counter = if found.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Remembers a shape.
    pub(crate) fn put(&self, key: String, shape: Arc<Shape>) {
        self.lock().put(key, shape);
    }

    /// Hits and misses so far.
    pub(crate) fn figures(&self) -> (u64, u64) {
        (self.hits.load(Ordering::Relaxed), self.misses.load(Ordering::Relaxed))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LruCache<String, Arc<Shape>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key of a request, if it is worth remembering: a body that names columns or arguments would have
/// to be read first, so only requests without one are.
pub(crate) fn key(incoming: &Incoming<'_>, version: u64) -> Option<String> {
    if !matches!(incoming.method, "GET" | "HEAD" | "DELETE") {
        return None;
    }
    let length = incoming.path.len() + incoming.query.len();
    if length > LONGEST_KEY {
        return None;
    }
    let mut key = String::with_capacity(length + 128);
    let headers = [
        Some(incoming.method),
        Some(incoming.path),
        Some(incoming.query),
        incoming.accept,
        incoming.accept_profile,
        incoming.content_profile,
        incoming.range,
    ];
    key.push_str(&version.to_string());
    for part in headers.into_iter().chain(incoming.prefer.iter().map(|p| Some(*p))) {
        // A control character that no header and no decoded request line can hold.
        key.push('\u{1}');
        key.push_str(part.unwrap_or("\u{2}"));
    }
    (key.len() <= LONGEST_KEY).then_some(key)
}
