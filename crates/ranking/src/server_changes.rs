//! The servers whose figures changed in this process since they were last broadcast.
//!
//! Promises: memory is bounded whatever the number of votes, and a batch contains a server at most
//! once. Changes that a dying process had not broadcast are lost; pages read them at their next
//! request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

/// The most servers with pending changes.
const CAPACITY: usize = 4_096;

/// The changes of one process; clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ServerChanges(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    /// The changes that wait, each with the batch number at which it was first recorded, which
    /// gives their order.
    pending: HashMap<Uuid, (u64, ServerChange)>,
    batch: u64,
    /// The last status of each game server, so that an unchanged one is not broadcast again.
    statuses: HashMap<Uuid, Status>,
}

/// Whether a game server answered, its player count and its maximum.
type Status = (bool, Option<i32>, Option<i32>);

/// The change of one server since its last broadcast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ServerChange {
    /// The votes of this month before the first new vote; `None` without a new vote.
    pub votes_before: Option<i32>,
    /// Whether the status of the game server changed.
    pub has_status: bool,
    /// Whether votes were delivered to the owner's receivers.
    pub has_delivery: bool,
}

impl ServerChange {
    /// Whether the change is visible in lists.
    pub fn has_figures(&self) -> bool {
        self.votes_before.is_some() || self.has_status
    }

    fn merge(&mut self, other: Self) {
        self.votes_before = [self.votes_before, other.votes_before].into_iter().flatten().min();
        self.has_status |= other.has_status;
        self.has_delivery |= other.has_delivery;
    }
}

impl ServerChanges {
    /// Records a vote that counts; `monthly_votes` includes it.
    pub fn record_vote(&self, server: Uuid, monthly_votes: i32) {
        let votes_before = Some(monthly_votes - 1);
        self.inner().record(server, ServerChange { votes_before, ..ServerChange::default() });
    }

    /// Records the status of a game server, if it differs from the last one.
    pub fn record_status(&self, server: Uuid, status: Status) {
        let mut inner = self.inner();
        if inner.statuses.len() >= CAPACITY * 4 {
            inner.statuses.clear();
        }
        if inner.statuses.insert(server, status) != Some(status) {
            inner.record(server, ServerChange { has_status: true, ..ServerChange::default() });
        }
    }

    /// Records a delivery to a receiver of the server.
    pub fn record_delivery(&self, server: Uuid) {
        self.inner().record(server, ServerChange { has_delivery: true, ..ServerChange::default() });
    }

    /// Removes and returns at most `most` changes, those with votes first; the others stay for the
    /// next batch.
    pub fn take(&self, most: usize) -> Vec<(Uuid, ServerChange)> {
        let mut inner = self.inner();
        inner.batch += 1;
        let mut order: Vec<(bool, u64, Uuid)> = inner
            .pending
            .iter()
            .map(|(id, (since, change))| (change.votes_before.is_none(), *since, *id))
            .collect();
        order.sort_unstable();
        order.truncate(most);
        let changes = order.into_iter();
        changes.filter_map(|(.., id)| Some((id, inner.pending.remove(&id)?.1))).collect()
    }

    /// Adds changes back that could not be broadcast.
    pub fn restore(&self, changes: Vec<(Uuid, ServerChange)>) {
        let mut inner = self.inner();
        for (server, change) in changes {
            inner.record(server, change);
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn record(&mut self, server: Uuid, change: ServerChange) {
        let is_vote = change.votes_before.is_some();
        if is_vote && self.pending.len() >= CAPACITY && !self.pending.contains_key(&server) {
            self.displace_status();
        }
        if self.pending.len() < CAPACITY || self.pending.contains_key(&server) {
            let batch = self.batch;
            self.pending.entry(server).or_insert((batch, ServerChange::default())).1.merge(change);
        }
    }

    /// Removes a change without votes to make room for a vote. That server's status is broadcast
    /// after its next status query.
    fn displace_status(&mut self) {
        let without_votes = |(id, (_, change)): (&Uuid, &(u64, ServerChange))| {
            change.votes_before.is_none().then_some(*id)
        };
        if let Some(id) = self.pending.iter().find_map(without_votes) {
            self.pending.remove(&id);
            self.statuses.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    #[test]
    fn votes_of_a_batch_are_one_change() {
        let changes = ServerChanges::default();
        for votes in [12, 11, 13] {
            changes.record_vote(id(1), votes);
        }
        changes.record_delivery(id(1));
        let change = ServerChange { votes_before: Some(10), has_status: false, has_delivery: true };
        assert_eq!(changes.take(50), [(id(1), change)]);
        assert_eq!(changes.take(50), []);
        changes.restore(vec![(id(1), change)]);
        changes.record_vote(id(1), 14);
        assert_eq!(changes.take(50), [(id(1), change)]);
    }

    #[test]
    fn servers_with_votes_come_before_older_changes() {
        let changes = ServerChanges::default();
        changes.record_status(id(1), (true, Some(4), Some(20)));
        changes.record_delivery(id(2));
        assert_eq!(changes.take(0), []);
        changes.record_vote(id(3), 1);
        let order: Vec<Uuid> = changes.take(2).into_iter().map(|(id, _)| id).collect();
        assert_eq!(order, [id(3), id(1)]);
        changes.record_status(id(4), (true, Some(4), Some(20)));
        let order: Vec<Uuid> = changes.take(2).into_iter().map(|(id, _)| id).collect();
        assert_eq!(order, [id(2), id(4)], "who waits longer comes first");
    }

    #[test]
    fn an_unchanged_status_is_no_change() {
        let changes = ServerChanges::default();
        changes.record_status(id(1), (true, Some(4), Some(20)));
        assert_eq!(changes.take(50).len(), 1);
        changes.record_status(id(1), (true, Some(4), Some(20)));
        assert_eq!(changes.take(50), []);
        changes.record_status(id(1), (false, None, None));
        assert!(changes.take(50)[0].1.has_figures());
    }

    #[test]
    fn pending_server_changes_are_bounded() {
        let changes = ServerChanges::default();
        for number in 0..20_000 {
            changes.record_status(id(number), (true, None, None));
        }
        changes.record_vote(id(30_000), 1);
        assert_eq!(changes.take(1)[0].0, id(30_000), "a vote finds room among statuses");
        assert_eq!(changes.take(usize::MAX).len(), CAPACITY - 1);
        assert!(changes.inner().statuses.len() <= CAPACITY * 4);
    }
}
