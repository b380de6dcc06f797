//! `usage.api-counts`: requests to each service by time bucket.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use super::expression::TimePart;
use super::{QueryError, part_begin};
use crate::logs::visit_newest_first;

/// The intervals that can be queried: those of Logflare's own endpoint, and those that newer
/// versions of Studio use.
fn interval(name: &str) -> Option<(Duration, TimePart)> {
    Some(match name {
        "minutely" => (Duration::minutes(60), TimePart::Minute),
        "hourly" => (Duration::hours(24), TimePart::Hour),
        "daily" => (Duration::days(7), TimePart::Day),
        "15min" => (Duration::minutes(15), TimePart::Minute),
        "30min" => (Duration::minutes(30), TimePart::Minute),
        "1hr" => (Duration::hours(1), TimePart::Minute),
        "3hr" => (Duration::hours(3), TimePart::Minute),
        "1day" => (Duration::days(1), TimePart::Hour),
        "3day" => (Duration::days(3), TimePart::Day),
        "7day" => (Duration::days(7), TimePart::Day),
        _ => return None,
    })
}

/// Counts by bucket, oldest first. Buckets without requests are left out, as in Logflare.
pub(super) fn count(
    folder: &Path,
    name: &str,
    now: DateTime<Utc>,
) -> Result<Vec<Value>, QueryError> {
    let (length, part) =
        interval(name).ok_or_else(|| QueryError::query("Unsupported query: unknown interval"))?;
    let since = now - length;
    let mut parts: BTreeMap<i64, BTreeMap<String, i64>> = BTreeMap::new();
    visit_newest_first(folder, Some(since), |_, entry| {
        if entry.is_request() && entry.time >= since {
            let counts = parts.entry(part.truncate(entry.time.timestamp_micros())).or_default();
            *counts.entry(entry.service).or_default() += 1;
        }
        ControlFlow::Continue(())
    })?;
    let row = |(start, counts): (i64, BTreeMap<String, i64>)| {
        let of = |service: &str| counts.get(service).copied().unwrap_or_default();
        Some(json!({
            "timestamp": part_begin(start)?,
            "total_rest_requests": of("rest"),
            "total_storage_requests": of("storage"),
            "total_auth_requests": of("auth"),
            "total_realtime_requests": of("realtime"),
        }))
    };
    Ok(parts.into_iter().filter_map(row).collect())
}
