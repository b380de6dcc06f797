//! What the service runs with.

use std::sync::Arc;

use compat_http::ServiceEnvironment;

use crate::host::{Host, Registry};
use crate::{CallStats, Config, Function, RegistryError};

/// Keys and clock, settings, and whoever has the functions; cheap to clone.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    environment: ServiceEnvironment,
    config: Config,
    host: Arc<dyn Host>,
    stats: CallStats,
}

/// A function that may be called, and whether it is to be called with a token.
pub(crate) struct Entry {
    pub function: Arc<dyn Function>,
    pub verify_jwt: bool,
}

impl State {
    /// A service of these functions and no others.
    ///
    /// # Errors
    /// When two functions share a name, or one has a name no path segment can be.
    pub fn new(
        environment: ServiceEnvironment,
        config: Config,
        functions: Vec<Arc<dyn Function>>,
    ) -> Result<Self, RegistryError> {
        Ok(Self::with_host(environment, config, Arc::new(Registry::new(functions)?)))
    }

    /// A service of whatever functions `host` has when they are called.
    pub fn with_host(environment: ServiceEnvironment, config: Config, host: Arc<dyn Host>) -> Self {
        Self::counted_in(environment, config, host, CallStats::default())
    }

    /// The same, whose calls are counted in `stats`.
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

    /// The function of a name, under the settings that apply to it. A disabled one is none.
    pub(crate) fn entry(&self, name: &str) -> Option<Entry> {
        let config = self.config();
        let own = config.functions.get(name).cloned().unwrap_or_default();
        let function = self.0.host.find(name).filter(|_| own.enabled)?;
        // Its own entry decides; then the service's switch may free all; then the function.
        let verify_jwt =
            own.verify_jwt.unwrap_or_else(|| config.verify_jwt && function.verify_jwt());
        Some(Entry { function, verify_jwt })
    }
}
