//! The clock, as an input.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};

/// Tells the time: the system's, or one that a test moves by hand.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    Manual(Arc<Mutex<DateTime<Utc>>>),
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands still until [`Self::advance`] moves it; clones share its time.
    pub fn manual(start: DateTime<Utc>) -> Self {
        Self(Source::Manual(Arc::new(Mutex::new(start))))
    }

    /// Now.
    pub fn now(&self) -> DateTime<Utc> {
        match &self.0 {
            #[expect(clippy::disallowed_methods, reason = "this is the one place that asks")]
            Source::System => Utc::now(),
            Source::Manual(hand) => *hand.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Now in Unix seconds.
    pub fn unix(&self) -> i64 {
        self.now().timestamp()
    }

    /// Sets a manual clock, also back; the system's clock is not ours to set.
    pub fn set(&self, to: DateTime<Utc>) {
        if let Source::Manual(hand) = &self.0 {
            *hand.lock().unwrap_or_else(PoisonError::into_inner) = to;
        }
    }

    /// Moves a manual clock forward; the system's clock is not ours to move.
    pub fn advance(&self, by: Duration) {
        if let Source::Manual(hand) = &self.0 {
            *hand.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}
