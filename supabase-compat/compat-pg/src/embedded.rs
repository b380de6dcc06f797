//! A PostgreSQL of our own: found or installed, initialised in a data folder, supervised, and
//! stopped with the program.
//!
//! It listens on a unix socket and lets in the operating-system account this program runs as, without
//! a password; where a [`PasswordPort`] is asked for, also on a port of this machine, with one. It
//! survives nobody: when this process disappears, the server shuts down cleanly by itself (on
//! Linux).

mod binaries;
mod cluster;
mod cluster_contents;
mod config;
mod error;
mod folder_sync;
mod install;
mod locked_folder;
mod major_upgrade;
mod new_cluster;
mod postmaster;
mod preflight;
mod replacement;
mod superuser;
mod supervisor;
mod vector;

use std::path::{Path, PathBuf};

use tokio::task::JoinHandle;

use crate::{OwnerDb, PgError};
pub use binaries::client_programs;
pub use cluster_contents::OldDatabase;
pub use config::{Durability, EmbeddedConfig, PasswordPort, Progress};
pub use error::EmbeddedError;
pub use locked_folder::holder;
pub use major_upgrade::{
    DataVersions, FinishedUpgrade, MajorUpgrade, data_versions, remove_old_data,
};
pub use preflight::{Preflight, preflight};
pub use replacement::ReplacementDatabase;
use superuser::PROGRAMS;
pub use supervisor::ServerStatus;
pub use vector::install_vector;

/// The one database.
const DATABASE: &str = "postgres";
/// The login that may read everything and change nothing.
const READER: &str = "supabase_read_only_user";
/// The login that [`crate::ensure_console_writer`] makes.
const CONSOLE_WRITER: &str = "console_writer";

/// A running, supervised server. Call [`Self::stop`]; a dropped one is asked to stop, too, but
/// nobody waits for it.
pub struct EmbeddedPostgres {
    supervisor: supervisor::Supervisor,
    /// The disk, on its way with a new cluster.
    sync: Option<JoinHandle<Result<(), EmbeddedError>>>,
    socket: PathBuf,
    superuser: String,
    major: u32,
}

impl EmbeddedPostgres {
    /// Finds or installs the server, initialises the data folder when it is new, starts the server
    /// and returns when it takes connections.
    pub async fn start(config: EmbeddedConfig) -> Result<Self, EmbeddedError> {
        let demotes_postgres = config.demotes_postgres;
        let mut prepared = tokio::task::spawn_blocking(move || cluster::prepare(&config))
            .await
            .map_err(|error| EmbeddedError::Interrupted(error.to_string()))??;
        let (socket, major) = (prepared.socket.clone(), prepared.major);
        let sync =
            prepared.unsynced.take().map(|new| tokio::task::spawn_blocking(move || new.sync()));
        let supervisor = supervisor::Supervisor::start(prepared)?;
        let mut started = Self { supervisor, sync, socket, superuser: PROGRAMS.to_owned(), major };
        started.supervisor.until_ready().await?;
        started.superuser = match superuser::settle(&started.programs_url(), demotes_postgres).await
        {
            Ok(name) => name,
            Err(error) => {
                started.stop().await;
                return Err(EmbeddedError::Superuser(Box::new(error)));
            }
        };
        Ok(started)
    }

    /// [`Self::owner_url`] of the server that another process keeps in this folder.
    ///
    /// # Errors
    /// The folder cannot be read, or the server does not answer.
    pub async fn owner_url_of_running(config: &EmbeddedConfig) -> Result<String, EmbeddedError> {
        let programs = Self::programs_url_of_running(config)?;
        let superuser = superuser::settle(&programs, false).await;
        let superuser = superuser.map_err(|error| EmbeddedError::Superuser(Box::new(error)))?;
        Ok(url(&socket_of(config)?, &superuser, DATABASE))
    }

    /// [`Self::programs_url`] of the server that another process keeps in this folder; whether it
    /// answers is not tried.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn programs_url_of_running(config: &EmbeddedConfig) -> Result<String, EmbeddedError> {
        Ok(url(&socket_of(config)?, PROGRAMS, DATABASE))
    }

    /// Address of the superuser on the database `postgres`.
    pub fn owner_url(&self) -> String {
        url(&self.socket, &self.superuser, DATABASE)
    }

    /// Address of the login `postgres`, which other programs use: the superuser, unless it was
    /// [demoted](EmbeddedConfig::demotes_postgres).
    pub fn programs_url(&self) -> String {
        url(&self.socket, PROGRAMS, DATABASE)
    }

    /// Address of the login `authenticator` on the database `postgres`.
    pub fn acting_url(&self) -> String {
        url(&self.socket, "authenticator", DATABASE)
    }

    /// Address of the login that [`crate::ensure_reader`] makes.
    pub fn reader_url(&self) -> String {
        url(&self.socket, READER, DATABASE)
    }

    /// Address of the login that [`crate::ensure_console_writer`] makes.
    pub fn console_writer_url(&self) -> String {
        url(&self.socket, CONSOLE_WRITER, DATABASE)
    }

    /// Whether the login for other programs is the superuser.
    pub fn programs_are_superuser(&self) -> bool {
        self.superuser == PROGRAMS
    }

    /// [`Self::reader_url`] of the server that another process keeps in this folder.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn reader_url_of_running(config: &EmbeddedConfig) -> Result<String, EmbeddedError> {
        Ok(url(&socket_of(config)?, READER, DATABASE))
    }

    /// Both addresses with the pools' defaults.
    pub fn connect_config(&self) -> crate::ConnectConfig {
        crate::ConnectConfig::new(self.owner_url()).with_acting_url(self.acting_url())
    }

    /// The server's major version.
    pub fn major(&self) -> u32 {
        self.major
    }

    /// What the server is doing right now.
    pub fn status(&self) -> ServerStatus {
        self.supervisor.status()
    }

    /// Process id of the running server.
    pub fn pid(&self) -> Option<u32> {
        self.supervisor.pid()
    }

    /// Waits for a change of [`Self::status`] and returns the new one.
    pub async fn changed(&mut self) -> ServerStatus {
        self.supervisor.changed().await
    }

    /// Waits until a cluster that is new is on the disk. Before that, a failure of the machine may cost
    /// it; nobody should be told that the server is ready.
    ///
    /// # Errors
    /// The disk refuses.
    pub async fn until_synced(&mut self) -> Result<(), EmbeddedError> {
        let Some(sync) = self.sync.take() else { return Ok(()) };
        sync.await.map_err(|error| EmbeddedError::Interrupted(error.to_string()))?
    }

    /// Stops the server: connections are ended and everything is written; after ten seconds
    /// without success the server is told to leave at once and will recover at its next start.
    /// Returns when the process is gone.
    pub async fn stop(mut self) {
        if let Err(error) = self.until_synced().await {
            tracing::error!(%error, "new database not on the disk");
        }
        self.supervisor.stop().await;
    }
}

/// The port at which the server of this database lets other programs in, if it does.
pub async fn port_for_programs(owner: &OwnerDb) -> Result<Option<u16>, PgError> {
    let mut work = owner.connection().await?;
    let port: Option<i32> = sqlx::query_scalar(
        "select current_setting('port')::integer where current_setting('listen_addresses') <> ''",
    )
    .fetch_optional(&mut *work)
    .await?;
    Ok(port.and_then(|port| u16::try_from(port).ok()))
}

fn socket_of(config: &EmbeddedConfig) -> Result<PathBuf, EmbeddedError> {
    let home = &config.home;
    let root = home.canonicalize().map_err(EmbeddedError::file(home))?;
    Ok(locked_folder::socket_folder(&root, &config.app))
}

fn url(socket: &Path, role: &str, database: &str) -> String {
    format!("postgresql://{role}@{}/{database}", encoded(socket.as_os_str().as_encoded_bytes()))
}

/// Text that may stand in any part of an address.
fn encoded(text: &[u8]) -> String {
    let text: String = url::form_urlencoded::byte_serialize(text).collect();
    text.replace('+', "%20")
}
