//! Upgrades a data folder to another major version of PostgreSQL: the old server and a new one run
//! side by side, the caller copies the databases from one to the other, and a rename makes the new
//! data the folder's data.
//!
//! Until that rename a start uses the old data, so an interrupted upgrade is begun anew. The old
//! data stay until [`remove_old_data`]. This module does not know what is copied, or how.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compat_subprocess::Account;

use super::binaries::Binaries;
use super::cluster::{self, PreparedCluster, SOCKET_PORT};
use super::config::EmbeddedConfig;
use super::error::EmbeddedError;
use super::folder_sync::{sync_path, sync_tree};
use super::install;
use super::locked_folder::{DataFolder, LockedFolder, socket_folder};
use super::new_cluster;
use super::superuser::{self, PROGRAMS};
use super::supervisor::Supervisor;
use super::{DATABASE, encoded, postmaster, preflight};

/// The port in the name of the new server's socket, which is in the same folder as the old one's.
const NEW_SOCKET_PORT: u16 = 5433;

/// Settings of the old server: nothing may change while it is copied.
const READ_ONLY: (&str, &str) = ("default_transaction_read_only", "on");

/// Settings of the new server while it is filled: its data are discarded if the machine fails, and
/// synced to the disk at the end.
const FILLING: [(&str, &str); 5] = [
    ("fsync", "off"),
    ("full_page_writes", "off"),
    ("autovacuum", "off"),
    ("max_wal_size", "2GB"),
    ("maintenance_work_mem", "256MB"),
];

/// Two servers, one with the folder's data and one with a new, empty cluster. Ended by
/// [`Self::finish`] or [`Self::abandon`]; if it is dropped, the folder is as after an interrupted
/// upgrade.
pub struct MajorUpgrade {
    config: EmbeddedConfig,
    home: Arc<LockedFolder>,
    account: Account,
    old: Binaries,
    new: Binaries,
    old_server: Supervisor,
    new_server: Supervisor,
    /// The first role of both clusters.
    superuser: String,
    /// The folder of the new data until it is renamed.
    draft: PathBuf,
}

/// The data folders after an upgrade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedUpgrade {
    /// The data of the old version, which no start uses any more.
    pub old: PathBuf,
    /// The data that a start uses.
    pub new: PathBuf,
}

/// The major versions of a data folder, and the newest server that could replace the current one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataVersions {
    /// The version whose data a start uses; `None` if the folder has no database.
    pub current: Option<u32>,
    /// Folders of earlier versions that an upgrade left, with their sizes in megabytes.
    pub earlier: Vec<(PathBuf, u64)>,
    /// The version of a newer server that is installed, as the server prints it.
    pub newer: Option<String>,
}

/// Finds the versions without changing anything.
pub fn data_versions(config: &EmbeddedConfig) -> DataVersions {
    let home = DataFolder { root: config.home.clone() };
    let mut majors = home.majors();
    majors.sort_unstable();
    let current = majors.pop();
    let earlier = majors.into_iter().map(|major| home.data(major));
    let earlier = earlier.map(|folder| (megabytes(&folder), folder)).map(|(size, at)| (at, size));
    let newest = Binaries::all(config, &home).into_iter().max_by_key(|one| one.major);
    let newer = newest.filter(|one| current.is_some_and(|major| one.major > major));
    DataVersions { current, earlier: earlier.collect(), newer: newer.map(|one| one.version) }
}

/// Removes the data of earlier major versions; returns the folders with their sizes in megabytes.
///
/// # Errors
/// A server runs on the data, or they cannot be removed.
pub fn remove_old_data(config: &EmbeddedConfig) -> Result<Vec<(PathBuf, u64)>, EmbeddedError> {
    let earlier = data_versions(config).earlier;
    discard_removed(&config.home)?;
    for (folder, _) in &earlier {
        // An upgrade reads these data, or a server was started on them by hand.
        if folder.join("postmaster.pid").exists() {
            return Err(EmbeddedError::OldDataInUse(folder.clone()));
        }
        // The rename ensures that a partly removed folder is never mistaken for data.
        let removal_path = folder.with_extension("removed");
        fs::rename(folder, &removal_path).map_err(EmbeddedError::file(folder))?;
        fs::remove_dir_all(&removal_path).map_err(EmbeddedError::file(&removal_path))?;
    }
    Ok(earlier)
}

/// Completes a removal that was interrupted.
fn discard_removed(home: &Path) -> Result<(), EmbeddedError> {
    let Ok(entries) = fs::read_dir(home.join("data")) else { return Ok(()) };
    let paths = entries.flatten().map(|entry| entry.path());
    for folder in paths.filter(|path| path.extension().is_some_and(|end| end == "removed")) {
        fs::remove_dir_all(&folder).map_err(EmbeddedError::file(&folder))?;
    }
    Ok(())
}

impl MajorUpgrade {
    /// Locks the folder and starts both servers: the old one, read-only, and a server of the major
    /// version `to`, or the newest that is found, on a cluster that contains only the same first
    /// role. Returns `None` if there is no newer server.
    ///
    /// # Errors
    /// The folder is in use or has no database, a server is missing, or the disk has too little
    /// space for a second copy of the data. Then nothing was changed.
    pub async fn start(
        config: &EmbeddedConfig,
        to: Option<u32>,
    ) -> Result<Option<Self>, EmbeddedError> {
        let config = config.clone();
        let setup = {
            let config = config.clone();
            blocking(move || UpgradeSetup::prepare(&config, to)).await?
        };
        let Some(setup) = setup else { return Ok(None) };
        let UpgradeSetup { home, account, old, new, draft, socket } = setup;
        let config = EmbeddedConfig { password_port: None, ..config };
        config.report(&format!("Starting PostgreSQL {} to read from", old.version));
        let (old_config, folder) = (with_settings(&config, &[READ_ONLY]), home.clone());
        let (account_of_old, old_binaries) = (account.clone(), old.clone());
        let log = home.folder.private("log", &account)?;
        let data = home.folder.data(old.major);
        let socket_of_old = socket.clone();
        let prepared = blocking(move || {
            let paths = (data.as_path(), socket_of_old.as_path(), log.as_path());
            prepare(&old_config, folder, &account_of_old, &old_binaries, paths)
        });
        let old_server = Supervisor::start(prepared.await?)?;
        old_server.until_ready().await?;
        let programs = address(&socket, SOCKET_PORT, PROGRAMS, DATABASE);
        let superuser = superuser::settle(&programs, false).await;
        let superuser = match superuser {
            Ok(superuser) => superuser,
            Err(error) => {
                old_server.stop().await;
                return Err(EmbeddedError::Superuser(Box::new(error)));
            }
        };
        let filling = with_settings(&config, &FILLING);
        let parts = (home.clone(), account.clone(), new.clone(), draft.clone(), superuser.clone());
        let new_server = match start_new(&filling, parts).await {
            Ok(server) => server,
            Err(error) => {
                old_server.stop().await;
                let _ = fs::remove_dir_all(&draft);
                return Err(error);
            }
        };
        Ok(Some(Self { config, home, account, old, new, old_server, new_server, superuser, draft }))
    }

    /// The versions of the old and the new server, as the servers print them.
    pub fn versions(&self) -> (&str, &str) {
        (&self.old.version, &self.new.version)
    }

    /// The major versions of the old and the new server.
    pub fn majors(&self) -> (u32, u32) {
        (self.old.major, self.new.major)
    }

    /// The first role of both clusters, a superuser.
    pub fn superuser(&self) -> &str {
        &self.superuser
    }

    /// Address of a database of the old server.
    pub fn old_url(&self, database: &str) -> String {
        address(&self.socket(), SOCKET_PORT, &self.superuser, database)
    }

    /// Address of a database of the new server.
    pub fn new_url(&self, database: &str) -> String {
        address(&self.socket(), NEW_SOCKET_PORT, &self.superuser, database)
    }

    /// Adds lines to the new cluster's `postgresql.conf`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add_settings(&self, lines: &str) -> Result<(), EmbeddedError> {
        let path = self.draft.join("postgresql.conf");
        let mut file = OpenOptions::new().append(true).open(&path);
        let result = file.as_mut().map_err(|error| std::io::Error::from(error.kind()));
        result.and_then(|file| file.write_all(lines.as_bytes())).map_err(EmbeddedError::file(path))
    }

    /// Starts the new server once with its final settings, syncs everything to the disk, and makes
    /// the new data the folder's data. The old data stay.
    ///
    /// # Errors
    /// The new server does not start with its settings, or its data cannot be written; the folder
    /// is then unchanged.
    pub async fn finish(self) -> Result<FinishedUpgrade, EmbeddedError> {
        let Self { config, home, account, old, new, old_server, new_server, draft, .. } = self;
        new_server.stop().await;
        config.report(&format!("Trying a start of PostgreSQL {} on the new data", new.version));
        let parts = (home.clone(), account.clone(), new.clone(), draft.clone());
        let outcome = match try_start(&config, parts).await {
            Ok(()) => {
                let draft = draft.clone();
                let (old_data, target) = (home.folder.data(old.major), home.folder.data(new.major));
                blocking(move || {
                    sync_tree(&draft).map_err(EmbeddedError::file(&draft))?;
                    fs::rename(&draft, &target).map_err(EmbeddedError::file(&target))?;
                    let parent = target.parent().unwrap_or(&target);
                    sync_path(parent).map_err(EmbeddedError::file(parent))?;
                    Ok(FinishedUpgrade { old: old_data, new: target })
                })
                .await
            }
            Err(error) => Err(error),
        };
        old_server.stop().await;
        if outcome.is_err() {
            let _ = fs::remove_dir_all(&draft);
        }
        outcome
    }

    /// Stops both servers and removes the new data; the folder is then unchanged.
    pub async fn abandon(self) {
        self.new_server.stop().await;
        self.old_server.stop().await;
        let _ = fs::remove_dir_all(&self.draft);
    }

    fn socket(&self) -> PathBuf {
        socket_folder(&self.home.folder.root, &self.config.app)
    }
}

/// What both servers need to start.
struct UpgradeSetup {
    home: Arc<LockedFolder>,
    account: Account,
    old: Binaries,
    new: Binaries,
    draft: PathBuf,
    socket: PathBuf,
}

impl UpgradeSetup {
    fn prepare(config: &EmbeddedConfig, to: Option<u32>) -> Result<Option<Self>, EmbeddedError> {
        let folder = DataFolder { root: config.home.clone() };
        // Checked before the lock is taken, because that would create the folder.
        let Some(major) = folder.majors().into_iter().max() else {
            return Err(EmbeddedError::NoData(config.home.clone()));
        };
        preflight::check(config)?;
        let home = Arc::new(LockedFolder::open(&config.home)?);
        let account = cluster::choose_account(config)?;
        account.must_reach(&home.folder.root)?;
        let Some((old, new)) = servers(config, &home.folder, major, to)? else { return Ok(None) };
        account.must_reach(&old.bindir)?;
        account.must_reach(&new.bindir)?;
        let draft = home.folder.data(new.major).with_extension("upgrade");
        discard(&draft)?;
        must_have_room(&home.folder, major)?;
        let socket = home.folder.socket(&config.app, &account)?;
        Ok(Some(Self { home, account, old, new, draft, socket }))
    }
}

/// The server for the existing data, and a newer one.
fn servers(
    config: &EmbeddedConfig,
    home: &DataFolder,
    major: u32,
    to: Option<u32>,
) -> Result<Option<(Binaries, Binaries)>, EmbeddedError> {
    let all_servers = Binaries::all(config, home);
    let is_wanted = |one: &Binaries| one.major > major && to.is_none_or(|to| one.major == to);
    let mut new =
        all_servers.iter().filter(|one| is_wanted(one)).max_by_key(|one| one.major).cloned();
    if new.is_none() && install::npm_major() > major {
        new = install::from_npm(config, home).ok().filter(is_wanted);
    }
    let Some(new) = new else {
        return match to {
            Some(to) if to > major => Err(EmbeddedError::NewServerMissing(to)),
            _ => Ok(None),
        };
    };
    let old = all_servers.into_iter().find(|one| one.major == major);
    let missing = || EmbeddedError::OldServerMissing { data: home.data(major), major };
    Ok(Some((old.ok_or_else(missing)?, new)))
}

/// Removes what an interrupted upgrade left; its server may still be shutting down.
fn discard(draft: &Path) -> Result<(), EmbeddedError> {
    for folder in [draft.to_owned(), draft.with_extension("new")] {
        if folder.exists() {
            postmaster::clear_leftovers(&folder).map_err(EmbeddedError::Start)?;
            fs::remove_dir_all(&folder).map_err(EmbeddedError::file(&folder))?;
        }
    }
    Ok(())
}

fn must_have_room(home: &DataFolder, major: u32) -> Result<(), EmbeddedError> {
    let size = megabytes(&home.data(major));
    // Restored data have no dead rows, but building indexes sorts on the disk.
    let needed = size + size / 10 + preflight::NEW_CLUSTER;
    let free = preflight::free_megabytes(&home.root);
    let free = free
        .map_err(|error| EmbeddedError::File { path: home.root.clone(), source: error.into() })?;
    match free < needed {
        true => Err(EmbeddedError::NoSpace { home: home.root.clone(), free, needed }),
        false => Ok(()),
    }
}

type NewCluster = (Arc<LockedFolder>, Account, Binaries, PathBuf, String);

/// Initialises the new cluster and starts it.
async fn start_new(
    config: &EmbeddedConfig,
    (home, account, binaries, draft, superuser): NewCluster,
) -> Result<Supervisor, EmbeddedError> {
    config.report(&format!("Initialising a PostgreSQL {} database", binaries.version));
    let parts = (account.clone(), binaries.clone(), draft.clone());
    blocking(move || {
        let (account, binaries, draft) = parts;
        new_cluster::initialise(&account, &binaries, &draft, &superuser)
    })
    .await?;
    launch(config, (home, account, binaries, draft)).await
}

/// Starts and stops the new server with the settings it will have.
async fn try_start(
    config: &EmbeddedConfig,
    parts: (Arc<LockedFolder>, Account, Binaries, PathBuf),
) -> Result<(), EmbeddedError> {
    launch(config, parts).await?.stop().await;
    Ok(())
}

/// Starts the new server on its draft.
async fn launch(
    config: &EmbeddedConfig,
    (home, account, binaries, draft): (Arc<LockedFolder>, Account, Binaries, PathBuf),
) -> Result<Supervisor, EmbeddedError> {
    let port = NEW_SOCKET_PORT.to_string();
    let config = with_settings(config, &[("port", &port)]);
    let prepared = blocking(move || {
        let socket = home.folder.socket(&config.app, &account)?;
        let log = home.folder.private("log/upgrade", &account)?;
        prepare(&config, home, &account, &binaries, (&draft, &socket, &log))
    });
    let server = Supervisor::start(prepared.await?)?;
    match server.until_ready().await {
        Ok(()) => Ok(server),
        Err(error) => {
            server.stop().await;
            Err(error)
        }
    }
}

/// Prepares an existing cluster for its start: its data, the folder of its socket and that of its
/// log.
fn prepare(
    config: &EmbeddedConfig,
    home: Arc<LockedFolder>,
    account: &Account,
    binaries: &Binaries,
    (data, socket, log): (&Path, &Path, &Path),
) -> Result<PreparedCluster, EmbeddedError> {
    cluster::admit(config, account, data)?;
    Ok(PreparedCluster {
        _home: home,
        account: account.clone(),
        data: data.to_owned(),
        socket: socket.to_owned(),
        log: log.to_owned(),
        program: binaries.bindir.join("postgres"),
        arguments: cluster::arguments(config, binaries, data, socket, log),
        major: binaries.major,
        unsynced: None,
    })
}

fn with_settings(config: &EmbeddedConfig, settings: &[(&str, &str)]) -> EmbeddedConfig {
    let mut config = config.clone();
    let added = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    config.settings.extend(added);
    config
}

fn address(socket: &Path, port: u16, role: &str, database: &str) -> String {
    let socket = encoded(socket.as_os_str().as_encoded_bytes());
    format!("postgresql://{role}@{socket}:{port}/{}", encoded(database.as_bytes()))
}

/// The size of a folder in megabytes. Files that vanish meanwhile count as empty.
fn megabytes(folder: &Path) -> u64 {
    bytes(folder) / 1_000_000
}

fn bytes(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(facts) if facts.is_dir() => bytes(&entry.path()),
        Ok(facts) => facts.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EmbeddedError> + Send + 'static,
) -> Result<T, EmbeddedError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| EmbeddedError::Interrupted(error.to_string()))?
}
