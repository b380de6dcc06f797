//! The password hash of an account.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::store::done;

/// Replaces the password's hash.
pub async fn set_password(
    conn: &mut PgConnection,
    id: Uuid,
    hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set encrypted_password = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(hash)
            .bind(now),
        conn,
    )
    .await
}

/// Removes the password.
pub async fn clear_password(
    conn: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users set encrypted_password = null, updated_at = $2 where id = $1",
        )
        .bind(id)
        .bind(now),
        conn,
    )
    .await
}

/// Replaces an outdated hash of the same password, unless the password changed meanwhile.
pub async fn upgrade_password(
    conn: &mut PgConnection,
    id: Uuid,
    old: &str,
    new: &str,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users set encrypted_password = $3 where id = $1 and encrypted_password = $2",
        )
        .bind(id)
        .bind(old)
        .bind(new),
        conn,
    )
    .await
}
