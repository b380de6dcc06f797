//! Fairness for the pool: each client whose address is known has a quota of the connections.

use std::net::IpAddr;
use std::time::Duration;

use compat_fair_semaphore::{FairSemaphore, Limits, Permit, Reserve};
use tokio::time::timeout;

use crate::PgError;

/// Work that takes longer counts as slow; it is rare on pages that people wait for.
const SLOW_AFTER: Duration = Duration::from_millis(500);
const SLOW_FOR: Duration = Duration::from_secs(60);

/// How many calls may wait for each connection: more than can be served before their timeout.
const WAITING: usize = 1_024;

/// The connections of a pool, shared fairly among clients. Cheap to clone.
#[derive(Clone)]
pub(super) struct ClientQuota {
    semaphore: FairSemaphore,
    max_wait: Duration,
}

impl ClientQuota {
    /// Shares `connections`; a client waits up to `max_wait` for one. One client gets a quarter of
    /// them at most, so that several slow clients still leave some free. All slow clients together
    /// get half, and so does one network. One client may also take a quarter of the queue at most.
    pub fn new(connections: usize, max_wait: Duration) -> Self {
        let most = connections.div_ceil(2);
        let waiting = connections.saturating_mul(WAITING);
        let semaphore = FairSemaphore::new(Limits {
            permits: connections,
            per_client: connections.div_ceil(4),
            waiting,
            waiting_per_client: waiting.div_ceil(4),
            reserve: Some(Reserve { slow_after: SLOW_AFTER, slow_for: SLOW_FOR, most }),
        });
        Self { semaphore, max_wait }
    }

    /// Waits for a permit of the client.
    ///
    /// # Errors
    /// [`PgError::PoolTimeout`] after the agreed wait, or at once where the queue is full.
    pub async fn acquire(&self, client: IpAddr) -> Result<Permit, PgError> {
        let permit = timeout(self.max_wait, self.semaphore.acquire(client)).await;
        permit.ok().and_then(Result::ok).ok_or(PgError::PoolTimeout)
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
    async fn client_quota_leaves_permits_for_other_clients() {
        let quota = ClientQuota::new(10, Duration::from_secs(60));
        let mut held = Vec::new();
        for number in [1, 1, 1, 2, 2, 2] {
            let permit = quota.acquire(client(number)).now_or_never().expect("free");
            held.push(permit.expect("a permit"));
        }
        assert!(quota.acquire(client(1)).now_or_never().is_none());
        assert!(quota.acquire(client(2)).now_or_never().is_none());
        assert!(quota.acquire(client(3)).now_or_never().expect("free").is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn clients_of_slow_work_have_half_together() {
        let quota = ClientQuota::new(10, Duration::from_secs(60));
        let mut held = Vec::new();
        for number in [1, 1, 2, 2, 3] {
            let permit = quota.acquire(client(number)).now_or_never().expect("free");
            held.push(permit.expect("a permit"));
        }
        tokio::time::advance(SLOW_AFTER * 2).await;
        for number in 1..=3 {
            assert!(quota.acquire(client(number)).now_or_never().is_none());
        }
        assert!(quota.acquire(client(4)).now_or_never().expect("free").is_ok());
    }

    #[tokio::test]
    async fn waiting_ends_after_the_agreed_time() {
        let quota = ClientQuota::new(1, Duration::ZERO);
        let _held = quota.acquire(client(1)).await.expect("a permit");
        let refusal = quota.acquire(client(2)).await.expect_err("refused");
        assert!(matches!(refusal, PgError::PoolTimeout));
    }

    #[tokio::test]
    async fn full_queue_refuses_without_waiting() {
        let quota = ClientQuota::new(1, Duration::from_secs(60));
        let _held = quota.acquire(client(0)).await.expect("a permit");
        let mut waiting: Vec<_> = (0..WAITING)
            .map(|number| Box::pin(quota.acquire(client((number % 4 + 1) as u8))))
            .collect();
        assert!(waiting.iter_mut().all(|call| call.as_mut().now_or_never().is_none()));
        for number in [1, 200] {
            let refusal = quota.acquire(client(number)).now_or_never().expect("at once");
            assert!(matches!(refusal, Err(PgError::PoolTimeout)));
        }
    }
}
