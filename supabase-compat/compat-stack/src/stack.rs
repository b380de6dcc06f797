//! The running stack: what is started, mounted and stopped, and in which order.

pub mod connected_database;
pub mod database;
mod error;
mod extensions;
mod mount;
mod prepared;
mod prepared_cluster;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use compat_functions::BoxFuture;
use compat_functions::Function;
use compat_http::ServiceEnvironment;
use compat_pg::{EmbeddedPostgres, PgError, Pools, SchemaSource};
use compat_token::Authenticator;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use error::StackError;
pub use prepared::PreparedStack;
pub use prepared_cluster::write_cluster_archive;

use crate::console::{self, Console, ConsoleContext};
use crate::health::{self, Health};
use crate::logs::{LogLayer, LogWriter, PostgresLog, logs_folder};
use crate::serve::{ConnectionLimits, ReloadSignals};
use crate::service::{RunningService, Service, StartContext};
use crate::third_party::JwksCache;
use crate::version;
use crate::{
    Metrics, ProjectKeys, Settings, Tasks, address_for_people, address_of_project, admin, agents,
    listen, print_line, project, serve, service_manager, stop_on_signals,
};

/// How long the start waits for the services before it reports ready anyway.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What an application adds to the services.
#[derive(Default)]
pub struct Application {
    /// Functions by name.
    pub functions: Vec<Arc<dyn Function>>,
    /// Everything outside the services' paths.
    pub pages: Router,
}

/// The running services and what they share.
pub struct Stack {
    /// Clock, randomness, keys and public address.
    pub environment: ServiceEnvironment,
    /// The project's keys.
    pub keys: ProjectKeys,
    /// The owner's and the acting pool.
    pub pools: Pools,
    settings: Settings,
    embedded: Option<EmbeddedPostgres>,
    jwks_cache: JwksCache,
    services: Arc<[(&'static Service, RunningService)]>,
    metrics: Metrics,
    /// Routes for agents and the console, besides the services'.
    agents: Router,
    console: Option<Console>,
    tasks: Tasks,
    logs: Option<LogWriter>,
    stop_request: CancellationToken,
}

impl Stack {
    /// Starts everything but the ports: keys, database, roles, schemas, services' states and
    /// background tasks. Links derive from `public_url`. `schemas` are the application's own,
    /// applied after the services'; without `public` among them, `public` is prepared for a
    /// project's migrations ([`compat_pg::prepare_project`]).
    ///
    /// # Errors
    /// The error of the first step that failed.
    pub fn start<'a>(
        settings: Settings,
        public_url: &'a str,
        schemas: &'a [SchemaSource],
    ) -> BoxFuture<'a, Result<Self, StackError>> {
        // Boxed here, because every program that awaits it would otherwise compile all of it again.
        Box::pin(async move {
            Self::start_all(PreparedStack::new(settings, public_url, schemas).await?).await
        })
    }

    /// The first half of [`Self::start`], for a program that fills the database before any service
    /// runs.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn prepare<'a>(
        settings: Settings,
        public_url: &'a str,
        schemas: &'a [SchemaSource],
    ) -> BoxFuture<'a, Result<PreparedStack, StackError>> {
        Box::pin(PreparedStack::new(settings, public_url, schemas))
    }

    async fn start_all(prepared: PreparedStack) -> Result<Self, StackError> {
        let PreparedStack {
            settings,
            public_url,
            clock,
            entropy,
            keys,
            outgoing,
            embedded,
            pools,
            extensions,
            schemas,
        } = prepared;
        let (issuers, cache) = (&settings.issuers, settings.keys.cache);
        let jwks_cache = JwksCache::new(issuers, cache, &settings.data_dir, outgoing.clone());
        let environment = ServiceEnvironment {
            clock,
            entropy,
            outgoing,
            authenticator: Arc::new(authenticator(&settings, &keys, &jwks_cache)),
            trusted_proxies: settings.trusted_proxies.clone().into(),
            public_url: public_url.into(),
        };
        let logs = open_logs(&settings, &environment)?;
        let metrics = Metrics::new()?;
        let tasks = Tasks::new(metrics.task_restarts.clone());
        let stop = tasks.stop_token();
        let programs_url = database::programs_url(&settings, embedded.as_ref());
        let context = StartContext {
            environment: &environment,
            keys: &keys,
            pools: &pools,
            settings: &settings,
            programs_url: &programs_url,
            stop: &stop,
        };
        let services = start_services(&context, &metrics, &tasks)?;
        for extension in extensions {
            extensions::spawn(extension, &context, &tasks);
        }
        let agents = agents_router(&context)?;
        let console = console::open(ConsoleContext {
            start: &context,
            embedded: embedded.as_ref(),
            services: &services,
            logs: logs.as_ref(),
            schemas: &schemas,
        })
        .await?;
        if let Some(console) = &console {
            metrics.add(console.figures())?;
            let (state, ending) = (console.state.clone(), stop.clone());
            let job = &compat_console::AUDIT_RETENTION;
            tasks.spawn(job.name, move || job.run(state.clone(), ending.clone()));
            let (state, ending) = (console.state.clone(), stop.clone());
            tasks.spawn("console.backups", move || {
                compat_console::run_backups(state.clone(), ending.clone())
            });
        }
        metrics
            .add(database::figures(pools.acting.clone(), Arc::clone(&environment.authenticator)))?;
        if let (Some(logs), Some(_)) = (&logs, &embedded) {
            let folder = settings.data_dir.join("log");
            let log = PostgresLog::new(folder, logs.clone(), environment.clock.now());
            let stop = stop.clone();
            tasks.spawn("logs.postgres", move || log.clone().run(stop.clone()));
        }
        metrics.add(version::figures())?;
        if !environment.authenticator.issuers().is_empty() {
            let jwks_cache = jwks_cache.clone();
            tasks.spawn("token.issuers", move || jwks_cache.clone().keep_fresh(stop.clone()));
        }
        Ok(Self {
            environment,
            keys,
            pools,
            settings,
            embedded,
            jwks_cache,
            services,
            metrics,
            agents,
            console,
            tasks,
            logs,
            stop_request: CancellationToken::new(),
        })
    }

    /// The log writer, if a log is kept.
    pub fn logs(&self) -> Option<&LogWriter> {
        self.logs.as_ref()
    }

    /// The settings that the stack was started with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The database URL for other programs; none for the operator's database.
    pub fn own_database(&self) -> Option<String> {
        let embedded = self.embedded.as_ref()?;
        Some(self.settings.database_address().unwrap_or_else(|| embedded.programs_url()))
    }

    /// A token whose cancellation ends [`Self::run`], as a signal does.
    pub fn stop_request(&self) -> CancellationToken {
        self.stop_request.clone()
    }

    /// The token that is cancelled after the last request, when background work must end.
    pub fn stop_token(&self) -> CancellationToken {
        self.tasks.stop_token()
    }

    /// The token of the setup link for the console's first owner; none if there is an owner or no
    /// console.
    ///
    /// # Errors
    /// A statement failed.
    pub async fn console_link(&self) -> Result<Option<String>, PgError> {
        match &self.console {
            Some(console) => console.state.first_link().await,
            None => Ok(None),
        }
    }

    /// The state of auth/v1, for an application that creates accounts.
    pub fn auth(&self) -> Option<&compat_auth::State> {
        self.services.iter().find_map(|(_, running)| running.offers.get())
    }

    /// The mailer of the installation, for an application that sends its own mail.
    pub fn mailer(&self) -> Option<&compat_mail::Mailer> {
        self.services.iter().find_map(|(_, running)| running.offers.get())
    }

    /// Runs a named background task until [`Self::stop_token`] is cancelled; it must end soon
    /// after. A task that ends earlier is restarted, see [`Tasks`].
    pub fn spawn<T>(&self, name: &'static str, make: impl Fn() -> T + Send + 'static)
    where
        T: Future<Output = ()> + Send + 'static,
    {
        self.tasks.spawn(name, make);
    }

    /// As [`Self::spawn`], but the task begins once [`Self::run`] answers requests, so that it does
    /// not slow the start down.
    pub fn spawn_when_ready<T>(&self, name: &'static str, make: impl Fn() -> T + Send + 'static)
    where
        T: Future<Output = ()> + Send + 'static,
    {
        self.tasks.spawn_when_ready(name, make);
    }

    /// Every service under its path, and the application beside them.
    ///
    /// # Errors
    /// A service refuses what the application adds, such as two functions of the same name.
    pub fn router(&self, application: Application) -> Result<Router, StackError> {
        mount::router(self, application)
    }

    /// Serves until a signal, then stops tasks and database in order. Prints one line, `ready
    /// http://…`, once requests are answered.
    ///
    /// # Errors
    /// The operator's port cannot be opened, or a signal handler cannot be installed.
    pub fn run(
        self,
        listener: TcpListener,
        router: Router,
    ) -> BoxFuture<'static, Result<(), StackError>> {
        Box::pin(self.serve_until_asked(listener, router))
    }

    async fn serve_until_asked(
        mut self,
        listener: TcpListener,
        router: Router,
    ) -> Result<(), StackError> {
        stop_on_signals(self.stop_request())?;
        let (people, own_address) = (address_for_people(&listener), address_of_project(&listener));
        self.open_admin().await?;
        self.reload_on_signals()?;
        tokio::select! {
            () = self.warm_up() => {}
            () = self.stop_request.cancelled() => {}
            () = tokio::time::sleep(TIMEOUT) => {
                tracing::warn!(missing = ?self.missing(), "services not ready: requests are refused");
            }
        }
        if let Some(embedded) = &mut self.embedded {
            embedded.until_synced().await?;
        }
        if let Some(console) = &self.console {
            console.print_address(&own_address, &self.environment.public_url).await;
        }
        // The one line on standard output that the parent process waits for.
        print_line(&format!("ready {people}"));
        self.tasks.announce_ready();
        self.notify_service_manager(&people);
        let limits = ConnectionLimits::of_this_process();
        serve(Arc::new(listener), router, self.stop_request(), limits).await;
        self.stop_all().await;
        Ok(())
    }

    /// Notifies systemd, if it is listening, that requests are answered, and later of the watchdog
    /// and the stop.
    fn notify_service_manager(&self, address: &str) {
        service_manager::notify_ready(address);
        let stopping = self.stop_request();
        tokio::spawn(async move {
            stopping.cancelled().await;
            service_manager::notify_stopping();
        });
        if let Some(period) = service_manager::watchdog_interval() {
            let stop = self.stop_token();
            self.spawn("watchdog", move || service_manager::keep_alive(period, stop.clone()));
        }
    }

    async fn warm_up(&self) {
        for (_, running) in self.services.iter() {
            (running.warm)().await;
        }
    }

    fn missing(&self) -> Vec<String> {
        self.services.iter().filter_map(|(_, running)| (running.missing)()).collect()
    }

    fn reload_on_signals(&self) -> Result<(), StackError> {
        // Installed before the process is reported ready, because unhandled, these signals end the
        // process.
        ReloadSignals::listen()?;
        let (services, stop) = (Arc::clone(&self.services), self.stop_token());
        self.spawn("reload", move || reload(Arc::clone(&services), stop.clone()));
        Ok(())
    }

    /// Routes for the console about the stack itself, besides those of the services.
    pub(crate) fn project_router(&self) -> Router {
        project::router(&self.settings, self.tasks.clone())
    }

    /// The route `/health`.
    fn health(&self) -> Router {
        let services = Arc::clone(&self.services);
        health::router(Health { services, stopping: self.stop_request() })
    }

    /// The router of the operator's port.
    pub fn operators_router(&self) -> Router {
        let router = admin::router(admin::Admin {
            services: Arc::clone(&self.services),
            acting: self.pools.acting.clone(),
            tasks: self.tasks.clone(),
            metrics: self.metrics.clone(),
            stopping: self.stop_request(),
        });
        admin::guarded(router, self.settings.admin_host)
    }

    /// Opens the operator's port, if one is configured.
    async fn open_admin(&self) -> Result<(), StackError> {
        let Some(port) = self.settings.admin_port else { return Ok(()) };
        let listener = listen(SocketAddr::new(self.settings.admin_host, port)).await?;
        let (listener, router) = (Arc::new(listener), self.operators_router());
        let stop = self.stop_token();
        self.spawn("admin", move || {
            serve(Arc::clone(&listener), router.clone(), stop.clone(), admin::LIMITS)
        });
        Ok(())
    }

    /// Stops tasks, closes connections and, last, the embedded PostgreSQL.
    pub fn stop(self) -> BoxFuture<'static, ()> {
        Box::pin(self.stop_all())
    }

    async fn stop_all(self) {
        self.tasks.stop().await;
        self.pools.close().await;
        if let Some(embedded) = self.embedded {
            embedded.stop().await;
        }
        if let Some(logs) = self.logs {
            let _ = tokio::task::spawn_blocking(move || logs.flush()).await;
        }
    }
}

fn authenticator(settings: &Settings, keys: &ProjectKeys, jwks_cache: &JwksCache) -> Authenticator {
    let anon_role = settings.rest.anon_role.as_deref().unwrap_or("anon");
    Authenticator::new(Arc::clone(&keys.ring), Arc::clone(&keys.api), anon_role)
        .with_keys(keys.others.clone())
        .with_issuers(jwks_cache.issuers())
        .with_local_keys(settings.keys.takes_local_keys)
}

/// Starts the writer of the log ring, and directs this program's messages to it.
fn open_logs(
    settings: &Settings,
    environment: &ServiceEnvironment,
) -> Result<Option<LogWriter>, StackError> {
    let Some(max_size) = settings.logs.max_size else { return Ok(None) };
    let folder = logs_folder(&settings.data_dir);
    let writer = LogWriter::start(&folder, max_size, environment.clock.clone())?;
    LogLayer::write_to(writer.clone());
    Ok(Some(writer))
}

/// Agents are served for a whole project only: not for a service that runs alone, nor on the
/// operator's database.
fn agents_router(context: &StartContext<'_>) -> Result<Router, StackError> {
    let StartContext { environment, keys, pools, settings, .. } = *context;
    if settings.services.len() < 2 || !settings.is_ours() {
        return Ok(Router::new());
    }
    let state = agents::state(agents::AgentContext {
        settings,
        owner: &pools.owner,
        keys,
        url: &environment.public_url,
        clock: environment.clock.clone(),
        entropy: environment.entropy.clone(),
    })?;
    Ok(agents::router(state, settings, environment))
}

fn start_services(
    context: &StartContext<'_>,
    metrics: &Metrics,
    tasks: &Tasks,
) -> Result<Arc<[(&'static Service, RunningService)]>, StackError> {
    let mut started = Vec::new();
    for service in context.settings.services.iter().copied() {
        let mut running = (service.start)(context)?;
        for (name, make) in running.tasks.drain(..) {
            tasks.spawn(name, make);
        }
        if let Some(figures) = running.figures.take() {
            metrics.add(figures)?;
        }
        started.push((service, running));
    }
    Ok(started.into())
}

/// Makes every service reload its caches at each reload signal.
async fn reload(services: Arc<[(&'static Service, RunningService)]>, stop: CancellationToken) {
    let mut signals = match ReloadSignals::listen() {
        Ok(signals) => signals,
        Err(error) => return tracing::error!(%error, "cannot listen for reload signals"),
    };
    while stop.run_until_cancelled(signals.next()).await.is_some() {
        services.iter().for_each(|(_, running)| (running.reload)());
    }
}
