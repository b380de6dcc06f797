//! Where a server of our own lives and how it runs.

use std::path::PathBuf;
use std::sync::Arc;

/// Told one line about what takes long, in words for a person.
pub type Progress = Arc<dyn Fn(&str) + Send + Sync>;

/// Where the server lives and how it runs.
#[derive(Clone)]
pub struct EmbeddedConfig {
    /// The data folder; the server keeps `postgres/`, `data/`, `run/`, `log/` and `lock` in it.
    /// Variable: `DATA_DIR`.
    pub home: PathBuf,
    /// Short name of the program, used where a path must be short.
    pub app: String,
    /// Folder with `postgres` and `initdb`, instead of searching. Variable: `PG_BINDIR`.
    pub bin_dir: Option<PathBuf>,
    /// Folder of the package of npm that brings a server, where npm has installed it already; taken
    /// instead of fetching one. Variable: `PG_PACKAGE`.
    pub package: Option<PathBuf>,
    /// Account to run as when this program is root; otherwise `postgres`, else `nobody`.
    /// Variable: `PG_USER`.
    pub os_user: Option<String>,
    /// Whether the server may be installed when none is found.
    pub install: bool,
    /// What a crash of the machine may cost.
    pub durability: Durability,
    /// A port for other programs of this machine.
    pub door: Option<PasswordPort>,
    /// Whether `postgres` is a login without superuser rights, beside the superuser `supabase_admin`, as in
    /// hosted projects. A cluster where it is a superuser is changed at its start; none is changed back.
    pub demotes_postgres: bool,
    /// Further server settings, name and value; they win over ours.
    pub settings: Vec<(String, String)>,
    /// Hears about long steps, which are otherwise logged.
    pub progress: Option<Progress>,
}

/// A port at 127.0.0.1, where roles come in with their passwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordPort {
    /// The port.
    pub port: u16,
}

/// What a crash of the machine may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Nothing that was committed.
    #[default]
    Durable,
    /// Everything: for tests. Any local account that reaches the socket may be any role.
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
            durability: Durability::Durable,
            door: None,
            demotes_postgres: false,
            settings: Vec::new(),
            progress: None,
        }
    }

    /// A throw-away server for tests.
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
