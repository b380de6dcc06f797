//! Open payments are looked after, whoever hears of them or not: the provider is asked how each
//! stands, and told to end those whose time is over.

use std::time::Duration;

use compat_pg::PgError;
use futures_util::{StreamExt as _, stream};

use crate::State;
use crate::flow::settle::settle;
use crate::model::payment::Open;
use crate::provider::{Fault, Provider, SessionStatus};
use crate::store::payment;

/// Payments taken at once.
const BATCH: i32 = 50;

/// Questions on their way at once.
const AT_ONCE: usize = 8;

/// Whoever opened a payment and gave it no session for so long is gone.
const STRAY_AFTER: Duration = Duration::from_secs(5 * 60);

/// Looks at what is due; how many payments ended.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not noted is looked at later.
pub(crate) async fn sweep(state: &State) -> Result<u64, PgError> {
    let mut ended = 0;
    loop {
        let now = state.environment().clock.now();
        let mut owner = state.pools().jobs.begin().await?;
        let due = payment::take_open(&mut owner, now, BATCH).await?;
        owner.commit().await?;
        let is_last = due.len() < usize::try_from(BATCH).unwrap_or_default();
        let mut under_way = stream::iter(due)
            .map(|open| async move { look_after(state, &open).await })
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
async fn look_after(state: &State, open: &Open) -> Result<bool, PgError> {
    let db = &state.pools().jobs;
    let Some(session) = open.session_id.as_deref() else {
        return end_stray(state, open).await;
    };
    let standing = match state.provider_named(open.provider.as_deref()) {
        Some(provider) => stand(provider, session, open.is_over).await,
        // No money is in what a page of ours took in another life of this site.
        None if open.provider.as_deref() == Some("test") && open.is_over => {
            Ok(SessionStatus::Expired)
        }
        None => Err(Fault::Refused("it is not set up".to_owned())),
    };
    match standing {
        Ok(standing) => {
            let settled = settle(db, Some(session), Some(open.id), &standing).await?;
            Ok(settled.is_some_and(|settled| settled.state != "open"))
        }
        Err(fault) => {
            tracing::warn!(payment = %open.id, %fault, "an open payment is looked at later");
            Ok(false)
        }
    }
}

/// How a session stands, ended if it is over and nobody has paid.
async fn stand(
    provider: &dyn Provider,
    session: &str,
    is_over: bool,
) -> Result<SessionStatus, Fault> {
    let standing = provider.look(session).await?;
    if standing != SessionStatus::Open || !is_over {
        return Ok(standing);
    }
    provider.expire(session).await?;
    // Somebody may have paid between the two.
    provider.look(session).await
}

/// A payment nobody can pay, since whoever opened it died on the way to the provider.
async fn end_stray(state: &State, open: &Open) -> Result<bool, PgError> {
    let db = &state.pools().jobs;
    let mut owner = db.begin().await?;
    let before = state.environment().clock.now() - STRAY_AFTER;
    let is_stray = payment::is_stray(&mut owner, open.id, before).await?;
    owner.commit().await?;
    if !is_stray {
        return Ok(false);
    }
    Ok(settle(db, None, Some(open.id), &SessionStatus::Expired).await?.is_some())
}
