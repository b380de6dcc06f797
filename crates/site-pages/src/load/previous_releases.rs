//! Files of previous releases: a browser that still shows a previous release requests its files by
//! names that no later build has.
//!
//! Each release has a folder `<number>-<hash of its page>`; the release with the highest number was
//! started last. An error here is only logged.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// How many releases before the running one are kept.
const LIMIT: usize = 3;

/// The stored releases, without the running one.
pub struct PreviousReleases {
    folder: PathBuf,
    /// The id of the running release.
    id: String,
    /// The folders of the previous releases, the newest first.
    releases: Vec<PathBuf>,
}

/// A stored release.
struct Release {
    number: u32,
    id: String,
    path: PathBuf,
}

impl PreviousReleases {
    /// The releases in `folder`, without the release of this page, which [`Self::keep`] adds.
    pub fn open(folder: &Path, page: &[u8]) -> Self {
        let id: String = Sha256::digest(page).iter().take(8).map(|b| format!("{b:02x}")).collect();
        let releases = others(folder, &id).into_iter().take(LIMIT).map(|release| release.path);
        Self { releases: releases.collect(), folder: folder.to_owned(), id }
    }

    /// Stores the running release by `fill`, unless it is stored already, and removes the oldest
    /// releases beyond [`LIMIT`].
    pub fn keep(&self, fill: impl FnOnce(&Path) -> io::Result<()>) {
        let Self { folder, id, .. } = self;
        if let Err(error) = put(folder, id, fill) {
            tracing::warn!(%error, folder = %folder.display(), "release files not stored");
        }
        for old in others(folder, id).into_iter().skip(LIMIT) {
            if let Err(error) = fs::remove_dir_all(&old.path) {
                tracing::warn!(%error, release = %old.path.display(), "old release not removed");
            }
        }
    }

    /// The file with this name from the newest release that has it.
    pub async fn read(&self, name: &str) -> Option<Vec<u8>> {
        for release in &self.releases {
            if let Ok(bytes) = tokio::fs::read(release.join(name)).await {
                return Some(bytes);
            }
        }
        None
    }
}

/// Makes the release with this id the newest in the folder.
fn put(folder: &Path, id: &str, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let known = list(folder)?;
    let newest = known.first();
    if newest.is_some_and(|release| release.id == id) {
        return Ok(());
    }
    let number = newest.map_or(1, |release| release.number.saturating_add(1));
    let path = folder.join(format!("{number}-{id}"));
    if let Some(release) = known.iter().find(|release| release.id == id) {
        return fs::rename(&release.path, path);
    }
    // The release is written under a name that is ignored, and renamed when it is complete.
    let draft = folder.join(format!("draft-{}", std::process::id()));
    let filled = fill(&draft).and_then(|()| fs::rename(&draft, path));
    if filled.is_err() {
        let _ = fs::remove_dir_all(&draft);
    }
    filled
}

/// The other releases in the folder, newest first.
fn others(folder: &Path, id: &str) -> Vec<Release> {
    let mut releases = list(folder).unwrap_or_default();
    releases.retain(|release| release.id != id);
    releases
}

/// The releases in the folder, newest first.
fn list(folder: &Path) -> io::Result<Vec<Release>> {
    let mut releases = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some((number, id)) = name.split_once('-')
            && let Ok(number) = number.parse()
        {
            releases.push(Release { number, id: id.to_owned(), path: entry.path() });
        }
    }
    releases.sort_by_key(|release| std::cmp::Reverse(release.number));
    Ok(releases)
}
