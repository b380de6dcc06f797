//! Checks in one statement whether there is anything to migrate: at most starts there is not.

use std::collections::BTreeSet;

use super::source::SchemaSource;
use super::{MIGRATION_LOCK, in_schemas, repeatable, versioned};
use crate::{OwnerDb, PgError};

/// The rows of one ledger.
const LEDGER: &str =
    "select {place}, version::text, checksum from {schema}.compat_migrations where success
     union all
     select {place}, file, checksum from {schema}.compat_repeatable";

/// A file in a ledger: the index of its source, its version or path, and its checksum.
type LedgerRow = (i32, String, Vec<u8>);

/// Whether the ledgers hold exactly the files of these sources, with their current texts. If a
/// ledger cannot be read, the answer is no.
pub(super) async fn is_current(owner: &OwnerDb, sources: &[SchemaSource]) -> Result<bool, PgError> {
    if sources.is_empty() {
        return Ok(true);
    }
    let mut work = owner.begin().await?;
    // Waits for a migration that is running.
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(MIGRATION_LOCK)
        .execute(&mut *work)
        .await?;
    let ledgers: Result<Vec<LedgerRow>, sqlx::Error> =
        sqlx::query_as(in_schemas(sources, LEDGER)).fetch_all(&mut *work).await;
    work.rollback().await?;
    match ledgers {
        Err(sqlx::Error::Database(_)) => Ok(false),
        Err(error) => Err(error.into()),
        Ok(rows) => Ok(rows.into_iter().collect::<BTreeSet<_>>() == expected_rows(sources)?),
    }
}

fn expected_rows(sources: &[SchemaSource]) -> Result<BTreeSet<LedgerRow>, PgError> {
    let mut files = BTreeSet::new();
    for (place, source) in (0..).zip(sources) {
        let versions = versioned::known(source)?.into_iter();
        files.extend(versions.map(|one| (place, one.version.to_string(), one.checksum.to_vec())));
        let texts = repeatable::checksums(&source.repeatable()?);
        files.extend(texts.into_iter().map(|(path, checksum)| (place, path, checksum)));
    }
    Ok(files)
}
