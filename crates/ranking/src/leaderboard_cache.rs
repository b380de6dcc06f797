//! A cache of each server's top voters: clients ask often, and counting a busy server's month is
//! slow.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use compat_http::{Clock, TtlCache};
use compat_pg::PgError;
use uuid::Uuid;

use crate::model::server_figures::{Month, VoterTotal};

/// The lifetime of a cached count, in seconds.
pub(crate) const KEPT_SECONDS: u32 = 60;
const CAPACITY: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

/// The top voters by server and month.
pub(crate) type Leaderboards = TtlCache<(Uuid, Month), Arc<Vec<VoterTotal>>, PgError>;

pub(crate) fn new(clock: Clock) -> Leaderboards {
    TtlCache::new(clock, CAPACITY, |_| Duration::from_secs(KEPT_SECONDS.into()))
}
