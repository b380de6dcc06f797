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
use super::cluster_archive::ClusterArchive;
use super::error::EmbeddedError;
use super::folder_sync::{sync_path, sync_tree};

/// The marker file of a cluster that may not be on the disk yet.
const MARK: &str = "unsynced";

/// A new cluster that may still be in the operating system's cache only.
pub(super) struct UnsyncedCluster {
    data: PathBuf,
    /// Whether it was unpacked from an archive.
    pub is_unpacked: bool,
}

impl UnsyncedCluster {
    /// Initialises a cluster with its marker, from the archive if that fits. See [`initialise`].
    pub fn initialise(
        account: &Account,
        binaries: &Binaries,
        (data, superuser): (&Path, &str),
        archive: Option<&ClusterArchive>,
    ) -> Result<Self, EmbeddedError> {
        let mut is_unpacked = false;
        complete_beside(account, data, |fresh| {
            if let Some(archive) = archive {
                is_unpacked = unpack(archive, account, binaries, fresh)?;
            }
            if !is_unpacked {
                initdb_in_our_locale(account, binaries, (fresh, superuser))?;
            }
            mark(account, fresh)
        })?;
        Ok(Self { data: data.to_owned(), is_unpacked })
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
    complete_beside(account, data, |fresh| {
        initdb_in_our_locale(account, binaries, (fresh, superuser))
    })
}

/// Fills an empty folder beside the final place, then moves it there.
fn complete_beside(
    account: &Account,
    data: &Path,
    fill: impl FnOnce(&Path) -> Result<(), EmbeddedError>,
) -> Result<(), EmbeddedError> {
    let fresh = draft_of(data);
    let parent = data.parent().unwrap_or(data);
    make(parent, 0o755)?;
    empty_folder(account, &fresh)?;
    if let Err(error) = fill(&fresh) {
        // An incomplete cluster is useless, and it may use up the last free space.
        let _ = fs::remove_dir_all(&fresh);
        return Err(error);
    }
    fs::rename(&fresh, data).map_err(EmbeddedError::file(data))
}

/// Unpacks a prepared cluster; false if it does not fit or is damaged. The folder is empty then.
fn unpack(
    archive: &ClusterArchive,
    account: &Account,
    binaries: &Binaries,
    fresh: &Path,
) -> Result<bool, EmbeddedError> {
    match archive.unpack(account, binaries, fresh) {
        Ok(is_unpacked) => Ok(is_unpacked),
        Err(error) => {
            tracing::warn!(%error, "cannot use the prepared database");
            // `initdb` refuses a folder that contains files.
            empty_folder(account, fresh)?;
            Ok(false)
        }
    }
}

fn initdb_in_our_locale(
    account: &Account,
    binaries: &Binaries,
    place: (&Path, &str),
) -> Result<(), EmbeddedError> {
    let locale = if cfg!(target_os = "macos") { "en_US.UTF-8" } else { "C.UTF-8" };
    let initdb = |locale| initdb(account, binaries, place, locale);
    let mut outcome = initdb(locale);
    if outcome.as_ref().is_err_and(|error| error.to_string().contains("invalid locale")) {
        tracing::warn!("locale {locale} missing; text is compared byte by byte");
        outcome = initdb("C");
    }
    outcome
}

/// Where a cluster is until it is complete.
fn draft_of(data: &Path) -> PathBuf {
    data.with_extension("new")
}

/// Makes a folder empty that only the account can open; creates it if it is missing.
fn empty_folder(account: &Account, folder: &Path) -> Result<(), EmbeddedError> {
    remove(folder)?;
    make(folder, 0o700)?;
    Ok(account.give(folder)?)
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
    // As in hosted projects: texts of times do not depend on the machine.
    command.env("TZ", "UTC");
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
