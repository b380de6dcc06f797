//! The interface by which the console makes, stores and checks backups. The program that mounts the
//! console implements it; the console decides who may request a backup and when one is due, and
//! records the outcome.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use bytes::Bytes;
use compat_pg::{OwnerDb, PgError};
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Where a backup is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupPlace {
    /// A folder of this machine.
    Folder,
    /// A bucket of an S3 store.
    S3,
    /// A path that was given to the command `backup`; the console does not manage the file.
    Elsewhere,
}

impl BackupPlace {
    /// The name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::S3 => "s3",
            Self::Elsewhere => "elsewhere",
        }
    }

    /// The place of this name; [`Self::Elsewhere`] for an unknown name.
    pub(crate) fn from_name(name: &str) -> Self {
        match name {
            "folder" => Self::Folder,
            "s3" => Self::S3,
            _ => Self::Elsewhere,
        }
    }
}

/// A place where backups can be stored.
#[derive(Debug, Clone, Serialize)]
pub struct BackupTarget {
    /// The kind of place.
    pub place: BackupPlace,
    /// The folder's path, or the bucket's name.
    pub label: String,
}

/// Why no backup can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupObstacle {
    /// There is no `pg_dump` that understands the server.
    NoPrograms,
    /// The login may not read every table.
    NoRight,
}

/// Why no backup can be restored over the live database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RestoreObstacle {
    /// The server is not the program's own, and the database may have other users.
    GivenDatabase,
}

/// Writes the console's record of a restore into the restored database before it goes live.
pub type RestoreMark = Box<dyn FnOnce(OwnerDb) -> BoxFuture<'static, Result<(), PgError>> + Send>;

/// A stored backup.
#[derive(Debug, Clone)]
pub struct BackupFile {
    /// The unique id.
    pub id: Uuid,
    /// The name, without a folder.
    pub name: String,
    /// Where the backup is stored.
    pub place: BackupPlace,
}

/// The contents of a backup, found by restoring it into a temporary database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupContents {
    /// The archive's format.
    pub format: u32,
    /// The version of the program that wrote it.
    pub program: String,
    /// The major version of the server that was backed up.
    pub postgresql: u32,
    /// Whether the keys of the data folder are included.
    pub has_keys: bool,
    /// The number of tables, including those of the services.
    pub tables: i64,
    /// The number of rows in these tables.
    pub rows: i64,
    /// The number of object files.
    pub objects: u64,
    /// The size of the object files in bytes.
    pub object_bytes: u64,
}

/// Why work on a backup failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupFailure {
    /// PostgreSQL does not answer, for instance while a restored database replaces the live one.
    #[error(transparent)]
    Database(PgError),
    /// Another failure, with a description.
    #[error("{0}")]
    Failed(String),
}

/// The bytes of a backup.
pub type BackupStream = BoxStream<'static, Result<Bytes, BackupFailure>>;

/// A stage in making a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupStage {
    /// The database is being read.
    Database,
    /// The object files are being read.
    Objects,
    /// The backup is being uploaded to a store.
    Sending,
}

impl BackupStage {
    const ALL: [Self; 3] = [Self::Database, Self::Objects, Self::Sending];

    /// The name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Objects => "objects",
            Self::Sending => "sending",
        }
    }
}

/// The progress of work on a backup, and its cancellation. Cheap to clone.
#[derive(Clone, Default)]
pub struct BackupProgress(Arc<ProgressState>);

#[derive(Default)]
struct ProgressState {
    stage: AtomicU8,
    bytes: AtomicU64,
    cancelled: CancellationToken,
}

impl fmt::Debug for BackupProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BackupProgress").field(&self.stage()).field(&self.bytes()).finish()
    }
}

impl BackupProgress {
    /// Sets the stage, and resets the byte count to 0.
    pub fn begin(&self, stage: BackupStage) {
        let place = BackupStage::ALL.iter().position(|one| *one == stage).unwrap_or_default();
        self.0.stage.store(u8::try_from(place).unwrap_or_default(), Ordering::Relaxed);
        self.0.bytes.store(0, Ordering::Relaxed);
    }

    /// Adds to the byte count of the stage.
    pub fn add(&self, bytes: u64) {
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The current stage.
    pub fn stage(&self) -> BackupStage {
        let place = usize::from(self.0.stage.load(Ordering::Relaxed));
        BackupStage::ALL.get(place).copied().unwrap_or(BackupStage::Database)
    }

    /// The byte count of the stage.
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Cancelled when the work has to end early.
    pub fn cancelled(&self) -> &CancellationToken {
        &self.0.cancelled
    }
}

/// Makes, stores, checks and restores backups.
pub trait BackupMechanism: Send + Sync + 'static {
    /// The places where backups can be stored.
    fn targets(&self) -> Vec<BackupTarget>;

    /// Whether backups include the object files; those of an external store are not included.
    fn has_objects(&self) -> bool;

    /// The reason why no backup can be made now, if there is one.
    fn obstacle(&self) -> BoxFuture<'_, Result<Option<BackupObstacle>, BackupFailure>>;

    /// Makes a backup and returns its size in bytes. After a failure, nothing of it remains.
    fn make(
        &self,
        file: BackupFile,
        progress: BackupProgress,
    ) -> BoxFuture<'static, Result<u64, BackupFailure>>;

    /// Restores a backup into a temporary database, which is removed afterwards.
    fn check(
        &self,
        file: BackupFile,
        progress: BackupProgress,
    ) -> BoxFuture<'static, Result<BackupContents, BackupFailure>>;

    /// The reason why no backup can be restored, if there is one.
    fn restore_obstacle(&self) -> Option<RestoreObstacle>;

    /// Replaces the live database by a backup. The console's own schema is copied from the live
    /// database, and `mark` then writes to it. After a failure, nothing has changed.
    fn restore(
        &self,
        file: BackupFile,
        progress: BackupProgress,
        mark: RestoreMark,
    ) -> BoxFuture<'static, Result<(), BackupFailure>>;

    /// Opens a backup; returns its length and its content.
    fn read(
        &self,
        file: BackupFile,
    ) -> BoxFuture<'static, Result<(u64, BackupStream), BackupFailure>>;

    /// Removes a backup with the remains of failed attempts; succeeds if there is nothing to
    /// remove.
    fn remove(&self, file: BackupFile) -> BoxFuture<'static, Result<(), BackupFailure>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_stage_count_from_nothing() {
        let progress = BackupProgress::default();
        assert_eq!((progress.stage(), progress.bytes()), (BackupStage::Database, 0));
        progress.add(5);
        progress.begin(BackupStage::Sending);
        progress.add(2);
        assert_eq!((progress.stage(), progress.bytes()), (BackupStage::Sending, 2));
    }
}
