//! The calls that wait, in the order they are served.
//!
//! A client has one position, that of its earliest call. Positions are grouped by network, and the
//! first position of each network is also in one of two ordered sets, one of them for slow
//! networks. This way a network at its limit, or all slow networks, are skipped at once, however
//! many clients they have.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ipnet::IpNet;
use tokio::sync::oneshot;

use crate::client::network;
use crate::{Permit, QueueFull};

/// Permits held, number of the earliest call, and the client: the smallest is served first.
pub(crate) type Position = (usize, u64, IpNet);

pub(crate) type Sender = oneshot::Sender<Permit>;

#[derive(Default)]
pub(crate) struct Queue {
    waiting: usize,
    /// The number of the latest call that waited.
    arrivals: u64,
    calls: HashMap<IpNet, Client>,
    positions: HashMap<IpNet, BTreeSet<Position>>,
    /// The first position of each network that is not slow, with the network in place of the
    /// client.
    prompt: BTreeSet<Position>,
    /// The first position of each slow network, likewise.
    slow: BTreeSet<Position>,
    slow_networks: BTreeSet<IpNet>,
}

struct Client {
    /// Permits the client holds.
    held: usize,
    calls: BTreeMap<u64, Sender>,
}

impl Queue {
    pub fn len(&self) -> usize {
        self.waiting
    }

    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// The number of waiting calls of one client.
    pub fn len_of(&self, client: IpNet) -> usize {
        self.calls.get(&client).map_or(0, |known| known.calls.len())
    }

    /// Adds a call of a client that holds `held` permits; returns the call's number.
    pub fn push(
        &mut self,
        client: IpNet,
        held: usize,
    ) -> Result<(u64, oneshot::Receiver<Permit>), QueueFull> {
        let (sender, receiver) = oneshot::channel();
        self.arrivals += 1;
        self.waiting += 1;
        let arrival = self.arrivals;
        self.change(client, |calls| {
            let known = calls.entry(client).or_insert(Client { held, calls: BTreeMap::new() });
            known.calls.insert(arrival, sender);
        });
        Ok((arrival, receiver))
    }

    /// Removes a call; `None` if it was served already.
    pub fn remove(&mut self, client: IpNet, arrival: u64) -> Option<Sender> {
        let sender = self.change(client, |calls| calls.get_mut(&client)?.calls.remove(&arrival))?;
        self.waiting -= 1;
        Some(sender)
    }

    /// Sets how many permits a client holds.
    pub fn set_held(&mut self, client: IpNet, held: usize) {
        self.change(client, |calls| {
            if let Some(known) = calls.get_mut(&client) {
                known.held = held;
            }
        });
    }

    /// Sets whether a network is slow.
    pub fn set_slow(&mut self, network: IpNet, is_slow: bool) {
        self.take_head(network);
        match is_slow {
            true => self.slow_networks.insert(network),
            false => self.slow_networks.remove(&network),
        };
        self.put_head(network);
    }

    /// The first position, among slow networks or among the others, whose network and client may
    /// have a permit. `may_client` is called for few clients that it refuses.
    pub fn first(
        &self,
        are_slow: bool,
        may_network: impl Fn(IpNet) -> bool,
        may_client: impl Fn(&Position) -> bool,
    ) -> Option<Position> {
        let mut best: Option<Position> = None;
        for &(held, arrival, network) in if are_slow { &self.slow } else { &self.prompt } {
            if best.is_some_and(|best| (best.0, best.1) < (held, arrival)) {
                break;
            }
            if may_network(network)
                && let Some(positions) = self.positions.get(&network)
            {
                let first = positions.iter().copied().find(|position| may_client(position));
                best = best.into_iter().chain(first).min();
            }
        }
        best
    }

    /// Whether the queue has no entry of any call left.
    #[cfg(test)]
    pub fn is_clean(&self) -> bool {
        self.is_empty()
            && self.calls.is_empty()
            && self.positions.is_empty()
            && self.prompt.is_empty()
            && self.slow.is_empty()
    }

    /// Changes the calls of a client and updates its position.
    fn change<T>(
        &mut self,
        client: IpNet,
        change: impl FnOnce(&mut HashMap<IpNet, Client>) -> T,
    ) -> T {
        let network = network(client);
        self.take_head(network);
        if let Some(position) = self.position(client)
            && let Some(positions) = self.positions.get_mut(&network)
        {
            positions.remove(&position);
        }
        let changed = change(&mut self.calls);
        match self.position(client) {
            Some(position) => drop(self.positions.entry(network).or_default().insert(position)),
            None => drop(self.calls.remove(&client)),
        }
        if self.positions.get(&network).is_some_and(BTreeSet::is_empty) {
            self.positions.remove(&network);
        }
        self.put_head(network);
        changed
    }

    fn position(&self, client: IpNet) -> Option<Position> {
        let known = self.calls.get(&client)?;
        let (arrival, _) = known.calls.first_key_value()?;
        Some((known.held, *arrival, client))
    }

    fn take_head(&mut self, network: IpNet) {
        if let Some(head) = self.head(network) {
            self.heads(network).remove(&head);
        }
    }

    fn put_head(&mut self, network: IpNet) {
        if let Some(head) = self.head(network) {
            self.heads(network).insert(head);
        }
    }

    fn head(&self, network: IpNet) -> Option<Position> {
        let (held, arrival, _) = self.positions.get(&network)?.first()?;
        Some((*held, *arrival, network))
    }

    fn heads(&mut self, network: IpNet) -> &mut BTreeSet<Position> {
        match self.slow_networks.contains(&network) {
            true => &mut self.slow,
            false => &mut self.prompt,
        }
    }
}
