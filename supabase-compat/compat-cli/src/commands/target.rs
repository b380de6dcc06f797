//! The project's folder and the database that a command is about.

use std::path::PathBuf;

use clap::Args;
use compat_stack::settings::ServeArguments;
use compat_stack::{ConnectedDatabase, Settings, StackError};

use super::{CommandError, Project, ProjectArguments};

type Failure = Box<dyn std::error::Error>;

/// A project's folder, for commands whose words name something else.
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
    /// Whether another database is named.
    pub fn is_foreign(&self) -> bool {
        self.db_url.is_some()
    }

    /// Has the settings name the database that is meant.
    pub fn choose(&self, settings: &mut Settings) {
        if let Some(url) = &self.db_url {
            settings.database.url = Some(url.clone().into());
            settings.database.acting_url = None;
        }
    }

    /// Opens a database that is there already; the project's own is started for the while where
    /// nobody serves it. Roles and schemas stay as they are.
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

    /// The same, with roles and the services' schemas made where the database is the project's own.
    ///
    /// # Errors
    /// What stands in the way of the database.
    pub async fn prepare(&self, settings: &Settings) -> Result<ConnectedDatabase, CommandError> {
        match self.is_foreign() {
            true => self.open(settings).await,
            false => Ok(ConnectedDatabase::prepared(settings).await?),
        }
    }
}
