//! Records that a visitor opened a server's page.

use std::net::IpAddr;

use uuid::Uuid;

use crate::store::server_click;
use crate::{Refusal, State};

/// Counts the visit, unless one by this visitor was counted today; returns whether it was counted.
///
/// # Errors
/// When one address reports too many, or the database fails.
#[tracing::instrument(name = "ranking.record_click", skip_all, fields(%server))]
pub(crate) async fn record_click(state: &State, server: Uuid, ip: IpAddr) -> Result<bool, Refusal> {
    let now = state.environment().clock.now();
    let visitor = state.voter(ip);
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.limits().clicks.take(&visitor, now).map_err(too_often)?;
    let mut owner = state.pools().votes.begin().await?;
    let counted = server_click::record(&mut owner, server, &visitor, now).await?;
    owner.commit().await?;
    Ok(counted)
}
