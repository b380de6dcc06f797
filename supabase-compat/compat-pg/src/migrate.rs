//! Migrations: versioned files that run once, in order, and repeatable files that run again
//! whenever their text has changed.
//!
//! Every schema keeps its own ledger: `compat_migrations` holds the versioned files, `compat_repeatable`
//! the text the repeatable files had when they were last applied. One process migrates at a time; a
//! second one waits and then finds nothing to do.
//!
//! A schema that another program made is adopted, if its source has files for that.

mod adopt;
mod baseline;
mod current;
mod ledger;
mod pending;
mod repeatable;
mod source;
mod versioned;

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::{OwnerDb, PgError};
pub use pending::{PendingMigrations, pending_migrations};
pub use source::SchemaSource;
pub(crate) use source::line_and_column;

/// The advisory lock that a migration holds, whatever the schema.
///
/// Lock order: a session that holds no other lock takes this one before it touches any table, and
/// keeps it until the last file. A file may take any locks after it; code that serves requests
/// never takes this one.
pub(crate) const MIGRATION_LOCK: i64 = 0x6d69_6772_6174_6500;

/// What a migration changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrationReport {
    /// Versioned files applied, as `schema/file`, in order.
    pub versioned: Vec<String>,
    /// Repeatable files applied, as `schema/file`, in order.
    pub repeatable: Vec<String>,
}

impl MigrationReport {
    /// Whether there was nothing to do.
    pub fn is_empty(&self) -> bool {
        self.versioned.is_empty() && self.repeatable.is_empty()
    }
}

/// Migrates the schemas in the given order, all of them or none: if a file is refused, the error
/// names it with its line, and the database stays unchanged, so that the previous program still
/// starts on it.
///
/// A pending file that begins with `-- no-transaction` cannot be rolled back. If there is one, each
/// file is a transaction of its own, and the files before a refused one stay applied.
///
/// # Errors
/// The first file that is refused, or a ledger that the files contradict.
pub async fn migrate(
    owner: &OwnerDb,
    sources: &[SchemaSource],
) -> Result<MigrationReport, PgError> {
    if current::is_current(owner, sources).await? {
        return Ok(MigrationReport::default());
    }
    let mut session = owner.session().await?;
    // Suppresses notices such as "already exists, skipping".
    sqlx::query("set client_min_messages = warning").execute(&mut session).await?;
    sqlx::query("select pg_advisory_lock($1)").bind(MIGRATION_LOCK).execute(&mut session).await?;
    let outcome = migrate_in(&mut session, sources).await;
    // The lock belongs to the session and ends with it, even after a failure.
    let closed = session.close().await;
    let report = outcome?;
    closed?;
    Ok(report)
}

/// Marks the schemas of a restored dump of an earlier version as made by this version's migrations,
/// where these replace the earlier ones.
///
/// # Errors
/// A schema lacks some of the earlier migrations ([`SchemaSource::accept_earlier`]).
pub async fn adopt_baseline(owner: &OwnerDb, sources: &[SchemaSource]) -> Result<(), PgError> {
    let mut session = owner.session().await?;
    for source in sources {
        baseline::adopt(&mut session, source).await?;
    }
    Ok(session.close().await?)
}

async fn migrate_in(
    session: &mut PgConnection,
    sources: &[SchemaSource],
) -> Result<MigrationReport, PgError> {
    // All schemas are checked first, so that a refused database stays unchanged.
    for source in sources {
        baseline::refuse_earlier(session, source).await?;
    }
    apply_all(session, sources).await
}

async fn apply_all(
    session: &mut PgConnection,
    sources: &[SchemaSource],
) -> Result<MigrationReport, PgError> {
    let mut report = MigrationReport::default();
    if pending::has_irreversible(session, sources).await? {
        for source in sources {
            apply(session, source, &mut report).await.map_err(leave_earlier)?;
        }
        return Ok(report);
    }
    // Each file runs in a savepoint of this transaction.
    let mut work = session.begin().await?;
    for source in sources {
        apply(&mut work, source, &mut report).await?;
    }
    work.commit().await?;
    Ok(report)
}

/// Marks an error as one that leaves the files before it applied.
fn leave_earlier(mut error: PgError) -> PgError {
    if let PgError::Migration { is_undone, .. } = &mut error {
        *is_undone = false;
    }
    error
}

async fn apply(
    session: &mut PgConnection,
    source: &SchemaSource,
    report: &mut MigrationReport,
) -> Result<(), PgError> {
    let ledger = ledger::Ledger::open(session, source.schema).await?;
    let is_adopted = adopt::adopt(session, ledger, source).await?;
    let versioned = versioned::apply(session, ledger, source).await?;
    let is_changed = is_adopted || !versioned.is_empty();
    let repeatable = repeatable::apply(session, ledger, source, is_changed).await?;
    let named = |file: String| format!("{}/{file}", source.schema);
    report.versioned.extend(versioned.into_iter().map(named));
    report.repeatable.extend(repeatable.into_iter().map(named));
    Ok(())
}

/// A schema's name, quoted.
fn quoted(schema: &'static str) -> String {
    format!("\"{}\"", schema.replace('"', "\"\""))
}

/// A fixed SQL text with a schema's name for `{schema}`. The name is a constant of the program and
/// is quoted.
fn in_schema(schema: &'static str, text: &'static str) -> AssertSqlSafe<String> {
    AssertSqlSafe(text.replace("{schema}", &quoted(schema)))
}

/// Does the same for several schemas: a union of the rows of all, with the index of each for
/// `{place}`.
fn in_schemas(sources: &[SchemaSource], text: &'static str) -> AssertSqlSafe<String> {
    let of = |(place, source): (usize, &SchemaSource)| {
        text.replace("{schema}", &quoted(source.schema)).replace("{place}", &place.to_string())
    };
    AssertSqlSafe(sources.iter().enumerate().map(of).collect::<Vec<_>>().join(" union all "))
}

/// A fixed SQL text with a table's name for `{table}`; [`crate::Queue::new`] has checked the name.
pub(crate) fn in_table(table: &'static str, text: &'static str) -> AssertSqlSafe<String> {
    AssertSqlSafe(text.replace("{table}", table))
}
