//! The commands `db diff`, `db pull` and `db schema`: the statements that lead from a folder's
//! migrations to a database, or to the schemas that the folder declares. The result of files is
//! read from a shadow database.

use clap::{Args, Subcommand};
use compat_stack::{ConnectedDatabase, Settings, print_line};
use secrecy::SecretString;

use super::migration::{push, write_migration};
use super::schema_comparison::{ComparisonTool, SchemaComparison, SchemaDifference};
use super::shadow::ShadowDatabase;
use super::{CommandError, FolderArguments, Project, ProjectArguments, TargetArguments};
use crate::project::{HistoryStatus, ProjectFiles, PushOptions};

type Failure = Box<dyn std::error::Error>;

/// The arguments of `db diff`.
#[derive(Debug, Clone, Args)]
pub struct DiffArguments {
    #[command(flatten)]
    pub project: ProjectArguments,
    #[command(flatten)]
    pub target: TargetArguments,
    /// Write a migration of this name
    #[arg(long, short, value_name = "NAME")]
    pub file: Option<String>,
    /// Only these schemas
    #[arg(long, short, value_delimiter = ',')]
    pub schema: Vec<String>,
    /// Write the migration even if it loses rows
    #[arg(long)]
    pub force: bool,
    /// Compare with pg-delta; this is the only method here
    #[arg(long)]
    pub use_pg_delta: bool,
}

/// The arguments of `db pull`.
#[derive(Debug, Clone, Args)]
pub struct PullArguments {
    /// Name of the migration
    #[arg(default_value = "remote_schema")]
    pub name: String,
    #[command(flatten)]
    pub folder: FolderArguments,
    #[command(flatten)]
    pub target: TargetArguments,
    /// Only these schemas
    #[arg(long, short, value_delimiter = ',')]
    pub schema: Vec<String>,
    /// Write the migration even if it loses rows
    #[arg(long)]
    pub force: bool,
}

/// The subcommands of `db schema`.
#[derive(Debug, Subcommand)]
pub enum SchemaCommand {
    /// Declared schemas: supabase/schemas/*.sql, or what schema_paths names
    #[command(subcommand)]
    Declarative(DeclarativeCommand),
}

/// The subcommands of `db schema declarative`.
#[derive(Debug, Subcommand)]
pub enum DeclarativeCommand {
    /// Write a migration that leads from the migrations to the declared schemas
    Sync(SyncArguments),
}

/// The arguments of `db schema declarative sync`.
#[derive(Debug, Clone, Args)]
pub struct SyncArguments {
    #[command(flatten)]
    pub project: ProjectArguments,
    /// Name of the migration
    #[arg(long, short = 'f', alias = "file", default_value = "declarative_schema")]
    pub name: String,
    /// Only these schemas
    #[arg(long, short, value_delimiter = ',')]
    pub schema: Vec<String>,
    /// Apply the migration to the project's database
    #[arg(long)]
    pub apply: bool,
    /// Only write the migration; this is the default
    #[arg(long, conflicts_with = "apply")]
    pub no_apply: bool,
    /// Write the migration even if it loses rows
    #[arg(long)]
    pub force: bool,
}

/// Prints the difference, or writes it as a migration.
///
/// # Errors
/// A migration fails on a new database, or the difference loses rows and must be written.
pub async fn print_difference(arguments: DiffArguments) -> Result<(), Failure> {
    let DiffArguments { project, target, file, schema, force, use_pg_delta: _ } = arguments;
    let Project { settings, files } = project.open()?;
    let folder = files.folder().to_owned();
    // As in the official CLI: a project with declared schemas is compared with these.
    let is_declared = !target.is_foreign() && files.has_schemas();
    let difference = match is_declared {
        true => compare_declared(&settings, &files, &schema).await?,
        false => {
            let target = Target::open(&settings, &target).await?;
            let statements = compare(&settings, files, &target.address, schema).await;
            target.connected.leave().await;
            statements?
        }
    };
    difference.warn();
    if difference.files.is_empty() {
        print_line("-- No schema changes found");
        return Ok(());
    }
    let Some(name) = file else {
        difference.files.iter().for_each(|text| print_line(text));
        for statement in &difference.drops {
            tracing::warn!(statement, "the difference loses rows");
        }
        return Ok(());
    };
    difference.must_keep_rows(force)?;
    for text in &difference.files {
        let path = write_migration(&folder, &name, text)?;
        print_line(&format!("Created new migration at {}", path.display()));
    }
    print_line(match is_declared {
        true => "Not applied yet: supabase-compat migration up applies it.",
        false => {
            "The database has these changes already: supabase-compat migration repair --status applied \
             VERSION says so, supabase-compat db reset tries them."
        }
    });
    Ok(())
}

/// Writes the statements from the migrations to the declared schemas as a migration, and applies it
/// if requested.
///
/// # Errors
/// As [`print_difference`].
pub async fn synchronise(arguments: SyncArguments) -> Result<(), Failure> {
    let SyncArguments { project, name, schema, apply, no_apply: _, force } = arguments;
    let Project { settings, files } = project.open()?;
    let difference = compare_declared(&settings, &files, &schema).await?;
    difference.warn();
    if difference.files.is_empty() {
        print_line("No schema changes found");
        return Ok(());
    }
    difference.must_keep_rows(force)?;
    for text in &difference.files {
        let path = write_migration(files.folder(), &name, text)?;
        print_line(&format!("Created new migration at {}", path.display()));
    }
    if !apply {
        print_line("Not applied yet: supabase-compat migration up applies it.");
        return Ok(());
    }
    let project = Project { settings, files: files.read_again()? };
    let options = PushOptions { include_all: false, include_seed: false };
    push(project, &TargetArguments::default(), options).await
}

/// Writes the difference as a migration and records it as applied in the database's history.
///
/// # Errors
/// As [`print_difference`].
pub async fn pull(arguments: PullArguments) -> Result<(), Failure> {
    let PullArguments { name, folder, target, schema, force } = arguments;
    let Project { settings, files } = folder.open()?;
    let target = Target::open(&settings, &target).await?;
    let done = pull_from(&settings, files, &target, (&name, schema, force)).await;
    target.connected.leave().await;
    Ok(done?)
}

async fn pull_from(
    settings: &Settings,
    files: ProjectFiles,
    target: &Target,
    (name, schema, force): (&str, Vec<String>, bool),
) -> Result<(), CommandError> {
    // If the histories differ, the difference would contain more than the changes in the database.
    let lines = files.list(&target.connected.owner).await?;
    if let Some(line) = lines.iter().find(|line| line.local.is_none() || !line.is_applied) {
        return Err(CommandError::Failed(format!(
            "the folder and the database differ in migration {}; supabase-compat migration list shows \
             both, migration up, fetch or repair bring them together",
            line.version
        )));
    }
    let difference = compare(settings, files.clone(), &target.address, schema).await?;
    difference.warn();
    if difference.files.is_empty() {
        print_line("No schema changes found");
        return Ok(());
    }
    difference.must_keep_rows(force)?;
    let mut versions = Vec::new();
    for text in &difference.files {
        let path = write_migration(files.folder(), name, text)?;
        print_line(&format!("Schema written to {}", path.display()));
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        versions.extend(file.split('_').next().map(str::to_owned));
    }
    let files = files.read_again()?;
    Ok(files.repair(&target.connected.owner, &versions, HistoryStatus::Applied).await?)
}

/// The compared database, and its URL for other programs.
struct Target {
    connected: ConnectedDatabase,
    address: SecretString,
}

impl Target {
    async fn open(settings: &Settings, target: &TargetArguments) -> Result<Self, CommandError> {
        // Checks that there is a database, with an error that says what to do.
        target.open(settings).await?.leave().await;
        let mut settings = settings.clone();
        target.choose(&mut settings);
        let (connected, address) = ConnectedDatabase::open_for_programs(&settings).await?;
        let Some(address) = address else {
            connected.leave().await;
            let message = "the project's server lets no other program in: start it with \
                           supabase-compat up, or with --db-port";
            return Err(CommandError::Failed(message.to_owned()));
        };
        Ok(Self { connected, address })
    }
}

async fn compare(
    settings: &Settings,
    files: ProjectFiles,
    to: &SecretString,
    schemas: Vec<String>,
) -> Result<SchemaDifference, CommandError> {
    let shadow = ShadowDatabase::start(settings, files).await?;
    let tool = ComparisonTool::new(&settings.toolchain, &[&shadow.address, to]);
    let difference_sql = tool.difference((&shadow.address, None), (to, None), &schemas).await;
    shadow.remove().await;
    difference_sql
}

/// The statements that lead from the migrations to the declared schemas.
async fn compare_declared(
    settings: &Settings,
    files: &ProjectFiles,
    schemas: &[String],
) -> Result<SchemaDifference, CommandError> {
    let declared = files.declared()?;
    let mut comparison = SchemaComparison::start(settings).await?;
    let difference_sql = comparison.difference(files, &declared, schemas).await;
    comparison.end().await;
    difference_sql
}
