//! One connection and the pool's way of making and keeping them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use deadpool::managed::{self, Metrics, RecycleError, RecycleResult};
use tokio_postgres::{Client, Config, Socket, tls::MakeTlsConnect};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{frame::Frames, statements::Statements};
use crate::PgError;

/// Where connections come from.
pub(super) struct Connector {
    pub config: Config,
    pub tls: MakeRustlsConnect,
}

type Stream = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;

impl Connector {
    pub async fn open(
        &self,
    ) -> Result<(Client, tokio_postgres::Connection<Socket, Stream>), PgError> {
        Ok(self.config.connect(self.tls.clone()).await?)
    }
}

/// A connection with the statements prepared on it.
pub(crate) struct Connection {
    pub(super) client: Client,
    pub(super) statements: Statements,
    pub(super) frames: Frames,
    pub(super) connector: Arc<Connector>,
    generation: u64,
}

/// Makes connections for the pool.
pub(crate) struct Manager {
    pub(super) connector: Arc<Connector>,
    pub(super) generation: Arc<AtomicU64>,
    pub(super) statement_cache: usize,
    pub(super) max_lifetime: Duration,
}

impl managed::Manager for Manager {
    type Type = Connection;
    type Error = PgError;

    async fn create(&self) -> Result<Connection, PgError> {
        let generation = self.generation.load(Ordering::Relaxed);
        let (client, connection) = self.connector.open().await?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::warn!(%error, "a database connection ended");
            }
        });
        Ok(Connection {
            client,
            statements: Statements::new(self.statement_cache),
            frames: Frames::default(),
            connector: self.connector.clone(),
            generation,
        })
    }

    /// The driver reads its socket all the time, so it knows of a lost connection without a
    /// round trip to ask.
    async fn recycle(
        &self,
        connection: &mut Connection,
        metrics: &Metrics,
    ) -> RecycleResult<PgError> {
        if connection.client.is_closed() {
            return Err(RecycleError::message("the connection is closed"));
        }
        if metrics.age() > self.max_lifetime {
            return Err(RecycleError::message("the connection is old"));
        }
        let generation = self.generation.load(Ordering::Relaxed);
        if connection.generation != generation {
            connection.statements.clear();
            connection.frames.clear();
            connection.client.clear_type_cache();
            connection.generation = generation;
        }
        Ok(())
    }
}
