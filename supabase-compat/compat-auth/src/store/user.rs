//! `auth.users`: finding and changing accounts. Each change names its columns, so that triggers on
//! columns see what changed.

pub mod admin;
pub mod contact;
pub mod credentials;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;
use crate::model::User;
use crate::model::metadata::Metadata;

/// A new account as it is first written, before anything confirms it.
pub struct NewRow<'a> {
    pub id: Uuid,
    pub aud: &'a str,
    pub email: Option<&'a str>,
    pub phone: Option<&'a str>,
    pub encrypted_password: Option<&'a str>,
    pub app_metadata: &'a Metadata,
    pub user_metadata: &'a Metadata,
    pub is_anonymous: bool,
    pub now: DateTime<Utc>,
}

/// Writes a new account; triggers on the table run here, inside the caller's transaction.
pub async fn insert(conn: &mut PgConnection, row: &NewRow<'_>) -> sqlx::Result<()> {
    // The original cannot read null in the last four columns (supabase/auth#1940).
    done(
        sqlx::query(
            "insert into auth.users (
                instance_id, id, aud, email, phone, encrypted_password,
                raw_app_meta_data, raw_user_meta_data, is_anonymous, created_at, updated_at,
                confirmation_token, recovery_token, email_change_token_new, email_change
            )
            values (
                '00000000-0000-0000-0000-000000000000', $1, $2, $3, $4, $5,
                $6, $7, $8, $9, $9,
                '', '', '', ''
            )",
        )
        .bind(row.id)
        .bind(row.aud)
        .bind(row.email)
        .bind(row.phone)
        .bind(row.encrypted_password)
        .bind(sqlx::types::Json(row.app_metadata))
        .bind(sqlx::types::Json(row.user_metadata))
        .bind(row.is_anonymous)
        .bind(row.now),
        conn,
    )
    .await
}

/// The account with its identities and factors.
pub async fn load(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<User>> {
    sqlx::query_as::<_, User>(
        "select
            users.*,
            (
                select coalesce(jsonb_agg(to_jsonb(identities) order by identities.created_at, identities.id), '[]')
                from auth.identities
                where identities.user_id = users.id
            ) as identities,
            (
                select coalesce(jsonb_agg(to_jsonb(mfa_factors) - 'secret' order by mfa_factors.created_at, mfa_factors.id), '[]')
                from auth.mfa_factors
                where mfa_factors.user_id = users.id
            ) as factors
        from auth.users
        where users.id = $1",
    )
    .bind(id)
    .fetch_optional(conn)
    .await
}

/// Locks the account: every other flow on it waits until the transaction ends.
pub async fn lock(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    done(sqlx::query("select 1 from auth.users where users.id = $1 for update").bind(id), conn)
        .await
}

/// Replaces the user's own metadata.
pub async fn set_user_metadata(
    conn: &mut PgConnection,
    id: Uuid,
    metadata: &Metadata,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set raw_user_meta_data = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(sqlx::types::Json(metadata))
            .bind(now),
        conn,
    )
    .await
}

/// Like [`set_user_metadata`]; returns the updated account.
pub async fn replace_user_metadata(
    conn: &mut PgConnection,
    id: Uuid,
    metadata: &Metadata,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<User>> {
    // The account was created a moment ago and has no factors yet.
    sqlx::query_as::<_, User>(
        "update auth.users
        set raw_user_meta_data = $2, updated_at = $3
        where users.id = $1
        returning
            users.*,
            (
                select coalesce(jsonb_agg(to_jsonb(identities) order by identities.created_at, identities.id), '[]')
                from auth.identities
                where identities.user_id = users.id
            ) as identities,
            '[]'::jsonb as factors",
    )
    .bind(id)
    .bind(sqlx::types::Json(metadata))
    .bind(now)
    .fetch_optional(conn)
    .await
}

/// Replaces the installation's metadata of the user.
pub async fn set_app_metadata(
    conn: &mut PgConnection,
    id: Uuid,
    metadata: &Metadata,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set raw_app_meta_data = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(sqlx::types::Json(metadata))
            .bind(now),
        conn,
    )
    .await
}

/// Records a sign-in and returns the updated account.
pub async fn sign_in(
    conn: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<User>> {
    // An account is loaded without its factors' secrets; `store::factor` reads them for a check.
    sqlx::query_as::<_, User>(
        "update auth.users
        set last_sign_in_at = $2, updated_at = $2
        where users.id = $1
        returning
            users.*,
            (
                select coalesce(jsonb_agg(to_jsonb(identities) order by identities.created_at, identities.id), '[]')
                from auth.identities
                where identities.user_id = users.id
            ) as identities,
            (
                select coalesce(jsonb_agg(to_jsonb(mfa_factors) - 'secret' order by mfa_factors.created_at, mfa_factors.id), '[]')
                from auth.mfa_factors
                where mfa_factors.user_id = users.id
            ) as factors",
    )
    .bind(id)
    .bind(now)
    .fetch_optional(conn)
    .await
}
