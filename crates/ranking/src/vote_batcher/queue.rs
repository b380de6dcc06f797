//! The queue of ballots: which come next, and which may share a batch.
//!
//! Clients take turns: the second ballot of an address comes after the first of everybody who
//! waits. Two ballots are never decided together when what becomes of one decides about the other.

use std::collections::{BTreeMap, HashMap, HashSet};

use tokio::sync::oneshot;
use tokio::time::Instant;
use uuid::Uuid;

use super::VoteResult;
use crate::Refusal;
use crate::model::voter::IpHash;
use crate::store::vote::Ballot;

/// Most ballots decided in one transaction.
const BATCH_SIZE: usize = 64;
/// Most ballots that wait.
const CAPACITY: usize = 2_000;
/// Most of them from one address.
const CAPACITY_PER_CLIENT: usize = 20;
/// Servers held by somebody else that are waited for at once.
const MAX_BLOCKING: usize = 2;

/// Where a ballot stands: its turn, and behind those of the same turn that came before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct QueueKey {
    turn: u64,
    arrival: u64,
}

/// A ballot and who waits for it.
pub(super) struct PendingVote {
    pub ballot: Ballot,
    /// When it is no longer waited for, unless it is being decided.
    pub until: Instant,
    pub reply: oneshot::Sender<VoteResult>,
}

/// Ballots to be decided together.
pub(super) struct Batch {
    pub ballots: Vec<(QueueKey, PendingVote)>,
    /// The server they are all for, when it is waited for.
    pub blocking_server: Option<Uuid>,
}

#[derive(Default)]
pub(super) struct Queue {
    waiting: BTreeMap<QueueKey, PendingVote>,
    clients: HashMap<IpHash, Client>,
    /// The turn of who was taken last.
    turn: u64,
    arrivals: u64,
    /// Whether ballots for any server are being decided.
    is_deciding: bool,
    /// Servers somebody else holds, and whether one of ours waits for them.
    blocked: HashMap<Uuid, bool>,
}

/// What is known of an address as long as it has ballots here.
struct Client {
    waiting: usize,
    /// The turn of its last ballot.
    turn: u64,
}

impl Queue {
    /// Adds a ballot.
    ///
    /// # Errors
    /// [`Refusal::Overloaded`] when too many wait, of all or of this address.
    pub fn enqueue(&mut self, waiting: PendingVote) -> Result<QueueKey, Refusal> {
        let client = self.clients.get(&waiting.ballot.voter);
        if self.waiting.len() >= CAPACITY
            || client.is_some_and(|known| known.waiting >= CAPACITY_PER_CLIENT)
        {
            return Err(Refusal::Overloaded);
        }
        let turn = client.map_or(self.turn, |known| self.turn.max(known.turn + 1));
        self.arrivals += 1;
        let key = QueueKey { turn, arrival: self.arrivals };
        self.put(key, waiting);
        Ok(key)
    }

    /// Puts a ballot that could not be decided back where it stood.
    pub fn put(&mut self, key: QueueKey, waiting: PendingVote) {
        let voter = waiting.ballot.voter.clone();
        let client = self.clients.entry(voter).or_insert(Client { waiting: 0, turn: key.turn });
        client.waiting += 1;
        client.turn = client.turn.max(key.turn);
        self.waiting.insert(key, waiting);
    }

    /// Takes a ballot out; false when it is not there.
    pub fn cancel(&mut self, key: QueueKey) -> bool {
        self.remove(key).is_some()
    }

    /// What is to be decided now, if somebody is free to and there is something.
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

    /// Notes that a server is somebody else's for now.
    pub fn mark_blocked(&mut self, server: Uuid) {
        self.blocked.entry(server).or_insert(false);
    }

    /// Notes that a batch is over. Whoever held one server may have let go of others: they are
    /// tried again.
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
        let last = ballots.last().map(|(key, _)| key.turn)?;
        self.turn = self.turn.max(last);
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

    /// The next ballots for such servers that may be decided together.
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

/// What one ballot alone may have. The database has the last word on what is the same name: one
/// that only looks different from here is deferred there.
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
