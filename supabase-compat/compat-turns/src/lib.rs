//! Turns at something scarce, shared among clients: nobody takes it from the others.
//!
//! This room promises: there are never more turns than were agreed, one client holds only so many,
//! and a free one goes to whoever holds the fewest, among equals to who waited longest. Those who
//! wait are bounded too, and whoever goes away waits no more. Where a reserve is agreed, those who
//! keep their turns long leave it to the others, however many they are.
//!
//! It deliberately does not know what the turns are at, how long anybody is willing to wait, or how
//! a refusal is worded.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

/// The bits of an IPv6 address that a provider gives to one customer.
const CUSTOMER: u128 = !0 << 64;
/// Those a customer has who asks for as many addresses as providers give.
const NETWORK: u128 = !0 << 80;

/// How many of each there may be.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Turns at once; at least one.
    pub turns: usize,
    /// Those of one client; at least one.
    pub of_one: usize,
    /// Waiting for one.
    pub waiting: usize,
    /// Waiting for the same client.
    pub waiting_of_one: usize,
    /// What is kept for clients whose turns are short, if anything is.
    pub reserve: Option<Reserve>,
}

/// A bound on all slow clients together, and on each network: of several addresses one person may
/// have many.
#[derive(Debug, Clone, Copy)]
pub struct Reserve {
    /// A turn held for longer makes its client a slow one, while it is held already.
    pub slow_after: Duration,
    /// For how long after such a turn the client's network counts as slow.
    pub slow_for: Duration,
    /// Turns that slow clients hold together, and those of one network; at least one.
    pub most: usize,
}

/// Turns as they are shared among clients. Clones share them.
#[derive(Clone)]
pub struct Turns(Arc<Mutex<State>>);

/// One turn, given back when it is dropped.
pub struct Turn {
    turns: Turns,
    client: IpAddr,
    since: Instant,
}

/// As many wait already as may.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

struct State {
    bounds: Bounds,
    free: usize,
    waiting: usize,
    clients: HashMap<IpAddr, Client>,
    /// Networks that kept a turn long, and when that is forgotten.
    slow: HashMap<IpAddr, Instant>,
    /// Counts those who ever waited.
    arrivals: u64,
}

#[derive(Default)]
struct Client {
    /// Since when, the oldest first.
    held: VecDeque<Instant>,
    waiting: VecDeque<(u64, oneshot::Sender<Turn>)>,
}

/// A place among those who wait, given up when it is dropped.
struct Waiting<'a> {
    turns: &'a Turns,
    client: IpAddr,
    arrival: u64,
}

impl Turns {
    /// Turns within these bounds.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        let bounds = Bounds { turns: bounds.turns.max(1), of_one: bounds.of_one.max(1), ..bounds };
        Self(Arc::new(Mutex::new(State {
            bounds,
            free: bounds.turns,
            waiting: 0,
            clients: HashMap::new(),
            slow: HashMap::new(),
            arrivals: 0,
        })))
    }

    /// Waits for the client's turn. IPv6 addresses of one customer are one client.
    ///
    /// # Errors
    /// [`Full`] instead of waiting.
    pub async fn take(&self, client: IpAddr) -> Result<Turn, Full> {
        let client = customer(client);
        let (arrival, coming) = {
            let mut state = self.lock();
            let now = Instant::now();
            if state.admits(client, now) {
                state.hold(client, now);
                return Ok(self.turn(client, now));
            }
            state.queue(client)?
        };
        let _waiting = Waiting { turns: self, client, arrival };
        coming.await.map_err(|_| Full)
    }

    fn turn(&self, client: IpAddr, since: Instant) -> Turn {
        Turn { turns: self.clone(), client, since }
    }

    fn give_back(&self, client: IpAddr, since: Instant) {
        let mut refused = Vec::new();
        let mut state = self.lock();
        let now = Instant::now();
        state.release(client, since, now);
        while let Some((client, turn)) = state.next(now) {
            state.hold(client, now);
            refused.extend(turn.send(self.turn(client, now)).err());
        }
        // Whoever went away meanwhile; their turns come back here by being dropped.
        drop(state);
        drop(refused);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("client", &self.client).finish_non_exhaustive()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.give_back(self.client, self.since);
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.turns.lock().forget(self.client, self.arrival);
    }
}

impl State {
    /// Whether the client may have one now, before nobody who came earlier.
    fn admits(&self, client: IpAddr, now: Instant) -> bool {
        let waits = self.clients.get(&client).is_some_and(|known| !known.waiting.is_empty());
        self.free > 0 && !waits && self.leaves_enough(client, now)
    }

    /// Whether one more of this client's leaves the others what is theirs.
    fn leaves_enough(&self, client: IpAddr, now: Instant) -> bool {
        let held = self.clients.get(&client).map_or(0, |known| known.held.len());
        if held >= self.bounds.of_one {
            return false;
        }
        let Some(reserve) = self.bounds.reserve else { return true };
        let of = |counts: &dyn Fn(IpAddr) -> bool| {
            let counted = self.clients.iter().filter(|(other, _)| counts(**other));
            counted.map(|(_, known)| known.held.len()).sum::<usize>()
        };
        let most = reserve.most.max(1);
        of(&|other| network(other) == network(client)) < most
            && (!self.is_slow(client, now) || of(&|other| self.is_slow(other, now)) < most)
    }

    fn is_slow(&self, client: IpAddr, now: Instant) -> bool {
        let Some(reserve) = self.bounds.reserve else { return false };
        let oldest = self.clients.get(&client).and_then(|known| known.held.front());
        oldest.is_some_and(|since| now.duration_since(*since) > reserve.slow_after)
            || self.slow.get(&network(client)).is_some_and(|until| *until > now)
    }

    fn hold(&mut self, client: IpAddr, now: Instant) {
        self.free -= 1;
        self.clients.entry(client).or_default().held.push_back(now);
    }

    fn release(&mut self, client: IpAddr, since: Instant, now: Instant) {
        self.free += 1;
        if let Some(known) = self.clients.get_mut(&client)
            && let Some(place) = known.held.iter().position(|held| *held == since)
        {
            known.held.remove(place);
        }
        if let Some(reserve) = self.bounds.reserve
            && now.duration_since(since) > reserve.slow_after
        {
            self.slow.retain(|_, until| *until > now);
            self.slow.insert(network(client), now + reserve.slow_for);
        }
        self.tidy(client);
    }

    fn queue(&mut self, client: IpAddr) -> Result<(u64, oneshot::Receiver<Turn>), Full> {
        let waiting = self.clients.get(&client).map_or(0, |known| known.waiting.len());
        if self.waiting >= self.bounds.waiting || waiting >= self.bounds.waiting_of_one {
            return Err(Full);
        }
        let (turn, coming) = oneshot::channel();
        self.arrivals += 1;
        self.waiting += 1;
        self.clients.entry(client).or_default().waiting.push_back((self.arrivals, turn));
        Ok((self.arrivals, coming))
    }

    /// Takes out who went away; who was served is not there any more.
    fn forget(&mut self, client: IpAddr, arrival: u64) {
        let Some(known) = self.clients.get_mut(&client) else { return };
        let before = known.waiting.len();
        known.waiting.retain(|(number, _)| *number != arrival);
        self.waiting -= before - known.waiting.len();
        self.tidy(client);
    }

    fn tidy(&mut self, client: IpAddr) {
        let gone = |known: &Client| known.held.is_empty() && known.waiting.is_empty();
        if self.clients.get(&client).is_some_and(gone) {
            self.clients.remove(&client);
        }
    }

    /// Who is served next, if anybody may be.
    fn next(&mut self, now: Instant) -> Option<(IpAddr, oneshot::Sender<Turn>)> {
        if self.free == 0 {
            return None;
        }
        let mut waiting: Vec<_> = self
            .clients
            .iter()
            .filter_map(|(client, known)| {
                known.waiting.front().map(|(arrival, _)| (known.held.len(), *arrival, *client))
            })
            .collect();
        waiting.sort_unstable();
        let (_, _, client) =
            waiting.into_iter().find(|(_, _, client)| self.leaves_enough(*client, now))?;
        let (_, turn) = self.clients.get_mut(&client)?.waiting.pop_front()?;
        self.waiting -= 1;
        Some((client, turn))
    }
}

/// Whose address it is, as far as that can be told.
fn customer(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & CUSTOMER).into(),
    }
}

/// The widest network that may be one customer's.
fn network(client: IpAddr) -> IpAddr {
    match client {
        IpAddr::V4(_) => client,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn turns(turns: usize, of_one: usize) -> Turns {
        Turns::new(Bounds { turns, of_one, waiting: 8, waiting_of_one: 2, reserve: None })
    }

    /// Ten of them, three for one client; slow after half a second, for a minute.
    fn reserved() -> Turns {
        let reserve = Reserve { slow_after: SLOW, slow_for: MINUTE, most: 5 };
        let (waiting, waiting_of_one) = (100, 100);
        Turns::new(Bounds { turns: 10, of_one: 3, waiting, waiting_of_one, reserve: Some(reserve) })
    }

    const SLOW: Duration = Duration::from_millis(500);
    const MINUTE: Duration = Duration::from_secs(60);

    /// How many more the client is given at once, and the turns.
    fn given(turns: &Turns, who: IpAddr) -> Vec<Turn> {
        std::iter::from_fn(|| turns.take(who).now_or_never()).flatten().collect()
    }

    fn client(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    async fn some(turns: &Turns, who: IpAddr, many: usize) -> Vec<Turn> {
        let mut held = Vec::new();
        for _ in 0..many {
            held.push(turns.take(who).await.expect("a turn"));
        }
        held
    }

    #[tokio::test]
    async fn one_client_leaves_some_to_the_others() {
        let turns = turns(6, 4);
        let greedy = some(&turns, client(1), 4).await;
        assert!(turns.take(client(1)).now_or_never().is_none());
        let modest = some(&turns, client(2), 2).await;
        drop((greedy, modest));
        assert!(turns.lock().clients.is_empty());
        assert_eq!(turns.lock().free, 6);
        assert_eq!(turns.lock().waiting, 0);
    }

    #[tokio::test]
    async fn a_free_one_goes_to_whoever_holds_the_fewest() {
        let turns = turns(4, 3);
        let (mut first, _second) =
            (some(&turns, client(1), 2).await, some(&turns, client(2), 2).await);
        let mut again = Box::pin(turns.take(client(1)));
        let mut third = Box::pin(turns.take(client(3)));
        assert!(again.as_mut().now_or_never().is_none());
        assert!(third.as_mut().now_or_never().is_none());
        first.pop();
        let third = third.now_or_never().expect("served first").expect("a turn");
        assert!(again.as_mut().now_or_never().is_none());
        drop(third);
        assert!(again.now_or_never().expect("served then").is_ok());
    }

    #[tokio::test]
    async fn whoever_goes_away_while_waiting_keeps_nothing() {
        let turns = turns(1, 1);
        let held = turns.take(client(1)).await.expect("a turn");
        for _ in 0..3 {
            let mut waiting = Box::pin(turns.take(client(2)));
            assert!(waiting.as_mut().now_or_never().is_none());
        }
        drop(held);
        assert_eq!(turns.lock().free, 1);
        assert!(turns.take(client(3)).now_or_never().expect("free").is_ok());
        assert!(turns.lock().clients.is_empty());
    }

    #[tokio::test]
    async fn those_who_wait_are_bounded_and_who_goes_away_waits_no_more() {
        let turns = turns(1, 1);
        let _held = turns.take(client(9)).await;
        let mut waiting: Vec<_> = (0..2).map(|_| Box::pin(turns.take(client(1)))).collect();
        assert!(waiting.iter_mut().all(|turn| turn.as_mut().now_or_never().is_none()));
        assert_eq!(turns.take(client(1)).now_or_never().expect("refused").err(), Some(Full));
        let mut others: Vec<_> =
            (2..8).map(|number| Box::pin(turns.take(client(number)))).collect();
        assert!(others.iter_mut().all(|turn| turn.as_mut().now_or_never().is_none()));
        assert_eq!(turns.take(client(8)).now_or_never().expect("refused").err(), Some(Full));
        waiting.pop();
        assert!(turns.take(client(8)).now_or_never().is_none());
        drop((waiting, others));
        assert_eq!(turns.lock().waiting, 0);
        assert_eq!(turns.lock().clients.len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn slow_clients_together_leave_half_to_the_others() {
        let turns = reserved();
        let mut slow: Vec<Turn> =
            [1, 2].iter().flat_map(|&number| given(&turns, client(number))).collect();
        assert_eq!(slow.len(), 6);
        tokio::time::advance(SLOW * 2).await;
        // Two go away, which leaves four of them: a fifth may be held, and no more.
        slow.drain(..2);
        let again = given(&turns, client(1));
        assert_eq!(again.len(), 1);
        assert_eq!(given(&turns, client(2)).len(), 0);
        let others: Vec<Turn> =
            [3, 4].iter().flat_map(|&number| given(&turns, client(number))).collect();
        assert_eq!(others.len(), 5);
    }

    #[tokio::test(start_paused = true)]
    async fn freed_turn_of_slow_clients_goes_to_who_waits_behind_them() {
        let turns = reserved();
        let mut held: Vec<Turn> =
            [1, 2, 3].iter().flat_map(|&number| given(&turns, client(number))).collect();
        let last = turns.take(client(4)).await.expect("a turn");
        tokio::time::advance(SLOW * 2).await;
        let mut again = Box::pin(turns.take(client(5)));
        let mut slow = Box::pin(turns.take(client(1)));
        assert!(slow.as_mut().now_or_never().is_none());
        assert!(again.as_mut().now_or_never().is_none());
        held.pop();
        assert!(slow.as_mut().now_or_never().is_none());
        let fifth = again.now_or_never().expect("served first").expect("a turn");
        drop((fifth, last));
        assert!(slow.now_or_never().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn slow_client_is_forgiven_after_the_agreed_time() {
        let turns = reserved();
        let slow: Vec<Turn> =
            [1, 2, 3].iter().flat_map(|&number| given(&turns, client(number))).collect();
        tokio::time::advance(SLOW * 2).await;
        drop(slow);
        assert_eq!(turns.lock().slow.len(), 3);
        let held = (given(&turns, client(1)), given(&turns, client(2)));
        assert_eq!((held.0.len(), held.1.len()), (3, 2));
        drop(held);
        tokio::time::advance(MINUTE).await;
        let held = (given(&turns, client(1)), given(&turns, client(2)));
        assert_eq!((held.0.len(), held.1.len()), (3, 3));
    }

    #[tokio::test(start_paused = true)]
    async fn addresses_of_one_network_hold_half_together() {
        let turns = reserved();
        let held: Vec<Turn> = (0..10)
            .flat_map(|number| {
                given(&turns, format!("2001:db8:0:{number}::1").parse().expect("one"))
            })
            .collect();
        assert_eq!(held.len(), 5);
        assert_eq!(given(&turns, "2001:db8:1::1".parse().expect("another")).len(), 3);
    }

    #[test]
    fn addresses_of_one_customer_are_one_client() {
        let of = |text: &str| customer(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:0:1::5"), of("2001:db8:0:1:ffff::9"));
        assert_ne!(of("2001:db8:0:1::5"), of("2001:db8:0:2::5"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}
