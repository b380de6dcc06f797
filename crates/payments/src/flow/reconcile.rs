//! Open payments are looked after, whoever hears of them or not: the provider is asked how each
//! stands, and told to end those whose time is over.

use std::time::Duration;

use compat_pg::PgError;
use futures_util::{StreamExt as _, stream};

use crate::State;
use crate::flow::settle::settle;
use crate::model::payment::OpenPayment;
use crate::model::session_status::SessionStatus;
use crate::provider::{Provider, ProviderError};
use crate::store::payment;

/// Payments taken at once.
const BATCH: i32 = 50;

/// Questions on their way at once.
const AT_ONCE: usize = 8;

/// Whoever opened a payment and gave it no session for so long is gone.
const ABANDONED_AFTER: Duration = Duration::from_secs(5 * 60);

/// Looks at what is due; how many payments ended.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not noted is looked at later.
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

/// Whether it has ended.
async fn reconcile_payment(state: &State, open: &OpenPayment) -> Result<bool, PgError> {
    let db = &state.pools().jobs;
    let Some(session) = open.session_id.as_deref() else {
        return expire_abandoned(state, open).await;
    };
    let status = match state.provider_named(open.provider.as_deref()) {
        Some(provider) => final_status(provider, session, open.is_over).await,
        // No money is in what a page of ours took in another life of this site.
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
            tracing::warn!(payment = %open.id, %error, "payment not reconciled; tried again later");
            Ok(false)
        }
    }
}

/// How a session stands, ended if it is over and nobody has paid.
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
    // Somebody may have paid between the two.
    provider.status(session).await
}

/// A payment nobody can pay, since whoever opened it died on the way to the provider.
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
