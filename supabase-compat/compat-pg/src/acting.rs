//! Acting for a caller: one round trip in which role, claims and request facts are set, the
//! statement runs and the transaction ends.
//!
//! The connections are logged in as `authenticator`, which may do nothing itself. If a transaction
//! could not be opened, the statement behind it therefore fails instead of running with rights.

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
    /// Whether the login is another one than `authenticator`, with rights of its own.
    guarded: bool,
}

/// Sizes only: the addresses hold passwords.
impl fmt::Debug for ActingDb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActingDb").field("status", &self.status()).finish_non_exhaustive()
    }
}

/// How full a pool is, for the metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolStatus {
    /// Most connections it may hold.
    pub max: usize,
    /// Connections it holds.
    pub open: usize,
    /// Connections nobody uses at the moment.
    pub available: usize,
    /// Callers waiting for one; the owner's driver does not tell and says 0.
    pub waiting: usize,
}

impl ActingDb {
    /// Prepares the pool without connecting. With `as_role` the login is another one (the owner's)
    /// and every connection starts in that role.
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
    /// The result is the statement's rows only if every part succeeded; a commit after a failed
    /// statement reports success and means nothing. Dropping the future leaves nothing behind: a
    /// statement still running is cancelled before its connection is used again.
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

    /// A transaction of several statements for a caller. [`Identity::commit`] means nothing here:
    /// [`Acting::commit`] or [`Acting::rollback`] says it.
    pub fn begin<'a>(
        &'a self,
        options: &TransactionOptions<'a>,
        identity: &Identity<'a>,
    ) -> Acting<'a> {
        Acting::new(self, *options, *identity)
    }

    /// # Errors
    /// The role is no role.
    fn work<'a>(
        &self,
        options: &'a TransactionOptions<'a>,
        identity: &'a Identity<'a>,
        statement: Statement<'a>,
    ) -> Result<pipeline::PipelineRequest<'a>, PgError> {
        refuse_none(identity)?;
        Ok(pipeline::PipelineRequest { options, identity, statement, guarded: self.guarded })
    }

    /// A connection may have been lost while it waited in the pool, and so may the next one. Work
    /// on it may be done on another one when it changed nothing, or when the server said before
    /// anything else that it would not begin.
    fn is_worth_another_try<T>(
        &self,
        answer: &Result<T, PgError>,
        lease: &mut Lease,
        read_only: bool,
        tries: u32,
    ) -> bool {
        let untouched = match lease.wire.fate() {
            SyncState::Refused => true,
            SyncState::Silence => read_only,
            SyncState::Begun => false,
        };
        let lost = answer.as_ref().is_err_and(PgError::is_unavailable) && lease.wire.is_closed();
        lost && untouched && tries < TRIES
    }

    /// Runs one statement as the login itself, outside a transaction: for the catalogue queries
    /// of the schema cache. Parameters are values in text form, as in [`Statement`].
    pub async fn query_raw(&self, sql: &str, params: &[Option<&str>]) -> Result<Vec<Row>, PgError> {
        let mut lease = self.lease().await?;
        pipeline::run_plain(&mut lease, Statement { sql, params }).await
    }

    /// Notifications from the database the callers act in.
    pub fn listener(&self) -> &NotificationListener {
        &self.listener
    }

    /// The same pool with an ear that others have, too.
    pub(crate) fn with_listener(self, listener: NotificationListener) -> Self {
        Self { listener, ..self }
    }

    /// Whether the server lets us in and answers. Where every connection is at work another one is
    /// opened beside the pool: a busy pool is no sign of a server that is away.
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

    /// Makes every connection forget its prepared statements before its next use: after a change
    /// of the schema their parameter types may be wrong.
    pub fn forget_statements(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Sizes for the metrics.
    pub fn status(&self) -> PoolStatus {
        let status = self.pool.status();
        PoolStatus {
            max: status.max_size,
            open: status.size,
            available: status.available,
            waiting: status.waiting,
        }
    }

    /// Refuses new work and closes the connections as they come back.
    pub fn close(&self) {
        self.pool.close();
    }

    /// Waits for a permit of the caller's client, if it is known.
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

/// Connections tried for one piece of work.
const TRIES: u32 = 3;

type PooledConnection = managed::Object<Manager>;

/// # Errors
/// The role is no role: to the server, `none` is the word for stepping back to the login.
fn refuse_none(identity: &Identity<'_>) -> Result<(), PgError> {
    match identity.role {
        "none" => Err(no_such_role(identity.role).into()),
        _ => Ok(()),
    }
}

/// What the server says of a role it does not know.
fn no_such_role(role: &str) -> DatabaseError {
    DatabaseError {
        code: "22023".to_owned(),
        message: format!("role \"{role}\" does not exist"),
        ..DatabaseError::default()
    }
}
