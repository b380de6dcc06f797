//! The interface of a service to the stack: how it is mounted and started, and what it offers while
//! it runs. The stack loops over services and knows none of them by name.

use std::fmt;

use axum::Router;
use compat_functions::BoxFuture;
use compat_http::ServiceEnvironment;
use compat_pg::{Pools, SchemaSource};
use http::Extensions;
use prometheus::core::Collector;
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use crate::{Application, ProjectKeys, Settings, StackError};

/// Makes a service's routes for an application.
type RouterFactory = Box<dyn Fn(&Application) -> Result<Router, StackError> + Send + Sync>;

/// Makes a future of a background task or of readiness.
type TaskFactory = Box<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;

/// One service; see [`crate::services`] for the list.
pub struct Service {
    /// The name in `--only` and in the metrics.
    pub name: &'static str,
    /// The path under which the service is mounted.
    pub path: &'static str,
    /// The schema that the service owns.
    pub schema: Option<&'static SchemaSource>,
    /// What differs when the service runs alone.
    pub standalone: StandaloneMode,
    /// Starts the service.
    pub(crate) start: fn(&StartContext<'_>) -> Result<RunningService, StackError>,
}

/// What differs when a service runs without the others, as its original does on a server of its
/// own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandaloneMode {
    /// Nothing differs.
    Same,
    /// The service also answers at the root path, as its original does.
    AtRoot,
    /// The service also answers at the root path, handles CORS itself because no gateway stands
    /// before it, and creates nothing in the operator's database.
    ForeignDatabase,
}

impl PartialEq for Service {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What is available when services start.
pub(crate) struct StartContext<'a> {
    pub environment: &'a ServiceEnvironment,
    pub keys: &'a ProjectKeys,
    pub pools: &'a Pools,
    pub settings: &'a Settings,
    /// The database URL for programs; its login has no superuser rights if such a login exists.
    pub programs_url: &'a SecretString,
    /// Cancelled when background work must end.
    pub stop: &'a CancellationToken,
}

/// A running service, and what the stack does for it.
pub(crate) struct RunningService {
    /// The service's routes, relative to its path.
    pub mount: RouterFactory,
    /// Further pages beside its path, without CORS.
    pub beside: Router,
    /// Routes for the operator's port.
    pub operators: Router,
    /// Routes for the console alone, below `/project`. They do not check the operator's rights.
    pub console: Router,
    /// Background tasks by name; see [`crate::Tasks`].
    pub tasks: Vec<(&'static str, TaskFactory)>,
    /// Why the service cannot serve requests now.
    pub missing: Box<dyn Fn() -> Option<String> + Send + Sync>,
    /// Completes when the service is ready for the first time.
    pub warm: TaskFactory,
    /// Reloads what the service caches.
    pub reload: Box<dyn Fn() + Send + Sync>,
    /// The service's metrics, taken out when they are registered.
    pub figures: Option<Box<dyn Collector>>,
    /// Extensions that an application may request, by type.
    pub offers: Extensions,
}

impl RunningService {
    /// A service with these routes and nothing else.
    pub fn new(
        mount: impl Fn(&Application) -> Result<Router, StackError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            mount: Box::new(mount),
            beside: Router::new(),
            operators: Router::new(),
            console: Router::new(),
            tasks: Vec::new(),
            missing: Box::new(|| None),
            warm: Box::new(|| Box::pin(std::future::ready(()))),
            reload: Box::new(|| {}),
            figures: None,
            offers: Extensions::new(),
        }
    }

    /// Adds a background task.
    pub fn with_task<T>(
        mut self,
        name: &'static str,
        make: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self
    where
        T: Future<Output = ()> + Send + 'static,
    {
        self.tasks.push((name, Box::new(move || Box::pin(make()))));
        self
    }
}
