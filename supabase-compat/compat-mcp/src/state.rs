//! What the tools run with, built once.

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

/// Connections for the statements of all agents together, one a statement, and how long a call waits for
/// one of them.
pub const SESSIONS: SessionLimits = SessionLimits {
    connections: 4,
    acquire_timeout: Duration::from_secs(10),
    max_idle: Duration::ZERO,
};
/// What one statement may take. An agent reads what it gets, so more is of no use to it.
const LIMITS: SqlLimits =
    SqlLimits { time: Duration::from_secs(30), rows: 1_000, bytes: 1024 * 1024 };

/// A function in TypeScript, as a project's folder has it.
#[derive(Debug, Clone)]
pub struct EdgeFunction {
    /// Its name.
    pub slug: String,
    /// The folder it lies in.
    pub folder: PathBuf,
    /// The module that is run.
    pub entrypoint: PathBuf,
    /// The import map or `deno.json` that counts.
    pub import_map: Option<PathBuf>,
    /// Whether a caller needs a token.
    pub verify_jwt: bool,
}

/// What is asked of the logs.
#[derive(Debug, Clone)]
pub struct LogQuery {
    /// The service in the original's words: `api`, `postgres`, `auth` and so on.
    pub service: String,
    /// Begin of the time asked for, as Unix milliseconds.
    pub start: i64,
    /// Its end.
    pub end: i64,
    /// Most lines.
    pub limit: usize,
}

type BoxFuture<T> = std::pin::Pin<Box<dyn Future<Output = T> + Send>>;

/// Reads the logs of a service, newest first.
pub type LogReader = Arc<dyn Fn(LogQuery) -> BoxFuture<Result<Vec<Value>, String>> + Send + Sync>;

/// Writes the types of the database for TypeScript.
pub type TypeGenerator = Arc<dyn Fn() -> BoxFuture<Result<String, String>> + Send + Sync>;

/// What a project gives its tools.
#[derive(Clone)]
pub struct McpConfig {
    /// The database, for questions to its catalogue.
    pub owner: OwnerDb,
    /// Where statements log in that may change nothing; the connections are those of [`SESSIONS`].
    pub reader: SqlLogin,
    /// Where the others log in, on the same connections: a login without superuser rights.
    pub writer: SqlLogin,
    /// Whether the reader's login is ours to make.
    pub makes_reader: bool,
    /// The project's address.
    pub url: Arc<str>,
    /// `sb_publishable_…`; empty where there is none.
    pub publishable_key: String,
    /// The legacy key of role `anon`; empty where there is none.
    pub anon_key: String,
    /// What no answer may hold.
    pub secrets: Vec<SecretString>,
    /// The schemas that rest/v1 serves.
    pub exposed: Vec<String>,
    /// Advice on the settings.
    pub notices: Vec<Notice>,
    /// The functions of the project's folder; none where there is no such folder.
    pub functions: Option<Arc<dyn Fn() -> Vec<EdgeFunction> + Send + Sync>>,
    /// The logs, where they are kept.
    pub logs: Option<LogReader>,
    /// The types, where there is somebody to write them.
    pub types: Option<TypeGenerator>,
    /// `MCP_READ_ONLY`: none lets a connection choose.
    pub read_only: Option<bool>,
    /// The time.
    pub clock: Clock,
    /// Random values.
    pub entropy: Entropy,
}

/// The same, running. Cheap to clone.
#[derive(Clone)]
pub struct McpState(Arc<Inner>);

struct Inner {
    config: McpConfig,
    reader_made: OnceCell<()>,
    /// The version of the migration applied last, so that two within a second differ.
    last_version: Mutex<i64>,
}

impl McpState {
    /// Takes what a project gives. Nothing is asked of the database yet.
    pub fn new(config: McpConfig) -> Self {
        Self(Arc::new(Inner { config, reader_made: OnceCell::new(), last_version: Mutex::new(0) }))
    }

    /// What the project gave.
    pub(crate) fn config(&self) -> &McpConfig {
        &self.0.config
    }

    /// Where a text of SQL logs in, and what it may take.
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

    /// A version for a migration, as the official CLI makes them: `20260131235959`.
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
