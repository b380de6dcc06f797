//! A session has ended: its payment is settled once, so that the money counts or is refunded.

use compat_pg::{Owner, OwnerDb, PgError};
use uuid::Uuid;

use crate::model::payment::{SettledPayment, Settlement};
use crate::model::session_status::SessionStatus;
use crate::retry::retry_on_conflict;
use crate::store::payment;

/// Records the status of a session in a transaction of its own. Returns the payment, or `None` if
/// the session is open or no payment is known for it.
///
/// # Errors
/// When the database fails; nothing is recorded then.
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

/// Like [`settle`], in the caller's transaction.
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
        // Somebody has paid for a payment that is not in the database: an administrator has to look
        // at it.
        None if matches!(settlement, Settlement::Paid(_)) => {
            tracing::error!(payment = ?id, session, "session paid, but its payment is unknown");
        }
        None => tracing::info!(session, "session ignored: it belongs to no payment of this site"),
    }
    Ok(settled)
}
