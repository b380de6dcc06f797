//! Checks what a start needs of the machine, before anything is changed.

use std::path::{Path, PathBuf};

use nix::sys::statvfs::statvfs;
use nix::unistd::{AccessFlags, access};

use super::binaries::Binaries;
use super::cluster;
use super::config::EmbeddedConfig;
use super::error::EmbeddedError;
use super::install;
use super::locked_folder::{DataFolder, holder};

/// Megabytes that a new cluster takes: 40 of `initdb`, and the log (WAL) that the first migrations
/// write, in segments of 16.
pub(super) const NEW_CLUSTER: u64 = 120;
/// Megabytes that an existing cluster needs to start: recovery may need two segments.
const KNOWN_CLUSTER: u64 = 40;

/// What a data folder and the machine offer an embedded server.
#[derive(Debug)]
pub struct Preflight {
    /// Free megabytes on the disk of the data folder.
    pub free: u64,
    /// The version of the server that would be used; `None` if one would be installed first.
    pub version: Option<String>,
    /// From where that server would be installed, in words for the user.
    pub source: Option<&'static str>,
    /// The process that runs a server in the folder.
    pub holder: Option<i32>,
}

/// Checks whether an embedded server could start, without changing anything.
///
/// # Errors
/// The failure that [`EmbeddedPostgres::start`](super::EmbeddedPostgres::start) would report.
pub fn preflight(config: &EmbeddedConfig) -> Result<Preflight, EmbeddedError> {
    let free = check(config)?;
    let home = DataFolder { root: config.home.clone() };
    let account = cluster::choose_account(config)?;
    account.must_reach(&nearest(&config.home))?;
    let server = Binaries::find(config, &home)?;
    let source = match &server {
        Some(binaries) => {
            account.must_reach(&binaries.bindir)?;
            None
        }
        None => Some(install::source(config)?),
    };
    let version = server.map(|binaries| binaries.version);
    Ok(Preflight { free, version, source, holder: holder(&config.home) })
}

/// Checks that the folder is writable and has space; returns the free megabytes.
pub(super) fn check(config: &EmbeddedConfig) -> Result<u64, EmbeddedError> {
    let home = &config.home;
    let nearest_folder = nearest(home);
    let unwritable = |error: nix::Error| EmbeddedError::Unwritable {
        home: home.clone(),
        path: nearest_folder.clone(),
        source: error.into(),
    };
    access(&nearest_folder, AccessFlags::W_OK | AccessFlags::X_OK).map_err(unwritable)?;
    let free = free_megabytes(&nearest_folder).map_err(unwritable)?;
    let is_known = !DataFolder { root: home.clone() }.majors().is_empty();
    let needed = if is_known { KNOWN_CLUSTER } else { NEW_CLUSTER };
    if free < needed {
        return Err(EmbeddedError::NoSpace { home: home.clone(), free, needed });
    }
    Ok(free)
}

/// The free space on the disk of a folder, in megabytes.
pub(super) fn free_megabytes(folder: &Path) -> nix::Result<u64> {
    let disk = statvfs(folder)?;
    // The types of the two values differ between Linux and macOS.
    let bytes = u128::from(disk.blocks_available()) * u128::from(disk.fragment_size());
    Ok(u64::try_from(bytes / 1_000_000).unwrap_or(u64::MAX))
}

/// The folder itself, or its nearest existing parent.
fn nearest(home: &Path) -> PathBuf {
    let absolute_path = std::path::absolute(home).unwrap_or_else(|_| home.to_owned());
    let nearest_folder = absolute_path.ancestors().find(|folder| folder.exists());
    nearest_folder.unwrap_or(Path::new("/")).to_owned()
}
