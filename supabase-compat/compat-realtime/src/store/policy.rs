//! Asks row security on `realtime.messages` whether a caller may read or write a channel.
//!
//! A right to read is tested with rows that `realtime.write_probes` writes and the caller then
//! selects; a right to write, with rows that the caller inserts. All of these rows are rolled back.
//! They have a topic and an extension only, as the original's do: policies on other columns see
//! null.
//!
//! Policies and triggers are a project's own code. They run in a session of `authenticator`, as in
//! rest/v1: a policy that resets the role falls back to a login without rights of its own.

use std::net::IpAddr;

use compat_pg::{Acting, ActingDb, Identity, OwnerDb, PgError, Row, Statement, TransactionOptions};

use super::{array_literal, changes};

/// The login that callers act through; it alone may write probes of the right to read.
pub(super) const LOGIN: &str = "authenticator";
/// How long a policy may take.
pub(super) const TIMEOUT: (&str, &str) = ("statement_timeout", "10s");

const WRITE_PROBES: &str = "select id::text, extension
    from realtime.write_probes($1, $2::text[])";
const READ_PROBES: &str = "select id::text
    from realtime.messages
    where topic = $1 and id = any($2::uuid[])";
const WRITE: &str = "insert into realtime.messages (topic, extension)
    values ($1, $2)";

/// The caller as policies see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PolicyCaller<'a> {
    pub role: &'a str,
    pub claims_json: &'a str,
    pub sub: &'a str,
    /// JSON object of the headers that begin with `x-`.
    pub headers_json: &'a str,
    /// The client whose quota the query counts against.
    pub client: IpAddr,
}

/// Whether the caller may read each of these extensions of a topic.
pub(crate) async fn may_read(
    db: &ActingDb,
    topic: &str,
    caller: &PolicyCaller<'_>,
    extensions: &[&str],
) -> Result<Vec<bool>, PgError> {
    if !is_text(topic) {
        return Ok(vec![false; extensions.len()]);
    }
    let extension_array = array_literal(extensions.iter().copied());
    let login = PolicyCaller { role: LOGIN, claims_json: "{}", headers_json: "{}", ..*caller };
    let settings = settings(topic, caller);
    let mut acting = db.begin(&TransactionOptions::default(), &identity(&login, &[TIMEOUT]));
    let probes = rows_of(&mut acting, WRITE_PROBES, &[Some(topic), Some(&extension_array)]).await?;
    let probes: Vec<(String, String)> = probes.iter().map(probe).collect::<Result<_, _>>()?;
    let ids = array_literal(probes.iter().map(|(id, _)| id.as_str()));
    let result = match acting.act_as(&identity(caller, &settings)).await {
        Ok(()) => rows_of(&mut acting, READ_PROBES, &[Some(topic), Some(&ids)]).await,
        Err(error) => Err(error),
    };
    let result = or_on_refusal(result, Vec::new())?;
    let result: Vec<String> = result.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    acting.rollback().await?;
    let may = |extension_array: &&str| {
        probes.iter().any(|(id, extension)| extension == *extension_array && result.contains(id))
    };
    Ok(extensions.iter().map(may).collect())
}

/// Whether the caller may write this extension of a topic.
pub(crate) async fn may_write(
    db: &ActingDb,
    topic: &str,
    caller: &PolicyCaller<'_>,
    extension: &str,
) -> Result<bool, PgError> {
    if !is_text(topic) {
        return Ok(false);
    }
    let settings = settings(topic, caller);
    let mut acting = db.begin(&TransactionOptions::default(), &identity(caller, &settings));
    let result = rows_of(&mut acting, WRITE, &[Some(topic), Some(extension)]).await;
    let may = or_on_refusal(result.map(|_| true), false)?;
    acting.rollback().await?;
    Ok(may)
}

/// Whether all callers of a role may read the same topics: no policy of the role depends on the
/// caller.
pub(crate) async fn is_uniform(db: &OwnerDb, role: &str) -> Result<bool, PgError> {
    let mut connection = db.connection().await?;
    let table = sqlx::query_scalar("select 'realtime.messages'::pg_catalog.regclass::oid::int8");
    let table: i64 = table.fetch_one(&mut *connection).await?;
    drop(connection);
    let facts = changes::role(db, u32::try_from(table).unwrap_or_default(), role).await?;
    Ok(facts.is_some_and(|facts| facts.bypasses || facts.is_uniform))
}

/// Whether the database can store a topic. No policy can allow a topic that it cannot store.
fn is_text(topic: &str) -> bool {
    !topic.contains('\0')
}

/// The settings that policies may read besides the claims.
fn settings<'a>(topic: &'a str, caller: &PolicyCaller<'a>) -> [(&'a str, &'a str); 4] {
    [
        TIMEOUT,
        ("realtime.topic", topic),
        ("request.jwt.claim.sub", caller.sub),
        ("request.jwt.claim.role", caller.role),
    ]
}

fn identity<'a>(caller: &PolicyCaller<'a>, extra: &'a [(&'a str, &'a str)]) -> Identity<'a> {
    Identity {
        role: caller.role,
        claims_json: caller.claims_json,
        method: "GET",
        path: "",
        headers_json: caller.headers_json,
        cookies_json: "{}",
        search_path: "public, extensions",
        read_only: false,
        commit: false,
        client: Some(caller.client),
        extra,
    }
}

async fn rows_of(
    acting: &mut Acting<'_>,
    sql: &str,
    params: &[Option<&str>],
) -> Result<Vec<Row>, PgError> {
    acting.run(Statement { sql, params }).await
}

/// A probe's id and extension.
fn probe(row: &Row) -> Result<(String, String), PgError> {
    Ok((row.try_get(0)?, row.try_get(1)?))
}

/// Turns a database error into `none`, which means no right. Policies are code that may fail in any
/// way or never end, and the role may not exist.
fn or_on_refusal<T>(answer: Result<T, PgError>, none: T) -> Result<T, PgError> {
    match answer {
        Err(error) if error.database().is_some() => {
            if error.code() != Some("42501") {
                tracing::debug!(%error, "rights to a channel denied: the policy failed");
            }
            Ok(none)
        }
        other => other,
    }
}
