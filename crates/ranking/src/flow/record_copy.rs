//! A visitor copies a server's address.

use std::net::IpAddr;

use uuid::Uuid;

use crate::store::server_copy;
use crate::{Refusal, State};

/// Counts the copy, unless this visitor's was counted today; whether it was. An address has one
/// allowance for this and for visits: nobody copies more often than they look.
///
/// # Errors
/// When one address tells of too many, or the database cannot be asked.
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
