//! `_console.backups`.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use sqlx::postgres::PgQueryResult;
use uuid::Uuid;

/// A backup in any state.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct BackupRow {
    pub id: Uuid,
    pub name: String,
    pub place: String,
    pub origin: String,
    pub made_by: String,
    pub version: String,
    pub state: String,
    pub stage: String,
    pub bytes: i64,
    pub started_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
    pub reason: Option<String>,
    pub check_state: Option<String>,
    pub checked_at: Option<DateTime<Utc>>,
    pub check_reason: Option<String>,
    pub contents: Option<Value>,
    pub restore_state: Option<String>,
    pub restored_at: Option<DateTime<Utc>>,
    pub restored_by: Option<String>,
    pub restore_reason: Option<String>,
}

/// A backup that starts.
pub struct NewBackup<'a> {
    pub id: Uuid,
    pub name: &'a str,
    pub place: &'a str,
    pub origin: &'a str,
    pub made_by: &'a str,
    pub version: &'a str,
    pub now: DateTime<Utc>,
    pub lease_until: DateTime<Utc>,
}

/// A finished backup that the command `backup` made.
pub struct EndedBackup<'a> {
    pub id: Uuid,
    pub name: &'a str,
    pub version: &'a str,
    pub bytes: i64,
    pub reason: Option<&'a str>,
    pub started_at: DateTime<Utc>,
    pub ended_at: DateTime<Utc>,
}

/// When backups were made, for the overview and the metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct BackupFigures {
    pub last_success: Option<DateTime<Utc>>,
    pub last_bytes: Option<i64>,
    pub last_failure: Option<DateTime<Utc>>,
}

/// Backups, newest first.
pub async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<BackupRow>> {
    sqlx::query_as(
        "select
            id, name, place, origin, made_by, version, state, stage, bytes, started_at, ended_at, reason,
            check_state, checked_at, check_reason, contents, restore_state, restored_at, restored_by, restore_reason
        from _console.backups
        order by started_at desc, id
        limit $1",
    )
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// The backup with this id.
pub async fn by_id(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<BackupRow>> {
    sqlx::query_as(
        "select
            id, name, place, origin, made_by, version, state, stage, bytes, started_at, ended_at, reason,
            check_state, checked_at, check_reason, contents, restore_state, restored_at, restored_by, restore_reason
        from _console.backups
        where id = $1",
    )
    .bind(id)
    .fetch_optional(conn)
    .await
}

/// Records a backup as running; returns false if another backup is running, or a restore of which
/// this backup is not the first step.
pub async fn insert(conn: &mut PgConnection, new: &NewBackup<'_>) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "insert into _console.backups (
            id, name, place, origin, made_by, version, state, started_at, lease_until
        )
        select $1, $2, $3, $4, $5, $6, 'running', $7, $8
        where $4 = 'restore' or not exists (select from _console.backups as b where b.restore_state = 'running')
        on conflict do nothing",
    )
    .bind(new.id)
    .bind(new.name)
    .bind(new.place)
    .bind(new.origin)
    .bind(new.made_by)
    .bind(new.version)
    .bind(new.now)
    .bind(new.lease_until)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Records the progress of a backup and renews its lease; returns false if it was marked as failed.
pub async fn renew_lease(
    conn: &mut PgConnection,
    id: Uuid,
    stage: &str,
    bytes: i64,
    lease_until: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update _console.backups
        set stage = $2, bytes = $3, lease_until = $4
        where id = $1 and state = 'running'",
    )
    .bind(id)
    .bind(stage)
    .bind(bytes)
    .bind(lease_until)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Records a backup as complete; returns false if it was marked as failed meanwhile.
pub async fn succeed(
    conn: &mut PgConnection,
    id: Uuid,
    bytes: i64,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update _console.backups
        set state = 'done', bytes = $2, ended_at = $3
        where id = $1 and state = 'running'",
    )
    .bind(id)
    .bind(bytes)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Records a backup as failed.
pub async fn fail(
    conn: &mut PgConnection,
    id: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update _console.backups
        set state = 'failed', reason = $2, ended_at = $3
        where id = $1 and state = 'running'",
    )
    .bind(id)
    .bind(reason)
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
}

/// Marks backups of lost processes as failed, and returns them.
pub async fn fail_lost(
    conn: &mut PgConnection,
    reason: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<BackupRow>> {
    sqlx::query_as(
        "update _console.backups
        set state = 'failed', reason = $1, ended_at = $2
        where state = 'running' and lease_until < $2
        returning
            id, name, place, origin, made_by, version, state, stage, bytes, started_at, ended_at, reason,
            check_state, checked_at, check_reason, contents, restore_state, restored_at, restored_by, restore_reason",
    )
    .bind(reason)
    .bind(now)
    .fetch_all(conn)
    .await
}

/// Records a finished backup; as failed if it has a reason.
pub async fn insert_ended(conn: &mut PgConnection, ended: &EndedBackup<'_>) -> sqlx::Result<()> {
    sqlx::query(
        "insert into _console.backups (
            id, name, place, origin, made_by, version, state, bytes, started_at, ended_at, lease_until, reason
        )
        values (
            $1, $2, 'elsewhere', 'command', '', $3,
            case when $7::text is null then 'done' else 'failed' end, $4, $5, $6, $6, $7
        )",
    )
    .bind(ended.id)
    .bind(ended.name)
    .bind(ended.version)
    .bind(ended.bytes)
    .bind(ended.started_at)
    .bind(ended.ended_at)
    .bind(ended.reason)
    .execute(conn)
    .await
    .map(drop)
}

/// Whether the table exists; the database of a program without a console has none.
pub async fn is_there(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("select pg_catalog.to_regclass('_console.backups') is not null")
        .fetch_one(conn)
        .await
}

/// Deletes the row of a backup.
pub async fn delete(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from _console.backups where id = $1").bind(id).execute(conn).await.map(drop)
}

/// Scheduled backups past their retention: beyond the number to keep, or older than a time. The
/// newest one is always kept.
pub async fn surplus(
    conn: &mut PgConnection,
    keep_count: Option<i32>,
    older_than: Option<DateTime<Utc>>,
) -> sqlx::Result<Vec<BackupRow>> {
    sqlx::query_as(
        "with made as (
            select b.*, row_number() over (order by b.started_at desc, b.id) as place_in_time
            from _console.backups as b
            where b.origin = 'schedule' and b.state = 'done'
        )
        select
            id, name, place, origin, made_by, version, state, stage, bytes, started_at, ended_at, reason,
            check_state, checked_at, check_reason, contents, restore_state, restored_at, restored_by, restore_reason
        from made
        where place_in_time > 1 and (place_in_time > $1::int or started_at < $2::timestamptz)
            and check_state is distinct from 'running' and restore_state is distinct from 'running'
        order by started_at",
    )
    .bind(keep_count)
    .bind(older_than)
    .fetch_all(conn)
    .await
}

/// Deletes old rows without a file that the console manages.
pub async fn prune(conn: &mut PgConnection, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from _console.backups
        where started_at < $1 and (state = 'failed' or (state = 'done' and place = 'elsewhere'))",
    )
    .bind(before)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// When backups were made.
pub async fn figures(conn: &mut PgConnection) -> sqlx::Result<BackupFigures> {
    sqlx::query_as(
        "select
            (select max(b.ended_at) from _console.backups as b where b.state = 'done') as last_success,
            (
                select b.bytes
                from _console.backups as b
                where b.state = 'done'
                order by b.ended_at desc
                limit 1
            ) as last_bytes,
            (select max(b.ended_at) from _console.backups as b where b.state = 'failed') as last_failure",
    )
    .fetch_one(conn)
    .await
}

/// Records a check as running; returns false if another check or a restore is running, or the
/// backup does not exist.
pub async fn begin_check(
    conn: &mut PgConnection,
    id: Uuid,
    lease_until: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update _console.backups
        set check_state = 'running', check_lease_until = $2, check_reason = null, contents = null
        where id = $1 and state = 'done'
            and not exists (
                select from _console.backups as b where b.check_state = 'running' or b.restore_state = 'running'
            )",
    )
    .bind(id)
    .bind(lease_until)
    .execute(conn)
    .await;
    changed_one(done)
}

/// Whether a row was changed; of two concurrent changes, only one succeeds.
fn changed_one(done: sqlx::Result<PgQueryResult>) -> sqlx::Result<bool> {
    match done {
        // The other one of two concurrent calls was first.
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Ok(false),
        done => Ok(done?.rows_affected() > 0),
    }
}

/// Renews the lease of a check; returns false if it was marked as failed.
pub async fn renew_check_lease(
    conn: &mut PgConnection,
    id: Uuid,
    lease_until: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update _console.backups
        set check_lease_until = $2
        where id = $1 and check_state = 'running'",
    )
    .bind(id)
    .bind(lease_until)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Records the result of a check: the contents of the backup, or why it could not be restored.
pub async fn end_check(
    conn: &mut PgConnection,
    id: Uuid,
    outcome: Result<&Value, &str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update _console.backups
        set
            check_state = case when $3::text is null then 'done' else 'failed' end,
            contents = $2, check_reason = $3, checked_at = $4
        where id = $1 and check_state = 'running'",
    )
    .bind(id)
    .bind(outcome.ok())
    .bind(outcome.err())
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
}

/// Marks checks of lost processes as failed.
pub async fn fail_lost_checks(
    conn: &mut PgConnection,
    reason: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "update _console.backups
        set check_state = 'failed', check_reason = $1, checked_at = $2
        where check_state = 'running' and check_lease_until < $2",
    )
    .bind(reason)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Records a restore as running; returns false if other work on a backup is running.
pub async fn begin_restore(
    conn: &mut PgConnection,
    id: Uuid,
    operator: &str,
    lease_until: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update _console.backups
        set
            restore_state = 'running', restored_by = $2, restore_lease_until = $3, restored_at = null,
            restore_reason = null
        where id = $1 and state = 'done'
            and not exists (
                select
                from _console.backups as b
                where b.state = 'running' or b.check_state = 'running' or b.restore_state = 'running'
            )",
    )
    .bind(id)
    .bind(operator)
    .bind(lease_until)
    .execute(conn)
    .await;
    changed_one(done)
}

/// Renews the lease of a restore; returns false if it was marked as failed.
pub async fn renew_restore_lease(
    conn: &mut PgConnection,
    id: Uuid,
    lease_until: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update _console.backups
        set restore_lease_until = $2
        where id = $1 and restore_state = 'running'",
    )
    .bind(id)
    .bind(lease_until)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Records the outcome of a restore; as failed if it has a reason.
pub async fn end_restore(
    conn: &mut PgConnection,
    id: Uuid,
    reason: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update _console.backups
        set
            restore_state = case when $2::text is null then 'done' else 'failed' end,
            restore_reason = $2, restored_at = $3
        where id = $1 and restore_state = 'running'",
    )
    .bind(id)
    .bind(reason)
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
}

/// Marks restores of lost processes as failed.
pub async fn fail_lost_restores(
    conn: &mut PgConnection,
    reason: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "update _console.backups
        set restore_state = 'failed', restore_reason = $1, restored_at = $2
        where restore_state = 'running' and restore_lease_until < $2",
    )
    .bind(reason)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Drops the whole schema, before another one is copied in its place.
pub async fn drop_schema(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query("drop schema if exists _console cascade").execute(conn).await.map(drop)
}
