//! Functions for the operator: metrics, and `/functions` on the operator's port.

use axum::routing::get;
use axum::{Json, Router};
use compat_functions::{CallStats, FunctionStatus, Scripts};
use prometheus::core::Collector;
use serde_json::{Value, json};

use crate::metrics::{Figure, Figures};

/// `/functions`: every function that exists or was called, with its last outcome.
pub(super) fn router(stats: CallStats, scripts: Option<Scripts>) -> Router {
    Router::new().route(
        "/functions",
        get(move || {
            let described = describe(&stats, scripts.as_ref(), &[]);
            async move { Json(described) }
        }),
    )
}

/// Describes every function by name: those of the folder, those that were called, and the built-in
/// ones.
pub(super) fn describe(stats: &CallStats, scripts: Option<&Scripts>, built_in: &[String]) -> Value {
    let last = stats.last();
    let statuses = scripts.map(Scripts::statuses).unwrap_or_default();
    let mut names: Vec<String> = last.keys().chain(built_in).cloned().collect();
    names.extend(scripts.map(Scripts::list).unwrap_or_default().into_iter().map(|(name, _)| name));
    names.sort_unstable();
    names.dedup();
    let of = |name: &String| {
        let status = statuses.iter().find(|status| status.name == *name);
        let last = last.get(name);
        json!({
            "name": name,
            "last_status": last.map(|last| last.status),
            "last_called_at": last.map(|last| last.at),
            "last_took_ms": last.map(|last| last.duration.as_secs_f64() * 1000.0),
            "process": status.map(|status| json!({
                "running": status.is_running,
                "memory_bytes": status.memory,
                "starts": status.starts,
                "ends": status.ends,
            })),
        })
    };
    let missing = scripts.and_then(Scripts::missing);
    json!({ "functions": names.iter().map(of).collect::<Vec<_>>(), "missing": missing })
}

/// Metrics: calls by function and status; processes, their memory and how they ended.
pub(super) fn figures(stats: CallStats, scripts: Option<Scripts>) -> Box<dyn Collector> {
    Box::new(Figures::new(move || {
        let statuses = scripts.as_ref().map(Scripts::statuses).unwrap_or_default();
        vec![calls(&stats), starts(&statuses), ends(&statuses), memory(&statuses)]
    }))
}

fn calls(stats: &CallStats) -> Figure {
    let counted = stats.calls();
    let rows = counted
        .iter()
        .map(|(name, status, count)| (vec![name.clone(), status.to_string()], *count));
    let labels = &["function", "status"];
    Figure::counters_by("functions_calls_total", "Calls of functions.", labels, rows)
}

fn starts(statuses: &[FunctionStatus]) -> Figure {
    let rows = statuses.iter().map(|status| (vec![status.name.clone()], status.starts));
    let help = "Processes started for functions in TypeScript.";
    Figure::counters_by("functions_process_starts_total", help, &["function"], rows)
}

fn ends(statuses: &[FunctionStatus]) -> Figure {
    let of = |status: &FunctionStatus| {
        let ends = status.ends.clone();
        let name = status.name.clone();
        ends.into_iter().map(move |(why, count)| (vec![name.clone(), why.to_owned()], count))
    };
    let help = "Processes of functions that ended, by why.";
    let rows = statuses.iter().flat_map(of);
    Figure::counters_by("functions_process_ends_total", help, &["function", "reason"], rows)
}

fn memory(statuses: &[FunctionStatus]) -> Figure {
    let rows = statuses.iter().map(|status| (vec![status.name.clone()], status.memory));
    let help = "Memory of functions' processes, of their own.";
    Figure::gauges_by("functions_memory_bytes", help, &["function"], rows)
}
