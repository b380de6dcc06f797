//! A cache of results within a number of bytes.
//!
//! A key contains the version of the object, so that a new version never finds an old result; the
//! least recently used results are evicted first.

use compat_http::WeightedLru;
use uuid::Uuid;

use super::{ImageRefusal, Picture};

/// The approximate size of an entry in bytes without its picture.
const ENTRY: usize = 512;

/// The object version and the requested transformation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RenderKey {
    /// The version of the object, which no two contents share.
    pub version: Uuid,
    /// [`super::Transform::header`].
    pub transform: String,
    /// Whether a WebP is requested instead of the format of the source.
    pub webp: bool,
}

/// A picture, or why there can never be one.
pub(super) type RenderResult = Result<Picture, ImageRefusal>;

/// The cache of results.
pub(super) struct ResultCache {
    results: WeightedLru<RenderKey, RenderResult>,
    /// The maximum weight of a cached result.
    largest: usize,
}

impl ResultCache {
    /// Creates a cache of `most` bytes.
    pub fn new(most: usize) -> Self {
        Self { results: WeightedLru::new(most), largest: most / 4 }
    }

    pub fn get(&self, key: &RenderKey) -> Option<RenderResult> {
        self.results.get(key)
    }

    /// Caches a result, unless it is so large that it would evict many others.
    pub fn put(&self, key: RenderKey, known: RenderResult) {
        let size = size(&key, &known);
        if size <= self.largest {
            self.results.put(key, known, size);
        }
    }
}

fn size(key: &RenderKey, known: &RenderResult) -> usize {
    ENTRY + key.transform.len() + known.as_ref().map_or(0, |picture| picture.bytes.len())
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    fn key(number: u128) -> RenderKey {
        RenderKey { version: Uuid::from_u128(number), transform: String::new(), webp: false }
    }

    fn picture(length: usize) -> RenderResult {
        Ok(Picture { kind: Kind::Png, bytes: vec![0; length].into() })
    }

    #[test]
    fn result_cache_is_bounded_by_bytes() {
        let cache = ResultCache::new(10_000);
        for number in 0..6 {
            cache.put(key(number), picture(1900 - ENTRY));
        }
        assert!(cache.get(&key(0)).is_none());
        assert!(cache.get(&key(1)).is_some());
        cache.put(key(9), picture(5000));
        assert!(cache.get(&key(9)).is_none());
    }

    #[test]
    fn new_version_finds_no_old_result() {
        let cache = ResultCache::new(10_000);
        cache.put(key(1), Err(ImageRefusal::Source));
        assert_eq!(cache.get(&key(1)), Some(Err(ImageRefusal::Source)));
        assert_eq!(cache.get(&key(2)), None);
        assert_eq!(cache.get(&RenderKey { webp: true, ..key(1) }), None);
    }
}
