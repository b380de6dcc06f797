//! `auth.identities`.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;
use crate::model::metadata::Metadata;

/// A new identity.
pub struct NewRow<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub provider: &'a str,
    pub provider_id: &'a str,
    pub data: &'a Metadata,
    pub now: DateTime<Utc>,
}

pub async fn insert(conn: &mut PgConnection, row: &NewRow<'_>) -> sqlx::Result<()> {
    done(
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
        .bind(row.now),
        conn,
    )
    .await
}

/// Replaces the provider's data.
pub async fn set_data(
    conn: &mut PgConnection,
    id: Uuid,
    data: &Metadata,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.identities set identity_data = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(sqlx::types::Json(data))
            .bind(now),
        conn,
    )
    .await
}

pub async fn delete(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    done(sqlx::query("delete from auth.identities where id = $1").bind(id), conn).await
}

/// Deletes all identities of a user.
pub async fn delete_of_user(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.identities where user_id = $1")
        .bind(user_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// The identity of a provider's account, and the user that it belongs to.
pub async fn find(
    conn: &mut PgConnection,
    provider: &str,
    provider_id: &str,
) -> sqlx::Result<Option<(Uuid, Uuid)>> {
    sqlx::query_as(
        "select
            id,
            user_id
        from auth.identities
        where provider = $1
            and provider_id = $2",
    )
    .bind(provider)
    .bind(provider_id)
    .fetch_optional(conn)
    .await
}

/// Records a sign-in with the provider's current data.
pub async fn touch(
    conn: &mut PgConnection,
    id: Uuid,
    data: &Metadata,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.identities
            set identity_data = $2, last_sign_in_at = $3, updated_at = $3
            where id = $1",
        )
        .bind(id)
        .bind(sqlx::types::Json(data))
        .bind(now),
        conn,
    )
    .await
}

/// The accounts with this address, on the account or on an identity; enterprise accounts are left
/// out.
pub async fn users_of_email(conn: &mut PgConnection, email: &str) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select users.id
        from auth.users
        where users.is_sso_user = false
            and (
                users.email = $1
                or users.id in (select identities.user_id from auth.identities where identities.email = $1)
            )
        order by users.created_at
        limit 2",
    )
    .bind(email)
    .fetch_all(conn)
    .await
}

/// Deletes all identities of a user except one.
pub async fn delete_others(
    conn: &mut PgConnection,
    user_id: Uuid,
    identity_id: Uuid,
) -> sqlx::Result<()> {
    done(
        sqlx::query("delete from auth.identities where user_id = $1 and id <> $2")
            .bind(user_id)
            .bind(identity_id),
        conn,
    )
    .await
}
