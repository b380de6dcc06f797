//! Statistics of functions by time bucket: `functions.invocation-stats` as in Logflare, and
//! `functions.combined-stats` for Studio. Processor time and memory of a call are not measured.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use super::expression::TimePart;
use super::{MOST_PARTS, Parameters, QueryError, part_begin};
use crate::logs::{LogEntry, LogLevel, visit_newest_first};

/// Which statistics are queried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FunctionStats {
    /// Calls and their durations.
    Invocations,
    /// Calls by the class of their status, and printed lines by their level.
    Combined,
}

/// The queried interval; a day if the name is unknown, as in Logflare.
fn interval(name: Option<&str>) -> (Duration, TimePart) {
    match name {
        Some("5min") => (Duration::minutes(5), TimePart::Second),
        Some("15min") => (Duration::minutes(15), TimePart::Minute),
        Some("1hr") => (Duration::hours(1), TimePart::Minute),
        Some("3hr") => (Duration::hours(3), TimePart::Minute),
        Some("7day") => (Duration::days(7), TimePart::Day),
        _ => (Duration::days(1), TimePart::Hour),
    }
}

/// The statistics of one bucket.
#[derive(Debug, Default)]
struct FunctionFigures {
    /// Milliseconds of each call.
    times: Vec<f64>,
    /// Calls by the first digit of their status.
    classes: [i64; 6],
    /// Printed lines by level: debug, info, warn, error.
    lines: [i64; 4],
}

/// The statistics by bucket, oldest first, of the function in `function_id` or of all. Empty
/// buckets are left out.
///
/// # Errors
/// The log cannot be read.
pub(super) fn count(
    folder: &Path,
    stats: FunctionStats,
    parameters: &Parameters,
    now: DateTime<Utc>,
) -> Result<Vec<Value>, QueryError> {
    let (length, part) = interval(parameters.get("interval"));
    let function = parameters.get("function_id");
    let since = now - length;
    let mut parts: BTreeMap<i64, FunctionFigures> = BTreeMap::new();
    visit_newest_first(folder, Some(since), |_, entry| {
        let is_selected = entry.service == "functions"
            && entry.time >= since
            && function.is_none_or(|name| entry.function.as_deref() == Some(name))
            && (entry.is_request() || stats == FunctionStats::Combined);
        if is_selected {
            let begin = part.truncate(entry.time.timestamp_micros());
            parts.entry(begin).or_default().add(&entry);
        }
        ControlFlow::Continue(())
    })?;
    let skipped = parts.len().saturating_sub(MOST_PARTS);
    let rows = parts.into_iter().skip(skipped);
    Ok(rows.filter_map(|(begin, figures)| figures.row(part_begin(begin)?, stats)).collect())
}

impl FunctionFigures {
    fn add(&mut self, entry: &LogEntry) {
        match entry.status {
            Some(status) => {
                self.times.push(entry.duration_ms.unwrap_or_default());
                self.classes[usize::from(status / 100).min(5)] += 1;
            }
            None => {
                let level = match entry.level {
                    LogLevel::Debug => 0,
                    LogLevel::Info => 1,
                    LogLevel::Warn => 2,
                    LogLevel::Error => 3,
                };
                self.lines[level] += 1;
            }
        }
    }

    fn row(mut self, begin: String, stats: FunctionStats) -> Option<Value> {
        self.times.sort_by(f64::total_cmp);
        let calls = self.times.len();
        let average = (calls > 0).then(|| self.times.iter().sum::<f64>() / calls as f64);
        let [_, _, success, redirect, client, server] = self.classes;
        let [_, info, warn, error] = self.lines;
        Some(match stats {
            FunctionStats::Invocations => json!({
                "timestamp": begin,
                "count": calls,
                "error_count": client + server,
                "min_execution_time": self.times.first(),
                "max_execution_time": self.times.last(),
                "avg_execution_time": average,
                "p95_execution_time": self.quantile(95),
                "p99_execution_time": self.quantile(99),
            }),
            FunctionStats::Combined => json!({
                "timestamp": begin,
                "requests_count": calls,
                "success_count": success,
                "redirect_count": redirect,
                "client_err_count": client,
                "server_err_count": server,
                "avg_execution_time": average.unwrap_or_default(),
                "max_execution_time": self.times.last().copied().unwrap_or_default(),
                "log_count": self.lines.iter().sum::<i64>(),
                "log_info_count": info,
                "log_warn_count": warn,
                "log_error_count": error,
            }),
        })
    }

    /// The duration that this percentage of the calls did not exceed; `times` must be sorted.
    fn quantile(&self, of_hundred: usize) -> Option<f64> {
        let place = self.times.len().checked_sub(1)? * of_hundred;
        self.times.get(place.div_ceil(100)).copied()
    }
}
