//! Prepares a cluster: every step before the command that starts the server.

use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compat_subprocess::Account;

use super::binaries::Binaries;
use super::config::{Durability, EmbeddedConfig, PasswordPort};
use super::error::EmbeddedError;
use super::install::install;
use super::locked_folder::{DataFolder, LockedFolder};
use super::new_cluster::{UnsyncedCluster, initialise, remove_unsynced};
use super::postmaster;
use super::preflight;

/// The logins that an admitted operating-system account may use.
const LOGINS: [&str; 7] = [
    "postgres",
    "supabase_admin",
    "authenticator",
    "supabase_auth_admin",
    "supabase_storage_admin",
    "supabase_read_only_user",
    "console_writer",
];

/// The first role of a new cluster.
const SUPERUSER: &str = "postgres";

/// The port in the name of the socket.
pub(super) const SOCKET_PORT: u16 = 5432;

/// The accounts that the server runs as when this program is root; the first that exists is taken.
const ACCOUNTS: [&str; 2] = ["postgres", "nobody"];

/// A cluster ready to start.
pub(super) struct PreparedCluster {
    /// Held as long as the server runs.
    pub _home: Arc<LockedFolder>,
    pub account: Account,
    pub data: PathBuf,
    pub socket: PathBuf,
    pub log: PathBuf,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub major: u32,
    /// A cluster that was initialised for this start and may not be on the disk yet.
    pub unsynced: Option<UnsyncedCluster>,
}

/// Locks the folder, finds the server, and initialises the data if they are new.
pub(super) fn prepare(config: &EmbeddedConfig) -> Result<PreparedCluster, EmbeddedError> {
    preflight::check(config)?;
    // The lock comes first: initialising removes what an interrupted attempt left in the folder.
    let home = LockedFolder::open(&config.home)?;
    match prepare_in(config, &home.folder) {
        Ok(prepare) => Ok(prepare(Arc::new(home))),
        Err(error) => {
            home.undo();
            Err(error)
        }
    }
}

/// Does the same in a folder that is locked; the cluster then holds the lock.
fn prepare_in(
    config: &EmbeddedConfig,
    home: &DataFolder,
) -> Result<impl FnOnce(Arc<LockedFolder>) -> PreparedCluster + use<>, EmbeddedError> {
    let account = choose_account(config)?;
    account.must_reach(&home.root)?;
    let binaries = match Binaries::find_to_start(config, home)? {
        Some(binaries) => binaries,
        None => install(config, home)?.require_version(home, &[])?,
    };
    account.must_reach(&binaries.bindir)?;
    let socket = home.socket(&config.app, &account)?;
    let log = home.private("log", &account)?;
    let data = home.data(binaries.major);
    // A server that is still shutting down holds the port, and removes the socket when it ends.
    postmaster::clear_leftovers(&data).map_err(EmbeddedError::Start)?;
    if let Some(password_port) = config.password_port {
        must_be_free(password_port)?;
    }
    remove_unsynced(&data)?;
    let mut unsynced = None;
    if !data.join("PG_VERSION").exists() {
        config.report(&format!("Initialising a PostgreSQL {} database", binaries.version));
        match config.durability {
            Durability::Durable => {
                let new = UnsyncedCluster::initialise(
                    &account,
                    &binaries,
                    (&data, SUPERUSER),
                    config.archive.as_ref(),
                )?;
                unsynced = Some(new);
            }
            Durability::Throwaway => initialise(&account, &binaries, &data, SUPERUSER)?,
        }
    }
    admit(config, &account, &data)?;
    lead_to_socket(&socket, &port_of(config))?;
    config.report(&format!("Starting PostgreSQL {}", binaries.version));
    let arguments = arguments(config, &binaries, &data, &socket, &log);
    let program = binaries.bindir.join("postgres");
    Ok(move |home| PreparedCluster {
        _home: home,
        account,
        data,
        socket,
        log,
        program,
        arguments,
        major: binaries.major,
        unsynced,
    })
}

/// The account that PostgreSQL runs as.
pub(super) fn choose_account(config: &EmbeddedConfig) -> Result<Account, EmbeddedError> {
    Ok(Account::choose(config.os_user.as_deref(), &ACCOUNTS, "PostgreSQL")?)
}

/// Writes `pg_hba.conf` and `pg_ident.conf` at every start, because the account may have changed.
pub(super) fn admit(
    config: &EmbeddedConfig,
    account: &Account,
    data: &Path,
) -> Result<(), EmbeddedError> {
    let method = match config.durability {
        Durability::Durable => "peer map=compat",
        Durability::Throwaway => "trust",
    };
    let mut hba = format!("local all all {method}\nlocal replication all {method}\n");
    if config.password_port.is_some() {
        hba.push_str("host all all 127.0.0.1/32 scram-sha-256\n");
    }
    let mut ident = String::new();
    for system in &account.names {
        for login in LOGINS {
            ident.push_str(&format!("compat \"{system}\" {login}\n"));
        }
    }
    write(account, &data.join("pg_hba.conf"), &hba)?;
    write(account, &data.join("pg_ident.conf"), &ident)
}

/// Checks that the port is free; the server would report a conflict only in its log, repeatedly.
fn must_be_free(password_port: PasswordPort) -> Result<(), EmbeddedError> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, password_port.port)) {
        Ok(_) => Ok(()),
        Err(source) => Err(EmbeddedError::Port { port: password_port.port, source }),
    }
}

/// The port in the name of the server's socket, which a setting of the operator may change.
fn port_of(config: &EmbeddedConfig) -> String {
    let own = config.settings.iter().rev().find(|(name, _)| name == "port");
    let usual =
        || config.password_port.map_or(SOCKET_PORT, |password_port| password_port.port).to_string();
    own.map_or_else(usual, |(_, port)| port.clone())
}

/// PostgreSQL names its socket after its port. A symbolic link with the default port's name lets
/// clients connect that know the folder only; a server with the default port replaces the link by
/// its socket.
fn lead_to_socket(folder: &Path, port: &str) -> Result<(), EmbeddedError> {
    if port == SOCKET_PORT.to_string() {
        return Ok(());
    }
    let usual = folder.join(format!(".s.PGSQL.{SOCKET_PORT}"));
    match fs::remove_file(&usual) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(EmbeddedError::file(&usual)(error));
        }
        _ => {}
    }
    symlink(format!(".s.PGSQL.{port}"), &usual).map_err(EmbeddedError::file(&usual))
}

fn write(account: &Account, path: &Path, text: &str) -> Result<(), EmbeddedError> {
    let heading = "# Written at every start; changes here are lost.\n";
    fs::write(path, format!("{heading}{text}")).map_err(EmbeddedError::file(path))?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))
        .map_err(EmbeddedError::file(path))?;
    Ok(account.give(path)?)
}

/// Plain text for people, and also JSON for programs, where the server supports it.
fn log_destination(major: u32) -> &'static str {
    if major >= 15 { "stderr,jsonlog" } else { "stderr" }
}

/// Whether `pg_stat_statements` is loaded, as in hosted projects: if the server's package contains
/// the library, and the operator has not set `shared_preload_libraries`, which ours would replace.
fn preloads_statistics(bindir: &Path, data: &Path) -> bool {
    let is_named = |file: &str| {
        let text = fs::read_to_string(data.join(file)).unwrap_or_default();
        text.lines().any(|line| line.trim_start().starts_with("shared_preload_libraries"))
    };
    let is_there = || {
        let package = bindir.parent().unwrap_or(bindir);
        ["lib", "lib/postgresql", "lib64", "lib64/postgresql"].iter().any(|folder| {
            ["so", "dylib"]
                .iter()
                .any(|end| package.join(folder).join(format!("pg_stat_statements.{end}")).exists())
        })
    };
    !is_named("postgresql.conf") && !is_named("postgresql.auto.conf") && is_there()
}

/// The server's command line. Required settings are given here and not in `postgresql.conf`, which
/// belongs to the operator; `config.settings` can override our preferences.
pub(super) fn arguments(
    config: &EmbeddedConfig,
    binaries: &Binaries,
    data: &Path,
    socket: &Path,
    log: &Path,
) -> Vec<String> {
    let quoted_socket = format!("\"{}\"", socket.display().to_string().replace('"', "\"\""));
    let mut settings: Vec<(&str, String)> = vec![
        ("listen_addresses", config.password_port.map_or("", |_| "127.0.0.1").to_owned()),
        ("port", port_of(config)),
        ("unix_socket_directories", quoted_socket),
        ("wal_level", "logical".to_owned()),
        ("max_replication_slots", "10".to_owned()),
        // A slot whose consumer stopped reading is invalidated before it fills the disk.
        ("max_slot_wal_keep_size", "4GB".to_owned()),
        ("shared_buffers", "128MB".to_owned()),
        ("jit", "off".to_owned()),
        // For solid-state disks: random reads cost little more than sequential ones.
        ("random_page_cost", "1.1".to_owned()),
    ];
    if config.durability == Durability::Durable && preloads_statistics(&binaries.bindir, data) {
        settings.push(("shared_preload_libraries", "pg_stat_statements".to_owned()));
    }
    match config.durability {
        Durability::Durable => settings.extend([
            ("max_connections", "100".to_owned()),
            ("logging_collector", "on".to_owned()),
            ("log_directory", log.display().to_string()),
            ("log_filename", "postgres-%a.log".to_owned()),
            ("log_destination", log_destination(binaries.major).to_owned()),
            // Log times do not depend on the time zone of the machine.
            ("log_timezone", "UTC".to_owned()),
            ("log_truncate_on_rotation", "on".to_owned()),
            ("log_rotation_age", "1d".to_owned()),
            ("log_rotation_size", "0".to_owned()),
        ]),
        Durability::Throwaway => settings.extend([
            ("max_connections", "400".to_owned()),
            ("fsync", "off".to_owned()),
            ("full_page_writes", "off".to_owned()),
            ("synchronous_commit", "off".to_owned()),
            ("max_wal_size", "512MB".to_owned()),
            // Tests that run in parallel have replication streams of their own.
            ("max_replication_slots", "100".to_owned()),
            ("max_wal_senders", "100".to_owned()),
        ]),
    }
    let configured = config.settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
    let mut arguments = vec!["-D".to_owned(), data.display().to_string()];
    for (name, value) in settings.into_iter().chain(configured) {
        arguments.extend(["-c".to_owned(), format!("{name}={value}")]);
    }
    arguments
}
