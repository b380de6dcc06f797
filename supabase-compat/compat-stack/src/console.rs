//! Starts the console in the stack: its database logins, its view of the services, and the setup
//! link for the first owner.

mod keys;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use chrono::{DateTime, DurationRound as _, TimeDelta, Utc};
use compat_advice::Level;
use compat_console::{
    ConsoleAccess, ConsoleConfig, ConsoleState, HealthReader, RequestCount, RequestReader,
    STATEMENT_SESSIONS, ServiceHealth, ServiceStatus, SettingWarning, WarningLevel,
};
use compat_http::{Clock, Entropy};
use compat_pg::{EmbeddedPostgres, OwnerDb, SchemaSource, SessionDb, SqlLogin};
use prometheus::core::Collector;
use secrecy::{ExposeSecret as _, SecretString};

use crate::agents::advice_on_settings;
use crate::backup::{BackupContext, Reload, StackBackups};
use crate::logs::{LogWriter, logs_folder, visit_newest_first};
use crate::metrics::{Figure, Figures};
use crate::pool_budgets::{CONSOLE, GENERATORS};
use crate::service::{RunningService, Service, StartContext};
use crate::services::{DenoParser, session_limits};
use crate::settings::ProjectSettings;
use crate::version::VERSION;
use crate::{ConnectedDatabase, Settings, StackError, mailbox, print_line, services};
use keys::StackKeys;

/// The `application_name` of the console's database sessions.
const APPLICATION: &str = "supabase-compat console";

/// The console and the `/pg` routes that it uses.
pub(crate) struct Console {
    pub state: ConsoleState,
    meta: compat_meta::State,
    owner: OwnerDb,
}

/// What the stack has built by the time the console starts.
pub(crate) struct ConsoleContext<'a> {
    pub start: &'a StartContext<'a>,
    pub embedded: Option<&'a EmbeddedPostgres>,
    pub services: &'a Arc<[(&'static Service, RunningService)]>,
    pub logs: Option<&'a LogWriter>,
    /// The schemas of the application.
    pub schemas: &'a [SchemaSource],
}

/// Opens the console; none if the settings turn it off.
pub(crate) async fn open(context: ConsoleContext<'_>) -> Result<Option<Console>, StackError> {
    let ConsoleContext { start, embedded, services, logs, schemas } = context;
    let StartContext { environment, keys, pools, settings, .. } = *start;
    let Some(access) = settings.console_access() else { return Ok(None) };
    let writer_url = writer_url(start, embedded).await?;
    let writer_url = writer_url.expose_secret();
    let statements = SessionDb::new(writer_url, STATEMENT_SESSIONS)?;
    let login = |sessions| SqlLogin::new(sessions).named(APPLICATION);
    let (reader, makes_reader) = match embedded {
        Some(server) => (login(statements.with_login(&server.reader_url())?), true),
        None => (login(statements.clone()), false),
    };
    let config = settings.meta.service.clone();
    let sessions = SessionDb::new(writer_url, session_limits(&config))?;
    let state = ConsoleState::new(ConsoleConfig {
        environment: environment.clone(),
        owner: pools.owner.with_budget(CONSOLE),
        writer: login(statements),
        reader,
        makes_reader,
        access,
        project: project_name(&settings.project),
        version: VERSION,
        secret: keys.app_secret.clone(),
        anon_key: keys.api.anon.clone(),
        services: services.iter().map(|(service, _)| service.name).collect(),
        health: health(Arc::clone(services)),
        requests: logs.map(|logs| requests(start, logs.clone())),
        snippets: settings.project.folder.as_ref().map(|folder| folder.join("snippets")),
        audit_retention: settings.console.audit_retention,
        passwords: settings.auth.password.clone(),
        backups: Arc::new(StackBackups::new(BackupContext {
            settings,
            schemas,
            owner: pools.owner.with_budget(CONSOLE),
            url: owner_url(settings, embedded),
            environment,
            reload: reload(Arc::clone(services)),
        })),
        keys: Arc::new(StackKeys::new(settings, keys, environment)),
        warnings: setting_warnings(settings),
    });
    let parser = Arc::new(DenoParser::new(settings.toolchain.clone()));
    let meta = compat_meta::State::new(environment.clone(), sessions, config).with_parser(parser);
    Ok(Some(Console { state, meta, owner: pools.owner.with_budget(GENERATORS) }))
}

impl Console {
    /// The `/pg` routes, with the console's login.
    pub fn meta_router(&self) -> Router {
        let query_timeout = self.meta.config().query_timeout;
        let generators = compat_typegen::router(self.owner.clone(), query_timeout);
        compat_meta::router(self.meta.clone(), generators)
    }

    /// Metrics of the backups.
    pub fn figures(&self) -> Box<dyn Collector> {
        let state = self.state.clone();
        Box::new(Figures::new(move || {
            let known = state.backup_figures();
            let seconds = |time: Option<DateTime<Utc>>| {
                // Seconds of these years are whole numbers of a double.
                time.map_or(0.0, |time| time.timestamp() as f64)
            };
            vec![
                Figure::gauge(
                    "backup_last_success_timestamp_seconds",
                    "When the last backup was made; 0 for never.",
                    seconds(known.last_success),
                ),
                Figure::gauge(
                    "backup_last_failure_timestamp_seconds",
                    "When a backup failed last; 0 for never.",
                    seconds(known.last_failure),
                ),
                Figure::gauge(
                    "backup_last_size_bytes",
                    "Bytes of the last backup.",
                    known.last_bytes.unwrap_or_default() as f64,
                ),
            ]
        }))
    }

    /// Prints the address of the console and, if it has no owner yet, the setup link.
    pub async fn print_address(&self, own_address: &str, public_url: &str) {
        let access = Some(self.state.access());
        let base = base_address(access, Some(public_url), own_address);
        match self.state.first_link().await {
            Ok(Some(token)) => print_line(&format!(
                "Console: make the first owner within 24 hours at {}",
                setup_address(base, &token)
            )),
            Ok(None) => print_line(&format!("Console: {base}/console")),
            Err(error) => tracing::error!(%error, "cannot create the setup link of the console"),
        }
    }
}

/// Creates a setup link for another owner and returns its address, for when no owner can sign in
/// any more. The link works once within 24 hours. None if the database has no console.
///
/// # Errors
/// A statement fails.
pub async fn console_owner_link(
    database: &ConnectedDatabase,
    settings: &Settings,
) -> Result<Option<String>, StackError> {
    let (clock, entropy) = (Clock::system(), Entropy::system());
    let token = compat_console::owner_link(&database.owner, &clock, &entropy).await?;
    let host = match settings.host {
        host if host.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        host => host,
    };
    let own_address = format!("http://{}", SocketAddr::new(host, settings.port));
    let public_url = settings.public_url.as_deref();
    let base = base_address(settings.console.access, public_url, &own_address);
    Ok(token.map(|token| setup_address(base, &token)))
}

/// The address at which people reach the console.
fn base_address<'a>(
    access: Option<ConsoleAccess>,
    public_url: Option<&'a str>,
    own_address: &'a str,
) -> &'a str {
    let public_url = public_url.filter(|url| !mailbox::is_local(url));
    match (access, public_url) {
        (Some(ConsoleAccess::Everywhere), Some(url)) => url,
        _ => own_address,
    }
}

fn setup_address(base: &str, token: &str) -> String {
    format!("{base}/console/setup?token={token}")
}

/// The project's configured id, or the name of its folder.
fn project_name(project: &ProjectSettings) -> Option<String> {
    let folder = project.folder.as_deref().and_then(Path::parent).and_then(Path::file_name);
    let name = folder.map(|name| name.to_string_lossy().into_owned());
    project.id.clone().or(name)
}

/// The URL of the database's owner, who can read all of it.
fn owner_url(settings: &Settings, embedded: Option<&EmbeddedPostgres>) -> SecretString {
    let database = &settings.database;
    let configured = database.url.as_ref().or(database.acting_url.as_ref());
    match (configured, embedded) {
        (Some(url), _) => url.clone(),
        (None, Some(server)) => server.owner_url().into(),
        (None, None) => SecretString::default(),
    }
}

/// Warnings about insecure settings, by the rules of the advice.
fn setting_warnings(settings: &Settings) -> Vec<SettingWarning> {
    let level = |level: Level| match level {
        Level::Info => WarningLevel::Info,
        Level::Warn => WarningLevel::Warning,
        Level::Error => WarningLevel::Error,
    };
    let notices = advice_on_settings(settings).notices();
    notices.iter().map(|one| SettingWarning { name: one.name, level: level(one.level) }).collect()
}

/// The URL of the login for statements that write, which has no superuser rights.
async fn writer_url(
    start: &StartContext<'_>,
    embedded: Option<&EmbeddedPostgres>,
) -> Result<SecretString, StackError> {
    match embedded {
        Some(server) if start.settings.meta.url.is_none() && server.programs_are_superuser() => {
            compat_pg::ensure_console_writer(&start.pools.owner).await?;
            Ok(server.console_writer_url().into())
        }
        _ => Ok(start.programs_url.clone()),
    }
}

/// Makes every service reload its caches.
fn reload(running: Arc<[(&'static Service, RunningService)]>) -> Reload {
    Arc::new(move || running.iter().for_each(|(_, running)| (running.reload)()))
}

fn health(running: Arc<[(&'static Service, RunningService)]>) -> HealthReader {
    Arc::new(move || {
        let one = |service: &'static Service| {
            let known = running.iter().find(|(own, _)| *own == service);
            let (status, detail) = match known.map(|(_, running)| (running.missing)()) {
                None => (ServiceStatus::Off, None),
                Some(None) => (ServiceStatus::Up, None),
                Some(detail) => (ServiceStatus::Down, detail),
            };
            ServiceHealth { name: service.name, status, detail }
        };
        services::ALL.into_iter().map(one).collect()
    })
}

/// Counts requests by minute, from the log.
fn requests(start: &StartContext<'_>, writer: LogWriter) -> RequestReader {
    let folder = logs_folder(&start.settings.data_dir);
    Arc::new(move |since| {
        // Requests that were answered before this call are counted.
        writer.flush();
        let mut minutes: BTreeMap<DateTime<Utc>, RequestCount> = BTreeMap::new();
        visit_newest_first(&folder, Some(since), |_, entry| {
            if let Some(status) = entry.status.filter(|_| entry.time >= since) {
                let minute = entry.time.duration_trunc(TimeDelta::minutes(1)).unwrap_or(since);
                let empty =
                    RequestCount { minute, requests: 0, client_errors: 0, server_errors: 0 };
                let count = minutes.entry(minute).or_insert(empty);
                count.requests += 1;
                count.client_errors += u64::from((400..500).contains(&status));
                count.server_errors += u64::from(status >= 500);
            }
            ControlFlow::Continue(())
        })?;
        Ok(minutes.into_values().collect())
    })
}
