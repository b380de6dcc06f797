//! Records that a visitor copied a server's address.

use std::net::IpAddr;

use uuid::Uuid;

use crate::store::server_copy;
use crate::{Refusal, State};

/// Counts the copy, unless one by this visitor was counted today; returns whether it was counted.
/// Copies and visits share one rate limit, because nobody copies more often than they visit.
///
/// # Errors
/// When one address reports too many, or the database fails.
#[tracing::instrument(name = "ranking.record_copy", skip_all, fields(%server))]
pub(crate) async fn record_copy(state: &State, server: Uuid, ip: IpAddr) -> Result<bool, Refusal> {
    let now = state.environment().clock.now();
    let visitor = state.voter(ip);
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.limits().clicks.take(&visitor, now).map_err(too_often)?;
    let mut owner = state.pools().votes.begin().await?;
    let counted = server_copy::record(&mut owner, server, &visitor, now).await?;
    owner.commit().await?;
    Ok(counted)
}
