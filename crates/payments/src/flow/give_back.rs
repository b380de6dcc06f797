//! Money that is to go back is given back by the provider that took it.

use compat_pg::PgError;
use futures_util::{StreamExt as _, stream};

use crate::State;
use crate::again::again;
use crate::provider::{Fault, Refund};
use crate::store::refund::{self, Due};

/// Refunds taken at once.
const BATCH: i32 = 20;

/// Questions on their way at once.
const AT_ONCE: usize = 4;

/// Gives back what is due; how many payments.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not noted is asked for again, which the
/// provider knows.
pub(crate) async fn give_back(state: &State) -> Result<u64, PgError> {
    let mut given = 0;
    loop {
        let now = state.environment().clock.now();
        let due = again(|| async move {
            let mut owner = state.pools().jobs.begin().await?;
            let due = refund::take(&mut owner, now, BATCH).await?;
            owner.commit().await?;
            Ok(due)
        })
        .await?;
        let is_last = due.len() < usize::try_from(BATCH).unwrap_or_default();
        let mut under_way = stream::iter(due)
            .map(|due| async move { attempt(state, &due).await })
            .buffer_unordered(AT_ONCE);
        while let Some(outcome) = under_way.next().await {
            given += u64::from(outcome?);
        }
        if is_last {
            return Ok(given);
        }
    }
}

/// Whether it was given.
async fn attempt(state: &State, due: &Due) -> Result<bool, PgError> {
    let asked = Refund {
        payment: due.id,
        session: due.session_id.clone(),
        charge: due.charge_id.clone(),
        cents: due.cents,
        is_repeated: due.attempts > 1,
    };
    let outcome = match state.provider_named(due.provider.as_deref()) {
        Some(provider) => provider.refund(&asked).await,
        None => Err(Fault::Refused("the provider is not set up".to_owned())),
    };
    if let Err(fault) = &outcome {
        tracing::warn!(payment = %due.id, attempts = due.attempts, %fault, "not given back yet");
    }
    let problem = outcome.as_ref().err().map(ToString::to_string);
    let problem = problem.as_deref();
    again(|| async move {
        let mut owner = state.pools().jobs.begin().await?;
        let is_given = match problem {
            Some(problem) => {
                refund::note_problem(&mut owner, due.id, problem).await?;
                false
            }
            None => refund::note(&mut owner, due.id).await?,
        };
        owner.commit().await?;
        Ok(is_given)
    })
    .await
}
