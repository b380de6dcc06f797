//! Pending codes: columns of `auth.users`, which show what is pending, and rows of
//! `auth.one_time_tokens`, which find it by its hash, one per account and kind.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;
use crate::model::OneTime;

/// Stores a pending confirmation.
pub async fn set_confirmation(
    conn: &mut PgConnection,
    id: Uuid,
    token: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set confirmation_token = $2, confirmation_sent_at = $3, updated_at = $3
            where id = $1",
        )
        .bind(id)
        .bind(token)
        .bind(now),
        conn,
    )
    .await
}

/// Stores a pending invitation.
pub async fn set_invitation(
    conn: &mut PgConnection,
    id: Uuid,
    token: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set confirmation_token = $2, confirmation_sent_at = $3, invited_at = $3, updated_at = $3
            where id = $1",
        )
        .bind(id)
        .bind(token)
        .bind(now),
        conn,
    )
    .await
}

/// Stores a pending recovery or magic link; both share these columns.
pub async fn set_recovery(
    conn: &mut PgConnection,
    id: Uuid,
    token: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set recovery_token = $2, recovery_sent_at = $3, updated_at = $3
            where id = $1",
        )
        .bind(id)
        .bind(token)
        .bind(now),
        conn,
    )
    .await
}

/// Stores a pending change of address; `current` is empty if the old address need not confirm.
pub async fn set_email_change(
    conn: &mut PgConnection,
    id: Uuid,
    email: &str,
    new: &str,
    current: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set email_change = $2,
                email_change_token_new = $3,
                email_change_token_current = $4,
                email_change_sent_at = $5,
                email_change_confirm_status = 0,
                updated_at = $5
            where id = $1",
        )
        .bind(id)
        .bind(email)
        .bind(new)
        .bind(current)
        .bind(now),
        conn,
    )
    .await
}

/// Records that one of the two addresses confirmed: its token is removed, the other one stays.
pub async fn half_confirm_email_change(
    conn: &mut PgConnection,
    id: Uuid,
    new: &str,
    current: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set email_change_token_new = $2,
                email_change_token_current = $3,
                email_change_confirm_status = 1,
                updated_at = $4
            where id = $1",
        )
        .bind(id)
        .bind(new)
        .bind(current)
        .bind(now),
        conn,
    )
    .await
}

/// Stores a pending change of number.
pub async fn set_phone_change(
    conn: &mut PgConnection,
    id: Uuid,
    phone: &str,
    token: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set phone_change = $2,
                phone_change_token = $3,
                phone_change_sent_at = $4,
                updated_at = $4
            where id = $1",
        )
        .bind(id)
        .bind(phone)
        .bind(token)
        .bind(now),
        conn,
    )
    .await
}

/// Stores a pending reauthentication.
pub async fn set_reauthentication(
    conn: &mut PgConnection,
    id: Uuid,
    token: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set reauthentication_token = $2, reauthentication_sent_at = $3, updated_at = $3
            where id = $1",
        )
        .bind(id)
        .bind(token)
        .bind(now),
        conn,
    )
    .await
}

/// Clears every pending token of the account.
pub async fn clear_columns(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set confirmation_token = '',
                recovery_token = '',
                email_change_token_new = '',
                email_change_token_current = '',
                phone_change_token = '',
                reauthentication_token = ''
            where id = $1",
        )
        .bind(id),
        conn,
    )
    .await
}

/// Replaces the user's pending token of this kind.
pub async fn put(
    conn: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    kind: OneTime,
    hash: &str,
    relates_to: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
            values ($1, $2, $3::text::auth.one_time_token_type, $4, $5, $6, $6)
            on conflict (user_id, token_type)
            do update set
                token_hash = excluded.token_hash,
                relates_to = excluded.relates_to,
                created_at = excluded.created_at,
                updated_at = excluded.updated_at",
        )
        .bind(id)
        .bind(user_id)
        .bind(kind.as_str())
        .bind(hash)
        .bind(relates_to)
        .bind(now.naive_utc()),
        conn,
    )
    .await
}

/// The user and kind of a pending hash among `kinds`; `other` is a second form of the hash, with
/// the PKCE prefix, that matches too.
pub async fn find(
    conn: &mut PgConnection,
    hash: &str,
    other: &str,
    kinds: &[OneTime],
) -> sqlx::Result<Option<Uuid>> {
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    sqlx::query_scalar(
        "select user_id
        from auth.one_time_tokens
        where (token_hash = $1 or token_hash = $2)
            and token_type::text = any($3)
        order by created_at desc
        limit 1",
    )
    .bind(hash)
    .bind(other)
    .bind(&kinds)
    .fetch_optional(conn)
    .await
}

/// Deletes the user's pending token of one kind.
pub async fn clear(conn: &mut PgConnection, user_id: Uuid, kind: OneTime) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "delete from auth.one_time_tokens
            where user_id = $1
                and token_type = $2::text::auth.one_time_token_type",
        )
        .bind(user_id)
        .bind(kind.as_str()),
        conn,
    )
    .await
}

/// Deletes every pending token of the user.
pub async fn clear_all(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    done(sqlx::query("delete from auth.one_time_tokens where user_id = $1").bind(user_id), conn)
        .await
}
