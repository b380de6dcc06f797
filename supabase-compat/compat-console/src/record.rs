//! What others do with the console's schema: the command `backup` writes its work into the list, and a restore
//! makes room for it.

use chrono::{DateTime, Utc};
use compat_http::Entropy;
use compat_pg::{OwnerDb, PgError};

use crate::store::backup::{self, EndedBackup};

/// A backup that a command made, or failed to make.
#[derive(Debug)]
pub struct CommandBackup<'a> {
    /// The file's name, without a folder.
    pub name: &'a str,
    /// The version of the program.
    pub version: &'a str,
    /// Its bytes, or why there are none.
    pub outcome: Result<u64, String>,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// When it ended.
    pub ended_at: DateTime<Utc>,
}

/// Removes the console's schema from a database that a backup was brought back into, before that of the
/// database that is served is copied there.
///
/// # Errors
/// The database refuses it.
pub async fn drop_console(owner: &OwnerDb) -> Result<(), PgError> {
    let mut connection = owner.connection().await?;
    Ok(backup::drop_schema(&mut connection).await?)
}

/// Writes it down. False where the database has no console.
///
/// # Errors
/// The database refuses it.
pub async fn record_backup(
    owner: &OwnerDb,
    entropy: &Entropy,
    made: &CommandBackup<'_>,
) -> Result<bool, PgError> {
    let mut connection = owner.connection().await?;
    if !backup::is_there(&mut connection).await? {
        return Ok(false);
    }
    let bytes = made.outcome.as_ref().map_or(0, |bytes| i64::try_from(*bytes).unwrap_or(i64::MAX));
    let ended = EndedBackup {
        id: entropy.uuid(),
        name: made.name,
        version: made.version,
        bytes,
        reason: made.outcome.as_ref().err().map(String::as_str),
        started_at: made.started_at,
        ended_at: made.ended_at,
    };
    backup::insert_ended(&mut connection, &ended).await?;
    Ok(true)
}
