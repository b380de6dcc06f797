//! A connection in replication mode: commands for the walsender, and bidirectional COPY.
//!
//! Memory is bounded: only the beginning of a message larger than a limit is kept. This module does
//! not know what is replicated.

use std::fmt;
use std::io;

use bytes::{Buf as _, Bytes, BytesMut};
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::{DataRowBody, Header, Message};
use postgres_protocol::message::frontend;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::acting::stream_takeover::{AuthenticatedStream, Duplex};
use crate::{DatabaseError, PgError};

/// The initial size of the buffer.
const BUFFER: usize = 16 * 1024;
/// The type of `CopyBothResponse` (PostgreSQL, "Message Formats"), which the driver's parser does
/// not know.
const COPY_BOTH: u8 = b'W';
/// The size of a message's length field, which follows its type and counts itself.
const LENGTH: usize = 4;

/// A connection for replication commands. Dropping it closes the connection, and with it every
/// temporary slot that it created.
pub struct ReplicationConnection(Messages);

/// The bidirectional stream of a replication command.
pub struct CopyBoth(Messages);

/// One message of the server in the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyMessage {
    /// Its contents, up to the limit of the caller.
    pub bytes: Bytes,
    /// Whether `bytes` is the whole message.
    pub is_whole: bool,
}

impl ReplicationConnection {
    pub(crate) fn new(signed_in: AuthenticatedStream) -> Self {
        Self(Messages {
            stream: signed_in.stream,
            incoming: BytesMut::with_capacity(BUFFER),
            partial: None,
        })
    }

    /// Sends a command and returns the rows of its answer, each value as text.
    ///
    /// # Errors
    /// The server refuses the command, or the connection is lost.
    pub async fn command(&mut self, text: &str) -> Result<Vec<Vec<Option<String>>>, PgError> {
        self.0.query(text).await?;
        let (mut rows, mut refusal) = (Vec::new(), None);
        loop {
            match self.0.next().await? {
                Message::DataRow(row) => rows.push(texts(&row)?),
                Message::ErrorResponse(body) => refusal = Some(DatabaseError::from_wire(&body)?),
                Message::ReadyForQuery(_) => break,
                _ => {}
            }
        }
        refusal.map_or(Ok(rows), |refusal| Err(refusal.into()))
    }

    /// Sends a command that begins a bidirectional COPY, such as `START_REPLICATION`.
    ///
    /// # Errors
    /// The server refuses the command, or the connection is lost.
    pub async fn copy_both(mut self, command: &str) -> Result<CopyBoth, PgError> {
        self.0.query(command).await?;
        loop {
            if self.0.peek().await? == COPY_BOTH {
                self.0.skip().await?;
                return Ok(CopyBoth(self.0));
            }
            match self.0.next().await? {
                Message::ErrorResponse(body) => {
                    return Err(DatabaseError::from_wire(&body)?.into());
                }
                Message::ReadyForQuery(_) => {
                    let error = io::Error::other("server started no COPY");
                    return Err(PgError::Protocol(error.into()));
                }
                _ => {}
            }
        }
    }
}

impl CopyBoth {
    /// The next message, of which at most `limit` bytes are kept; `None` when the server has ended
    /// the stream. Dropping the future loses nothing.
    ///
    /// # Errors
    /// The server ended the stream with an error, or the connection is lost.
    pub async fn next(&mut self, limit: usize) -> Result<Option<CopyMessage>, PgError> {
        loop {
            if let Some(message) = self.0.copied(limit).await? {
                return Ok(Some(message));
            }
            match self.0.next().await? {
                Message::ErrorResponse(body) => {
                    return Err(DatabaseError::from_wire(&body)?.into());
                }
                Message::CopyDone | Message::CommandComplete(_) | Message::ReadyForQuery(_) => {
                    return Ok(None);
                }
                _ => {}
            }
        }
    }

    /// Sends one message.
    ///
    /// # Errors
    /// The connection is lost.
    pub async fn send(&mut self, contents: &[u8]) -> Result<(), PgError> {
        let mut out = BytesMut::new();
        frontend::CopyData::new(contents)
            .map_err(|error| PgError::Protocol(Box::new(error)))?
            .write(&mut out);
        self.0.send(&out).await
    }
}

/// Prints no buffered data, which are contents of rows.
impl fmt::Debug for ReplicationConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplicationConnection").finish_non_exhaustive()
    }
}

impl fmt::Debug for CopyBoth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyBoth").finish_non_exhaustive()
    }
}

/// The stream with its buffered messages.
struct Messages {
    stream: Box<dyn Duplex>,
    incoming: BytesMut,
    /// A data message that is being read.
    partial: Option<PartialMessage>,
}

struct PartialMessage {
    prefix: Bytes,
    is_whole: bool,
    /// Bytes that are still to be skipped.
    rest: usize,
}

impl Messages {
    async fn query(&mut self, text: &str) -> Result<(), PgError> {
        let mut out = BytesMut::new();
        frontend::query(text, &mut out).map_err(|error| PgError::Protocol(Box::new(error)))?;
        self.send(&out).await
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), PgError> {
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
    async fn header(&mut self) -> Result<(u8, usize), PgError> {
        loop {
            if let Some(header) = Header::parse(&self.incoming).map_err(connection_lost)? {
                return Ok((header.tag(), usize::try_from(header.len()).unwrap_or_default()));
            }
            self.read().await?;
        }
    }

    async fn peek(&mut self) -> Result<u8, PgError> {
        Ok(self.header().await?.0)
    }

    async fn skip(&mut self) -> Result<(), PgError> {
        let (_, length) = self.header().await?;
        while self.incoming.len() <= length {
            self.read().await?;
        }
        self.incoming.advance(1 + length);
        Ok(())
    }

    async fn next(&mut self) -> Result<Message, PgError> {
        loop {
            if let Some(message) = Message::parse(&mut self.incoming).map_err(connection_lost)? {
                return Ok(message);
            }
            self.read().await?;
        }
    }

    /// The next message, if it is `CopyData`.
    async fn copied(&mut self, limit: usize) -> Result<Option<CopyMessage>, PgError> {
        if self.partial.is_none() {
            let (tag, length) = self.header().await?;
            if tag != postgres_protocol::message::backend::COPY_DATA_TAG {
                return Ok(None);
            }
            let contents = length.saturating_sub(LENGTH);
            let prefix = contents.min(limit);
            while self.incoming.len() < 1 + LENGTH + prefix {
                self.read().await?;
            }
            self.incoming.advance(1 + LENGTH);
            let prefix = self.incoming.split_to(prefix).freeze();
            let rest = contents - prefix.len();
            self.partial = Some(PartialMessage { prefix, is_whole: rest == 0, rest });
        }
        while let Some(partial) = &mut self.partial {
            let passed = partial.rest.min(self.incoming.len());
            self.incoming.advance(passed);
            partial.rest -= passed;
            if partial.rest > 0 {
                self.read().await?;
            } else if let Some(PartialMessage { prefix: bytes, is_whole, .. }) = self.partial.take()
            {
                return Ok(Some(CopyMessage { bytes, is_whole }));
            }
        }
        Ok(None)
    }
}

fn texts(row: &DataRowBody) -> Result<Vec<Option<String>>, PgError> {
    let buffer = row.buffer();
    let ranges = row
        .ranges()
        .map(|range| Ok(range.map(|range| String::from_utf8_lossy(&buffer[range]).into_owned())));
    ranges.collect().map_err(|error| PgError::Protocol(Box::new(error)))
}

fn connection_lost(error: io::Error) -> PgError {
    PgError::Unavailable(Box::new(error))
}
