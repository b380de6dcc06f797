//! Repeatable files define all grants, policies, triggers and functions; they are applied again
//! when any of them has changed or a versioned file ran.

use std::collections::HashMap;

use sha2::{Digest, Sha256};
use sqlx::{Connection, PgConnection};

use super::ledger::Ledger;
use super::source::{SchemaSource, SqlFile};
use crate::PgError;

/// Applies all of the schema's repeatable files in one transaction, or none if none has changed.
pub(super) async fn apply(
    session: &mut PgConnection,
    ledger: Ledger,
    source: &SchemaSource,
    is_changed: bool,
) -> Result<Vec<String>, PgError> {
    let files = source.repeatable()?;
    let expected = checksums(&files);
    if !is_changed && ledger.repeatable(session).await? == expected {
        return Ok(Vec::new());
    }
    let mut work = session.begin().await?;
    for file in &files {
        sqlx::raw_sql(file.text)
            .execute(&mut *work)
            .await
            .map_err(|error| file.error_of(source.schema, error.into()))?;
    }
    ledger.remember(&mut work, expected).await?;
    work.commit().await?;
    Ok(files.into_iter().map(|file| file.path).collect())
}

/// The checksum of each file, by its path.
pub(super) fn checksums(files: &[SqlFile]) -> HashMap<String, Vec<u8>> {
    let checksum = |text: &str| Sha256::digest(text.as_bytes()).to_vec();
    files.iter().map(|file| (file.path.clone(), checksum(file.text))).collect()
}
