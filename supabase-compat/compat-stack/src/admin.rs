//! The operator's port: `/live`, `/ready`, `/metrics`, and what services add.
//!
//! The port is for machines in the operator's own network and authenticates nobody. Where it
//! listens on loopback only, requests whose `Host` is not a name of this machine are refused (DNS
//! rebinding).

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use compat_pg::ActingDb;
use http::{StatusCode, header};
use prometheus::{Encoder as _, TextEncoder};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::mailbox::is_named_local;
use crate::serve::ConnectionLimits;
use crate::service::{RunningService, Service};
use crate::{Metrics, Tasks};

/// How long `/ready` waits for the database.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The operator's port has few clients, and their requests are short.
pub(crate) const LIMITS: ConnectionLimits = ConnectionLimits {
    first_head: Duration::from_secs(15),
    next_head: Duration::from_secs(75),
    body: Duration::from_secs(15),
    answer: Duration::from_secs(10),
    farewell: Duration::ZERO,
    drain_timeout: Duration::from_secs(1),
    connections: 64,
};

/// State of the routes on the operator's port.
#[derive(Clone)]
pub(crate) struct Admin {
    pub services: Arc<[(&'static Service, RunningService)]>,
    pub acting: ActingDb,
    pub tasks: Tasks,
    pub metrics: Metrics,
    /// Cancelled when the program is asked to stop, so that `/ready` turns clients away.
    pub stopping: CancellationToken,
}

/// Router of the operator's port.
pub(crate) fn router(admin: Admin) -> Router {
    let added = admin.services.iter().map(|(_, running)| running.operators.clone());
    let router = added.fold(Router::new(), Router::merge);
    let own = Router::new()
        .route("/live", get(|| async { StatusCode::OK }))
        .route("/ready", get(ready))
        .route("/metrics", get(read_metrics))
        .with_state(admin);
    router.merge(own)
}

/// Adds a check of the `Host` header to a router that listens on loopback only.
pub(crate) fn guarded(router: Router, host: IpAddr) -> Router {
    match host.is_loopback() {
        true => router.layer(from_fn(named_local)),
        false => router,
    }
}

async fn named_local(request: Request, next: Next) -> Response {
    match is_named_local(request.headers()) {
        true => next.run(request).await,
        false => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn ready(State(admin): State<Admin>) -> (StatusCode, String) {
    match admin.missing().await {
        None => (StatusCode::OK, String::new()),
        Some(missing) => (StatusCode::SERVICE_UNAVAILABLE, missing),
    }
}

impl Admin {
    /// Why the stack cannot serve requests now, in words for the operator.
    async fn missing(&self) -> Option<String> {
        if self.stopping.is_cancelled() {
            return Some("stopping".to_owned());
        }
        let missing = self.services.iter().find_map(|(_, running)| (running.missing)());
        if missing.is_some() {
            return missing;
        }
        let failing = self.tasks.failing();
        if !failing.is_empty() {
            return Some(format!("background work keeps failing: {}", failing.join(", ")));
        }
        match timeout(TIMEOUT, self.acting.check()).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("the database does not answer".to_owned()),
        }
    }
}

async fn read_metrics(State(admin): State<Admin>) -> ([(header::HeaderName, String); 1], Vec<u8>) {
    let encoder = TextEncoder::new();
    let mut text = Vec::new();
    if let Err(error) = encoder.encode(&admin.metrics.gather(), &mut text) {
        tracing::error!(%error, "cannot encode the metrics");
    }
    ([(header::CONTENT_TYPE, encoder.format_type().to_owned())], text)
}
