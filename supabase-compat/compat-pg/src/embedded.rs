//! An embedded PostgreSQL: found or installed, initialised in a data folder, supervised, and
//! stopped together with the program.
//!
//! It listens on a Unix socket and accepts the operating-system account of this program without a
//! password; with a [`PasswordPort`] it also listens on a port of 127.0.0.1, with passwords. When
//! this process disappears, the server shuts down cleanly by itself (on Linux).

mod binaries;
mod cluster;
mod cluster_archive;
mod cluster_contents;
mod cluster_identity;
mod collations;
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

use sqlx::{ConnectOptions as _, Connection as _};
use tokio::task::JoinHandle;

use crate::{OwnerDb, PgError, address};
pub use binaries::client_programs;
pub use cluster_archive::{ClusterArchive, SchemaVersion};
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

/// The database that the server is used with.
const DATABASE: &str = "postgres";
/// The login that may read everything and change nothing.
const READER: &str = "supabase_read_only_user";
/// The login that [`crate::ensure_console_writer`] makes.
const CONSOLE_WRITER: &str = "console_writer";

/// A running, supervised server. Call [`Self::stop`] to end it; dropping it also stops the server,
/// but does not wait for that.
pub struct EmbeddedPostgres {
    supervisor: supervisor::Supervisor,
    /// The task that syncs a new cluster to the disk.
    sync: Option<JoinHandle<Result<(), EmbeddedError>>>,
    socket: PathBuf,
    superuser: String,
    major: u32,
}

impl EmbeddedPostgres {
    /// Finds or installs the server, initialises the data folder if it is new, starts the server
    /// and returns when it accepts connections.
    pub async fn start(config: EmbeddedConfig) -> Result<Self, EmbeddedError> {
        let demotes_postgres = config.demotes_postgres;
        let mut prepared = tokio::task::spawn_blocking(move || cluster::prepare(&config))
            .await
            .map_err(|error| EmbeddedError::Interrupted(error.to_string()))??;
        let (socket, major) = (prepared.socket.clone(), prepared.major);
        let is_unpacked = prepared.unsynced.as_ref().is_some_and(|new| new.is_unpacked);
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
        if is_unpacked {
            collations::import(&started).await;
        }
        Ok(started)
    }

    /// [`Self::owner_url`] of the server that another process runs in this folder.
    ///
    /// # Errors
    /// The folder cannot be read, or the server does not answer.
    pub async fn owner_url_of_running(config: &EmbeddedConfig) -> Result<String, EmbeddedError> {
        let programs = Self::programs_url_of_running(config)?;
        let superuser = superuser::settle(&programs, false).await;
        let superuser = superuser.map_err(|error| EmbeddedError::Superuser(Box::new(error)))?;
        Ok(url(&socket_of(config)?, &superuser, DATABASE))
    }

    /// [`Self::programs_url`] of the server that another process runs in this folder, without a
    /// check that it answers.
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

    /// Address of the login that [`crate::ensure_reader`] creates.
    pub fn reader_url(&self) -> String {
        url(&self.socket, READER, DATABASE)
    }

    /// Address of the login that [`crate::ensure_console_writer`] creates.
    pub fn console_writer_url(&self) -> String {
        url(&self.socket, CONSOLE_WRITER, DATABASE)
    }

    /// Whether the login for other programs is the superuser.
    pub fn programs_are_superuser(&self) -> bool {
        self.superuser == PROGRAMS
    }

    /// [`Self::reader_url`] of the server that another process runs in this folder.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn reader_url_of_running(config: &EmbeddedConfig) -> Result<String, EmbeddedError> {
        Ok(url(&socket_of(config)?, READER, DATABASE))
    }

    /// The addresses of owner and `authenticator`, with the default settings of the pools.
    pub fn connect_config(&self) -> crate::ConnectConfig {
        crate::ConnectConfig::new(self.owner_url()).with_acting_url(self.acting_url())
    }

    /// The server's major version.
    pub fn major(&self) -> u32 {
        self.major
    }

    /// The server's current state.
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

    /// Waits until a new cluster is synced to the disk. Until then a crash of the machine may
    /// destroy it, so callers must not report the server as ready before.
    ///
    /// # Errors
    /// Syncing fails.
    pub async fn until_synced(&mut self) -> Result<(), EmbeddedError> {
        let Some(sync) = self.sync.take() else { return Ok(()) };
        sync.await.map_err(|error| EmbeddedError::Interrupted(error.to_string()))?
    }

    /// Stops the server, then writes its cluster into the archive.
    ///
    /// # Errors
    /// The server does not answer, or a file cannot be read or written.
    pub async fn pack(
        self,
        config: EmbeddedConfig,
        archive: ClusterArchive,
    ) -> Result<(), EmbeddedError> {
        let locale = prepare_to_pack(&self.owner_url()).await;
        self.stop().await;
        let locale = locale.map_err(|error| EmbeddedError::Start(error.to_string()))?;
        tokio::task::spawn_blocking(move || archive.write(&config, locale))
            .await
            .map_err(|error| EmbeddedError::Interrupted(error.to_string()))?
    }

    /// Stops the server with a fast shutdown; if that takes more than ten seconds, an immediate one
    /// follows, and the server recovers at its next start. Returns when the process has ended.
    pub async fn stop(mut self) {
        if let Err(error) = self.until_synced().await {
            tracing::error!(%error, "cannot sync the new database to the disk");
        }
        self.supervisor.stop().await;
    }
}

/// The TCP port at which the server of this database listens, if it does.
pub async fn port_for_programs(owner: &OwnerDb) -> Result<Option<u16>, PgError> {
    let mut work = owner.connection().await?;
    let port: Option<i32> = sqlx::query_scalar(
        "select current_setting('port')::integer where current_setting('listen_addresses') <> ''",
    )
    .fetch_optional(&mut *work)
    .await?;
    Ok(port.and_then(|port| u16::try_from(port).ok()))
}

/// Begins a new file of the write-ahead log, the only one that an archive contains; returns the
/// locale of the database.
async fn prepare_to_pack(owner_url: &str) -> Result<String, PgError> {
    let mut session = address::owner_options(owner_url)?.connect().await?;
    sqlx::raw_sql("select pg_catalog.pg_switch_wal()").execute(&mut session).await?;
    let locale = "select datcollate::text from pg_catalog.pg_database
                  where datname = pg_catalog.current_database()";
    let locale: String = sqlx::query_scalar(locale).fetch_one(&mut session).await?;
    session.close().await?;
    Ok(locale)
}

fn socket_of(config: &EmbeddedConfig) -> Result<PathBuf, EmbeddedError> {
    let home = &config.home;
    let root = home.canonicalize().map_err(EmbeddedError::file(home))?;
    Ok(locked_folder::socket_folder(&root, &config.app))
}

fn url(socket: &Path, role: &str, database: &str) -> String {
    format!("postgresql://{role}@{}/{database}", encoded(socket.as_os_str().as_encoded_bytes()))
}

/// Percent-encodes text so that it may stand in any part of an address.
fn encoded(text: &[u8]) -> String {
    let text: String = url::form_urlencoded::byte_serialize(text).collect();
    text.replace('+', "%20")
}
