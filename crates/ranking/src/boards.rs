//! Best voters of servers, as counted a moment ago: who shows them asks often, and counting a busy
//! server's month takes long.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use lru::LruCache;
use uuid::Uuid;

use crate::model::server_figures::{CountedVoter, Month};

/// Seconds a count is good for.
pub(crate) const KEPT_SECONDS: u32 = 60;
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

type Voters = Arc<Vec<CountedVoter>>;
type Board = (Uuid, Month);

struct Count {
    at: DateTime<Utc>,
    voters: Voters,
}

/// Counts by server and month.
pub(crate) struct Boards(Mutex<LruCache<Board, Count>>);

impl Boards {
    pub fn new() -> Self {
        Self(Mutex::new(LruCache::new(REMEMBERED)))
    }

    /// What was counted less than a minute ago.
    pub fn kept(&self, board: &Board, now: DateTime<Utc>) -> Option<Voters> {
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Count { at, voters } = boards.get(board)?;
        let age = now - *at;
        let is_good = age >= TimeDelta::zero() && age < TimeDelta::seconds(KEPT_SECONDS.into());
        is_good.then(|| Arc::clone(voters))
    }

    /// Remembers what was just counted.
    pub fn keep(&self, board: Board, voters: Vec<CountedVoter>, at: DateTime<Utc>) -> Voters {
        let voters = Arc::new(voters);
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        boards.put(board, Count { at, voters: Arc::clone(&voters) });
        voters
    }
}
