//! Functions for the operator: figures for the metrics, and `/functions` on the operator's port.

use axum::routing::get;
use axum::{Json, Router};
use compat_functions::{Ledger, Scripts, Standing};
use prometheus::core::Collector;
use serde_json::{Value, json};

use crate::metrics::{Figure, Figures};

/// `/functions`: every function that is there or was called, with its last outcome.
pub(super) fn router(ledger: Ledger, scripts: Option<Scripts>) -> Router {
    Router::new().route(
        "/functions",
        get(move || {
            let described = describe(&ledger, scripts.as_ref());
            async move { Json(described) }
        }),
    )
}

fn describe(ledger: &Ledger, scripts: Option<&Scripts>) -> Value {
    let last = ledger.last();
    let standings = scripts.map(Scripts::standings).unwrap_or_default();
    let mut names: Vec<String> = last.keys().cloned().collect();
    names.extend(scripts.map(Scripts::list).unwrap_or_default().into_iter().map(|(name, _)| name));
    names.sort_unstable();
    names.dedup();
    let of = |name: &String| {
        let standing = standings.iter().find(|standing| standing.name == *name);
        let last = last.get(name);
        json!({
            "name": name,
            "last_status": last.map(|last| last.status),
            "last_called_at": last.map(|last| last.at),
            "last_took_ms": last.map(|last| last.took.as_secs_f64() * 1000.0),
            "process": standing.map(|standing| json!({
                "running": standing.is_running,
                "memory_bytes": standing.memory,
                "starts": standing.starts,
                "ends": standing.ends,
            })),
        })
    };
    let missing = scripts.and_then(Scripts::missing);
    json!({ "functions": names.iter().map(of).collect::<Vec<_>>(), "missing": missing })
}

/// Calls by function and status; processes, their memory and how they ended.
pub(super) fn figures(ledger: Ledger, scripts: Option<Scripts>) -> Box<dyn Collector> {
    Box::new(Figures::new(move || {
        let standings = scripts.as_ref().map(Scripts::standings).unwrap_or_default();
        vec![calls(&ledger), starts(&standings), ends(&standings), memory(&standings)]
    }))
}

fn calls(ledger: &Ledger) -> Figure {
    let counted = ledger.calls();
    let rows = counted
        .iter()
        .map(|(name, status, count)| (vec![name.clone(), status.to_string()], *count));
    let labels = &["function", "status"];
    Figure::counters_by("functions_calls_total", "Calls of functions.", labels, rows)
}

fn starts(standings: &[Standing]) -> Figure {
    let rows = standings.iter().map(|standing| (vec![standing.name.clone()], standing.starts));
    let help = "Processes started for functions in TypeScript.";
    Figure::counters_by("functions_process_starts_total", help, &["function"], rows)
}

fn ends(standings: &[Standing]) -> Figure {
    let of = |standing: &Standing| {
        let ends = standing.ends.clone();
        let name = standing.name.clone();
        ends.into_iter().map(move |(why, count)| (vec![name.clone(), why.to_owned()], count))
    };
    let help = "Processes of functions that ended, by why.";
    let rows = standings.iter().flat_map(of);
    Figure::counters_by("functions_process_ends_total", help, &["function", "reason"], rows)
}

fn memory(standings: &[Standing]) -> Figure {
    let rows = standings.iter().map(|standing| (vec![standing.name.clone()], standing.memory));
    let help = "Memory of functions' processes, of their own.";
    Figure::gauges_by("functions_memory_bytes", help, &["function"], rows)
}
