//! The queue of ballots: which come next, and which may share a batch.
//!
//! The queue is fair to clients: the second ballot of an address comes after the first ballot of
//! every waiting client. Two ballots are never in one batch when the outcome of one depends on the
//! other.

use std::collections::{BTreeMap, HashMap, HashSet};

use tokio::sync::oneshot;
use tokio::time::Instant;
use uuid::Uuid;

use super::VoteResult;
use crate::Refusal;
use crate::model::voter::IpHash;
use crate::store::vote::Ballot;

/// The most ballots in one transaction.
const BATCH_SIZE: usize = 64;
/// The most ballots in the queue.
const CAPACITY: usize = 2_000;
/// The most ballots in the queue from one address.
const CAPACITY_PER_CLIENT: usize = 20;
/// The most batches that wait for a blocking server at once.
const MAX_BLOCKING: usize = 2;

/// The position of a ballot: its round, then its order of arrival within the round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct QueueKey {
    round: u64,
    arrival: u64,
}

/// A ballot in the queue, with the channel for its result.
pub(super) struct PendingVote {
    pub ballot: Ballot,
    /// When the voter stops waiting, unless a batch has taken the ballot.
    pub until: Instant,
    pub reply: oneshot::Sender<VoteResult>,
}

/// Ballots to be decided together.
pub(super) struct Batch {
    pub ballots: Vec<(QueueKey, PendingVote)>,
    /// The blocking server that all these ballots are for, if this batch waits for one.
    pub blocking_server: Option<Uuid>,
}

#[derive(Default)]
pub(super) struct Queue {
    waiting: BTreeMap<QueueKey, PendingVote>,
    clients: HashMap<IpHash, Client>,
    /// The round of the last ballot taken.
    round: u64,
    arrivals: u64,
    /// Whether a batch for unblocked servers is running.
    is_deciding: bool,
    /// The blocking servers, and whether a batch waits for each.
    blocked: HashMap<Uuid, bool>,
}

/// The state of an address while it has ballots in the queue.
struct Client {
    waiting: usize,
    /// The round of its last ballot.
    round: u64,
}

impl Queue {
    /// Adds a ballot.
    ///
    /// # Errors
    /// [`Refusal::Overloaded`] when the queue is full, or holds too many ballots of this address.
    pub fn enqueue(&mut self, waiting: PendingVote) -> Result<QueueKey, Refusal> {
        let client = self.clients.get(&waiting.ballot.voter);
        if self.waiting.len() >= CAPACITY
            || client.is_some_and(|known| known.waiting >= CAPACITY_PER_CLIENT)
        {
            return Err(Refusal::Overloaded);
        }
        let round = client.map_or(self.round, |known| self.round.max(known.round + 1));
        self.arrivals += 1;
        let key = QueueKey { round, arrival: self.arrivals };
        self.put(key, waiting);
        Ok(key)
    }

    /// Puts an undecided ballot back at its position.
    pub fn put(&mut self, key: QueueKey, waiting: PendingVote) {
        let voter = waiting.ballot.voter.clone();
        let client = self.clients.entry(voter).or_insert(Client { waiting: 0, round: key.round });
        client.waiting += 1;
        client.round = client.round.max(key.round);
        self.waiting.insert(key, waiting);
    }

    /// Removes a ballot; false when it is not in the queue.
    pub fn cancel(&mut self, key: QueueKey) -> bool {
        self.remove(key).is_some()
    }

    /// Takes the next batch that can start now, if there is one.
    pub fn take(&mut self) -> Option<Batch> {
        let batch = self.take_unblocked().or_else(|| self.take_blocked())?;
        match batch.blocking_server {
            None => self.is_deciding = true,
            Some(server) => {
                self.blocked.insert(server, true);
            }
        }
        Some(batch)
    }

    /// Marks a server as blocked by another transaction.
    pub fn mark_blocked(&mut self, server: Uuid) {
        self.blocked.entry(server).or_insert(false);
    }

    /// Records that a batch has ended. When a batch for a blocking server ends, the other blocked
    /// servers are tried again, because one transaction may have locked several.
    pub fn finish(&mut self, blocking_server: Option<Uuid>) {
        match blocking_server {
            None => self.is_deciding = false,
            Some(server) => {
                self.blocked.remove(&server);
                self.blocked.retain(|_, is_waiting| *is_waiting);
            }
        }
    }

    fn take_unblocked(&mut self) -> Option<Batch> {
        if self.is_deciding {
            return None;
        }
        let ballots = self.collect_batch(|queue, server| !queue.blocked.contains_key(&server));
        let last = ballots.last().map(|(key, _)| key.round)?;
        self.round = self.round.max(last);
        Some(Batch { ballots, blocking_server: None })
    }

    fn take_blocked(&mut self) -> Option<Batch> {
        if self.blocked.values().filter(|is_waiting| **is_waiting).count() >= MAX_BLOCKING {
            return None;
        }
        let mut servers = self.waiting.values().map(|waiting| waiting.ballot.server);
        let server = servers.find(|server| self.blocked.get(server) == Some(&false))?;
        let ballots = self.collect_batch(|_, other| other == server);
        Some(Batch { ballots, blocking_server: Some(server) })
    }

    /// The next ballots whose server `admits` accepts, without two that conflict.
    fn collect_batch(
        &mut self,
        admits: impl Fn(&Self, Uuid) -> bool,
    ) -> Vec<(QueueKey, PendingVote)> {
        let mut claimed = HashSet::new();
        let mut keys = Vec::new();
        for (key, PendingVote { ballot, .. }) in &self.waiting {
            if keys.len() == BATCH_SIZE {
                break;
            }
            let claims = ConflictKey::all_of(ballot);
            if admits(self, ballot.server) && claims.iter().all(|claim| !claimed.contains(claim)) {
                claimed.extend(claims);
                keys.push(*key);
            }
        }
        keys.into_iter().filter_map(|key| Some((key, self.remove(key)?))).collect()
    }

    fn remove(&mut self, key: QueueKey) -> Option<PendingVote> {
        let waiting = self.waiting.remove(&key)?;
        if let Some(client) = self.clients.get_mut(&waiting.ballot.voter) {
            client.waiting -= 1;
            if client.waiting == 0 {
                self.clients.remove(&waiting.ballot.voter);
            }
        }
        Some(waiting)
    }
}

/// What only one ballot of a batch may have. The database finally decides which nicknames are
/// equal, and defers a ballot whose nickname only looks different here.
#[derive(PartialEq, Eq, Hash)]
enum ConflictKey {
    Address(Uuid, IpHash),
    Account(Uuid, Uuid),
    Nickname(Uuid, String),
    Challenge(String),
    Ticket(String),
}

impl ConflictKey {
    fn all_of(ballot: &Ballot) -> Vec<Self> {
        let server = ballot.server;
        let account = ballot.account.map(|account| Self::Account(server, account));
        let mut claims = vec![
            Self::Address(server, ballot.voter.clone()),
            Self::Nickname(server, ballot.nickname.as_str().to_lowercase()),
            Self::Challenge(ballot.proof.nonce.clone()),
        ];
        claims.extend(account);
        let ticket = ballot.ticket.as_ref();
        claims.extend(ticket.map(|ticket| Self::Ticket(ticket.as_str().to_owned())));
        claims
    }
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
