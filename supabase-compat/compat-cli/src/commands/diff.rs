//! The commands `db diff`, `db pull` and `db schema`: the statements that lead from a folder's migrations to a
//! database. What the migrations make is seen in a shadow database; the difference is found by npm's
//! `@supabase/pg-delta`, which deno runs.

use clap::{Args, Subcommand};
use compat_functions::{ToolScript, ToolchainConfig, run_tool};
use compat_stack::{ConnectedDatabase, Settings, print_line};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use url::Url;

use super::migration::{push, write_migration};
use super::shadow::ShadowDatabase;
use super::{CommandError, FolderArguments, Project, ProjectArguments, TargetArguments};
use crate::project::{HistoryStatus, ProjectFiles, PushOptions};
use compat_stack::backup::blocking;

type Failure = Box<dyn std::error::Error>;

const SCRIPT: &str = include_str!("diff/schema_diff.mjs");
const LOCK: &str = include_str!("diff/deno.lock");

/// What `db diff` can be told.
#[derive(Debug, Clone, Args)]
pub struct DiffArguments {
    #[command(flatten)]
    pub project: ProjectArguments,
    #[command(flatten)]
    pub target: TargetArguments,
    /// Write it as a migration of this name
    #[arg(long, short, value_name = "NAME")]
    pub file: Option<String>,
    /// Only these schemas
    #[arg(long, short, value_delimiter = ',')]
    pub schema: Vec<String>,
    /// Write it although it loses rows
    #[arg(long)]
    pub force: bool,
    /// By pg-delta; there is no other way here
    #[arg(long)]
    pub use_pg_delta: bool,
}

/// What `db pull` can be told.
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
    /// Write it although it loses rows
    #[arg(long)]
    pub force: bool,
}

/// What `db schema` is about.
#[derive(Debug, Subcommand)]
pub enum SchemaCommand {
    /// Declared schemas: supabase/schemas/*.sql, or what schema_paths names
    #[command(subcommand)]
    Declarative(DeclarativeCommand),
}

/// What is done about declared schemas.
#[derive(Debug, Subcommand)]
pub enum DeclarativeCommand {
    /// Write what leads from the migrations to the declared schemas as a migration
    Sync(SyncArguments),
}

/// What `db schema declarative sync` can be told.
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
    /// Apply it to the project's database
    #[arg(long)]
    pub apply: bool,
    /// Only write it; this is the default
    #[arg(long, conflicts_with = "apply")]
    pub no_apply: bool,
    /// Write it although it loses rows
    #[arg(long)]
    pub force: bool,
}

/// The statements between two databases.
#[derive(Debug, Clone, Deserialize)]
struct SchemaDifference {
    /// Statements of one transaction each, in order.
    files: Vec<String>,
    /// Those that lose rows.
    drops: Vec<String>,
    /// What could not be compared.
    unmanaged: Vec<String>,
}

impl SchemaDifference {
    /// Says what could not be compared.
    fn warn(&self) {
        for reason in &self.unmanaged {
            tracing::warn!(reason, "not compared");
        }
    }

    /// # Errors
    /// It loses rows, and nobody said that it may.
    fn must_keep_rows(&self, force: bool) -> Result<(), CommandError> {
        if force || self.drops.is_empty() {
            return Ok(());
        }
        let statements: Vec<String> = self
            .drops
            .iter()
            .map(|one| one.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        Err(CommandError::Failed(format!(
            "the difference loses rows, so no migration was written (--force writes it): {}",
            statements.join("; ")
        )))
    }
}

/// Prints the difference, or writes it as a migration.
///
/// # Errors
/// A migration that fails on a new database; a difference that loses rows and is to be written.
pub async fn print_difference(arguments: DiffArguments) -> Result<(), Failure> {
    let DiffArguments { project, target, file, schema, force, use_pg_delta: _ } = arguments;
    let Project { settings, files } = project.open()?;
    let folder = files.folder().to_owned();
    let target = Target::open(&settings, &target).await?;
    let found = compare(&settings, files, &target.address, schema).await;
    target.connected.leave().await;
    let difference = found?;
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
    print_line(
        "The database has these changes already: supabase-compat migration repair --status applied \
         VERSION says so, supabase-compat db reset tries them.",
    );
    Ok(())
}

/// Writes what leads from the migrations to the declared schemas as a migration, and applies it where
/// that is wanted.
///
/// # Errors
/// As [`print_difference`].
pub async fn synchronise(arguments: SyncArguments) -> Result<(), Failure> {
    let SyncArguments { project, name, schema, apply, no_apply: _, force } = arguments;
    let Project { settings, files } = project.open()?;
    let declared = ShadowDatabase::start(&settings, files.declared()?).await?;
    let found = compare(&settings, files.clone(), &declared.address, schema).await;
    declared.remove().await;
    let difference = found?;
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
    let how = PushOptions { include_all: false, include_seed: false };
    push(project, &TargetArguments::default(), how).await
}

/// Writes the difference as a migration and has the database's history say that it was applied.
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
    // A history that differs would make the difference one of histories.
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

/// The database that is compared, and where another program comes in.
struct Target {
    connected: ConnectedDatabase,
    address: SecretString,
}

impl Target {
    async fn open(settings: &Settings, target: &TargetArguments) -> Result<Self, CommandError> {
        // Looks whether there is one, and says what to do where there is none.
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
    let (from, to) = (shadow.address.clone(), to.clone());
    let toolchain = settings.toolchain.clone();
    let found = blocking(move || difference(&toolchain, from, to, &schemas)).await;
    shadow.remove().await;
    found
}

fn difference(
    toolchain: &ToolchainConfig,
    from: SecretString,
    to: SecretString,
    schemas: &[String],
) -> Result<SchemaDifference, CommandError> {
    let hosts = [&from, &to].into_iter().filter_map(host_of).collect();
    let schemas = serde_json::json!(schemas).to_string();
    let script = ToolScript {
        name: "schema-diff",
        source: SCRIPT,
        lock: LOCK,
        environment: vec![("DIFF_FROM", from), ("DIFF_TO", to), ("DIFF_SCHEMAS", schemas.into())],
        hosts,
    };
    let failed = |reason: String| CommandError::Failed(format!("schemas not compared: {reason}"));
    let printed = run_tool(toolchain, &script).map_err(failed)?;
    serde_json::from_str(&printed).map_err(|error| failed(error.to_string()))
}

/// Host and port of a database, `None` for a socket: libpq's form of its folder is a host with
/// escaped slashes.
fn host_of(url: &SecretString) -> Option<String> {
    let url = Url::parse(url.expose_secret()).ok()?;
    let host = url.host_str().filter(|host| !host.is_empty() && !host.starts_with('%'))?;
    Some(format!("{host}:{}", url.port().unwrap_or(5432)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_that_lose_rows_need_force() {
        let difference = SchemaDifference {
            files: vec!["drop table a;".to_owned()],
            drops: vec!["drop  table\na".to_owned()],
            unmanaged: Vec::new(),
        };
        let refusal = difference.must_keep_rows(false).unwrap_err().to_string();
        assert!(refusal.contains("--force") && refusal.ends_with(": drop table a"), "{refusal}");
        difference.must_keep_rows(true).unwrap();
    }

    #[test]
    fn tool_reaches_the_databases_alone() {
        let host = |url: &str| host_of(&url.into());
        assert_eq!(host("postgresql://a:b@db.test/x").as_deref(), Some("db.test:5432"));
        assert_eq!(host("postgres://a@127.0.0.1:54322/x").as_deref(), Some("127.0.0.1:54322"));
        assert_eq!(host("postgresql://a@%2Frun/x"), None);
    }
}
