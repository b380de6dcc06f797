//! A cache of values that never change, bounded in bytes.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use lru::LruCache;

/// A cache bounded by the weight of its values; the least recently used one is evicted first.
pub struct WeightedLru<K, V> {
    capacity: usize,
    state: Mutex<State<K, V>>,
}

struct State<K, V> {
    /// Values with their weights.
    entries: LruCache<K, (V, usize)>,
    weight: usize,
}

impl<K: Eq + Hash, V: Clone> WeightedLru<K, V> {
    /// An empty cache whose values may weigh `capacity` together.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let state = State { entries: LruCache::unbounded(), weight: 0 };
        Self { capacity, state: Mutex::new(state) }
    }

    /// The value, if it is still there.
    pub fn get(&self, key: &K) -> Option<V> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.entries.get(key).map(|(value, _)| value.clone())
    }

    /// Stores a value of the given weight. A value that weighs more than the whole cache is not
    /// stored and evicts nothing.
    pub fn put(&self, key: K, value: V, weight: usize) {
        if weight > self.capacity {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.weight += weight;
        if let Some((_, (_, replaced))) = state.entries.push(key, (value, weight)) {
            state.weight -= replaced;
        }
        while state.weight > self.capacity
            && let Some((_, (_, oldest))) = state.entries.pop_lru()
        {
            state.weight -= oldest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_cache_evicts_least_recently_used_entry() {
        let cache = WeightedLru::new(10);
        for key in 0..3 {
            cache.put(key, key, 3);
        }
        assert_eq!(cache.get(&0), Some(0));
        cache.put(3, 3, 3);
        let values: Vec<_> = (0..4).filter_map(|key| cache.get(&key)).collect();
        assert_eq!(values, [0, 2, 3]);
        cache.put(0, 5, 1);
        assert_eq!((cache.get(&0), cache.state.lock().unwrap().weight), (Some(5), 7));
        cache.put(9, 9, 11);
        assert_eq!(cache.get(&9), None);
        assert_eq!(cache.get(&0), Some(5));
    }
}
