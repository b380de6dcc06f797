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

/// Where nothing else is said, nobody from elsewhere gets in.
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
    /// Address of the operators' port: this machine only, unless somebody says otherwise.
    pub admin_host: IpAddr,
    /// Where everything is kept that must survive a restart.
    pub data_dir: PathBuf,
    /// The services to run.
    pub services: Vec<&'static Service>,
    /// `API_EXTERNAL_URL`: the address people reach us at. Without it, the address listened on.
    pub public_url: Option<String>,
    /// `TRUSTED_PROXIES`: networks whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Calls that leave the process.
    pub outgoing: compat_http::OutgoingConfig,
    /// `COMPAT_ENVIRONMENT`: `production` switches off everything meant for development.
    pub production: bool,
    /// The database.
    pub database: DatabaseSettings,
    /// What agents may do.
    pub mcp: McpSettings,
    /// The console.
    pub console: ConsoleSettings,
    /// Where the console keeps backups.
    pub backups: BackupSettings,
    /// Keys given from outside.
    pub keys: KeySettings,
    /// Other issuers whose tokens are trusted.
    pub issuers: IssuerSettings,
    /// rest/v1.
    pub rest: compat_rest::Config,
    /// auth/v1; its site address is filled in when the public address is known.
    pub auth: compat_auth::Config,
    /// Where the bytes of objects lie.
    pub objects: ObjectSettings,
    /// storage/v1.
    pub storage: compat_storage::Config,
    /// Folders that buckets get their first objects from.
    pub first_objects: BTreeMap<String, PathBuf>,
    /// realtime/v1.
    pub realtime: compat_realtime::Config,
    /// `/pg`.
    pub meta: MetaSettings,
    /// functions/v1.
    pub functions: compat_functions::Config,
    /// Functions in TypeScript, where there is a folder of them.
    pub scripts: Option<compat_functions::ScriptsConfig>,
    /// The log's ring in the data folder.
    pub logs: LogSettings,
    /// What runs TypeScript, functions and tools.
    pub toolchain: compat_functions::ToolchainConfig,
    /// A project's own files.
    pub project: ProjectSettings,
    /// Whether the start says what it does, a line for each step, to the person who waits for it.
    pub prints_progress: bool,
}

/// Mistakes in the settings; the program does not start with any.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file could not be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{}: {source}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// Where it stops making sense.
        source: Box<toml::de::Error>,
    },
    /// Every mistake found.
    #[error("{}", list(.0))]
    Wrong(Vec<SettingProblem>),
}

fn list(problems: &[SettingProblem]) -> String {
    let lines: Vec<String> = problems.iter().map(|problem| format!("  {problem}")).collect();
    format!("these settings cannot be used:\n{}", lines.join("\n"))
}

/// A reader over the process's environment and the given file.
///
/// # Errors
/// When the file cannot be read or is not TOML.
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

/// What the official CLI takes where a project's file says nothing, and the services would take
/// otherwise; in production the services' own defaults hold.
const OF_THE_CLI: [(&str, &str); 6] = [
    ("auth.site_url", "http://localhost:3000"),
    ("db.password", "postgres"),
    ("auth.email.enable_confirmations", "false"),
    ("auth.email.max_frequency", "1s"),
    ("auth.sms.enable_confirmations", "false"),
    ("auth.sms.max_frequency", "5s"),
];

/// Has a project's file read as the official CLI reads it.
pub fn preset_as_cli(reader: &mut Reader) {
    // What is neither is refused where it is read.
    if reader.text(&["COMPAT_ENVIRONMENT"], "environment").as_deref() != Some("production") {
        OF_THE_CLI.iter().for_each(|(key, value)| reader.preset(key, value));
    }
}

impl Settings {
    /// Reads what the services can be told; `arguments` go before everything else. Mistakes
    /// stay in the reader until [`finish`].
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

    /// The places are read even where the command line names others: a key of the file is known
    /// whether it counts or not.
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

    /// What `up` does beside serving, as the official CLI does on a developer's machine: the database
    /// lets other programs in, and the CLI's local keys count while nobody comes from elsewhere.
    pub fn serve_as_cli(&mut self) {
        if !self.production {
            self.database.open_for_project();
            self.console.serve_at_this_machine();
            self.keys.takes_local_keys = self.is_of_this_machine_only();
        }
    }

    /// Whether nothing says that somebody from elsewhere gets in.
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

    /// Where the mails that were caught are read, below this address of ours; none where a relay
    /// takes them, or where they are shown to nobody.
    pub fn mailbox_address(&self, public_url: &str) -> Option<String> {
        let is_served = self.services.iter().any(|service| service.name == "auth");
        let is_shown = !self.production && crate::mailbox::is_local(public_url);
        let is_caught = self.auth.email.smtp.is_none();
        (is_served && is_shown && is_caught).then(|| format!("{public_url}/mailbox"))
    }

    /// The address at which the embedded server lets other programs in.
    pub fn database_address(&self) -> Option<String> {
        use secrecy::ExposeSecret as _;
        let (port, _) = self.database.door()?;
        self.database.address_at(port).map(|address| address.expose_secret().to_owned())
    }

    /// What is different because a single service runs.
    pub fn standalone(&self) -> StandaloneMode {
        standalone(&self.services)
    }

    /// Who reaches the console; nobody where a service runs alone, or on a database of somebody else.
    pub(crate) fn console_access(&self) -> Option<ConsoleAccess> {
        self.console.access.filter(|_| self.services.len() > 1 && self.is_ours())
    }

    /// Whether roles and schemas are ours to make: a guest on the operator's server serves a
    /// database that belongs to somebody else.
    pub fn is_ours(&self) -> bool {
        let embedded = self.database.url.is_none() && self.database.acting_url.is_none();
        embedded || self.standalone() != StandaloneMode::ForeignDatabase
    }
}

/// What is different because these services run without others.
fn standalone(services: &[&'static Service]) -> StandaloneMode {
    match services {
        [service] => service.standalone,
        _ => StandaloneMode::Same,
    }
}

/// Ends the reading: reports mistakes, or tells what changes nothing here and what is left off.
///
/// # Errors
/// Every mistake at once.
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

/// The level and form of logs, read before everything else.
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

/// A network, or a single address as a network of one.
fn network(text: &str) -> Result<IpNet, &'static str> {
    text.parse::<IpNet>()
        .or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
        .map_err(|_| "addresses or networks such as 10.0.0.0/8")
}

/// Keys given from outside.
pub fn keys(reader: &mut Reader) -> KeySettings {
    keys::read(reader)
}

#[cfg(test)]
mod tests;
