//! What the operator's port asks of the running stack.

use std::sync::Arc;

use compat_pg::Pools;
use compat_token::Gate;

use crate::{Health, Metrics};

/// The stack's parts that can tell how they are.
pub(super) struct StackHealth {
    pub pools: Pools,
    pub gate: Arc<Gate>,
    pub rest: Option<compat_rest::State>,
}

impl Health for StackHealth {
    fn ready(&self) -> Result<(), String> {
        match &self.rest {
            Some(rest) if !rest.is_ready() => Err("the schema cache is not loaded".to_owned()),
            _ => Ok(()),
        }
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
