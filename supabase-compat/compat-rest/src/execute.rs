//! Execute: one statement, one round trip, under the caller's role. Never looks at the URL.

use std::net::IpAddr;

use bytes::Bytes;
use compat_http::RequestFacts;
use compat_pg::Row;
use compat_pg::{Identity, Isolation, PgError, Statement, TransactionOptions};
use compat_rest_core::render::RenderedStatement;
use compat_rest_core::schema::Name;
use compat_rest_core::sql::Param;
use compat_token::Caller;
use tokio_postgres::types::Type;

use crate::state::{Snapshot, State};

/// The result of a statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResultSet {
    /// The total number of rows, if it was requested.
    pub total: Option<i64>,
    /// The number of rows in this response.
    pub page: i64,
    pub body: Bytes,
    /// Setting `response.headers`.
    pub headers: Option<String>,
    /// Setting `response.status`.
    pub status: Option<String>,
    /// The new row's key as a JSON object.
    pub location: Option<String>,
    /// Rows that did not exist before.
    pub inserted: Option<i32>,
}

/// How a request is run.
pub(crate) struct ExecutionOptions<'a> {
    pub caller: &'a Caller,
    pub facts: &'a RequestFacts,
    /// The client whose share of the connections is used.
    pub client: Option<IpAddr>,
    pub schema: &'a Name,
    pub read_only: bool,
    pub commit: bool,
    pub timezone: Option<&'a str>,
    /// `SET` clauses of the called function.
    pub function_settings: &'a [(String, String)],
    /// The request body in the form that the statement expects.
    pub body: &'a str,
}

/// Runs a statement that gives the one row described in `compat_rest_core::render`.
pub(crate) async fn run(
    state: &State,
    snapshot: &Snapshot,
    statement: &RenderedStatement,
    run: &ExecutionOptions<'_>,
) -> Result<ResultSet, PgError> {
    let rows = send(state, snapshot, statement, run).await?;
    rows.first().map(result_set).transpose().map(Option::unwrap_or_default)
}

/// Runs an `EXPLAIN`; its lines are the body.
pub(crate) async fn explain(
    state: &State,
    snapshot: &Snapshot,
    statement: &RenderedStatement,
    run: &ExecutionOptions<'_>,
) -> Result<Bytes, PgError> {
    let rows = send(state, snapshot, statement, run).await?;
    let mut lines = Vec::with_capacity(rows.len());
    for row in &rows {
        lines.push(row.bytes(0).unwrap_or_default());
    }
    Ok(Bytes::from(lines.join(&b'\n')))
}

async fn send(
    state: &State,
    snapshot: &Snapshot,
    statement: &RenderedStatement,
    run: &ExecutionOptions<'_>,
) -> Result<Vec<Row>, PgError> {
    let params: Vec<Option<&str>> = statement
        .params
        .iter()
        .map(|param| match param {
            Param::Text(text) => Some(text.as_str()),
            Param::Body => Some(run.body),
        })
        .collect();
    let statement_to_send = Statement { sql: &statement.sql, params: &params };
    let (extra, isolation) = settings(snapshot, run);
    let identity = Identity {
        role: run.caller.role(),
        claims_json: run.caller.claims_json(),
        method: &run.facts.method,
        path: &run.facts.path,
        headers_json: &run.facts.headers_json,
        cookies_json: &run.facts.cookies_json,
        search_path: snapshot.search_path(run.schema),
        read_only: run.read_only,
        commit: run.commit,
        client: run.client,
        extra: &extra,
    };
    let options = TransactionOptions { isolation, before: snapshot.before.as_deref() };
    state.pool_for(&run.facts.method).run_in(&options, &identity, statement_to_send).await
}

/// Settings of the role, the client, the function and the operator, and the isolation level among
/// them.
fn settings<'a>(
    snapshot: &'a Snapshot,
    run: &ExecutionOptions<'a>,
) -> (Vec<(&'a str, &'a str)>, Isolation) {
    const ISOLATION: &str = "default_transaction_isolation";
    let hoisted = |name: &str| snapshot.config.hoisted_settings.iter().any(|known| known == name);
    let role = snapshot.role_settings.get(run.caller.role()).map(Vec::as_slice).unwrap_or_default();
    let function = run.function_settings.iter().filter(|(name, _)| hoisted(name));
    let mut isolation = Isolation::Default;
    let mut extra = Vec::new();
    let name = run.facts.application_name.as_str();
    extra.extend(Some(("application_name", name)).filter(|_| !name.is_empty()));
    for (name, value) in role.iter().chain(function) {
        if name == ISOLATION {
            isolation = isolation_level(value);
        } else {
            extra.push((name.as_str(), value.as_str()));
        }
    }
    extra.extend(run.timezone.map(|zone| ("timezone", zone)));
    let app = snapshot.config.app_settings.iter();
    extra.extend(app.map(|(name, value)| (name.as_str(), value.as_str())));
    (extra, isolation)
}

fn isolation_level(value: &str) -> Isolation {
    match value.trim_matches('"') {
        "read committed" => Isolation::ReadCommitted,
        "repeatable read" => Isolation::RepeatableRead,
        "serializable" => Isolation::Serializable,
        _ => Isolation::Default,
    }
}

fn result_set(row: &Row) -> Result<ResultSet, PgError> {
    let is_write = row.len() > 6;
    Ok(ResultSet {
        total: row.try_get(0)?,
        page: row.try_get(1)?,
        body: body(row),
        headers: row.try_get(3)?,
        status: row.try_get(4)?,
        location: if is_write { row.try_get(6)? } else { None },
        inserted: if is_write { row.try_get(7)? } else { None },
    })
}

/// The body as it is sent. A media type over `jsonb` comes with PostgreSQL's version byte before
/// it.
fn body(row: &Row) -> Bytes {
    let bytes = row.bytes(2).unwrap_or_default();
    let is_jsonb = row.kind(2) == Some(&Type::JSONB);
    if is_jsonb && bytes.first() == Some(&1) { bytes.slice(1..) } else { bytes }
}
