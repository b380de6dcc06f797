//! The metrics of the process, and the middleware that counts requests.

use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use prometheus::core::Collector;
use prometheus::proto::MetricFamily;
use prometheus::{
    HistogramVec, IntCounterVec, Registry, register_histogram_vec_with_registry,
    register_int_counter_vec_with_registry,
};

use crate::logs::service_of;

mod figures;

pub(crate) use figures::{Figure, Figures};

/// The metrics of one process. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    durations: HistogramVec,
    /// Restarts of background tasks, by the label `task`.
    pub(crate) task_restarts: IntCounterVec,
}

impl Metrics {
    /// A new registry with its metrics.
    ///
    /// # Errors
    /// Two metrics have the same name, which is a mistake in this file.
    pub fn new() -> Result<Self, prometheus::Error> {
        let registry = Registry::new();
        Ok(Self {
            requests: register_int_counter_vec_with_registry!(
                "http_requests_total",
                "Requests answered, by service and status.",
                &["service", "status"],
                registry
            )?,
            durations: register_histogram_vec_with_registry!(
                "http_request_duration_seconds",
                "Time to the answer's head.",
                &["service"],
                vec![0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0],
                registry
            )?,
            task_restarts: register_int_counter_vec_with_registry!(
                "background_task_restarts_total",
                "Background tasks that ended before their time and were started again.",
                &["task"],
                registry
            )?,
            registry,
        })
    }

    /// Adds metrics that another component keeps.
    ///
    /// # Errors
    /// One of their names is in use already.
    pub(crate) fn add(&self, figures: Box<dyn Collector>) -> Result<(), prometheus::Error> {
        self.registry.register(figures)
    }

    /// The current values of all metric families.
    pub fn gather(&self) -> Vec<MetricFamily> {
        self.registry.gather()
    }
}

/// Counts a request and measures its duration.
pub(crate) async fn count(
    State(metrics): State<Metrics>,
    request: Request,
    next: Next,
) -> Response {
    let service = service_of(request.uri().path());
    let started = Instant::now();
    let response = next.run(request).await;
    metrics.durations.with_label_values(&[service]).observe(started.elapsed().as_secs_f64());
    metrics.requests.with_label_values(&[service, response.status().as_str()]).inc();
    response
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

    use prometheus::TextEncoder;

    use super::*;

    fn text(metrics: &Metrics) -> String {
        TextEncoder::new().encode_to_string(&metrics.gather()).expect("metrics")
    }

    #[test]
    fn external_metrics_are_read_at_each_scrape() {
        let (metrics, scrapes) = (Metrics::new().expect("metrics"), Arc::new(AtomicU64::new(1)));
        let read = Arc::clone(&scrapes);
        let figures = move || {
            let now = read.load(SeqCst);
            let by_status = [("SUCCESS", now), ("FAIL", 0)];
            vec![
                Figure::counter("things_total", "Things.", now),
                Figure::counters("loads_total", "Loads.", "status", &by_status),
                Figure::gauge_of("places", "Places.", 7),
            ]
        };
        metrics.add(Box::new(Figures::new(figures))).expect("new names");
        assert!(text(&metrics).contains("\nthings_total 1\n"));
        scrapes.store(5, SeqCst);
        let text = text(&metrics);
        for line in [
            "things_total 5",
            "loads_total{status=\"SUCCESS\"} 5",
            "loads_total{status=\"FAIL\"} 0",
            "places 7",
        ] {
            assert!(text.lines().any(|text_line| text_line == line), "{line} in {text}");
        }
    }

    #[test]
    fn name_that_is_taken_is_refused() {
        let metrics = Metrics::new().expect("metrics");
        let figures = || vec![Figure::counter("http_requests_total", "Requests.", 0)];
        assert!(metrics.add(Box::new(Figures::new(figures))).is_err());
    }

    #[test]
    fn paths_are_counted_by_their_service() {
        assert_eq!(service_of("/rest/v1/things"), "rest");
        assert_eq!(service_of("/"), "pages");
        assert_eq!(service_of("/restaurants"), "pages");
    }
}
