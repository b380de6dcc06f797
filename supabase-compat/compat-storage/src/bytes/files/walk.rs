//! Lists all entries of the folder, one by one.

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
use crate::bytes::disk::{is_absent, storage_error};
use crate::bytes::{BytesError, StoreEntry, StoreFinding, name};

/// The most entries that are read ahead of the consumer.
const AHEAD: usize = 256;

type EntrySender = mpsc::Sender<io::Result<StoreEntry>>;

/// Lists the entries of the folder; stops when the stream is dropped.
pub(super) fn walk(folder: Arc<Folder>) -> BoxStream<'static, Result<StoreEntry, BytesError>> {
    let (sender, entries) = mpsc::channel(AHEAD);
    spawn_blocking(move || {
        if let Err(error) = send_entries(&folder, &sender) {
            let _ = sender.blocking_send(Err(error));
        }
    });
    stream::unfold(entries, async |mut entries| Some((entries.recv().await?, entries)))
        .map_err(storage_error)
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
        let finding = match below.strip_prefix(name::own("parts")) {
            Ok(part) => part.to_str().and_then(|part| part.parse().ok()).map(StoreFinding::Part),
            Err(_) if is_folder => None,
            Err(_) => name::place(below).map(StoreFinding::Object),
        };
        let Some(finding) = finding else {
            if is_folder {
                open.extend(entries(&path)?);
            }
            continue;
        };
        if !send_entry(&entry, finding, sender)? {
            return Ok(());
        }
    }
    Ok(())
}

/// The entries of a folder; `None` if it was removed meanwhile.
fn entries(folder: &Path) -> io::Result<Option<ReadDir>> {
    match fs::read_dir(folder) {
        Err(error) if is_absent(&error) => Ok(None),
        entries => entries.map(Some),
    }
}

/// Sends an entry; false when the receiver is gone.
fn send_entry(entry: &DirEntry, finding: StoreFinding, sender: &EntrySender) -> io::Result<bool> {
    let metadata = match entry.metadata() {
        Err(error) if is_absent(&error) => return Ok(true),
        metadata => metadata?,
    };
    // `ctime` is when the file came into this folder; a copied or restored file keeps its older
    // `mtime`.
    let since = DateTime::from_timestamp(metadata.ctime(), 0).unwrap_or(DateTime::UNIX_EPOCH);
    Ok(sender.blocking_send(Ok(StoreEntry { finding, since })).is_ok())
}
