//! Nobody takes the connections from the others: who waits for one is served by how many they hold.
//!
//! One client has two thirds at most, so that somebody else finds one free at once. Where all are
//! taken, the next goes to whoever holds the fewest, and among equals to who waited longest.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::PgError;

/// The bits of an IPv6 address that a provider gives to one customer.
const CUSTOMER: u128 = !0 << 64;

/// The connections of a pool, as they are shared among clients. Cheap to clone.
#[derive(Clone)]
pub(super) struct Shares {
    state: Arc<Mutex<State>>,
    patience: Duration,
}

struct State {
    free: usize,
    /// Most for one client.
    most: usize,
    clients: HashMap<IpAddr, Client>,
    /// Counts those who ever waited.
    arrivals: u64,
}

#[derive(Default)]
struct Client {
    held: usize,
    waiting: VecDeque<(u64, oneshot::Sender<Share>)>,
}

/// One connection's worth of a client, given back when it is dropped.
pub(super) struct Share {
    shares: Shares,
    client: IpAddr,
}

impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Share").field("client", &self.client).finish_non_exhaustive()
    }
}

impl Shares {
    /// Shares of so many connections; `patience` is how long a client waits for one.
    pub fn of(connections: usize, patience: Duration) -> Self {
        let most = (connections - connections / 3).max(1);
        let state = State { free: connections, most, clients: HashMap::new(), arrivals: 0 };
        Self { state: Arc::new(Mutex::new(state)), patience }
    }

    /// Waits for the client's turn.
    ///
    /// # Errors
    /// [`PgError::PoolTimeout`] after the agreed wait.
    pub async fn take(&self, client: IpAddr) -> Result<Share, PgError> {
        let client = customer(client);
        let turn = {
            let mut state = self.lock();
            if state.admits(client) {
                state.hold(client);
                return Ok(self.share(client));
            }
            state.queue(client)
        };
        let turn = timeout(self.patience, turn).await;
        turn.ok().and_then(Result::ok).ok_or(PgError::PoolTimeout)
    }

    fn share(&self, client: IpAddr) -> Share {
        Share { shares: self.clone(), client }
    }

    fn give_back(&self, client: IpAddr) {
        let mut refused = {
            let mut state = self.lock();
            state.release(client);
            self.serve(&mut state)
        };
        // Whoever went away while they waited; their shares come back here by being dropped.
        refused.clear();
    }

    /// Serves those who wait as far as there is something free. Returns what nobody took, which
    /// must be dropped without the lock.
    fn serve(&self, state: &mut State) -> Vec<Share> {
        let mut refused = Vec::new();
        while let Some((client, turn)) = state.next() {
            state.hold(client);
            if let Err(share) = turn.send(self.share(client)) {
                refused.push(share);
            }
        }
        refused
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shares.give_back(self.client);
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
            if known.held == 0 && known.waiting.is_empty() {
                self.clients.remove(&client);
            }
        }
    }

    fn queue(&mut self, client: IpAddr) -> oneshot::Receiver<Share> {
        let (turn, coming) = oneshot::channel();
        self.arrivals += 1;
        self.clients.entry(client).or_default().waiting.push_back((self.arrivals, turn));
        coming
    }

    /// Who is served next, if anybody may be.
    fn next(&mut self) -> Option<(IpAddr, oneshot::Sender<Share>)> {
        if self.free == 0 {
            return None;
        }
        let open = self.clients.iter().filter(|(_, known)| known.held < self.most);
        let waiting = open.filter_map(|(client, known)| {
            known.waiting.front().map(|(arrival, _)| (known.held, *arrival, *client))
        });
        let (_, _, client) = waiting.min()?;
        let (_, turn) = self.clients.get_mut(&client)?.waiting.pop_front()?;
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
    use futures_util::FutureExt;

    use super::*;

    fn shares(connections: usize) -> Shares {
        Shares::of(connections, Duration::from_secs(60))
    }

    fn client(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    async fn some(shares: &Shares, who: IpAddr, many: usize) -> Vec<Share> {
        let mut held = Vec::new();
        for _ in 0..many {
            held.push(shares.take(who).await.expect("a share"));
        }
        held
    }

    #[tokio::test]
    async fn one_client_leaves_a_third_to_the_others() {
        let shares = shares(6);
        let greedy = some(&shares, client(1), 4).await;
        assert!(shares.take(client(1)).now_or_never().is_none());
        let modest = some(&shares, client(2), 2).await;
        drop((greedy, modest));
        assert!(shares.lock().clients.is_empty());
        assert_eq!(shares.lock().free, 6);
    }

    #[tokio::test]
    async fn a_free_one_goes_to_whoever_holds_the_fewest() {
        let shares = shares(4);
        let (mut first, _second) =
            (some(&shares, client(1), 2).await, some(&shares, client(2), 2).await);
        let mut again = Box::pin(shares.take(client(1)));
        let mut third = Box::pin(shares.take(client(3)));
        assert!(again.as_mut().now_or_never().is_none());
        assert!(third.as_mut().now_or_never().is_none());
        first.pop();
        let third = third.now_or_never().expect("served first").expect("a share");
        assert!(again.as_mut().now_or_never().is_none());
        drop(third);
        assert!(again.now_or_never().expect("served then").is_ok());
    }

    #[tokio::test]
    async fn whoever_goes_away_while_waiting_keeps_nothing() {
        let shares = shares(1);
        let held = shares.take(client(1)).await.expect("a share");
        for _ in 0..3 {
            let mut waiting = Box::pin(shares.take(client(2)));
            assert!(waiting.as_mut().now_or_never().is_none());
        }
        drop(held);
        assert_eq!(shares.lock().free, 1);
        assert!(shares.take(client(3)).now_or_never().expect("free").is_ok());
        assert!(shares.lock().clients.is_empty());
    }

    #[tokio::test]
    async fn waiting_ends_after_the_agreed_time() {
        let shares = Shares::of(1, Duration::ZERO);
        let _held = shares.take(client(1)).await.expect("a share");
        let refused = shares.take(client(2)).await.expect_err("refused");
        assert!(matches!(refused, PgError::PoolTimeout));
    }

    #[test]
    fn addresses_of_one_customer_are_one_client() {
        let of = |text: &str| customer(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:0:1::5"), of("2001:db8:0:1:ffff::9"));
        assert_ne!(of("2001:db8:0:1::5"), of("2001:db8:0:2::5"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}
