//! Syncs everything below a folder to the disk.
//!
//! `initdb --sync-only` syncs one file after the other, and waits for the disk each time. A disk
//! completes many requests together, so several threads sync at once. `syncfs` is not used: it
//! would also wait for the pending writes of other programs.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use nix::errno::Errno;
use nix::unistd::fsync;

/// How many files are synced at once.
const THREADS: usize = 16;

/// Syncs every file and folder below `root`, and `root` itself. Files that a running program
/// removes meanwhile are skipped; it must sync the files that it adds.
pub(super) fn sync_tree(root: &Path) -> io::Result<()> {
    let mut paths = Vec::new();
    collect(root, &mut paths)?;
    let next = AtomicUsize::new(0);
    let sync_some = || {
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            match sync_path(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(sync_some)).collect();
        let outcome = |thread: thread::ScopedJoinHandle<'_, io::Result<()>>| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked")))
        };
        // Every thread is joined, even if one failed.
        let outcomes: Vec<_> = threads.into_iter().map(outcome).collect();
        outcomes.into_iter().collect()
    })
}

/// Syncs one file, or one folder's list of names.
pub(super) fn sync_path(path: &Path) -> io::Result<()> {
    // Plain `fsync`, as in PostgreSQL: `File::sync_all` also flushes the disk's cache on macOS,
    // each time.
    match fsync(File::open(path)?) {
        // Some file systems refuse `fsync` for folders.
        Err(Errno::EINVAL) if path.is_dir() => Ok(()),
        outcome => Ok(outcome?),
    }
}

/// Lists all files and folders; a folder comes after its contents.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = match entry.file_type() {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            kind => kind?,
        };
        if kind.is_dir() {
            match collect(&entry.path(), paths) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                outcome => outcome?,
            }
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
    paths.push(folder.to_owned());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_listed_behind_what_they_hold() {
        let root = std::env::temp_dir().join(format!("compat-pg-sync-{}", std::process::id()));
        assert_eq!(sync_tree(&root).unwrap_err().kind(), ErrorKind::NotFound);
        let (below, file) = (root.join("a/b"), root.join("a/b/c"));
        fs::create_dir_all(&below).unwrap();
        fs::write(&file, "text").unwrap();
        let mut paths = Vec::new();
        collect(&root, &mut paths).unwrap();
        let outcome = sync_tree(&root);
        fs::remove_dir_all(&root).unwrap();
        outcome.unwrap();
        assert_eq!(paths, [file, below, root.join("a"), root]);
    }
}
