//! `service-health`: successes, warnings and errors of each table by time bucket.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::expression::TimePart;
use super::tables::Table;
use super::{MOST_PARTS, Parameters, QueryError, part_begin};
use crate::logs::{LogEntry, LogLevel, visit_newest_first};

/// The tables that Studio shows, including those of services that do not exist here.
const TABLES: [&str; 10] = [
    "postgres_logs",
    "auth_logs",
    "function_edge_logs",
    "storage_logs",
    "realtime_logs",
    "postgrest_logs",
    "edge_logs",
    "supavisor_logs",
    "function_logs",
    "etl_replication_logs",
];

/// Entries of a table: successes, warnings, errors.
type Counts = [i64; 3];

/// The counts by bucket, oldest first. Empty buckets are left out.
///
/// # Errors
/// The log cannot be read, or a parameter is invalid.
pub(super) fn count(folder: &Path, parameters: &Parameters) -> Result<Vec<Value>, QueryError> {
    let part = match parameters.get("granularity").unwrap_or("hour") {
        "minute" => TimePart::Minute,
        "hour" => TimePart::Hour,
        "day" => TimePart::Day,
        _ => return Err(QueryError::query("granularity is minute, hour or day")),
    };
    let (start, end) = parameters.period()?;
    let tables: Vec<Option<Table>> = TABLES.into_iter().map(Table::from_name).collect();
    let mut parts: BTreeMap<i64, [Counts; TABLES.len()]> = BTreeMap::new();
    visit_newest_first(folder, start, |_, entry| {
        let is_selected = start.is_none_or(|start| entry.time > start)
            && end.is_none_or(|end| entry.time <= end)
            && tables.iter().flatten().any(|table| table.has(&entry));
        if is_selected {
            let begin = part.truncate(entry.time.timestamp_micros());
            let counts = parts.entry(begin).or_default();
            for (counts, table) in counts.iter_mut().zip(&tables) {
                if table.is_some_and(|table| table.has(&entry)) {
                    counts[state(&entry)] += 1;
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    let skipped = parts.len().saturating_sub(MOST_PARTS);
    let rows = parts.into_iter().skip(skipped);
    Ok(rows.filter_map(|(begin, counts)| Some(row(part_begin(begin)?, &counts))).collect())
}

/// The index in [`Counts`]: by the status of a request, else by the level.
fn state(entry: &LogEntry) -> usize {
    match entry.status.map_or(entry.level, LogLevel::of_status) {
        LogLevel::Error => 2,
        LogLevel::Warn => 1,
        LogLevel::Info | LogLevel::Debug => 0,
    }
}

fn row(begin: String, counts: &[Counts; TABLES.len()]) -> Value {
    let mut row = Map::new();
    row.insert("timestamp".to_owned(), begin.into());
    for (table, [ok, warning, error]) in TABLES.into_iter().zip(counts) {
        let total = ok + warning + error;
        let counts = json!({"ok": ok, "warning": warning, "error": error, "total": total});
        row.insert(table.to_owned(), counts);
    }
    Value::Object(row)
}
