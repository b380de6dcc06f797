//! What a process remembers of refusals between two looks at the database: the networks that may not
//! vote, and how many votes were refused.
//!
//! Promises: what an administrator bans is refused by every process within seconds; a refused vote
//! costs no transaction. Votes refused in the last seconds before a process dies are not counted.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_http::{Clock, TtlCache};
use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

use crate::model::ban::BannedNetworks;
use crate::model::reason::Reason;
use crate::store::refused::{self, Refused};

/// How old the list of networks may be.
const KEPT: Duration = Duration::from_secs(3);
/// Servers and reasons that are remembered at once; anybody can make up servers.
const REMEMBERED: usize = 4_096;

/// The networks that may not vote.
pub(crate) struct RefusedNetworks {
    db: OwnerDb,
    networks: TtlCache<(), Arc<BannedNetworks>, PgError>,
}

impl RefusedNetworks {
    pub fn new(db: OwnerDb, clock: Clock) -> Self {
        Self { db, networks: TtlCache::new(clock, NonZeroUsize::MIN, |_| KEPT) }
    }

    /// Whether an address is in one of them.
    ///
    /// # Errors
    /// When the list cannot be read and none is known.
    pub async fn hold(&self, ip: IpAddr, now: DateTime<Utc>) -> Result<bool, PgError> {
        let networks = match self.networks.get_or_load(&(), self.read(now)).await {
            Ok(networks) => networks,
            Err(error) => {
                let Some(latest) = self.networks.latest(&()) else { return Err(error) };
                tracing::warn!(%error, "banned networks not read; the last ones apply");
                latest
            }
        };
        Ok(networks.hold(ip, now))
    }

    async fn read(&self, now: DateTime<Utc>) -> Result<Arc<BannedNetworks>, PgError> {
        let mut owner = self.db.begin().await?;
        let networks = refused::networks(&mut owner, now).await?;
        owner.rollback().await?;
        Ok(Arc::new(networks.into_iter().collect()))
    }
}

/// How many votes were refused since they were last written down.
#[derive(Default)]
pub(crate) struct Refusals(Mutex<HashMap<(Uuid, Reason), i32>>);

impl Refusals {
    /// Notes one.
    pub fn note(&self, server: Uuid, reason: Reason) {
        self.add(&mut self.counts(), (server, reason), 1);
    }

    /// Hands all of them over, in the order of their keys.
    pub fn take(&self) -> Vec<Refused> {
        let counts = std::mem::take(&mut *self.counts());
        let mut refused: Vec<Refused> =
            counts.into_iter().map(|((server, reason), votes)| (server, reason, votes)).collect();
        refused.sort_unstable();
        refused
    }

    /// Takes back what could not be written down.
    pub fn keep(&self, refused: Vec<Refused>) {
        let mut counts = self.counts();
        for (server, reason, votes) in refused {
            self.add(&mut counts, (server, reason), votes);
        }
    }

    fn add(&self, counts: &mut HashMap<(Uuid, Reason), i32>, of: (Uuid, Reason), votes: i32) {
        if counts.len() < REMEMBERED || counts.contains_key(&of) {
            let count = counts.entry(of).or_default();
            *count = count.saturating_add(votes);
        }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<(Uuid, Reason), i32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_handed_over_once_and_taken_back() {
        let refusals = Refusals::default();
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        refusals.note(two, Reason::Cooldown);
        refusals.note(one, Reason::Captcha);
        refusals.note(two, Reason::Cooldown);
        let taken = refusals.take();
        assert_eq!(taken, [(one, Reason::Captcha, 1), (two, Reason::Cooldown, 2)]);
        assert_eq!(refusals.take(), []);
        refusals.note(two, Reason::Cooldown);
        refusals.keep(taken);
        assert_eq!(refusals.take(), [(one, Reason::Captcha, 1), (two, Reason::Cooldown, 3)]);
    }

    #[test]
    fn servers_somebody_makes_up_do_not_fill_the_memory() {
        let refusals = Refusals::default();
        refusals.note(Uuid::nil(), Reason::Cooldown);
        for number in 0..10_000 {
            refusals.note(Uuid::from_u128(number), Reason::NotListed);
        }
        refusals.note(Uuid::nil(), Reason::Cooldown);
        let taken = refusals.take();
        assert_eq!(taken.len(), REMEMBERED);
        assert_eq!(taken[0], (Uuid::nil(), Reason::Cooldown, 2));
    }
}
