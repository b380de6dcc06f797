//! Acting for a caller: one round trip in which role, claims and request facts are set, the
//! statement runs and the transaction ends.
//!
//! The connections are logged in as `authenticator`, which has no rights of its own. If opening a
//! transaction fails, the statement after it therefore fails too, instead of running with more
//! rights.

mod cleanup;
mod connection;
mod frame;
mod identity;
mod lease;
mod pipeline;
#[cfg(test)]
mod property_test;
mod quota;
mod row;
mod statements;
pub(crate) mod stream_takeover;
mod transaction;
mod wire;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use compat_fair_semaphore::Permit;
use deadpool::managed::{self, PoolError, TimeoutType, Timeouts};

use crate::{ActingConfig, DatabaseError, NotificationListener, PgError, address};
pub(crate) use connection::Connector;
use connection::Manager;
pub use identity::{Identity, Isolation, Statement, TransactionOptions};
use lease::Lease;
use quota::ClientQuota;
pub use row::{ColumnIndex, Row};
pub use transaction::Acting;
use wire::SyncState;

/// The pool of connections that act for callers. Cheap to clone.
#[derive(Clone)]
pub struct ActingDb {
    pool: managed::Pool<Manager>,
    quota: ClientQuota,
    listener: NotificationListener,
    /// Counts up when prepared statements must be forgotten; see [`Self::forget_statements`].
    generation: Arc<AtomicU64>,
    prepared: bool,
    /// Whether the login is a role other than `authenticator`, with rights of its own.
    guarded: bool,
}

/// Prints sizes only, because the addresses contain passwords.
impl fmt::Debug for ActingDb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActingDb").field("status", &self.status()).finish_non_exhaustive()
    }
}

/// How full a pool is, for the metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolStatus {
    /// The most connections that the pool may hold.
    pub max: usize,
    /// Connections that are open.
    pub open: usize,
    /// Open connections that are not in use.
    pub available: usize,
    /// Callers that wait for a connection. Always 0 for the owner's pool, whose driver does not
    /// report it.
    pub waiting: usize,
}

impl ActingDb {
    /// Prepares the pool without connecting. With `as_role`, the login is another role (the owner)
    /// and every connection starts in the role `as_role`.
    pub fn new(url: &str, as_role: Option<&str>, config: &ActingConfig) -> Result<Self, PgError> {
        let options = address::acting_options(url, as_role, config.connect_timeout)?;
        let connector = Arc::new(Connector::new(options)?);
        let generation = Arc::new(AtomicU64::new(0));
        let manager = Manager {
            connector: connector.clone(),
            generation: generation.clone(),
            statement_cache: config.statement_cache,
            max_lifetime: config.max_lifetime,
            max_idle: config.max_idle,
        };
        let timeouts = Timeouts {
            wait: Some(config.acquire_timeout),
            create: Some(config.connect_timeout),
            recycle: Some(config.connect_timeout),
        };
        let pool = managed::Pool::builder(manager)
            .max_size(config.max_connections)
            .timeouts(timeouts)
            // The connection used last has the warmest caches, here and in the server.
            .queue_mode(managed::QueueMode::Lifo)
            .runtime(deadpool::Runtime::Tokio1)
            .build()
            .map_err(|error| PgError::Address(error.to_string()))?;
        Ok(Self {
            pool,
            quota: ClientQuota::new(config.max_connections, config.acquire_timeout),
            listener: NotificationListener::new(connector),
            generation,
            prepared: config.prepared_statements,
            guarded: as_role.is_some(),
        })
    }

    /// Runs one statement for a caller, in a transaction of its own and one round trip.
    ///
    /// Returns the statement's rows only if every part succeeded, because a commit after a failed
    /// statement reports success. Dropping the future is safe: a statement that still runs is
    /// cancelled before its connection is used again.
    pub async fn run(
        &self,
        identity: &Identity<'_>,
        statement: Statement<'_>,
    ) -> Result<Vec<Row>, PgError> {
        self.run_in(&TransactionOptions::default(), identity, statement).await
    }

    /// [`Self::run`] with an isolation level or a procedure to call before the statement.
    pub async fn run_in(
        &self,
        options: &TransactionOptions<'_>,
        identity: &Identity<'_>,
        statement: Statement<'_>,
    ) -> Result<Vec<Row>, PgError> {
        let work = self.work(options, identity, statement)?;
        let _permit = self.permit(identity).await?;
        let mut tries = 1;
        loop {
            let mut lease = self.lease().await?;
            let answer = pipeline::run(&mut lease, work, self.prepared).await;
            if !self.is_worth_another_try(&answer, &mut lease, identity.read_only, tries) {
                return answer;
            }
            tries += 1;
        }
    }

    /// Begins a transaction of several statements for a caller. [`Identity::commit`] is ignored
    /// here: [`Acting::commit`] or [`Acting::rollback`] ends the transaction.
    pub fn begin<'a>(
        &'a self,
        options: &TransactionOptions<'a>,
        identity: &Identity<'a>,
    ) -> Acting<'a> {
        Acting::new(self, *options, *identity)
    }

    /// # Errors
    /// The role is `none`.
    fn work<'a>(
        &self,
        options: &'a TransactionOptions<'a>,
        identity: &'a Identity<'a>,
        statement: Statement<'a>,
    ) -> Result<pipeline::PipelineRequest<'a>, PgError> {
        refuse_none(identity)?;
        Ok(pipeline::PipelineRequest { options, identity, statement, guarded: self.guarded })
    }

    /// A pooled connection may have been lost while it was idle. The work may be tried on another
    /// connection if it changes nothing, or if the server closed the connection before it began.
    fn is_worth_another_try<T>(
        &self,
        answer: &Result<T, PgError>,
        lease: &mut Lease,
        read_only: bool,
        tries: u32,
    ) -> bool {
        let untouched = match lease.wire.sync_state() {
            SyncState::Refused => true,
            SyncState::Silence => read_only,
            SyncState::Begun => false,
        };
        let is_lost = answer.as_ref().is_err_and(PgError::is_unavailable) && lease.wire.is_closed();
        is_lost && untouched && tries < TRIES
    }

    /// Runs one statement as the login itself, outside a transaction, for the catalog queries of
    /// the schema cache. Parameters are values in text form, as in [`Statement`].
    pub async fn query_raw(&self, sql: &str, params: &[Option<&str>]) -> Result<Vec<Row>, PgError> {
        let mut lease = self.lease().await?;
        pipeline::run_plain(&mut lease, Statement { sql, params }).await
    }

    /// The listener for notifications from the database in which callers act.
    pub fn listener(&self) -> &NotificationListener {
        &self.listener
    }

    /// The same pool with a listener that is shared with other pools.
    pub(crate) fn with_listener(self, listener: NotificationListener) -> Self {
        Self { listener, ..self }
    }

    /// Checks that the server accepts a login and answers. If every connection is busy, another one
    /// is opened beside the pool, because a busy pool does not mean that the server is down.
    pub async fn check(&self) -> Result<(), PgError> {
        match self.lease_within(Some(Duration::ZERO)).await {
            Ok(mut lease) => {
                let statement = Statement { sql: "select 1", params: &[] };
                pipeline::run_plain(&mut lease, statement).await.map(drop)
            }
            Err(PgError::PoolTimeout) => {
                let (client, connection) =
                    self.pool.manager().connector.open().await.map_err(PgError::opening)?;
                drop(client);
                Ok(connection.await?)
            }
            Err(error) => Err(error),
        }
    }

    /// Makes every connection forget its prepared statements before its next use: after a schema
    /// change their parameter types may be wrong.
    pub fn forget_statements(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// The sizes of the pool, for the metrics.
    pub fn status(&self) -> PoolStatus {
        let status = self.pool.status();
        PoolStatus {
            max: status.max_size,
            open: status.size,
            available: status.available,
            waiting: status.waiting,
        }
    }

    /// Refuses new work, and closes each connection when it is returned.
    pub fn close(&self) {
        self.pool.close();
    }

    /// Waits for a permit of the caller's client, if its address is known.
    async fn permit(&self, identity: &Identity<'_>) -> Result<Option<Permit>, PgError> {
        match identity.client {
            Some(client) => self.quota.acquire(client).await.map(Some),
            None => Ok(None),
        }
    }

    async fn lease(&self) -> Result<Lease, PgError> {
        self.lease_within(self.pool.timeouts().wait).await
    }

    async fn lease_within(&self, wait: Option<Duration>) -> Result<Lease, PgError> {
        let timeouts = Timeouts { wait, ..self.pool.timeouts() };
        let connection = self.pool.timeout_get(&timeouts).await.map_err(|error| match error {
            PoolError::Timeout(TimeoutType::Wait) => PgError::PoolTimeout,
            PoolError::Backend(error) => error.opening(),
            other => PgError::Unavailable(other.to_string().into()),
        })?;
        Ok(Lease::new(connection))
    }
}

/// How many connections are tried for one request.
const TRIES: u32 = 3;

type PooledConnection = managed::Object<Manager>;

/// # Errors
/// The role is `none`, with which `set role` would return to the login's own rights.
fn refuse_none(identity: &Identity<'_>) -> Result<(), PgError> {
    match identity.role {
        "none" => Err(no_such_role(identity.role).into()),
        _ => Ok(()),
    }
}

/// The error that the server reports for a role that does not exist.
fn no_such_role(role: &str) -> DatabaseError {
    DatabaseError {
        code: "22023".to_owned(),
        message: format!("role \"{role}\" does not exist"),
        ..DatabaseError::default()
    }
}
