//! The arguments that find a project's folder, and the command `up`.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use compat_stack::settings::{self, DataArguments, ServeArguments};
use compat_stack::{Settings, Stack, print_line};

use super::status::ServiceStatus;
use crate::project::{ChangeAction, ProjectFiles, WatchOptions, find_folder, offer_lacking};

/// The project and the settings to serve it with.
#[derive(Debug, Clone, Args)]
pub struct ProjectArguments {
    #[command(flatten)]
    pub serve: ServeArguments,
    /// The project's folder, which contains `supabase` [default: this folder, or the nearest one
    /// above]
    #[arg(default_value = ".", value_name = "DIR")]
    pub dir: PathBuf,
    /// As the argument, in the form of the official CLI
    #[arg(long, value_name = "DIR", conflicts_with = "dir", hide_short_help = true)]
    pub workdir: Option<PathBuf>,
}

/// The arguments of `up`.
#[derive(Debug, Clone, Args)]
pub struct UpArguments {
    #[command(flatten)]
    pub project: ProjectArguments,
    /// Apply migrations, seeds, declared schemas and functions as they change [default: in a
    /// terminal, after a question]
    #[arg(long)]
    pub watch: bool,
    /// The same as --watch alone, accepted for the official CLI's form
    #[arg(long, requires = "watch", hide = true)]
    pub yes: bool,
    /// Also apply changes that lose rows
    #[arg(long, requires = "watch")]
    pub force: bool,
}

impl UpArguments {
    /// The options for watching the folder; none if it is not watched.
    pub fn watch_options(&self) -> Option<WatchOptions> {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let action = match (self.watch, is_terminal) {
            (true, _) => ChangeAction::Apply,
            (false, true) => ChangeAction::Ask,
            (false, false) => return None,
        };
        Some(WatchOptions { action, force: self.force })
    }
}

type Failure = Box<dyn std::error::Error>;

/// A project with its settings and files.
pub struct Project {
    /// The settings to serve the project with.
    pub settings: Settings,
    /// The project's migrations and seeds.
    pub files: ProjectFiles,
}

impl ProjectArguments {
    /// The folder in the arguments, or the current folder.
    pub fn folder(&self) -> &Path {
        self.workdir.as_deref().unwrap_or(&self.dir)
    }

    /// As [`Self::open`] if there is a project's folder. Only the settings, without files, if there
    /// is none, or if a settings file or a folder of functions is named.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_if_found(self) -> Result<(Settings, Option<ProjectFiles>), Failure> {
        let is_named = self.serve.data.config.is_some() || self.serve.functions.is_some();
        if !is_named && find_folder(self.folder()).is_ok() {
            let Project { settings, files } = self.open()?;
            return Ok((settings, Some(files)));
        }
        let mut reader = super::open_settings(&self.serve.data)?;
        let mut settings = Settings::read(&mut reader, &self.serve);
        settings::finish(reader)?;
        settings.database.serves_projects = true;
        Ok((settings, None))
    }

    /// Finds the folder and reads its settings and files. By default, its data is stored below the
    /// program's own folder under the project's name.
    ///
    /// # Errors
    /// There is no such folder, or a file in it cannot be used.
    pub fn open(mut self) -> Result<Project, Failure> {
        let folder = find_folder(self.folder())?;
        let data = &mut self.serve.data;
        let file = folder.join("config.toml");
        if data.config.is_none() && file.is_file() {
            data.config = Some(file);
        }
        if self.serve.functions.is_none() {
            self.serve.functions = Some(folder.join("functions")).filter(|path| path.is_dir());
        }
        let mut reader = super::open_settings(data)?;
        if data.data_dir.is_none() {
            let id = settings::project(&mut reader).id;
            data.data_dir = Some(data.resolve().join(id.unwrap_or_else(|| named_after(&folder))));
        }
        settings::preset_as_cli(&mut reader);
        let mut settings = Settings::read(&mut reader, &self.serve);
        settings::finish(reader)?;
        settings.database.serves_projects = true;
        let files = ProjectFiles::read(&folder, &settings.project)?;
        Ok(Project { settings, files })
    }
}

/// The data folder in the arguments, or that of the project in or above the current folder, or the
/// program's own.
///
/// # Errors
/// The project's file cannot be read.
pub fn project_data_dir(data: &DataArguments) -> Result<PathBuf, Failure> {
    let folder = find_folder(Path::new(".")).ok();
    let Some(folder) = folder.filter(|_| data.data_dir.is_none() && data.config.is_none()) else {
        return Ok(data.resolve());
    };
    let file = Some(folder.join("config.toml")).filter(|file| file.is_file());
    let mut reader = settings::reader(file.as_deref())?;
    let id = settings::project(&mut reader).id;
    Ok(data.resolve().join(id.unwrap_or_else(|| named_after(&folder))))
}

/// The name of the folder that contains `supabase`, as in the CLI.
fn named_after(folder: &Path) -> String {
    let parent = folder.parent().and_then(Path::file_name);
    parent.map_or_else(|| "project".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Starts a project: before any service runs, its migrations and seeds are applied to a database
/// that it has not set up yet ([`ProjectFiles::bring_up`]).
///
/// # Errors
/// A part cannot be started, or a file fails.
pub async fn start_project(
    settings: Settings,
    public_url: &str,
    files: &ProjectFiles,
) -> Result<Stack, Failure> {
    let prepared = Stack::prepare(settings, public_url, &[]).await?;
    offer_lacking(prepared.settings(), prepared.owner(), files).await?;
    files.bring_up(prepared.owner()).await?;
    Ok(prepared.start().await?)
}

/// Prints the addresses and the keys of a started stack.
pub fn print_start(stack: &Stack, began: Instant) {
    let url = stack.environment.public_url.to_string();
    print_line(&format!("Started in {:.1} s.\n", began.elapsed().as_secs_f64()));
    ServiceStatus {
        database: stack.own_database().unwrap_or_else(|| "as given".to_owned()),
        mailbox: stack.settings().mailbox_address(&url),
        keys: stack.keys.clone(),
        s3: None,
        jwt_secret: None,
        url,
    }
    .print();
    print_line("");
}
