//! What is counted, and the layer that counts requests.

use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use compat_token::CacheCounts;
use prometheus::proto::MetricFamily;
use prometheus::{
    Gauge, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry,
};

/// Counters and gauges of one process. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    durations: HistogramVec,
    /// Background tasks that were started again.
    pub(crate) task_restarts: IntCounterVec,
    /// Most connections the acting pool may hold.
    pub pool_max: IntGauge,
    /// Connections of the acting pool that wait for work.
    pub pool_available: IntGauge,
    /// Requests that wait for a connection.
    pub pool_waiting: IntGauge,
    pool_timeouts: IntCounter,
    schema_loads: IntCounterVec,
    schema_load_seconds: Gauge,
    jwt_requests: IntCounter,
    jwt_hits: IntCounter,
    jwt_evictions: IntCounter,
}

impl Metrics {
    /// A fresh set.
    ///
    /// # Errors
    /// Only when a name is given twice, which is a mistake in this file.
    pub fn new() -> Result<Self, prometheus::Error> {
        let registry = Registry::new();
        let requests = IntCounterVec::new(
            Opts::new("http_requests_total", "Requests answered, by service and status."),
            &["service", "status"],
        )?;
        let durations = HistogramVec::new(
            HistogramOpts::new("http_request_duration_seconds", "Time to the answer's head.")
                .buckets(vec![
                    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0,
                ]),
            &["service"],
        )?;
        let task_restarts = IntCounterVec::new(
            Opts::new("background_task_restarts_total", "Background tasks started again."),
            &["task"],
        )?;
        registry.register(Box::new(task_restarts.clone()))?;
        let gauge = |name: &str, help: &str| IntGauge::new(name, help);
        let metrics = Self {
            requests,
            durations,
            task_restarts,
            pool_max: gauge("pgrst_db_pool_max", "Most connections of the acting pool.")?,
            pool_available: gauge("pgrst_db_pool_available", "Idle connections of the pool.")?,
            pool_waiting: gauge("pgrst_db_pool_waiting", "Requests waiting for a connection.")?,
            pool_timeouts: IntCounter::new(
                "pgrst_db_pool_timeouts_total",
                "Requests that found no connection in time.",
            )?,
            schema_loads: IntCounterVec::new(
                Opts::new("pgrst_schema_cache_loads_total", "Loads of the schema cache."),
                &["status"],
            )?,
            schema_load_seconds: Gauge::new(
                "pgrst_schema_cache_query_time_seconds",
                "How long the last load of the schema cache took.",
            )?,
            jwt_requests: IntCounter::new(
                "pgrst_jwt_cache_requests_total",
                "Tokens looked up among those verified before.",
            )?,
            jwt_hits: IntCounter::new("pgrst_jwt_cache_hits_total", "Tokens found there.")?,
            jwt_evictions: IntCounter::new(
                "pgrst_jwt_cache_evictions_total",
                "Tokens forgotten to make room.",
            )?,
            registry,
        };
        metrics.registry.register(Box::new(metrics.requests.clone()))?;
        metrics.registry.register(Box::new(metrics.durations.clone()))?;
        for gauge in [&metrics.pool_max, &metrics.pool_available, &metrics.pool_waiting] {
            metrics.registry.register(Box::new(gauge.clone()))?;
        }
        for counter in [&metrics.jwt_requests, &metrics.jwt_hits, &metrics.jwt_evictions] {
            metrics.registry.register(Box::new(counter.clone()))?;
        }
        metrics.registry.register(Box::new(metrics.pool_timeouts.clone()))?;
        metrics.registry.register(Box::new(metrics.schema_loads.clone()))?;
        metrics.registry.register(Box::new(metrics.schema_load_seconds.clone()))?;
        Ok(metrics)
    }

    /// Takes over what rest/v1 has counted itself.
    pub(crate) fn observe_rest(&self, seen: &compat_rest::Metrics) {
        set(&self.pool_timeouts, seen.pool_timeouts);
        let by_status = |status: &str| self.schema_loads.with_label_values(&[status]);
        set(&by_status("SUCCESS"), seen.schema_cache_loads);
        set(&by_status("FAIL"), seen.schema_cache_failed_loads);
        self.schema_load_seconds.set(seen.schema_cache_load_time.as_secs_f64());
    }

    /// Takes over what the gate has counted itself.
    pub(crate) fn observe_tokens(&self, seen: CacheCounts) {
        set(&self.jwt_requests, seen.requests);
        set(&self.jwt_hits, seen.hits);
        set(&self.jwt_evictions, seen.evictions);
    }

    /// All families, as they are now.
    pub fn gather(&self) -> Vec<MetricFamily> {
        self.registry.gather()
    }
}

fn set(counter: &IntCounter, count: u64) {
    counter.reset();
    counter.inc_by(count);
}

/// The name under which a path is counted: a service's mount, or `pages` for all else.
fn service_of(path: &str) -> &'static str {
    const MOUNTS: [&str; 3] = ["rest", "auth", "functions"];
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    MOUNTS.into_iter().find(|mount| *mount == first).unwrap_or("pages")
}

/// Middleware that counts and times.
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
