//! The number of votes that this process rejected since the counts were last written to the
//! database.
//!
//! Promises: a rejected vote costs no transaction. Votes rejected in the last seconds before a
//! process dies are not counted.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use crate::model::reason::Reason;
use crate::store::vote_outcome::RejectionCount;

/// The most pairs of server and reason kept at once; a client can invent server ids.
const CAPACITY: usize = 4_096;

/// The rejected votes by server and reason, not yet stored.
#[derive(Default)]
pub(crate) struct RejectionCounts(Mutex<HashMap<(Uuid, Reason), i32>>);

impl RejectionCounts {
    /// Counts one rejected vote.
    pub fn record(&self, server: Uuid, reason: Reason) {
        self.add(&mut self.counts(), (server, reason), 1);
    }

    /// Removes and returns all counts, sorted by key.
    pub fn take(&self) -> Vec<RejectionCount> {
        let counts = std::mem::take(&mut *self.counts());
        let mut sorted: Vec<RejectionCount> =
            counts.into_iter().map(|((server, reason), votes)| (server, reason, votes)).collect();
        sorted.sort_unstable();
        sorted
    }

    /// Adds counts back that could not be stored.
    pub fn restore(&self, unstored: Vec<RejectionCount>) {
        let mut counts = self.counts();
        for (server, reason, votes) in unstored {
            self.add(&mut counts, (server, reason), votes);
        }
    }

    fn add(&self, counts: &mut HashMap<(Uuid, Reason), i32>, of: (Uuid, Reason), votes: i32) {
        if counts.len() < CAPACITY || counts.contains_key(&of) {
            let count = counts.entry(of).or_default();
            *count = count.saturating_add(votes);
        }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<(Uuid, Reason), i32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_taken_once_and_restored() {
        let counts = RejectionCounts::default();
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        counts.record(two, Reason::Cooldown);
        counts.record(one, Reason::Captcha);
        counts.record(two, Reason::Cooldown);
        let rejections = counts.take();
        assert_eq!(rejections, [(one, Reason::Captcha, 1), (two, Reason::Cooldown, 2)]);
        assert_eq!(counts.take(), []);
        counts.record(two, Reason::Cooldown);
        counts.restore(rejections);
        assert_eq!(counts.take(), [(one, Reason::Captcha, 1), (two, Reason::Cooldown, 3)]);
    }

    #[test]
    fn invented_servers_do_not_fill_the_memory() {
        let counts = RejectionCounts::default();
        counts.record(Uuid::nil(), Reason::Cooldown);
        for number in 0..10_000 {
            counts.record(Uuid::from_u128(number), Reason::NotListed);
        }
        counts.record(Uuid::nil(), Reason::Cooldown);
        let rejections = counts.take();
        assert_eq!(rejections.len(), CAPACITY);
        assert_eq!(rejections[0], (Uuid::nil(), Reason::Cooldown, 2));
    }
}
