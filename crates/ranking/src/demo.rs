//! Demonstration data: loads it into a new database, and removes every row of it again.

use compat_pg::{Owner, OwnerDb, PgError};
use sqlx::Executor;

use crate::SQL;

const LOAD: &str = "seed/demo";
const REMOVE: &str = "seed/demo_remove.sql";

/// Loads the demonstration data in one transaction; loading it twice changes nothing. The accounts
/// that it refers to by email address must exist.
///
/// # Errors
/// When a script fails; the transaction is rolled back.
pub async fn load(owner: &OwnerDb) -> Result<(), PgError> {
    let mut owner = owner.begin().await?;
    for script in scripts() {
        run(&mut owner, script).await?;
    }
    owner.commit().await
}

/// Removes exactly what [`load`] inserted, and the rows that were attached to it since. The
/// accounts stay.
///
/// # Errors
/// When the script fails; the transaction is rolled back.
pub async fn remove(owner: &OwnerDb) -> Result<(), PgError> {
    let script = SQL.get_file(REMOVE).and_then(|file| file.contents_utf8());
    let mut owner = owner.begin().await?;
    run(&mut owner, script.expect("embedded with the folder")).await?;
    owner.commit().await
}

/// The scripts, sorted by file name.
fn scripts() -> Vec<&'static str> {
    let mut files: Vec<_> = SQL.get_dir(LOAD).into_iter().flat_map(|dir| dir.files()).collect();
    files.sort_by_key(|file| file.path());
    files.into_iter().filter_map(|file| file.contents_utf8()).collect()
}

/// Runs a script of several statements.
async fn run(owner: &mut Owner, script: &'static str) -> Result<(), PgError> {
    let connection: &mut sqlx::PgConnection = owner;
    connection.execute(script).await?;
    Ok(())
}
