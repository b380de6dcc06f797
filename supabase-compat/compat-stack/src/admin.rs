//! The operator's port: `/live`, `/ready`, `/metrics` and `/schema_cache`.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use compat_functions::BoxFuture;
use http::{StatusCode, header};
use prometheus::{Encoder as _, TextEncoder};
use serde_json::Value;

use crate::Metrics;

/// What the operator's port asks of the running stack.
pub trait Health: Send + Sync {
    /// What stands in the way of serving requests now, for the operator.
    fn missing(&self) -> BoxFuture<'_, Option<String>>;
    /// Brings gauges up to date before they are read.
    fn observe(&self, metrics: &Metrics);
    /// The schema cache in use, where there is one.
    fn schema_cache(&self) -> Option<serde_json::Value>;
}

#[derive(Clone)]
struct Admin {
    health: Arc<dyn Health>,
    metrics: Metrics,
}

/// Router of the operator's port.
pub fn router(health: Arc<dyn Health>, metrics: Metrics) -> Router {
    Router::new()
        .route("/live", get(|| async { StatusCode::OK }))
        .route("/ready", get(ready))
        .route("/metrics", get(read_metrics))
        .route("/schema_cache", get(schema_cache))
        .with_state(Admin { health, metrics })
}

async fn ready(State(admin): State<Admin>) -> (StatusCode, String) {
    match admin.health.missing().await {
        None => (StatusCode::OK, String::new()),
        Some(missing) => (StatusCode::SERVICE_UNAVAILABLE, missing),
    }
}

async fn schema_cache(State(admin): State<Admin>) -> Result<axum::Json<Value>, StatusCode> {
    admin.health.schema_cache().map(axum::Json).ok_or(StatusCode::SERVICE_UNAVAILABLE)
}

async fn read_metrics(State(admin): State<Admin>) -> ([(header::HeaderName, String); 1], Vec<u8>) {
    admin.health.observe(&admin.metrics);
    let encoder = TextEncoder::new();
    let mut text = Vec::new();
    if let Err(error) = encoder.encode(&admin.metrics.gather(), &mut text) {
        tracing::error!(%error, "metrics could not be written");
    }
    ([(header::CONTENT_TYPE, encoder.format_type().to_owned())], text)
}
