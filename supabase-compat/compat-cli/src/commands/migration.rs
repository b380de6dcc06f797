//! The command `migration`: the migrations of a folder, and the history in the database.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use compat_http::Clock;
use compat_stack::print_line;

use super::error::at;
use super::{CommandError, FolderArguments, Project, ProjectArguments, TargetArguments};
use crate::project::{HistoryStatus, ProjectFiles, PushOptions, find_folder, offer_lacking};

type Failure = Box<dyn std::error::Error>;

/// The largest migration that is read from standard input, in bytes.
const LARGEST_INPUT: u64 = 64 * 1024 * 1024;

/// The subcommands of `migration`.
#[derive(Debug, Subcommand)]
pub enum MigrationCommand {
    /// List the migrations of the folder beside those of the database
    List {
        #[command(flatten)]
        project: ProjectArguments,
        #[command(flatten)]
        target: TargetArguments,
    },
    /// Create an empty migration, or one with the text on standard input
    New {
        /// What it does, for instance create_notes
        name: String,
        #[command(flatten)]
        folder: FolderArguments,
    },
    /// Apply the migrations that the database lacks
    Up {
        #[command(flatten)]
        project: ProjectArguments,
        #[command(flatten)]
        target: TargetArguments,
        /// Also those older than the last one applied
        #[arg(long)]
        include_all: bool,
    },
    /// Correct the history in the database, without running migrations
    Repair {
        /// Versions [default: all of the folder]
        versions: Vec<String>,
        /// The status to record
        #[arg(long)]
        status: HistoryStatus,
        #[command(flatten)]
        folder: FolderArguments,
        #[command(flatten)]
        target: TargetArguments,
    },
    /// Write the migrations that the database has and the folder lacks
    Fetch {
        #[command(flatten)]
        project: ProjectArguments,
        #[command(flatten)]
        target: TargetArguments,
    },
    /// Replace the migrations by one file with the schema that they create; their changes of rows
    /// are lost
    Squash {
        #[command(flatten)]
        project: ProjectArguments,
        /// The last migration to replace [default: the last of the folder]
        #[arg(long)]
        version: Option<String>,
    },
}

/// Runs a subcommand.
///
/// # Errors
/// A file cannot be used, or the database cannot be opened.
pub async fn change_migrations(command: MigrationCommand) -> Result<(), Failure> {
    match command {
        MigrationCommand::List { project, target } => list(project.open()?, &target).await,
        MigrationCommand::New { name, folder } => Ok(create(&folder.workdir, &name)?),
        MigrationCommand::Up { project, target, include_all } => {
            push(project.open()?, &target, PushOptions { include_all, include_seed: false }).await
        }
        MigrationCommand::Repair { versions, status, folder, target } => {
            if let Some(wrong) = versions.iter().find(|one| !is_version(one)) {
                let message = format!("{wrong:?} is no version: it has digits only");
                return Err(CommandError::Usage(message).into());
            }
            let Project { settings, files } = folder.open()?;
            let connected = target.prepare(&settings).await?;
            let done = files.repair(&connected.owner, &versions, status).await;
            connected.leave().await;
            Ok(done?)
        }
        MigrationCommand::Fetch { project, target } => {
            let Project { settings, files } = project.open()?;
            let connected = target.open(&settings).await?;
            let done = files.fetch(&connected.owner).await;
            connected.leave().await;
            for path in done? {
                print_line(&format!("Wrote {}", path.display()));
            }
            Ok(())
        }
        MigrationCommand::Squash { project, version } => {
            super::squash::squash(project.open()?, version).await
        }
    }
}

/// Applies new migrations, and seeds if requested.
pub(super) async fn push(
    Project { settings, files }: Project,
    target: &TargetArguments,
    options: PushOptions,
) -> Result<(), Failure> {
    let connected = target.prepare(&settings).await?;
    let done = async {
        if !target.is_foreign() {
            offer_lacking(&settings, &connected.owner, &files).await?;
        }
        files.push(&connected.owner, options).await
    }
    .await;
    // Disconnects before the outcome is returned, because a server that was started for this
    // command must be stopped even after a failure.
    connected.leave().await;
    Ok(done?)
}

async fn list(
    Project { settings, files }: Project,
    target: &TargetArguments,
) -> Result<(), Failure> {
    let connected = target.prepare(&settings).await?;
    let listed = files.list(&connected.owner).await;
    connected.leave().await;
    print_line("local           database        name");
    for line in listed? {
        let local = line.local.as_ref().map_or("", |_| &line.version);
        let applied = if line.is_applied { &*line.version } else { "" };
        print_line(&format!("{local:<16}{applied:<16}{}", line.local.unwrap_or_default()));
    }
    Ok(())
}

fn create(workdir: &Path, name: &str) -> Result<(), CommandError> {
    let folder = find_folder(workdir)?;
    let mut text = String::new();
    if is_redirected() {
        let read = io::stdin().lock().take(LARGEST_INPUT).read_to_string(&mut text);
        read.map_err(at(Path::new("standard input")))?;
    }
    let path = write_migration(&folder, name, &text)?;
    print_line(&format!("Created new migration at {}", path.display()));
    Ok(())
}

/// Whether standard input is a file or a shell's pipe. A program that starts this one leaves a
/// socket there, which never ends.
fn is_redirected() -> bool {
    let kind = fs::metadata("/dev/stdin").map(|facts| facts.file_type());
    kind.is_ok_and(|kind| kind.is_file() || kind.is_fifo())
}

/// Writes a new migration file, with a version after all existing ones.
pub(super) fn write_migration(
    folder: &Path,
    name: &str,
    text: &str,
) -> Result<PathBuf, CommandError> {
    let name = name.trim().replace(' ', "_");
    let is_allowed =
        |character: char| character.is_ascii_alphanumeric() || "_-.".contains(character);
    if name.is_empty() || !name.chars().all(is_allowed) {
        let rule = "letters, digits, `_`, `-` and `.`";
        return Err(CommandError::Name { kind: "migration", name, rule });
    }
    let migrations = folder.join("migrations");
    fs::create_dir_all(&migrations).map_err(at(&migrations))?;
    let mut now = Clock::system().now();
    let path = loop {
        let version = now.format("%Y%m%d%H%M%S").to_string();
        if !has_version(&migrations, &version)? {
            break migrations.join(format!("{version}_{name}.sql"));
        }
        now += std::time::Duration::from_secs(1);
    };
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(&path).map_err(at(&path))?;
    file.write_all(text.as_bytes()).map_err(at(&path))?;
    Ok(path)
}

fn has_version(migrations: &Path, version: &str) -> Result<bool, CommandError> {
    for entry in fs::read_dir(migrations).map_err(at(migrations))? {
        let name = entry.map_err(at(migrations))?.file_name();
        if name.to_string_lossy().split_once('_').is_some_and(|(one, _)| one == version) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_version(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Prints what `db push` would apply.
pub(super) async fn print_pending(
    Project { settings, files }: Project,
    target: &TargetArguments,
    include_all: bool,
) -> Result<(), Failure> {
    let connected = target.open(&settings).await?;
    let pending = ProjectFiles::pending_in(&files, &connected.owner, include_all).await;
    connected.leave().await;
    let pending = pending?;
    print_line("DRY RUN: migrations will *not* be pushed to the database.");
    match pending.is_empty() {
        true => print_line("The database is up to date."),
        false => print_line("Would push these migrations:"),
    }
    for name in pending {
        print_line(&format!(" • {name}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("migration-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        path
    }

    #[test]
    fn migrations_of_one_second_have_distinct_versions() {
        let folder = folder("second");
        let first = write_migration(&folder, "make notes", "select 1").unwrap();
        let second = write_migration(&folder, "make_notes", "").unwrap();
        assert_ne!(first, second);
        assert!(first.to_string_lossy().ends_with("_make_notes.sql"), "{}", first.display());
        assert_eq!(fs::read_to_string(&first).unwrap(), "select 1");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn random_names_stay_inside_the_folder() {
        let folder = folder("names");
        property_test("names of migrations", "[a-z'\"./\\\\ ;é-]{0,12}", |name: String| {
            if let Ok(path) = write_migration(&folder, &name, "") {
                assert_eq!(path.parent(), Some(&*folder.join("migrations")), "{name}");
                fs::remove_file(path).unwrap();
            }
        });
        fs::remove_dir_all(&folder).unwrap();
    }
}
