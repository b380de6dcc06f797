//! `public.server_copies`, through the only procedure that may access it.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::voter::IpHash;

/// Counts a copy of a public server's address, once per day and visitor; returns whether it was
/// counted.
pub(crate) async fn record(
    owner: &mut Owner,
    server: Uuid,
    visitor: &IpHash,
    at: DateTime<Utc>,
) -> Result<bool, PgError> {
    let counted = sqlx::query_scalar("select public.record_server_copy($1, $2, $3)")
        .bind(server)
        .bind(visitor.as_str())
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(counted)
}
