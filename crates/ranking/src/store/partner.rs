//! `public.partners` and the results of checks of their pages, through the only procedures that may
//! write them.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::backlink::BacklinkStatus;

/// A page that should link back.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct DueBacklink {
    #[sqlx(rename = "partner_id")]
    pub partner: Uuid,
    pub address: String,
}

/// Claims up to `rows` pages that are due, with a lease in seconds.
pub(crate) async fn claim(
    owner: &mut Owner,
    at: DateTime<Utc>,
    lease: i32,
    rows: i32,
) -> Result<Vec<DueBacklink>, PgError> {
    let due =
        sqlx::query_as("select partner_id, address from public.claim_backlink_checks($1, $2, $3)")
            .bind(at)
            .bind(lease)
            .bind(rows)
            .fetch_all(&mut **owner)
            .await?;
    Ok(due)
}

/// Stores the result of a check, unless the partner has another page by now.
pub(crate) async fn set(
    owner: &mut Owner,
    due: &DueBacklink,
    at: DateTime<Utc>,
    status: BacklinkStatus,
) -> Result<bool, PgError> {
    let is_set = sqlx::query_scalar("select public.set_backlink($1, $2, $3, $4, $5)")
        .bind(due.partner)
        .bind(&due.address)
        .bind(at)
        .bind(status.is_linked())
        .bind(status.fault())
        .fetch_one(&mut **owner)
        .await?;
    Ok(is_set)
}
