//! A session has ended: what was paid counts, once, or goes back.

use compat_pg::{Owner, OwnerDb, PgError};
use uuid::Uuid;

use crate::model::payment::{SettledPayment, Settlement};
use crate::model::session_status::SessionStatus;
use crate::retry::retry_on_conflict;
use crate::store::payment;

/// Notes the status of a session, in a transaction of its own; the payment then, `None` where nothing
/// has ended or none is known.
///
/// # Errors
/// The database's; nothing is noted then.
pub(crate) async fn settle(
    db: &OwnerDb,
    session: Option<&str>,
    id: Option<Uuid>,
    status: &SessionStatus,
) -> Result<Option<SettledPayment>, PgError> {
    retry_on_conflict(|| async move {
        let mut owner = db.begin().await?;
        let settled = settle_in(&mut owner, session, id, status).await?;
        owner.commit().await?;
        Ok(settled)
    })
    .await
}

/// The same inside a transaction.
pub(crate) async fn settle_in(
    owner: &mut Owner,
    session: Option<&str>,
    id: Option<Uuid>,
    status: &SessionStatus,
) -> Result<Option<SettledPayment>, PgError> {
    let Some(settlement) = status.settlement() else { return Ok(None) };
    let settled = payment::settle(owner, session, id, settlement).await?;
    match &settled {
        Some(SettledPayment { id, state }) => {
            tracing::info!(payment = %id, outcome = settlement.code(), state, "payment settled");
        }
        // Money for something we never sold is for people to look at.
        None if matches!(settlement, Settlement::Paid(_)) => {
            tracing::error!(payment = ?id, session, "session paid, but unknown here");
        }
        None => tracing::info!(session, "session ignored: not of a payment of ours"),
    }
    Ok(settled)
}
