//! The state of the service.

use std::sync::Arc;

use compat_http::ServiceEnvironment;

use crate::host::{Host, Registry};
use crate::{CallStats, Config, Function, RegistryError};

/// Keys, clock, settings and the host of the functions; cheap to clone.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    environment: ServiceEnvironment,
    config: Config,
    host: Arc<dyn Host>,
    stats: CallStats,
}

/// A function that may be called, and whether a call needs a token.
pub(crate) struct Entry {
    pub function: Arc<dyn Function>,
    pub verify_jwt: bool,
}

impl State {
    /// Creates the state of a service with these functions and no others.
    ///
    /// # Errors
    /// When two functions share a name, or a name is not a valid path segment.
    pub fn new(
        environment: ServiceEnvironment,
        config: Config,
        functions: Vec<Arc<dyn Function>>,
    ) -> Result<Self, RegistryError> {
        Ok(Self::with_host(environment, config, Arc::new(Registry::new(functions)?)))
    }

    /// Creates the state of a service that looks functions up in `host` at each call.
    pub fn with_host(environment: ServiceEnvironment, config: Config, host: Arc<dyn Host>) -> Self {
        Self::counted_in(environment, config, host, CallStats::default())
    }

    /// As [`Self::with_host`], with calls counted in `stats`.
    pub fn counted_in(
        environment: ServiceEnvironment,
        config: Config,
        host: Arc<dyn Host>,
        stats: CallStats,
    ) -> Self {
        Self(Arc::new(Inner { environment, config, host, stats }))
    }

    pub(crate) fn stats(&self) -> &CallStats {
        &self.0.stats
    }

    pub(crate) fn environment(&self) -> &ServiceEnvironment {
        &self.0.environment
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    /// The function with this name and the settings that apply to it; `None` if it is disabled.
    pub(crate) fn entry(&self, name: &str) -> Option<Entry> {
        let config = self.config();
        let own = config.functions.get(name).cloned().unwrap_or_default();
        let function = self.0.host.find(name).filter(|_| own.enabled)?;
        // The function's entry in the settings decides. Without one, the service's setting may turn
        // verification off for all functions; else the function's own choice holds.
        let verify_jwt =
            own.verify_jwt.unwrap_or_else(|| config.verify_jwt && function.verify_jwt());
        Some(Entry { function, verify_jwt })
    }
}
