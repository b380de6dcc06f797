//! A new cluster: initialised, and brought to the disk while its server runs already.
//!
//! Until all of it is there, a failure of the machine may leave any part of it. A mark inside the cluster
//! says so for as long. A start that finds the mark takes the cluster away and begins anew: nobody has been
//! told yet that anything is kept in it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use compat_subprocess::{Account, ProgramError, end_with_us, make};
use nix::sys::signal::Signal;

use super::binaries::Binaries;
use super::error::EmbeddedError;
use super::folder_sync::{sync_path, sync_tree};

/// The file that says that the cluster around it may not be on the disk yet.
const MARK: &str = "unsynced";

/// A new cluster that the system may still keep in its memory.
pub(super) struct UnsyncedCluster {
    data: PathBuf,
}

impl UnsyncedCluster {
    /// Initialises a cluster and leaves its mark there. See [`initialise`].
    pub fn initialise(
        account: &Account,
        binaries: &Binaries,
        data: &Path,
        superuser: &str,
    ) -> Result<Self, EmbeddedError> {
        initialise_with(account, binaries, (data, superuser), |fresh| mark(account, fresh))?;
        Ok(Self { data: data.to_owned() })
    }

    /// Writes it to the disk, then takes the mark away; a server may run on it meanwhile. It takes as long
    /// as the disk does.
    pub fn sync(&self) -> Result<(), EmbeddedError> {
        let mark = self.data.join(MARK);
        let (data, parent) = (&self.data, self.data.parent().unwrap_or(&self.data));
        sync_tree(data).map_err(EmbeddedError::file(data))?;
        sync_path(parent).map_err(EmbeddedError::file(parent))?;
        fs::remove_file(&mark).map_err(EmbeddedError::file(&mark))?;
        // A mark that came back after a failure of the machine would cost what was kept since.
        sync_path(data).map_err(EmbeddedError::file(data))
    }
}

/// Takes away a cluster that the machine may have failed in before it was on the disk.
pub(super) fn remove_unsynced(data: &Path) -> Result<(), EmbeddedError> {
    if !data.join(MARK).exists() {
        return Ok(());
    }
    tracing::warn!("the first start was interrupted: initialising the database anew");
    // Under its name it must not be seen without the mark.
    let leftover = draft_of(data);
    remove(&leftover)?;
    fs::rename(data, &leftover).map_err(EmbeddedError::file(data))?;
    remove(&leftover)
}

/// Initialises beside the final place and moves it there, so that an interrupted attempt is never
/// taken for a database.
pub(super) fn initialise(
    account: &Account,
    binaries: &Binaries,
    data: &Path,
    superuser: &str,
) -> Result<(), EmbeddedError> {
    initialise_with(account, binaries, (data, superuser), |_| Ok(()))
}

/// The same with a last step before the move.
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
        // Half a cluster is of no use, and it may have taken the last of the space.
        let _ = fs::remove_dir_all(&fresh);
        return Err(error);
    }
    fs::rename(&fresh, data).map_err(EmbeddedError::file(data))
}

/// Where a cluster is until it may be taken for one.
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

/// The mark is on the disk before the cluster has its name.
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
        // The disk is waited for beside what comes next, see `UnsyncedCluster`.
        .arg("--no-sync")
        .arg("--pgdata")
        .arg(data);
    account.configure(&mut command);
    // Left alone it would go on in a folder that the next start has made anew.
    end_with_us(&mut command, Signal::SIGKILL);
    let program = PathBuf::from(command.get_program());
    let output = command.output().map_err(EmbeddedError::file(program))?;
    if output.status.success() {
        return Ok(());
    }
    let output = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(ProgramError::Failed { program: "initdb".to_owned(), output }.into())
}
