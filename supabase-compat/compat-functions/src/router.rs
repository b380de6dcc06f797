//! Paths to handlers.

use std::sync::Arc;

use axum::{Router, routing::any};
use compat_http::Edge;

use crate::{Config, Function, RegistryError, registry::Registry, wire::invocation};

/// What the service runs with; cheap to clone.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    edge: Edge,
    config: Config,
    registry: Registry,
}

impl State {
    /// Puts functions under the settings that apply to them.
    ///
    /// # Errors
    /// When two functions share a name, or one has a name no path segment can be.
    pub fn new(
        edge: Edge,
        config: Config,
        functions: Vec<Arc<dyn Function>>,
    ) -> Result<Self, RegistryError> {
        let registry = Registry::new(&config, functions)?;
        Ok(Self(Arc::new(Inner { edge, config, registry })))
    }

    pub(crate) fn edge(&self) -> &Edge {
        &self.0.edge
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.0.registry
    }
}

/// The service's routes, relative to its mount. It expects the layers of `compat-http` around it:
/// they answer preflights, add the CORS header where a function did not, and name the client's
/// address.
pub fn router(state: State) -> Router {
    Router::new()
        .route("/{name}", any(invocation::call))
        .route("/{name}/", any(invocation::call))
        .route("/{name}/{*rest}", any(invocation::call))
        .fallback(invocation::unnamed)
        .with_state(state)
}
