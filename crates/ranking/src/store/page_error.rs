//! `public.page_errors`, through the only procedure that may write it.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

use crate::model::page_error::PageError;

/// The most distinct errors that are stored. A release that breaks every page has fewer.
const ROWS: i32 = 5_000;

/// Counts one report of an error; returns whether it was stored.
pub(crate) async fn record(
    owner: &mut Owner,
    error: &PageError,
    at: DateTime<Utc>,
) -> Result<bool, PgError> {
    let stored = sqlx::query_scalar("select public.record_page_error($1, $2, $3, $4, $5, $6, $7)")
        .bind(error.release())
        .bind(error.page())
        .bind(error.name())
        .bind(error.stack_hash())
        .bind(error.frames())
        .bind(ROWS)
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(stored)
}
