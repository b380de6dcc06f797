//! Writes the files of objects into an archive and reads them from it. Objects in a remote store
//! are not part of a backup.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Component, Path};

use compat_console::BackupProgress;

use super::archive::Writer;
use super::progress::CountedReader;

/// The prefix of their names in an archive.
const PREFIX: &str = "objects/";

/// Adds every file below a folder, except for unfinished uploads and other entries whose names
/// begin with `~`.
pub(super) fn write(
    archive: &mut Writer,
    folder: &Path,
    progress: &BackupProgress,
) -> io::Result<()> {
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        let entries = match fs::read_dir(&at) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let path = entry.path();
            let is_ours = at == folder && entry.file_name().as_encoded_bytes().starts_with(b"~");
            let kind = entry.file_type()?;
            if kind.is_dir() && !is_ours {
                folders.push(path);
            } else if kind.is_file() && !is_ours {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy();
                let mut content = CountedReader::new(File::open(&path)?, progress);
                archive.add(&format!("{PREFIX}{name}"), &mut content)?;
            }
        }
    }
    Ok(())
}

/// Moves the files below a folder to the same paths below another folder on the same disk. The file
/// of an object version never changes, so an existing file is kept.
pub(super) fn add(from: &Path, to: &Path) -> io::Result<()> {
    let mut folders = vec![from.to_owned()];
    while let Some(at) = folders.pop() {
        let entries = match fs::read_dir(&at) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
                continue;
            }
            let target = to.join(path.strip_prefix(from).unwrap_or(&path));
            if target.exists() {
                continue;
            }
            let folder = target.parent().unwrap_or(to);
            fs::create_dir_all(folder)?;
            fs::rename(&path, &target)?;
            File::open(folder)?.sync_all()?;
        }
    }
    Ok(())
}

/// Whether a folder is empty or missing.
pub(super) fn is_empty(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        entries => Ok(entries?.next().is_none()),
    }
}

/// The total bytes of the files below a folder.
pub(super) fn size(folder: &Path) -> io::Result<u64> {
    let (mut folders, mut size) = (vec![folder.to_owned()], 0_u64);
    while let Some(at) = folders.pop() {
        let entries = match fs::read_dir(&at) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            match entry.metadata() {
                Ok(facts) if facts.is_dir() => folders.push(entry.path()),
                Ok(facts) => size = size.saturating_add(facts.len()),
                // The file was removed meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(size)
}

/// Whether an entry of this name is an object.
pub(super) fn is_one(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Writes an entry to its path in `folder`; returns false if the entry is not an object.
pub(super) fn read(name: &str, entry: &mut impl Read, folder: &Path) -> io::Result<bool> {
    let Some(name) = name.strip_prefix(PREFIX) else { return Ok(false) };
    let path = Path::new(name);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap_or(folder))?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    io::copy(entry, &mut file)?;
    file.sync_all()?;
    Ok(true)
}
