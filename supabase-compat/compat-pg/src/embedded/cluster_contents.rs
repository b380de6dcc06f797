//! What a cluster contains besides the rows of its databases (settings, extensions, tablespaces):
//! read from the old server of a major upgrade and compared with the new one.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::{ConnectOptions as _, Connection as _, PgConnection};

use super::major_upgrade::MajorUpgrade;
use crate::{EmbeddedError, PgError, address};

/// A database of the old server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldDatabase {
    /// Its name.
    pub name: String,
    /// Its size on the disk.
    pub megabytes: u64,
}

/// Settings that name files or folders of one cluster and are not carried over.
const PLACES: [&str; 5] =
    ["config_file", "data_directory", "external_pid_file", "hba_file", "ident_file"];

impl MajorUpgrade {
    /// The databases of the old server, without templates.
    ///
    /// # Errors
    /// The query fails.
    pub async fn databases(&self) -> Result<Vec<OldDatabase>, PgError> {
        let mut session = connect(&self.old_url("postgres")).await?;
        let rows: Vec<(String, i64)> = sqlx::query_as(
            "select datname::text, pg_database_size(oid) from pg_catalog.pg_database
             where not datistemplate and datallowconn order by 1",
        )
        .fetch_all(&mut session)
        .await?;
        session.close().await?;
        let megabytes = |size: i64| u64::try_from(size / 1_000_000).unwrap_or_default();
        Ok(rows
            .into_iter()
            .map(|(name, size)| OldDatabase { name, megabytes: megabytes(size) })
            .collect())
    }

    /// Names of tablespaces that the operator created; their folders cannot be shared by two
    /// servers.
    ///
    /// # Errors
    /// The query fails.
    pub async fn tablespaces(&self) -> Result<Vec<String>, PgError> {
        let mut session = connect(&self.old_url("postgres")).await?;
        let names = sqlx::query_scalar(
            "select spcname::text from pg_catalog.pg_tablespace
             where spcname not in ('pg_default', 'pg_global') order by 1",
        );
        let names = names.fetch_all(&mut session).await?;
        session.close().await?;
        Ok(names)
    }

    /// Extensions of these databases that the new server does not offer.
    ///
    /// # Errors
    /// A query fails.
    pub async fn missing_extensions(
        &self,
        databases: &[OldDatabase],
    ) -> Result<BTreeSet<String>, PgError> {
        let mut required = BTreeSet::new();
        for database in databases {
            let mut session = connect(&self.old_url(&database.name)).await?;
            let names = sqlx::query_scalar("select extname::text from pg_catalog.pg_extension");
            let names: Vec<String> = names.fetch_all(&mut session).await?;
            session.close().await?;
            required.extend(names);
        }
        let mut session = connect(&self.new_url("template1")).await?;
        let offered =
            sqlx::query_scalar("select name::text from pg_catalog.pg_available_extensions");
        let offered: Vec<String> = offered.fetch_all(&mut session).await?;
        session.close().await?;
        offered.iter().for_each(|name| {
            required.remove(name);
        });
        Ok(required)
    }

    /// Writes the settings that the operator changed in the old cluster (`postgresql.conf`, `alter
    /// system`) into the new cluster's `postgresql.conf`. Returns the names that the new version
    /// does not know.
    ///
    /// # Errors
    /// A query fails, or the file cannot be written.
    pub async fn carry_settings(&self) -> Result<Vec<String>, EmbeddedError> {
        let (lines, unknown) = self
            .changed_settings()
            .await
            .map_err(|error| EmbeddedError::Start(format!("its settings: {error}")))?;
        if !lines.is_empty() {
            let (old, _) = self.versions();
            self.add_settings(&format!("\n# Carried over from PostgreSQL {old}.\n{lines}"))?;
        }
        Ok(unknown)
    }

    async fn changed_settings(&self) -> Result<(String, Vec<String>), PgError> {
        let mut old = connect(&self.old_url("postgres")).await?;
        let old_values = settings_in_files(&mut old).await?;
        old.close().await?;
        let mut new = connect(&self.new_url("template1")).await?;
        let initial = settings_in_files(&mut new).await?;
        let known = sqlx::query_scalar("select name::text from pg_catalog.pg_settings");
        let known: Vec<String> = known.fetch_all(&mut new).await?;
        new.close().await?;
        let (mut lines, mut unknown) = (String::new(), Vec::new());
        for (name, value) in old_values {
            let is_same = initial.get(&name) == Some(&value);
            if is_same || PLACES.contains(&name.as_str()) {
                continue;
            }
            // A name with a dot belongs to an extension.
            match name.contains('.') || known.contains(&name) {
                true => lines.push_str(&format!("{name} = {}\n", quoted(&value))),
                false => unknown.push(name),
            }
        }
        Ok((lines, unknown))
    }

    /// Collects the planner's statistics of a new database; dumps of earlier versions do not
    /// contain them.
    ///
    /// # Errors
    /// The server refuses.
    pub async fn analyze(&self, database: &str) -> Result<(), PgError> {
        let mut session = connect(&self.new_url(database)).await?;
        sqlx::raw_sql("analyze").execute(&mut session).await?;
        Ok(session.close().await?)
    }
}

async fn connect(url: &str) -> Result<PgConnection, PgError> {
    Ok(address::owner_options(url)?.connect().await?)
}

/// The settings in `postgresql.conf` and its included files; the last line for a name counts.
async fn settings_in_files(
    session: &mut PgConnection,
) -> Result<BTreeMap<String, String>, PgError> {
    let rows: Vec<(String, String)> = sqlx::query_as(
        "select distinct on (name) name, coalesce(setting, '') from pg_catalog.pg_file_settings
         where name is not null order by name, seqno desc",
    )
    .fetch_all(session)
    .await?;
    Ok(rows.into_iter().collect())
}

/// Quotes a value for `postgresql.conf`.
fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\\', "\\\\").replace('\'', "''").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn values_are_quoted_for_the_file() {
        assert_eq!(quoted("128MB"), "'128MB'");
        assert_eq!(quoted("it's \\ %t\nx"), "'it''s \\\\ %t\\nx'");
    }
}
