//! The command `upgrade-check`: what a start of this program would change on data that another
//! version has served. It changes no row, file of the data folder or setting; the embedded server
//! is started for the check if it is not running.

use std::process::ExitCode;

use compat_pg::embedded::{DataVersions, data_versions};
use compat_pg::{PendingMigrations, SchemaSource};
use compat_stack::data_format::{self, DATA_FORMAT};
use compat_stack::{
    ConnectedDatabase, Settings, StackError, VERSION_AND_COMMIT, database, print_line,
};

/// The exit code if a start would change anything. 1 is an error, 2 an invalid command line.
const PENDING: u8 = 100;

/// A start would change the database.
#[derive(Debug, thiserror::Error)]
#[error(
    "a start of this version changes the database; make a backup first, since an earlier version does not \
     start on it afterwards where a migration has run"
)]
pub struct UpgradePending;

/// The exit code of a command that ended with this error: 100 for [`UpgradePending`], else 1.
pub fn exit_code(error: &(dyn std::error::Error + 'static)) -> ExitCode {
    match error.is::<UpgradePending>() {
        true => PENDING.into(),
        false => ExitCode::FAILURE,
    }
}

/// The command `upgrade-check`. `schemas` are the application's own.
///
/// # Errors
/// [`UpgradePending`], or a start would be refused, for instance because of data of a newer
/// program.
pub async fn check_upgrade(
    settings: &Settings,
    schemas: &[SchemaSource],
) -> Result<(), Box<dyn std::error::Error>> {
    line("program", VERSION_AND_COMMIT);
    let folder = settings.data_dir.display();
    match data_format::read(&settings.data_dir)? {
        Some(format) => line(
            "data folder",
            &format!("{folder}, format {}, last started by {}", format.format, format.program),
        ),
        None => line("data folder", &format!("{folder}, format {DATA_FORMAT}")),
    }
    let is_embedded = settings.database.url.is_none() && settings.database.acting_url.is_none();
    if is_embedded && !print_versions(settings) {
        return Ok(());
    }
    let pending = look(settings, schemas, is_embedded).await?;
    pending.iter().for_each(print_schema);
    match pending.iter().all(PendingMigrations::is_empty) {
        true => Ok(()),
        false => Err(UpgradePending.into()),
    }
}

/// Prints the major versions of the embedded server; returns whether there are data.
fn print_versions(settings: &Settings) -> bool {
    let DataVersions { current, earlier, newer } = data_versions(&database::embedded(settings));
    let Some(current) = current else {
        line("database", "none yet; the first start makes it");
        return false;
    };
    let newer = newer.map(|version| {
        format!("; {version} is here, too: `upgrade-postgres` moves the data to it")
    });
    line("database", &format!("PostgreSQL {current}, embedded{}", newer.unwrap_or_default()));
    for (folder, megabytes) in earlier {
        let text = "left by an upgrade; `upgrade-postgres --remove-old` removes it";
        line("old data", &format!("{}, {megabytes} MB, {text}", folder.display()));
    }
    true
}

async fn look(
    settings: &Settings,
    schemas: &[SchemaSource],
    is_embedded: bool,
) -> Result<Vec<PendingMigrations>, StackError> {
    let mut settings = settings.clone();
    // A start would revoke the superuser rights of `postgres`, which is a change.
    settings.database.serves_projects = false;
    let connected = ConnectedDatabase::open(&settings).await?;
    if !is_embedded {
        line("database", &format!("PostgreSQL {}, at DATABASE_URL", connected.major));
    }
    let pending = database::pending(&settings, &connected.owner, schemas).await;
    connected.leave().await;
    pending
}

fn print_schema(pending: &PendingMigrations) {
    let PendingMigrations { schema, is_new, versioned, changed, removed } = pending;
    if pending.is_empty() {
        return line(schema, "up to date");
    }
    let prefix = if *is_new { "new: " } else { "" };
    let (runs, texts) = (count(versioned.len(), "migration"), count(changed.len(), "changed file"));
    line(schema, &format!("{prefix}{runs}, {texts}"));
    let removed = removed.iter().map(|path| format!("{path} (no longer there)"));
    for path in versioned.iter().chain(changed).cloned().chain(removed) {
        line("", &format!("  {path}"));
    }
}

fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

fn line(subject: &str, text: &str) {
    print_line(format!("{subject:<14} {text}").trim_end());
}
