//! `public.picture_copies`: pictures that rows name by outside URLs, through the only procedures
//! that may access them.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

use crate::model::picture_copy::CopyError;

/// A column that names a picture by an outside URL.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct DueCopy {
    pub holder: String,
    pub holder_key: String,
    pub field: String,
    pub address: String,
    /// The folder for the copy.
    pub folder: String,
}

/// Claims up to `rows` pictures that are due, with a lease in seconds.
pub(crate) async fn claim(
    owner: &mut Owner,
    at: DateTime<Utc>,
    lease: i32,
    rows: i32,
) -> Result<Vec<DueCopy>, PgError> {
    let due = sqlx::query_as(
        "select holder, holder_key, field, address, folder
        from public.claim_picture_copies($1, $2, $3)",
    )
    .bind(at)
    .bind(lease)
    .bind(rows)
    .fetch_all(&mut **owner)
    .await?;
    Ok(due)
}

/// Replaces the URL by the path of the copy, or stores why the copy failed.
pub(crate) async fn settle(
    owner: &mut Owner,
    due: &DueCopy,
    copied: &Result<String, CopyError>,
    at: DateTime<Utc>,
) -> Result<(), PgError> {
    sqlx::query("select public.settle_picture_copy($1, $2, $3, $4, $5, $6, $7)")
        .bind(&due.holder)
        .bind(&due.holder_key)
        .bind(&due.field)
        .bind(&due.address)
        .bind(copied.as_deref().ok())
        .bind(copied.as_ref().err().map(|fault| fault.code()))
        .bind(at)
        .execute(&mut **owner)
        .await?;
    Ok(())
}

/// Whether a caller with these claims may add pictures.
pub(crate) async fn may_add(owner: &mut Owner, claims: &str) -> Result<bool, PgError> {
    let may = sqlx::query_scalar("select public.may_add_pictures($1)")
        .bind(claims)
        .fetch_one(&mut **owner)
        .await?;
    Ok(may)
}
