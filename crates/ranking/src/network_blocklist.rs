//! The banned networks, cached in the process between two reads of the database.
//!
//! Promises: every process refuses a newly banned network within seconds.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_http::{Clock, TtlCache};
use compat_pg::{OwnerDb, PgError};

use crate::model::ban::BannedNetworks;
use crate::store::network_ban;

/// How old the cached list may be.
const KEPT: Duration = Duration::from_secs(3);
/// The cached list of banned networks.
pub(crate) struct NetworkBlocklist {
    db: OwnerDb,
    networks: TtlCache<(), Arc<BannedNetworks>, PgError>,
}

impl NetworkBlocklist {
    pub fn new(db: OwnerDb, clock: Clock) -> Self {
        Self { db, networks: TtlCache::new(clock, NonZeroUsize::MIN, |_| KEPT) }
    }

    /// Whether an address is in a banned network.
    ///
    /// # Errors
    /// When the list cannot be read and no earlier list is cached.
    pub async fn contains(&self, ip: IpAddr, now: DateTime<Utc>) -> Result<bool, PgError> {
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
        let networks = network_ban::list(&mut owner, now).await?;
        owner.rollback().await?;
        Ok(Arc::new(networks.into_iter().collect()))
    }
}
