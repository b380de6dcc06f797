//! `auth.identities`.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::metadata::Metadata;

/// A new provider account.
pub struct NewRow<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub provider: &'a str,
    pub provider_id: &'a str,
    pub data: &'a Metadata,
    pub now: DateTime<Utc>,
}

pub async fn insert(conn: &mut PgConnection, row: &NewRow<'_>) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.identities (
            id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at
        )
        values ($1, $2, $3, $4, $5, $6, $6, $6)",
    )
    .bind(row.id)
    .bind(row.user_id)
    .bind(row.provider)
    .bind(row.provider_id)
    .bind(sqlx::types::Json(row.data))
    .bind(row.now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Replaces what the provider says.
pub async fn set_data(
    conn: &mut PgConnection,
    id: Uuid,
    data: &Metadata,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("update auth.identities set identity_data = $2, updated_at = $3 where id = $1")
        .bind(id)
        .bind(sqlx::types::Json(data))
        .bind(now)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn delete(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.identities where id = $1").bind(id).execute(conn).await?;
    Ok(())
}

/// All of a user's.
pub async fn delete_of_user(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.identities where user_id = $1")
        .bind(user_id)
        .execute(conn)
        .await?;
    Ok(())
}
