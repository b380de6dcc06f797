//! Requests seen before: their plan and statement are remembered, so that they are neither parsed nor
//! planned nor rendered again.
//!
//! The key is everything those stages look at: method, path, query, the headers they read, the schema
//! cache's version, and of a body the names of its keys. Bodies themselves and their values are never
//! part of an entry. The number of entries and the size of a key are bounded.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use compat_rest_core::request::payload::Payload;
use compat_rest_core::{ApiRequest, Incoming, Plan, Statement};
use lru::LruCache;

/// Longest key worth remembering, in bytes.
const LONGEST_KEY: usize = 4096;

/// What the first three stages made of a request.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The request without its body.
    pub request: Arc<ApiRequest>,
    pub plan: Plan,
    pub statement: Option<Statement>,
    /// The statement that asks the planner for its guess of the total.
    pub estimate: Option<Statement>,
}

/// The remembered requests, by head alone and by whole shape.
pub(crate) struct ShapeCache {
    heads: Mutex<LruCache<String, Arc<ApiRequest>>>,
    shapes: Mutex<LruCache<String, Arc<Shape>>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl ShapeCache {
    /// Room for so many shapes, at least one.
    pub(crate) fn new(capacity: usize) -> Self {
        let capacity = NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN);
        Self {
            heads: Mutex::new(LruCache::new(capacity)),
            shapes: Mutex::new(LruCache::new(capacity)),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// A remembered head.
    pub(crate) fn head(&self, key: &str) -> Option<Arc<ApiRequest>> {
        lock(&self.heads).get(key).cloned()
    }

    /// Remembers a head.
    pub(crate) fn put_head(&self, key: &str, head: Arc<ApiRequest>) {
        lock(&self.heads).put(key.to_owned(), head);
    }

    /// A remembered shape.
    pub(crate) fn get(&self, key: &str) -> Option<Arc<Shape>> {
        let found = lock(&self.shapes).get(key).cloned();
        let counter = if found.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Remembers a shape.
    pub(crate) fn put(&self, key: String, shape: Arc<Shape>) {
        lock(&self.shapes).put(key, shape);
    }

    /// Hits and misses so far.
    pub(crate) fn figures(&self) -> (u64, u64) {
        (self.hits.load(Ordering::Relaxed), self.misses.load(Ordering::Relaxed))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The key of a request's head, if it is worth remembering.
pub(crate) fn head_key(incoming: &Incoming<'_>, version: u64) -> Option<String> {
    let length = incoming.path.len() + incoming.query.len();
    if length > LONGEST_KEY {
        return None;
    }
    let mut key = String::with_capacity(length + 128);
    let parts = [
        Some(incoming.method),
        Some(incoming.path),
        Some(incoming.query),
        incoming.accept,
        incoming.accept_profile,
        incoming.content_profile,
        incoming.content_type,
        incoming.range,
    ];
    key.push_str(&version.to_string());
    for part in parts.into_iter().chain(incoming.prefer.iter().map(|p| Some(*p))) {
        // Control characters that no header and no request line can hold keep the parts apart.
        key.push('\u{1}');
        key.push_str(part.unwrap_or("\u{2}"));
    }
    (key.len() <= LONGEST_KEY).then_some(key)
}

/// The key of head and body together.
pub(crate) fn shape_key(head: Option<String>, payload: Option<&Payload>) -> Option<String> {
    let mut key = head?;
    if let Some(payload) = payload {
        key.push('\u{3}');
        key.push_str(&payload.shape()?);
    }
    (key.len() <= 2 * LONGEST_KEY).then_some(key)
}
