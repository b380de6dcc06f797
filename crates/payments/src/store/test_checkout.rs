//! Sessions of the checkout page that takes no money.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::test_checkout::TestCheckout;

/// The values of a new session.
pub(crate) struct NewTestCheckout<'a> {
    pub session: &'a str,
    pub payment: Uuid,
    pub amount_cents: i32,
    pub currency: &'a str,
    pub description: &'a str,
    pub language: &'a str,
    pub success_url: &'a str,
    pub cancel_url: &'a str,
    pub at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
}

/// Opens a session, or finds the payment's session; returns its id.
pub(crate) async fn open(owner: &mut Owner, new: &NewTestCheckout<'_>) -> Result<String, PgError> {
    let session = sqlx::query_scalar(
        "insert into public.test_checkouts
           (session_id, payment_id, amount_cents, currency, description, language, success_url,
            cancel_url, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (payment_id) do update set language = excluded.language
         returning session_id",
    )
    .bind(new.session)
    .bind(new.payment)
    .bind(new.amount_cents)
    .bind(new.currency)
    .bind(new.description)
    .bind(new.language)
    .bind(new.success_url)
    .bind(new.cancel_url)
    .bind(new.at)
    .bind(new.ends_at)
    .fetch_one(&mut **owner)
    .await?;
    Ok(session)
}

/// Reads a session and locks its row until the transaction ends.
pub(crate) async fn read(
    owner: &mut Owner,
    session: &str,
) -> Result<Option<TestCheckout>, PgError> {
    let checkout = sqlx::query_as(
        "select session_id, payment_id, amount_cents, currency, description, language, success_url,
           cancel_url, status, arrives_at, expires_at
         from public.test_checkouts where session_id = $1 for update",
    )
    .bind(session)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(checkout)
}

/// Stores the status of a session.
pub(crate) async fn set(
    owner: &mut Owner,
    session: &str,
    status: &str,
    arrives_at: Option<DateTime<Utc>>,
) -> Result<(), PgError> {
    sqlx::query(
        "update public.test_checkouts set status = $2, arrives_at = $3 where session_id = $1",
    )
    .bind(session)
    .bind(status)
    .bind(arrives_at)
    .execute(&mut **owner)
    .await?;
    Ok(())
}

/// Records a refund of a payment, which may be repeated; returns false if there is no money to
/// refund.
pub(crate) async fn refund(owner: &mut Owner, payment: Uuid, cents: i32) -> Result<bool, PgError> {
    let done = sqlx::query(
        "update public.test_checkouts set refunded_cents = $2
         where payment_id = $1 and status = 'paid' and refunded_cents in (0, $2)",
    )
    .bind(payment)
    .bind(cents)
    .execute(&mut **owner)
    .await?;
    Ok(done.rows_affected() == 1)
}
