//! What the handlers run with.

use std::sync::Arc;

use compat_http::ServiceEnvironment;
use compat_pg::SessionDb;

use crate::Config;

/// Keys, connections and settings; cheap to clone.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    environment: ServiceEnvironment,
    sessions: SessionDb,
    config: Config,
}

impl State {
    /// A service whose statements run on connections of `sessions`.
    pub fn new(environment: ServiceEnvironment, sessions: SessionDb, config: Config) -> Self {
        Self(Arc::new(Inner { environment, sessions, config }))
    }

    pub(crate) fn environment(&self) -> &ServiceEnvironment {
        &self.0.environment
    }

    /// Where statements run.
    pub fn sessions(&self) -> &SessionDb {
        &self.0.sessions
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }
}
