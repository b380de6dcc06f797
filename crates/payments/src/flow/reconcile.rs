//! Reconciles open payments: asks the provider for the status of each, and ends the sessions of
//! those that have expired. This works without any webhook event.

use std::time::Duration;

use compat_pg::PgError;
use futures_util::{StreamExt as _, stream};

use crate::State;
use crate::flow::settle::settle;
use crate::model::payment::OpenPayment;
use crate::model::session_status::SessionStatus;
use crate::provider::{Provider, ProviderError};
use crate::store::payment;

/// How many payments are claimed in one statement.
const BATCH: i32 = 50;

/// How many requests to the provider run concurrently.
const AT_ONCE: usize = 8;

/// After this time, a payment without a session is abandoned: the process that opened it has died.
const ABANDONED_AFTER: Duration = Duration::from_secs(5 * 60);

/// Reconciles all payments that are due; returns how many ended.
///
/// # Errors
/// When the database fails. What was not recorded is reconciled later.
pub(crate) async fn reconcile(state: &State) -> Result<u64, PgError> {
    let mut ended = 0;
    loop {
        let now = state.environment().clock.now();
        let mut owner = state.pools().jobs.begin().await?;
        let due = payment::claim_open(&mut owner, now, BATCH).await?;
        owner.commit().await?;
        let is_last = due.len() < usize::try_from(BATCH).unwrap_or_default();
        let mut under_way = stream::iter(due)
            .map(|open| async move { reconcile_payment(state, &open).await })
            .buffer_unordered(AT_ONCE);
        while let Some(outcome) = under_way.next().await {
            ended += u64::from(outcome?);
        }
        if is_last {
            return Ok(ended);
        }
    }
}

/// Reconciles a payment; returns whether it has ended.
async fn reconcile_payment(state: &State, open: &OpenPayment) -> Result<bool, PgError> {
    let db = &state.pools().jobs;
    let Some(session) = open.session_id.as_deref() else {
        return expire_abandoned(state, open).await;
    };
    let status = match state.provider_named(open.provider.as_deref()) {
        Some(provider) => final_status(provider, session, open.is_over).await,
        // The site has another provider now. The test page takes no money, so its old sessions can
        // expire.
        None if open.provider.as_deref() == Some("test") && open.is_over => {
            Ok(SessionStatus::Expired)
        }
        None => Err(ProviderError::Refused("not set up".to_owned())),
    };
    match status {
        Ok(status) => {
            let settled = settle(db, Some(session), Some(open.id), &status).await?;
            Ok(settled.is_some_and(|settled| settled.state != "open"))
        }
        Err(error) => {
            tracing::warn!(payment = %open.id, %error, "payment not reconciled: will retry");
            Ok(false)
        }
    }
}

/// The status of a session, which is first ended if it has expired unpaid.
async fn final_status(
    provider: &dyn Provider,
    session: &str,
    is_over: bool,
) -> Result<SessionStatus, ProviderError> {
    let status = provider.status(session).await?;
    if status != SessionStatus::Open || !is_over {
        return Ok(status);
    }
    provider.expire(session).await?;
    // The payer may have paid between the two calls.
    provider.status(session).await
}

/// Ends a payment that cannot be paid, since the process died before the provider opened its
/// session.
async fn expire_abandoned(state: &State, open: &OpenPayment) -> Result<bool, PgError> {
    let db = &state.pools().jobs;
    let mut owner = db.begin().await?;
    let before = state.environment().clock.now() - ABANDONED_AFTER;
    let is_abandoned = payment::is_abandoned(&mut owner, open.id, before).await?;
    owner.commit().await?;
    if !is_abandoned {
        return Ok(false);
    }
    Ok(settle(db, None, Some(open.id), &SessionStatus::Expired).await?.is_some())
}
