//! The state of the handlers.

use std::sync::Arc;

use compat_http::ServiceEnvironment;
use compat_pg::SessionDb;

use crate::{Config, SqlParser};

/// The shared keys, connections and settings. Cheap to clone.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    environment: ServiceEnvironment,
    sessions: SessionDb,
    config: Config,
    parser: Option<Arc<dyn SqlParser>>,
}

impl State {
    /// Creates the state of a service whose statements run on connections of `sessions`.
    pub fn new(environment: ServiceEnvironment, sessions: SessionDb, config: Config) -> Self {
        Self(Arc::new(Inner { environment, sessions, config, parser: None }))
    }

    /// Adds a parser for `/query/parse` and `/query/deparse`.
    #[must_use]
    pub fn with_parser(&self, parser: Arc<dyn SqlParser>) -> Self {
        let Inner { environment, sessions, config, .. } = &*self.0;
        Self(Arc::new(Inner {
            environment: environment.clone(),
            sessions: sessions.clone(),
            config: config.clone(),
            parser: Some(parser),
        }))
    }

    pub(crate) fn parser(&self) -> Option<&dyn SqlParser> {
        self.0.parser.as_deref()
    }

    pub(crate) fn environment(&self) -> &ServiceEnvironment {
        &self.0.environment
    }

    /// The connections for statements.
    pub fn sessions(&self) -> &SessionDb {
        &self.0.sessions
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }
}
