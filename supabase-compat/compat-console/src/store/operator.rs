//! `_console.operators`.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// An operator with what proves that it is them, sealed.
#[derive(sqlx_macros::FromRow)]
pub struct OperatorRow {
    pub id: Uuid,
    pub email: String,
    pub role: String,
    pub password_hash: Vec<u8>,
    pub second_factor: Option<Vec<u8>>,
    pub pending_second_factor: Option<Vec<u8>>,
}

/// An operator as the others see them.
#[derive(sqlx_macros::FromRow)]
pub struct OperatorLine {
    pub id: Uuid,
    pub email: String,
    pub role: String,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: Option<DateTime<Utc>>,
    pub has_second_factor: bool,
}

/// Keeps changes of operators apart until the end of the transaction: two owners must not take each other's
/// role away at the same moment. It is the first lock of whoever takes it.
pub async fn lock(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query("lock table _console.operators in share row exclusive mode")
        .execute(conn)
        .await
        .map(drop)
}

/// Whether there is one.
pub async fn exists(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("select exists (select from _console.operators)").fetch_one(conn).await
}

/// How many owners there are beside this one.
pub async fn count_other_owners(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<i64> {
    sqlx::query_scalar("select count(*) from _console.operators where role = 'owner' and id <> $1")
        .bind(id)
        .fetch_one(conn)
        .await
}

/// Whether an operator has an authenticator app whose codes count.
pub async fn has_second_factor(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar(
        "select exists (select from _console.operators where id = $1 and second_factor is not null)",
    )
    .bind(id)
    .fetch_one(conn)
    .await
}

/// By address, in lower case.
pub async fn by_email(conn: &mut PgConnection, email: &str) -> sqlx::Result<Option<OperatorRow>> {
    sqlx::query_as(
        "select id, email, role, password_hash, second_factor, pending_second_factor
        from _console.operators
        where email = $1",
    )
    .bind(email)
    .fetch_optional(conn)
    .await
}

/// By id.
pub async fn by_id(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<OperatorRow>> {
    sqlx::query_as(
        "select id, email, role, password_hash, second_factor, pending_second_factor
        from _console.operators
        where id = $1",
    )
    .bind(id)
    .fetch_optional(conn)
    .await
}

/// All of them, in the order they were made.
pub async fn list(conn: &mut PgConnection) -> sqlx::Result<Vec<OperatorLine>> {
    sqlx::query_as(
        "select
            o.id,
            o.email,
            o.role,
            o.created_at,
            o.last_seen_at,
            o.second_factor is not null
                or exists (select from _console.passkeys as p where p.operator_id = o.id) as has_second_factor
        from _console.operators as o
        order by o.created_at, o.id",
    )
    .fetch_all(conn)
    .await
}

/// Writes a new one; false where the address is somebody's.
pub async fn insert(
    conn: &mut PgConnection,
    id: Uuid,
    email: &str,
    role: &str,
    password_hash: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "insert into _console.operators (id, email, role, password_hash, created_at)
        values ($1, $2, $3, $4, $5)
        on conflict (email) do nothing",
    )
    .bind(id)
    .bind(email)
    .bind(role)
    .bind(password_hash)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Gives another role.
pub async fn set_role(conn: &mut PgConnection, id: Uuid, role: &str) -> sqlx::Result<bool> {
    let done = sqlx::query("update _console.operators set role = $2 where id = $1")
        .bind(id)
        .bind(role)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Removes one with all sessions.
pub async fn delete(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    let done =
        sqlx::query("delete from _console.operators where id = $1").bind(id).execute(conn).await?;
    Ok(done.rows_affected() == 1)
}

/// Sets a new password.
pub async fn set_password(
    conn: &mut PgConnection,
    id: Uuid,
    password_hash: &[u8],
) -> sqlx::Result<()> {
    sqlx::query("update _console.operators set password_hash = $2 where id = $1")
        .bind(id)
        .bind(password_hash)
        .execute(conn)
        .await
        .map(drop)
}

/// Has a second factor wait for its first code; false where there is one already.
pub async fn set_pending(conn: &mut PgConnection, id: Uuid, secret: &[u8]) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update _console.operators
        set pending_second_factor = $2
        where id = $1
            and second_factor is null",
    )
    .bind(id)
    .bind(secret)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Makes the factor that waits the one that counts.
pub async fn confirm_pending(conn: &mut PgConnection, id: Uuid, step: i64) -> sqlx::Result<()> {
    sqlx::query(
        "update _console.operators
        set second_factor = pending_second_factor,
            pending_second_factor = null,
            second_factor_step = $2
        where id = $1",
    )
    .bind(id)
    .bind(step)
    .execute(conn)
    .await
    .map(drop)
}

/// Uses a code's time step up; false where it or a later one was used.
pub async fn use_step(conn: &mut PgConnection, id: Uuid, step: i64) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update _console.operators
        set second_factor_step = $2
        where id = $1
            and second_factor_step < $2",
    )
    .bind(id)
    .bind(step)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Removes the second factor.
pub async fn clear_second_factor(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query(
        "update _console.operators
        set second_factor = null,
            pending_second_factor = null
        where id = $1",
    )
    .bind(id)
    .execute(conn)
    .await
    .map(drop)
}
