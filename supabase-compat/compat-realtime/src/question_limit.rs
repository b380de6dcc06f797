//! Limits the queries that clients cause in the database with their own rights.
//!
//! Policies and filters are the code of a client or a project, may take seconds, and run on the
//! connections that rest/v1 needs. Clients share a few permits, so that a flood of joins leaves the
//! other connections free.

use std::net::IpAddr;

use compat_fair_semaphore::{FairSemaphore, Limits, Permit};
use compat_pg::PgError;

const LIMITS: Limits = Limits {
    permits: 3,
    per_client: 2,
    waiting: 20_000,
    waiting_per_client: 10_000,
    reserve: None,
};

/// The permits of one process; clones share them.
#[derive(Clone)]
pub(crate) struct QuestionLimit(FairSemaphore);

impl QuestionLimit {
    /// A limit of which all permits are free.
    pub fn new() -> Self {
        Self(FairSemaphore::new(LIMITS))
    }

    /// Waits for a permit of the client; the caller limits how long.
    ///
    /// # Errors
    /// [`PgError::PoolTimeout`] at once if too many are waiting.
    pub async fn acquire(&self, client: IpAddr) -> Result<Permit, PgError> {
        self.0.acquire(client).await.map_err(|_| PgError::PoolTimeout)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn one_client_leaves_a_permit_to_others() {
        let limit = QuestionLimit::new();
        let client = |number| IpAddr::from([10, 0, 0, number]);
        let first = limit.acquire(client(1)).await.expect("a permit");
        let _second = limit.acquire(client(1)).await.expect("a permit");
        assert!(limit.acquire(client(1)).now_or_never().is_none());
        let _third = limit.acquire(client(2)).await.expect("a permit");
        assert!(limit.acquire(client(3)).now_or_never().is_none(), "no permit is left");
        drop(first);
        assert!(limit.acquire(client(3)).now_or_never().is_some());
    }
}
