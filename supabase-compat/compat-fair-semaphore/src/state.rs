//! Which clients hold permits, which are slow, and which call is served next.

use std::collections::{BTreeSet, HashMap, VecDeque};

use ipnet::IpNet;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::client::network;
use crate::queue::{Position, Queue, Sender};
use crate::{Limits, Permit, QueueFull};

pub(crate) struct State {
    limits: Limits,
    free: usize,
    /// When each client got its permits, the oldest first.
    held: HashMap<IpNet, VecDeque<Instant>>,
    held_by_network: HashMap<IpNet, usize>,
    /// Networks that held a permit for long, and until when they count as slow.
    slow: HashMap<IpNet, Instant>,
    /// The entries of `slow`, ordered by when they end.
    slow_until: BTreeSet<(Instant, IpNet)>,
    queue: Queue,
}

impl State {
    pub fn new(limits: Limits) -> Self {
        let limits = Limits {
            permits: limits.permits.max(1),
            per_client: limits.per_client.max(1),
            ..limits
        };
        Self {
            limits,
            free: limits.permits,
            held: HashMap::new(),
            held_by_network: HashMap::new(),
            slow: HashMap::new(),
            slow_until: BTreeSet::new(),
            queue: Queue::default(),
        }
    }

    /// Whether the client may have a permit now, without overtaking its own earlier calls.
    pub fn admits(&mut self, client: IpNet, now: Instant) -> bool {
        self.expire_slow(now);
        self.free > 0
            && self.queue.len_of(client) == 0
            && self.held_of(client) < self.limits.per_client
            && self.may_network(network(client))
            && (!self.is_slow(client, now) || self.may_slow(now))
    }

    pub fn hold(&mut self, client: IpNet, now: Instant) {
        self.free -= 1;
        let held = self.held.entry(client).or_default();
        held.push_back(now);
        self.queue.set_held(client, held.len());
        *self.held_by_network.entry(network(client)).or_default() += 1;
    }

    pub fn release(&mut self, client: IpNet, since: Instant, now: Instant) {
        self.free += 1;
        if let Some(held) = self.held.get_mut(&client) {
            if let Some(index) = held.iter().position(|other| *other == since) {
                held.remove(index);
            }
            self.queue.set_held(client, held.len());
            if held.is_empty() {
                self.held.remove(&client);
            }
        }
        let network = network(client);
        if let Some(held) = self.held_by_network.get_mut(&network) {
            *held -= 1;
            if *held == 0 {
                self.held_by_network.remove(&network);
            }
        }
        if let Some(reserve) = self.limits.reserve
            && now.duration_since(since) > reserve.slow_after
        {
            // The network counts as slow and not the client: one person may have many addresses.
            let until = now + reserve.slow_for;
            if let Some(before) = self.slow.insert(network, until) {
                self.slow_until.remove(&(before, network));
            }
            self.slow_until.insert((until, network));
            self.queue.set_slow(network, true);
        }
        self.expire_slow(now);
    }

    pub fn enqueue(
        &mut self,
        client: IpNet,
    ) -> Result<(u64, oneshot::Receiver<Permit>), QueueFull> {
        if self.queue.len() >= self.limits.waiting
            || self.queue.len_of(client) >= self.limits.waiting_per_client
        {
            return Err(QueueFull);
        }
        self.queue.push(client, self.held_of(client))
    }

    /// Removes a call from the queue when its caller no longer waits.
    pub fn leave(&mut self, client: IpNet, arrival: u64) {
        drop(self.queue.remove(client, arrival));
    }

    /// Removes and returns the call that is served next, if one may be served now.
    pub fn next(&mut self, now: Instant) -> Option<(IpNet, Sender)> {
        if self.free == 0 || self.queue.is_empty() {
            return None;
        }
        let may_slow = self.may_slow(now);
        let may_network = |network| self.may_network(network);
        let may_client = |&(held, _, client): &Position| {
            held < self.limits.per_client && (may_slow || !self.is_holding_long(client, now))
        };
        let prompt = self.queue.first(false, may_network, may_client);
        let slow = may_slow.then(|| self.queue.first(true, may_network, may_client)).flatten();
        let (_, arrival, client) = prompt.into_iter().chain(slow).min()?;
        Some((client, self.queue.remove(client, arrival)?))
    }

    fn held_of(&self, client: IpNet) -> usize {
        self.held.get(&client).map_or(0, VecDeque::len)
    }

    /// Whether this network may hold one more permit without using the reserve.
    fn may_network(&self, network: IpNet) -> bool {
        let held = self.held_by_network.get(&network).copied().unwrap_or_default();
        self.limits.reserve.is_none_or(|reserve| held < reserve.most.max(1))
    }

    /// Whether slow clients may hold one more permit without using the reserve. Looks at the
    /// clients that hold permits, not at those that wait.
    fn may_slow(&self, now: Instant) -> bool {
        let Some(reserve) = self.limits.reserve else { return true };
        let slow = self.held.iter().filter(|(client, _)| self.is_slow(**client, now));
        slow.map(|(_, held)| held.len()).sum::<usize>() < reserve.most.max(1)
    }

    fn is_slow(&self, client: IpNet, now: Instant) -> bool {
        self.is_holding_long(client, now) || self.slow.contains_key(&network(client))
    }

    fn is_holding_long(&self, client: IpNet, now: Instant) -> bool {
        let oldest = self.held.get(&client).and_then(VecDeque::front);
        oldest
            .zip(self.limits.reserve)
            .is_some_and(|(since, reserve)| now.duration_since(*since) > reserve.slow_after)
    }

    /// Forgets the slow networks whose time has ended.
    fn expire_slow(&mut self, now: Instant) {
        while let Some(&(until, network)) = self.slow_until.first()
            && until <= now
        {
            self.slow_until.pop_first();
            self.slow.remove(&network);
            self.queue.set_slow(network, false);
        }
    }

    #[cfg(test)]
    pub fn free(&self) -> usize {
        self.free
    }

    #[cfg(test)]
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    #[cfg(test)]
    pub fn slow_networks(&self) -> usize {
        self.slow.len()
    }

    /// Whether no permit is held, no call waits, and the queue has no entries left.
    #[cfg(test)]
    pub fn is_idle(&self) -> bool {
        self.free == self.limits.permits
            && self.held.is_empty()
            && self.held_by_network.is_empty()
            && self.queue.is_clean()
    }
}
