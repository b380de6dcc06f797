//! The command `upgrade-postgres`: copies the embedded server's data into a newer major version of
//! PostgreSQL, by a dump that is piped into the restore.
//!
//! The old data are only read and are kept. After an interruption, the next run starts again.

use std::io::{self, Read};

use clap::Args;
use compat_pg::EmbeddedConfig;
use compat_pg::embedded::{
    FinishedUpgrade, MajorUpgrade, OldDatabase, install_vector, remove_old_data,
};
use compat_stack::{Settings, data_format, database, print_line};
use secrecy::SecretString;

use compat_stack::backup::{BackupError, Programs, blocking};

/// The bytes of a dump between two lines of progress.
const STEP: u64 = 50_000_000;

/// The version since which CREATEROLE covers only granted roles, and a grantor needs rights.
const GRANTED_CREATEROLE: u32 = 16;

/// The arguments of `upgrade-postgres`.
#[derive(Debug, Clone, Args)]
pub struct PostgresUpgradeOptions {
    /// The major version to upgrade to [default: the newest available]
    #[arg(long, value_name = "MAJOR")]
    pub to: Option<u32>,
    /// Only remove the data of earlier versions, which an upgrade keeps
    #[arg(long, conflicts_with = "to")]
    pub remove_old: bool,
}

/// Why the data were not upgraded.
#[derive(Debug, thiserror::Error)]
pub enum PostgresUpgradeError {
    /// The server belongs to the operator.
    #[error(
        "DATABASE_URL names a server of yours, which is upgraded by its own means; this command upgrades the \
         PostgreSQL in a data folder"
    )]
    OwnServer,
    /// The new server lacks extensions.
    #[error(
        "PostgreSQL {version} does not offer {}, which the database uses; install them for that version; \
         nothing was changed",
        names.join(", ")
    )]
    Extensions {
        /// The new version of PostgreSQL.
        version: String,
        /// The missing extensions.
        names: Vec<String>,
    },
    /// The cluster has tablespaces.
    #[error(
        "the database has tablespaces ({}), which have one place for both versions; move their tables to \
         pg_default; nothing was changed",
        .0.join(", ")
    )]
    Tablespaces(Vec<String>),
    /// Dump or restore failed.
    #[error("{0}; the data folder is as it was")]
    Copy(#[from] BackupError),
}

/// The command `upgrade-postgres`.
///
/// # Errors
/// The data cannot be upgraded; the folder is then unchanged.
pub async fn upgrade_postgres(
    settings: &Settings,
    options: &PostgresUpgradeOptions,
) -> Result<(), Box<dyn std::error::Error>> {
    if settings.database.url.is_some() || settings.database.acting_url.is_some() {
        return Err(PostgresUpgradeError::OwnServer.into());
    }
    data_format::read(&settings.data_dir)?;
    let mut config = database::embedded(settings);
    config.progress = Some(std::sync::Arc::new(print_line));
    if options.remove_old {
        let removed = remove_old_data(&config)?;
        for (folder, megabytes) in &removed {
            print_line(&format!("Removed {} ({megabytes} MB)", folder.display()));
        }
        if removed.is_empty() {
            print_line("There are no data of an earlier version of PostgreSQL.");
        }
        return Ok(());
    }
    let Some(upgrade) = MajorUpgrade::start(&config, options.to).await? else {
        print_line("There is no newer PostgreSQL here; nothing was changed.");
        return Ok(());
    };
    if let Err(error) = fill(&upgrade, settings, &config).await {
        upgrade.abandon().await;
        return Err(error);
    }
    let version = upgrade.versions().1.to_owned();
    let FinishedUpgrade { old, new } = upgrade.finish().await?;
    print_line(&format!(
        "The data folder has PostgreSQL {version} now, in {}.\n{} keeps the data of before; to go back, stop \
         the server and remove {}; to have the space back, `upgrade-postgres --remove-old`.",
        new.display(),
        old.display(),
        new.display()
    ));
    Ok(())
}

/// Copies roles and databases of the old server to the new one.
async fn fill(
    upgrade: &MajorUpgrade,
    settings: &Settings,
    config: &EmbeddedConfig,
) -> Result<(), Box<dyn std::error::Error>> {
    let tablespaces = upgrade.tablespaces().await?;
    if !tablespaces.is_empty() {
        return Err(PostgresUpgradeError::Tablespaces(tablespaces).into());
    }
    let databases = upgrade.databases().await?;
    offer_extensions(upgrade, config, &databases).await?;
    for name in upgrade.carry_settings().await? {
        print_line(&format!("Left out: the setting {name}, which the new version does not know"));
    }
    let programs = programs(settings, upgrade)?;
    print_line("Copying roles");
    let (old, new) = (address(upgrade.old_url("postgres")), address(upgrade.new_url("template1")));
    let (superuser, old_major) = (upgrade.superuser().to_owned(), upgrade.majors().0);
    let programs = blocking(move || {
        let script = roles_script(&programs.roles(&old)?, &superuser, old_major);
        programs.run_script(&new, &script).map(|()| programs)
    })
    .await
    .map_err(PostgresUpgradeError::Copy)?;
    let mut programs = programs;
    for database in &databases {
        let OldDatabase { name, megabytes } = database;
        print_line(&format!("Copying the database {name} ({megabytes} MB)"));
        let (from, to) = (address(upgrade.old_url(name)), address(upgrade.new_url("template1")));
        let (back, left_out) = blocking(move || {
            let mut dump = programs.dump_uncompressed(&from)?;
            let mut progress = ProgressReader { source: dump.output(), count: 0, reported: 0 };
            let restored = programs.restore_database(&to, &mut progress);
            drop(progress);
            // If the restore fails, the dump fails with a broken pipe, so the error of the restore
            // comes first.
            let left_out = restored?;
            dump.finish().map(|()| (programs, left_out))
        })
        .await
        .map_err(PostgresUpgradeError::Copy)?;
        programs = back;
        for command in left_out {
            print_line(&format!("Left out, since the new version has no such function: {command}"));
        }
    }
    if loses_role_rights(upgrade) {
        let url = address(upgrade.new_url("postgres"));
        let script = include_str!("../sql/createrole.sql");
        blocking(move || programs.run_script(&url, script))
            .await
            .map_err(PostgresUpgradeError::Copy)?;
    }
    for OldDatabase { name, .. } in &databases {
        print_line(&format!("Gathering statistics of the database {name}"));
        upgrade.analyze(name).await?;
    }
    Ok(())
}

/// Whether a non-superuser `postgres` would lose rights over other roles.
fn loses_role_rights(upgrade: &MajorUpgrade) -> bool {
    let (old, new) = upgrade.majors();
    upgrade.superuser() != "postgres" && old < GRANTED_CREATEROLE && new >= GRANTED_CREATEROLE
}

/// Fails unless the new server offers the extensions of the databases.
async fn offer_extensions(
    upgrade: &MajorUpgrade,
    config: &EmbeddedConfig,
    databases: &[OldDatabase],
) -> Result<(), Box<dyn std::error::Error>> {
    let mut missing = upgrade.missing_extensions(databases).await?;
    if missing.contains("vector") && install_vector(config, upgrade.majors().1).await? {
        missing = upgrade.missing_extensions(databases).await?;
    }
    if missing.is_empty() {
        return Ok(());
    }
    let version = upgrade.versions().1.to_owned();
    Err(PostgresUpgradeError::Extensions { version, names: missing.into_iter().collect() }.into())
}

/// The programs of the new version are preferred; those of the old version also work.
fn programs(settings: &Settings, upgrade: &MajorUpgrade) -> Result<Programs, BackupError> {
    let bin_dir = settings.database.bin_dir.as_deref();
    let (old, new) = upgrade.majors();
    Programs::find(bin_dir, new).or_else(|_| Programs::find(bin_dir, old))
}

fn address(url: String) -> SecretString {
    url.into()
}

/// Edits the script of `pg_dumpall` for a cluster that has its first role already. Before version
/// 16 a grantor needed no rights, and later servers refuse such a grantor, so it is removed.
fn roles_script(script: &str, superuser: &str, old_major: u32) -> String {
    let first = format!("CREATE ROLE {superuser};");
    let mut lines = String::new();
    for line in script.lines().filter(|line| *line != first) {
        let is_grant = line.starts_with("GRANT ") && line.ends_with(';');
        match line
            .rsplit_once(" GRANTED BY ")
            .filter(|_| is_grant && old_major < GRANTED_CREATEROLE)
        {
            Some((grant, _)) => lines.push_str(&format!("{grant};\n")),
            None => lines.push_str(&format!("{line}\n")),
        }
    }
    lines
}

/// A running dump that prints a line of progress for every [`STEP`] bytes.
struct ProgressReader<R> {
    source: R,
    count: u64,
    reported: u64,
}

impl<R: Read> Read for ProgressReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.source.read(buffer)?;
        self.count += size as u64;
        if self.count >= self.reported + STEP {
            self.reported = self.count;
            print_line(&format!("  {} MB", self.count / 1_000_000));
        }
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_role_is_not_made_again() {
        let script = "CREATE ROLE supabase_admin;\nALTER ROLE supabase_admin WITH SUPERUSER;\n\
                      CREATE ROLE anon;\n";
        let expected = "ALTER ROLE supabase_admin WITH SUPERUSER;\nCREATE ROLE anon;\n";
        assert_eq!(roles_script(script, "supabase_admin", 17), expected);
    }

    #[test]
    fn grantors_of_earlier_versions_are_left_out() {
        let script = "GRANT anon TO authenticator WITH ADMIN OPTION GRANTED BY postgres;\n";
        let expected = "GRANT anon TO authenticator WITH ADMIN OPTION;\n";
        assert_eq!(roles_script(script, "postgres", 15), expected);
        assert_eq!(roles_script(script, "postgres", 16), script);
    }
}
