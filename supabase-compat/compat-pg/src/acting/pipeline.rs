//! The round trip itself.
//!
//! The parts are independent messages that are sent before the first answer is awaited. Each has a
//! synchronisation point of its own, so a failure does not stop the parts behind it: they fail
//! because the transaction is aborted, and the first failure is the one reported.

use futures_util::{
    TryStreamExt,
    future::{self, OptionFuture},
};
use tokio_postgres::{Client, Error, Row, types::Type};

use super::{Identity, Manner, Pooled, Statement, TextParam, frame::Own, lease::Lease};
use crate::PgError;

/// What is known of one request when it reaches the connection.
pub(super) struct Part<'a> {
    pub manner: &'a Manner<'a>,
    pub identity: &'a Identity<'a>,
    pub statement: Statement<'a>,
    /// Whether the login has more rights than `authenticator`.
    pub guarded: bool,
}

impl Part<'_> {
    pub fn begin(&self) -> Own {
        Own::Begin { isolation: self.manner.isolation, read_only: self.identity.read_only }
    }

    pub fn settings(&self) -> Own {
        Own::Settings { extra: self.identity.extra.len(), guarded: self.guarded }
    }

    pub fn end(&self) -> Own {
        Own::End { commit: self.identity.commit }
    }
}

pub(super) type Answer = Result<Vec<Row>, Error>;

/// Runs without names, for poolers that give every transaction another session.
pub(super) async fn run_unnamed(connection: Pooled, part: &Part<'_>) -> Result<Vec<Row>, PgError> {
    let lease = Lease::new(connection);
    let client = lease.client();
    let (begin_sql, settings_sql, end_sql) =
        (part.begin().sql(), part.settings().sql(), part.end().sql());
    let settings = part.identity.settings();
    let before: OptionFuture<_> = part.manner.before.map(|sql| unnamed(client, sql, &[])).into();
    let (begin, settings, before, rows, end) = future::join5(
        unnamed(client, &begin_sql, &[]),
        lease.settles(unnamed(client, &settings_sql, &settings)),
        before,
        unnamed(client, part.statement.sql, part.statement.params),
        unnamed(client, &end_sql, &[]),
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
    lease.opened();
    let answer = unnamed(lease.client(), sql, params).await;
    lease.finish();
    Ok(answer?)
}

async fn unnamed(client: &Client, sql: &str, params: &[Option<&str>]) -> Answer {
    let params: Vec<_> = params.iter().map(|value| (TextParam(*value), Type::UNKNOWN)).collect();
    client.query_typed_raw(sql, params).await?.try_collect().await
}

/// Success is the success of every part: the end of an aborted transaction reports success too.
pub(super) fn first_failure(
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
