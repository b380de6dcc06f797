//! `_console.audit_log`.

use sqlx::PgConnection;

use crate::model::AuditEntry;

/// Inserts an entry; the database assigns its id.
pub async fn insert(conn: &mut PgConnection, entry: &AuditEntry) -> sqlx::Result<()> {
    sqlx::query(
        "insert into _console.audit_log (at, operator, method, path, summary, status, address)
        values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(entry.at)
    .bind(&entry.operator)
    .bind(&entry.method)
    .bind(&entry.path)
    .bind(&entry.summary)
    .bind(entry.status)
    .bind(&entry.address)
    .execute(conn)
    .await
    .map(drop)
}

/// Entries older than `before`, newest first.
pub async fn list(
    conn: &mut PgConnection,
    before: i64,
    limit: i64,
) -> sqlx::Result<Vec<AuditEntry>> {
    sqlx::query_as(
        "select id, at, operator, method, path, summary, status, address
        from _console.audit_log
        where id < $1
        order by id desc
        limit $2",
    )
    .bind(before)
    .bind(limit)
    .fetch_all(conn)
    .await
}
