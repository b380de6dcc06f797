//! What a start needs of the machine, asked before anything is changed, by a start and by whoever
//! wants to know beforehand.

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
/// Megabytes without which a cluster that is there cannot start: recovery may need two segments.
const KNOWN_CLUSTER: u64 = 40;

/// What a data folder and the machine offer an embedded server.
#[derive(Debug)]
pub struct Preflight {
    /// Megabytes that are free where the data are or will be.
    pub free: u64,
    /// The version of the server that would be used; none where one would be installed first.
    pub version: Option<String>,
    /// Where that would be got from, in words for a person.
    pub source: Option<&'static str>,
    /// The process that runs a server in the folder.
    pub holder: Option<i32>,
}

/// Looks, and changes nothing.
///
/// # Errors
/// What would stand in the way of [`EmbeddedPostgres::start`](super::EmbeddedPostgres::start).
pub fn preflight(config: &EmbeddedConfig) -> Result<Preflight, EmbeddedError> {
    let free = check(config)?;
    let home = DataFolder { root: config.home.clone() };
    let account = cluster::choose_account(config)?;
    account.must_reach(&nearest(&config.home))?;
    let found = Binaries::find(config, &home)?;
    let source = match &found {
        Some(binaries) => {
            account.must_reach(&binaries.bindir)?;
            None
        }
        None => Some(install::source(config)?),
    };
    let version = found.map(|binaries| binaries.version);
    Ok(Preflight { free, version, source, holder: holder(&config.home) })
}

/// Whether the folder can be written to and has room; gives the megabytes that are free.
pub(super) fn check(config: &EmbeddedConfig) -> Result<u64, EmbeddedError> {
    let home = &config.home;
    let there = nearest(home);
    let unwritable = |error: nix::Error| EmbeddedError::Unwritable {
        home: home.clone(),
        path: there.clone(),
        source: error.into(),
    };
    access(&there, AccessFlags::W_OK | AccessFlags::X_OK).map_err(unwritable)?;
    let free = free_megabytes(&there).map_err(unwritable)?;
    let is_known = !DataFolder { root: home.clone() }.majors().is_empty();
    let needed = if is_known { KNOWN_CLUSTER } else { NEW_CLUSTER };
    if free < needed {
        return Err(EmbeddedError::NoSpace { home: home.clone(), free, needed });
    }
    Ok(free)
}

/// What is free on the disk of a folder, in megabytes.
pub(super) fn free_megabytes(folder: &Path) -> nix::Result<u64> {
    let disk = statvfs(folder)?;
    // The two have other types on macOS.
    let bytes = u128::from(disk.blocks_available()) * u128::from(disk.fragment_size());
    Ok(u64::try_from(bytes / 1_000_000).unwrap_or(u64::MAX))
}

/// The folder itself, or the nearest above it that is there.
fn nearest(home: &Path) -> PathBuf {
    let whole = std::path::absolute(home).unwrap_or_else(|_| home.to_owned());
    let there = whole.ancestors().find(|folder| folder.exists());
    there.unwrap_or(Path::new("/")).to_owned()
}
