//! Who is decided next, and with whom.
//!
//! Clients take turns: the second ballot of an address comes after the first of everybody who
//! waits. Two ballots are never decided together when what becomes of one decides about the other.

use std::collections::{BTreeMap, HashMap, HashSet};

use tokio::sync::oneshot;
use tokio::time::Instant;
use uuid::Uuid;

use super::Told;
use crate::Refusal;
use crate::model::voter::IpHash;
use crate::store::vote::Ballot;

/// Most ballots decided in one transaction.
const TOGETHER: usize = 64;
/// Most ballots that wait.
const MOST: usize = 2_000;
/// Most of them from one address.
const MOST_OF_ONE: usize = 20;
/// Servers held by somebody else that are waited for at once.
const ALONE: usize = 2;

/// Where a ballot stands: its turn, and behind those of the same turn that came before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    turn: u64,
    arrival: u64,
}

/// A ballot and who waits for it.
pub(super) struct Waiting {
    pub ballot: Ballot,
    /// When it is no longer waited for, unless it is being decided.
    pub until: Instant,
    pub reply: oneshot::Sender<Told>,
}

/// Ballots to be decided together.
pub(super) struct Batch {
    pub ballots: Vec<(Place, Waiting)>,
    /// The server they are all for, when it is waited for.
    pub alone: Option<Uuid>,
}

#[derive(Default)]
pub(super) struct Queue {
    waiting: BTreeMap<Place, Waiting>,
    clients: HashMap<IpHash, Client>,
    /// The turn of who was taken last.
    turn: u64,
    arrivals: u64,
    /// Whether ballots for any server are being decided.
    is_deciding: bool,
    /// Servers somebody else holds, and whether one of ours waits for them.
    held: HashMap<Uuid, bool>,
}

/// What is known of an address as long as it has ballots here.
struct Client {
    waiting: usize,
    /// The turn of its last ballot.
    turn: u64,
}

impl Queue {
    /// Lets a ballot in.
    ///
    /// # Errors
    /// [`Refusal::Crowded`] when too many wait, of all or of this address.
    pub fn enter(&mut self, waiting: Waiting) -> Result<Place, Refusal> {
        let client = self.clients.get(&waiting.ballot.voter);
        if self.waiting.len() >= MOST || client.is_some_and(|known| known.waiting >= MOST_OF_ONE) {
            return Err(Refusal::Crowded);
        }
        let turn = client.map_or(self.turn, |known| self.turn.max(known.turn + 1));
        self.arrivals += 1;
        let place = Place { turn, arrival: self.arrivals };
        self.put(place, waiting);
        Ok(place)
    }

    /// Puts back what could not be decided, where it stood.
    pub fn put(&mut self, place: Place, waiting: Waiting) {
        let voter = waiting.ballot.voter.clone();
        let client = self.clients.entry(voter).or_insert(Client { waiting: 0, turn: place.turn });
        client.waiting += 1;
        client.turn = client.turn.max(place.turn);
        self.waiting.insert(place, waiting);
    }

    /// Takes a ballot out; false when it is not there.
    pub fn leave(&mut self, place: Place) -> bool {
        self.remove(place).is_some()
    }

    /// What is to be decided now, if somebody is free to and there is something.
    pub fn take(&mut self) -> Option<Batch> {
        let batch = self.take_any().or_else(|| self.take_alone())?;
        match batch.alone {
            None => self.is_deciding = true,
            Some(server) => {
                self.held.insert(server, true);
            }
        }
        Some(batch)
    }

    /// Notes that a server is somebody else's for now.
    pub fn hold(&mut self, server: Uuid) {
        self.held.entry(server).or_insert(false);
    }

    /// Notes that a batch is over. Whoever held one server may have let go of others: they are
    /// tried again.
    pub fn done(&mut self, alone: Option<Uuid>) {
        match alone {
            None => self.is_deciding = false,
            Some(server) => {
                self.held.remove(&server);
                self.held.retain(|_, is_waited_for| *is_waited_for);
            }
        }
    }

    fn take_any(&mut self) -> Option<Batch> {
        if self.is_deciding {
            return None;
        }
        let ballots = self.gather(|queue, server| !queue.held.contains_key(&server));
        let last = ballots.last().map(|(place, _)| place.turn)?;
        self.turn = self.turn.max(last);
        Some(Batch { ballots, alone: None })
    }

    fn take_alone(&mut self) -> Option<Batch> {
        if self.held.values().filter(|is_waited_for| **is_waited_for).count() >= ALONE {
            return None;
        }
        let mut servers = self.waiting.values().map(|waiting| waiting.ballot.server);
        let server = servers.find(|server| self.held.get(server) == Some(&false))?;
        let ballots = self.gather(|_, other| other == server);
        Some(Batch { ballots, alone: Some(server) })
    }

    /// The next ballots for such servers that may be decided together.
    fn gather(&mut self, admits: impl Fn(&Self, Uuid) -> bool) -> Vec<(Place, Waiting)> {
        let mut claimed = HashSet::new();
        let mut places = Vec::new();
        for (place, Waiting { ballot, .. }) in &self.waiting {
            if places.len() == TOGETHER {
                break;
            }
            let claims = Claim::all_of(ballot);
            if admits(self, ballot.server) && claims.iter().all(|claim| !claimed.contains(claim)) {
                claimed.extend(claims);
                places.push(*place);
            }
        }
        places.into_iter().filter_map(|place| Some((place, self.remove(place)?))).collect()
    }

    fn remove(&mut self, place: Place) -> Option<Waiting> {
        let waiting = self.waiting.remove(&place)?;
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
enum Claim {
    Address(Uuid, IpHash),
    Account(Uuid, Uuid),
    Nickname(Uuid, String),
    Challenge(String),
    Ticket(String),
}

impl Claim {
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
