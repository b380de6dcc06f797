//! A project's folder in the layout of the official CLI, and the application of its migrations and
//! seeds to the database.

mod declared;
mod history;
mod watch;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use compat_pg::embedded::install_vector;
use compat_pg::{OwnerDb, PgError, ProjectFile, ProjectLedger};
use compat_stack::settings::ProjectSettings;
use compat_stack::{Settings, database, print_line};

pub use history::HistoryStatus;
pub use watch::{ChangeAction, ProjectWatcher, WatchOptions};

/// The name of the folder.
const FOLDER: &str = "supabase";

/// Why a project could not be started, or its migrations could not be applied.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// There is no project's folder.
    #[error(
        "neither {} nor a folder above it has a folder named supabase; nothing was changed",
        .0.display()
    )]
    NoFolder(PathBuf),
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Two migrations have the same version, or a pattern is invalid.
    #[error("{0}; nothing was changed")]
    Layout(String),
    /// The database was migrated from another folder.
    #[error(
        "the database has migrations that this folder lacks: {}; nothing was changed",
        .0.join(", ")
    )]
    Foreign(Vec<String>),
    /// A migration is older than the last applied one.
    #[error(
        "older than the last migration applied: {}; nothing was changed (--include-all applies them)",
        .0.join(", ")
    )]
    Late(Vec<String>),
    /// No file has this version.
    #[error("no migration of version {0} in supabase/migrations; nothing was changed")]
    NoVersion(String),
    /// The project declares no schema.
    #[error("no declared schema: no file is {0}, from the folder supabase; nothing was changed")]
    NoSchemas(String),
    /// The project's server is running.
    #[error("the database is in use; stop its server first")]
    InUse,
    /// The command would remove data that belongs to the operator.
    #[error("the database is not one of this program's own; nothing was changed")]
    NotOurs,
    /// A statement or a file of migrations failed.
    #[error(transparent)]
    Database(#[from] PgError),
}

/// The folder `supabase` of a project: in `from` or in the nearest folder above it.
///
/// # Errors
/// [`ProjectError::NoFolder`].
pub fn find_folder(from: &Path) -> Result<PathBuf, ProjectError> {
    let start = fs::canonicalize(from).map_err(at(from))?;
    // A path inside `supabase` itself selects that folder.
    let here = start.ancestors().find(|folder| folder.ends_with(FOLDER) && has_parts(folder));
    let below =
        || start.ancestors().map(|folder| folder.join(FOLDER)).find(|folder| folder.is_dir());
    here.map(Path::to_owned).or_else(below).ok_or(ProjectError::NoFolder(start))
}

fn has_parts(folder: &Path) -> bool {
    ["config.toml", "migrations", "functions"].iter().any(|part| folder.join(part).exists())
}

/// A project's files with their contents.
#[derive(Debug, Clone)]
pub struct ProjectFiles {
    folder: PathBuf,
    settings: ProjectSettings,
    migrations: Vec<ProjectFile>,
    /// The declared schemas.
    schemas: Vec<ProjectFile>,
    seeds: Vec<ProjectFile>,
    /// Whether files are applied without a line of output each.
    is_quiet: bool,
}

/// One line of [`ProjectFiles::list`].
#[derive(Debug, PartialEq, Eq)]
pub struct MigrationLine {
    /// The version of the migration.
    pub version: String,
    /// The name of the migration, if the folder has it.
    pub local: Option<String>,
    /// Whether the database has the migration.
    pub is_applied: bool,
}

/// Options of `push`.
#[derive(Debug, Clone, Copy, Default)]
pub struct PushOptions {
    /// Also apply migrations that are older than the last applied one.
    pub include_all: bool,
    /// Run the seed files after the migrations.
    pub include_seed: bool,
}

impl ProjectFiles {
    /// Reads migrations, declared schemas and seeds.
    ///
    /// # Errors
    /// A file cannot be read or is not text, or two migrations have the same version.
    pub fn read(folder: &Path, settings: &ProjectSettings) -> Result<Self, ProjectError> {
        Self::load(folder, settings, true)
    }

    fn load(folder: &Path, settings: &ProjectSettings, warns: bool) -> Result<Self, ProjectError> {
        let migrations = if settings.migrations { migrations(folder, warns)? } else { Vec::new() };
        let mut seeds = Vec::new();
        for pattern in &settings.seeds {
            let matches = matching(folder, pattern)?;
            if matches.is_empty() && warns {
                tracing::warn!(pattern, "seed file missing");
            }
            seeds.extend(matches);
        }
        Ok(Self {
            folder: folder.to_owned(),
            settings: settings.clone(),
            migrations,
            schemas: declared::schemas(folder, &settings.schemas)?,
            seeds,
            is_quiet: false,
        })
    }

    /// Sets up a database that this project has not set up before: applies all migrations, then
    /// runs the seed files. On any other database, prints which migrations are new and changes
    /// nothing.
    ///
    /// # Errors
    /// [`PgError::Migration`]: the file is rolled back, earlier ones stay applied.
    pub async fn bring_up(&self, owner: &OwnerDb) -> Result<(), ProjectError> {
        let mut ledger = ledger(owner).await?;
        let done = self.set_up(&mut ledger).await;
        ledger.close().await?;
        done
    }

    /// Records, after a dump was restored, that the database is seeded, and prints the migrations
    /// that the dump's ledger lacks.
    ///
    /// # Errors
    /// A statement failed.
    pub async fn adopt(&self, owner: &OwnerDb) -> Result<(), ProjectError> {
        let mut ledger = ledger(owner).await?;
        let done = ledger.seed(&[]).await;
        let done = match done {
            Ok(_) => self.set_up(&mut ledger).await,
            Err(error) => Err(error.into()),
        };
        ledger.close().await?;
        done
    }

    async fn set_up(&self, ledger: &mut ProjectLedger) -> Result<(), ProjectError> {
        let applied = ledger.versions().await?;
        if ledger.is_seeded().await? {
            let pending = self.pending(&applied);
            if !pending.is_empty() {
                print_line(&format!(
                    "Not applied yet (supabase-compat db push applies them): {}",
                    paths(&pending)
                ));
            }
            return Ok(());
        }
        self.refuse_foreign(&applied)?;
        self.apply(ledger, &self.pending(&applied)).await?;
        self.seed(ledger).await
    }

    /// Applies the migrations that are new to the database.
    ///
    /// # Errors
    /// [`ProjectError::Foreign`], [`ProjectError::Late`], [`PgError::Migration`].
    pub async fn push(&self, owner: &OwnerDb, options: PushOptions) -> Result<(), ProjectError> {
        let mut ledger = ledger(owner).await?;
        let done = self.push_to(&mut ledger, options).await;
        ledger.close().await?;
        done
    }

    async fn push_to(
        &self,
        ledger: &mut ProjectLedger,
        options: PushOptions,
    ) -> Result<(), ProjectError> {
        let applied = ledger.versions().await?;
        let pending = self.pushable(&applied, options.include_all)?;
        if pending.is_empty() {
            print_line("The database is up to date.");
        }
        self.apply(ledger, &pending).await?;
        if options.include_seed {
            self.seed(ledger).await?;
        }
        Ok(())
    }

    /// The migrations that the database lacks, if they may be applied.
    fn pushable(
        &self,
        applied: &[String],
        include_all: bool,
    ) -> Result<Vec<&ProjectFile>, ProjectError> {
        self.refuse_foreign(applied)?;
        let pending = self.pending(applied);
        // As in the official CLI: an older migration would run after those that were written later,
        // so it needs `--include-all`.
        if let Some(last) = applied.last().filter(|_| !include_all) {
            let is_late = |file: &&&ProjectFile| version(file) < last.as_str();
            let late: Vec<_> =
                pending.iter().filter(is_late).map(|file| file.path.clone()).collect();
            if !late.is_empty() {
                return Err(ProjectError::Late(late));
            }
        }
        Ok(pending)
    }

    /// The migrations of the folder and of the database, in order.
    ///
    /// # Errors
    /// A statement failed.
    pub async fn list(&self, owner: &OwnerDb) -> Result<Vec<MigrationLine>, ProjectError> {
        let mut ledger = ledger(owner).await?;
        let applied = ledger.versions().await?;
        ledger.close().await?;
        let mut lines: Vec<_> = self
            .migrations
            .iter()
            .map(|file| MigrationLine {
                version: version(file).to_owned(),
                local: file.version().map(|(_, name)| name.to_owned()),
                is_applied: applied.iter().any(|one| one == version(file)),
            })
            .collect();
        let foreign = self.foreign(&applied).into_iter();
        lines.extend(foreign.map(|version| MigrationLine {
            version,
            local: None,
            is_applied: true,
        }));
        lines.sort_by(|one, other| one.version.cmp(&other.version));
        Ok(lines)
    }

    /// Extensions that the migrations create, and that neither the server nor this program offers.
    ///
    /// # Errors
    /// A statement failed.
    pub async fn lacking(&self, owner: &OwnerDb) -> Result<Vec<String>, ProjectError> {
        let offered = compat_pg::offered_extensions(owner).await?;
        let done: Vec<&str> = compat_extensions::ALL.iter().map(|one| one.name).collect();
        let named = self.migrations.iter().flat_map(|file| file.extensions(&done));
        let mut lacking: Vec<String> = named.filter(|name| !offered.contains(name)).collect();
        lacking.sort();
        lacking.dedup();
        Ok(lacking)
    }

    async fn apply(
        &self,
        ledger: &mut ProjectLedger,
        files: &[&ProjectFile],
    ) -> Result<(), ProjectError> {
        for file in files {
            self.report(&format!("Applying migration {}...", name(&file.path)));
            let report = ledger.apply(file).await?;
            if !self.is_quiet {
                log_missing_extensions(&report.lacking);
            }
        }
        Ok(())
    }

    fn report(&self, line: &str) {
        if !self.is_quiet {
            print_line(line);
        }
    }

    async fn seed(&self, ledger: &mut ProjectLedger) -> Result<(), ProjectError> {
        for file in &self.seeds {
            self.report(&format!("Seeding data from supabase/{}...", file.path));
        }
        log_missing_extensions(&ledger.seed(&self.seeds).await?.lacking);
        Ok(())
    }

    fn pending(&self, applied: &[String]) -> Vec<&ProjectFile> {
        let is_new = |file: &&ProjectFile| applied.iter().all(|one| one != version(file));
        self.migrations.iter().filter(is_new).collect()
    }

    fn foreign(&self, applied: &[String]) -> Vec<String> {
        let is_here = |one: &String| self.migrations.iter().any(|file| version(file) == one);
        applied.iter().filter(|one| !is_here(one)).cloned().collect()
    }

    fn refuse_foreign(&self, applied: &[String]) -> Result<(), ProjectError> {
        match self.foreign(applied) {
            foreign if foreign.is_empty() => Ok(()),
            foreign => Err(ProjectError::Foreign(foreign)),
        }
    }
}

/// Installs an extension for the embedded server that the migrations create and the server lacks,
/// if it is available.
pub async fn offer_lacking(
    settings: &Settings,
    owner: &OwnerDb,
    files: &ProjectFiles,
) -> Result<(), ProjectError> {
    let is_embedded = settings.database.url.is_none() && settings.database.acting_url.is_none();
    if !is_embedded || files.lacking(owner).await?.iter().all(|name| name != "vector") {
        return Ok(());
    }
    let major = owner.server_version().await? / 10_000;
    // The migration that creates the extension then fails with an error that names the package.
    if let Err(error) = install_vector(&database::embedded(settings), major).await {
        tracing::warn!(%error, "cannot download the extension vector");
    }
    Ok(())
}

/// Opens the ledger, for files that may create extensions whose work this program does.
async fn ledger(owner: &OwnerDb) -> Result<ProjectLedger, PgError> {
    let names = compat_extensions::ALL.iter().map(|one| one.name).collect();
    ProjectLedger::open(owner, names).await
}

fn log_missing_extensions(lacking: &[String]) {
    for name in lacking {
        tracing::warn!(extension = name, "extension skipped: not available here");
    }
}

/// The version of a migration; the path of a file without one.
fn version(file: &ProjectFile) -> &str {
    file.version().map_or(&file.path, |(version, _)| version)
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn paths(files: &[&ProjectFile]) -> String {
    let names: Vec<_> = files.iter().map(|file| name(&file.path)).collect();
    names.join(", ")
}

/// The files `migrations/<version>_<name>.sql`, in order; others are skipped with a warning.
fn migrations(folder: &Path, warns: bool) -> Result<Vec<ProjectFile>, ProjectError> {
    let migrations = folder.join("migrations");
    if !migrations.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(&migrations).map_err(at(&migrations))? {
        let path = entry.map_err(at(&migrations))?.path();
        // The name is checked before the text is read, because a file that is no migration need not
        // be text.
        let file = read(folder, &path, false)?;
        match file.version() {
            None if warns => tracing::warn!(
                file = file.path,
                "file skipped: its name is not <version>_<name>.sql"
            ),
            None => {}
            Some(_) => files.push(read(folder, &path, true)?),
        }
    }
    files.sort_by(|one, other| name(&one.path).cmp(name(&other.path)));
    if let Some([one, other]) =
        files.array_windows().find(|[one, other]| version(one) == version(other))
    {
        let message = format!("{} and {} have the same version", one.path, other.path);
        return Err(ProjectError::Layout(message));
    }
    Ok(files)
}

/// The files that match a pattern, in order.
fn matching(folder: &Path, pattern: &str) -> Result<Vec<ProjectFile>, ProjectError> {
    let absolute = folder.join(pattern.trim_start_matches("./"));
    let wrong = |error: glob::PatternError| {
        ProjectError::Layout(format!("config.toml: the pattern {pattern}: {error}"))
    };
    let paths = glob::glob(&absolute.to_string_lossy()).map_err(wrong)?;
    let mut files = Vec::new();
    for path in paths {
        let path = path.map_err(|error| ProjectError::File {
            path: error.path().to_owned(),
            source: error.into(),
        })?;
        files.push(read(folder, &path, true)?);
    }
    Ok(files)
}

fn read(folder: &Path, path: &Path, has_text: bool) -> Result<ProjectFile, ProjectError> {
    let text = if has_text { fs::read_to_string(path).map_err(at(path))? } else { String::new() };
    let below = path.strip_prefix(folder).unwrap_or(path);
    Ok(ProjectFile { path: below.to_string_lossy().into_owned(), text })
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> ProjectError {
    let path = path.to_owned();
    move |source| ProjectError::File { path, source }
}
