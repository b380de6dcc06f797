//! Backups in an S3 store, by the client that keeps objects in one.

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

/// What stands for the bucket in the keys: `<prefix>/backups/<name>/<id>`.
const FOLDER: &str = "backups";

/// A store that keeps backups.
#[derive(Clone)]
pub(super) struct BackupStore {
    remote: Remote,
    /// The name of its bucket.
    pub bucket: String,
}

impl BackupStore {
    pub fn new(config: &RemoteConfig, outgoing: Outgoing, entropy: Entropy) -> Self {
        Self { remote: Remote::new(config, outgoing, entropy), bucket: config.bucket.clone() }
    }

    /// Sends what lies at a path. Nothing stays in the store where it fails or is cancelled.
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
            sent = self.remote.write(&place, content, u64::MAX) => sent.map(drop).map_err(refused),
            () = progress.cancelled().cancelled() => Err(BackupError::Cancelled),
        }
    }

    /// Its length and its bytes.
    pub async fn open(&self, file: &BackupFile) -> Result<(u64, ByteStream), BackupError> {
        let opened = self.remote.read(&location(file), None).await.map_err(refused)?;
        Ok((opened.size, opened.content))
    }

    /// Writes it to a path that is new.
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
        self.remote.remove(&[location(file)]).await.map_err(refused)
    }
}

fn location(file: &BackupFile) -> ObjectLocation {
    ObjectLocation { bucket: FOLDER.to_owned(), key: file.name.clone(), version: file.id }
}

/// With what the store said: an operator can do something about it.
fn refused(error: BytesError) -> BackupError {
    let reason = match std::error::Error::source(&error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    };
    BackupError::Store(reason)
}
