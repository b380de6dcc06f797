//! Turns at the work: a bounded number at once, shared among clients by how many each holds.
//!
//! A client has all turns but one at most, so that somebody else finds one free. Where none is, the
//! next goes to whoever holds the fewest, and among equals to who waited longest. Those who wait
//! are bounded too, all together and each client's.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// The bits of an IPv6 address that a provider gives to one customer.
const CUSTOMER: u128 = !0 << 64;

/// Turns as they are shared among clients. Clones share them.
#[derive(Clone)]
pub(super) struct Turns(Arc<Mutex<State>>);

/// One turn, given back when it is dropped.
pub(super) struct Turn {
    turns: Turns,
    client: IpAddr,
}

/// As many wait already as may.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

struct State {
    free: usize,
    /// Most for one client.
    most: usize,
    waiting: usize,
    most_waiting: usize,
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
    /// So many turns, and so many who may wait for one; a quarter of these of one client.
    pub fn new(turns: usize, most_waiting: usize) -> Self {
        let turns = turns.max(1);
        let state = State {
            free: turns,
            most: (turns - 1).max(1),
            waiting: 0,
            most_waiting,
            clients: HashMap::new(),
            arrivals: 0,
        };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Waits for the client's turn.
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
            && known.is_none_or(|known| known.held < self.most && known.waiting.is_empty())
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
        if self.waiting >= self.most_waiting || waiting >= self.most_waiting.div_ceil(4) {
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
        let open = self.clients.iter().filter(|(_, known)| known.held < self.most);
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

    fn client(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    #[tokio::test]
    async fn one_client_leaves_a_turn_to_the_others() {
        let turns = Turns::new(3, 8);
        let greedy = (turns.take(client(1)).await, turns.take(client(1)).await);
        assert!(turns.take(client(1)).now_or_never().is_none());
        let modest = turns.take(client(2)).now_or_never().expect("at once");
        drop((greedy, modest));
        assert!(turns.lock().clients.is_empty());
        assert_eq!(turns.lock().free, 3);
        assert_eq!(turns.lock().waiting, 0);
    }

    #[tokio::test]
    async fn a_free_one_goes_to_whoever_holds_the_fewest() {
        let turns = Turns::new(2, 8);
        let first = turns.take(client(1)).await;
        let second = turns.take(client(2)).await;
        let mut again = Box::pin(turns.take(client(2)));
        let mut third = Box::pin(turns.take(client(3)));
        assert!(again.as_mut().now_or_never().is_none());
        assert!(third.as_mut().now_or_never().is_none());
        drop(first);
        assert!(third.now_or_never().expect("served first").is_ok());
        drop(second);
        assert!(again.now_or_never().expect("served then").is_ok());
    }

    #[tokio::test]
    async fn those_who_wait_are_bounded_and_who_goes_away_waits_no_more() {
        let turns = Turns::new(1, 8);
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
    }
}
