//! Database access for a service inside its own schema: the owner login, through sqlx.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgPoolOptions;
use sqlx::{ConnectOptions, Connection, PgConnection, Postgres, Transaction};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::acting::{Connector, PoolStatus};
use crate::{
    NotificationListener, OwnerConfig, PgError, PoolBudget, ReplicationConnection, address,
};

/// An idle connection is tested only after this time; testing every time would cost a round trip
/// per transaction.
const TRUSTED_IDLE: Duration = Duration::from_secs(5);

/// The pool of the owner login.
#[derive(Clone)]
pub struct OwnerDb {
    pool: sqlx::PgPool,
    listener: NotificationListener,
    connector: Arc<Connector>,
    limit: Option<Arc<Semaphore>>,
    created_at: Instant,
    /// The time of the last renewal, in microseconds since `created_at`; connections that were
    /// opened earlier are not used any more.
    renewed: Arc<AtomicU64>,
}

/// A transaction of the owner. It is rolled back if it is dropped without [`Owner::commit`].
pub struct Owner {
    transaction: Transaction<'static, Postgres>,
    /// Declared after the transaction, so that it is released after the connection.
    _permit: Option<OwnedSemaphorePermit>,
}

/// A connection of the owner outside any transaction: each statement is a transaction by itself,
/// without the round trips that begin and end one.
pub struct OwnerConnection {
    connection: PoolConnection<Postgres>,
    /// Declared after the connection, so that it is released after it.
    _permit: Option<OwnedSemaphorePermit>,
}

/// While it exists, the pool hands out no idle connection.
#[must_use]
pub(crate) struct ReuseSuspension<'a>(&'a OwnerDb);

impl Drop for ReuseSuspension<'_> {
    fn drop(&mut self) {
        self.0.renew();
    }
}

impl OwnerDb {
    /// Prepares the pool without connecting.
    pub fn new(url: &str, config: &OwnerConfig) -> Result<Self, PgError> {
        let options = address::owner_options(url)?;
        let (created_at, renewed) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        let bound = Arc::clone(&renewed);
        let pool = PgPoolOptions::new()
            .max_connections(config.max_connections)
            .acquire_timeout(config.acquire_timeout)
            // `before_acquire` tests instead, and only connections that have been idle for a while.
            .test_before_acquire(false)
            .before_acquire(move |connection, known| {
                let start = micros(created_at.elapsed().saturating_sub(known.age));
                let is_current = start >= bound.load(Ordering::Acquire);
                Box::pin(async move {
                    let is_trusted = known.idle_for < TRUSTED_IDLE;
                    Ok(is_current && (is_trusted || connection.ping().await.is_ok()))
                })
            })
            .connect_lazy_with(options);
        let acting = address::acting_options(url, None, config.acquire_timeout)?;
        let connector = Arc::new(Connector::new(acting)?);
        Ok(Self {
            pool,
            listener: NotificationListener::new(connector.clone()),
            connector,
            limit: None,
            created_at,
            renewed,
        })
    }

    /// The same pool for one kind of work, limited to its budget, so that work that waits for a
    /// lock takes no connections from other work.
    #[must_use]
    pub fn with_budget(&self, budget: PoolBudget) -> Self {
        let permits = budget.connections(self.pool.options().get_max_connections());
        Self { limit: Some(Arc::new(Semaphore::new(permits))), ..self.clone() }
    }

    /// Connects once, so that a wrong address is found at start: the pool would retry until its
    /// timeout and then report the timeout.
    pub async fn check(&self) -> Result<(), PgError> {
        self.pool.connect_options().connect().await?.close().await?;
        Ok(())
    }

    /// The server's `server_version_num`: the major version times 10000 plus the minor.
    pub async fn server_version(&self) -> Result<u32, PgError> {
        let number: i32 = self.ask("select current_setting('server_version_num')::int4").await?;
        Ok(u32::try_from(number).unwrap_or_default())
    }

    /// The server's clock.
    pub async fn now(&self) -> Result<DateTime<Utc>, PgError> {
        self.ask("select clock_timestamp()").await
    }

    /// The boolean result of a query on the catalog.
    pub async fn answers(&self, question: &'static str) -> Result<bool, PgError> {
        self.ask(question).await
    }

    async fn ask<T>(&self, question: &'static str) -> Result<T, PgError>
    where
        T: Send + Unpin + for<'r> sqlx::Decode<'r, Postgres> + sqlx::Type<Postgres>,
    {
        Ok(sqlx::query_scalar(question).fetch_one(&self.pool).await?)
    }

    /// Begins a transaction.
    ///
    /// # Errors
    /// [`PgError::PoolTimeout`] when no permit or no connection became free in time.
    pub async fn begin(&self) -> Result<Owner, PgError> {
        let permit = self.permit().await?;
        let transaction =
            self.pool.begin().await.map_err(|error| PgError::from(error).opening())?;
        Ok(Owner { transaction, _permit: permit })
    }

    /// Takes a connection, for statements that need no transaction around them.
    ///
    /// # Errors
    /// [`PgError::PoolTimeout`] when no permit or no connection became free in time.
    pub async fn connection(&self) -> Result<OwnerConnection, PgError> {
        let permit = self.permit().await?;
        let connection =
            self.pool.acquire().await.map_err(|error| PgError::from(error).opening())?;
        Ok(OwnerConnection { connection, _permit: permit })
    }

    /// Waits for a permit of the budget, if there is one.
    async fn permit(&self) -> Result<Option<OwnedSemaphorePermit>, PgError> {
        let Some(limit) = &self.limit else { return Ok(None) };
        let max_wait = self.pool.options().get_acquire_timeout();
        let permit = timeout(max_wait, Arc::clone(limit).acquire_owned()).await;
        permit.ok().and_then(Result::ok).map(Some).ok_or(PgError::PoolTimeout)
    }

    /// The listener for notifications from this database.
    pub fn listener(&self) -> &NotificationListener {
        &self.listener
    }

    /// Opens a separate connection in replication mode.
    ///
    /// # Errors
    /// The server cannot be reached, or the login may not replicate.
    pub async fn replication(&self) -> Result<ReplicationConnection, PgError> {
        Ok(ReplicationConnection::new(self.connector.open_for_replication().await?))
    }

    /// The sizes of the pool, for the metrics.
    pub fn status(&self) -> PoolStatus {
        let (size, available) = (self.pool.size() as usize, self.pool.num_idle());
        PoolStatus {
            max: self.pool.options().get_max_connections() as usize,
            open: size,
            available,
            waiting: 0,
        }
    }

    /// Closes the pool and waits until its connections are closed.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// From now on the pool hands out no connection that was opened before.
    pub(crate) fn renew(&self) {
        let since = self.created_at.elapsed();
        self.renewed.store(micros(since), Ordering::Release);
    }

    /// Until the result is dropped, the pool opens a connection for each that is acquired. Afterwards
    /// it hands out no connection that was opened before.
    pub(crate) fn suspend_reuse(&self) -> ReuseSuspension<'_> {
        self.renewed.store(u64::MAX, Ordering::Release);
        ReuseSuspension(self)
    }

    /// The pool, for single statements that are a transaction by themselves.
    pub(crate) fn pool(&self) -> &sqlx::PgPool {
        &self.pool
    }

    /// A connection outside any transaction and outside the pool: closing it ends everything that
    /// belongs to its session.
    ///
    /// It holds no permit of the budget, because the pool opens another connection in its place.
    /// Its callers are the start of the program, which runs alone, and scheduled jobs, whose
    /// sessions have a semaphore of their own.
    pub async fn session(&self) -> Result<PgConnection, PgError> {
        let acquired = self.pool.acquire().await;
        Ok(acquired.map_err(|error| PgError::from(error).opening())?.detach())
    }
}

impl Owner {
    /// Commits the transaction.
    pub async fn commit(self) -> Result<(), PgError> {
        Ok(self.transaction.commit().await?)
    }

    /// Rolls the transaction back and waits for the server's answer.
    pub async fn rollback(self) -> Result<(), PgError> {
        Ok(self.transaction.rollback().await?)
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl Deref for Owner {
    type Target = PgConnection;
    fn deref(&self) -> &PgConnection {
        &self.transaction
    }
}

impl DerefMut for Owner {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.transaction
    }
}

impl Deref for OwnerConnection {
    type Target = PgConnection;
    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for OwnerConnection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}
