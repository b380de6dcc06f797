//! How often each function was called and with what outcome, for the operator.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::StatusCode;

/// Counts of calls. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<Pages>>);

type Pages = BTreeMap<String, Page>;

#[derive(Debug, Default)]
struct Page {
    calls: BTreeMap<u16, u64>,
    last: Option<Last>,
}

/// The outcome of a function's last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    /// The answer's status.
    pub status: u16,
    /// When it began.
    pub at: DateTime<Utc>,
    /// Time from the request to its beginning.
    pub took: Duration,
}

impl Ledger {
    /// Notes a call of a function that is there; names of others are not kept, for anybody may make
    /// them up.
    pub(crate) fn note(&self, name: &str, status: StatusCode, at: DateTime<Utc>, took: Duration) {
        let mut pages = self.pages();
        if !pages.contains_key(name) {
            pages.insert(name.to_owned(), Page::default());
        }
        let Some(page) = pages.get_mut(name) else { return };
        *page.calls.entry(status.as_u16()).or_default() += 1;
        page.last = Some(Last { status: status.as_u16(), at, took });
    }

    /// Calls by function and status.
    pub fn calls(&self) -> Vec<(String, u16, u64)> {
        let pages = self.pages();
        let of = |(name, page): (&String, &Page)| {
            let counted = page.calls.iter().map(|(status, count)| (name.clone(), *status, *count));
            counted.collect::<Vec<_>>()
        };
        pages.iter().flat_map(of).collect()
    }

    /// The last outcome of each function that was called.
    pub fn last(&self) -> BTreeMap<String, Last> {
        let pages = self.pages();
        pages.iter().filter_map(|(name, page)| Some((name.clone(), page.last?))).collect()
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
