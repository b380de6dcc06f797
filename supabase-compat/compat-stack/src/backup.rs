//! Backs a whole project up into one file and restores it: the database by PostgreSQL's own
//! `pg_dump` and `pg_restore`, the files of objects, and the keys of the data folder. The project
//! may be served meanwhile.

mod archive;
mod check;
mod ledgers;
mod mechanism;
mod objects;
mod programs;
mod progress;
mod replace;
mod restore_output;
mod store;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use compat_console::{BackupProgress, BackupStage, CommandBackup};
use compat_http::{Clock, Entropy};
use compat_pg::{EmbeddedError, OwnerDb, PgError, SchemaSource};
use compat_storage::bytes::files::BackupHold;
use compat_storage::bytes::{Files, FilesConfig};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::stack::database;
use crate::{ConnectedDatabase, KEYS_FILE, ObjectSettings, Settings, StackError, VERSION};
use archive::Writer;
pub(crate) use mechanism::{BackupContext, Reload, StackBackups};
pub use programs::{Dump, Programs};
use progress::{CountedReader, RunningDump};

/// The archive format that this program writes.
const FORMAT: u32 = 2;
/// The first archive format, which has no files of objects.
const FIRST_FORMAT: u32 = 1;
/// The first entry of an archive, with its [`ArchiveManifest`].
const ABOUT: &str = "backup.json";
const DUMP: &str = "database.dump";

/// Why a backup or a restore failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is not a backup, or a later version wrote it.
    #[error("{} is not a backup that this version reads: {why}", path.display())]
    Format {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The target of a backup or a restore is already in use.
    #[error("{0}; nothing was changed")]
    Taken(String),
    /// The operation was cancelled before it was complete.
    #[error("it was cancelled")]
    Cancelled,
    /// The disk has too little free space.
    #[error("{needed} MB are needed in {}, and {free} MB are free", folder.display())]
    NoRoom {
        /// The folder that was to be written.
        folder: PathBuf,
        /// Megabytes that the operation may need.
        needed: u64,
        /// Megabytes that are free.
        free: u64,
    },
    /// The values sealed in the backup cannot be decrypted with this project's secret.
    #[error(
        "it was made with another APP_SECRET than this project's, so that nobody could read the vault; bring it \
         back with its keys by the command restore, into an empty data folder"
    )]
    OtherSecret,
    /// The database belongs to the operator, so this program cannot replace it.
    #[error(
        "the database of DATABASE_URL is brought back by the command restore, into an empty database"
    )]
    GivenDatabase,
    /// The S3 store refused a request or failed.
    #[error("the store: {0}")]
    Store(String),
    /// A program of PostgreSQL failed.
    #[error("{program}: {output}")]
    Program {
        /// The name of the program.
        program: &'static str,
        /// What the program wrote to its error output.
        output: String,
    },
    /// PostgreSQL cannot be reached.
    #[error(transparent)]
    Reach(#[from] StackError),
    /// The programs of PostgreSQL cannot be found.
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    /// A statement failed.
    #[error("database: {0}")]
    Database(#[from] PgError),
}

/// The first entry of an archive, which describes it.
#[derive(Debug, Serialize, Deserialize)]
struct ArchiveManifest {
    format: u32,
    /// The version of the program that wrote the archive.
    program: String,
    /// The major version of the database server.
    postgresql: u32,
}

/// What a backup is made from.
#[derive(Debug, Clone)]
pub(crate) struct BackupSource {
    /// The database URL of the owner.
    pub url: SecretString,
    /// The major version of the server.
    pub major: u32,
    /// The folder to look for `pg_dump` in.
    pub bin_dir: Option<PathBuf>,
    /// The file of the keys, which may be missing.
    pub keys: PathBuf,
    /// The folder of objects, unless objects are in a remote store.
    pub objects: Option<FilesConfig>,
}

/// Writes database, keys and the files of objects into a new file that only its owner may read.
/// Files that the database's rows name are not removed meanwhile. The backup is also recorded in
/// the console's list, if there is one.
///
/// # Errors
/// The file exists, or a part cannot be read: then no file is left behind.
pub async fn backup(settings: &Settings, file: &Path) -> Result<(), BackupError> {
    if file.exists() {
        return Err(BackupError::Taken(format!("{} exists already", file.display())));
    }
    let connected = ConnectedDatabase::open(settings).await?;
    let (clock, began) = (Clock::system(), Clock::system().now());
    let source = BackupSource::new(settings, connected.url.clone(), connected.major);
    let result = source.write(file, &BackupProgress::default()).await;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let backup_record = CommandBackup {
        name: &name,
        version: VERSION,
        outcome: result.as_ref().copied().map_err(ToString::to_string),
        started_at: began,
        ended_at: clock.now(),
    };
    let recorded =
        compat_console::record_backup(&connected.owner, &Entropy::system(), &backup_record).await;
    if let Err(error) = recorded {
        tracing::warn!(%error, "cannot record the backup in the console's list");
    }
    connected.leave().await;
    result.map(drop)
}

impl BackupSource {
    /// The source that these settings describe, with the database at this address.
    pub fn new(settings: &Settings, url: SecretString, major: u32) -> Self {
        Self {
            url,
            major,
            bin_dir: settings.database.bin_dir.clone(),
            keys: settings.data_dir.join(KEYS_FILE),
            objects: folder_of(settings),
        }
    }

    /// Writes the whole backup into a new file and returns its size in bytes.
    ///
    /// # Errors
    /// A part cannot be read, or `progress` was cancelled: then no file is left behind.
    pub async fn write(self, file: &Path, progress: &BackupProgress) -> Result<u64, BackupError> {
        let dump = RunningDump::default();
        let (path, own, running) = (file.to_owned(), progress.clone(), dump.clone());
        let archive = blocking(move || {
            let draft = draft_of(&path);
            let archive = self
                .write_draft(&draft, &own, &running)
                .and_then(|()| fs::metadata(&draft).map_err(at(&draft)))
                .and_then(|facts| {
                    fs::rename(&draft, &path).map_err(at(&path)).map(|()| facts.len())
                });
            if archive.is_err() {
                let _ = fs::remove_file(&draft);
            }
            archive
        });
        dump.end_when(progress.cancelled(), archive).await
    }

    fn write_draft(
        &self,
        draft: &Path,
        progress: &BackupProgress,
        running: &RunningDump,
    ) -> Result<(), BackupError> {
        let programs = Programs::find(self.bin_dir.as_deref(), self.major)?;
        // Held before the rows are read, so that the files they name still exist when they are
        // copied.
        let _hold = self.objects.as_ref().map(hold).transpose()?;
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(draft);
        let mut archive = Writer::new(file.map_err(at(draft))?);
        let program = VERSION.to_owned();
        let about =
            serde_json::json!(ArchiveManifest { format: FORMAT, program, postgresql: self.major });
        archive.add(ABOUT, &mut about.to_string().as_bytes()).map_err(at(draft))?;
        // The file is missing where the operator sets the keys.
        match File::open(&self.keys) {
            Ok(mut saved) => archive.add(KEYS_FILE, &mut saved).map_err(at(draft))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(at(&self.keys)(error)),
        }
        progress.begin(BackupStage::Database);
        let mut dump = programs.dump(&self.url)?;
        running.begin(dump.process(), progress.cancelled());
        let added = archive.add(DUMP, &mut CountedReader::new(dump.output(), progress));
        // The process id may belong to another process from here on.
        running.end();
        let finished = dump.finish();
        if progress.cancelled().is_cancelled() {
            return Err(BackupError::Cancelled);
        }
        // A full disk is the better explanation: `pg_dump` only reports that it could not write.
        added.map_err(at(draft))?;
        finished?;
        if let Some(config) = &self.objects {
            progress.begin(BackupStage::Objects);
            objects::write(&mut archive, &config.folder, progress).map_err(at(&config.folder))?;
        }
        archive.finish().map_err(at(draft))
    }
}

/// The path at which a backup is written until it is complete.
pub(crate) fn draft_of(file: &Path) -> PathBuf {
    PathBuf::from(format!("{}.partial", file.display()))
}

/// Restores database, keys and the files of objects into an empty data folder, or into an empty
/// database of the operator. `schemas` are the application's own; a backup from before their
/// baseline counts as made by it.
///
/// # Errors
/// The target is not empty, or the archive cannot be used: then nothing restored is kept.
pub async fn restore(
    settings: &Settings,
    file: &Path,
    schemas: &[SchemaSource],
) -> Result<(), BackupError> {
    restore_and_stay(settings, file, schemas).await?.leave().await;
    Ok(())
}

/// As [`restore`], but returns the connection to the restored database.
async fn restore_and_stay(
    settings: &Settings,
    file: &Path,
    schemas: &[SchemaSource],
) -> Result<ConnectedDatabase, BackupError> {
    let keys = settings.data_dir.join(KEYS_FILE);
    if keys.exists() {
        return Err(BackupError::Taken(format!("{} exists already", keys.display())));
    }
    if let Some(FilesConfig { folder, .. }) = folder_of(settings)
        && !objects::is_empty(&folder).map_err(at(&folder))?
    {
        return Err(BackupError::Taken(format!("{} is not empty", folder.display())));
    }
    // Checked before a server is started for the restore.
    let path = file.to_owned();
    blocking(move || read_about(&path).map(drop)).await?;
    let connected = ConnectedDatabase::open(settings).await?;
    let sources = database::sources(settings, schemas);
    match refill(settings, &connected, file, &keys, &sources).await {
        Ok(()) => Ok(connected),
        Err(error) => {
            connected.leave().await;
            Err(error)
        }
    }
}

async fn refill(
    settings: &Settings,
    connected: &ConnectedDatabase,
    file: &Path,
    keys: &Path,
    sources: &[SchemaSource],
) -> Result<(), BackupError> {
    let programs = Programs::find(settings.database.bin_dir.as_deref(), connected.major)?;
    if !is_empty(&connected.owner).await? {
        return Err(BackupError::Taken("the database is not empty".to_owned()));
    }
    // Roles belong to the server, not to a database, so a dump does not contain them.
    compat_pg::ensure_roles(&connected.owner).await?;
    // The grants in a dump from another server name roles that our own server may lack.
    if settings.database.serves_projects || settings.database.url.is_none() {
        compat_pg::name_roles(&connected.owner).await?;
    }
    let (url, file, keys) = (connected.url.clone(), file.to_owned(), keys.to_owned());
    let folder = folder_of(settings).map(|config| config.folder);
    let known = sources.to_vec();
    blocking(move || {
        ledgers::accept(&file, &programs, &known)?;
        let done = read_objects(&file, folder.as_deref())
            .and_then(|()| read(&file, &keys, &programs, &url));
        if let (Err(_), Some(folder)) = (&done, &folder) {
            let _ = fs::remove_dir_all(folder);
        }
        done
    })
    .await?;
    Ok(compat_pg::adopt_baseline(&connected.owner, sources).await?)
}

/// The folder of objects, unless objects are in a remote store.
fn folder_of(settings: &Settings) -> Option<FilesConfig> {
    match &settings.objects {
        ObjectSettings::Files(config) => Some(config.clone()),
        ObjectSettings::Remote(_) => None,
    }
}

/// Keeps every file until the hold is dropped, even if the running project removes its object.
fn hold(objects_config: &FilesConfig) -> Result<BackupHold, BackupError> {
    let files = Files::new(objects_config.clone(), Entropy::system());
    files.hold().map_err(|error| at(&objects_config.folder)(io::Error::other(error)))
}

/// Restores the files of objects, before the rows that name them.
fn read_objects(file: &Path, folder: Option<&Path>) -> Result<(), BackupError> {
    let mut archive = open(file)?;
    for entry in archive.entries().map_err(at(file))? {
        let mut entry = entry.map_err(at(file))?;
        let name = entry.path().map_err(at(file))?.display().to_string();
        match folder {
            Some(folder) => drop(objects::read(&name, &mut entry, folder).map_err(at(folder))?),
            None if objects::is_one(&name) => {
                return Err(format(file, "it holds files, and objects are to lie elsewhere"));
            }
            None => {}
        }
    }
    Ok(())
}

/// Whether the database has no tables, views or sequences of its own.
async fn is_empty(owner: &OwnerDb) -> Result<bool, PgError> {
    owner
        .answers(
            "select not exists (
               select from pg_catalog.pg_class c
               join pg_catalog.pg_namespace n on n.oid = c.relnamespace
               where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
                 and c.relkind in ('r', 'p', 'v', 'm', 'S'))",
        )
        .await
}

fn read(
    file: &Path,
    keys: &Path,
    programs: &Programs,
    url: &SecretString,
) -> Result<(), BackupError> {
    let mut archive = open(file)?;
    let mut saved = None;
    let mut is_whole = false;
    for entry in archive.entries().map_err(at(file))? {
        let mut entry = entry.map_err(at(file))?;
        let name = entry.path().map_err(at(file))?.display().to_string();
        if name == KEYS_FILE {
            let mut text = Vec::new();
            entry.read_to_end(&mut text).map_err(at(file))?;
            saved = Some(text);
        } else if name == DUMP {
            programs.restore(url, &mut entry)?;
            is_whole = true;
        }
    }
    if !is_whole {
        return Err(format(file, "it holds no database"));
    }
    // The keys are written last, so that a failed restore can be tried again.
    let Some(text) = saved else { return Ok(()) };
    let key_file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(keys);
    key_file.and_then(|mut key_file| key_file.write_all(&text)).map_err(at(keys))
}

/// Reads the manifest of an archive.
fn read_about(file: &Path) -> Result<ArchiveManifest, BackupError> {
    let mut archive = open(file)?;
    let first = archive.entries().map_err(at(file))?.next();
    let Some(Ok(first)) = first else { return Err(format(file, "it is no archive")) };
    let about: ArchiveManifest =
        serde_json::from_reader(first).map_err(|_| format(file, "it does not begin as one"))?;
    match about.format {
        FIRST_FORMAT | FORMAT => Ok(about),
        _ => Err(format(file, &format!("version {} of the program wrote it", about.program))),
    }
}

fn open(file: &Path) -> Result<tar::Archive<BufReader<File>>, BackupError> {
    Ok(tar::Archive::new(BufReader::new(File::open(file).map_err(at(file))?)))
}

fn format(file: &Path, reason: &str) -> BackupError {
    BackupError::Format { path: file.to_owned(), why: reason.to_owned() }
}

/// Turns an I/O error at this path into a [`BackupError`].
pub fn at(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.to_owned();
    move |source| BackupError::File { path, source }
}

/// Runs work that waits for files or programs on a thread for blocking work.
///
/// # Errors
/// The work's own.
pub async fn blocking<T: Send + 'static, E: Send + 'static>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, E> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}
