//! Results that are kept for whoever asks for the same, within a number of bytes.
//!
//! A result is of one version of an object, so that a new version never finds an old result; what
//! nobody asks for any more goes first.

use std::sync::{Mutex, PoisonError};

use lru::LruCache;
use uuid::Uuid;

use super::{Picture, Refusal};

/// What an entry takes beside its picture, about.
const ENTRY: usize = 512;

/// What is wished of which picture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Wish {
    /// The version of the object, which no two contents share.
    pub version: Uuid,
    /// [`super::Transform::header`].
    pub transform: String,
    /// Whether a WebP is wanted rather than the kind of the source.
    pub webp: bool,
}

/// A picture, or why there will never be one.
pub(super) type Known = Result<Picture, Refusal>;

/// The kept results.
pub(super) struct Kept {
    state: Mutex<State>,
    most: usize,
}

struct State {
    known: LruCache<Wish, Known>,
    bytes: usize,
}

impl Kept {
    /// Keeps so many bytes.
    pub fn new(most: usize) -> Self {
        Self { state: Mutex::new(State { known: LruCache::unbounded(), bytes: 0 }), most }
    }

    pub fn get(&self, wish: &Wish) -> Option<Known> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.known.get(wish).cloned()
    }

    /// Keeps a result, unless it alone would drive out much of the others.
    pub fn put(&self, wish: Wish, known: Known) {
        let size = size(&wish, &known);
        if size > self.most / 4 {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.bytes += size;
        if let Some((wish, replaced)) = state.known.push(wish, known) {
            state.bytes -= self::size(&wish, &replaced);
        }
        while state.bytes > self.most
            && let Some((wish, oldest)) = state.known.pop_lru()
        {
            state.bytes -= self::size(&wish, &oldest);
        }
    }
}

fn size(wish: &Wish, known: &Known) -> usize {
    ENTRY + wish.transform.len() + known.as_ref().map_or(0, |picture| picture.bytes.len())
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    fn wish(number: u128) -> Wish {
        Wish { version: Uuid::from_u128(number), transform: String::new(), webp: false }
    }

    fn picture(length: usize) -> Known {
        Ok(Picture { kind: Kind::Png, bytes: vec![0; length].into() })
    }

    #[test]
    fn what_nobody_asks_for_goes_first_and_bytes_are_bounded() {
        let kept = Kept::new(10_000);
        for number in 0..5 {
            kept.put(wish(number), picture(1900 - ENTRY));
        }
        assert!(kept.get(&wish(0)).is_some());
        kept.put(wish(5), picture(1900 - ENTRY));
        assert!(kept.get(&wish(0)).is_some());
        assert!(kept.get(&wish(1)).is_none());
        kept.put(wish(0), picture(10));
        assert!(kept.state.lock().unwrap().bytes <= 10_000);
        kept.put(wish(9), picture(5000));
        assert!(kept.get(&wish(9)).is_none());
        for number in 0..6 {
            kept.state.lock().unwrap().known.pop(&wish(number));
        }
        assert!(kept.state.lock().unwrap().known.is_empty());
    }

    #[test]
    fn new_version_finds_no_old_result() {
        let kept = Kept::new(10_000);
        kept.put(wish(1), Err(Refusal::Source));
        assert_eq!(kept.get(&wish(1)), Some(Err(Refusal::Source)));
        assert_eq!(kept.get(&wish(2)), None);
        assert_eq!(kept.get(&Wish { webp: true, ..wish(1) }), None);
    }
}
