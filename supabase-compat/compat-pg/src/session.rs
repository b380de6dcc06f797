//! Connections of their own for statements that somebody else wrote: each is opened for one piece of
//! work and closed behind it, so that nothing a statement sets outlives it.
//!
//! It promises: at most so many connections at once; no superuser, whom nothing keeps from the files and
//! programs of the server; so much time for all statements of a session; of an answer at most so many bytes
//! in memory; a session that is dropped while the server works is cancelled, and ended where cancelling does
//! not help. It knows neither what is asked nor how values are to be read: they are the server's texts.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::IsNull;
use postgres_protocol::message::backend::{DataRowBody, ErrorResponseBody, Header, Message};
use postgres_protocol::message::frontend;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_postgres::CancelToken;

use crate::acting::Connector;
use crate::acting::stream_takeover::Duplex;
use crate::{PgError, address};

/// What the buffer begins with.
const BUFFER: usize = 16 * 1024;
/// How long the server may take to obey a cancellation before the connection is ended from outside.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);
/// Bytes of the type in front of each message.
const TAG: usize = 1;
/// Bytes of a message of data that is copied in.
const COPY_PART: usize = 64 * 1024;
/// Bytes of the longest message that is no row: an error, a notice, a description of columns.
const LONGEST_NOTICE: usize = 1024 * 1024;
/// What the server says of a transaction block that is open (PostgreSQL, "ReadyForQuery").
const IN_BLOCK: u8 = b'T';

/// Makes [`Session`]s, so many at once. Cheap to clone.
#[derive(Clone)]
pub struct SessionDb {
    connector: Arc<Connector>,
    permits: Arc<Semaphore>,
    acquire_timeout: Duration,
}

/// The limits of a [`SessionDb`].
#[derive(Clone, Copy, Debug)]
pub struct SessionLimits {
    /// Most connections at once; at least one.
    pub connections: usize,
    /// How long a caller waits for one, and how long opening it may take.
    pub acquire_timeout: Duration,
}

/// What one session may take.
#[derive(Clone, Debug)]
pub struct SessionRules {
    /// What it calls itself in the server's list of sessions.
    pub application: String,
    /// How long its statements may take together.
    pub time: Duration,
    /// Bytes of an answer that are read.
    pub bytes: usize,
}

/// Addresses hold passwords.
impl fmt::Debug for SessionDb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionDb")
            .field("free", &self.permits.available_permits())
            .finish_non_exhaustive()
    }
}

/// What the server says of a refused statement: every field of its message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorReport {
    /// The fields by their type (PostgreSQL, "Error and Notice Message Fields"), in the server's order.
    pub fields: Vec<(u8, String)>,
    /// Bytes of the message, its length included.
    pub length: usize,
}

impl ErrorReport {
    /// The field of this type.
    pub fn field(&self, kind: u8) -> Option<&str> {
        self.fields.iter().find(|(own, _)| *own == kind).map(|(_, value)| value.as_str())
    }

    /// The primary message.
    pub fn message(&self) -> &str {
        self.field(b'M').unwrap_or_default()
    }

    /// SQLSTATE.
    pub fn code(&self) -> &str {
        self.field(b'C').unwrap_or_default()
    }
}

/// Why a statement has no answer.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The server refused it.
    #[error("{} (SQLSTATE {})", .0.message(), .0.code())]
    Refused(Box<ErrorReport>),
    /// Its answer is larger than agreed.
    #[error("the answer has more than {limit} bytes")]
    TooLarge {
        /// Bytes until then, with the message that was too much.
        size: usize,
        /// Most bytes.
        limit: usize,
    },
    /// It did not end in time; dropping the session stops it.
    #[error("the statement took longer than {} s", .0.as_secs())]
    TooLong(Duration),
    /// The login is a superuser.
    #[error("statements do not run as {0}, which is a superuser")]
    Superuser(String),
    /// There is no server, no free connection, or the connection was lost.
    #[error(transparent)]
    Database(#[from] PgError),
}

/// A column of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionColumn {
    /// Its name, which need not be the only one of its kind.
    pub name: String,
    /// Its type's oid.
    pub type_oid: u32,
}

/// One message of an answer.
#[derive(Debug)]
pub enum SessionMessage {
    /// The next statement has rows, of these columns.
    Columns(Vec<SessionColumn>),
    /// One of them.
    Row(SessionRow),
    /// The statement copies. Rows copied out are passed over; copying in was refused.
    Copy,
    /// The statement is done, or gives no more rows than were asked for.
    Done {
        /// The command tag (PostgreSQL, "CommandComplete"): `INSERT 0 3`. Empty where there was no
        /// statement, or where it has more rows.
        tag: String,
        /// Whether it has more rows than were asked for.
        is_cut: bool,
    },
}

/// A row, as the server's texts.
#[derive(Debug)]
pub struct SessionRow {
    values: Bytes,
    ranges: Vec<Option<std::ops::Range<usize>>>,
}

impl SessionRow {
    /// Bytes of all its texts.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    /// The texts, in the order of the columns; none for null.
    pub fn values(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.ranges.iter().map(|range| range.clone().map(|range| &self.values[range]))
    }

    fn read(body: &DataRowBody) -> Result<Self, PgError> {
        let ranges = body.ranges().collect().map_err(unreadable)?;
        Ok(Self { values: body.buffer_bytes().clone(), ranges })
    }
}

impl SessionDb {
    /// Prepares it without connecting. `url` names the login that statements run as.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn new(url: &str, limits: SessionLimits) -> Result<Self, PgError> {
        let options = address::acting_options(url, None, limits.acquire_timeout)?;
        Ok(Self {
            connector: Arc::new(Connector::new(options)?),
            permits: Arc::new(Semaphore::new(limits.connections.max(1))),
            acquire_timeout: limits.acquire_timeout,
        })
    }

    /// The same server by another login, which shares the connections that there may be at once.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn with_login(&self, url: &str) -> Result<Self, PgError> {
        let options = address::acting_options(url, None, self.acquire_timeout)?;
        Ok(Self { connector: Arc::new(Connector::new(options)?), ..self.clone() })
    }

    /// Opens a connection. The time of its rules begins when one is free.
    ///
    /// # Errors
    /// No connection was free in time, the server cannot be reached, or [`SessionError::Superuser`].
    pub async fn open(&self, rules: &SessionRules) -> Result<Session, SessionError> {
        let acquired = timeout(self.acquire_timeout, self.permits.clone().acquire_owned()).await;
        let permit = acquired.ok().and_then(Result::ok).ok_or(PgError::PoolTimeout)?;
        let deadline = Instant::now() + rules.time;
        let opening = self.connector.open_session(&rules.application);
        let opened = timeout(self.acquire_timeout, opening).await;
        let signed_in = opened.map_err(|_| PgError::PoolTimeout)?.map_err(PgError::opening)?;
        let mut session = Session {
            connection: Some(Connection {
                stream: signed_in.stream,
                cancel: signed_in.cancel,
                connector: Arc::clone(&self.connector),
                incoming: BytesMut::with_capacity(BUFFER),
                backend: Backend::default(),
                _permit: permit,
            }),
            is_busy: false,
            is_extended: false,
            block: b'I',
            refusal: None,
            size: 0,
            limit: rules.bytes,
            time: rules.time,
            deadline,
        };
        session.introduce(&rules.application).await?;
        Ok(session)
    }
}

/// One connection, and the statement that runs on it.
pub struct Session {
    /// Taken when it is dropped.
    connection: Option<Connection>,
    is_busy: bool,
    /// Whether the statement was sent by the extended protocol.
    is_extended: bool,
    /// What the server last said of its transaction block.
    block: u8,
    refusal: Option<Box<ErrorReport>>,
    size: usize,
    limit: usize,
    time: Duration,
    deadline: Instant,
}

struct Connection {
    stream: Box<dyn Duplex>,
    cancel: CancelToken,
    connector: Arc<Connector>,
    incoming: BytesMut,
    backend: Backend,
    /// Last, so that it is given back behind the connection.
    _permit: OwnedSemaphorePermit,
}

/// The server's side. Numbers of processes come again, so that only both together name it.
#[derive(Debug, Default)]
struct Backend {
    process: String,
    start: String,
}

/// Contents stay out of logs.
impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("is_busy", &self.is_busy).finish_non_exhaustive()
    }
}

/// Asks who serves the connection, and whether its login is a superuser. It names the session once more,
/// because a pooler may drop the name that a session begins with.
const INTRODUCTION: &str = "select pg_catalog.set_config('application_name', $1, false), pg_catalog.pg_backend_pid(), extract(epoch from a.backend_start), session_user, r.rolsuper \
    from pg_catalog.pg_roles as r \
    left join pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()) as a on true \
    where r.rolname = session_user";

impl Session {
    /// Whether the server last said that a transaction block is open, and not refused.
    pub fn is_in_block(&self) -> bool {
        self.block == IN_BLOCK
    }

    /// Begins to count the bytes of an answer anew, where what was read is not kept.
    pub fn reset_size(&mut self) {
        self.size = 0;
    }

    /// Sends one or more statements as one text, which the server runs as one transaction unless it
    /// says otherwise.
    ///
    /// # Errors
    /// The text has a zero byte, or the connection is lost.
    pub async fn query(&mut self, text: &str) -> Result<(), SessionError> {
        let mut out = BytesMut::new();
        frontend::query(text, &mut out).map_err(unusable)?;
        self.send(&out, false).await
    }

    /// Sends one statement with parameters, as texts whose types the server finds. It gives at most so
    /// many rows, and all where `rows` is none.
    ///
    /// # Errors
    /// A text has a zero byte, there are more parameters than the protocol takes, or the connection is
    /// lost.
    pub async fn query_with(
        &mut self,
        text: &str,
        parameters: &[Option<String>],
        rows: Option<usize>,
    ) -> Result<(), SessionError> {
        let mut out = BytesMut::new();
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
        // Zero is no limit to the protocol.
        let most = rows.map_or(0, |rows| i32::try_from(rows.max(1)).unwrap_or(i32::MAX));
        frontend::execute("", most, &mut out).map_err(unusable)?;
        frontend::sync(&mut out);
        self.send(&out, true).await
    }

    /// The next message of the answer; none behind its end.
    ///
    /// # Errors
    /// The server refused the statement; the session may go on behind that. The answer is too large, the
    /// time is over, or the connection is lost; the session is of no use behind that.
    pub async fn next(&mut self) -> Result<Option<SessionMessage>, SessionError> {
        while self.is_busy {
            let message = match self.message().await {
                Err(SessionError::Database(PgError::Unavailable(error))) => {
                    // What ended the session is said in front of the end.
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
                    // Nobody here has data to copy in.
                    self.refuse_copy().await?;
                    return Ok(Some(SessionMessage::Copy));
                }
                Message::CopyOutResponse(_) => return Ok(Some(SessionMessage::Copy)),
                Message::ReadyForQuery(body) => {
                    self.is_busy = false;
                    self.block = body.status();
                    if let Some(report) = self.refusal.take() {
                        return Err(SessionError::Refused(report));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Sends a text with one `copy … from stdin`, and the data for it. Gives how many rows were copied.
    ///
    /// # Errors
    /// As [`Self::next`]. A text that copies nothing in is refused behind its end.
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
        // Where the server has refused a row meanwhile, it passes over what comes until here.
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

    /// Reads an answer to its end and drops it.
    ///
    /// # Errors
    /// As [`Self::next`].
    pub async fn finish(&mut self) -> Result<(), SessionError> {
        while self.next().await?.is_some() {}
        Ok(())
    }

    /// Learns who serves it, and refuses a superuser.
    async fn introduce(&mut self, application: &str) -> Result<(), SessionError> {
        self.query_with(INTRODUCTION, &[Some(application.to_owned())], None).await?;
        let mut known = None;
        while let Some(message) = self.next().await? {
            if let SessionMessage::Row(row) = message {
                let text = |value: Option<&[u8]>| {
                    String::from_utf8_lossy(value.unwrap_or_default()).into_owned()
                };
                known = Some(row.values().map(text).collect::<Vec<String>>());
            }
        }
        let Some([_, process, start, login, is_superuser]) =
            known.and_then(|values| <[String; 5]>::try_from(values).ok())
        else {
            return Err(unusable(io::Error::other("the server does not know the login")));
        };
        self.connection()?.backend = Backend { process, start };
        match is_superuser == "f" {
            true => Ok(()),
            false => Err(SessionError::Superuser(login)),
        }
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
        let sent = timeout_at(deadline, self.connection()?.send(bytes)).await;
        Ok(sent.map_err(|_| SessionError::TooLong(time))??)
    }

    async fn refuse_copy(&mut self) -> Result<(), SessionError> {
        let mut out = BytesMut::new();
        frontend::copy_fail("No source stream defined", &mut out).map_err(unusable)?;
        if self.is_extended {
            // While the server waited for data it passed over the synchronisation point.
            frontend::sync(&mut out);
        }
        self.write(&out).await
    }

    /// The next message, in time. A report of an error is kept, because what ends the answer comes behind it.
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
            self.refusal = Some(Box::new(report(body, length)?));
        }
        Ok(message)
    }

    fn connection(&mut self) -> Result<&mut Connection, PgError> {
        let closed = || PgError::Unavailable(io::Error::other("the session is closed").into());
        self.connection.as_mut().ok_or_else(closed)
    }
}

impl Drop for Session {
    /// The server notices that nobody listens only when it writes: work under way is cancelled.
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let is_busy = self.is_busy;
        runtime.spawn(async move {
            if is_busy {
                connection.stop().await;
            }
            let mut out = BytesMut::new();
            frontend::terminate(&mut out);
            let _ = timeout(CANCEL_TIMEOUT, connection.send(&out)).await;
        });
    }
}

impl Connection {
    async fn send(&mut self, bytes: &[u8]) -> Result<(), PgError> {
        let written = async {
            self.stream.write_all(bytes).await?;
            self.stream.flush().await
        };
        written.await.map_err(lost)
    }

    async fn read(&mut self) -> Result<(), PgError> {
        self.incoming.reserve(BUFFER);
        match self.stream.read_buf(&mut self.incoming).await.map_err(lost)? {
            0 => Err(lost(io::ErrorKind::UnexpectedEof.into())),
            _ => Ok(()),
        }
    }

    /// The type and length of the next message.
    async fn header(&mut self) -> Result<(u8, usize), PgError> {
        loop {
            if let Some(header) = Header::parse(&self.incoming).map_err(unreadable)? {
                return Ok((header.tag(), usize::try_from(header.len()).unwrap_or_default()));
            }
            self.read().await?;
        }
    }

    async fn message(&mut self) -> Result<Message, PgError> {
        loop {
            if let Some(message) = Message::parse(&mut self.incoming).map_err(unreadable)? {
                return Ok(message);
            }
            self.read().await?;
        }
    }

    /// Ends what the server does: by a cancellation, which a statement may catch, and else from another
    /// connection.
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
            tracing::warn!(process, "abandoned statement not ended");
        }
    }

    /// Passes over what comes until the server is idle.
    async fn drain(&mut self) -> Result<(), PgError> {
        loop {
            let (tag, length) = self.header().await?;
            let mut rest = TAG + length;
            while rest > 0 {
                if self.incoming.is_empty() {
                    self.read().await?;
                }
                let passed = rest.min(self.incoming.len());
                bytes::Buf::advance(&mut self.incoming, passed);
                rest -= passed;
            }
            if tag == postgres_protocol::message::backend::READY_FOR_QUERY_TAG {
                return Ok(());
            }
        }
    }
}

/// Ends a process of the server from a connection of the same login.
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

fn report(body: &ErrorResponseBody, length: usize) -> Result<ErrorReport, PgError> {
    let field = |field: postgres_protocol::message::backend::ErrorField<'_>| {
        Ok((field.type_(), String::from_utf8_lossy(field.value_bytes()).into_owned()))
    };
    let fields = body.fields().map(field).collect().map_err(unreadable)?;
    Ok(ErrorReport { fields, length })
}

fn lost(error: io::Error) -> PgError {
    PgError::Unavailable(Box::new(error))
}

fn unreadable(error: io::Error) -> PgError {
    PgError::Protocol(Box::new(error))
}

fn unusable(error: io::Error) -> SessionError {
    PgError::Protocol(Box::new(error)).into()
}
