//! Adds the collations of this machine's locales to a cluster that was initialised elsewhere.

use sqlx::{ConnectOptions as _, Connection as _};

use super::{EmbeddedPostgres, url};
use crate::{PgError, address};

/// The databases that get them: the one in use, and the template of new ones.
const DATABASES: [&str; 2] = ["postgres", "template1"];

/// Imports the collations, as `initdb` does. A failure leaves them out and is logged: nothing of
/// ours needs them.
pub(super) async fn import(server: &EmbeddedPostgres) {
    for database in DATABASES {
        let address = url(&server.socket, &server.superuser, database);
        if let Err(error) = import_into(&address).await {
            tracing::warn!(%error, database, "cannot import the collations of this machine");
        }
    }
}

async fn import_into(address: &str) -> Result<(), PgError> {
    let mut session = address::owner_options(address)?.connect().await?;
    let import = "select pg_catalog.pg_import_system_collations('pg_catalog')";
    sqlx::raw_sql(import).execute(&mut session).await?;
    Ok(session.close().await?)
}
