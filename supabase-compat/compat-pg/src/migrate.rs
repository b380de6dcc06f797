//! Migrations: steps that run once, in order, and standing files that are applied again whenever
//! their text changed.
//!
//! Every schema keeps its own ledger: `compat_migrations` holds the steps, `compat_standing` the
//! text the standing files had when they were last applied. One process migrates at a time; a
//! second one waits and then finds nothing to do.
//!
//! A schema that another program made before is taken over, where its source says how.

mod ledger;
mod source;
mod standing;
mod steps;
mod taken_over;

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::{OwnerDb, PgError};
pub use source::SchemaSource;
pub(crate) use source::line_and_column;

/// Held by whoever migrates, whatever the schema.
///
/// Lock order: this one is taken by a session of its own that holds nothing, before any table is
/// touched, and kept until the last file. A file may lock what it likes behind it; what serves
/// requests meanwhile never asks for it.
pub(crate) const MIGRATION_LOCK: i64 = 0x6d69_6772_6174_6500;

/// What a migration changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrationReport {
    /// Steps applied, as `schema/file`, in order.
    pub steps: Vec<String>,
    /// Standing files applied, as `schema/file`, in order.
    pub standing: Vec<String>,
}

impl MigrationReport {
    /// Whether there was nothing to do.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.standing.is_empty()
    }
}

/// Brings the schemas up to date, in the order given. A refused file stops everything behind it
/// and names itself, with its line; steps before it stay applied, its own transaction does not.
pub async fn migrate(
    owner: &OwnerDb,
    sources: &[SchemaSource],
) -> Result<MigrationReport, PgError> {
    let mut session = owner.session().await?;
    // What a statement skips because it is there already is not news.
    sqlx::query("set client_min_messages = warning").execute(&mut session).await?;
    sqlx::query("select pg_advisory_lock($1)").bind(MIGRATION_LOCK).execute(&mut session).await?;
    let outcome = apply_all(&mut session, sources).await;
    // The lock belongs to the session and ends with it, also after a failure.
    let closed = session.close().await;
    let report = outcome?;
    closed?;
    Ok(report)
}

async fn apply_all(
    session: &mut PgConnection,
    sources: &[SchemaSource],
) -> Result<MigrationReport, PgError> {
    let mut report = MigrationReport::default();
    for source in sources {
        let ledger = ledger::Ledger::open(session, source.schema).await?;
        let is_taken_over = taken_over::take_over(session, ledger, source).await?;
        let steps = steps::apply(session, ledger, source).await?;
        let stepped = is_taken_over || !steps.is_empty();
        let standing = standing::apply(session, ledger, source, stepped).await?;
        let named = |file: String| format!("{}/{file}", source.schema);
        report.steps.extend(steps.into_iter().map(named));
        report.standing.extend(standing.into_iter().map(named));
    }
    Ok(report)
}

/// A schema's name, quoted.
fn quoted(schema: &'static str) -> String {
    format!("\"{}\"", schema.replace('"', "\"\""))
}

/// Our own text with a schema's name for `{schema}`. The name is a constant of the program and
/// stands quoted.
fn in_schema(schema: &'static str, text: &'static str) -> AssertSqlSafe<String> {
    AssertSqlSafe(text.replace("{schema}", &quoted(schema)))
}

/// The same with a table's name, which [`crate::Queue::new`] found to be plain, for `{table}`.
pub(crate) fn in_table(table: &'static str, text: &'static str) -> AssertSqlSafe<String> {
    AssertSqlSafe(text.replace("{table}", table))
}
