//! What a service is to the stack: one value that says how it is mounted and started, and what it
//! gives once it runs. The stack loops over these and knows none of them by name.

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

/// Makes routes for what an application brings.
type RouterFactory = Box<dyn Fn(&Application) -> Result<Router, StackError> + Send + Sync>;

/// Makes something to wait for.
type TaskFactory = Box<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;

/// One service; see [`crate::services`] for all of them.
pub struct Service {
    /// Its word for `--only`, and in the metrics.
    pub name: &'static str,
    /// Where it is mounted.
    pub path: &'static str,
    /// The schema it owns.
    pub schema: Option<&'static SchemaSource>,
    /// What is different when nothing else runs.
    pub standalone: StandaloneMode,
    /// Makes it ready to serve.
    pub(crate) start: fn(&StartContext<'_>) -> Result<RunningService, StackError>,
}

/// What is different when a service runs without the others, where its original has a server of its
/// own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandaloneMode {
    /// Nothing.
    Same,
    /// It answers at the root as well, where its original does.
    AtRoot,
    /// The same; and it is a guest: no gateway stands before it, so it answers other origins by
    /// rules of its own, and the operator's database is somebody else's, where nothing is made.
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

/// What there is when services start.
pub(crate) struct StartContext<'a> {
    pub environment: &'a ServiceEnvironment,
    pub keys: &'a ProjectKeys,
    pub pools: &'a Pools,
    pub settings: &'a Settings,
    /// The address that other programs use, of a login without superuser rights where there is one.
    pub programs_url: &'a SecretString,
    /// Cancelled when background work is to end.
    pub stop: &'a CancellationToken,
}

/// A service that runs, and what the stack is to do for it.
pub(crate) struct RunningService {
    /// Its routes, relative to its path.
    pub mount: RouterFactory,
    /// Pages beside its path that no other origin may read.
    pub beside: Router,
    /// What it adds to the operator's port.
    pub operators: Router,
    /// What it tells and does for the console alone, below `/project`. Whoever reaches it may do all of it.
    pub console: Router,
    /// Background work by name; see [`crate::Tasks`].
    pub tasks: Vec<(&'static str, TaskFactory)>,
    /// What stands in the way of serving requests now.
    pub missing: Box<dyn Fn() -> Option<String> + Send + Sync>,
    /// Ends when nothing stands in the way for the first time.
    pub warm: TaskFactory,
    /// Reads anew what it keeps in memory.
    pub reload: Box<dyn Fn() + Send + Sync>,
    /// Its figures for the metrics, taken out when it is registered.
    pub figures: Option<Box<dyn Collector>>,
    /// What an application may ask for, by type.
    pub offers: Extensions,
}

impl RunningService {
    /// A service of these routes that needs and gives nothing more.
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

    /// The same with background work.
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
