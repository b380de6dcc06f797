//! What is left of earlier releases: a browser that still shows one asks for parts of it by names
//! that no later build has.
//!
//! One folder a release, `<number>-<hash of its page>`; the highest number was started last. It
//! is a courtesy: whatever fails here is said and changes nothing else.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// How many releases before the running one are kept.
const KEPT: usize = 3;

/// The releases kept, without the running one.
pub struct Former {
    /// Newest first.
    releases: Vec<PathBuf>,
}

/// A release on the shelf.
struct Release {
    number: u32,
    id: String,
    path: PathBuf,
}

impl Former {
    /// Opens `shelf`, with the release of this page put onto it by `fill` unless it is there; the
    /// oldest beyond [`KEPT`] go.
    pub fn open(shelf: &Path, page: &[u8], fill: impl FnOnce(&Path) -> io::Result<()>) -> Self {
        let id: String = Sha256::digest(page).iter().take(8).map(|b| format!("{b:02x}")).collect();
        if let Err(error) = put(shelf, &id, fill) {
            tracing::warn!(%error, shelf = %shelf.display(), "this release's files are not kept");
        }
        let mut releases = list(shelf).unwrap_or_default();
        releases.retain(|release| release.id != id);
        for old in releases.drain(KEPT.min(releases.len())..) {
            if let Err(error) = fs::remove_dir_all(&old.path) {
                tracing::warn!(%error, release = %old.path.display(), "an old release stays");
            }
        }
        Self { releases: releases.into_iter().map(|release| release.path).collect() }
    }

    /// The file of this name in the newest release that has it.
    pub async fn read(&self, name: &str) -> Option<Vec<u8>> {
        for release in &self.releases {
            if let Ok(bytes) = tokio::fs::read(release.join(name)).await {
                return Some(bytes);
            }
        }
        None
    }
}

/// Makes the release of this id the newest on the shelf.
fn put(shelf: &Path, id: &str, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    fs::create_dir_all(shelf)?;
    let known = list(shelf)?;
    let newest = known.first();
    if newest.is_some_and(|release| release.id == id) {
        return Ok(());
    }
    let number = newest.map_or(1, |release| release.number.saturating_add(1));
    let place = shelf.join(format!("{number}-{id}"));
    if let Some(release) = known.iter().find(|release| release.id == id) {
        return fs::rename(&release.path, place);
    }
    // Filled under a name that counts for nothing, so that half a release is none.
    let draft = shelf.join(format!("draft-{}", std::process::id()));
    let filled = fill(&draft).and_then(|()| fs::rename(&draft, place));
    if filled.is_err() {
        let _ = fs::remove_dir_all(&draft);
    }
    filled
}

/// The releases on the shelf, newest first.
fn list(shelf: &Path) -> io::Result<Vec<Release>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(shelf)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some((number, id)) = name.split_once('-')
            && let Ok(number) = number.parse()
        {
            found.push(Release { number, id: id.to_owned(), path: entry.path() });
        }
    }
    found.sort_by_key(|release| std::cmp::Reverse(release.number));
    Ok(found)
}
