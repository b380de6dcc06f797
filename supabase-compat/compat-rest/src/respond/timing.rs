//! `Server-Timing`: how long each stage took.

use std::time::{Duration, Instant};

use axum::response::Response;
use http::HeaderValue;

/// A stopwatch over the stages.
#[derive(Debug)]
pub(crate) struct Timing {
    last: Instant,
    stages: Vec<(&'static str, Duration)>,
}

impl Timing {
    /// Starts at the given moment.
    pub(crate) fn start(now: Instant) -> Self {
        Self { last: now, stages: Vec::with_capacity(5) }
    }

    /// Records the stage that ends now.
    pub(crate) fn done(&mut self, stage: &'static str, now: Instant) {
        self.stages.push((stage, now.saturating_duration_since(self.last)));
        self.last = now;
    }

    /// Writes the header.
    pub(crate) fn write(&self, response: &mut Response) {
        let stages: Vec<String> = self
            .stages
            .iter()
            .map(|(stage, duration)| format!("{stage};dur={:.1}", duration.as_secs_f64() * 1000.0))
            .collect();
        if let Ok(value) = HeaderValue::from_str(&stages.join(", ")) {
            response.headers_mut().insert("server-timing", value);
        }
    }
}
