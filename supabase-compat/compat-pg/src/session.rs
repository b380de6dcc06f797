//! Connections for statements from outside, used for one piece of work at a time. After it a
//! connection is closed, or reset for the next session if its texts were plain: see
//! [`Session::give_back`].
//!
//! Guarantees: no setting of a statement affects another session; the number of connections is
//! limited, idle ones included; no session is a superuser, who could access the server's files and
//! programs; all statements of a session share a timeout; at most a given number of bytes of an
//! answer is in memory; the work of a dropped session is cancelled, and its process is terminated
//! if cancelling does not help. This module does not know what the statements are or how values are
//! read: values are the server's texts.

mod answer;
mod connection;
mod db;
mod idle;
mod state;

use std::fmt;
use std::io;
use std::time::Duration;

use bytes::BytesMut;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::IsNull;
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

use crate::PgError;
pub use answer::{ErrorReport, SessionColumn, SessionError, SessionMessage, SessionRow};
use connection::{Backend, Connection, TAG};
pub use db::{SessionDb, SessionLimits, SessionRules};
use idle::IdleConnections;
use state::{SESSION_STATE, is_plain};

/// Bytes of one `CopyData` message that is sent.
const COPY_PART: usize = 64 * 1024;
/// The most bytes of a message other than a row: an error, a notice, a description of columns.
const LONGEST_NOTICE: usize = 1024 * 1024;
/// The server's transaction status in an open block, and outside a block (PostgreSQL,
/// "ReadyForQuery").
const IN_BLOCK: u8 = b'T';
const NO_BLOCK: u8 = b'I';
/// The age at which a connection is closed, so that the memory of its server process does not grow.
const MAX_AGE: Duration = Duration::from_secs(60);

/// A connection, and the statement that runs on it.
pub struct Session {
    /// `None` once the session was given back or dropped.
    connection: Option<Connection>,
    /// Released after the connection is closed.
    permit: Option<OwnedSemaphorePermit>,
    idle: IdleConnections,
    is_busy: bool,
    /// Whether the statement was sent with the extended protocol.
    is_extended: bool,
    /// Whether all of its texts were plain, and none was refused.
    is_plain: bool,
    /// The server's last transaction status.
    block: u8,
    refusal: Option<Box<ErrorReport>>,
    size: usize,
    limit: usize,
    time: Duration,
    deadline: Instant,
}

/// Prints no contents of statements or rows.
impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("is_busy", &self.is_busy).finish_non_exhaustive()
    }
}

/// Queries the server process of the connection, and whether its login is a superuser. Also sets
/// the application name, because a pooler may drop the initial one.
const INTRODUCTION: &str = "select pg_catalog.set_config('application_name', $1, false), pg_catalog.pg_backend_pid(), extract(epoch from a.backend_start), session_user, r.rolsuper \
    from pg_catalog.pg_roles as r \
    left join pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()) as a on true \
    where r.rolname = session_user";

impl Session {
    /// Whether a transaction block is open and has not failed.
    pub fn is_in_block(&self) -> bool {
        self.block == IN_BLOCK
    }

    /// Resets the count of the answer's bytes, if what was read so far is not kept.
    pub fn reset_size(&mut self) {
        self.size = 0;
    }

    /// Sends one or more statements as one text, which the server runs as one transaction unless
    /// the text itself controls transactions.
    ///
    /// # Errors
    /// The text has a zero byte, or the connection is lost.
    pub async fn query(&mut self, text: &str) -> Result<(), SessionError> {
        let mut out = BytesMut::new();
        frontend::query(text, &mut out).map_err(unusable)?;
        self.is_plain &= is_plain(text);
        self.send(&out, false).await
    }

    /// Sends one statement with parameters, as texts whose types the server infers. It returns at
    /// most `rows` rows, or all rows if that is `None`.
    ///
    /// # Errors
    /// A text has a zero byte, there are more parameters than the protocol allows, or the
    /// connection is lost.
    pub async fn query_with(
        &mut self,
        text: &str,
        parameters: &[Option<String>],
        rows: Option<usize>,
    ) -> Result<(), SessionError> {
        let mut out = BytesMut::new();
        self.is_plain &= is_plain(text);
        frontend::parse("", text, [], &mut out).map_err(unusable)?;
        let value = |value: &Option<String>, buffer: &mut BytesMut| {
            Ok(match value {
                Some(text) => {
                    buffer.extend_from_slice(text.as_bytes());
                    IsNull::No
                }
                None => IsNull::Yes,
            })
        };
        // No format codes: everything is text.
        frontend::bind("", "", [], parameters, value, [], &mut out).map_err(
            |error| match error {
                frontend::BindError::Conversion(cause) => unusable(io::Error::other(cause)),
                frontend::BindError::Serialization(error) => unusable(error),
            },
        )?;
        frontend::describe(b'P', "", &mut out).map_err(unusable)?;
        // To the protocol, zero means no limit.
        let most = rows.map_or(0, |rows| i32::try_from(rows.max(1)).unwrap_or(i32::MAX));
        frontend::execute("", most, &mut out).map_err(unusable)?;
        frontend::sync(&mut out);
        self.send(&out, true).await
    }

    /// The next message of the answer; `None` at its end.
    ///
    /// # Errors
    /// The server refused the statement; the session can be used again after that. Or the answer is
    /// too large, the time is over, or the connection is lost; the session is unusable after that.
    pub async fn next(&mut self) -> Result<Option<SessionMessage>, SessionError> {
        while self.is_busy {
            let message = match self.message().await {
                Err(SessionError::Database(PgError::Unavailable(error))) => {
                    // The server sends the reason for the end of a session before it closes the
                    // connection.
                    return Err(match self.refusal.take() {
                        Some(report) => SessionError::Refused(report),
                        None => PgError::Unavailable(error).into(),
                    });
                }
                message => message?,
            };
            match message {
                Message::RowDescription(body) => {
                    let column = |field: postgres_protocol::message::backend::Field<'_>| {
                        Ok(SessionColumn {
                            name: field.name().to_owned(),
                            type_oid: field.type_oid(),
                        })
                    };
                    let columns = body.fields().map(column).collect().map_err(unreadable)?;
                    return Ok(Some(SessionMessage::Columns(columns)));
                }
                Message::DataRow(body) => {
                    return Ok(Some(SessionMessage::Row(SessionRow::read(&body)?)));
                }
                Message::CommandComplete(body) => {
                    let tag = body.tag().map_err(unreadable)?.to_owned();
                    return Ok(Some(SessionMessage::Done { tag, is_cut: false }));
                }
                Message::EmptyQueryResponse => {
                    return Ok(Some(SessionMessage::Done { tag: String::new(), is_cut: false }));
                }
                Message::PortalSuspended => {
                    return Ok(Some(SessionMessage::Done { tag: String::new(), is_cut: true }));
                }
                Message::CopyInResponse(_) => {
                    // There are no data to copy in.
                    self.refuse_copy().await?;
                    return Ok(Some(SessionMessage::Copy));
                }
                Message::CopyOutResponse(_) => return Ok(Some(SessionMessage::Copy)),
                Message::ReadyForQuery(body) => {
                    self.is_busy = false;
                    self.block = body.status();
                    if let Some(report) = self.refusal.take() {
                        self.is_plain = false;
                        return Err(SessionError::Refused(report));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Sends a text with one `copy … from stdin`, and its data. Returns how many rows were copied.
    ///
    /// # Errors
    /// As [`Self::next`]. A text without a `copy … from stdin` is refused after it has run.
    pub async fn copy_in(&mut self, text: &str, data: &[u8]) -> Result<u64, SessionError> {
        self.query(text).await?;
        loop {
            match self.message().await? {
                Message::CopyInResponse(_) => break,
                Message::ReadyForQuery(body) => {
                    self.is_busy = false;
                    self.block = body.status();
                    return Err(match self.refusal.take() {
                        Some(report) => SessionError::Refused(report),
                        None => unusable(io::Error::other("the text copies nothing in")),
                    });
                }
                _ => {}
            }
        }
        let mut out = BytesMut::new();
        for part in data.chunks(COPY_PART) {
            frontend::CopyData::new(part).map_err(unusable)?.write(&mut out);
            self.write(&out).await?;
            out.clear();
        }
        // If the server has refused a row meanwhile, it ignores the data up to this message.
        frontend::copy_done(&mut out);
        self.write(&out).await?;
        let mut copied = 0;
        while let Some(message) = self.next().await? {
            let SessionMessage::Done { tag, .. } = message else { continue };
            let count = tag.strip_prefix("COPY ").and_then(|count| count.parse().ok());
            copied = count.unwrap_or(copied);
        }
        Ok(copied)
    }

    /// Reads an answer to its end and discards it.
    ///
    /// # Errors
    /// As [`Self::next`].
    pub async fn finish(&mut self) -> Result<(), SessionError> {
        while self.next().await?.is_some() {}
        Ok(())
    }

    /// Ends a session whose work is done. The connection is reset and waits for the next session of
    /// this login and application, unless it could carry state over: then it is closed, as when a
    /// session is dropped. Only plain texts keep it open, see `state.rs`.
    pub async fn give_back(mut self) {
        let is_reusable = self.is_plain && !self.is_busy && self.block == NO_BLOCK;
        let Some(mut connection) = self.connection.take_if(|connection| {
            is_reusable && self.idle.keeps_any() && connection.opened.elapsed() < MAX_AGE
        }) else {
            return;
        };
        if connection.begin_reset().await.is_ok() {
            self.idle.add(connection);
        }
    }

    /// Records the server process of the connection, and refuses a superuser.
    async fn introduce(&mut self, application: &str) -> Result<(), SessionError> {
        self.query_with(INTRODUCTION, &[Some(application.to_owned())], None).await?;
        // The statement is ours, so the session still counts as plain.
        self.is_plain = true;
        let Some([_, process, start, login, is_superuser]) =
            self.only_row().await?.and_then(|values| <[String; 5]>::try_from(values).ok())
        else {
            return Err(unusable(io::Error::other("the server does not know the login")));
        };
        self.connection()?.backend = Backend { process, start };
        match is_superuser == "f" {
            true => Ok(()),
            false => Err(SessionError::Superuser(login)),
        }
    }

    /// Records the state that a reset has to restore.
    async fn remember_state(&mut self) -> Result<(), SessionError> {
        self.query(SESSION_STATE).await?;
        let state = self.only_row().await?.and_then(|values| values.into_iter().next());
        self.connection()?.state = state;
        Ok(())
    }

    /// The only row of an answer.
    async fn only_row(&mut self) -> Result<Option<Vec<String>>, SessionError> {
        let mut known = None;
        while let Some(message) = self.next().await? {
            if let SessionMessage::Row(row) = message {
                let text = |value: Option<&[u8]>| {
                    String::from_utf8_lossy(value.unwrap_or_default()).into_owned()
                };
                known = Some(row.values().map(text).collect());
            }
        }
        Ok(known)
    }

    async fn send(&mut self, bytes: &[u8], is_extended: bool) -> Result<(), SessionError> {
        self.is_busy = true;
        self.is_extended = is_extended;
        self.size = 0;
        self.refusal = None;
        self.write(bytes).await
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        let (deadline, time) = (self.deadline, self.time);
        let result = timeout_at(deadline, self.connection()?.send(bytes)).await;
        Ok(result.map_err(|_| SessionError::TooLong(time))??)
    }

    async fn refuse_copy(&mut self) -> Result<(), SessionError> {
        let mut out = BytesMut::new();
        frontend::copy_fail("No source stream defined", &mut out).map_err(unusable)?;
        if self.is_extended {
            // While the server waited for data, it ignored the synchronisation point.
            frontend::sync(&mut out);
        }
        self.write(&out).await
    }

    /// The next message, within the timeout. An error report is kept, because the end of the answer
    /// comes after it.
    async fn message(&mut self) -> Result<Message, SessionError> {
        let (limit, before) = (self.limit, self.size);
        let (deadline, time) = (self.deadline, self.time);
        let late = |_| SessionError::TooLong(time);
        let connection = self.connection()?;
        let (tag, length) = timeout_at(deadline, connection.header()).await.map_err(late)??;
        let is_data = tag == postgres_protocol::message::backend::DATA_ROW_TAG
            || tag == postgres_protocol::message::backend::COPY_DATA_TAG;
        let (size, limit) = match is_data {
            true => (before + TAG + length, limit),
            false => (length, LONGEST_NOTICE.max(limit)),
        };
        if size > limit {
            return Err(SessionError::TooLarge { size, limit });
        }
        let message = timeout_at(deadline, connection.message()).await.map_err(late)??;
        if is_data {
            self.size = size;
        }
        if let Message::ErrorResponse(body) = &message {
            self.refusal = Some(Box::new(ErrorReport::read(body, length)?));
        }
        Ok(message)
    }

    fn connection(&mut self) -> Result<&mut Connection, PgError> {
        let closed = || PgError::Unavailable(io::Error::other("the session is closed").into());
        self.connection.as_mut().ok_or_else(closed)
    }
}

impl Drop for Session {
    /// Cancels running work, because the server notices a closed connection only when it writes.
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if !self.is_plain {
            // The session may have changed the initial settings of sessions of its login.
            self.idle.clear();
        }
        let (is_busy, permit) = (self.is_busy, self.permit.take());
        runtime.spawn(async move {
            connection.close(is_busy).await;
            drop(permit);
        });
    }
}

fn connection_lost(error: io::Error) -> PgError {
    PgError::Unavailable(Box::new(error))
}

fn unreadable(error: io::Error) -> PgError {
    PgError::Protocol(Box::new(error))
}

fn unusable(error: io::Error) -> SessionError {
    PgError::Protocol(Box::new(error)).into()
}
