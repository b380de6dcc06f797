//! A database that is filled beside the served one, and then replaces it.
//!
//! A client finds either the old or the new database and never a mixture. One that connects at the
//! moment of the swap is refused with 3D000, because the server looked the old name up, and finds
//! the new one at the next attempt. A failure or interruption leaves the served database unchanged.
//! This module does not know what fills the new one.

use std::time::Duration;

use sqlx::postgres::types::Oid;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use url::Url;

use crate::{OwnerDb, PgError, address};

/// The name of the database until it replaces the served one.
const REPLACEMENT: &str = "compat_replacement";
/// A database in which nothing runs: the sessions in the two others are ended.
const MAINTENANCE: &str = "template1";
/// How often blocking sessions are ended. The server waits up to five seconds for the last one.
const CLEARING: Duration = Duration::from_millis(50);

/// A database of an embedded server beside the served one. There can be only one.
#[derive(Debug, Clone)]
pub struct ReplacementDatabase {
    maintenance: String,
    url: String,
}

impl ReplacementDatabase {
    /// Creates an empty database, and removes what an earlier attempt left. `owner_url` is
    /// [`super::EmbeddedPostgres::owner_url`].
    ///
    /// # Errors
    /// The server refuses a statement.
    pub async fn create(owner_url: &str) -> Result<Self, PgError> {
        let replacement = Self {
            maintenance: with_database(owner_url, MAINTENANCE)?,
            url: with_database(owner_url, REPLACEMENT)?,
        };
        replacement.remove().await?;
        let mut session = replacement.session().await?;
        sqlx::raw_sql("create database compat_replacement with template template0 owner postgres")
            .execute(&mut session)
            .await?;
        session.close().await?;
        Ok(replacement)
    }

    /// The address of this database for the superuser.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Replaces the served database by this one, and ends every session in both. `owner` is the
    /// pool of the served database; it connects to this one from now on.
    ///
    /// # Errors
    /// The server refuses it: then nothing has changed.
    pub async fn take_place(&self, owner: &OwnerDb) -> Result<(), PgError> {
        let (mut session, mut clearing) = (self.session().await?, self.session().await?);
        let served = oid_of_served(&mut clearing).await?;
        // The pool must not hand out the connections that are ended.
        let _suspension = owner.suspend_reuse();
        // Until this transaction ends, new sessions wait for the name, so the sessions ended here
        // are the last.
        let change = sqlx::raw_sql(include_str!("../../sql/replacement/take_place.sql"));
        let mut change = std::pin::pin!(change.execute(&mut session));
        loop {
            tokio::select! {
                done = &mut change => return done.map(drop).map_err(PgError::from),
                () = tokio::time::sleep(CLEARING) => {
                    if let Err(error) = end_sessions(&mut clearing, served).await {
                        tracing::warn!(%error, "cannot end the sessions of the database");
                    }
                }
            }
        }
    }

    /// Drops this database, and the one that it replaced.
    ///
    /// # Errors
    /// The server refuses a statement.
    pub async fn remove(&self) -> Result<(), PgError> {
        let mut session = self.session().await?;
        // One statement each, because neither may run in a transaction.
        for statement in [
            "drop database if exists compat_replacement with (force)",
            "drop database if exists compat_replaced with (force)",
        ] {
            sqlx::raw_sql(statement).execute(&mut session).await?;
        }
        Ok(session.close().await?)
    }

    async fn session(&self) -> Result<PgConnection, PgError> {
        Ok(address::owner_options(&self.maintenance)?.connect().await?)
    }
}

/// The served database's identifier, which stays when its name changes.
async fn oid_of_served(session: &mut PgConnection) -> Result<Oid, PgError> {
    let query = "select d.oid from pg_catalog.pg_database as d where d.datname = 'postgres'";
    Ok(sqlx::query_scalar(query).fetch_one(session).await?)
}

/// Ends the sessions of the database with the identifier `served` and of the replacement, but none
/// of a replacement that has the served name already.
async fn end_sessions(session: &mut PgConnection, served: Oid) -> Result<(), PgError> {
    sqlx::query(
        "select pg_catalog.pg_terminate_backend(a.pid)
        from pg_catalog.pg_stat_activity as a
        where a.datid = $1 or a.datname = 'compat_replacement'",
    )
    .bind(served)
    .execute(session)
    .await?;
    Ok(())
}

/// The same address with another database.
fn with_database(url: &str, name: &str) -> Result<String, PgError> {
    let mut parsed = Url::parse(url).map_err(|error| PgError::Address(error.to_string()))?;
    parsed.set_path(name);
    Ok(parsed.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_names_another_database_of_the_server() {
        let url = super::super::url("/a b/run".as_ref(), "supabase_admin", "postgres");
        let beside = with_database(&url, REPLACEMENT).expect("an address");
        assert_eq!(beside, url.replace("/postgres", "/compat_replacement"));
    }
}
