//! A shadow database: a server of its own for the while, in which the migrations of a folder have run
//! and nothing else has.

use std::fs;
use std::path::{Path, PathBuf};

use compat_stack::{ConnectedDatabase, Settings, database};
use secrecy::SecretString;

use super::CommandError;
use super::error::at;
use crate::project::{ProjectFiles, offer_lacking};

/// The password of a server that nobody else knows of and that soon is gone.
const PASSWORD: &str = "postgres";

/// The server, and the folder that goes with it.
pub(super) struct ShadowDatabase {
    pub connected: ConnectedDatabase,
    /// Where other programs come in.
    pub address: SecretString,
    folder: PathBuf,
}

impl ShadowDatabase {
    /// Starts it beside a project's data and applies the migrations.
    ///
    /// # Errors
    /// A migration that fails on a new database; what stands in the way of a server.
    pub async fn start(settings: &Settings, files: ProjectFiles) -> Result<Self, CommandError> {
        let folder = free_folder(&settings.data_dir);
        let mut settings = settings.clone();
        prepare_folder(&settings.data_dir, &folder)?;
        settings.data_dir.clone_from(&folder);
        settings.database.url = None;
        settings.database.acting_url = None;
        settings.database.password = Some(PASSWORD.into());
        settings.prints_progress = false;
        let made = Self::fill(&settings, files, &folder).await;
        if made.is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
        made
    }

    async fn fill(
        settings: &Settings,
        files: ProjectFiles,
        folder: &Path,
    ) -> Result<Self, CommandError> {
        let (connected, address) = ConnectedDatabase::open_for_programs(settings).await?;
        let files = files.without_seeds().quiet();
        let done = async {
            database::prepare(settings, &connected.owner, &[]).await?;
            offer_lacking(settings, &connected.owner, &files).await?;
            files.bring_up(&connected.owner).await?;
            address
                .ok_or_else(|| CommandError::Failed("the shadow database has no port".to_owned()))
        }
        .await;
        match done {
            Ok(address) => Ok(Self { connected, address, folder: folder.to_owned() }),
            Err(error) => {
                connected.leave().await;
                Err(error)
            }
        }
    }

    /// Stops it and removes all of it.
    pub async fn remove(self) {
        self.connected.leave().await;
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!(%error, folder = %self.folder.display(), "shadow database not removed");
        }
    }
}

/// A folder that no other shadow database of this process has.
fn free_folder(data_dir: &Path) -> PathBuf {
    let process = std::process::id();
    let mut paths = (1..).map(|number: u32| data_dir.join(format!("shadow-{process}-{number}")));
    paths.find(|path| !path.exists()).unwrap_or_default()
}

/// Makes the folder, in which the server of the project's own folder is found.
fn prepare_folder(data_dir: &Path, folder: &Path) -> Result<(), CommandError> {
    let servers = data_dir.join("postgres");
    fs::create_dir_all(&servers).map_err(at(&servers))?;
    fs::create_dir(folder).map_err(at(folder))?;
    let link = folder.join("postgres");
    std::os::unix::fs::symlink(&servers, &link).map_err(at(&link))
}
