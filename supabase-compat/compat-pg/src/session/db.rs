//! The limit on sessions at the same time, and the connections that wait for the next session.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use super::connection::Connection;
use super::idle::IdleConnections;
use super::{NO_BLOCK, Session, SessionError};
use crate::acting::Connector;
use crate::{PgError, address};

/// How long the reset of a connection may take before another one is opened.
const RESET_TIMEOUT: Duration = Duration::from_secs(2);
/// Opens [`Session`]s, up to a limit at the same time. Cheap to clone.
#[derive(Clone)]
pub struct SessionDb {
    connector: Arc<Connector>,
    permits: Arc<Semaphore>,
    /// Idle connections of all logins that share the permits.
    idle: IdleConnections,
    acquire_timeout: Duration,
}

/// The limits of a [`SessionDb`].
#[derive(Clone, Copy, Debug)]
pub struct SessionLimits {
    /// The most connections at the same time; at least one.
    pub connections: usize,
    /// How long a caller waits for a connection, and how long opening one may take.
    pub acquire_timeout: Duration,
    /// How long a returned connection waits for the next session; zero keeps none.
    pub max_idle: Duration,
}

/// The name and the limits of one session.
#[derive(Clone, Debug)]
pub struct SessionRules {
    /// Its `application_name` in the server's list of sessions.
    pub application: String,
    /// The timeout for all of its statements together.
    pub time: Duration,
    /// The most bytes of an answer that are read.
    pub bytes: usize,
}

/// Prints no addresses, because they contain passwords.
impl fmt::Debug for SessionDb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionDb")
            .field("free", &self.permits.available_permits())
            .finish_non_exhaustive()
    }
}

impl SessionDb {
    /// Prepares the pool without connecting. `url` names the login that statements run as.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn new(url: &str, limits: SessionLimits) -> Result<Self, PgError> {
        let options = address::acting_options(url, None, limits.acquire_timeout)?;
        Ok(Self {
            connector: Arc::new(Connector::new(options)?),
            permits: Arc::new(Semaphore::new(limits.connections.max(1))),
            idle: IdleConnections::new(limits.max_idle),
            acquire_timeout: limits.acquire_timeout,
        })
    }

    /// The same server with another login, which shares the limit of connections.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn with_login(&self, url: &str) -> Result<Self, PgError> {
        let options = address::acting_options(url, None, self.acquire_timeout)?;
        Ok(Self { connector: Arc::new(Connector::new(options)?), ..self.clone() })
    }

    /// Opens a connection, or reuses a returned one. The session's timeout starts once its permit
    /// is acquired.
    ///
    /// # Errors
    /// No connection became free in time, the server cannot be reached, or
    /// [`SessionError::Superuser`].
    pub async fn open(&self, rules: &SessionRules) -> Result<Session, SessionError> {
        let acquired = timeout(self.acquire_timeout, self.permits.clone().acquire_owned()).await;
        let permit = acquired.ok().and_then(Result::ok).ok_or(PgError::PoolTimeout)?;
        let deadline = Instant::now() + rules.time;
        while let Some(mut connection) = self.idle.take(&self.connector, &rules.application) {
            let reset = timeout(RESET_TIMEOUT, connection.finish_reset()).await;
            if matches!(reset, Ok(Ok(()))) {
                return Ok(self.session(connection, permit, rules, deadline));
            }
        }
        self.idle.shrink(self.permits.available_permits());
        let connecting = Connection::open(&self.connector, &rules.application);
        let opened = timeout(self.acquire_timeout, connecting).await;
        let connection = opened.map_err(|_| PgError::PoolTimeout)?.map_err(PgError::opening)?;
        let mut session = self.session(connection, permit, rules, deadline);
        session.introduce(&rules.application).await?;
        if self.idle.keeps_any() {
            session.remember_state().await?;
        }
        Ok(session)
    }

    fn session(
        &self,
        connection: Connection,
        permit: OwnedSemaphorePermit,
        rules: &SessionRules,
        deadline: Instant,
    ) -> Session {
        Session {
            connection: Some(connection),
            permit: Some(permit),
            idle: self.idle.clone(),
            is_busy: false,
            is_extended: false,
            is_plain: true,
            block: NO_BLOCK,
            refusal: None,
            size: 0,
            limit: rules.bytes,
            time: rules.time,
            deadline,
        }
    }
}
