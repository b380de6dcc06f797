//! Turns at something scarce, shared among clients: nobody takes it from the others.
//!
//! This room promises: there are never more turns than were agreed, one client holds only so many,
//! and a free one goes to whoever holds the fewest, among equals to who waited longest. Those who
//! wait are bounded too, and whoever goes away waits no more.
//!
//! It deliberately does not know what the turns are at, how long anybody is willing to wait, or how
//! a refusal is worded.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// The bits of an IPv6 address that a provider gives to one customer.
const CUSTOMER: u128 = !0 << 64;

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
}

/// Turns as they are shared among clients. Clones share them.
#[derive(Clone)]
pub struct Turns(Arc<Mutex<State>>);

/// One turn, given back when it is dropped.
pub struct Turn {
    turns: Turns,
    client: IpAddr,
}

/// As many wait already as may.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

struct State {
    bounds: Bounds,
    free: usize,
    waiting: usize,
    clients: HashMap<IpAddr, Client>,
    /// Counts those who ever waited.
    arrivals: u64,
}

#[derive(Default)]
struct Client {
    held: usize,
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
            if state.admits(client) {
                state.hold(client);
                return Ok(self.turn(client));
            }
            state.queue(client)?
        };
        let _waiting = Waiting { turns: self, client, arrival };
        coming.await.map_err(|_| Full)
    }

    fn turn(&self, client: IpAddr) -> Turn {
        Turn { turns: self.clone(), client }
    }

    fn give_back(&self, client: IpAddr) {
        let mut refused = Vec::new();
        let mut state = self.lock();
        state.release(client);
        while let Some((client, turn)) = state.next() {
            state.hold(client);
            refused.extend(turn.send(self.turn(client)).err());
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
        self.turns.give_back(self.client);
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.turns.lock().forget(self.client, self.arrival);
    }
}

impl State {
    /// Whether the client may have one now, before nobody who came earlier.
    fn admits(&self, client: IpAddr) -> bool {
        let known = self.clients.get(&client);
        self.free > 0
            && known.is_none_or(|known| known.held < self.bounds.of_one && known.waiting.is_empty())
    }

    fn hold(&mut self, client: IpAddr) {
        self.free -= 1;
        self.clients.entry(client).or_default().held += 1;
    }

    fn release(&mut self, client: IpAddr) {
        self.free += 1;
        if let Some(known) = self.clients.get_mut(&client) {
            known.held -= 1;
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
        let gone = |known: &Client| known.held == 0 && known.waiting.is_empty();
        if self.clients.get(&client).is_some_and(gone) {
            self.clients.remove(&client);
        }
    }

    /// Who is served next, if anybody may be.
    fn next(&mut self) -> Option<(IpAddr, oneshot::Sender<Turn>)> {
        if self.free == 0 {
            return None;
        }
        let open = self.clients.iter().filter(|(_, known)| known.held < self.bounds.of_one);
        let waiting = open.filter_map(|(client, known)| {
            known.waiting.front().map(|(arrival, _)| (known.held, *arrival, *client))
        });
        let (_, _, client) = waiting.min()?;
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

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn turns(turns: usize, of_one: usize) -> Turns {
        Turns::new(Bounds { turns, of_one, waiting: 8, waiting_of_one: 2 })
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

    #[test]
    fn addresses_of_one_customer_are_one_client() {
        let of = |text: &str| customer(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:0:1::5"), of("2001:db8:0:1:ffff::9"));
        assert_ne!(of("2001:db8:0:1::5"), of("2001:db8:0:2::5"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}
