//! The data folder's layout, and the lock that keeps a second process out of it.

use std::fs;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use compat_subprocess::{Account, ProgramError, make};
use nix::fcntl::{Flock, FlockArg};
use sha2::{Digest, Sha256};

use super::error::EmbeddedError;

/// A socket's whole path must fit into 107 bytes, and its file name takes 16 of them.
const LONGEST_SOCKET_FOLDER: usize = 90;

/// The paths in a data folder, with or without its lock.
pub(super) struct DataFolder {
    pub root: PathBuf,
}

/// The folders that a start creates, besides the lock file.
const PARTS: [&str; 4] = ["postgres", "data", "log", "run"];

/// A data folder that this process has locked until this value is dropped.
pub(super) struct LockedFolder {
    pub folder: DataFolder,
    /// Whether the folder was created for this start.
    is_new: bool,
    _lock: Flock<File>,
}

impl LockedFolder {
    /// Creates the folder if it is new, and takes the lock.
    pub fn open(root: &Path) -> Result<Self, EmbeddedError> {
        let is_new = !root.exists();
        make(root, 0o755)?;
        let root = root.canonicalize().map_err(EmbeddedError::file(root))?;
        let lock = lock(&root)?;
        Ok(Self { folder: DataFolder { root }, is_new, _lock: lock })
    }

    /// Removes the folder if it was created for a start that failed, so that the next start begins
    /// from nothing. Files that another program has added meanwhile, such as keys, stay.
    pub fn undo(self) {
        let Self { folder: DataFolder { root }, is_new, _lock: lock } = self;
        if is_new && let Err(error) = remove(&root) {
            let folder = root.display();
            tracing::warn!(%error, %folder, "cannot remove the folder of the failed start");
        }
        drop(lock);
    }
}

/// Removes what a start creates, and the folder if nothing else is in it.
fn remove(root: &Path) -> std::io::Result<()> {
    for part in PARTS {
        match fs::remove_dir_all(root.join(part)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let has_others = fs::read_dir(root)?.flatten().any(|entry| entry.file_name() != "lock");
    if has_others {
        return Ok(());
    }
    fs::remove_file(root.join("lock"))?;
    fs::remove_dir(root)
}

/// The process that holds the lock of a data folder; `None` if it is not locked or does not exist.
/// Nothing is created or kept locked.
pub fn holder(root: &Path) -> Option<i32> {
    let mut file = File::open(root.join("lock")).ok()?;
    let mut holder = String::new();
    file.read_to_string(&mut holder).ok()?;
    match Flock::lock(file, FlockArg::LockSharedNonblock) {
        Ok(_) => None,
        Err(_) => holder.trim().parse().ok(),
    }
}

impl DataFolder {
    /// Where the servers that we installed are, one folder for each version.
    pub fn servers(&self) -> PathBuf {
        self.root.join("postgres")
    }

    /// The data of one major version.
    pub fn data(&self, major: u32) -> PathBuf {
        self.root.join("data").join(major.to_string())
    }

    /// Major versions with data in this folder.
    pub fn majors(&self) -> Vec<u32> {
        let Ok(entries) = fs::read_dir(self.root.join("data")) else { return Vec::new() };
        entries
            .flatten()
            .filter(|entry| entry.path().join("PG_VERSION").exists())
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect()
    }

    /// Creates a folder below this one that belongs to the account and is closed to everyone else.
    pub fn private(&self, name: &str, account: &Account) -> Result<PathBuf, EmbeddedError> {
        let path = self.root.join(name);
        make(&path, 0o700)?;
        account.give(&path)?;
        Ok(path)
    }

    /// Creates the folder of the socket, which belongs to the account.
    pub fn socket(&self, app: &str, account: &Account) -> Result<PathBuf, EmbeddedError> {
        let far = match socket_folder(&self.root, app) {
            near if near.starts_with(&self.root) => return self.private("run", account),
            far => far,
        };
        make(&far, 0o700)?;
        account.give(&far)?;
        // Anyone may create names in /tmp, so the folder must be one that nobody else can write to.
        let facts = far.symlink_metadata().map_err(EmbeddedError::file(&far))?;
        if !facts.is_dir() || facts.uid() != account.uid || facts.mode() & 0o077 != 0 {
            return Err(ProgramError::Account(format!(
                "{} belongs to somebody else; remove it or choose a shorter data folder",
                far.display()
            ))
            .into());
        }
        Ok(far)
    }
}

/// Where the socket of this folder's server is: in `run`, unless the path is too long for a
/// socket's address.
pub(super) fn socket_folder(root: &Path, app: &str) -> PathBuf {
    let near = root.join("run");
    if near.as_os_str().len() <= LONGEST_SOCKET_FOLDER {
        return near;
    }
    let digest = Sha256::digest(root.as_os_str().as_bytes());
    let name: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    PathBuf::from(format!("/tmp/{app}-{name}"))
}

fn lock(root: &Path) -> Result<Flock<File>, EmbeddedError> {
    let path = root.join("lock");
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        // A second process reads the lock holder's process id in it.
        .truncate(false)
        .open(&path)
        .map_err(EmbeddedError::file(&path))?;
    match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(mut held) => {
            sign(&mut held).map_err(EmbeddedError::file(&path))?;
            Ok(held)
        }
        Err((mut file, nix::errno::Errno::EWOULDBLOCK)) => {
            let mut holder = String::new();
            let read = file.read_to_string(&mut holder);
            Err(EmbeddedError::InUse {
                home: root.to_owned(),
                holder: read.ok().and_then(|_| holder.trim().parse().ok()),
            })
        }
        Err((_, error)) => Err(EmbeddedError::File { path, source: error.into() }),
    }
}

/// Writes our process id, for the error message of a second process.
fn sign(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path for one test, at which nothing exists.
    fn new_root(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("compat-pg-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&root));
        root
    }

    #[test]
    fn failed_start_leaves_files_of_other_programs() {
        let root = new_root("foreign");
        let started = LockedFolder::open(&root).expect("a lock");
        fs::create_dir(root.join("run")).expect("a folder");
        fs::write(root.join("keys.json"), "{}").expect("a file");
        started.undo();
        assert!(!root.join("run").exists());
        assert_eq!(fs::read(root.join("keys.json")).expect("a file"), b"{}");
        fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn failed_first_start_leaves_no_folder() {
        let root = new_root("failed");
        let started = LockedFolder::open(&root).expect("a lock");
        fs::create_dir(root.join("run")).expect("a folder");
        started.undo();
        assert!(!root.exists());
    }
}
