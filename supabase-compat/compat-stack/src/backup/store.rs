//! Keeps backups in an S3 store, with the client that also keeps objects.

use std::path::Path;

use bytes::Bytes;
use compat_console::{BackupFile, BackupProgress};
use compat_http::{Entropy, Outgoing};
use compat_storage::bytes::{
    ByteStream, BytesError, ObjectBytes as _, ObjectLocation, Remote, RemoteConfig,
};
use futures_util::{StreamExt as _, TryStreamExt as _};
use tokio::fs::{File, OpenOptions};
use tokio::io::AsyncWriteExt as _;
use tokio_util::io::ReaderStream;

use super::{BackupError, at};

/// The bucket part of the keys: `<prefix>/backups/<name>/<id>`.
const FOLDER: &str = "backups";

/// An S3 store for backups.
#[derive(Clone)]
pub(super) struct BackupStore {
    remote: Remote,
    /// The name of the bucket.
    pub bucket: String,
}

impl BackupStore {
    pub fn new(config: &RemoteConfig, outgoing: Outgoing, entropy: Entropy) -> Self {
        Self { remote: Remote::new(config, outgoing, entropy), bucket: config.bucket.clone() }
    }

    /// Uploads the file at a path. A failed or cancelled upload leaves nothing in the store.
    pub async fn send(
        &self,
        file: &BackupFile,
        path: &Path,
        progress: &BackupProgress,
    ) -> Result<(), BackupError> {
        let content = File::open(path).await.map_err(at(path))?;
        let counted = progress.clone();
        let content: ByteStream = ReaderStream::new(content)
            .inspect_ok(move |piece: &Bytes| counted.add(piece.len() as u64))
            .map_err(Into::into)
            .boxed();
        let place = location(file);
        tokio::select! {
            sent = self.remote.write(&place, content, u64::MAX) => sent.map(drop).map_err(backup_error),
            () = progress.cancelled().cancelled() => Err(BackupError::Cancelled),
        }
    }

    /// Opens a backup; returns its length and its bytes.
    pub async fn open(&self, file: &BackupFile) -> Result<(u64, ByteStream), BackupError> {
        let opened = self.remote.read(&location(file), None).await.map_err(backup_error)?;
        Ok((opened.size, opened.content))
    }

    /// Downloads a backup to a local file, which is replaced if it exists.
    pub async fn fetch(&self, file: &BackupFile, path: &Path) -> Result<(), BackupError> {
        let (_, mut content) = self.open(file).await?;
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(true).mode(0o600);
        let mut copy = options.open(path).await.map_err(at(path))?;
        while let Some(piece) = content.next().await {
            let piece = piece.map_err(|error| BackupError::Store(error.to_string()))?;
            copy.write_all(&piece).await.map_err(at(path))?;
        }
        copy.flush().await.map_err(at(path))
    }

    pub async fn remove(&self, file: &BackupFile) -> Result<(), BackupError> {
        self.remote.remove(&[location(file)]).await.map_err(backup_error)
    }
}

fn location(file: &BackupFile) -> ObjectLocation {
    ObjectLocation { bucket: FOLDER.to_owned(), key: file.name.clone(), version: file.id }
}

/// Includes the store's own message, because the operator can act on it.
fn backup_error(error: BytesError) -> BackupError {
    let reason = match std::error::Error::source(&error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    };
    BackupError::Store(reason)
}
