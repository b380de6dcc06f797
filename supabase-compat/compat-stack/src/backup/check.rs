//! Checks a backup by restoring it with the server's own programs into a temporary data folder. The
//! live database is never touched.

use std::fs;
use std::path::Path;

use compat_console::BackupContents;
use compat_pg::{SchemaSource, count_contents};
use compat_storage::bytes::FilesConfig;
use tokio_util::sync::CancellationToken;

use super::{
    BackupError, KEYS_FILE, at, blocking, format, objects, open, read_about, restore_and_stay,
};
use crate::{ObjectSettings, Settings};

/// The temporary folder, below the data folder. One check runs at a time.
const FOLDER: &str = "backup-check";

/// What the archive itself contains.
struct ArchiveContents {
    format: u32,
    program: String,
    postgresql: u32,
    has_keys: bool,
    objects: u64,
    object_bytes: u64,
}

/// Restores a backup and counts its contents.
///
/// # Errors
/// The backup cannot be restored, or `cancelled` was cancelled. The temporary folder is removed in
/// any case.
pub(super) async fn check(
    settings: &Settings,
    schemas: &[SchemaSource],
    file: &Path,
    cancelled: &CancellationToken,
) -> Result<BackupContents, BackupError> {
    let folder = settings.data_dir.join(FOLDER);
    prepare_folder(&settings.data_dir, &folder)?;
    let own = settings_in(settings, &folder);
    let outcome = tokio::select! {
        outcome = restore_and_count(&own, schemas, file) => outcome,
        () = cancelled.cancelled() => Err(BackupError::Cancelled),
    };
    if let Err(error) = remove_folder(&folder) {
        tracing::warn!(%error, folder = %folder.display(), "cannot remove the folder of a backup check");
    }
    outcome
}

async fn restore_and_count(
    settings: &Settings,
    schemas: &[SchemaSource],
    file: &Path,
) -> Result<BackupContents, BackupError> {
    let path = file.to_owned();
    let archive = blocking(move || contents_of(&path)).await?;
    let connected = restore_and_stay(settings, file, schemas).await?;
    let counted = count_contents(&connected.owner).await;
    connected.leave().await;
    let counted = counted?;
    Ok(BackupContents {
        format: archive.format,
        program: archive.program,
        postgresql: archive.postgresql,
        has_keys: archive.has_keys,
        tables: counted.tables,
        rows: counted.rows,
        objects: archive.objects,
        object_bytes: archive.object_bytes,
    })
}

/// Reads the archive to its end; a truncated archive is an error.
fn contents_of(file: &Path) -> Result<ArchiveContents, BackupError> {
    let about = read_about(file)?;
    let mut contents = ArchiveContents {
        format: about.format,
        program: about.program,
        postgresql: about.postgresql,
        has_keys: false,
        objects: 0,
        object_bytes: 0,
    };
    let mut archive = open(file)?;
    for entry in archive.entries().map_err(at(file))? {
        let mut entry = entry.map_err(at(file))?;
        let name = entry.path().map_err(at(file))?.display().to_string();
        let bytes = std::io::copy(&mut entry, &mut std::io::sink()).map_err(at(file))?;
        if bytes != entry.size() {
            return Err(format(file, "it ends too early"));
        }
        contents.has_keys |= name == KEYS_FILE;
        if objects::is_one(&name) {
            contents.objects += 1;
            contents.object_bytes += bytes;
        }
    }
    Ok(contents)
}

/// The settings of a separate server in this folder.
fn settings_in(settings: &Settings, folder: &Path) -> Settings {
    let mut own = settings.clone();
    own.data_dir = folder.to_owned();
    own.database.url = None;
    own.database.acting_url = None;
    own.database.port = None;
    own.prints_progress = false;
    let objects = FilesConfig { folder: folder.join("objects"), keep_free: 0 };
    own.objects = ObjectSettings::Files(objects);
    own
}

/// Creates the folder, with a link to the PostgreSQL programs of the project's own data folder.
fn prepare_folder(data_dir: &Path, folder: &Path) -> Result<(), BackupError> {
    // A killed process may have left the folder behind.
    remove_folder(folder).map_err(at(folder))?;
    let servers = data_dir.join("postgres");
    fs::create_dir_all(&servers).map_err(at(&servers))?;
    fs::create_dir(folder).map_err(at(folder))?;
    let link = folder.join("postgres");
    std::os::unix::fs::symlink(&servers, &link).map_err(at(&link))
}

fn remove_folder(folder: &Path) -> std::io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
