//! The running stack: what is started, mounted and stopped.

mod database;
mod health;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use compat_auth::mail::{DeliveryError, Smtp, SmtpConfig};
use compat_auth::{Mailbox, Mailer};
use compat_functions::Function;
use compat_http::{Clock, Edge, Entropy, Outgoing, OutgoingError};
use compat_pg::{EmbeddedError, EmbeddedPostgres, PgError, Pools, SchemaSource};
use compat_token::Gate;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::serve::{Limits, ReloadSignals};
use crate::third_party::{self, KeyKeeper};
use crate::{
    FetchError, ListenError, Metrics, ProjectKeys, ProjectKeysError, Service, Settings, Tasks,
    address_for_people, admin, listen, mailbox, metrics, serve, stop_on_signals,
};
use health::StackHealth;

/// How long the start waits for the schema before it says ready all the same.
const PATIENCE: Duration = Duration::from_secs(10);

/// What an application adds to the services.
#[derive(Default)]
pub struct Application {
    /// Functions by name.
    pub functions: Vec<Arc<dyn Function>>,
    /// Everything outside the services' paths.
    pub pages: Router,
}

/// Why the stack did not start, or stopped badly.
#[derive(Debug, thiserror::Error)]
pub enum StackError {
    /// The keys.
    #[error(transparent)]
    Keys(#[from] ProjectKeysError),
    /// The embedded PostgreSQL.
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    /// The database.
    #[error("database: {0}")]
    Database(#[from] PgError),
    /// A port.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// Two functions of one name, or a name that cannot stand in a path.
    #[error(transparent)]
    Functions(#[from] compat_functions::RegistryError),
    /// The client for calls that leave the process.
    #[error("outgoing calls: {0}")]
    Outgoing(#[from] OutgoingError),
    /// The client that fetches other issuers' keys.
    #[error("issuers: {0}")]
    Issuers(#[from] FetchError),
    /// The mail relay.
    #[error("mail: {0}")]
    Mail(#[from] DeliveryError),
    /// The metrics.
    #[error("metrics: {0}")]
    Metrics(#[from] prometheus::Error),
    /// The system.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// The services' shared parts, started.
pub struct Stack {
    /// Clock, chance, keys and public address.
    pub edge: Edge,
    /// The project's keys.
    pub keys: ProjectKeys,
    /// The two ways into the database.
    pub pools: Pools,
    settings: Settings,
    embedded: Option<EmbeddedPostgres>,
    keeper: KeyKeeper,
    rest: Option<compat_rest::State>,
    auth: Option<compat_auth::State>,
    mailbox: Mailbox,
    metrics: Metrics,
    tasks: Tasks,
}

impl Stack {
    /// Starts everything but the ports: keys, database, roles, schemas, services' states and
    /// background tasks. `public_url` is the address links derive from; `schemas` are the
    /// application's own, applied after the services'.
    ///
    /// # Errors
    /// The first thing that could not be started.
    pub async fn start(
        mut settings: Settings,
        public_url: &str,
        schemas: &[SchemaSource],
    ) -> Result<Self, StackError> {
        if settings.auth.site_url.is_empty() {
            settings.auth.site_url = public_url.to_owned();
        }
        let (clock, entropy) = (Clock::system(), Entropy::system());
        let load = match database::is_ours(&settings) {
            true => ProjectKeys::load_or_create,
            false => ProjectKeys::load_if_kept,
        };
        let keys = load(&settings.data_dir, &settings.keys, &clock, &entropy)?;
        let (embedded, pools) = database::open(&settings).await?;
        database::prepare(&settings, &pools, schemas).await?;
        let anon_role = settings.rest.anon_role.as_deref().unwrap_or("anon");
        let keeper = KeyKeeper::new(&settings.issuers, settings.keys.cache, &settings.data_dir)?;
        let gate = Gate::new(Arc::clone(&keys.ring), Arc::clone(&keys.api), anon_role)
            .with_keys(keys.others.clone())
            .with_issuers(keeper.issuers());
        let edge = Edge {
            clock,
            entropy,
            outgoing: Outgoing::new(settings.outgoing.clone())?,
            gate: Arc::new(gate),
            trusted_proxies: settings.trusted_proxies.clone().into(),
            public_url: public_url.into(),
        };
        let metrics = Metrics::new()?;
        let mut stack = Self {
            edge,
            keys,
            pools,
            settings,
            embedded,
            keeper,
            rest: None,
            auth: None,
            mailbox: Mailbox::default(),
            tasks: Tasks::new(metrics.task_restarts.clone()),
            metrics,
        };
        stack.start_services()?;
        Ok(stack)
    }

    fn runs(&self, service: Service) -> bool {
        self.settings.services.contains(&service)
    }

    fn start_services(&mut self) -> Result<(), StackError> {
        if !self.edge.gate.issuers().is_empty() {
            let (keeper, stop) = (self.keeper.clone(), self.stop_token());
            self.spawn("token.issuers", move || keeper.clone().keep_fresh(stop.clone()));
        }
        if self.runs(Service::Rest) {
            let state = compat_rest::State::with_replica(
                self.edge.clone(),
                self.pools.acting.clone(),
                database::replica(&self.settings)?,
                self.settings.rest.clone(),
            );
            let (rest, stop) = (state.clone(), self.stop_token());
            self.spawn("rest.schema", move || rest.clone().keep_schema_fresh(stop.clone()));
            self.rest = Some(state);
        }
        if self.runs(Service::Auth) {
            if self.settings.production && self.settings.auth.email.smtp.is_none() {
                tracing::warn!("no SMTP_HOST is set: nobody will get any mail");
            }
            let state = compat_auth::State::new(
                self.edge.clone(),
                Arc::clone(&self.keys.ring),
                Arc::clone(&self.keys.api),
                self.pools.owner.clone(),
                mailer(self.settings.auth.email.smtp.as_ref(), &self.mailbox)?,
                self.settings.auth.clone(),
            );
            let (auth, stop) = (state.clone(), self.stop_token());
            self.spawn("auth.cleanup", move || {
                compat_auth::run_cleanup(auth.clone(), stop.clone())
            });
            self.auth = Some(state);
        }
        Ok(())
    }

    /// The token that is cancelled when the program is asked to stop.
    pub fn stop_token(&self) -> CancellationToken {
        self.tasks.stop_token()
    }

    /// auth/v1's state, for an application that makes accounts of its own.
    pub fn auth(&self) -> Option<&compat_auth::State> {
        self.auth.as_ref()
    }

    /// Runs a named background task until [`Self::stop_token`] is cancelled; it must end soon
    /// after. One that ends before is made and started again, see [`Tasks`].
    pub fn spawn<T>(&self, name: &'static str, make: impl Fn() -> T + Send + 'static)
    where
        T: Future<Output = ()> + Send + 'static,
    {
        self.tasks.spawn(name, make);
    }

    /// Every service under its path, the application beside them.
    ///
    /// # Errors
    /// When two functions share a name.
    pub fn router(&self, application: Application) -> Result<Router, StackError> {
        let mut router = Router::new();
        // Where rest/v1 runs alone no gateway stands before it: to other origins it is PostgREST.
        let rest_alone = self.settings.services == [Service::Rest];
        let rest_router = |rest: &compat_rest::State| match rest_alone {
            true => compat_rest::standing_alone(rest.clone()),
            false => compat_rest::router(rest.clone()),
        };
        if let Some(rest) = &self.rest {
            router = router.nest_service("/rest/v1", rest_router(rest));
        }
        if let Some(auth) = &self.auth {
            router = router.nest_service("/auth/v1", compat_auth::router(auth.clone()));
        }
        if self.runs(Service::Functions) {
            let state = compat_functions::State::new(
                self.edge.clone(),
                self.settings.functions.clone(),
                application.functions,
            )?;
            router = router.nest_service("/functions/v1", compat_functions::router(state));
        }
        // A service that runs alone answers at the root as well, where the originals have theirs.
        let router = match (&self.settings.services[..], &self.rest, &self.auth) {
            ([Service::Rest], Some(rest), _) => router.fallback_service(rest_router(rest)),
            ([Service::Auth], _, Some(auth)) => {
                router.fallback_service(compat_auth::router(auth.clone()))
            }
            _ => router.fallback_service(application.pages),
        };
        let router = match self.edge.gate.issuers().is_empty() {
            true => router,
            false => {
                let looking = (self.keeper.clone(), self.edge.clone());
                router.layer(from_fn_with_state(looking, third_party::prepare))
            }
        };
        let counted = router.layer(from_fn_with_state(self.metrics.clone(), metrics::count));
        let router = match rest_alone {
            true => compat_http::layers_without_cors(self.edge.clone(), counted),
            false => compat_http::layers(self.edge.clone(), counted),
        };
        let shows_mails = self.auth.is_some()
            && !self.settings.production
            && mailbox::is_local(&self.edge.public_url);
        Ok(match shows_mails {
            true => router.merge(compat_http::layers_without_cors(
                self.edge.clone(),
                mailbox::router(self.mailbox.clone()),
            )),
            false => router,
        })
    }

    /// Serves until a signal, then stops tasks and database in order. Prints one line,
    /// `ready http://…`, once requests are answered.
    ///
    /// # Errors
    /// When a port cannot be had or accepting fails.
    pub async fn run(self, listener: TcpListener, router: Router) -> Result<(), StackError> {
        let signals = stop_on_signals()?;
        let people = address_for_people(&listener);
        self.start_admin().await?;
        if let Some(rest) = &self.rest {
            let (rest_state, stop) = (rest.clone(), self.stop_token());
            ReloadSignals::listen()?;
            self.spawn("rest.reload", move || reload(rest_state.clone(), stop.clone()));
            tokio::select! {
                () = rest.wait_until_ready() => {}
                () = signals.cancelled() => {}
                () = tokio::time::sleep(PATIENCE) => {
                    tracing::warn!("rest/v1 answers 503 until the schema can be read");
                }
            }
        }
        #[expect(clippy::print_stdout, reason = "the contract's one line for whoever started us")]
        {
            println!("ready {people}");
        }
        serve(Arc::new(listener), router, signals, Limits::of_this_process()).await;
        self.stop().await;
        Ok(())
    }

    /// Opens the operator's port, where one is asked for.
    async fn start_admin(&self) -> Result<(), StackError> {
        let Some(port) = self.settings.admin_port else { return Ok(()) };
        let listener = listen(SocketAddr::new(self.settings.host, port)).await?;
        let health = StackHealth {
            pools: self.pools.clone(),
            gate: Arc::clone(&self.edge.gate),
            rest: self.rest.clone(),
            tasks: self.tasks.clone(),
        };
        let router = admin::router(Arc::new(health), self.metrics.clone());
        let (listener, stop) = (Arc::new(listener), self.stop_token());
        let limits = Limits { connections: 64, ..Limits::of_this_process() };
        self.spawn("admin", move || {
            serve(Arc::clone(&listener), router.clone(), stop.clone(), limits)
        });
        Ok(())
    }

    /// Stops tasks, closes connections and, last, the embedded PostgreSQL.
    pub async fn stop(self) {
        self.tasks.stop().await;
        self.pools.close().await;
        if let Some(embedded) = self.embedded {
            embedded.stop().await;
        }
    }
}

/// Reads the schema anew at every signal that asks for it.
async fn reload(rest: compat_rest::State, stop: CancellationToken) {
    let Ok(mut signals) = ReloadSignals::listen() else { return };
    while stop.run_until_cancelled(signals.next()).await.is_some() {
        rest.reload();
    }
}

/// The relay where one is configured, else the mailbox.
fn mailer(smtp: Option<&SmtpConfig>, mailbox: &Mailbox) -> Result<Mailer, DeliveryError> {
    match smtp {
        Some(config) => Ok(Mailer::new(Smtp::new(config)?)),
        None => Ok(Mailer::new(mailbox.clone())),
    }
}
