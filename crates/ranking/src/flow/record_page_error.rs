//! Records an error that a page's scripts reported.

use std::net::IpAddr;

use crate::model::page_error::PageError;
use crate::store::page_error;
use crate::{Refusal, State};

/// Counts the report; returns whether it was stored.
///
/// # Errors
/// When one address reports too many, or the database fails.
#[tracing::instrument(name = "ranking.record_page_error", skip_all, fields(page = error.page()))]
pub(crate) async fn record_page_error(
    state: &State,
    error: PageError,
    ip: IpAddr,
) -> Result<bool, Refusal> {
    let now = state.environment().clock.now();
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.limits().page_errors.take(&state.voter(ip), now).map_err(too_often)?;
    let mut owner = state.pools().jobs.begin().await?;
    let stored = page_error::record(&mut owner, &error, now).await?;
    owner.commit().await?;
    Ok(stored)
}
