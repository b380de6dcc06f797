//! The connection of a session: its messages, its reset, and the end of its work.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf as _, BytesMut};
use fallible_iterator::FallibleIterator as _;
use futures_util::FutureExt as _;
use postgres_protocol::message::backend::{Header, Message, READY_FOR_QUERY_TAG};
use postgres_protocol::message::frontend;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::{Instant, timeout};
use tokio_postgres::CancelToken;

use super::state::SESSION_STATE;
use super::{NO_BLOCK, connection_lost, unreadable};
use crate::PgError;
use crate::acting::Connector;
use crate::acting::stream_takeover::Duplex;

/// The initial size of the buffer.
const BUFFER: usize = 16 * 1024;
/// How long a cancellation may take before the server process is terminated from another
/// connection.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);
/// The size of the type before each message.
pub(super) const TAG: usize = 1;
/// Resets a session to its initial state, as far as a statement can. It is sent as a separate text,
/// because the server refuses it inside a transaction.
const RESET: &str = "discard all";

/// A connection for sessions.
pub(super) struct Connection {
    stream: Box<dyn Duplex>,
    cancel: CancelToken,
    pub connector: Arc<Connector>,
    /// The `application_name` with which it was opened.
    pub application: String,
    pub opened: Instant,
    incoming: BytesMut,
    pub backend: Backend,
    /// The result of [`SESSION_STATE`] when it was opened.
    pub state: Option<String>,
}

/// The server process of a connection. Process ids are reused, so the start time is needed, too.
#[derive(Debug, Default)]
pub(super) struct Backend {
    pub process: String,
    pub start: String,
}

impl Connection {
    /// Connects and signs in.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses the login.
    pub async fn open(connector: &Arc<Connector>, application: &str) -> Result<Self, PgError> {
        let signed_in = connector.open_session(application).await?;
        Ok(Self {
            stream: signed_in.stream,
            cancel: signed_in.cancel,
            connector: Arc::clone(connector),
            application: application.to_owned(),
            opened: Instant::now(),
            incoming: BytesMut::with_capacity(BUFFER),
            backend: Backend::default(),
            state: None,
        })
    }

    /// Sends the reset. Only the next session waits for its answer: [`Self::finish_reset`].
    ///
    /// # Errors
    /// The connection is lost.
    pub async fn begin_reset(&mut self) -> Result<(), PgError> {
        // The server has sent an unexpected part of a message.
        if !self.incoming.is_empty() {
            return Err(not_reset());
        }
        // Frees the memory of a large answer.
        self.incoming = BytesMut::new();
        let mut out = BytesMut::new();
        for text in [RESET, SESSION_STATE] {
            frontend::query(text, &mut out).map_err(unreadable)?;
        }
        self.send(&out).await
    }

    /// Waits for the reset, and compares the state with the initial one.
    ///
    /// # Errors
    /// The state differs from the initial one, or the connection is lost.
    pub async fn finish_reset(&mut self) -> Result<(), PgError> {
        let (mut answers, mut state) = (0, None);
        while answers < 2 {
            match self.message().await? {
                Message::DataRow(body) => {
                    let range = body.ranges().next().map_err(unreadable)?.flatten();
                    let text = range.and_then(|range| body.buffer().get(range));
                    state = text.map(|text| String::from_utf8_lossy(text).into_owned());
                }
                Message::ReadyForQuery(body) if body.status() == NO_BLOCK => answers += 1,
                Message::ReadyForQuery(_) | Message::ErrorResponse(_) => return Err(not_reset()),
                _ => {}
            }
        }
        match state.is_some() && state == self.state && self.is_silent().await {
            true => Ok(()),
            false => Err(not_reset()),
        }
    }

    /// Whether the server has sent nothing after its last answer, as it does when it closes the
    /// connection.
    async fn is_silent(&mut self) -> bool {
        // The runtime notices arrived bytes only when it polls the system, which it does before
        // this task continues.
        tokio::task::yield_now().await;
        self.incoming.is_empty() && self.read().now_or_never().is_none()
    }

    /// Closes the connection; if it is busy, ends its work first.
    pub async fn close(mut self, is_busy: bool) {
        if is_busy {
            self.stop().await;
        }
        let mut out = BytesMut::new();
        frontend::terminate(&mut out);
        let _ = timeout(CANCEL_TIMEOUT, self.send(&out)).await;
    }

    pub(super) async fn send(&mut self, bytes: &[u8]) -> Result<(), PgError> {
        let write = async {
            self.stream.write_all(bytes).await?;
            self.stream.flush().await
        };
        write.await.map_err(connection_lost)
    }

    async fn read(&mut self) -> Result<(), PgError> {
        self.incoming.reserve(BUFFER);
        match self.stream.read_buf(&mut self.incoming).await.map_err(connection_lost)? {
            0 => Err(connection_lost(io::ErrorKind::UnexpectedEof.into())),
            _ => Ok(()),
        }
    }

    /// The type and length of the next message.
    pub(super) async fn header(&mut self) -> Result<(u8, usize), PgError> {
        loop {
            if let Some(header) = Header::parse(&self.incoming).map_err(unreadable)? {
                return Ok((header.tag(), usize::try_from(header.len()).unwrap_or_default()));
            }
            self.read().await?;
        }
    }

    pub(super) async fn message(&mut self) -> Result<Message, PgError> {
        loop {
            if let Some(message) = Message::parse(&mut self.incoming).map_err(unreadable)? {
                return Ok(message);
            }
            self.read().await?;
        }
    }

    /// Ends the running work: by a cancellation, which a statement may catch, or else by
    /// terminating the process from another connection.
    async fn stop(&mut self) {
        let connector = Arc::clone(&self.connector);
        let token = self.cancel.clone();
        let cancelled = async {
            connector.cancel(&token).await?;
            self.drain().await
        };
        if matches!(timeout(CANCEL_TIMEOUT, cancelled).await, Ok(Ok(()))) {
            return;
        }
        let ended = timeout(CANCEL_TIMEOUT, terminate(&connector, &self.backend)).await;
        if !matches!(ended, Ok(Ok(()))) {
            let process = &self.backend.process;
            tracing::warn!(process, "cannot end an abandoned statement");
        }
    }

    /// Skips messages until the server is idle.
    async fn drain(&mut self) -> Result<(), PgError> {
        loop {
            let (tag, length) = self.header().await?;
            let mut rest = TAG + length;
            while rest > 0 {
                if self.incoming.is_empty() {
                    self.read().await?;
                }
                let passed = rest.min(self.incoming.len());
                self.incoming.advance(passed);
                rest -= passed;
            }
            if tag == READY_FOR_QUERY_TAG {
                return Ok(());
            }
        }
    }
}

/// Terminates a server process from a connection of the same login.
async fn terminate(connector: &Connector, backend: &Backend) -> Result<(), PgError> {
    let (client, connection) = connector.open().await?;
    let statement = "select pg_catalog.pg_terminate_backend(a.pid) \
        from pg_catalog.pg_stat_get_activity(null) as a \
        where a.pid::text = $1 and extract(epoch from a.backend_start)::text = $2";
    let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 2] =
        [&backend.process, &backend.start];
    tokio::select! {
        ended = client.execute(statement, &parameters) => { ended?; }
        closed = connection => { closed?; }
    }
    Ok(())
}

fn not_reset() -> PgError {
    PgError::Protocol(Box::new(io::Error::other("the session is not as it was opened")))
}
