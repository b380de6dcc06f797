//! A connection that acts for callers, and the pool manager that opens and recycles such
//! connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use deadpool::managed::{self, Metrics, RecycleError, RecycleResult};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{CancelToken, Client, Config, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::frame::Frames;
use super::statements::Statements;
use super::stream_takeover;
use super::stream_takeover::{AuthenticatedStream, Negotiation};
use super::wire::Wire;
use crate::PgError;
use crate::address::ActingOptions;

/// Opens connections to one address.
pub(crate) struct Connector {
    pub(super) config: Config,
    pub(super) negotiation: Negotiation,
}

type Stream = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;

impl Connector {
    pub fn new(options: ActingOptions) -> Result<Self, PgError> {
        let negotiation = Negotiation { mode: options.tls.mode, tls: options.tls.connector()? };
        Ok(Self { config: options.config, negotiation })
    }

    /// Opens an unmodified connection of the driver, for notifications.
    pub async fn open(
        &self,
    ) -> Result<(Client, tokio_postgres::Connection<Socket, Stream>), PgError> {
        Ok(self.config.connect(self.negotiation.tls.clone()).await?)
    }

    /// Opens an authenticated stream whose `application_name` is `application`.
    pub async fn open_session(&self, application: &str) -> Result<AuthenticatedStream, PgError> {
        let mut config = self.config.clone();
        config.application_name(application);
        stream_takeover::sign_in(&config, &self.negotiation).await
    }

    /// Cancels the statement that runs on a connection; returns when the server has handled the
    /// cancel request.
    pub async fn cancel(&self, token: &CancelToken) -> Result<(), PgError> {
        stream_takeover::cancel(token, &self.config, &self.negotiation).await
    }

    /// Opens an authenticated stream in replication mode.
    pub async fn open_for_replication(&self) -> Result<AuthenticatedStream, PgError> {
        stream_takeover::sign_in_for_replication(&self.config, &self.negotiation).await
    }
}

/// A connection with the statements prepared on it.
pub(crate) struct Connection {
    pub(super) wire: Wire,
    pub(super) statements: Statements,
    pub(super) frames: Frames,
    pub(super) connector: Arc<Connector>,
    /// Names of statements that were sent to be prepared and whose answer was not read.
    pub(super) unconfirmed: Vec<Box<str>>,
    named: u64,
    generation: u64,
}

impl Connection {
    /// A statement name that is new on this connection.
    pub(super) fn fresh_name(&mut self) -> Box<str> {
        self.named += 1;
        format!("s{}", self.named).into()
    }

    /// Forgets every prepared statement.
    pub(super) fn forget_all(&mut self) {
        self.statements.clear();
        self.statements.retired.extend(self.frames.clear());
    }
}

/// Opens and recycles the pool's connections.
pub(crate) struct Manager {
    pub(super) connector: Arc<Connector>,
    pub(super) generation: Arc<AtomicU64>,
    pub(super) statement_cache: usize,
    pub(super) max_lifetime: Duration,
    pub(super) max_idle: Duration,
}

impl managed::Manager for Manager {
    type Type = Connection;
    type Error = PgError;

    async fn create(&self) -> Result<Connection, PgError> {
        let generation = self.generation.load(Ordering::Relaxed);
        let Connector { config, negotiation } = &*self.connector;
        Ok(Connection {
            wire: Wire::new(stream_takeover::sign_in(config, negotiation).await?),
            statements: Statements::new(self.statement_cache),
            frames: Frames::default(),
            connector: self.connector.clone(),
            unconfirmed: Vec::new(),
            named: 0,
            generation,
        })
    }

    /// Detects a lost connection from the bytes that have arrived, without a round trip.
    async fn recycle(
        &self,
        connection: &mut Connection,
        metrics: &Metrics,
    ) -> RecycleResult<PgError> {
        if connection.wire.is_closed() {
            return Err(RecycleError::message("the connection is closed"));
        }
        if metrics.age() > self.max_lifetime {
            return Err(RecycleError::message("the connection is old"));
        }
        if metrics.last_used() > self.max_idle {
            return Err(RecycleError::message("the connection was idle"));
        }
        let generation = self.generation.load(Ordering::Relaxed);
        if connection.generation != generation {
            connection.forget_all();
            connection.generation = generation;
        }
        Ok(())
    }
}
