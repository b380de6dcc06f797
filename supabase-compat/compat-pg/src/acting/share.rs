//! Nobody takes the connections from the others: a client that may be told has its turns.

use std::net::IpAddr;
use std::time::Duration;

use compat_turns::{Bounds, Reserve, Turn, Turns};
use tokio::time::timeout;

use crate::PgError;

/// One connection's worth of a client, given back when it is dropped.
pub(super) type Share = Turn;

/// Work that takes longer than this is rare on pages people wait for.
const SLOW_AFTER: Duration = Duration::from_millis(500);
const SLOW_FOR: Duration = Duration::from_secs(60);

/// The connections of a pool, as they are shared among clients. Cheap to clone.
#[derive(Clone)]
pub(super) struct Shares {
    turns: Turns,
    patience: Duration,
}

impl Shares {
    /// Shares of so many connections; `patience` is how long a client waits for one. A quarter of
    /// them is for one client at most, so that several who ask for slow work meet while some are
    /// free yet; half of them is for all slow ones together, and for one network.
    pub fn of(connections: usize, patience: Duration) -> Self {
        let of_one = connections.div_ceil(4);
        let most = connections.div_ceil(2);
        let reserve = Some(Reserve { slow_after: SLOW_AFTER, slow_for: SLOW_FOR, most });
        // Who waits is bounded by their patience.
        let waiting = usize::MAX;
        let bounds =
            Bounds { turns: connections, of_one, waiting, waiting_of_one: waiting, reserve };
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
    async fn one_client_has_a_quarter_and_leaves_the_rest() {
        let shares = Shares::of(10, Duration::from_secs(60));
        let mut held = Vec::new();
        for number in [1, 1, 1, 2, 2, 2] {
            held.push(shares.take(client(number)).now_or_never().expect("free").expect("a share"));
        }
        assert!(shares.take(client(1)).now_or_never().is_none());
        assert!(shares.take(client(2)).now_or_never().is_none());
        assert!(shares.take(client(3)).now_or_never().expect("free").is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn clients_of_slow_work_have_half_together() {
        let shares = Shares::of(10, Duration::from_secs(60));
        let mut held = Vec::new();
        for number in [1, 1, 2, 2, 3] {
            held.push(shares.take(client(number)).now_or_never().expect("free").expect("a share"));
        }
        tokio::time::advance(SLOW_AFTER * 2).await;
        for number in 1..=3 {
            assert!(shares.take(client(number)).now_or_never().is_none());
        }
        assert!(shares.take(client(4)).now_or_never().expect("free").is_ok());
    }

    #[tokio::test]
    async fn waiting_ends_after_the_agreed_time() {
        let shares = Shares::of(1, Duration::ZERO);
        let _held = shares.take(client(1)).await.expect("a share");
        let refused = shares.take(client(2)).await.expect_err("refused");
        assert!(matches!(refused, PgError::PoolTimeout));
    }
}
