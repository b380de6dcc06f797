//! What the handlers run with, built once.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_auth::Passwords;
use compat_http::{RateLimit, RateLimitConfig, client_prefix};
use compat_pg::{JobState, OwnerDb, PgError, SessionLimits, SqlLogin, ensure_reader};
use ipnet::IpNet;
use tokio::sync::{Notify, OnceCell, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::config::ConsoleConfig;
use crate::error::ConsoleError;
use crate::flow;
use crate::model::Role;
use crate::seal::Seal;
use crate::store::backup::BackupFigures;

/// The limit of concurrent statements for all operators together, each on its own connection, and
/// how long a statement waits for a connection.
pub const STATEMENT_SESSIONS: SessionLimits = SessionLimits {
    connections: 4,
    acquire_timeout: Duration::from_secs(10),
    max_idle: Duration::ZERO,
};
/// The most concurrent reads of the log, because each one reads files.
const LOG_READERS: usize = 2;
/// The most concurrent imports, because each one occupies a connection during its upload.
const IMPORTERS: usize = 2;
/// The rate limit for attempts from one network at one account.
const ATTEMPTS_HERE: RateLimitConfig =
    RateLimitConfig { burst: 5, refill: Duration::from_secs(60) };
/// The rate limit for attempts from all networks at one account; larger, so that strangers cannot
/// lock its owner out.
const ATTEMPTS: RateLimitConfig = RateLimitConfig { burst: 50, refill: Duration::from_secs(20) };
/// The rate limit for attempts from one network at all accounts, because each one costs a hash.
const ATTEMPTS_OF_NETWORK: RateLimitConfig =
    RateLimitConfig { burst: 30, refill: Duration::from_secs(10) };

/// The console's state. Cheap to clone.
#[derive(Clone)]
pub struct ConsoleState(Arc<Inner>);

struct Inner {
    config: ConsoleConfig,
    seal: Seal,
    passwords: Passwords,
    attempts_here: RateLimit<(String, IpNet)>,
    attempts: RateLimit<String>,
    attempts_of_network: RateLimit<IpNet>,
    log_readers: Arc<Semaphore>,
    importers: Semaphore,
    reader_made: OnceCell<()>,
    running: Mutex<HashMap<Uuid, (Uuid, CancellationToken)>>,
    session_changes: Notify,
    /// Background work on backups in this process.
    work: TaskTracker,
    ending: CancellationToken,
    backup_figures: Mutex<BackupFigures>,
}

/// A running statement, registered under its id until this value is dropped.
pub(crate) struct RunningStatement {
    state: ConsoleState,
    id: Uuid,
    /// Cancelled when an operator cancels the statement.
    pub cancelled: CancellationToken,
}

impl Drop for RunningStatement {
    fn drop(&mut self) {
        self.state.running().remove(&self.id);
    }
}

impl JobState for ConsoleState {
    fn pool(&self) -> &OwnerDb {
        &self.config().owner
    }

    fn now(&self) -> DateTime<Utc> {
        self.config().environment.clock.now()
    }
}

impl ConsoleState {
    /// Creates the state, without a query on the database.
    pub fn new(config: ConsoleConfig) -> Self {
        Self(Arc::new(Inner {
            seal: Seal::new(&config.secret),
            passwords: Passwords::new(&config.passwords),
            attempts_here: RateLimit::new(ATTEMPTS_HERE),
            attempts: RateLimit::new(ATTEMPTS),
            attempts_of_network: RateLimit::new(ATTEMPTS_OF_NETWORK),
            log_readers: Arc::new(Semaphore::new(LOG_READERS)),
            importers: Semaphore::new(IMPORTERS),
            reader_made: OnceCell::new(),
            running: Mutex::new(HashMap::new()),
            session_changes: Notify::new(),
            work: TaskTracker::new(),
            ending: CancellationToken::new(),
            backup_figures: Mutex::default(),
            config,
        }))
    }

    /// The token of the setup link for the first owner; none if an operator exists. Links of
    /// earlier starts become invalid.
    ///
    /// # Errors
    /// A statement failed.
    pub async fn first_link(&self) -> Result<Option<String>, PgError> {
        flow::setup::first_link(self).await
    }

    /// From where the console can be reached.
    pub fn access(&self) -> crate::ConsoleAccess {
        self.config().access
    }

    /// When backups were made, as of the last refresh from the database.
    pub fn backup_figures(&self) -> BackupFigures {
        *self.0.backup_figures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Background work on backups; the program waits for it before it ends.
    pub fn work(&self) -> &TaskTracker {
        &self.0.work
    }

    pub(crate) fn set_backup_figures(&self, figures: BackupFigures) {
        *self.0.backup_figures.lock().unwrap_or_else(PoisonError::into_inner) = figures;
    }

    /// Cancelled when the program ends.
    pub(crate) fn ending(&self) -> &CancellationToken {
        &self.0.ending
    }

    pub(crate) fn config(&self) -> &ConsoleConfig {
        &self.0.config
    }

    /// The project's name, or the host of its address.
    pub(crate) fn project_name(&self) -> Option<String> {
        let config = self.config();
        let url = url::Url::parse(&config.environment.public_url).ok();
        let host = || url.and_then(|url| url.host_str().map(str::to_owned));
        config.project.clone().or_else(host)
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.config().environment.clock.now()
    }

    pub(crate) fn seal(&self) -> &Seal {
        &self.0.seal
    }

    pub(crate) fn passwords(&self) -> &Passwords {
        &self.0.passwords
    }

    pub(crate) fn log_readers(&self) -> &Arc<Semaphore> {
        &self.0.log_readers
    }

    pub(crate) fn importers(&self) -> &Semaphore {
        &self.0.importers
    }

    /// Notified after each change made in this process, because the change may have ended sessions.
    pub(crate) fn session_changes(&self) -> &Notify {
        &self.0.session_changes
    }

    /// Counts an attempt at an account's secret; refuses it above the rate limits.
    pub(crate) fn count_attempt(&self, email: &str, client: IpAddr) -> Result<(), ConsoleError> {
        let (now, email, network) = (self.now(), email.to_owned(), client_prefix(client));
        let inner = &self.0;
        inner
            .attempts_of_network
            .take(&network, now)
            .and_then(|()| inner.attempts_here.take(&(email.clone(), network), now))
            .and_then(|()| inner.attempts.take(&email, now))
            .map_err(ConsoleError::TooManyAttempts)
    }

    /// Counts a sign-in without a known account against the rate limit of the network.
    pub(crate) fn count_network(&self, client: IpAddr) -> Result<(), ConsoleError> {
        let permit = self.0.attempts_of_network.take(&client_prefix(client), self.now());
        permit.map_err(ConsoleError::TooManyAttempts)
    }

    /// The login for statements of an operator with this role.
    pub(crate) async fn login(&self, role: Role) -> Result<&SqlLogin, ConsoleError> {
        let config = self.config();
        if role > Role::ReadOnly {
            return Ok(&config.writer);
        }
        if config.makes_reader {
            self.0.reader_made.get_or_try_init(|| ensure_reader(&config.owner)).await?;
        }
        Ok(&config.reader)
    }

    /// Registers a running statement of an operator.
    pub(crate) fn begin_statement(
        &self,
        id: Uuid,
        operator: Uuid,
    ) -> Result<RunningStatement, ConsoleError> {
        let cancelled = CancellationToken::new();
        let mut running = self.running();
        if running.contains_key(&id) {
            return Err(ConsoleError::AlreadyRunning);
        }
        running.insert(id, (operator, cancelled.clone()));
        drop(running);
        Ok(RunningStatement { state: self.clone(), id, cancelled })
    }

    /// Cancels a statement; only an owner may cancel one of another operator. Returns the id of its
    /// operator, or none if no statement that this operator may cancel runs under this id.
    pub(crate) fn cancel_statement(&self, id: Uuid, operator: Uuid, role: Role) -> Option<Uuid> {
        let running = self.running();
        let (own, token) = running.get(&id)?;
        if *own != operator && role != Role::Owner {
            return None;
        }
        token.cancel();
        Some(*own)
    }

    fn running(&self) -> std::sync::MutexGuard<'_, HashMap<Uuid, (Uuid, CancellationToken)>> {
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
