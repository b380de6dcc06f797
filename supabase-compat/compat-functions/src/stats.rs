//! How often each function was called and with what outcome, for the operator.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::StatusCode;

/// Counts of calls. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct CallStats(Arc<Mutex<StatsByFunction>>);

type StatsByFunction = BTreeMap<String, FunctionStats>;

#[derive(Debug, Default)]
struct FunctionStats {
    calls: BTreeMap<u16, u64>,
    last: Option<LastCall>,
}

/// The outcome of a function's last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastCall {
    /// The answer's status.
    pub status: u16,
    /// When the answer began.
    pub at: DateTime<Utc>,
    /// The time from the request to the beginning of the answer.
    pub duration: Duration,
}

impl CallStats {
    /// Counts a call. `name` has to be that of an existing function, because clients could fill the
    /// memory with made-up names.
    pub(crate) fn note(
        &self,
        name: &str,
        status: StatusCode,
        at: DateTime<Utc>,
        duration: Duration,
    ) {
        let mut pages = self.pages();
        if !pages.contains_key(name) {
            pages.insert(name.to_owned(), FunctionStats::default());
        }
        let Some(page) = pages.get_mut(name) else { return };
        *page.calls.entry(status.as_u16()).or_default() += 1;
        page.last = Some(LastCall { status: status.as_u16(), at, duration });
    }

    /// Calls by function and status.
    pub fn calls(&self) -> Vec<(String, u16, u64)> {
        let pages = self.pages();
        let of = |(name, page): (&String, &FunctionStats)| {
            let counted = page.calls.iter().map(|(status, count)| (name.clone(), *status, *count));
            counted.collect::<Vec<_>>()
        };
        pages.iter().flat_map(of).collect()
    }

    /// The last outcome of each function that was called.
    pub fn last(&self) -> BTreeMap<String, LastCall> {
        let pages = self.pages();
        pages.iter().filter_map(|(name, page)| Some((name.clone(), page.last?))).collect()
    }

    fn pages(&self) -> MutexGuard<'_, StatsByFunction> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
