//! Where the database is: `DATABASE_URL`, or an embedded PostgreSQL and how to find its programs.

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

use compat_pg::{ActingConfig, OwnerConfig};
use secrecy::{ExposeSecret as _, SecretString};

use super::reader::Reader;

/// The settings of the database.
#[derive(Debug, Clone)]
pub struct DatabaseSettings {
    /// `DATABASE_URL`, `GOTRUE_DB_DATABASE_URL`: the owner's login on the operator's server.
    /// Without it, an embedded server is used.
    pub url: Option<SecretString>,
    /// `PGRST_DB_URI`: the `authenticator`'s login.
    pub acting_url: Option<SecretString>,
    /// `PGRST_DB_REPLICA_URI`, `COMPAT_READ_REPLICA_URL`: a read replica of the database, with a
    /// login like the acting one; GET and HEAD of rest/v1 use it.
    pub replica_url: Option<SecretString>,
    /// `PG_BINDIR`: the folder of PostgreSQL's programs.
    pub bin_dir: Option<PathBuf>,
    /// `PG_PACKAGE`: the folder of the npm package with PostgreSQL's programs; the launcher of our
    /// packages sets it.
    pub package: Option<PathBuf>,
    /// `PG_CLUSTER_ARCHIVE`: a prepared cluster for a first start, instead of the one in this
    /// program's package.
    pub cluster_archive: Option<PathBuf>,
    /// `PG_USER`: the account that an embedded server runs as if the process is root.
    pub os_user: Option<String>,
    /// `--db-port`, `DB_PORT`: the port at which an embedded server accepts other programs.
    pub port: Option<u16>,
    /// `db.port`: the default of that port for `up`.
    pub project_port: u16,
    /// `POSTGRES_PASSWORD`: the password of other programs.
    pub password: Option<SecretString>,
    /// Whether the database is that of a project and not of an application: an embedded server's
    /// `postgres` then has no superuser rights, as in a hosted project.
    pub serves_projects: bool,
    /// The owner's pool.
    pub owner: OwnerConfig,
    /// The acting pool.
    pub acting: ActingConfig,
}

/// The default port of the official CLI's database.
const PORT_OF_THE_CLI: u16 = 54322;

impl DatabaseSettings {
    /// Accepts other programs at the default port of `up`, unless another port is set.
    pub fn open_for_project(&mut self) {
        self.port.get_or_insert(self.project_port);
    }

    /// Replaces port 0 by a free port.
    ///
    /// # Errors
    /// No port is free.
    pub fn choose_port(&mut self) -> std::io::Result<()> {
        if self.port == Some(0) {
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            self.port = Some(free.local_addr()?.port());
        }
        Ok(())
    }

    /// The port and the password for other programs, if an embedded server accepts them.
    pub fn password_port(&self) -> Option<(u16, &SecretString)> {
        let is_embedded = self.url.is_none() && self.acting_url.is_none();
        self.port.zip(self.password.as_ref()).filter(|_| is_embedded)
    }

    /// The URL for other programs of an embedded server at this port.
    pub fn address_at(&self, port: u16) -> Option<SecretString> {
        let password = self.password.as_ref()?.expose_secret();
        let mut url = url::Url::parse("postgresql://postgres@127.0.0.1/postgres").ok()?;
        url.set_password(Some(password)).ok()?;
        url.set_port(Some(port)).ok()?;
        Some(url.to_string().into())
    }
}

/// Reads the settings of the database.
pub fn read(reader: &mut Reader, port: Option<u16>) -> DatabaseSettings {
    let mut project_port = PORT_OF_THE_CLI;
    reader.over(&mut project_port, &[], "db.port");
    let password = reader.text(&["POSTGRES_PASSWORD"], "db.password");
    if port.is_some() && password.is_none() {
        reader.refuse("POSTGRES_PASSWORD", "a password for --db-port");
    }
    DatabaseSettings {
        port,
        project_port,
        password: password.map(Into::into),
        url: reader.text(&["DATABASE_URL", "GOTRUE_DB_DATABASE_URL"], "db.url").map(Into::into),
        acting_url: reader.text(&["PGRST_DB_URI"], "api.db_uri").map(Into::into),
        replica_url: reader
            .text(&["PGRST_DB_REPLICA_URI", "COMPAT_READ_REPLICA_URL"], "api.replica_uri")
            .map(Into::into),
        bin_dir: reader.text(&["PG_BINDIR"], "db.bin_dir").map(PathBuf::from),
        package: reader.text(&["PG_PACKAGE"], "db.package").map(PathBuf::from),
        cluster_archive: reader
            .text(&["PG_CLUSTER_ARCHIVE"], "db.cluster_archive")
            .map(PathBuf::from),
        os_user: reader.text(&["PG_USER"], "db.os_user"),
        serves_projects: false,
        owner: owner(reader),
        acting: acting(reader),
    }
}

fn owner(reader: &mut Reader) -> OwnerConfig {
    let mut config = OwnerConfig::default();
    reader.over(&mut config.max_connections, &["DATABASE_POOL_SIZE"], "db.pool_size");
    reader.over(&mut config.acquire_timeout, &["DATABASE_POOL_TIMEOUT"], "db.pool_timeout");
    config
}

fn acting(reader: &mut Reader) -> ActingConfig {
    let mut config = ActingConfig::default();
    reader.over(&mut config.max_connections, &["PGRST_DB_POOL"], "api.pool_size");
    reader.over(
        &mut config.acquire_timeout,
        &["PGRST_DB_POOL_ACQUISITION_TIMEOUT"],
        "api.pool_acquisition_timeout",
    );
    reader.over(&mut config.max_lifetime, &["PGRST_DB_POOL_MAX_LIFETIME"], "api.pool_max_lifetime");
    reader.over(&mut config.max_idle, &["PGRST_DB_POOL_MAX_IDLETIME"], "api.pool_max_idletime");
    reader.over(
        &mut config.prepared_statements,
        &["PGRST_DB_PREPARED_STATEMENTS"],
        "api.prepared_statements",
    );
    config
}
