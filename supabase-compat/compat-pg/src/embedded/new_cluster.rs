//! Initialises a new cluster, and syncs it to the disk while its server runs already.
//!
//! Until the sync is complete, a crash of the machine may leave any part of the cluster. A marker
//! file inside the cluster says so for as long. A start that finds the marker removes the cluster
//! and begins anew: no client was told yet that anything is stored in it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use compat_subprocess::{Account, ProgramError, end_with_us, make};
use nix::sys::signal::Signal;

use super::binaries::Binaries;
use super::error::EmbeddedError;
use super::folder_sync::{sync_path, sync_tree};

/// The marker file of a cluster that may not be on the disk yet.
const MARK: &str = "unsynced";

/// A new cluster that may still be in the operating system's cache only.
pub(super) struct UnsyncedCluster {
    data: PathBuf,
}

impl UnsyncedCluster {
    /// Initialises a cluster with its marker. See [`initialise`].
    pub fn initialise(
        account: &Account,
        binaries: &Binaries,
        data: &Path,
        superuser: &str,
    ) -> Result<Self, EmbeddedError> {
        initialise_with(account, binaries, (data, superuser), |fresh| mark(account, fresh))?;
        Ok(Self { data: data.to_owned() })
    }

    /// Syncs the cluster to the disk, then removes the marker; a server may run on it meanwhile.
    pub fn sync(&self) -> Result<(), EmbeddedError> {
        let mark = self.data.join(MARK);
        let (data, parent) = (&self.data, self.data.parent().unwrap_or(&self.data));
        sync_tree(data).map_err(EmbeddedError::file(data))?;
        sync_path(parent).map_err(EmbeddedError::file(parent))?;
        fs::remove_file(&mark).map_err(EmbeddedError::file(&mark))?;
        // If the marker reappeared after a crash of the machine, data stored since would be lost.
        sync_path(data).map_err(EmbeddedError::file(data))
    }
}

/// Removes a cluster that may be incomplete, because the machine crashed before the sync ended.
pub(super) fn remove_unsynced(data: &Path) -> Result<(), EmbeddedError> {
    if !data.join(MARK).exists() {
        return Ok(());
    }
    tracing::warn!("the first start was interrupted: initialising the database anew");
    // A partly removed cluster must not be seen under its final name without the marker.
    let leftover = draft_of(data);
    remove(&leftover)?;
    fs::rename(data, &leftover).map_err(EmbeddedError::file(data))?;
    remove(&leftover)
}

/// Initialises a cluster beside its final place and moves it there, so that an interrupted attempt
/// is never mistaken for a database.
pub(super) fn initialise(
    account: &Account,
    binaries: &Binaries,
    data: &Path,
    superuser: &str,
) -> Result<(), EmbeddedError> {
    initialise_with(account, binaries, (data, superuser), |_| Ok(()))
}

/// Does the same, with one more step before the move.
fn initialise_with(
    account: &Account,
    binaries: &Binaries,
    (data, superuser): (&Path, &str),
    last_step: impl Fn(&Path) -> Result<(), EmbeddedError>,
) -> Result<(), EmbeddedError> {
    let fresh = draft_of(data);
    remove(&fresh)?;
    let parent = data.parent().unwrap_or(data);
    make(parent, 0o755)?;
    make(&fresh, 0o700)?;
    account.give(&fresh)?;
    let locale = if cfg!(target_os = "macos") { "en_US.UTF-8" } else { "C.UTF-8" };
    let initdb = |locale| initdb(account, binaries, (&fresh, superuser), locale);
    let mut outcome = initdb(locale);
    if outcome.as_ref().is_err_and(|error| error.to_string().contains("invalid locale")) {
        tracing::warn!("locale {locale} missing; text is compared byte by byte");
        outcome = initdb("C");
    }
    if let Err(error) = outcome.and_then(|()| last_step(&fresh)) {
        // An incomplete cluster is useless, and it may use up the last free space.
        let _ = fs::remove_dir_all(&fresh);
        return Err(error);
    }
    fs::rename(&fresh, data).map_err(EmbeddedError::file(data))
}

/// Where a cluster is until it is complete.
fn draft_of(data: &Path) -> PathBuf {
    data.with_extension("new")
}

fn remove(folder: &Path) -> Result<(), EmbeddedError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(EmbeddedError::file(folder)(error))
        }
        _ => Ok(()),
    }
}

/// Creates the marker, and syncs it before the cluster gets its final name.
fn mark(account: &Account, data: &Path) -> Result<(), EmbeddedError> {
    let mark = data.join(MARK);
    File::create(&mark).map_err(EmbeddedError::file(&mark))?;
    account.give(&mark)?;
    sync_path(&mark).map_err(EmbeddedError::file(&mark))?;
    sync_path(data).map_err(EmbeddedError::file(data))
}

fn initdb(
    account: &Account,
    binaries: &Binaries,
    (data, superuser): (&Path, &str),
    locale: &str,
) -> Result<(), EmbeddedError> {
    let mut command = Command::new(binaries.bindir.join("initdb"));
    command
        .args(["--encoding=UTF8", &format!("--locale={locale}")])
        .arg(format!("--username={superuser}"))
        .args(["--auth-local=peer", "--auth-host=reject", "--no-instructions"])
        // The sync runs in parallel with the next steps, see `UnsyncedCluster`.
        .arg("--no-sync")
        .arg("--pgdata")
        .arg(data);
    account.configure(&mut command);
    // Otherwise it would continue in a folder that the next start has created anew.
    end_with_us(&mut command, Signal::SIGKILL);
    let program = PathBuf::from(command.get_program());
    let output = command.output().map_err(EmbeddedError::file(program))?;
    if output.status.success() {
        return Ok(());
    }
    let output = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(ProgramError::Failed { program: "initdb".to_owned(), output }.into())
}
