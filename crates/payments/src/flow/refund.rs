//! Makes the refunds that are due, by the provider that took the money.

use compat_pg::PgError;
use futures_util::{StreamExt as _, stream};

use crate::State;
use crate::provider::{ProviderError, RefundRequest};
use crate::retry::retry_on_conflict;
use crate::store::refund::{self, DueRefund};

/// How many refunds are claimed in one statement.
const BATCH: i32 = 20;

/// How many requests to the provider run concurrently.
const AT_ONCE: usize = 4;

/// Makes all refunds that are due; returns how many.
///
/// # Errors
/// When the database fails. A refund that was not recorded is requested again; the provider
/// recognizes the repeated request.
pub(crate) async fn refund_due(state: &State) -> Result<u64, PgError> {
    let mut refunded = 0;
    loop {
        let now = state.environment().clock.now();
        let due = retry_on_conflict(|| async move {
            let mut owner = state.pools().jobs.begin().await?;
            let due = refund::claim(&mut owner, now, BATCH).await?;
            owner.commit().await?;
            Ok(due)
        })
        .await?;
        let is_last = due.len() < usize::try_from(BATCH).unwrap_or_default();
        let mut under_way = stream::iter(due)
            .map(|due| async move { attempt(state, &due).await })
            .buffer_unordered(AT_ONCE);
        while let Some(outcome) = under_way.next().await {
            refunded += u64::from(outcome?);
        }
        if is_last {
            return Ok(refunded);
        }
    }
}

/// Attempts a refund; returns whether it was made and not recorded before.
async fn attempt(state: &State, due: &DueRefund) -> Result<bool, PgError> {
    let request = RefundRequest {
        payment: due.id,
        session: due.session_id.clone(),
        charge: due.charge_id.clone(),
        cents: due.cents,
        is_repeated: due.attempts > 1,
    };
    let outcome = match state.provider_named(due.provider.as_deref()) {
        Some(provider) => provider.refund(&request).await,
        None => Err(ProviderError::Refused("the provider is not set up".to_owned())),
    };
    if let Err(error) = &outcome {
        tracing::warn!(payment = %due.id, attempts = due.attempts, %error, "refund failed: will retry");
    }
    let problem = outcome.as_ref().err().map(ToString::to_string);
    let problem = problem.as_deref();
    // A conflict repeats only this transaction, not the request to the provider.
    retry_on_conflict(|| async move {
        let mut owner = state.pools().jobs.begin().await?;
        let is_refunded = match problem {
            Some(problem) => {
                // `claim_refunds` has already set the time of the next attempt.
                refund::record_problem(&mut owner, due.id, problem).await?;
                false
            }
            None => refund::record(&mut owner, due.id).await?,
        };
        owner.commit().await?;
        Ok(is_refunded)
    })
    .await
}
