//! Everything that lies in the folder, told one by one.

use std::fs::{self, DirEntry, ReadDir};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;

use chrono::DateTime;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt as _, TryStreamExt as _};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::folder::Folder;
use crate::bytes::disk::{is_absent, refused};
use crate::bytes::{BytesError, StoreEntry, StoreFinding, name};

/// What is found before anybody takes it.
const AHEAD: usize = 256;

type EntrySender = mpsc::Sender<io::Result<StoreEntry>>;

/// Ends early when the stream is dropped.
pub(super) fn walk(folder: Arc<Folder>) -> BoxStream<'static, Result<StoreEntry, BytesError>> {
    let (sender, entries) = mpsc::channel(AHEAD);
    spawn_blocking(move || {
        if let Err(error) = send_entries(&folder, &sender) {
            let _ = sender.blocking_send(Err(error));
        }
    });
    stream::unfold(entries, async |mut entries| Some((entries.recv().await?, entries)))
        .map_err(refused)
        .boxed()
}

fn send_entries(folder: &Folder, sender: &EntrySender) -> io::Result<()> {
    let root = folder.root();
    let mut open: Vec<ReadDir> = entries(root)?.into_iter().collect();
    while let Some(folder) = open.last_mut() {
        let Some(entry) = folder.next() else {
            open.pop();
            continue;
        };
        let entry = entry?;
        let path = entry.path();
        let below = path.strip_prefix(root).unwrap_or(&path);
        let is_folder = entry.file_type()?.is_dir();
        let what = match below.strip_prefix(name::own("parts")) {
            Ok(part) => part.to_str().and_then(|part| part.parse().ok()).map(StoreFinding::Part),
            Err(_) if is_folder => None,
            Err(_) => name::place(below).map(StoreFinding::Object),
        };
        let Some(what) = what else {
            if is_folder {
                open.extend(entries(&path)?);
            }
            continue;
        };
        if !send_entry(&entry, what, sender)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Nothing where it was tidied away meanwhile.
fn entries(folder: &Path) -> io::Result<Option<ReadDir>> {
    match fs::read_dir(folder) {
        Err(error) if is_absent(&error) => Ok(None),
        entries => entries.map(Some),
    }
}

/// False when nobody listens any more.
fn send_entry(entry: &DirEntry, what: StoreFinding, sender: &EntrySender) -> io::Result<bool> {
    let found = match entry.metadata() {
        Err(error) if is_absent(&error) => return Ok(true),
        found => found?,
    };
    // When it came into this folder, which a copied or restored file's own time does not say.
    let since = DateTime::from_timestamp(found.ctime(), 0).unwrap_or(DateTime::UNIX_EPOCH);
    Ok(sender.blocking_send(Ok(StoreEntry { what, since })).is_ok())
}
