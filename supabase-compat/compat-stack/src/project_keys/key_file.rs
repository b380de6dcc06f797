//! The keys file of the data folder: written atomically, readable by its owner only, changed by one
//! process at a time.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ProjectKeysError;

/// The name of the file in the data folder.
pub const FILE: &str = "keys.json";
/// The lock file, held while the keys file is changed.
const LOCK: &str = "keys.lock";

/// The content of the file.
#[derive(Serialize, Deserialize)]
pub(super) struct KeyFile {
    pub jwt_keys: serde_json::Value,
    pub anon_key: String,
    pub service_role_key: String,
    pub publishable_key: String,
    pub secret_key: String,
    /// Replaced keys that are not revoked, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub previous_publishable_keys: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub previous_secret_keys: Vec<String>,
    pub app_secret: String,
}

pub(super) fn read(data_dir: &Path) -> Result<Option<KeyFile>, ProjectKeysError> {
    let path = data_dir.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|source| ProjectKeysError::Format { path, source }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ProjectKeysError::Io { path, source }),
    }
}

/// Reads the file, or creates it from `make`. If two processes create it at the same time, both use
/// the keys of the first one.
pub(super) fn read_or_make(
    data_dir: &Path,
    make: impl FnOnce() -> Result<KeyFile, ProjectKeysError>,
) -> Result<KeyFile, ProjectKeysError> {
    if let Some(keys) = read(data_dir)? {
        return Ok(keys);
    }
    let content = make()?;
    let path = data_dir.join(FILE);
    let at = |source| ProjectKeysError::Io { path: path.clone(), source };
    fs::create_dir_all(data_dir).map_err(at)?;
    let draft = write_draft(data_dir, &content)?;
    let linked = fs::hard_link(&draft, &path);
    fs::remove_file(&draft).map_err(at)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(at(error)),
        _ => {}
    }
    read(data_dir)?.ok_or_else(|| at(io::ErrorKind::NotFound.into()))
}

/// Changes the file; an error leaves it unchanged.
pub(super) fn change<T>(
    data_dir: &Path,
    change: impl FnOnce(&mut KeyFile) -> Result<T, ProjectKeysError>,
) -> Result<T, ProjectKeysError> {
    let path = data_dir.join(FILE);
    let at = |source| ProjectKeysError::Io { path: path.clone(), source };
    let lock = private().open(data_dir.join(LOCK)).map_err(at)?;
    lock.lock().map_err(at)?;
    let mut keys = read(data_dir)?.ok_or_else(|| at(io::ErrorKind::NotFound.into()))?;
    let changed = change(&mut keys)?;
    let draft = write_draft(data_dir, &keys)?;
    fs::rename(&draft, &path).map_err(at)?;
    File::open(data_dir).and_then(|folder| folder.sync_all()).map_err(at)?;
    Ok(changed)
}

fn write_draft(data_dir: &Path, keys: &KeyFile) -> Result<PathBuf, ProjectKeysError> {
    let path = data_dir.join(format!("{FILE}.{}", std::process::id()));
    let text = serde_json::to_vec_pretty(keys).map_err(compat_token::KeyError::from)?;
    let result = private()
        .truncate(true)
        .open(&path)
        .and_then(|mut file| file.write_all(&text).and_then(|()| file.sync_all()));
    match result {
        Ok(()) => Ok(path),
        Err(source) => Err(ProjectKeysError::Io { path, source }),
    }
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).mode(0o600);
    options
}
