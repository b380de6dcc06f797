//! The folder of a store: creates and removes its sub-folders, opens and removes its files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use nix::sys::statvfs::statvfs;

use super::FilesConfig;
use crate::bytes::disk::is_absent;
use crate::bytes::{ObjectLocation, name};

/// How often a folder is created again that another thread removed before it was used.
const TRIES: u32 = 1000;

/// The folder of a store of files.
pub(super) struct Folder {
    root: PathBuf,
    keep_free: u64,
}

/// A lock that prevents removals until it is dropped.
#[derive(Debug)]
pub struct BackupHold(#[expect(dead_code, reason = "its lock ends with it")] File);

impl Folder {
    pub fn new(config: FilesConfig) -> Self {
        Self { root: config.folder, keep_free: config.keep_free }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of uploads in progress, created if it is missing.
    pub fn parts(&self) -> io::Result<PathBuf> {
        let parts = self.root.join(name::own("parts"));
        fs::create_dir_all(&parts)?;
        Ok(parts)
    }

    /// Fails if writing `more` bytes would use disk space that must stay free.
    pub fn has_room(&self, more: u64) -> io::Result<()> {
        let disk = statvfs(&self.root)?;
        let free = disk.blocks_available().saturating_mul(disk.fragment_size());
        if free < self.keep_free.saturating_add(more) {
            return Err(ErrorKind::StorageFull.into());
        }
        Ok(())
    }

    /// Opens the file at the path, or else at the fallback path.
    pub fn open(&self, path: &Path, fallback_path: Option<&Path>) -> io::Result<File> {
        match (File::open(self.root.join(path)), fallback_path) {
            (Err(error), Some(fallback_path)) if is_absent(&error) => {
                File::open(self.root.join(fallback_path))
            }
            (opened, _) => opened,
        }
    }

    /// Renames a draft to its final path; returns the folders that have to be synchronised.
    pub fn rename(&self, partial: &Path, path: &Path) -> io::Result<Vec<PathBuf>> {
        let target = self.root.join(path);
        let folder = target.parent().unwrap_or(&self.root);
        let mut touched = Vec::new();
        for _ in 0..TRIES {
            self.make(folder, &mut touched)?;
            match fs::rename(partial, &target) {
                // Another thread removed the empty folder meanwhile, and a third may have created
                // it again.
                Err(error) if error.kind() == ErrorKind::NotFound && partial.exists() => {}
                Err(error) => return Err(error),
                Ok(()) => {
                    touched.push(folder.to_owned());
                    return Ok(touched);
                }
            }
        }
        Err(ErrorKind::ResourceBusy.into())
    }

    /// Creates a folder and its parents; adds the folders that received a new one to `touched`.
    fn make(&self, folder: &Path, touched: &mut Vec<PathBuf>) -> io::Result<()> {
        for _ in 0..TRIES {
            match fs::create_dir(folder) {
                Ok(()) => {
                    touched.extend(folder.parent().map(Path::to_owned));
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    return match fs::metadata(folder) {
                        Ok(existing) if !existing.is_dir() => Err(ErrorKind::NotADirectory.into()),
                        Err(error) if error.kind() == ErrorKind::NotFound => continue,
                        _ => Ok(()),
                    };
                }
                Err(error) if error.kind() == ErrorKind::NotFound && folder != self.root => {
                    self.make(folder.parent().unwrap_or(&self.root), touched)?;
                }
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::ResourceBusy.into())
    }

    /// Removes the files of these locations, unless a backup is in progress.
    pub fn remove(&self, places: &[ObjectLocation]) -> io::Result<()> {
        let Some(_free) = self.may_remove()? else { return Ok(()) };
        for place in places {
            let Ok(path) = name::path(place) else { continue };
            self.unlink(&path)?;
            if let Some(fallback_path) = name::fallback_path(place) {
                self.unlink(&fallback_path)?;
            }
        }
        Ok(())
    }

    /// Removes a file, or a folder with everything in it, unless a backup is in progress.
    pub fn remove_all(&self, path: &Path) -> io::Result<()> {
        let Some(_free) = self.may_remove()? else { return Ok(()) };
        let path = self.root.join(path);
        let removed = match fs::remove_dir_all(&path) {
            Err(error) if error.kind() == ErrorKind::NotADirectory => fs::remove_file(&path),
            removed => removed,
        };
        removed.or_else(|error| if is_absent(&error) { Ok(()) } else { Err(error) })
    }

    fn unlink(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(self.root.join(path)) {
            Err(error) if !is_absent(&error) => return Err(error),
            Err(_) => {}
            Ok(()) => self.tidy(path),
        }
        Ok(())
    }

    /// Removes the folders above a path that have become empty, except the root.
    fn tidy(&self, path: &Path) {
        let above = path.ancestors().skip(1).take_while(|above| !above.as_os_str().is_empty());
        for folder in above {
            // The system refuses to remove a folder that is not empty, which ends the loop.
            if fs::remove_dir(self.root.join(folder)).is_err() {
                return;
            }
        }
    }

    fn may_remove(&self) -> io::Result<Option<File>> {
        let lock = match self.lock() {
            // Without the folder there is nothing to remove.
            Err(error) if is_absent(&error) => return Ok(None),
            lock => lock?,
        };
        match lock.try_lock_shared() {
            Ok(()) => Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    pub fn hold(&self) -> io::Result<BackupHold> {
        fs::create_dir_all(&self.root)?;
        let lock = self.lock()?;
        lock.lock()?;
        Ok(BackupHold(lock))
    }

    fn lock(&self) -> io::Result<File> {
        let path = self.root.join(name::own("backup"));
        OpenOptions::new().create(true).append(true).open(path)
    }
}
