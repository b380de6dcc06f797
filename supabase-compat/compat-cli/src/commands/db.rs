//! The command `db`: changes the database of a project, and exports its content.

use std::path::PathBuf;

use clap::Subcommand;
use compat_pg::{EmbeddedError, EmbeddedPostgres};
use compat_stack::{ConnectedDatabase, ObjectSettings, Settings, database};

use super::dump::DumpArguments;
use super::lint::LintArguments;
use super::{Project, ProjectArguments, TargetArguments, diff, dump, lint, migration};
use crate::project::{ProjectError, PushOptions, offer_lacking};

type Failure = Box<dyn std::error::Error>;

/// The subcommands of `db`.
#[derive(Debug, Subcommand)]
pub enum DbCommand {
    /// Apply new migrations, also while the project is served
    Push {
        #[command(flatten)]
        project: ProjectArguments,
        #[command(flatten)]
        target: TargetArguments,
        /// Also those older than the last one applied
        #[arg(long)]
        include_all: bool,
        /// Then run the seed files
        #[arg(long)]
        include_seed: bool,
        /// Print what would be applied, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Print the statements that lead from the migrations to the database, or write them as a
    /// migration
    Diff(diff::DiffArguments),
    /// Write the difference as a migration, and record it as applied
    Pull(diff::PullArguments),
    /// Keep a schema in declarative files
    #[command(subcommand)]
    Schema(diff::SchemaCommand),
    /// Print the schema, the rows or the roles as statements
    Dump(DumpArguments),
    /// Check the bodies of functions
    Lint(LintArguments),
    /// Start again: remove every row and object, apply all migrations, run the seed files
    Reset {
        #[command(flatten)]
        project: ProjectArguments,
        /// Up to this version
        #[arg(long, conflicts_with = "last")]
        version: Option<String>,
        /// Leave out this many of the last migrations
        #[arg(long, value_name = "COUNT")]
        last: Option<usize>,
        /// Run no seed files
        #[arg(long)]
        no_seed: bool,
    },
    /// Take over a project that was hosted elsewhere: restore its dump, as `pg_dump
    /// --format=custom` writes it, into an unused database
    TakeOver {
        /// The dump
        dump: PathBuf,
        #[command(flatten)]
        project: ProjectArguments,
    },
}

/// Runs a subcommand.
///
/// # Errors
/// [`ProjectError`], or the database cannot be opened.
pub async fn change_database(command: DbCommand) -> Result<(), Failure> {
    match command {
        DbCommand::Push { project, target, include_all, include_seed, dry_run } => {
            let project = project.open()?;
            match dry_run {
                true => migration::print_pending(project, &target, include_all).await,
                false => {
                    migration::push(project, &target, PushOptions { include_all, include_seed })
                        .await
                }
            }
        }
        DbCommand::Diff(arguments) => diff::print_difference(arguments).await,
        DbCommand::Pull(arguments) => diff::pull(arguments).await,
        DbCommand::Schema(diff::SchemaCommand::Declarative(diff::DeclarativeCommand::Sync(
            arguments,
        ))) => diff::synchronise(arguments).await,
        DbCommand::Dump(arguments) => dump::dump(arguments).await,
        DbCommand::Lint(arguments) => lint::lint(arguments).await,
        DbCommand::Reset { project, version, last, no_seed } => {
            let Project { settings, mut files } = project.open()?;
            if let Some(version) = version {
                files = files.up_to(&version)?;
            }
            if let Some(count) = last {
                files = files.without_last(count)?;
            }
            if no_seed {
                files = files.without_seeds();
            }
            reset(Project { settings, files }).await
        }
        DbCommand::TakeOver { dump, project } => {
            let Project { settings, files } = project.open()?;
            Ok(crate::adopt(&settings, &files, &dump).await?)
        }
    }
}

async fn reset(Project { settings, files }: Project) -> Result<(), Failure> {
    clear(&settings).await?;
    let connected = ConnectedDatabase::prepared(&settings).await?;
    let done = async {
        offer_lacking(&settings, &connected.owner, &files).await?;
        files.bring_up(&connected.owner).await
    }
    .await;
    connected.leave().await;
    Ok(done?)
}

/// Removes the database and the objects of a project that is not served; its keys stay.
pub(super) async fn clear(settings: &Settings) -> Result<(), Failure> {
    if settings.database.url.is_some() || settings.database.acting_url.is_some() {
        return Err(ProjectError::NotOurs.into());
    }
    // Starting the server proves that no other process serves the project.
    match EmbeddedPostgres::start(database::embedded(settings)).await {
        Ok(server) => server.stop().await,
        Err(EmbeddedError::InUse { .. }) => return Err(ProjectError::InUse.into()),
        Err(error) => return Err(error.into()),
    }
    let objects = match &settings.objects {
        ObjectSettings::Files(config) => Some(config.folder.clone()),
        ObjectSettings::Remote(_) => None,
    };
    for folder in objects.into_iter().chain([settings.data_dir.join("data")]) {
        match std::fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(ProjectError::File { path: folder, source: error }.into());
            }
            _ => {}
        }
    }
    Ok(())
}
