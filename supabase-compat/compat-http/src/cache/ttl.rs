//! Values that are good for some time, each loaded by one caller at a time.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use lru::LruCache;

use crate::Clock;

/// A bounded cache with a time to live and single flight: of several callers that miss a key, one
/// loads it, and those that wait meanwhile share its result. A failure is shared with them and not
/// cached. When the clock steps back, values are loaded anew.
pub struct TtlCache<K, V, E> {
    clock: Clock,
    ttl: fn(&V) -> Duration,
    entries: Mutex<LruCache<K, Arc<Entry<V, E>>>>,
}

struct Entry<V, E> {
    state: Mutex<State<V, E>>,
    /// The lock that the loading caller holds.
    flight: tokio::sync::Mutex<()>,
}

struct State<V, E> {
    /// The last value, and when its loading began.
    value: Option<(DateTime<Utc>, V)>,
    /// How the last flight failed, if it did.
    failure: Option<E>,
    /// Flights that were completed.
    flights: u64,
}

impl<K: Eq + Hash + Clone, V: Clone, E: Clone> TtlCache<K, V, E> {
    /// An empty cache of `capacity` keys, which evicts the least recently used one. `ttl` says how
    /// long a value is valid, counted from the start of its loading.
    #[must_use]
    pub fn new(clock: Clock, capacity: NonZeroUsize, ttl: fn(&V) -> Duration) -> Self {
        Self { clock, ttl, entries: Mutex::new(LruCache::new(capacity)) }
    }

    /// The value of the key: the cached one, or the result of `load`. `load` is not polled while
    /// another caller loads; if that caller is cancelled, the next one loads.
    ///
    /// # Errors
    /// How loading failed, here or in the caller this one waited for.
    pub async fn get_or_load(
        &self,
        key: &K,
        load: impl Future<Output = Result<V, E>>,
    ) -> Result<V, E> {
        let entry = self.entry(key);
        let flights = {
            let state = entry.state();
            if let Some(value) = self.fresh(&state) {
                return Ok(value);
            }
            state.flights
        };
        let _flight = entry.flight.lock().await;
        {
            let state = entry.state();
            if let Some(value) = self.fresh(&state) {
                return Ok(value);
            }
            // Only a flight that landed during this wait counts: an older failure is not shared.
            if state.flights != flights
                && let Some(outcome) = state.outcome()
            {
                return outcome;
            }
        }
        let began = self.clock.now();
        let loaded = load.await;
        entry.state().finish_load(began, &loaded);
        loaded
    }

    /// The value of the key if it is still valid. Nothing is loaded.
    pub fn get(&self, key: &K) -> Option<V> {
        let entry = self.lock().get(key).cloned()?;
        let state = entry.state();
        self.fresh(&state)
    }

    /// The last value of the key, however old.
    pub fn latest(&self, key: &K) -> Option<V> {
        let entry = self.lock().get(key).cloned()?;
        let value = entry.state().value.clone();
        value.map(|(_, value)| value)
    }

    fn entry(&self, key: &K) -> Arc<Entry<V, E>> {
        Arc::clone(self.lock().get_or_insert_ref(key, Arc::default))
    }

    fn fresh(&self, state: &State<V, E>) -> Option<V> {
        let (began, value) = state.value.as_ref()?;
        // A negative age means that the clock was set back.
        let age = (self.clock.now() - *began).to_std().ok()?;
        (age < (self.ttl)(value)).then(|| value.clone())
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<K, Arc<Entry<V, E>>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V, E> Default for Entry<V, E> {
    fn default() -> Self {
        let state = State { value: None, failure: None, flights: 0 };
        Self { state: Mutex::new(state), flight: tokio::sync::Mutex::default() }
    }
}

impl<V, E> Entry<V, E> {
    fn state(&self) -> MutexGuard<'_, State<V, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V: Clone, E: Clone> State<V, E> {
    fn finish_load(&mut self, began: DateTime<Utc>, loaded: &Result<V, E>) {
        self.flights += 1;
        match loaded {
            Ok(value) => {
                self.value = Some((began, value.clone()));
                self.failure = None;
            }
            Err(error) => self.failure = Some(error.clone()),
        }
    }

    /// The result of the last flight.
    fn outcome(&self) -> Option<Result<V, E>> {
        let failure = self.failure.clone().map(Err);
        failure.or_else(|| self.value.clone().map(|(_, value)| Ok(value)))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures_util::FutureExt as _;
    use futures_util::future::join_all;
    use tokio::sync::Notify;

    use super::*;

    const TTL: Duration = Duration::from_secs(10);

    type Cache = TtlCache<u32, u32, &'static str>;

    fn cache(capacity: usize) -> (Cache, Clock) {
        let clock = Clock::manual(DateTime::from_timestamp(1_790_000_000, 0).expect("a time"));
        let capacity = NonZeroUsize::new(capacity).expect("not zero");
        (TtlCache::new(clock.clone(), capacity, |_| TTL), clock)
    }

    /// What the cache returns at once if loading yields `value`.
    fn get(cache: &Cache, key: u32, value: Result<u32, &'static str>) -> Result<u32, &'static str> {
        cache.get_or_load(&key, async { value }).now_or_never().expect("nobody else loads")
    }

    #[test]
    fn cached_value_expires_after_its_ttl() {
        let (cache, clock) = cache(4);
        assert_eq!(get(&cache, 1, Ok(1)), Ok(1));
        clock.advance(TTL - Duration::from_millis(1));
        assert_eq!(get(&cache, 1, Ok(2)), Ok(1));
        assert_eq!(cache.get(&1), Some(1));
        clock.advance(Duration::from_millis(1));
        assert_eq!((cache.get(&1), cache.latest(&1)), (None, Some(1)));
        assert_eq!(get(&cache, 1, Ok(2)), Ok(2));
        assert_eq!(get(&cache, 2, Ok(3)), Ok(3));
    }

    #[test]
    fn clock_that_steps_back_makes_values_load_anew() {
        let (cache, clock) = cache(4);
        let start = clock.now();
        assert_eq!(get(&cache, 1, Ok(1)), Ok(1));
        clock.set(start - Duration::from_secs(3_600));
        assert_eq!(get(&cache, 1, Ok(2)), Ok(2));
        assert_eq!(get(&cache, 1, Ok(3)), Ok(2));
        clock.set(start);
        assert_eq!(get(&cache, 1, Ok(4)), Ok(4));
    }

    #[tokio::test]
    async fn callers_at_expiry_load_once() {
        let (cache, clock) = cache(4);
        assert_eq!(get(&cache, 1, Ok(0)), Ok(0));
        clock.advance(TTL);
        let loads = Cell::new(0);
        let calls = (0..20).map(|_| {
            cache.get_or_load(&1, async {
                loads.set(loads.get() + 1);
                tokio::task::yield_now().await;
                Ok(loads.get())
            })
        });
        assert_eq!(join_all(calls).await, vec![Ok(1); 20]);
        assert_eq!(loads.get(), 1);
    }

    #[tokio::test]
    async fn failed_load_is_shared_but_not_cached() {
        let (cache, clock) = cache(4);
        assert_eq!(get(&cache, 1, Ok(1)), Ok(1));
        clock.advance(TTL);
        let loads = Cell::new(0);
        let calls = (0..20).map(|_| {
            cache.get_or_load(&1, async {
                loads.set(loads.get() + 1);
                tokio::task::yield_now().await;
                Err("away")
            })
        });
        assert_eq!(join_all(calls).await, vec![Err("away"); 20]);
        assert_eq!(loads.get(), 1);
        assert_eq!(cache.latest(&1), Some(1));
        assert_eq!(get(&cache, 1, Ok(2)), Ok(2));
    }

    #[tokio::test]
    async fn abandoned_load_passes_to_next_waiting_caller() {
        let (cache, _) = cache(4);
        let never = Notify::new();
        let mut first = Box::pin(cache.get_or_load(&1, async {
            never.notified().await;
            Ok(1)
        }));
        assert!(first.as_mut().now_or_never().is_none());
        let mut second = Box::pin(cache.get_or_load(&1, async { Ok(2) }));
        assert!(second.as_mut().now_or_never().is_none());
        drop(first);
        assert_eq!(second.await, Ok(2));
    }

    #[tokio::test]
    async fn slow_load_is_shared_even_past_its_ttl() {
        let (cache, clock) = cache(4);
        let go = Notify::new();
        let mut first = Box::pin(cache.get_or_load(&1, async {
            go.notified().await;
            Ok(1)
        }));
        assert!(first.as_mut().now_or_never().is_none());
        let mut second = Box::pin(cache.get_or_load(&1, async { Ok(2) }));
        assert!(second.as_mut().now_or_never().is_none());
        clock.advance(TTL * 2);
        go.notify_one();
        assert_eq!(first.await, Ok(1));
        assert_eq!(second.await, Ok(1));
        assert_eq!(get(&cache, 1, Ok(3)), Ok(3));
    }

    #[test]
    fn least_recently_used_key_is_forgotten_first() {
        let (cache, _) = cache(2);
        for key in [1, 2, 1, 3] {
            assert_eq!(get(&cache, key, Ok(key)), Ok(key));
        }
        assert_eq!(
            (cache.latest(&1), cache.latest(&2), cache.latest(&3)),
            (Some(1), None, Some(3))
        );
        assert_eq!(cache.lock().len(), 2);
    }
}
