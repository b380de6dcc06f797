//! What the operator's port asks of the running stack.

use std::sync::Arc;
use std::time::Duration;

use compat_functions::BoxFuture;
use compat_pg::Pools;
use compat_token::Gate;
use tokio::time::timeout;

use crate::{Health, Metrics, Tasks};

/// How long the database may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(2);

/// The stack's parts that can tell how they are.
pub(super) struct StackHealth {
    pub pools: Pools,
    pub gate: Arc<Gate>,
    pub rest: Option<compat_rest::State>,
    pub tasks: Tasks,
}

impl Health for StackHealth {
    fn missing(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(async {
            if self.rest.as_ref().is_some_and(|rest| !rest.is_ready()) {
                return Some("the schema cache is not loaded".to_owned());
            }
            let failing = self.tasks.failing();
            if !failing.is_empty() {
                return Some(format!("background work keeps failing: {}", failing.join(", ")));
            }
            match timeout(PATIENCE, self.pools.acting.query_raw("select 1", &[])).await {
                Ok(Ok(_)) => None,
                Ok(Err(error)) => Some(error.to_string()),
                Err(_) => Some("the database does not answer".to_owned()),
            }
        })
    }

    fn observe(&self, metrics: &Metrics) {
        let status = self.pools.acting.status();
        let gauge = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        metrics.pool_max.set(gauge(status.max));
        metrics.pool_available.set(gauge(status.available));
        metrics.pool_waiting.set(gauge(status.waiting));
        metrics.observe_tokens(self.gate.cache_counts());
        if let Some(rest) = &self.rest {
            metrics.observe_rest(&rest.metrics());
        }
    }

    fn schema_cache(&self) -> Option<serde_json::Value> {
        self.rest.as_ref().and_then(compat_rest::State::describe_schema)
    }
}
