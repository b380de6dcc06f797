//! A shadow database: a temporary server in which only the migrations of a folder have run. To
//! compare several sets of files, each gets a copy of an empty database of one server.

use std::fs;
use std::path::{Path, PathBuf};

use compat_pg::{DatabaseCopy, OwnerConfig, OwnerDb};
use compat_stack::{ConnectedDatabase, Settings, database};
use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use secrecy::{ExposeSecret as _, SecretString};

use super::CommandError;
use super::error::at;
use crate::project::{ProjectFiles, offer_lacking};

/// The password of a temporary server that no other program knows.
const PASSWORD: &str = "postgres";

/// The temporary server and its folder.
pub(super) struct ShadowDatabase {
    pub connected: ConnectedDatabase,
    /// The URL for other programs.
    pub address: SecretString,
    folder: PathBuf,
}

impl ShadowDatabase {
    /// Starts the server beside a project's data and applies the migrations.
    ///
    /// # Errors
    /// A migration fails on a new database, or the server cannot be started.
    pub async fn start(settings: &Settings, files: ProjectFiles) -> Result<Self, CommandError> {
        let (shadow, settings) = Self::open(settings).await?;
        match apply(&settings, &shadow.connected.owner, files).await {
            Ok(()) => Ok(shadow),
            Err(error) => {
                shadow.remove().await;
                Err(error)
            }
        }
    }

    /// Starts the server with the services' schemas only.
    async fn open(settings: &Settings) -> Result<(Self, Settings), CommandError> {
        remove_abandoned(&settings.data_dir);
        let folder = free_folder(&settings.data_dir);
        let mut settings = settings.clone();
        prepare_folder(&settings.data_dir, &folder)?;
        settings.data_dir.clone_from(&folder);
        settings.database.url = None;
        settings.database.acting_url = None;
        settings.database.password = Some(PASSWORD.into());
        settings.prints_progress = false;
        let shadow = Self::prepare(&settings, &folder).await;
        if shadow.is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
        Ok((shadow?, settings))
    }

    async fn prepare(settings: &Settings, folder: &Path) -> Result<Self, CommandError> {
        let (connected, address) = ConnectedDatabase::open_for_programs(settings).await?;
        let done = async {
            compat_pg::relax_durability(&connected.owner).await?;
            database::prepare(settings, &connected.owner, &[]).await?;
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

    /// Stops the server and removes its folder.
    pub async fn remove(self) {
        self.connected.leave().await;
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!(%error, folder = %self.folder.display(), "cannot remove the shadow database");
        }
    }
}

/// A shadow database that stays empty, and its copies.
pub(super) struct ShadowCopies {
    shadow: ShadowDatabase,
    settings: Settings,
    /// A connection to another database, because a database with connections cannot be copied.
    admin: OwnerDb,
}

impl ShadowCopies {
    /// Starts the server.
    ///
    /// # Errors
    /// The server cannot be started.
    pub async fn start(settings: &Settings) -> Result<Self, CommandError> {
        let (shadow, settings) = ShadowDatabase::open(settings).await?;
        shadow.connected.owner.close().await;
        let address = in_database(&shadow.connected.url, "template1");
        match OwnerDb::new(&address, &OwnerConfig::default()) {
            Ok(admin) => Ok(Self { shadow, settings, admin }),
            Err(error) => {
                shadow.remove().await;
                Err(error.into())
            }
        }
    }

    /// Recreates a copy, applies these files to it, and returns its URL for other programs.
    ///
    /// # Errors
    /// A file fails.
    pub async fn fill(
        &self,
        copy: DatabaseCopy,
        files: ProjectFiles,
    ) -> Result<SecretString, CommandError> {
        compat_pg::copy_database(&self.admin, copy).await?;
        let url = in_database(&self.shadow.connected.url, copy.name());
        let owner = OwnerDb::new(&url, &OwnerConfig::default())?;
        let done = async {
            compat_pg::prepare_search_path(&owner).await?;
            apply(&self.settings, &owner, files).await
        }
        .await;
        owner.close().await;
        done?;
        Ok(in_database(&self.shadow.address, copy.name()).into())
    }

    /// The URL of the empty database for other programs.
    pub fn address(&self) -> &SecretString {
        &self.shadow.address
    }

    /// Stops the server and removes its folder.
    pub async fn remove(self) {
        self.admin.close().await;
        self.shadow.remove().await;
    }
}

async fn apply(
    settings: &Settings,
    owner: &OwnerDb,
    files: ProjectFiles,
) -> Result<(), CommandError> {
    let files = files.without_seeds().quiet();
    offer_lacking(settings, owner, &files).await?;
    Ok(files.bring_up(owner).await?)
}

/// The URL of another database on a server whose URLs end with `postgres`.
fn in_database(url: &SecretString, name: &str) -> String {
    let url = url.expose_secret();
    format!("{}{name}", url.strip_suffix("postgres").unwrap_or(url))
}

/// Removes folders that killed processes left behind.
fn remove_abandoned(data_dir: &Path) {
    for entry in fs::read_dir(data_dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process =
            name.to_str().and_then(|name| name.strip_prefix("shadow-")?.split('-').next());
        let Some(process) = process.and_then(|process| process.parse().ok()) else { continue };
        if kill(Pid::from_raw(process), None) == Err(Errno::ESRCH) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// A folder that no other shadow database of this process uses.
fn free_folder(data_dir: &Path) -> PathBuf {
    let process = std::process::id();
    let mut paths = (1..).map(|number: u32| data_dir.join(format!("shadow-{process}-{number}")));
    paths.find(|path| !path.exists()).unwrap_or_default()
}

/// Creates the folder, with a link to the PostgreSQL programs of the project's own data folder.
fn prepare_folder(data_dir: &Path, folder: &Path) -> Result<(), CommandError> {
    let servers = data_dir.join("postgres");
    fs::create_dir_all(&servers).map_err(at(&servers))?;
    fs::create_dir(folder).map_err(at(folder))?;
    let link = folder.join("postgres");
    std::os::unix::fs::symlink(&servers, &link).map_err(at(&link))
}
