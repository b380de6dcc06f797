//! What makes, keeps and checks backups, as the console asks it. Whoever mounts the console brings it; the
//! console knows who may ask, when it is due and what is written down of it.

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

/// Where a backup lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupPlace {
    /// A folder of this machine.
    Folder,
    /// A bucket of an S3 store.
    S3,
    /// Where the command `backup` was told to write it; it is nobody's to look after.
    Elsewhere,
}

impl BackupPlace {
    /// As it stands in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::S3 => "s3",
            Self::Elsewhere => "elsewhere",
        }
    }

    /// The place of this name; elsewhere for a name that nobody knows.
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "folder" => Self::Folder,
            "s3" => Self::S3,
            _ => Self::Elsewhere,
        }
    }
}

/// A place that backups can be kept at.
#[derive(Debug, Clone, Serialize)]
pub struct BackupTarget {
    /// Which one.
    pub place: BackupPlace,
    /// The folder's path, or the bucket's name.
    pub label: String,
}

/// Why no backup can be made here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupObstacle {
    /// There is no `pg_dump` that understands the server.
    NoPrograms,
    /// The login may not read every table.
    NoRight,
}

/// Why no backup can take the place of what is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RestoreObstacle {
    /// The server is not the program's own, and others may work in the database.
    GivenDatabase,
}

/// What the console writes into a restored database before it is served.
pub type RestoreMark = Box<dyn FnOnce(OwnerDb) -> BoxFuture<'static, Result<(), PgError>> + Send>;

/// One backup that is kept.
#[derive(Debug, Clone)]
pub struct BackupFile {
    /// Its id, which nothing else has.
    pub id: Uuid,
    /// Its name, without a folder.
    pub name: String,
    /// Where it lies.
    pub place: BackupPlace,
}

/// What a backup holds, found by bringing it back into a database that was made for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupContents {
    /// The archive's format.
    pub format: u32,
    /// The version of the program that wrote it.
    pub program: String,
    /// The major version of the server it was read from.
    pub postgresql: u32,
    /// Whether the keys of the data folder are in it.
    pub has_keys: bool,
    /// Tables, those of the services included.
    pub tables: i64,
    /// Their rows.
    pub rows: i64,
    /// Files of objects.
    pub objects: u64,
    /// Their bytes.
    pub object_bytes: u64,
}

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum BackupFailure {
    /// PostgreSQL does not answer, as while a restored database takes its place.
    #[error(transparent)]
    Database(PgError),
    /// Anything else, in words.
    #[error("{0}")]
    Failed(String),
}

/// The bytes of a backup.
pub type BackupStream = BoxStream<'static, Result<Bytes, BackupFailure>>;

/// What a backup is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupStage {
    /// The database is being read.
    Database,
    /// The files of objects are.
    Objects,
    /// What was read is on its way to a store.
    Sending,
}

impl BackupStage {
    const ALL: [Self; 3] = [Self::Database, Self::Objects, Self::Sending];

    /// As it stands in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Objects => "objects",
            Self::Sending => "sending",
        }
    }
}

/// How far a backup is, and the way to end it. Cheap to clone.
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
    /// Notes what is being done now; its bytes count from 0.
    pub fn begin(&self, stage: BackupStage) {
        let place = BackupStage::ALL.iter().position(|one| *one == stage).unwrap_or_default();
        self.0.stage.store(u8::try_from(place).unwrap_or_default(), Ordering::Relaxed);
        self.0.bytes.store(0, Ordering::Relaxed);
    }

    /// Notes that so many more bytes were read.
    pub fn add(&self, bytes: u64) {
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// What is being done.
    pub fn stage(&self) -> BackupStage {
        let place = usize::from(self.0.stage.load(Ordering::Relaxed));
        BackupStage::ALL.get(place).copied().unwrap_or(BackupStage::Database)
    }

    /// Bytes of it so far.
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Cancelled when it is to end before its time.
    pub fn cancelled(&self) -> &CancellationToken {
        &self.0.cancelled
    }
}

/// Makes, keeps and checks backups.
pub trait BackupMechanism: Send + Sync + 'static {
    /// Where backups can be kept.
    fn targets(&self) -> Vec<BackupTarget>;

    /// Whether the files of objects are in a backup; those of another store are not.
    fn has_objects(&self) -> bool;

    /// Why none can be made now.
    fn obstacle(&self) -> BoxFuture<'_, Result<Option<BackupObstacle>, BackupFailure>>;

    /// Makes one. Gives its bytes; where it fails, nothing of it stays.
    fn make(
        &self,
        file: BackupFile,
        progress: BackupProgress,
    ) -> BoxFuture<'static, Result<u64, BackupFailure>>;

    /// Brings one back into a database that is made for it and removed again.
    fn check(
        &self,
        file: BackupFile,
        progress: BackupProgress,
    ) -> BoxFuture<'static, Result<BackupContents, BackupFailure>>;

    /// Why none can take the place of what is served.
    fn restore_obstacle(&self) -> Option<RestoreObstacle>;

    /// Puts one in the place of what is served. The console's own schema goes along as it is now, with what
    /// `mark` writes. Where it fails, nothing has changed.
    fn restore(
        &self,
        file: BackupFile,
        progress: BackupProgress,
        mark: RestoreMark,
    ) -> BoxFuture<'static, Result<(), BackupFailure>>;

    /// Opens one: its length and its bytes.
    fn read(
        &self,
        file: BackupFile,
    ) -> BoxFuture<'static, Result<(u64, BackupStream), BackupFailure>>;

    /// Removes one with all that a failed attempt may have left; what is not there is nothing to remove.
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
