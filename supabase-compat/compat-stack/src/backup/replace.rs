//! Replaces the live database by a backup. The backup is restored into a second database, prepared
//! as at a start, and then swapped with the live one in one step. A failure before that step leaves
//! the live database, its files and its keys unchanged.
//!
//! The console's own schema is copied from the live database: an operator who was removed since the
//! backup does not come back, and the audit log keeps its entries. The keys stay, too, so that
//! addresses and tokens remain valid.

use std::fs;
use std::path::{Path, PathBuf};

use compat_console::{RestoreMark, drop_console};
use compat_pg::embedded::ReplacementDatabase;
use compat_pg::{OwnerDb, SchemaSource};
use compat_storage::bytes::FilesConfig;
use secrecy::{ExposeSecret as _, SecretString};
use tokio_util::sync::CancellationToken;

use super::mechanism::Reload;
use super::{BackupError, Programs, at, blocking, folder_of, hold, objects, restore_and_stay};
use crate::project_keys::share_app_secret;
use crate::stack::database;
use crate::{ConnectedDatabase, ObjectSettings, Settings, StackError};

/// The folder for the backup's keys during a restore, below the data folder.
const FOLDER: &str = "restore";
/// The folder for its files, below the folder of objects; our own names begin with `~`.
const OBJECTS: &str = "~restore";
/// The console's schema.
const CONSOLE: &str = "_console";

/// The live database and its settings.
pub(super) struct LiveProject<'a> {
    pub settings: &'a Settings,
    pub schemas: &'a [SchemaSource],
    pub owner: &'a OwnerDb,
    /// The database URL of the owner.
    pub url: &'a SecretString,
    pub reload: &'a Reload,
}

/// Replaces the live database by a backup; `mark` is written into the restored database first, so
/// that a restore is done for everybody at the moment of the swap, before what it leaves is removed.
///
/// # Errors
/// The backup cannot be restored, or `cancelled` was cancelled before the last step: then nothing
/// has changed.
pub(super) async fn replace(
    live: &LiveProject<'_>,
    file: &Path,
    mark: RestoreMark,
    cancelled: &CancellationToken,
) -> Result<(), BackupError> {
    let own = restore_settings(live.settings);
    remove_folders(&own).map_err(at(&own.data_dir))?;
    fs::create_dir(&own.data_dir).map_err(at(&own.data_dir))?;
    let live_files = folder_of(live.settings);
    // Keeps the files that the backup's rows name until the restored database is live.
    let _hold = match live_files {
        Some(config) => Some(blocking(move || hold(&config)).await?),
        None => None,
    };
    let replacement = ReplacementDatabase::create(live.url.expose_secret()).await?;
    let filled = tokio::select! {
        filled = fill(live, own.clone(), &replacement, file, mark) => filled,
        () = cancelled.cancelled() => Err(BackupError::Cancelled),
    };
    let replaced = match filled {
        Ok(()) => take_place(&replacement, live.owner).await,
        Err(error) => Err(error),
    };
    // Before the replaced database is dropped, because a large one takes seconds.
    if replaced.is_ok() {
        (live.reload)();
    }
    if let Err(error) = replacement.remove().await {
        tracing::warn!(%error, "cannot remove the databases of a restore");
    }
    if let Err(error) = remove_folders(&own) {
        tracing::warn!(%error, "cannot remove the folders of a restore");
    }
    replaced
}

/// Swaps the databases. This step cannot be cancelled.
async fn take_place(replacement: &ReplacementDatabase, owner: &OwnerDb) -> Result<(), BackupError> {
    let (replacement, owner) = (replacement.clone(), owner.clone());
    let done = tokio::spawn(async move { replacement.take_place(&owner).await }).await;
    Ok(done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))?)
}

async fn fill(
    live: &LiveProject<'_>,
    mut own: Settings,
    replacement: &ReplacementDatabase,
    file: &Path,
    mark: RestoreMark,
) -> Result<(), BackupError> {
    own.database.url = Some(replacement.url().into());
    let connected = restore_and_stay(&own, file, live.schemas).await?;
    let filled = make_ready(live, &own, &connected, mark).await;
    // No connection may be open to the database when it is swapped.
    connected.leave().await;
    filled
}

/// Prepares the restored database as at a start, and adds the files of objects and the console's
/// schema.
async fn make_ready(
    live: &LiveProject<'_>,
    own: &Settings,
    connected: &ConnectedDatabase,
    mark: RestoreMark,
) -> Result<(), BackupError> {
    let (settings, owner) = (live.settings, &connected.owner);
    if settings.keys.app_secret.is_none() {
        let same = share_app_secret(&own.data_dir, &settings.data_dir).map_err(StackError::from)?;
        if same == Some(false) {
            return Err(BackupError::OtherSecret);
        }
    }
    database::prepare(own, owner, live.schemas).await?;
    if let (Some(from), Some(to)) = (folder_of(own), folder_of(settings)) {
        blocking(move || objects::add(&from.folder, &to.folder).map_err(at(&to.folder))).await?;
    }
    let programs = Programs::find(settings.database.bin_dir.as_deref(), connected.major)?;
    drop_console(owner).await?;
    let (from, to) = (live.url.clone(), connected.url.clone());
    blocking(move || programs.copy_schema(CONSOLE, &from, &to)).await?;
    Ok(mark(owner.clone()).await?)
}

/// The settings for restoring beside the live database; the database's URL is set later.
fn restore_settings(settings: &Settings) -> Settings {
    let mut own = settings.clone();
    own.data_dir = settings.data_dir.join(FOLDER);
    own.database.acting_url = None;
    own.database.port = None;
    own.prints_progress = false;
    if let Some(config) = folder_of(settings) {
        // On the same disk, so that the files can be moved to their places at once.
        let folder = config.folder.join(OBJECTS);
        own.objects = ObjectSettings::Files(FilesConfig { folder, keep_free: 0 });
    }
    own
}

/// Removes the folders of this restore, or of an earlier one whose process was killed.
fn remove_folders(own: &Settings) -> std::io::Result<()> {
    let objects = folder_of(own).map(|config| config.folder);
    for folder in std::iter::once(own.data_dir.clone()).chain(objects) {
        remove_folder(folder)?;
    }
    Ok(())
}

fn remove_folder(folder: PathBuf) -> std::io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
