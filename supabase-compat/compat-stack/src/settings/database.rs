//! Where the database is: `DATABASE_URL`, or an embedded PostgreSQL and how to find its programs.

use std::path::PathBuf;

use compat_pg::{ActingConfig, OwnerConfig};
use secrecy::SecretString;

use super::reader::Reader;

/// What is said about the database.
#[derive(Debug, Clone)]
pub struct DatabaseSettings {
    /// `DATABASE_URL`, `GOTRUE_DB_DATABASE_URL`: the owner's login on a server of the operator's.
    /// Without it, an embedded one.
    pub url: Option<SecretString>,
    /// `PGRST_DB_URI`: the `authenticator`'s login.
    pub acting_url: Option<SecretString>,
    /// `PGRST_DB_REPLICA_URI`, `COMPAT_READ_REPLICA_URL`: a read-only copy of the database, with a
    /// login like the acting one; GET and HEAD of rest/v1 go there.
    pub replica_url: Option<SecretString>,
    /// `PG_BINDIR`: where PostgreSQL's programs are.
    pub bin_dir: Option<PathBuf>,
    /// `PG_USER`: the account an embedded server runs as when the process is root.
    pub os_user: Option<String>,
    /// The owner's pool.
    pub owner: OwnerConfig,
    /// The acting pool.
    pub acting: ActingConfig,
}

/// Reads everything about the database.
pub fn read(reader: &mut Reader) -> DatabaseSettings {
    DatabaseSettings {
        url: reader.text(&["DATABASE_URL", "GOTRUE_DB_DATABASE_URL"], "db.url").map(Into::into),
        acting_url: reader.text(&["PGRST_DB_URI"], "api.db_uri").map(Into::into),
        replica_url: reader
            .text(&["PGRST_DB_REPLICA_URI", "COMPAT_READ_REPLICA_URL"], "api.replica_uri")
            .map(Into::into),
        bin_dir: reader.text(&["PG_BINDIR"], "db.bin_dir").map(PathBuf::from),
        os_user: reader.text(&["PG_USER"], "db.os_user"),
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
