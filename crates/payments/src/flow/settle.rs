//! A session has ended: what was paid counts, once, or goes back.

use compat_pg::{Owner, OwnerDb, PgError};
use uuid::Uuid;

use crate::again::again;
use crate::model::payment::{Settled, Verdict};
use crate::provider::Standing;
use crate::store::payment;

/// Notes how a session stands, in a transaction of its own; the payment then, `None` where nothing
/// has ended or none is known.
///
/// # Errors
/// The database's; nothing is noted then.
pub(crate) async fn settle(
    db: &OwnerDb,
    session: Option<&str>,
    id: Option<Uuid>,
    standing: &Standing,
) -> Result<Option<Settled>, PgError> {
    again(|| async move {
        let mut owner = db.begin().await?;
        let settled = settle_in(&mut owner, session, id, standing).await?;
        owner.commit().await?;
        Ok(settled)
    })
    .await
}

/// The same inside a transaction.
///
/// # Errors
/// The database's.
pub(crate) async fn settle_in(
    owner: &mut Owner,
    session: Option<&str>,
    id: Option<Uuid>,
    standing: &Standing,
) -> Result<Option<Settled>, PgError> {
    let Some(verdict) = verdict(standing) else { return Ok(None) };
    let settled = payment::settle(owner, session, id, &verdict).await?;
    match &settled {
        Some(Settled { id, state }) => {
            tracing::info!(payment = %id, outcome = verdict.outcome, state, "settled");
        }
        // Money for something we never sold is for people to look at.
        None if verdict.outcome == "paid" => {
            tracing::error!(payment = ?id, session, "paid, and no payment of ours has the session");
        }
        None => tracing::info!(session, "no payment of ours has this session"),
    }
    Ok(settled)
}

fn verdict(standing: &Standing) -> Option<Verdict> {
    match standing {
        Standing::Open => None,
        Standing::Failed => Some(Verdict { outcome: "failed", ..Verdict::default() }),
        Standing::Expired => Some(Verdict { outcome: "expired", ..Verdict::default() }),
        Standing::Paid(money) => Some(Verdict {
            outcome: "paid",
            amount_cents: Some(money.amount_cents),
            currency: Some(money.currency.clone()),
            charge: money.charge.clone(),
        }),
    }
}
