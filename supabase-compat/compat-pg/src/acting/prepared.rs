//! The round trip with statements that are prepared by name and kept.

use futures_util::{
    TryStreamExt,
    future::{self, OptionFuture},
};
use tokio_postgres::{Client, Error, Row, Statement};

use super::{
    Pooled, TextParam,
    frame::Own,
    lease::Lease,
    pipeline::{Answer, Part, first_failure},
};
use crate::PgError;

/// Runs with statements prepared by name: one round trip when the connection knows them all.
pub(super) async fn run(connection: Pooled, part: &Part<'_>) -> Result<Vec<Row>, PgError> {
    let mut lease = Lease::new(connection);
    let mut answer = lease.transact(part).await;
    if answer.as_ref().err().is_some_and(names_a_stale_plan) {
        lease.forget(part);
        answer = lease.transact(part).await;
    }
    lease.finish();
    Ok(answer?)
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

async fn named(client: &Client, statement: &Statement, params: &[Option<&str>]) -> Answer {
    let params = params.iter().map(|value| TextParam(*value));
    client.query_raw(statement, params).await?.try_collect().await
}

impl Lease {
    async fn transact(&mut self, part: &Part<'_>) -> Answer {
        self.opening();
        let frame = self.frame(part).await?;
        let role = part.identity.role;
        let statement = self.statements().get(role, part.statement.sql);
        let before = match part.manner.before {
            Some(sql) => self.statements().get(role, sql).map(Some),
            None => Some(None),
        };
        match (statement, before) {
            (Some(statement), Some(before)) => self.at_once(part, &frame, &statement, before).await,
            _ => self.step_by_step(part, &frame).await,
        }
    }

    /// One round trip.
    async fn at_once(
        &self,
        part: &Part<'_>,
        frame: &Frame,
        statement: &Statement,
        before: Option<Statement>,
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
        self.surely_ended(&end).await;
        first_failure(begin, settings, before, rows, end)
    }

    /// An end that failed may have left the transaction open, if the server no longer knew the
    /// statement. A connection on which this fails is broken and will not be given out again.
    async fn surely_ended(&self, end: &Answer) {
        if end.is_err()
            && let Err(error) = self.client().batch_execute(ROLLBACK).await
        {
            tracing::debug!(%error, "a connection broke at the end of a transaction");
        }
    }

    /// The first time a connection meets a statement for a role, it is prepared inside the
    /// transaction, under that role and search path: looking up a name already needs the right to
    /// use its schema, and what runs before it may change both.
    async fn step_by_step(&mut self, part: &Part<'_>, frame: &Frame) -> Answer {
        let statement = match self.open_and_prepare(part, frame).await {
            Ok(statement) => statement,
            Err(error) => {
                self.client().batch_execute(ROLLBACK).await?;
                return Err(error);
            }
        };
        let client = self.client();
        let (rows, end) = future::join(
            named(client, &statement, part.statement.params),
            named(client, &frame.end, &[]),
        )
        .await;
        self.surely_ended(&end).await;
        first_failure(Ok(Vec::new()), Ok(Vec::new()), None, rows, end)
    }

    async fn open_and_prepare(
        &mut self,
        part: &Part<'_>,
        frame: &Frame,
    ) -> Result<Statement, Error> {
        let (role, sql) = (part.identity.role, part.statement.sql);
        let Some(before_sql) = part.manner.before else {
            let statement = self.open(part, frame, sql).await?;
            self.statements().put(role, sql, statement.clone());
            return Ok(statement);
        };
        let before = self.open(part, frame, before_sql).await?;
        self.statements().put(role, before_sql, before.clone());
        named(self.client(), &before, &[]).await?;
        let statement = self.client().prepare(sql).await?;
        self.statements().put(role, sql, statement.clone());
        Ok(statement)
    }

    /// Opens the transaction and prepares the first statement in it.
    async fn open(&self, part: &Part<'_>, frame: &Frame, first: &str) -> Result<Statement, Error> {
        let client = self.client();
        let settings = part.identity.settings();
        let (begin, settings, statement) = future::join3(
            named(client, &frame.begin, &[]),
            self.settles(named(client, &frame.settings, &settings)),
            client.prepare(first),
        )
        .await;
        begin?;
        settings?;
        statement
    }

    async fn frame(&mut self, part: &Part<'_>) -> Result<Frame, Error> {
        Ok(Frame {
            begin: self.own(part.begin()).await?,
            settings: self.own(part.settings()).await?,
            end: self.own(part.end()).await?,
        })
    }

    /// A text of ours, prepared as the login.
    async fn own(&mut self, own: Own) -> Result<Statement, Error> {
        if let Some(known) = self.frames().get(own) {
            return Ok(known);
        }
        let statement = self.client().prepare(&own.sql()).await?;
        self.frames().put(own, statement.clone());
        Ok(statement)
    }

    fn forget(&mut self, part: &Part<'_>) {
        let role = part.identity.role;
        for sql in [Some(part.statement.sql), part.manner.before].into_iter().flatten() {
            self.statements().forget(role, sql);
        }
        self.frames().clear();
    }
}

/// Ends whatever transaction there is.
const ROLLBACK: &str = "rollback";

struct Frame {
    begin: Statement,
    settings: Statement,
    end: Statement,
}
