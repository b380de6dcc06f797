//! The round trip: all messages of a request are sent together, with one synchronisation point at
//! their end, and their answers are read together.
//!
//! Up to that point the server does all or nothing: after the first failure it skips the rest, so a
//! statement never runs without the role and the settings before it.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::BytesMut;
use postgres_protocol::IsNull;
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;

use super::connection::Connection;
use super::frame::SessionStatement;
use super::row::{Columns, columns};
use super::statements::PreparedStatement;
use super::{Identity, Isolation, Row, Statement, TransactionOptions};
use crate::{DatabaseError, PgError};

/// Parameters travel as text, results in binary form.
const TEXT: [i16; 1] = [0];
const BINARY: [i16; 1] = [1];

/// A request as it reaches the connection.
#[derive(Clone, Copy)]
pub(super) struct PipelineRequest<'a> {
    pub options: &'a TransactionOptions<'a>,
    pub identity: &'a Identity<'a>,
    pub statement: Statement<'a>,
    /// Whether the login has more rights than `authenticator`.
    pub guarded: bool,
}

/// One statement of the train.
struct PipelinedStatement<'a> {
    text: Text<'a>,
    params: &'a [Option<&'a str>],
}

#[derive(Clone, Copy)]
enum Text<'a> {
    /// A statement of this module, prepared as the login.
    Own(SessionStatement),
    /// The caller's statement, prepared under the caller's role.
    Theirs { role: &'a str, sql: &'a str },
}

impl<'a> Text<'a> {
    fn sql(self) -> Cow<'a, str> {
        match self {
            Self::Own(own) => own.sql(),
            Self::Theirs { sql, .. } => sql.into(),
        }
    }
}

fn own(own: SessionStatement) -> PipelinedStatement<'static> {
    PipelinedStatement { text: Text::Own(own), params: &[] }
}

impl<'a> PipelineRequest<'a> {
    /// The statements up to the caller's, and the index of the caller's statement among them.
    fn train(
        &self,
        settings: &'a [Option<&'a str>],
        in_block: bool,
    ) -> (Vec<PipelinedStatement<'a>>, usize) {
        let Self { options, identity, statement, guarded } = *self;
        let (read_only, extra) = (identity.read_only, identity.extra.len());
        let theirs = |sql, params| PipelinedStatement {
            text: Text::Theirs { role: identity.role, sql },
            params,
        };
        let mut train = Vec::with_capacity(6);
        if in_block {
            train.push(own(SessionStatement::Begin { isolation: options.isolation }));
        }
        let text = Text::Own(SessionStatement::Settings { read_only, extra, guarded });
        train.push(PipelinedStatement { text, params: settings });
        train.extend(options.before.map(|sql| theirs(sql, &[])));
        train.push(theirs(statement.sql, statement.params));
        let main = train.len() - 1;
        (train, main)
    }
}

/// What the server has answered to one statement so far.
#[derive(Default)]
struct ReplyState {
    /// The name under which the statement is being prepared; `None` if it is prepared already.
    name: Option<Box<str>>,
    parsed: bool,
    columns: Option<Columns>,
}

/// Runs a caller's statement. If `named`, statements are prepared once and kept; otherwise no
/// statement outlives the request, as poolers need that give every transaction another session.
pub(super) async fn run(
    connection: &mut Connection,
    work: PipelineRequest<'_>,
    named: bool,
) -> Result<Vec<Row>, PgError> {
    let answer = connection.transact(work, named).await;
    if !answer.as_ref().err().is_some_and(names_a_stale_plan) {
        return answer;
    }
    connection.forget_all();
    connection.transact(work, named).await
}

/// Opens a transaction block for a caller and runs its first statement.
pub(super) async fn begin(
    connection: &mut Connection,
    work: PipelineRequest<'_>,
    named: bool,
) -> Result<Vec<Row>, PgError> {
    let answer = connection.open(work, named).await;
    if !answer.as_ref().err().is_some_and(names_a_stale_plan) {
        return answer;
    }
    // No statement ran before this one, so the transaction may be started again.
    connection.wire.command("rollback").await?;
    connection.forget_all();
    connection.open(work, named).await
}

/// Runs a further statement in a caller's transaction block. If its plan is stale, the transaction
/// fails, and the plan is forgotten for the next one.
pub(super) async fn run_in_block(
    connection: &mut Connection,
    role: &str,
    statement: Statement<'_>,
    named: bool,
) -> Result<Vec<Row>, PgError> {
    let text = Text::Theirs { role, sql: statement.sql };
    let piece = PipelinedStatement { text, params: statement.params };
    let answer = connection.exchange(&[piece], 0, named).await;
    if answer.as_ref().err().is_some_and(names_a_stale_plan) {
        connection.forget_all();
    }
    answer
}

/// Sets role, claims and request facts of another caller in an open transaction block.
pub(super) async fn settle(
    connection: &mut Connection,
    identity: &Identity<'_>,
    guarded: bool,
    named: bool,
) -> Result<(), PgError> {
    let (read_only, extra) = (identity.read_only, identity.extra.len());
    let text = Text::Own(SessionStatement::Settings { read_only, extra, guarded });
    let params = identity.settings();
    let piece = PipelinedStatement { text, params: &params };
    connection.exchange(&[piece], 0, named).await.map(drop)
}

/// Ends a caller's transaction block.
pub(super) async fn end(
    connection: &mut Connection,
    commit: bool,
    named: bool,
) -> Result<(), PgError> {
    connection.exchange(&[own(SessionStatement::End { commit })], 0, named).await.map(drop)
}

/// Runs a statement as the login itself, in a transaction of its own.
pub(super) async fn run_plain(
    connection: &mut Connection,
    statement: Statement<'_>,
) -> Result<Vec<Row>, PgError> {
    let text = Text::Theirs { role: "", sql: statement.sql };
    connection.exchange(&[PipelinedStatement { text, params: statement.params }], 0, false).await
}

/// Whether a prepared statement is out of date: its table changed its shape, or a pooler gave us
/// another session. The transaction was rolled back, so the statement may be sent again.
fn names_a_stale_plan(error: &PgError) -> bool {
    error.database().is_some_and(|refusal| match refusal.code.as_str() {
        "0A000" => refusal.routine.as_deref() == Some("RevalidateCachedQuery"),
        "26000" => true,
        _ => false,
    })
}

impl Connection {
    async fn transact(
        &mut self,
        work: PipelineRequest<'_>,
        named: bool,
    ) -> Result<Vec<Row>, PgError> {
        let PipelineRequest { options, identity, .. } = work;
        let settings = identity.settings();
        let in_block = options.isolation != Isolation::Default || !identity.commit;
        let (mut train, main) = work.train(&settings, in_block);
        if !identity.commit {
            train.push(own(SessionStatement::Check));
        }
        if in_block {
            train.push(own(SessionStatement::End { commit: identity.commit }));
        }
        let answer = self.exchange(&train, main, named).await;
        if answer.is_err() && self.wire.is_in_block() {
            self.wire.command("rollback").await?;
        }
        answer
    }

    async fn open(&mut self, work: PipelineRequest<'_>, named: bool) -> Result<Vec<Row>, PgError> {
        let settings = work.identity.settings();
        let (train, main) = work.train(&settings, true);
        self.exchange(&train, main, named).await
    }

    /// Sends a train of messages and reads its answer: the rows of the statement at index `main`,
    /// if every statement succeeded.
    async fn exchange(
        &mut self,
        train: &[PipelinedStatement<'_>],
        main: usize,
        named: bool,
    ) -> Result<Vec<Row>, PgError> {
        let mut replies = self.load(train, named).inspect_err(|_| self.wire.out.clear())?;
        self.wire.send().await?;
        let answer = self.unload(&mut replies, main).await;
        if named {
            self.keep(train, replies);
        }
        answer
    }

    /// Writes the messages of all statements into the output buffer.
    fn load(
        &mut self,
        train: &[PipelinedStatement<'_>],
        named: bool,
    ) -> Result<Vec<ReplyState>, PgError> {
        let out = &mut self.wire.out;
        // It is unknown whether an unsure name was prepared. PostgreSQL's protocol lets a client
        // close a statement that does not exist, so closing it is safe either way.
        for name in self.statements.retired.drain(..).chain(self.unconfirmed.drain(..)) {
            frontend::close(b'S', &name, out).map_err(protocol)?;
        }
        let mut replies = Vec::with_capacity(train.len());
        for piece in train {
            let known = if named { self.known(piece.text) } else { None };
            let (name, reply) = match known {
                Some(PreparedStatement { name, columns }) => {
                    (name, ReplyState { columns: Some(columns), ..ReplyState::default() })
                }
                None => {
                    let name = if named { self.fresh_name() } else { "".into() };
                    let out = &mut self.wire.out;
                    frontend::parse(&name, &piece.text.sql(), [], out).map_err(protocol)?;
                    frontend::describe(b'S', &name, out).map_err(protocol)?;
                    (name.clone(), ReplyState { name: Some(name), ..ReplyState::default() })
                }
            };
            run_once(&name, piece.params, &mut self.wire.out)?;
            replies.push(reply);
        }
        self.unconfirmed
            .extend(replies.iter().filter(|_| named).filter_map(|reply| reply.name.clone()));
        Ok(replies)
    }

    fn known(&mut self, text: Text<'_>) -> Option<PreparedStatement> {
        match text {
            Text::Own(own) => self.frames.get(own).cloned(),
            Text::Theirs { role, sql } => self.statements.get(role, sql),
        }
    }

    /// Reads the answers to all statements.
    async fn unload(
        &mut self,
        replies: &mut [ReplyState],
        main: usize,
    ) -> Result<Vec<Row>, PgError> {
        let (mut rows, mut refusal, mut at) = (Vec::new(), None, 0);
        loop {
            let message = match self.wire.next().await {
                Ok(Some(message)) => message,
                Ok(None) => break,
                // An error that the server sent before it closed the connection says more than the
                // closed connection.
                Err(error_of_connection) => {
                    return Err(
                        refusal.map_or(error_of_connection, |error: DatabaseError| error.into())
                    );
                }
            };
            let reply = replies.get_mut(at);
            match (message, reply) {
                (Message::ErrorResponse(body), _) => {
                    refusal = refusal.or(Some(DatabaseError::from_wire(&body)?));
                }
                (Message::CommandComplete(_) | Message::EmptyQueryResponse, _) => at += 1,
                (Message::ParseComplete, Some(reply)) => reply.parsed = true,
                (Message::NoData, Some(reply)) => reply.columns = Some(Arc::new([])),
                (Message::RowDescription(body), Some(reply)) => {
                    reply.columns = Some(columns(&body)?)
                }
                (Message::DataRow(body), Some(reply)) if at == main => {
                    let columns = reply.columns.clone().ok_or_else(|| unexpected("a row"))?;
                    rows.push(Row::new(columns, &body)?);
                }
                (
                    Message::BindComplete
                    | Message::CloseComplete
                    | Message::ParameterDescription(_)
                    | Message::DataRow(_),
                    _,
                ) => {}
                _ => return Err(unexpected("a message")),
            }
        }
        match refusal {
            Some(refusal) => Err(refusal.into()),
            None if at == replies.len() => Ok(rows),
            None => Err(unexpected("the end")),
        }
    }

    /// Remembers the statements that the server has prepared, even if a later one failed.
    fn keep(&mut self, train: &[PipelinedStatement<'_>], replies: Vec<ReplyState>) {
        if self.wire.is_answered() {
            self.unconfirmed.clear();
        }
        for (piece, reply) in train.iter().zip(replies) {
            let (true, Some(name), Some(columns)) = (reply.parsed, reply.name, reply.columns)
            else {
                continue;
            };
            let prepared = PreparedStatement { name, columns };
            match piece.text {
                Text::Own(own) => self.frames.put(own, prepared),
                Text::Theirs { role, sql } => self.statements.put(role, sql, prepared),
            }
        }
    }
}

/// Binds a statement's parameters and runs it.
fn run_once(name: &str, params: &[Option<&str>], out: &mut BytesMut) -> Result<(), PgError> {
    let write = |value: &Option<&str>, out: &mut BytesMut| {
        let Some(text) = value else { return Ok(IsNull::Yes) };
        out.extend_from_slice(text.as_bytes());
        Ok(IsNull::No)
    };
    frontend::bind("", name, TEXT, params, write, BINARY, out).map_err(|error| match error {
        frontend::BindError::Conversion(error) => PgError::Protocol(error),
        frontend::BindError::Serialization(error) => protocol(error),
    })?;
    frontend::execute("", 0, out).map_err(protocol)
}

fn protocol(error: std::io::Error) -> PgError {
    PgError::Protocol(Box::new(error))
}

fn unexpected(message: &str) -> PgError {
    PgError::Protocol(format!("unexpected message: {message}").into())
}
