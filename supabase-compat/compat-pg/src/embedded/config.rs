//! The configuration of an embedded server.

use std::path::PathBuf;
use std::sync::Arc;

use super::cluster_archive::ClusterArchive;

/// Receives a one-line message for the user about a step that takes long.
pub type Progress = Arc<dyn Fn(&str) + Send + Sync>;

/// Where the embedded server keeps its data, and how it runs.
#[derive(Clone)]
pub struct EmbeddedConfig {
    /// The data folder; the server keeps `postgres/`, `data/`, `run/`, `log/` and `lock` in it.
    /// Variable: `DATA_DIR`.
    pub home: PathBuf,
    /// Short name of the program, used where a path must be short.
    pub app: String,
    /// Folder with `postgres` and `initdb`, instead of searching. Variable: `PG_BINDIR`.
    pub bin_dir: Option<PathBuf>,
    /// Folder of an npm package that contains a server and that npm has installed already; used
    /// instead of a download. Variable: `PG_PACKAGE`.
    pub package: Option<PathBuf>,
    /// Account that the server runs as when this program is root; by default `postgres`, else
    /// `nobody`. Variable: `PG_USER`.
    pub os_user: Option<String>,
    /// Whether the server may be installed when none is found.
    pub install: bool,
    /// A prepared cluster that a first start copies instead of running `initdb`, if it fits.
    pub archive: Option<ClusterArchive>,
    /// What a crash of the machine may cost.
    pub durability: Durability,
    /// A port for other programs of this machine.
    pub password_port: Option<PasswordPort>,
    /// Whether `postgres` is a login without superuser rights, besides the superuser
    /// `supabase_admin`, as in hosted projects. A cluster where `postgres` is the superuser is
    /// converted at its start; the conversion is never reverted.
    pub demotes_postgres: bool,
    /// Further server settings, as names and values; they override ours.
    pub settings: Vec<(String, String)>,
    /// Receives messages about long steps; without it they are logged.
    pub progress: Option<Progress>,
}

/// A port of 127.0.0.1 at which roles sign in with their passwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordPort {
    /// The port.
    pub port: u16,
}

/// What a crash of the machine may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// A crash costs nothing that was committed.
    #[default]
    Durable,
    /// A crash may cost everything; for tests. Any local account that can open the socket may
    /// connect as any role.
    Throwaway,
}

impl EmbeddedConfig {
    /// The defaults for one data folder.
    pub fn new(home: impl Into<PathBuf>) -> Self {
        Self {
            home: home.into(),
            app: "supabase-compat".to_owned(),
            bin_dir: None,
            package: None,
            os_user: None,
            install: true,
            archive: None,
            durability: Durability::Durable,
            password_port: None,
            demotes_postgres: false,
            settings: Vec::new(),
            progress: None,
        }
    }

    /// A throwaway server for tests.
    pub fn throwaway(home: impl Into<PathBuf>) -> Self {
        Self { durability: Durability::Throwaway, ..Self::new(home) }
    }

    pub(super) fn report(&self, news: &str) {
        match &self.progress {
            Some(progress) => progress(news),
            None => tracing::info!("{news}"),
        }
    }
}
