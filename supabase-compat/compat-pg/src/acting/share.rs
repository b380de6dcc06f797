//! Nobody takes the connections from the others: a client that may be told has its turns.

use std::net::IpAddr;
use std::time::Duration;

use compat_turns::{Bounds, Turn, Turns};
use tokio::time::timeout;

use crate::PgError;

/// One connection's worth of a client, given back when it is dropped.
pub(super) type Share = Turn;

/// The connections of a pool, as they are shared among clients. Cheap to clone.
#[derive(Clone)]
pub(super) struct Shares {
    turns: Turns,
    patience: Duration,
}

impl Shares {
    /// Shares of so many connections, two thirds of them for one client at most; `patience` is how
    /// long a client waits for one.
    pub fn of(connections: usize, patience: Duration) -> Self {
        let of_one = connections - connections / 3;
        // Who waits is bounded by their patience.
        let waiting = usize::MAX;
        let bounds = Bounds { turns: connections, of_one, waiting, waiting_of_one: waiting };
        Self { turns: Turns::new(bounds), patience }
    }

    /// Waits for the client's turn.
    ///
    /// # Errors
    /// [`PgError::PoolTimeout`] after the agreed wait.
    pub async fn take(&self, client: IpAddr) -> Result<Share, PgError> {
        let turn = timeout(self.patience, self.turns.take(client)).await;
        turn.ok().and_then(Result::ok).ok_or(PgError::PoolTimeout)
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
    async fn one_client_leaves_a_third_to_the_others() {
        let shares = Shares::of(6, Duration::from_secs(60));
        let mut held = Vec::new();
        for number in [1, 1, 1, 1, 2, 2] {
            held.push(shares.take(client(number)).now_or_never().expect("free").expect("a share"));
        }
        held.pop();
        assert!(shares.take(client(1)).now_or_never().is_none());
        assert!(shares.take(client(2)).now_or_never().expect("free").is_ok());
    }

    #[tokio::test]
    async fn waiting_ends_after_the_agreed_time() {
        let shares = Shares::of(1, Duration::ZERO);
        let _held = shares.take(client(1)).await.expect("a share");
        let refused = shares.take(client(2)).await.expect_err("refused");
        assert!(matches!(refused, PgError::PoolTimeout));
    }
}
