//! What the handlers of this service hold.

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

/// See [`State`].
pub struct Inner {
    pub(crate) environment: ServiceEnvironment,
    pub(crate) config: Config,
    pub(crate) bytes: Arc<dyn ObjectBytes>,
    /// What renders pictures, where that is on.
    pub(crate) images: Option<Renderer>,
    /// Small public objects.
    pub(crate) cache: Cache<Arc<ObjectRow>>,
    acting: ActingDb,
    /// `statement_timeout` of each transaction, in milliseconds.
    patience: String,
}

impl State {
    /// A service of these objects and the rows that name them.
    pub fn new(
        environment: ServiceEnvironment,
        acting: ActingDb,
        bytes: Arc<dyn ObjectBytes>,
        config: Config,
    ) -> Self {
        let patience = config.statement_timeout.as_millis().to_string();
        let images = config.images.clone().map(Renderer::new);
        let cache = Cache::new(config.cache_size);
        Self(Arc::new(Inner { environment, config, bytes, images, cache, acting, patience }))
    }
}

/// Follows what the database tells of changes, so that small public objects are read from memory;
/// without it they never are. Ends when `stop` is cancelled.
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
    /// The database for whoever asks: row security decides.
    pub(crate) fn db<'a>(&'a self, context: &'a RequestContext) -> ScopedDb<'a> {
        ScopedDb::of(
            &self.acting,
            context,
            context.caller.role(),
            context.caller.claims_json(),
            &self.patience,
        )
    }

    /// The database for the service itself, which sees every row, in the course of this request.
    pub(crate) fn own_turn<'a>(&'a self, context: &'a RequestContext) -> ScopedDb<'a> {
        ScopedDb::of(&self.acting, context, SERVICE, SERVICE_CLAIMS, &self.patience)
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

/// The role that row security does not bind.
const SERVICE: &str = "service_role";

const SERVICE_CLAIMS: &str = r#"{"role":"service_role"}"#;
