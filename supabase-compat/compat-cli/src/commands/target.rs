//! The arguments that select a project's folder and a database.

use std::path::PathBuf;

use clap::Args;
use compat_stack::settings::ServeArguments;
use compat_stack::{ConnectedDatabase, Settings, StackError};

use super::{CommandError, Project, ProjectArguments};

type Failure = Box<dyn std::error::Error>;

/// A project's folder, for commands whose positional arguments are something else.
#[derive(Debug, Clone, Args)]
pub struct FolderArguments {
    #[command(flatten)]
    pub serve: ServeArguments,
    /// The project's folder [default: this one, or the nearest above that has a folder `supabase`]
    #[arg(long, value_name = "DIR", default_value = ".", hide_default_value = true)]
    pub workdir: PathBuf,
}

impl FolderArguments {
    /// [`ProjectArguments::open`].
    ///
    /// # Errors
    /// As there.
    pub fn open(self) -> Result<Project, Failure> {
        ProjectArguments::from(self).open()
    }
}

impl From<FolderArguments> for ProjectArguments {
    fn from(FolderArguments { serve, workdir }: FolderArguments) -> Self {
        Self { serve, dir: workdir, workdir: None }
    }
}

/// The project's own database, or another one.
#[derive(Debug, Clone, Default, Args)]
pub struct TargetArguments {
    /// The project's own database; this is the default
    #[arg(long, conflicts_with = "db_url")]
    pub local: bool,
    /// Another database, postgresql://user:password@host:port/name
    #[arg(long, value_name = "URL")]
    pub db_url: Option<String>,
}

impl TargetArguments {
    /// Whether the arguments name another database.
    pub fn is_foreign(&self) -> bool {
        self.db_url.is_some()
    }

    /// Sets the selected database in the settings.
    pub fn choose(&self, settings: &mut Settings) {
        if let Some(url) = &self.db_url {
            settings.database.url = Some(url.clone().into());
            settings.database.acting_url = None;
        }
    }

    /// Opens an existing database; the project's own is started for this command if it is not
    /// served. Roles and schemas stay unchanged.
    ///
    /// # Errors
    /// [`CommandError::NoDatabase`], [`CommandError::Unreachable`].
    pub async fn open(&self, settings: &Settings) -> Result<ConnectedDatabase, CommandError> {
        let mut settings = settings.clone();
        self.choose(&mut settings);
        let data = settings.data_dir.join("data");
        if settings.database.url.is_none() && !data.is_dir() {
            return Err(CommandError::NoDatabase(settings.data_dir));
        }
        ConnectedDatabase::open(&settings).await.map_err(|error| match error {
            StackError::Database(error) if self.is_foreign() => CommandError::Unreachable(error),
            error => error.into(),
        })
    }

    /// As [`Self::open`], but creates roles and the services' schemas in the project's own
    /// database.
    ///
    /// # Errors
    /// The database cannot be opened or prepared.
    pub async fn prepare(&self, settings: &Settings) -> Result<ConnectedDatabase, CommandError> {
        match self.is_foreign() {
            true => self.open(settings).await,
            false => Ok(ConnectedDatabase::prepared(settings).await?),
        }
    }
}
