//! Access to the console's schema for other crates: the command `backup` records its backup, and a
//! restore drops the schema before it is copied.

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
    /// The size in bytes, or the reason of the failure.
    pub outcome: Result<u64, String>,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// When it ended.
    pub ended_at: DateTime<Utc>,
}

/// Drops the console's schema from a restored database, before that of the live database is copied
/// there.
///
/// # Errors
/// A statement failed.
pub async fn drop_console(owner: &OwnerDb) -> Result<(), PgError> {
    let mut connection = owner.connection().await?;
    Ok(backup::drop_schema(&mut connection).await?)
}

/// Records a backup; returns false if the database has no console.
///
/// # Errors
/// A statement failed.
pub async fn record_backup(
    owner: &OwnerDb,
    entropy: &Entropy,
    command: &CommandBackup<'_>,
) -> Result<bool, PgError> {
    let mut connection = owner.connection().await?;
    if !backup::is_there(&mut connection).await? {
        return Ok(false);
    }
    let bytes =
        command.outcome.as_ref().map_or(0, |bytes| i64::try_from(*bytes).unwrap_or(i64::MAX));
    let ended = EndedBackup {
        id: entropy.uuid(),
        name: command.name,
        version: command.version,
        bytes,
        reason: command.outcome.as_ref().err().map(String::as_str),
        started_at: command.started_at,
        ended_at: command.ended_at,
    };
    backup::insert_ended(&mut connection, &ended).await?;
    Ok(true)
}
