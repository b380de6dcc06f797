//! Administration of accounts: roles, bans, deletion, lists.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::User;
use crate::store::done;

/// Sets the database role.
pub async fn set_role(
    conn: &mut PgConnection,
    id: Uuid,
    role: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set role = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(role)
            .bind(now),
        conn,
    )
    .await
}

/// Sets the end of a ban, or lifts it.
pub async fn set_banned_until(
    conn: &mut PgConnection,
    id: Uuid,
    until: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set banned_until = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(until)
            .bind(now),
        conn,
    )
    .await
}

/// Deletes the account; all its rows in other tables are deleted by cascades.
pub async fn delete(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    done(sqlx::query("delete from auth.users where id = $1").bind(id), conn).await
}

/// Keeps the row without its data: the addresses become `email` and `phone` (hashes), all else is
/// emptied.
pub async fn soft_delete(
    conn: &mut PgConnection,
    id: Uuid,
    email: Option<&str>,
    phone: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.users
        set email = $2,
            phone = $3,
            encrypted_password = null,
            raw_app_meta_data = '{}',
            raw_user_meta_data = '{}',
            email_change = '',
            phone_change = '',
            confirmation_token = '',
            recovery_token = '',
            email_change_token_new = '',
            email_change_token_current = '',
            phone_change_token = '',
            reauthentication_token = '',
            deleted_at = $4,
            updated_at = $4
        where id = $1",
    )
    .bind(id)
    .bind(email)
    .bind(phone)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// One page of accounts, newest first unless `ascending`, and the number of all that match.
/// Identities and factors are not loaded.
pub async fn page(
    conn: &mut PgConnection,
    aud: &str,
    filter: &str,
    ascending: bool,
    limit: i64,
    offset: i64,
) -> sqlx::Result<(Vec<User>, i64)> {
    let total: i64 = sqlx::query_scalar(
        "select count(*)
        from auth.users
        where users.aud = $1
            and (
                $2 = ''
                or users.email like '%' || $2 || '%'
                or users.raw_user_meta_data ->> 'full_name' ilike '%' || $2 || '%'
            )",
    )
    .bind(aud)
    .bind(filter)
    .fetch_one(&mut *conn)
    .await?;
    let users = sqlx::query_as::<_, User>(
        "select
            users.*,
            '[]'::jsonb as identities,
            '[]'::jsonb as factors
        from auth.users
        where users.aud = $1
            and (
                $2 = ''
                or users.email like '%' || $2 || '%'
                or users.raw_user_meta_data ->> 'full_name' ilike '%' || $2 || '%'
            )
        order by
            case when $3 then users.created_at end asc,
            case when not $3 then users.created_at end desc,
            users.id
        limit $4
        offset $5",
    )
    .bind(aud)
    .bind(filter)
    .bind(ascending)
    .bind(limit)
    .bind(offset)
    .fetch_all(conn)
    .await?;
    Ok((users, total))
}
