//! `_console.backup_schedule`, which has at most one row.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// The schedule of backups, and their retention.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct ScheduleRow {
    pub rhythm: String,
    pub weekday: i32,
    pub minute: i32,
    pub time_zone: String,
    pub place: String,
    pub keep_count: Option<i32>,
    pub keep_days: Option<i32>,
    pub next_at: DateTime<Utc>,
}

/// The schedule.
pub async fn find(conn: &mut PgConnection) -> sqlx::Result<Option<ScheduleRow>> {
    sqlx::query_as(
        "select rhythm, weekday, minute, time_zone, place, keep_count, keep_days, next_at
        from _console.backup_schedule",
    )
    .fetch_optional(conn)
    .await
}

/// The schedule if it is due, locked until the end of the transaction. A concurrent call of another
/// process returns none.
pub async fn take_due(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<ScheduleRow>> {
    sqlx::query_as(
        "select rhythm, weekday, minute, time_zone, place, keep_count, keep_days, next_at
        from _console.backup_schedule
        where next_at <= $1
        for update skip locked",
    )
    .bind(now)
    .fetch_optional(conn)
    .await
}

/// Inserts or replaces the schedule.
pub async fn replace(conn: &mut PgConnection, row: &ScheduleRow) -> sqlx::Result<()> {
    sqlx::query(
        "insert into _console.backup_schedule (
            rhythm, weekday, minute, time_zone, place, keep_count, keep_days, next_at
        )
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict (is_only) do update set
            rhythm = excluded.rhythm, weekday = excluded.weekday, minute = excluded.minute,
            time_zone = excluded.time_zone, place = excluded.place, keep_count = excluded.keep_count,
            keep_days = excluded.keep_days, next_at = excluded.next_at",
    )
    .bind(&row.rhythm)
    .bind(row.weekday)
    .bind(row.minute)
    .bind(&row.time_zone)
    .bind(&row.place)
    .bind(row.keep_count)
    .bind(row.keep_days)
    .bind(row.next_at)
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes the schedule.
pub async fn delete(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query("delete from _console.backup_schedule").execute(conn).await.map(drop)
}

/// Whether the server knows a time zone of this name.
pub async fn knows_zone(conn: &mut PgConnection, name: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar("select exists (select from pg_catalog.pg_timezone_names where name = $1)")
        .bind(name)
        .fetch_one(conn)
        .await
}

/// The first time after `after` at which the local time of the time zone is this minute of the day,
/// on this weekday if one is given.
pub async fn next_time(
    conn: &mut PgConnection,
    after: DateTime<Utc>,
    time_zone: &str,
    minute: i32,
    weekday: Option<i32>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar(
        "with days as (
            select (($1::timestamptz at time zone $2::text)::date + n) as day
            from generate_series(0, 8) as n
        ),
        moments as (
            select (day + make_time($3::int / 60, $3::int % 60, 0)) at time zone $2::text as moment
            from days
            where $4::int is null or extract(isodow from day) = $4::int
        )
        select min(moment) from moments where moment > $1::timestamptz",
    )
    .bind(after)
    .bind(time_zone)
    .bind(minute)
    .bind(weekday)
    .fetch_one(conn)
    .await
}
