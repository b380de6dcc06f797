//! `_console.operators`.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// An operator with the sealed secrets for signing in.
#[derive(sqlx_macros::FromRow)]
pub struct OperatorRow {
    pub id: Uuid,
    pub email: String,
    pub role: String,
    pub password_hash: Vec<u8>,
    pub second_factor: Option<Vec<u8>>,
    pub pending_second_factor: Option<Vec<u8>>,
}

/// An operator as other operators see them.
#[derive(sqlx_macros::FromRow)]
pub struct OperatorLine {
    pub id: Uuid,
    pub email: String,
    pub role: String,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: Option<DateTime<Utc>>,
    pub has_second_factor: bool,
}

/// Serialises changes of operators until the end of the transaction, so that two owners cannot
/// demote each other at the same time. A transaction that takes this lock takes it first.
pub async fn lock(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query("lock table _console.operators in share row exclusive mode")
        .execute(conn)
        .await
        .map(drop)
}

/// Whether any operator exists.
pub async fn exists(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("select exists (select from _console.operators)").fetch_one(conn).await
}

/// The number of owners besides this operator.
pub async fn count_other_owners(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<i64> {
    sqlx::query_scalar("select count(*) from _console.operators where role = 'owner' and id <> $1")
        .bind(id)
        .fetch_one(conn)
        .await
}

/// Whether an operator has a confirmed authenticator app.
pub async fn has_second_factor(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar(
        "select exists (select from _console.operators where id = $1 and second_factor is not null)",
    )
    .bind(id)
    .fetch_one(conn)
    .await
}

/// The operator with this email address, in lower case.
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

/// The operator with this id.
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

/// Every operator, in the order of creation.
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

/// Inserts an operator; returns false if the email address is taken.
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

/// Changes an operator's role.
pub async fn set_role(conn: &mut PgConnection, id: Uuid, role: &str) -> sqlx::Result<bool> {
    let done = sqlx::query("update _console.operators set role = $2 where id = $1")
        .bind(id)
        .bind(role)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes an operator with all sessions.
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

/// Stores a second factor that is not confirmed yet; returns false if a confirmed one exists.
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

/// Confirms the pending second factor; `step` is the time step of its first code.
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

/// Marks a code's time step as used; returns false if it or a later one was used.
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
