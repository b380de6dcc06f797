//! Database functions that are an operator's hooks.

use serde_json::Value;
use sqlx::PgConnection;

use super::done;

/// Calls the function with a timeout of two seconds, and restores the transaction's own timeout
/// afterwards.
pub async fn run(
    conn: &mut PgConnection,
    function: &str,
    payload: &Value,
) -> sqlx::Result<Option<Value>> {
    let before: String = sqlx::query_scalar("select current_setting('statement_timeout')")
        .fetch_one(&mut *conn)
        .await?;
    limit(conn, "2s").await?;
    let answer = sqlx::query_scalar("select auth.run_hook($1, $2)")
        .bind(function)
        .bind(payload)
        .fetch_one(&mut *conn)
        .await?;
    limit(conn, &before).await?;
    Ok(answer)
}

async fn limit(conn: &mut PgConnection, timeout: &str) -> sqlx::Result<()> {
    done(sqlx::query("select set_config('statement_timeout', $1, true)").bind(timeout), conn).await
}
