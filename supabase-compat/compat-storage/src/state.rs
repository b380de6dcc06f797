//! The state that the handlers of this service share.

use std::ops::Deref;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use compat_http::ServiceEnvironment;
use compat_pg::{ActingDb, NotificationListener};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::bytes::ObjectBytes;
use crate::bytes::cache::Cache;
use crate::config::Config;
use crate::images::Renderer;
use crate::model::{ObjectRow, RequestContext};
use crate::scoped_db::ScopedDb;

/// The service's state; clones share everything.
#[derive(Clone)]
pub struct State(Arc<Inner>);

/// The contents of a [`State`].
pub struct Inner {
    pub(crate) environment: ServiceEnvironment,
    pub(crate) config: Config,
    pub(crate) bytes: Arc<dyn ObjectBytes>,
    /// The picture renderer; none if rendering is turned off.
    pub(crate) images: Option<Renderer>,
    /// The cache of small public objects.
    pub(crate) cache: Cache<Arc<ObjectRow>>,
    acting: ActingDb,
    /// `statement_timeout` of each transaction, in milliseconds.
    statement_timeout: String,
}

impl State {
    /// Creates the service's state from the content store and the database with its rows.
    pub fn new(
        environment: ServiceEnvironment,
        acting: ActingDb,
        bytes: Arc<dyn ObjectBytes>,
        config: Config,
    ) -> Self {
        let statement_timeout = config.statement_timeout.as_millis().to_string();
        let images = config.images.clone().map(Renderer::new);
        let cache = Cache::new(config.cache_size);
        Self(Arc::new(Inner {
            environment,
            config,
            bytes,
            images,
            cache,
            acting,
            statement_timeout,
        }))
    }
}

/// Listens to the database's change notifications, which the cache of small public objects needs:
/// it stays empty without them. Ends when `stop` is cancelled.
pub async fn run_cache(state: State, listener: NotificationListener, stop: CancellationToken) {
    state.cache.listen(&listener, &stop).await;
}

impl Deref for State {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Inner {
    /// The database under the role of the caller: row security decides.
    pub(crate) fn db<'a>(&'a self, context: &'a RequestContext) -> ScopedDb<'a> {
        ScopedDb::of(
            &self.acting,
            context,
            context.caller.role(),
            context.caller.claims_json(),
            &self.statement_timeout,
        )
    }

    /// The database under the service role, which sees every row, with the settings of this
    /// request.
    pub(crate) fn service_db<'a>(&'a self, context: &'a RequestContext) -> ScopedDb<'a> {
        ScopedDb::of(&self.acting, context, SERVICE, SERVICE_CLAIMS, &self.statement_timeout)
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.environment.clock.now()
    }

    pub(crate) fn uuid(&self) -> Uuid {
        self.environment.entropy.uuid()
    }

    /// The public address of this service, without a slash at its end.
    pub fn external_url(&self) -> String {
        let (public, mount) =
            (self.environment.public_url.trim_end_matches('/'), &self.config.mount);
        format!("{}{mount}", public.strip_suffix(mount.as_str()).unwrap_or(public))
    }
}

/// The role that bypasses row security.
const SERVICE: &str = "service_role";

const SERVICE_CLAIMS: &str = r#"{"role":"service_role"}"#;
