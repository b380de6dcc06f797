//! The data of the overview page.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, DurationRound as _, TimeDelta, Utc};
use compat_pg::{SqlAccess, SqlLimits, SqlResult};
use serde_json::{Value, json};

use crate::error::ConsoleError;
use crate::model::{RequestCount, Role};
use crate::state::ConsoleState;
use crate::store;

/// The number of minutes in the chart of requests.
const MINUTES: i64 = 60;
/// Limits for reading the slowest statements.
const LIMITS: SqlLimits = SqlLimits { time: Duration::from_secs(5), rows: 20, bytes: 1024 * 1024 };

/// The overview as JSON.
pub(crate) async fn overview(state: &ConsoleState) -> Result<Value, ConsoleError> {
    let mut connection = state.config().owner.connection().await?;
    let facts = store::statistics::facts(&mut connection).await?;
    let schema = store::statistics::statements_schema(&mut connection).await?;
    let backups = store::backup::figures(&mut connection).await?;
    drop(connection);
    let slow = match schema {
        Some(schema) => slow_statements(state, &schema).await,
        None => None,
    };
    Ok(json!({
        "services": (state.config().health)(),
        "database": {
            "version": facts.version,
            "size_bytes": facts.size_bytes,
            "connections": facts.connections,
            "max_connections": facts.max_connections,
        },
        "requests": requests(state).await?,
        "slow_statements_available": slow.is_some(),
        "slow_statements": slow.unwrap_or_default(),
        "last_backup": backups.last_success,
        "last_failed_backup": backups.last_failure,
    }))
}

/// The statements that took the most time; none if the server does not record statements.
async fn slow_statements(state: &ConsoleState, schema: &str) -> Option<Vec<Value>> {
    let text = format!(
        "select s.query, s.calls, s.mean_exec_time::float8, s.total_exec_time::float8
        from {schema}.pg_stat_statements as s
        join pg_catalog.pg_database as d on d.oid = s.dbid
        where d.datname = pg_catalog.current_database()
        order by s.total_exec_time desc
        limit 20"
    );
    let login = state.login(Role::Developer).await.ok()?;
    let answer = login.run(&text, &[], SqlAccess::ReadOnly, LIMITS).await.ok()?;
    let SqlResult { rows, .. } = answer.into_iter().next()?;
    let line = |row: Vec<Value>| {
        let mut values = row.into_iter();
        let mut next = || values.next().unwrap_or_default();
        let (query, calls, mean, total) = (next(), next(), next(), next());
        json!({ "query": query, "calls": calls, "mean_ms": mean, "total_ms": total })
    };
    Some(rows.into_iter().map(line).collect())
}

/// Requests of the last hour by minute.
async fn requests(state: &ConsoleState) -> Result<Vec<RequestCount>, ConsoleError> {
    let Some(read) = state.config().requests.clone() else { return Ok(Vec::new()) };
    let now = minute_of(state.now());
    let since = now - TimeDelta::minutes(MINUTES - 1);
    let permit = Arc::clone(state.log_readers()).acquire_owned().await;
    let counts = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        read(since)
    });
    let counts = counts.await.map_err(|error| ConsoleError::Internal(error.to_string()))?;
    let counts = counts.map_err(|error| ConsoleError::Internal(error.to_string()))?;
    let known: BTreeMap<DateTime<Utc>, RequestCount> =
        counts.into_iter().map(|count| (count.minute, count)).collect();
    let line = |offset: i64| {
        let minute = since + TimeDelta::minutes(offset);
        let none = RequestCount { minute, requests: 0, client_errors: 0, server_errors: 0 };
        known.get(&minute).copied().unwrap_or(none)
    };
    Ok((0..MINUTES).map(line).collect())
}

fn minute_of(time: DateTime<Utc>) -> DateTime<Utc> {
    time.duration_trunc(TimeDelta::minutes(1)).unwrap_or(time)
}
