//! What the handlers of this service hold: the database, the settings, and the schema cache as one
//! snapshot that is swapped whole. A request keeps the snapshot it started with.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use compat_http::ServiceEnvironment;
use compat_pg::{ActingDb, Notification, PgError, PoolStatus, Subscription};
use compat_rest_core::schema::Name;
use compat_rest_core::{PlanRules, RequestRules, SchemaCache};
use futures_util::StreamExt as _;
use tokio::sync::{Mutex, Notify};
use tokio_util::sync::CancellationToken;

use crate::cache;
use crate::config::Config;
use crate::describe;
use crate::plan_cache::PlanCache;
use crate::statement;

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(32);

/// The state of the service. Cheap to clone.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    environment: ServiceEnvironment,
    acting: ActingDb,
    replica: Option<ActingDb>,
    config: Config,
    snapshot: ArcSwapOption<Snapshot>,
    plans: PlanCache,
    reload_requested: Notify,
    ready: Notify,
    loading: Mutex<()>,
    counters: Counters,
}

#[derive(Default)]
struct Counters {
    version: AtomicU64,
    loads: AtomicU64,
    failed_loads: AtomicU64,
    load_micros: AtomicU64,
    pool_timeouts: AtomicU64,
}

/// One consistent view of settings and schema.
pub(crate) struct Snapshot {
    pub schema: Arc<SchemaCache>,
    pub config: Config,
    pub request_rules: RequestRules,
    pub plan_rules: PlanRules,
    /// Settings of the roles that callers may assume.
    pub role_settings: HashMap<String, Vec<(String, String)>>,
    /// The search path by requested schema, quoted.
    search_paths: HashMap<Name, String>,
    /// The statement that calls the pre-request function.
    pub before: Option<String>,
}

/// Figures for the metrics page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestMetrics {
    pub pool: PoolStatus,
    pub schema_cache_loads: u64,
    pub schema_cache_failed_loads: u64,
    /// How long the last load took.
    pub schema_cache_load_time: Duration,
    /// Requests that found no connection in time.
    pub pool_timeouts: u64,
    /// Requests answered with a cached plan.
    pub shape_hits: u64,
    pub shape_misses: u64,
}

impl State {
    /// A state whose schema cache is still empty; see [`State::load`] and
    /// [`State::keep_schema_fresh`].
    pub fn new(environment: ServiceEnvironment, acting: ActingDb, config: Config) -> Self {
        Self::with_replica(environment, acting, None, config)
    }

    /// A state with a read replica, which GET and HEAD use.
    pub fn with_replica(
        environment: ServiceEnvironment,
        acting: ActingDb,
        replica: Option<ActingDb>,
        config: Config,
    ) -> Self {
        Self(Arc::new(Inner {
            environment,
            acting,
            replica,
            plans: PlanCache::new(config.shape_cache),
            config,
            snapshot: ArcSwapOption::empty(),
            reload_requested: Notify::new(),
            ready: Notify::new(),
            loading: Mutex::new(()),
            counters: Counters::default(),
        }))
    }

    /// Loads settings and schema now; on failure the former snapshot stays in use.
    pub async fn load(&self) -> Result<(), PgError> {
        let _one_at_a_time = self.0.loading.lock().await;
        let counters = &self.0.counters;
        let version = counters.version.fetch_add(1, Ordering::Relaxed) + 1;
        let started = Instant::now();
        match cache::load(&self.0.acting, &self.0.config, version).await {
            Ok(loaded) => {
                let duration = started.elapsed();
                let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
                counters.load_micros.store(micros, Ordering::Relaxed);
                counters.loads.fetch_add(1, Ordering::Relaxed);
                tracing::info!(
                    relations = loaded.schema.tables.len(),
                    functions = loaded.schema.routines.len(),
                    took = ?duration,
                    "schema cache loaded"
                );
                self.0.snapshot.store(Some(Arc::new(Snapshot::new(loaded))));
                // Statements prepared before may have parameter types of the former schema.
                self.0.acting.forget_statements();
                self.0.replica.iter().for_each(ActingDb::forget_statements);
                self.0.ready.notify_waiters();
                Ok(())
            }
            Err(error) => {
                counters.failed_loads.fetch_add(1, Ordering::Relaxed);
                Err(error)
            }
        }
    }

    /// Asks the task of [`State::keep_schema_fresh`] to load again; returns at once.
    pub fn reload(&self) {
        self.0.reload_requested.notify_one();
    }

    /// Keeps the snapshot fresh until cancelled: loads, listens for `NOTIFY`, and retries with
    /// growing pauses while the database is unavailable.
    pub async fn keep_schema_fresh(self, stop: CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.load_and_listen(), if self.0.config.channel_enabled => {}
            () = self.load_on_demand(), if !self.0.config.channel_enabled => {}
        }
    }

    /// `LISTEN` comes before the first load: a change between a load and `LISTEN` would be missed.
    /// If `LISTEN` fails, the load does not wait for the next attempt.
    async fn load_and_listen(&self) {
        let mut notifications = self.0.acting.listener().subscribe(&self.0.config.channel);
        if let Some(Notification::Lost(reason)) = notifications.next().await {
            tracing::warn!(reason, "notification channel lost");
        }
        tokio::select! {
            () = self.load_on_demand() => {}
            () = self.reload_when_notified(notifications) => {}
        }
    }

    async fn load_on_demand(&self) {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.load().await {
                Ok(()) => {
                    pause = FIRST_PAUSE;
                    self.0.reload_requested.notified().await;
                }
                Err(error) => {
                    tracing::warn!(%error, ?pause, "cannot load the schema cache");
                    let _ = tokio::time::timeout(pause, self.0.reload_requested.notified()).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Every notification, and every reconnection, may stand for a change that was missed.
    async fn reload_when_notified(&self, mut notifications: Subscription) {
        while let Some(notification) = notifications.next().await {
            match notification {
                Notification::Listening | Notification::Payload(_) => self.reload(),
                Notification::Lost(reason) => {
                    tracing::warn!(reason, "notification channel lost");
                }
            }
        }
    }

    /// True once a schema cache was loaded.
    pub fn is_ready(&self) -> bool {
        self.0.snapshot.load().is_some()
    }

    /// Waits until a schema cache was loaded.
    pub async fn wait_until_ready(&self) {
        loop {
            let loaded = self.0.ready.notified();
            if self.is_ready() {
                return;
            }
            loaded.await;
        }
    }

    /// The schema cache in use, for the admin page that shows it.
    pub fn schema(&self) -> Option<Arc<SchemaCache>> {
        self.snapshot().map(|snapshot| snapshot.schema.clone())
    }

    /// Figures for the metrics page.
    pub fn metrics(&self) -> RestMetrics {
        let counters = &self.0.counters;
        let (shape_hits, shape_misses) = self.0.plans.figures();
        RestMetrics {
            pool: self.0.acting.status(),
            schema_cache_loads: counters.loads.load(Ordering::Relaxed),
            schema_cache_failed_loads: counters.failed_loads.load(Ordering::Relaxed),
            schema_cache_load_time: Duration::from_micros(
                counters.load_micros.load(Ordering::Relaxed),
            ),
            pool_timeouts: counters.pool_timeouts.load(Ordering::Relaxed),
            shape_hits,
            shape_misses,
        }
    }

    /// Counts a request that found no connection in time.
    pub(crate) fn count_pool_timeout(&self) {
        self.0.counters.pool_timeouts.fetch_add(1, Ordering::Relaxed);
    }

    /// The schema cache as a document for operators.
    pub fn describe_schema(&self) -> Option<serde_json::Value> {
        self.schema().map(|schema| describe::schema(&schema))
    }

    pub(crate) fn environment(&self) -> &ServiceEnvironment {
        &self.0.environment
    }

    /// The pool a request runs on: the replica's for requests that are safe by their method.
    pub(crate) fn pool_for(&self, method: &str) -> &ActingDb {
        match &self.0.replica {
            Some(replica) if matches!(method, "GET" | "HEAD") => replica,
            _ => &self.0.acting,
        }
    }

    pub(crate) fn shapes(&self) -> &PlanCache {
        &self.0.plans
    }

    /// The settings as given, for the time before the first load.
    pub(crate) fn base_config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.0.snapshot.load_full()
    }
}

impl Snapshot {
    fn new(loaded: cache::SchemaLoad) -> Self {
        let config = loaded.config;
        let request_rules = config.request_rules();
        let search_paths = request_rules
            .schemas
            .iter()
            .map(|schema| {
                let extra = config.extra_search_path.iter().map(String::as_str);
                (schema.clone(), statement::search_path([&**schema].into_iter().chain(extra)))
            })
            .collect();
        let before = config.pre_request.as_deref().map(|name| {
            let default = config.schemas.first().map_or("public", String::as_str);
            statement::pre_request(&crate::config::qualified(name, default))
        });
        Self {
            schema: Arc::new(loaded.schema),
            plan_rules: config.plan_rules(),
            request_rules,
            role_settings: loaded.role_settings,
            search_paths,
            before,
            config,
        }
    }

    /// The search path of a request for this schema.
    pub(crate) fn search_path(&self, schema: &Name) -> &str {
        self.search_paths.get(schema).map_or("public", String::as_str)
    }
}
