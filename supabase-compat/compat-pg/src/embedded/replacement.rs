//! A database that is filled beside the one that is served, and then takes its place.
//!
//! It promises that whoever connects finds the one or the other and never a mixture, and that what fails, or
//! ends in the middle, leaves the database that is served as it was. It does not know what fills it.

use std::time::Duration;

use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use url::Url;

use crate::{OwnerDb, PgError, address};

/// Its name until it takes the place.
const REPLACEMENT: &str = "compat_replacement";
/// A database that nobody works in: sessions in the two others end.
const MAINTENANCE: &str = "template1";
/// How often sessions in the way are ended. The server waits five seconds for the last one.
const CLEARING: Duration = Duration::from_millis(50);

/// A database of an embedded server beside the one that is served. One at a time.
#[derive(Debug, Clone)]
pub struct ReplacementDatabase {
    maintenance: String,
    url: String,
}

impl ReplacementDatabase {
    /// Makes an empty one; what an earlier attempt left is removed. `owner_url` is
    /// [`super::EmbeddedPostgres::owner_url`].
    ///
    /// # Errors
    /// The server refuses it.
    pub async fn create(owner_url: &str) -> Result<Self, PgError> {
        let made = Self {
            maintenance: with_database(owner_url, MAINTENANCE)?,
            url: with_database(owner_url, REPLACEMENT)?,
        };
        made.remove().await?;
        let mut session = made.session().await?;
        sqlx::raw_sql("create database compat_replacement with template template0 owner postgres")
            .execute(&mut session)
            .await?;
        session.close().await?;
        Ok(made)
    }

    /// Its address, for the superuser.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Puts it in the place of the database that is served, and ends every session in both. `owner` is the
    /// pool of the one that is served; it leads to this one from now on.
    ///
    /// # Errors
    /// The server refuses it: then nothing has changed.
    pub async fn take_place(&self, owner: &OwnerDb) -> Result<(), PgError> {
        let (mut session, mut clearing) = (self.session().await?, self.session().await?);
        // Until its end, new sessions wait at the name, so that those ended here are the last.
        let change = sqlx::raw_sql(include_str!("../../sql/replacement/take_place.sql"));
        let mut change = std::pin::pin!(change.execute(&mut session));
        let done = loop {
            tokio::select! {
                done = &mut change => break done,
                () = tokio::time::sleep(CLEARING) => {
                    if let Err(error) = end_sessions(&mut clearing).await {
                        tracing::warn!(%error, "sessions not ended");
                    }
                }
            }
        };
        // Connections that are known to be gone are not handed out.
        owner.renew();
        done?;
        Ok(())
    }

    /// Removes it, and the database whose place it took.
    ///
    /// # Errors
    /// The server refuses it.
    pub async fn remove(&self) -> Result<(), PgError> {
        let mut session = self.session().await?;
        // One statement each: neither may stand in a transaction.
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

async fn end_sessions(session: &mut PgConnection) -> Result<(), PgError> {
    sqlx::raw_sql(
        "select pg_catalog.pg_terminate_backend(a.pid)
        from pg_catalog.pg_stat_activity as a
        where a.datname in ('postgres', 'compat_replacement')",
    )
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
