//! Refunds and disputes.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

/// A refund that is due.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct DueRefund {
    pub id: Uuid,
    pub provider: Option<String>,
    pub session_id: Option<String>,
    pub charge_id: Option<String>,
    pub cents: i32,
    /// How often the refund was claimed, this time included.
    pub attempts: i32,
}

/// Claims at most `rows` refunds that are due. They are due again later unless they are recorded as
/// made.
pub(crate) async fn claim(
    owner: &mut Owner,
    at: DateTime<Utc>,
    rows: i32,
) -> Result<Vec<DueRefund>, PgError> {
    let due = sqlx::query_as(
        "select id, provider, session_id, charge_id, cents, attempts
         from public.claim_refunds($1, $2)",
    )
    .bind(at)
    .bind(rows)
    .fetch_all(&mut **owner)
    .await?;
    Ok(due)
}

/// Records that a refund was made; returns false if it was recorded before.
pub(crate) async fn record(owner: &mut Owner, payment: Uuid) -> Result<bool, PgError> {
    let is_first = sqlx::query_scalar("select public.record_refund($1)")
        .bind(payment)
        .fetch_one(&mut **owner)
        .await?;
    Ok(is_first)
}

/// Records why a refund was not made.
pub(crate) async fn record_problem(
    owner: &mut Owner,
    payment: Uuid,
    problem: &str,
) -> Result<(), PgError> {
    sqlx::query("select public.record_refund_problem($1, $2)")
        .bind(payment)
        .bind(problem)
        .execute(&mut **owner)
        .await?;
    Ok(())
}

/// Records the total that the provider has refunded of a charge; returns whether it was new.
pub(crate) async fn record_total(
    owner: &mut Owner,
    charge: &str,
    total_cents: i32,
) -> Result<bool, PgError> {
    let is_news = sqlx::query_scalar("select public.record_provider_refund($1, $2)")
        .bind(charge)
        .bind(total_cents)
        .fetch_one(&mut **owner)
        .await?;
    Ok(is_news)
}

/// Records that a refund of this amount failed at the bank; returns whether it was new.
pub(crate) async fn record_failure(
    owner: &mut Owner,
    charge: &str,
    cents: i32,
    problem: &str,
) -> Result<bool, PgError> {
    let is_news = sqlx::query_scalar("select public.record_failed_refund($1, $2, $3)")
        .bind(charge)
        .bind(cents)
        .bind(problem)
        .fetch_one(&mut **owner)
        .await?;
    Ok(is_news)
}

/// Records that the payer's bank disputes a charge; returns whether it was new.
pub(crate) async fn record_dispute(owner: &mut Owner, charge: &str) -> Result<bool, PgError> {
    let is_news = sqlx::query_scalar("select public.record_dispute($1)")
        .bind(charge)
        .fetch_one(&mut **owner)
        .await?;
    Ok(is_news)
}

/// Whether a payment of this site has not been recorded as paid yet.
pub(crate) async fn is_unpaid(owner: &mut Owner, payment: Uuid) -> Result<bool, PgError> {
    let is_unpaid = sqlx::query_scalar(
        "select exists (select from public.payments where id = $1 and paid_at is null)",
    )
    .bind(payment)
    .fetch_one(&mut **owner)
    .await?;
    Ok(is_unpaid)
}
