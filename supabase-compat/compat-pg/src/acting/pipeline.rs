//! The round trip itself.
//!
//! The parts are independent messages that are sent before the first answer is awaited. Each has a
//! synchronisation point of its own, so a failure does not stop the parts behind it: they fail
//! because the transaction is aborted, and the first failure is the one reported.

use std::sync::atomic::{AtomicBool, Ordering};

use deadpool::managed;
use futures_util::{
    TryStreamExt,
    future::{self, OptionFuture},
};
use tokio_postgres::{Client, Error, Row, types::Type};

use super::{Identity, Manner, Pooled, Statement, TextParam, abandoned};
use crate::PgError;

/// What is known of one request when it reaches the connection.
pub(super) struct Part<'a> {
    pub manner: &'a Manner<'a>,
    pub identity: &'a Identity<'a>,
    pub statement: Statement<'a>,
}

impl Part<'_> {
    fn begin(&self) -> &'static str {
        self.manner.isolation.begin(self.identity.read_only)
    }
}

type Answer = Result<Vec<Row>, Error>;

/// Runs with statements prepared by name: one round trip when the connection knows them all.
pub(super) async fn run_prepared(connection: Pooled, part: &Part<'_>) -> Result<Vec<Row>, PgError> {
    let mut lease = Lease::new(connection);
    let mut answer = lease.transact(part).await;
    if answer.as_ref().err().is_some_and(names_a_stale_plan) {
        lease.forget(part);
        answer = lease.transact(part).await;
    }
    lease.finish();
    Ok(answer?)
}

/// Runs without names, for poolers that give every transaction another session.
pub(super) async fn run_unnamed(connection: Pooled, part: &Part<'_>) -> Result<Vec<Row>, PgError> {
    let lease = Lease::new(connection);
    let client = lease.client();
    let settings_sql = part.identity.settings_sql();
    let settings = part.identity.settings();
    let before: OptionFuture<_> = part.manner.before.map(|sql| unnamed(client, sql, &[])).into();
    let (begin, settings, before, rows, end) = future::join5(
        unnamed(client, part.begin(), &[]),
        lease.settles(unnamed(client, &settings_sql, &settings)),
        before,
        unnamed(client, part.statement.sql, part.statement.params),
        unnamed(client, part.identity.end(), &[]),
    )
    .await;
    lease.finish();
    Ok(first_failure(begin, settings, before, rows, end)?)
}

/// Runs as the login itself, outside a transaction.
pub(super) async fn query_plain(
    connection: Pooled,
    sql: &str,
    params: &[Option<&str>],
) -> Result<Vec<Row>, PgError> {
    let lease = Lease::new(connection);
    lease.settled.store(true, Ordering::Relaxed);
    let answer = unnamed(lease.client(), sql, params).await;
    lease.finish();
    Ok(answer?)
}

async fn unnamed(client: &Client, sql: &str, params: &[Option<&str>]) -> Answer {
    let params: Vec<_> = params.iter().map(|value| (TextParam(*value), Type::UNKNOWN)).collect();
    client.query_typed_raw(sql, params).await?.try_collect().await
}

async fn named(
    client: &Client,
    statement: &tokio_postgres::Statement,
    params: &[Option<&str>],
) -> Answer {
    let params = params.iter().map(|value| TextParam(*value));
    client.query_raw(statement, params).await?.try_collect().await
}

/// Success is the success of every part: the end of an aborted transaction reports success too.
fn first_failure(
    begin: Answer,
    settings: Answer,
    before: Option<Answer>,
    rows: Answer,
    end: Answer,
) -> Answer {
    begin?;
    settings?;
    before.transpose()?;
    let rows = rows?;
    end?;
    Ok(rows)
}

/// The table behind a prepared statement changed its shape, or a pooler gave us another session.
/// The transaction was rolled back, so the statement may be sent again.
fn names_a_stale_plan(error: &Error) -> bool {
    error.as_db_error().is_some_and(|refusal| match refusal.code().code() {
        "0A000" => refusal.routine() == Some("RevalidateCachedQuery"),
        "26000" => true,
        _ => false,
    })
}

/// A connection in use. Dropped before [`Lease::finish`], the caller has gone away in the middle;
/// then what still runs on it is cancelled before anyone else gets it.
struct Lease {
    connection: Option<Pooled>,
    /// Whether the role and the settings are known to stand. Cancelling earlier could hit the
    /// opening of the transaction and let the rest run outside of one, so it waits a moment.
    settled: AtomicBool,
}

const HELD: &str = "a lease holds its connection until it ends";

impl Lease {
    fn new(connection: Pooled) -> Self {
        Self { connection: Some(connection), settled: AtomicBool::new(false) }
    }

    fn client(&self) -> &Client {
        &self.connection.as_ref().expect(HELD).client
    }

    fn statements(&mut self) -> &mut super::statements::Statements {
        &mut self.connection.as_mut().expect(HELD).statements
    }

    /// Returns the connection to its pool.
    fn finish(mut self) {
        self.connection.take();
    }

    async fn settles(&self, settings: impl Future<Output = Answer>) -> Answer {
        let answer = settings.await;
        self.settled.store(answer.is_ok(), Ordering::Relaxed);
        answer
    }

    async fn transact(&mut self, part: &Part<'_>) -> Answer {
        self.settled.store(false, Ordering::Relaxed);
        let frame = self.frame(part).await?;
        let role = part.identity.role;
        let statement = self.statements().get(role, part.statement.sql);
        let before = match part.manner.before {
            Some(sql) => self.statements().get(role, sql).map(Some),
            None => Some(None),
        };
        match (statement, before) {
            (Some(statement), Some(before)) => self.at_once(part, &frame, &statement, before).await,
            _ => self.in_two_steps(part, &frame).await,
        }
    }

    /// One round trip.
    async fn at_once(
        &self,
        part: &Part<'_>,
        frame: &Frame,
        statement: &tokio_postgres::Statement,
        before: Option<tokio_postgres::Statement>,
    ) -> Answer {
        let client = self.client();
        let settings = part.identity.settings();
        let before: OptionFuture<_> =
            before.as_ref().map(|before| named(client, before, &[])).into();
        let (begin, settings, before, rows, end) = future::join5(
            named(client, &frame.begin, &[]),
            self.settles(named(client, &frame.settings, &settings)),
            before,
            named(client, statement, part.statement.params),
            named(client, &frame.end, &[]),
        )
        .await;
        first_failure(begin, settings, before, rows, end)
    }

    /// The first time a connection meets a statement for a role, it is prepared inside the
    /// transaction, under that role and search path: looking up a name already needs the right to
    /// use its schema.
    async fn in_two_steps(&mut self, part: &Part<'_>, frame: &Frame) -> Answer {
        let opened = self.open_and_prepare(part, frame).await;
        let (statement, before) = match opened {
            Ok(prepared) => prepared,
            Err(error) => {
                self.client().batch_execute("rollback").await?;
                return Err(error);
            }
        };
        let role = part.identity.role;
        self.statements().put(role, part.statement.sql, statement.clone());
        if let (Some(sql), Some(before)) = (part.manner.before, &before) {
            self.statements().put(role, sql, before.clone());
        }
        let client = self.client();
        let before: OptionFuture<_> =
            before.as_ref().map(|before| named(client, before, &[])).into();
        let (before, rows, end) = future::join3(
            before,
            named(client, &statement, part.statement.params),
            named(client, &frame.end, &[]),
        )
        .await;
        first_failure(Ok(Vec::new()), Ok(Vec::new()), before, rows, end)
    }

    async fn open_and_prepare(
        &self,
        part: &Part<'_>,
        frame: &Frame,
    ) -> Result<(tokio_postgres::Statement, Option<tokio_postgres::Statement>), Error> {
        let client = self.client();
        let settings = part.identity.settings();
        let before: OptionFuture<_> = part.manner.before.map(|sql| client.prepare(sql)).into();
        let (begin, settings, before, statement) = future::join4(
            named(client, &frame.begin, &[]),
            self.settles(named(client, &frame.settings, &settings)),
            before,
            client.prepare(part.statement.sql),
        )
        .await;
        begin?;
        settings?;
        let before = before.transpose()?;
        Ok((statement?, before))
    }

    /// The texts around the statement, which are ours and few.
    async fn frame(&mut self, part: &Part<'_>) -> Result<Frame, Error> {
        Ok(Frame {
            begin: self.own(part.begin()).await?,
            settings: self.own(&part.identity.settings_sql()).await?,
            end: self.own(part.identity.end()).await?,
        })
    }

    /// A statement of ours, prepared as the login.
    async fn own(&mut self, sql: &str) -> Result<tokio_postgres::Statement, Error> {
        if let Some(known) = self.statements().get(LOGIN, sql) {
            return Ok(known);
        }
        let statement = self.client().prepare(sql).await?;
        self.statements().put(LOGIN, sql, statement.clone());
        Ok(statement)
    }

    fn forget(&mut self, part: &Part<'_>) {
        let role = part.identity.role;
        for sql in [Some(part.statement.sql), part.manner.before].into_iter().flatten() {
            self.statements().forget(role, sql);
        }
        for sql in [part.begin(), &part.identity.settings_sql(), part.identity.end()] {
            self.statements().forget(LOGIN, sql);
        }
    }
}

/// No role has an empty name, so this one stands for the login in the cache.
const LOGIN: &str = "";

struct Frame {
    begin: tokio_postgres::Statement,
    settings: tokio_postgres::Statement,
    end: tokio_postgres::Statement,
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let settled = self.settled.load(Ordering::Relaxed);
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(abandoned::clean(connection, settled))),
            Err(_) => drop(managed::Object::take(connection)),
        }
    }
}
