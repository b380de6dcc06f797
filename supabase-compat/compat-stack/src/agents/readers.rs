//! Reads the log and the types for the agents' tools.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_mcp::{LogQuery, LogReader, TypeGenerator};
use compat_pg::OwnerDb;
use compat_typegen::{SchemaFilter, TypescriptOptions, introspect_database, typescript};
use serde_json::Value;

use crate::logs::{LogEntry, visit_newest_first};

/// Time limit for reading the catalogue.
const CATALOGUE_TIMEOUT: Duration = Duration::from_secs(30);
/// The log names of the original service.
const LOGS: &str =
    "api, auth, branch-action, edge-function, edge-function-runtime, postgres, realtime or storage";

/// A reader of the log ring in `folder`.
pub(super) fn logs(folder: PathBuf) -> LogReader {
    Arc::new(move |query| {
        let folder = folder.clone();
        Box::pin(async move {
            let reading = tokio::task::spawn_blocking(move || read(&folder, &query));
            reading.await.map_err(|error| format!("the log cannot be read: {error}"))?
        })
    })
}

fn read(folder: &std::path::Path, query: &LogQuery) -> Result<Vec<Value>, String> {
    let time = |millis| DateTime::<Utc>::from_timestamp_millis(millis);
    let (start, end) = (time(query.start), time(query.end));
    let is_wanted = entries_of(&query.service)
        .ok_or_else(|| format!("there is no log of that name: service is {LOGS}"))?;
    let mut lines = Vec::new();
    let visited = visit_newest_first(folder, start, |_, entry| {
        let is_within = start.is_none_or(|start| entry.time >= start)
            && end.is_none_or(|end| entry.time <= end);
        if is_within && is_wanted(&entry) {
            lines.extend(serde_json::to_value(&entry));
        }
        match lines.len() < query.limit {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    visited.map_err(|error| format!("the log cannot be read: {error}"))?;
    Ok(lines)
}

/// The filter for the entries of one of the original's logs; none for an unknown name.
fn entries_of(service: &str) -> Option<fn(&LogEntry) -> bool> {
    Some(match service {
        "api" => LogEntry::is_request,
        "postgres" => |entry| entry.service == "pg",
        "edge-function" => |entry| entry.service == "functions" && entry.is_request(),
        "edge-function-runtime" => |entry| entry.service == "functions" && !entry.is_request(),
        // Branches do not exist here.
        "branch-action" => |_| false,
        "auth" => |entry| entry.service == "auth",
        "storage" => |entry| entry.service == "storage",
        "realtime" => |entry| entry.service == "realtime",
        _ => return None,
    })
}

/// A generator of types for the exposed schemas.
pub(super) fn types(owner: OwnerDb, schemas: Vec<String>) -> TypeGenerator {
    Arc::new(move || {
        let (owner, schemas) = (owner.clone(), schemas.clone());
        Box::pin(async move {
            let filter = SchemaFilter::new(schemas, Vec::new());
            let metadata = introspect_database(&owner, &filter, CATALOGUE_TIMEOUT).await;
            let metadata =
                metadata.map_err(|error| format!("the catalogue cannot be read: {error}"))?;
            let options = TypescriptOptions { detects_one_to_one: true, postgrest_version: None };
            Ok(typescript(&metadata, &options))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::LogLevel;

    #[test]
    fn logs_have_the_names_of_the_original() {
        let entry = LogEntry::new(DateTime::UNIX_EPOCH, "pg", LogLevel::Error);
        let is_of = |service: &str| entries_of(service).map(|is_wanted| is_wanted(&entry));
        assert_eq!(is_of("postgres"), Some(true));
        assert_eq!(is_of("api"), Some(false));
        assert_eq!(is_of("auth"), Some(false));
        assert_eq!(is_of("pg"), None);
    }
}
