//! The states of payments, and the reports of providers.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::payment::{OpenPayment, SettledPayment, Settlement};

/// Records how a session ended; returns the payment, or `None` when none has this session or id.
pub(crate) async fn settle(
    owner: &mut Owner,
    session: Option<&str>,
    payment: Option<Uuid>,
    settlement: Settlement<'_>,
) -> Result<Option<SettledPayment>, PgError> {
    let money = settlement.money();
    let settled = sqlx::query_as(
        "select id, state from public.settle_payment($1, $2, $3, $4, $5, $6)
         where id is not null",
    )
    .bind(session)
    .bind(payment)
    .bind(settlement.code())
    .bind(money.map(|money| money.amount_cents))
    .bind(money.map(|money| &money.currency))
    .bind(money.and_then(|money| money.charge.as_ref()))
    .fetch_optional(&mut **owner)
    .await?;
    Ok(settled)
}

/// Records a provider's event; returns whether it is new.
pub(crate) async fn record_event(
    owner: &mut Owner,
    provider: &str,
    event: &str,
    kind: &str,
    session: Option<&str>,
) -> Result<bool, PgError> {
    let is_new = sqlx::query_scalar("select public.record_payment_event($1, $2, $3, $4)")
        .bind(provider)
        .bind(event)
        .bind(kind)
        .bind(session)
        .fetch_one(&mut **owner)
        .await?;
    Ok(is_new)
}

/// Claims at most `rows` open payments whose status the provider has to be asked for.
pub(crate) async fn claim_open(
    owner: &mut Owner,
    at: DateTime<Utc>,
    rows: i32,
) -> Result<Vec<OpenPayment>, PgError> {
    let open = sqlx::query_as(
        "select id, provider, session_id, is_over from public.claim_open_payments($1, $2)",
    )
    .bind(at)
    .bind(rows)
    .fetch_all(&mut **owner)
    .await?;
    Ok(open)
}

/// The payment of a session, if the session may still be paid.
pub(crate) async fn find_open(
    owner: &mut Owner,
    session: &str,
) -> Result<Option<OpenPayment>, PgError> {
    let open = sqlx::query_as(
        "select id, provider, session_id, is_over from public.open_payment_of_session($1)",
    )
    .bind(session)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(open)
}

/// Whether a payment was opened before this time and never got a session.
pub(crate) async fn is_abandoned(
    owner: &mut Owner,
    payment: Uuid,
    before: DateTime<Utc>,
) -> Result<bool, PgError> {
    let is_abandoned = sqlx::query_scalar(
        "select exists (
           select from public.payments
           where id = $1 and state = 'open' and session_id is null and created_at <= $2
         )",
    )
    .bind(payment)
    .bind(before)
    .fetch_one(&mut **owner)
    .await?;
    Ok(is_abandoned)
}

/// The state of a session's payment.
pub(crate) async fn state_of(owner: &mut Owner, session: &str) -> Result<Option<String>, PgError> {
    let state = sqlx::query_scalar("select state from public.get_payment_by_session($1)")
        .bind(session)
        .fetch_optional(&mut **owner)
        .await?;
    Ok(state)
}
