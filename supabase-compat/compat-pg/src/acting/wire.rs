//! A connection that speaks the PostgreSQL protocol: messages are sent together, and the caller
//! reads the answers itself, without a task in between.

use std::io;

use bytes::BytesMut;
use futures_util::FutureExt;
use postgres_protocol::message::backend::{Message, ReadyForQueryBody};
use postgres_protocol::message::frontend;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_postgres::CancelToken;

use super::stream_takeover::{AuthenticatedStream, Duplex};
use crate::{DatabaseError, PgError};

/// The initial size of a connection's buffers; the answer to a list request fits.
const BUFFER: usize = 16 * 1024;

/// Buffers that have grown beyond this size are replaced.
const LARGEST_KEPT: usize = 1024 * 1024;

/// What is known about the server's progress with the messages that were sent last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SyncState {
    /// The server has not answered.
    Silence,
    /// The server's first answer was an error that ended the connection: it executed nothing.
    Refused,
    /// The server has begun.
    Begun,
}

pub(super) struct Wire {
    stream: Box<dyn Duplex>,
    pub cancel: CancelToken,
    /// The output buffer.
    pub out: BytesMut,
    incoming: BytesMut,
    /// Synchronisation points the server has not answered yet.
    pending_syncs: usize,
    /// The server's last transaction status: `I` for idle, `T` for in a block, `E` for a failed
    /// block.
    block: u8,
    /// The server's progress with the last train.
    sync_state: SyncState,
    closed: bool,
}

impl Wire {
    pub fn new(signed_in: AuthenticatedStream) -> Self {
        Self {
            stream: signed_in.stream,
            cancel: signed_in.cancel,
            out: BytesMut::with_capacity(BUFFER),
            incoming: BytesMut::with_capacity(BUFFER),
            pending_syncs: 0,
            block: b'I',
            sync_state: SyncState::Silence,
            closed: false,
        }
    }

    /// Ends the messages in [`Self::out`] with a synchronisation point and sends them all.
    pub async fn send(&mut self) -> Result<(), PgError> {
        frontend::sync(&mut self.out);
        self.dispatch().await
    }

    /// Sends a statement without parameters, by itself.
    pub async fn command(&mut self, sql: &str) -> Result<(), PgError> {
        frontend::query(sql, &mut self.out).map_err(|error| PgError::Protocol(Box::new(error)))?;
        self.dispatch().await?;
        let mut refusal = None;
        while let Some(message) = self.next().await? {
            if let Message::ErrorResponse(body) = message {
                refusal = Some(DatabaseError::from_wire(&body)?);
            }
        }
        refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
    }

    /// Counts the answer as pending before the first byte is sent, so that a caller who goes away
    /// in the middle is noticed.
    async fn dispatch(&mut self) -> Result<(), PgError> {
        self.pending_syncs += 1;
        self.sync_state = SyncState::Silence;
        self.flush().await
    }

    async fn flush(&mut self) -> Result<(), PgError> {
        let write = async {
            self.stream.write_all_buf(&mut self.out).await?;
            self.stream.flush().await
        };
        write.await.map_err(|error| self.connection_lost(error))
    }

    /// The next message of the answer; `None` at its end.
    pub async fn next(&mut self) -> Result<Option<Message>, PgError> {
        loop {
            match Message::parse(&mut self.incoming).map_err(|error| self.connection_lost(error))? {
                Some(Message::ReadyForQuery(body)) => {
                    self.ready(&body);
                    return Ok(None);
                }
                Some(
                    Message::NoticeResponse(_)
                    | Message::ParameterStatus(_)
                    | Message::NotificationResponse(_),
                ) => {}
                Some(message) => {
                    self.note_message(&message);
                    return Ok(Some(message));
                }
                None => self.read().await?,
            }
        }
    }

    fn note_message(&mut self, message: &Message) {
        let is_refusal = matches!(message, Message::ErrorResponse(_));
        self.sync_state = match self.sync_state {
            SyncState::Silence if is_refusal => SyncState::Refused,
            _ => SyncState::Begun,
        };
    }

    fn ready(&mut self, body: &ReadyForQueryBody) {
        self.pending_syncs = self.pending_syncs.saturating_sub(1);
        self.block = body.status();
        if self.incoming.is_empty() && self.incoming.capacity() > LARGEST_KEPT {
            self.incoming = BytesMut::with_capacity(BUFFER);
        }
        if self.out.capacity() > LARGEST_KEPT {
            self.out = BytesMut::with_capacity(BUFFER);
        }
    }

    async fn read(&mut self) -> Result<(), PgError> {
        self.incoming.reserve(BUFFER);
        match self.stream.read_buf(&mut self.incoming).await {
            Ok(0) => Err(self.connection_lost(io::ErrorKind::UnexpectedEof.into())),
            Ok(_) => Ok(()),
            Err(error) => Err(self.connection_lost(error)),
        }
    }

    fn connection_lost(&mut self, error: io::Error) -> PgError {
        self.closed = true;
        PgError::Unavailable(Box::new(error))
    }

    /// Waits until the server has answered everything that was sent, whatever the answers are.
    pub async fn settle(&mut self) -> Result<(), PgError> {
        self.flush().await?;
        while self.pending_syncs > 0 {
            while self.next().await?.is_some() {}
        }
        Ok(())
    }

    /// The server's progress with the last train, for a connection that was lost meanwhile.
    pub fn sync_state(&self) -> SyncState {
        self.sync_state
    }

    /// Whether the server has answered everything that was sent.
    pub fn is_answered(&self) -> bool {
        self.pending_syncs == 0
    }

    /// Whether nothing is under way and no transaction is open.
    pub fn is_idle(&self) -> bool {
        self.is_answered() && !self.is_in_block()
    }

    /// Whether a transaction block is open.
    pub fn is_in_block(&self) -> bool {
        self.block != b'I'
    }

    /// Whether the open transaction block has failed and can only be rolled back.
    pub fn is_failed(&self) -> bool {
        self.block == b'E'
    }

    /// Whether the connection is closed. Reads what the server has sent meanwhile, so that a
    /// connection that the server closed is noticed without a round trip.
    pub fn is_closed(&mut self) -> bool {
        if self.closed {
            return true;
        }
        if let Some(read) = self.read().now_or_never() {
            self.closed |= read.is_err();
        }
        // Between two answers only notices may arrive; a server that closes the connection sends an
        // error.
        while !self.closed {
            match Message::parse(&mut self.incoming) {
                Ok(None) => break,
                Ok(Some(Message::ErrorResponse(_))) | Err(_) => self.closed = true,
                Ok(Some(_)) => {}
            }
        }
        self.closed
    }
}
