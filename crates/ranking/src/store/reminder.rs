//! `public.push_subscriptions` and `public.vote_reminders`, through the only procedures that may
//! access them.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use sqlx::postgres::types::PgInterval;
use uuid::Uuid;

use crate::model::reminder::Browser;
use crate::model::voter::IpHash;

/// Stores a reminder for the caller's last vote for a server; returns when it is due, `None`
/// without a vote in its cooldown.
pub(crate) async fn ask(
    owner: &mut Owner,
    browser: &Browser,
    server: Uuid,
    voter: &IpHash,
    at: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, PgError> {
    let due =
        sqlx::query_scalar("select public.request_vote_reminder($1, $2, $3, $4, $5, $6, $7, $8)")
            .bind(&browser.endpoint)
            .bind(&browser.p256dh)
            .bind(&browser.auth)
            .bind(browser.language.code())
            .bind(browser.account)
            .bind(server)
            .bind(voter.as_str())
            .bind(at)
            .fetch_one(&mut **owner)
            .await?;
    Ok(due)
}

/// Deletes a browser's subscription, or only its reminder for one server; returns how many
/// reminders were deleted.
pub(crate) async fn cancel(
    owner: &mut Owner,
    endpoint: &str,
    server: Option<Uuid>,
) -> Result<i32, PgError> {
    let cancelled = sqlx::query_scalar("select public.cancel_reminders($1, $2)")
        .bind(endpoint)
        .bind(server)
        .fetch_one(&mut **owner)
        .await?;
    Ok(cancelled)
}

/// A reminder that is due.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct DueReminder {
    pub subscription_id: Uuid,
    pub server_id: Uuid,
    pub endpoint: String,
    pub p256dh: Vec<u8>,
    pub auth: Vec<u8>,
    pub language: String,
    pub server_name: String,
    pub server_slug: String,
    /// The number of attempts, including this one.
    pub attempts: i32,
}

/// Claims reminders that are due. No other process gets them until their lease ends; each attempt
/// doubles the lease.
pub(crate) async fn claim(
    owner: &mut Owner,
    at: DateTime<Utc>,
    lease: Duration,
    rows: i32,
) -> Result<Vec<DueReminder>, PgError> {
    let microseconds = i64::try_from(lease.as_micros()).unwrap_or(i64::MAX);
    let due = sqlx::query_as("select * from public.claim_due_reminders($1, $2, $3)")
        .bind(at)
        .bind(PgInterval { months: 0, days: 0, microseconds })
        .bind(rows)
        .fetch_all(&mut **owner)
        .await?;
    Ok(due)
}

/// Deletes reminders that were sent or abandoned.
pub(crate) async fn remove(
    owner: &mut Owner,
    subscription: Uuid,
    servers: &[Uuid],
) -> Result<(), PgError> {
    sqlx::query("select public.remove_reminders($1, $2)")
        .bind(subscription)
        .bind(servers)
        .execute(&mut **owner)
        .await?;
    Ok(())
}

/// Deletes the subscription of a browser that no longer exists.
pub(crate) async fn drop_subscription(
    owner: &mut Owner,
    subscription: Uuid,
) -> Result<(), PgError> {
    sqlx::query("select public.drop_subscription($1)")
        .bind(subscription)
        .execute(&mut **owner)
        .await?;
    Ok(())
}
