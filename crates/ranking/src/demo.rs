//! Demonstration data: loaded into a new database, and taken away again to the row.

use compat_pg::{Owner, OwnerDb, PgError};
use sqlx::Executor;

use crate::SQL;

const LOAD: &str = "seed/demo";
const REMOVE: &str = "seed/demo_remove.sql";

/// Loads the demonstration data in one transaction; loading it twice changes nothing. The accounts
/// it refers to by e-mail address have to exist before.
///
/// # Errors
/// When a script is refused; nothing of it stays.
pub async fn load(owner: &OwnerDb) -> Result<(), PgError> {
    let mut owner = owner.begin().await?;
    for script in scripts() {
        run(&mut owner, script).await?;
    }
    owner.commit().await
}

/// Takes away exactly what [`load`] brought, and what was added to it since. The accounts stay.
///
/// # Errors
/// When the script is refused; everything stays.
pub async fn remove(owner: &OwnerDb) -> Result<(), PgError> {
    let script = SQL.get_file(REMOVE).and_then(|file| file.contents_utf8());
    let mut owner = owner.begin().await?;
    run(&mut owner, script.expect("embedded with the folder")).await?;
    owner.commit().await
}

/// The scripts in the order of their names.
fn scripts() -> Vec<&'static str> {
    let mut files: Vec<_> = SQL.get_dir(LOAD).into_iter().flat_map(|dir| dir.files()).collect();
    files.sort_by_key(|file| file.path());
    files.into_iter().filter_map(|file| file.contents_utf8()).collect()
}

/// Runs a script of ours, many statements long.
async fn run(owner: &mut Owner, script: &'static str) -> Result<(), PgError> {
    let connection: &mut sqlx::PgConnection = owner;
    connection.execute(script).await?;
    Ok(())
}
