//! All settings of all services, read in one place: defaults, a project's `config.toml`, the
//! environment, the command line. Every mistake is reported at once, by name.
//!
//! Names are the originals' wherever they have one, so that an existing environment file works.

mod arguments;
mod auth;
mod backups;
mod console;
mod database;
mod functions;
mod issuers;
mod keys;
mod logs;
mod mcp;
mod meta;
mod objects;
mod outgoing;
mod project;
mod reader;
mod realtime;
mod rest;
mod setting;
mod storage;
mod upstream;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use compat_console::ConsoleAccess;
use compat_http::SettingProblem;
use ipnet::IpNet;

pub use arguments::{DataArguments, ServeArguments};
pub use backups::BackupSettings;
pub use console::ConsoleSettings;
pub use database::DatabaseSettings;
pub use issuers::{IssuerSettings, TrustedIssuer};
pub use logs::LogSettings;
pub use mcp::McpSettings;
pub use meta::MetaSettings;
pub use objects::ObjectSettings;
pub use project::{ProjectSettings, read as project};
pub use reader::{Findings, Reader};
pub use setting::Setting;

use crate::LogFormat;
use crate::project_keys::KeySettings;
use crate::service::{Service, StandaloneMode};

/// By default, only this machine can connect.
const THIS_MACHINE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Everything the stack needs to start.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Address to listen on.
    pub host: IpAddr,
    /// Port to listen on; 0 takes a free one.
    pub port: u16,
    /// Port for operators; none without one.
    pub admin_port: Option<u16>,
    /// Address of the operators' port: loopback by default.
    pub admin_host: IpAddr,
    /// Folder of everything that must survive a restart.
    pub data_dir: PathBuf,
    /// The services to run.
    pub services: Vec<&'static Service>,
    /// `API_EXTERNAL_URL`: the public address. By default, the address listened on.
    pub public_url: Option<String>,
    /// `TRUSTED_PROXIES`: networks whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Outgoing calls.
    pub outgoing: compat_http::OutgoingConfig,
    /// `COMPAT_ENVIRONMENT`: `production` switches off everything meant for development.
    pub production: bool,
    /// The database.
    pub database: DatabaseSettings,
    /// What agents may do.
    pub mcp: McpSettings,
    /// The console.
    pub console: ConsoleSettings,
    /// The folder or store of the console's backups.
    pub backups: BackupSettings,
    /// Keys that the operator sets.
    pub keys: KeySettings,
    /// Other issuers whose tokens are trusted.
    pub issuers: IssuerSettings,
    /// rest/v1.
    pub rest: compat_rest::Config,
    /// auth/v1; its site address is filled in when the public address is known.
    pub auth: compat_auth::Config,
    /// The storage of the objects' bytes.
    pub objects: ObjectSettings,
    /// storage/v1.
    pub storage: compat_storage::Config,
    /// Folders with seed objects for buckets.
    pub first_objects: BTreeMap<String, PathBuf>,
    /// realtime/v1.
    pub realtime: compat_realtime::Config,
    /// `/pg`.
    pub meta: MetaSettings,
    /// functions/v1.
    pub functions: compat_functions::Config,
    /// Functions in TypeScript, if a folder of them is served.
    pub scripts: Option<compat_functions::ScriptsConfig>,
    /// The log ring in the data folder.
    pub logs: LogSettings,
    /// The runtime of TypeScript functions and tools.
    pub toolchain: compat_functions::ToolchainConfig,
    /// The files of a project.
    pub project: ProjectSettings,
    /// Whether a start prints a line for each step.
    pub prints_progress: bool,
}

/// Why the settings are invalid; the program then does not start.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is not valid TOML.
    #[error("{}: {source}", path.display())]
    Toml {
        /// The path of the file.
        path: PathBuf,
        /// The error of the parser.
        source: Box<toml::de::Error>,
    },
    /// All invalid settings.
    #[error("{}", list(.0))]
    Wrong(Vec<SettingProblem>),
}

fn list(problems: &[SettingProblem]) -> String {
    let lines: Vec<String> = problems.iter().map(|problem| format!("  {problem}")).collect();
    format!("these settings cannot be used:\n{}", lines.join("\n"))
}

/// Creates a reader of the process's environment and the given file.
///
/// # Errors
/// The file cannot be read or is not valid TOML.
pub fn reader(config_file: Option<&Path>) -> Result<Reader, SettingsError> {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads it")]
    let environment: BTreeMap<String, String> = std::env::vars().collect();
    let file = match config_file {
        None => toml::Table::new(),
        Some(path) => {
            let at = || path.to_owned();
            let text = std::fs::read_to_string(path)
                .map_err(|source| SettingsError::File { path: at(), source })?;
            text.parse()
                .map_err(|error| SettingsError::Toml { path: at(), source: Box::new(error) })?
        }
    };
    let folder = config_file.and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    Ok(Reader::new(environment, &file).in_folder(folder))
}

/// The official CLI's defaults for a project's file, where they differ from the services' own; in
/// production the services' own apply.
const OF_THE_CLI: [(&str, &str); 6] = [
    ("auth.site_url", "http://localhost:3000"),
    ("db.password", "postgres"),
    ("auth.email.enable_confirmations", "false"),
    ("auth.email.max_frequency", "1s"),
    ("auth.sms.enable_confirmations", "false"),
    ("auth.sms.max_frequency", "5s"),
];

/// Applies the official CLI's defaults to a project's file.
pub fn preset_as_cli(reader: &mut Reader) {
    // Other values are refused where the setting is read.
    if reader.text(&["COMPAT_ENVIRONMENT"], "environment").as_deref() != Some("production") {
        OF_THE_CLI.iter().for_each(|(key, value)| reader.preset(key, value));
    }
}

impl Settings {
    /// Reads all settings; `arguments` take precedence over every other source. Mistakes stay in
    /// the reader until [`finish`].
    pub fn read(reader: &mut Reader, arguments: &ServeArguments) -> Self {
        let production = production(reader);
        let services = arguments.services();
        let standalone = standalone(&services);
        let toolchain = functions::read_toolchain(reader, &arguments.data.resolve());
        let objects = objects::read(reader, &arguments.data.resolve());
        let mut settings = Self {
            host: THIS_MACHINE,
            port: 8000,
            admin_port: None,
            admin_host: THIS_MACHINE,
            data_dir: arguments.data.resolve(),
            services,
            public_url: public_url(reader),
            trusted_proxies: proxies(reader),
            outgoing: outgoing::read(reader),
            production,
            database: database::read(reader, arguments.db_port),
            mcp: mcp::read(reader),
            console: console::read(reader),
            backups: backups::read(reader, &objects, &arguments.data.resolve()),
            keys: keys(reader),
            issuers: issuers::read(reader),
            rest: rest::read(reader, standalone),
            auth: auth::read(reader, production),
            objects,
            storage: storage::read(reader),
            first_objects: storage::first_objects(reader),
            realtime: realtime::read(reader),
            meta: meta::read(reader),
            functions: functions::read(reader),
            scripts: functions::read_scripts(reader, arguments, &toolchain),
            toolchain,
            logs: logs::read(reader),
            project: project::read(reader),
            prints_progress: false,
        };
        settings.listen_at(reader, arguments);
        settings
    }

    /// Reads all addresses, even those that the command line overrides, so that a key of the file
    /// never counts as unknown.
    fn listen_at(&mut self, reader: &mut Reader, arguments: &ServeArguments) {
        reader.over(&mut self.host, &["HOST", "PGRST_SERVER_HOST"], "api.host");
        reader.over(&mut self.port, &["PORT"], "api.port");
        let named = ["ADMIN_PORT", "PGRST_ADMIN_SERVER_PORT"];
        reader.over(&mut self.admin_port, &named, "api.admin_port");
        let named = ["ADMIN_HOST", "PGRST_ADMIN_SERVER_HOST"];
        reader.over(&mut self.admin_host, &named, "api.admin_host");
        self.host = arguments.host.unwrap_or(self.host);
        self.port = arguments.port.unwrap_or(self.port);
        self.admin_port = arguments.admin_port.or(self.admin_port);
        self.admin_host = arguments.admin_host.unwrap_or(self.admin_host);
    }

    /// Applies what `up` does beyond serving, as the official CLI does on a developer's machine:
    /// the database accepts other programs, and the CLI's local keys are valid while only this
    /// machine can connect.
    pub fn serve_as_cli(&mut self) {
        if !self.production {
            self.database.open_for_project();
            self.console.serve_at_this_machine();
            self.keys.takes_local_keys = self.is_of_this_machine_only();
        }
    }

    /// Whether only this machine can connect, as far as the settings tell.
    pub(crate) fn is_of_this_machine_only(&self) -> bool {
        let host = self.public_url.as_deref().map(|url| url.parse().ok());
        let is_near = |url: Option<url::Url>| match url.as_ref().and_then(url::Url::host) {
            Some(url::Host::Domain(name)) => name == "localhost",
            Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
            Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
            None => false,
        };
        self.host.is_loopback() && self.trusted_proxies.is_empty() && host.is_none_or(is_near)
    }

    /// The address of the captured mailbox below this public address; none if mail goes to a relay
    /// or the mailbox is not served.
    pub fn mailbox_address(&self, public_url: &str) -> Option<String> {
        let is_served = self.services.iter().any(|service| service.name == "auth");
        let is_shown = !self.production && crate::mailbox::is_local(public_url);
        let is_caught = self.auth.email.smtp.is_none();
        (is_served && is_shown && is_caught).then(|| format!("{public_url}/mailbox"))
    }

    /// The address at which the embedded server accepts other programs.
    pub fn database_address(&self) -> Option<String> {
        use secrecy::ExposeSecret as _;
        let (port, _) = self.database.password_port()?;
        self.database.address_at(port).map(|address| address.expose_secret().to_owned())
    }

    /// What differs because a single service runs.
    pub fn standalone(&self) -> StandaloneMode {
        standalone(&self.services)
    }

    /// From where the console can be reached; none if a service runs alone or on the operator's
    /// database.
    pub(crate) fn console_access(&self) -> Option<ConsoleAccess> {
        self.console.access.filter(|_| self.services.len() > 1 && self.is_ours())
    }

    /// Whether this program creates roles and schemas. A service that runs alone on the operator's
    /// database must not.
    pub fn is_ours(&self) -> bool {
        let embedded = self.database.url.is_none() && self.database.acting_url.is_none();
        embedded || self.standalone() != StandaloneMode::ForeignDatabase
    }
}

/// What differs because only these services run.
fn standalone(services: &[&'static Service]) -> StandaloneMode {
    match services {
        [service] => service.standalone,
        _ => StandaloneMode::Same,
    }
}

/// Ends the reading: reports mistakes, or warns about settings without effect and features that
/// stay off.
///
/// # Errors
/// At least one setting is invalid; the error lists all of them.
pub fn finish(reader: Reader) -> Result<(), SettingsError> {
    let Findings { problems, unused, unset } = reader.finish();
    if !problems.is_empty() {
        return Err(SettingsError::Wrong(problems));
    }
    if !unused.is_empty() {
        tracing::warn!(settings = unused.join(", "), "setting has no effect here");
    }
    if !unset.is_empty() {
        let variables = unset.join(", ");
        tracing::warn!(
            variables,
            "variables named by the file are not set; their features stay off"
        );
    }
    Ok(())
}

/// The level and format of logs, which are read first.
pub fn log_settings(reader: &mut Reader) -> (String, LogFormat) {
    let named = ["LOG_LEVEL", "PGRST_LOG_LEVEL", "GOTRUE_LOG_LEVEL"];
    let level = reader.text(&named, "log.level").unwrap_or_else(|| "info".to_owned());
    let format = reader.with(&["LOG_FORMAT"], "log.format", |text| {
        <LogFormat as clap::ValueEnum>::from_str(text, true).map_err(|_| "text or json")
    });
    (level, format.unwrap_or_default())
}

fn public_url(reader: &mut Reader) -> Option<String> {
    let named = ["API_EXTERNAL_URL", "SUPABASE_PUBLIC_URL"];
    reader.with(&named, "api.external_url", |text| {
        let url: Option<url::Url> = text.parse().ok();
        url.filter(|url| matches!(url.scheme(), "http" | "https") && url.host().is_some())
            .map(|_| text.trim_end_matches('/').to_owned())
            .ok_or("an http or https address")
    })
}

fn production(reader: &mut Reader) -> bool {
    let value = reader.with(&["COMPAT_ENVIRONMENT"], "environment", |text| match text {
        "production" => Ok(true),
        "development" => Ok(false),
        _ => Err("production or development"),
    });
    value.unwrap_or_default()
}

fn proxies(reader: &mut Reader) -> Vec<IpNet> {
    let value = reader.with(&["TRUSTED_PROXIES"], "api.trusted_proxies", |text| {
        text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(network).collect()
    });
    value.unwrap_or_default()
}

/// A network, or a single address as a network of its own.
fn network(text: &str) -> Result<IpNet, &'static str> {
    text.parse::<IpNet>()
        .or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
        .map_err(|_| "addresses or networks such as 10.0.0.0/8")
}

/// Keys that the operator sets.
pub fn keys(reader: &mut Reader) -> KeySettings {
    keys::read(reader)
}

#[cfg(test)]
mod tests;
