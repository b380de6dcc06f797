//! Rate limits: a token bucket for each caller, in a bounded map.
//!
//! Each process keeps its own buckets. Limits that all processes share belong in the database.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use lru::LruCache;

/// The most callers in the map; the least recently seen one is evicted first.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(16_384).expect("not zero");

/// The burst and the refill rate of a bucket.
#[derive(Debug, Clone, Copy)]
pub struct RateLimitConfig {
    /// Calls that may come at once.
    pub burst: u32,
    /// The time after which one more call is earned.
    pub refill: Duration,
}

/// Buckets by caller: an address, or another key.
pub struct RateLimit<K> {
    config: RateLimitConfig,
    buckets: Mutex<LruCache<K, TokenBucket>>,
}

struct TokenBucket {
    left: f64,
    at: DateTime<Utc>,
}

/// Whether a call is allowed, and how many more may follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitStatus {
    /// Calls that may come at once.
    pub limit: u32,
    /// Calls that may follow this one at once.
    pub left: u32,
    /// Whole seconds until all of them may come at once again.
    pub full_in: u64,
    /// The whole seconds until the call would be allowed; `None` if it is allowed.
    pub retry_after: Option<u64>,
}

impl<K: Hash + Eq + Clone> RateLimit<K> {
    /// A limit with full buckets for all callers.
    pub fn new(config: RateLimitConfig) -> Self {
        Self { config, buckets: Mutex::new(LruCache::new(REMEMBERED)) }
    }

    /// Takes one call from the bucket.
    ///
    /// # Errors
    /// The whole seconds until the next call would be allowed.
    pub fn take(&self, key: &K, now: DateTime<Utc>) -> Result<(), u64> {
        self.spend(key, now).retry_after.map_or(Ok(()), Err)
    }

    /// Takes one call from the bucket, if one is left, and returns the status of the bucket.
    pub fn spend(&self, key: &K, now: DateTime<Utc>) -> RateLimitStatus {
        let full = f64::from(self.config.burst);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = buckets.get_or_insert_mut(key.clone(), || TokenBucket { left: full, at: now });
        let refill = self.config.refill.as_secs_f64();
        // A clock that is set back changes no bucket.
        let passed = (now - bucket.at).to_std().unwrap_or_default().as_secs_f64();
        bucket.left = (bucket.left + passed / refill).min(full);
        bucket.at = now;
        let retry_after = if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            None
        } else {
            Some(((1.0 - bucket.left) * refill).ceil().max(1.0) as u64)
        };
        RateLimitStatus {
            limit: self.config.burst,
            left: bucket.left as u32,
            full_in: ((full - bucket.left) * refill).ceil() as u64,
            retry_after,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_limit_allows_burst_then_refills() {
        let limit = RateLimit::new(RateLimitConfig { burst: 3, refill: Duration::from_secs(10) });
        let start = DateTime::from_timestamp(1_790_000_000, 0).expect("a time");
        let at = |seconds: i64| start + chrono::TimeDelta::seconds(seconds);
        for _ in 0..3 {
            assert_eq!(limit.take(&1, start), Ok(()));
        }
        assert_eq!(limit.take(&1, start), Err(10));
        assert_eq!(limit.take(&1, at(4)), Err(6));
        assert_eq!(limit.take(&1, at(10)), Ok(()));
        assert_eq!(limit.take(&1, at(10)), Err(10));
        let others = RateLimitStatus { limit: 3, left: 2, full_in: 10, retry_after: None };
        assert_eq!(limit.spend(&2, at(10)), others, "others are not held up");
        for _ in 0..3 {
            assert_eq!(limit.take(&1, at(1000)), Ok(()));
        }
        assert_eq!(limit.take(&1, at(1000)), Err(10), "no more than a burst is saved");
        assert_eq!(limit.take(&1, at(900)), Err(10), "a clock set back earns nothing");
    }
}
