//! `auth.webauthn_credentials`, and the ceremonies in progress in `auth.webauthn_challenges`.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;
use crate::model::Passkey;
use crate::model::webauthn::StoredCredential;

/// The user's passkeys, oldest first.
pub async fn list(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<Vec<Passkey>> {
    sqlx::query_as(
        "select
            id,
            friendly_name,
            created_at,
            last_used_at
        from auth.webauthn_credentials
        where user_id = $1
        order by created_at, id",
    )
    .bind(user_id)
    .fetch_all(conn)
    .await
}

pub async fn credential_ids(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<Vec<Vec<u8>>> {
    sqlx::query_scalar("select credential_id from auth.webauthn_credentials where user_id = $1")
        .bind(user_id)
        .fetch_all(conn)
        .await
}

pub async fn insert(
    conn: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    credential: &StoredCredential,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.webauthn_credentials (
                id, user_id, credential_id, public_key, attestation_type, aaguid, sign_count,
                transports, backup_eligible, backed_up, created_at, updated_at
            )
            values ($1, $2, $3, $4, 'none', $5, $6, $7, $8, $9, $10, $10)",
        )
        .bind(id)
        .bind(user_id)
        .bind(&credential.id)
        .bind(&credential.public_key)
        .bind(credential.aaguid)
        .bind(i64::from(credential.sign_count))
        .bind(json!(credential.transports))
        .bind(credential.backup_eligible)
        .bind(credential.backed_up)
        .bind(now),
        conn,
    )
    .await
}

/// The credential of a sign-in, locked.
#[derive(sqlx_macros::FromRow)]
pub struct PresentedCredential {
    pub id: Uuid,
    pub user_id: Uuid,
    credential_id: Vec<u8>,
    public_key: Vec<u8>,
    sign_count: i64,
    backup_eligible: bool,
    backed_up: bool,
    aaguid: Option<Uuid>,
}

impl From<&PresentedCredential> for StoredCredential {
    fn from(row: &PresentedCredential) -> Self {
        Self {
            id: row.credential_id.clone(),
            public_key: row.public_key.clone(),
            sign_count: u32::try_from(row.sign_count).unwrap_or(u32::MAX),
            backup_eligible: row.backup_eligible,
            backed_up: row.backed_up,
            aaguid: row.aaguid,
            transports: Vec::new(),
        }
    }
}

pub async fn by_credential(
    conn: &mut PgConnection,
    credential_id: &[u8],
) -> sqlx::Result<Option<PresentedCredential>> {
    sqlx::query_as(
        "select
            id,
            user_id,
            credential_id,
            public_key,
            sign_count,
            backup_eligible,
            backed_up,
            aaguid
        from auth.webauthn_credentials
        where credential_id = $1
        for update",
    )
    .bind(credential_id)
    .fetch_optional(conn)
    .await
}

pub async fn touch(
    conn: &mut PgConnection,
    id: Uuid,
    sign_count: u32,
    backed_up: bool,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.webauthn_credentials
            set sign_count = $2,
                backed_up = $3,
                last_used_at = $4,
                updated_at = $4
            where id = $1",
        )
        .bind(id)
        .bind(i64::from(sign_count))
        .bind(backed_up)
        .bind(now),
        conn,
    )
    .await
}

/// Renames a passkey and returns it; `None` if the user has no such passkey.
pub async fn rename(
    conn: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    friendly_name: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Passkey>> {
    sqlx::query_as(
        "update auth.webauthn_credentials
        set friendly_name = $3,
            updated_at = $4
        where id = $1
            and user_id = $2
        returning
            id,
            friendly_name,
            created_at,
            last_used_at",
    )
    .bind(id)
    .bind(user_id)
    .bind(friendly_name)
    .bind(now)
    .fetch_optional(conn)
    .await
}

/// Deletes a passkey; false if there was none.
pub async fn delete(conn: &mut PgConnection, id: Uuid, user_id: Uuid) -> sqlx::Result<bool> {
    let deleted =
        sqlx::query("delete from auth.webauthn_credentials where id = $1 and user_id = $2")
            .bind(id)
            .bind(user_id)
            .execute(conn)
            .await?;
    Ok(deleted.rows_affected() > 0)
}

pub async fn delete_of_user(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.webauthn_credentials where user_id = $1")
        .bind(user_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Stores a ceremony, without a user if the person is not known yet.
pub async fn put_ceremony(
    conn: &mut PgConnection,
    id: Uuid,
    user_id: Option<Uuid>,
    kind: &str,
    ceremony: &Value,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.webauthn_challenges (
                id, user_id, challenge_type, session_data, created_at, expires_at
            )
            values ($1, $2, $3, $4, $5, $6)",
        )
        .bind(id)
        .bind(user_id)
        .bind(kind)
        .bind(ceremony)
        .bind(now)
        .bind(expires_at),
        conn,
    )
    .await
}

/// Deletes a ceremony and returns it, so that it can be finished only once.
pub async fn take_ceremony(
    conn: &mut PgConnection,
    id: Uuid,
    user_id: Option<Uuid>,
    kind: &str,
) -> sqlx::Result<Option<(Value, DateTime<Utc>)>> {
    sqlx::query_as(
        "delete from auth.webauthn_challenges
        where id = $1
            and user_id is not distinct from $2
            and challenge_type = $3
        returning
            session_data,
            expires_at",
    )
    .bind(id)
    .bind(user_id)
    .bind(kind)
    .fetch_optional(conn)
    .await
}
