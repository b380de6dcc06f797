//! The state of the tools, built once.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use compat_advice::Notice;
use compat_http::{Clock, Entropy};
use compat_pg::{OwnerDb, SessionLimits, SqlLimits, SqlLogin, ensure_reader};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tokio::sync::{Mutex, OnceCell};

use crate::ToolError;

/// The limit of connections for all agents together, one for each statement, and how long a call
/// waits for one.
pub const SESSIONS: SessionLimits = SessionLimits {
    connections: 4,
    acquire_timeout: Duration::from_secs(10),
    max_idle: Duration::ZERO,
};
/// The limits of one statement. An agent has to read the result, so a larger one would be of no use
/// to it.
const LIMITS: SqlLimits =
    SqlLimits { time: Duration::from_secs(30), rows: 1_000, bytes: 1024 * 1024 };

/// A TypeScript function in a project's folder.
#[derive(Debug, Clone)]
pub struct EdgeFunction {
    /// Its name.
    pub slug: String,
    /// The function's folder.
    pub folder: PathBuf,
    /// The module that is run.
    pub entrypoint: PathBuf,
    /// The import map or `deno.json` that applies.
    pub import_map: Option<PathBuf>,
    /// Whether a caller needs a token.
    pub verify_jwt: bool,
}

/// A query on the logs.
#[derive(Debug, Clone)]
pub struct LogQuery {
    /// The service under the original's name: `api`, `postgres`, `auth` and so on.
    pub service: String,
    /// The start of the period, in Unix milliseconds.
    pub start: i64,
    /// The end of the period, in Unix milliseconds.
    pub end: i64,
    /// The most lines to return.
    pub limit: usize,
}

type BoxFuture<T> = std::pin::Pin<Box<dyn Future<Output = T> + Send>>;

/// Reads the logs of a service, newest first.
pub type LogReader = Arc<dyn Fn(LogQuery) -> BoxFuture<Result<Vec<Value>, String>> + Send + Sync>;

/// Writes the types of the database for TypeScript.
pub type TypeGenerator = Arc<dyn Fn() -> BoxFuture<Result<String, String>> + Send + Sync>;

/// What the tools need of a project.
#[derive(Clone)]
pub struct McpConfig {
    /// The database, for queries on its catalog.
    pub owner: OwnerDb,
    /// The login of read-only statements; its connections are limited by [`SESSIONS`].
    pub reader: SqlLogin,
    /// The login of other statements, with the same limit: a login without superuser rights.
    pub writer: SqlLogin,
    /// Whether this program creates the reader's login.
    pub makes_reader: bool,
    /// The project's address.
    pub url: Arc<str>,
    /// `sb_publishable_…`; empty if there is none.
    pub publishable_key: String,
    /// The legacy key of the role `anon`; empty if there is none.
    pub anon_key: String,
    /// Secrets that are removed from every answer.
    pub secrets: Vec<SecretString>,
    /// The schemas that rest/v1 serves.
    pub exposed: Vec<String>,
    /// Advice on the settings.
    pub notices: Vec<Notice>,
    /// Lists the functions of the project's folder; `None` if there is no such folder.
    pub functions: Option<Arc<dyn Fn() -> Vec<EdgeFunction> + Send + Sync>>,
    /// Reads the logs; `None` if none are kept.
    pub logs: Option<LogReader>,
    /// Generates the types; `None` if there is no generator.
    pub types: Option<TypeGenerator>,
    /// `MCP_READ_ONLY`; `None` lets each connection choose.
    pub read_only: Option<bool>,
    /// The clock.
    pub clock: Clock,
    /// Random values.
    pub entropy: Entropy,
}

/// The shared state of the tools. Cheap to clone.
#[derive(Clone)]
pub struct McpState(Arc<Inner>);

struct Inner {
    config: McpConfig,
    reader_made: OnceCell<()>,
    /// The version of the migration applied last, so that two within a second differ.
    last_version: Mutex<i64>,
}

impl McpState {
    /// Creates the state, without a query on the database.
    pub fn new(config: McpConfig) -> Self {
        Self(Arc::new(Inner { config, reader_made: OnceCell::new(), last_version: Mutex::new(0) }))
    }

    /// The configuration of the project.
    pub(crate) fn config(&self) -> &McpConfig {
        &self.0.config
    }

    /// The login for an SQL text, and its limits.
    pub(crate) async fn login(
        &self,
        is_read_only: bool,
    ) -> Result<(&SqlLogin, SqlLimits), ToolError> {
        let config = self.config();
        if !is_read_only {
            return Ok((&config.writer, LIMITS));
        }
        if config.makes_reader {
            self.0
                .reader_made
                .get_or_try_init(|| ensure_reader(&config.owner))
                .await
                .map_err(ToolError::Database)?;
        }
        Ok((&config.reader, LIMITS))
    }

    /// A version for a migration in the official CLI's form: `20260131235959`.
    pub(crate) async fn next_version(&self) -> String {
        let now = self.config().clock.now().format("%Y%m%d%H%M%S").to_string();
        let mut last = self.0.last_version.lock().await;
        *last = now.parse::<i64>().unwrap_or_default().max(*last + 1);
        last.to_string()
    }

    /// A text without the project's secrets.
    pub(crate) fn without_secrets(&self, text: String) -> String {
        let secrets = self.config().secrets.iter().map(SecretString::expose_secret);
        secrets.filter(|secret| !secret.is_empty()).fold(text, |text, secret| {
            if text.contains(secret) { text.replace(secret, "[hidden]") } else { text }
        })
    }
}
