//! Makes, checks and restores backups of the live database for the console, in a folder or an S3
//! store.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use compat_console::{
    BackupContents, BackupFailure, BackupFile, BackupMechanism, BackupObstacle, BackupPlace,
    BackupProgress, BackupStage, BackupStream, BackupTarget, RestoreMark, RestoreObstacle,
};
use compat_http::ServiceEnvironment;
use compat_pg::{EmbeddedError, OwnerDb, SchemaSource, database_size};
use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, TryStreamExt as _};
use nix::sys::statvfs::statvfs;
use secrecy::SecretString;
use tokio::fs::{File, remove_file};
use tokio::sync::Mutex;
use tokio_util::io::ReaderStream;
use tokio_util::sync::CancellationToken;

use super::replace::{LiveProject, replace};
use super::store::BackupStore;
use super::{
    BackupError, BackupSource, Programs, at, blocking, check, draft_of, folder_of, objects,
};
use crate::Settings;

/// Bytes of the disk that stay free, because the live database is on it, too.
const KEEP_FREE: u64 = 128 * 1024 * 1024;
/// Bytes that an empty PostgreSQL cluster takes.
const EMPTY_SERVER: u64 = 64 * 1024 * 1024;
const MEGABYTE: u64 = 1_000_000;

/// Whether the login may read every row, as `pg_dump` must.
const MAY_READ: &str = "select not exists (
    select from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm')
      and n.nspname !~ '^pg_'
      and n.nspname <> 'information_schema'
      and not exists (
        select from pg_catalog.pg_depend as d
        where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      and (
        not pg_catalog.has_schema_privilege(n.oid, 'usage')
        or not pg_catalog.has_table_privilege(c.oid, 'select')
        or pg_catalog.row_security_active(c.oid)))";

/// What the backups need when the console starts.
pub(crate) struct BackupContext<'a> {
    pub settings: &'a Settings,
    pub schemas: &'a [SchemaSource],
    pub owner: OwnerDb,
    /// The database URL of the owner.
    pub url: SecretString,
    pub environment: &'a ServiceEnvironment,
    /// Makes the services reload what they cache of the database.
    pub reload: Reload,
}

/// Called after a restored database has replaced the live one.
pub(crate) type Reload = Arc<dyn Fn() + Send + Sync>;

/// Backups of the live database.
pub(crate) struct StackBackups(Arc<Inner>);

struct Inner {
    settings: Settings,
    schemas: Vec<SchemaSource>,
    owner: OwnerDb,
    url: SecretString,
    store: Option<BackupStore>,
    reload: Reload,
    /// Held from the begin of a restore until its leftovers are removed. The console's lease ends
    /// before that: the restored database says that the restore is done.
    restore_lock: Mutex<()>,
    /// Set once the programs were found, because they are not removed again.
    has_programs: OnceLock<()>,
}

impl StackBackups {
    pub fn new(context: BackupContext<'_>) -> Self {
        let BackupContext { settings, schemas, owner, url, environment, reload } = context;
        let (outgoing, entropy) = (&environment.outgoing, &environment.entropy);
        let store = settings.backups.store.as_ref();
        let store = store.map(|one| BackupStore::new(one, outgoing.clone(), entropy.clone()));
        Self(Arc::new(Inner {
            settings: settings.clone(),
            schemas: schemas.to_vec(),
            owner,
            url,
            store,
            reload,
            restore_lock: Mutex::new(()),
            has_programs: OnceLock::new(),
        }))
    }
}

impl BackupMechanism for StackBackups {
    fn targets(&self) -> Vec<BackupTarget> {
        let folder = self.0.settings.backups.folder.display().to_string();
        let mut targets = vec![BackupTarget { place: BackupPlace::Folder, label: folder }];
        let store = self.0.store.as_ref();
        targets.extend(
            store.map(|one| BackupTarget { place: BackupPlace::S3, label: one.bucket.clone() }),
        );
        targets
    }

    fn has_objects(&self) -> bool {
        folder_of(&self.0.settings).is_some()
    }

    fn obstacle(&self) -> BoxFuture<'_, Result<Option<BackupObstacle>, BackupFailure>> {
        Box::pin(async { self.0.obstacle().await.map_err(failure) })
    }

    fn make(
        &self,
        file: BackupFile,
        progress: BackupProgress,
    ) -> BoxFuture<'static, Result<u64, BackupFailure>> {
        let inner = Arc::clone(&self.0);
        Box::pin(async move { inner.make(&file, &progress).await.map_err(failure) })
    }

    fn check(
        &self,
        file: BackupFile,
        progress: BackupProgress,
    ) -> BoxFuture<'static, Result<BackupContents, BackupFailure>> {
        let inner = Arc::clone(&self.0);
        Box::pin(async move { inner.check(&file, &progress).await.map_err(failure) })
    }

    fn restore_obstacle(&self) -> Option<RestoreObstacle> {
        let database = &self.0.settings.database;
        let is_given = database.url.is_some() || database.acting_url.is_some();
        is_given.then_some(RestoreObstacle::GivenDatabase)
    }

    fn restore(
        &self,
        file: BackupFile,
        progress: BackupProgress,
        mark: RestoreMark,
    ) -> BoxFuture<'static, Result<(), BackupFailure>> {
        let inner = Arc::clone(&self.0);
        Box::pin(async move { inner.restore(&file, &progress, mark).await.map_err(failure) })
    }

    fn read(
        &self,
        file: BackupFile,
    ) -> BoxFuture<'static, Result<(u64, BackupStream), BackupFailure>> {
        let inner = Arc::clone(&self.0);
        Box::pin(async move { inner.read(&file).await.map_err(failure) })
    }

    fn remove(&self, file: BackupFile) -> BoxFuture<'static, Result<(), BackupFailure>> {
        let inner = Arc::clone(&self.0);
        Box::pin(async move { inner.remove(&file).await.map_err(failure) })
    }
}

fn failure(error: BackupError) -> BackupFailure {
    match error {
        BackupError::Database(error) if error.is_unavailable() => BackupFailure::Database(error),
        error => BackupFailure::Failed(error.to_string()),
    }
}

impl Inner {
    async fn obstacle(&self) -> Result<Option<BackupObstacle>, BackupError> {
        if self.has_programs.get().is_none() {
            let major = self.owner.server_version().await? / 10_000;
            let bin_dir = self.settings.database.bin_dir.clone();
            match blocking(move || Programs::find(bin_dir.as_deref(), major)).await {
                Ok(_) => {
                    let _ = self.has_programs.set(());
                }
                Err(BackupError::Embedded(EmbeddedError::NotFound { .. })) => {
                    return Ok(Some(BackupObstacle::NoPrograms));
                }
                Err(error) => return Err(error),
            }
        }
        let may_read = self.owner.answers(MAY_READ).await?;
        Ok((!may_read).then_some(BackupObstacle::NoRight))
    }

    async fn make(&self, file: &BackupFile, progress: &BackupProgress) -> Result<u64, BackupError> {
        let path = self.path(file)?;
        let size = database_size(&self.owner).await?;
        let (folder, files) = (self.settings.backups.folder.clone(), folder_of(&self.settings));
        blocking(move || {
            make_folder(&folder)?;
            let files = files
                .map_or(Ok(0), |config| objects::size(&config.folder).map_err(at(&config.folder)));
            must_have_room(&folder, size.saturating_add(files?))
        })
        .await?;
        let major = self.owner.server_version().await? / 10_000;
        let source = BackupSource::new(&self.settings, self.url.clone(), major);
        let bytes = source.write(&path, progress).await?;
        if file.place == BackupPlace::S3 {
            progress.begin(BackupStage::Sending);
            let result = self.store()?.send(file, &path, progress).await;
            remove_if_there(&path).await?;
            result?;
        }
        Ok(bytes)
    }

    async fn check(
        &self,
        file: &BackupFile,
        progress: &BackupProgress,
    ) -> Result<BackupContents, BackupError> {
        let cancelled = progress.cancelled();
        let near = self.fetch_to_disk(file, cancelled).await?;
        let outcome = check::check(&self.settings, &self.schemas, &near.path, cancelled).await;
        near.remove_copy().await?;
        outcome
    }

    async fn restore(
        &self,
        file: &BackupFile,
        progress: &BackupProgress,
        mark: RestoreMark,
    ) -> Result<(), BackupError> {
        let database = &self.settings.database;
        if database.url.is_some() || database.acting_url.is_some() {
            return Err(BackupError::GivenDatabase);
        }
        let cancelled = progress.cancelled();
        let near = self.fetch_to_disk(file, cancelled).await?;
        let live = LiveProject {
            settings: &self.settings,
            schemas: &self.schemas,
            owner: &self.owner,
            url: &self.url,
            reload: &self.reload,
        };
        let lock = self.restore_lock.lock().await;
        let done = replace(&live, &near.path, mark, cancelled).await;
        drop(lock);
        near.remove_copy().await?;
        done
    }

    /// Makes a backup available as a local file, if there is enough room to restore it.
    async fn fetch_to_disk(
        &self,
        file: &BackupFile,
        cancelled: &CancellationToken,
    ) -> Result<NearBackup, BackupError> {
        let path = self.path(file)?;
        let (bytes, _) = self.read(file).await?;
        let live = database_size(&self.owner).await?;
        let needed = live.saturating_add(bytes).saturating_add(EMPTY_SERVER);
        let (folder, data_dir) =
            (self.settings.backups.folder.clone(), self.settings.data_dir.clone());
        blocking(move || {
            make_folder(&folder)?;
            std::fs::create_dir_all(&data_dir).map_err(at(&data_dir))?;
            must_have_room(&data_dir, needed)
        })
        .await?;
        if file.place != BackupPlace::S3 {
            return Ok(NearBackup { path, is_copy: false });
        }
        let near = NearBackup { path: fetched_of(&path), is_copy: true };
        let fetching = self.store()?.fetch(file, &near.path);
        let done = tokio::select! {
            done = fetching => done,
            () = cancelled.cancelled() => Err(BackupError::Cancelled),
        };
        match done {
            Ok(()) => Ok(near),
            Err(error) => {
                near.remove_copy().await?;
                Err(error)
            }
        }
    }

    async fn read(&self, file: &BackupFile) -> Result<(u64, BackupStream), BackupError> {
        if file.place == BackupPlace::S3 {
            let (bytes, content) = self.store()?.open(file).await?;
            let content = content.map_err(|error| BackupFailure::Failed(error.to_string())).boxed();
            return Ok((bytes, content));
        }
        let path = self.path(file)?;
        let content = File::open(&path).await.map_err(at(&path))?;
        let bytes = content.metadata().await.map_err(at(&path))?.len();
        let content = ReaderStream::new(content);
        Ok((bytes, content.map_err(|error| BackupFailure::Failed(error.to_string())).boxed()))
    }

    async fn remove(&self, file: &BackupFile) -> Result<(), BackupError> {
        let path = self.path(file)?;
        if file.place == BackupPlace::S3 {
            self.store()?.remove(file).await?;
        }
        for left in [draft_of(&path), fetched_of(&path), path] {
            remove_if_there(&left).await?;
        }
        Ok(())
    }

    /// The local path of a backup, also while it is made and before it is uploaded. Only names in
    /// our own format are accepted.
    fn path(&self, file: &BackupFile) -> Result<PathBuf, BackupError> {
        let is_own =
            |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '.');
        let is_plain = !file.name.starts_with('.') && file.name.chars().all(is_own);
        let folder = &self.settings.backups.folder;
        match is_plain && file.name.ends_with(".backup") {
            true => Ok(folder.join(&file.name)),
            false => Err(at(folder)(io::ErrorKind::InvalidFilename.into())),
        }
    }

    fn store(&self) -> Result<&BackupStore, BackupError> {
        let missing = || BackupError::Store("BACKUP_S3_BUCKET is not set".to_owned());
        self.store.as_ref().ok_or_else(missing)
    }
}

/// A backup in a local file.
struct NearBackup {
    path: PathBuf,
    /// Whether the file was downloaded from the store.
    is_copy: bool,
}

impl NearBackup {
    async fn remove_copy(self) -> Result<(), BackupError> {
        match self.is_copy {
            true => remove_if_there(&self.path).await,
            false => Ok(()),
        }
    }
}

/// The path to which a backup from the store is downloaded.
fn fetched_of(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.fetched", path.display()))
}

fn make_folder(folder: &Path) -> Result<(), BackupError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder).map_err(at(folder))
}

/// Refuses if so many bytes would fill the disk.
fn must_have_room(folder: &Path, bytes: u64) -> Result<(), BackupError> {
    let disk = statvfs(folder).map_err(io::Error::from).map_err(at(folder))?;
    let free = disk.blocks_available().saturating_mul(disk.fragment_size());
    let needed = bytes.saturating_add(KEEP_FREE);
    match free < needed {
        true => Err(BackupError::NoRoom {
            folder: folder.to_owned(),
            needed: needed.div_ceil(MEGABYTE),
            free: free / MEGABYTE,
        }),
        false => Ok(()),
    }
}

async fn remove_if_there(path: &Path) -> Result<(), BackupError> {
    match remove_file(path).await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done.map_err(at(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insufficient_disk_space_refuses_a_backup() {
        let folder = std::env::temp_dir();
        assert!(must_have_room(&folder, 0).is_ok());
        let refusal = must_have_room(&folder, u64::MAX).expect_err("no disk is so large");
        assert!(refusal.to_string().contains("MB are needed"), "{refusal}");
    }
}
