//! The operator's port: `/live`, `/ready`, `/metrics`, and what services add.
//!
//! It is for machines inside the operator's walls and asks nobody who they are. Where it listens to
//! this machine only, a page whose own name points here is refused.

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

/// How long the database may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(2);

/// Few ask here, and none for long.
pub(crate) const LIMITS: ConnectionLimits = ConnectionLimits {
    first_head: Duration::from_secs(15),
    next_head: Duration::from_secs(75),
    body: Duration::from_secs(15),
    answer: Duration::from_secs(10),
    farewell: Duration::ZERO,
    patience: Duration::from_secs(1),
    connections: 64,
};

/// What the operator's port asks of the running stack.
#[derive(Clone)]
pub(crate) struct Admin {
    pub services: Arc<[(&'static Service, RunningService)]>,
    pub acting: ActingDb,
    pub tasks: Tasks,
    pub metrics: Metrics,
    /// Cancelled when the program is asked to stop: nobody should send more.
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

/// The same, for whoever calls it by a name of this machine where it listens to no other.
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
    /// What stands in the way of serving requests now, for the operator.
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
        match timeout(PATIENCE, self.acting.check()).await {
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
        tracing::error!(%error, "metrics not written");
    }
    ([(header::CONTENT_TYPE, encoder.format_type().to_owned())], text)
}
