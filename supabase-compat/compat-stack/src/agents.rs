//! Connects the tools for coding agents, over HTTP and over standard input and output, and the
//! advice that people see, too.

mod readers;

use std::sync::Arc;

use axum::Router;
use compat_advice::{Notice, SettingAdvice, advise};
use compat_console::ConsoleAccess;
use compat_http::{Clock, Entropy};
use compat_mcp::{EdgeFunction, McpConfig, McpHosts, McpState, Mode, SESSIONS};
use compat_pg::{EmbeddedPostgres, OwnerDb, SessionDb, SqlLogin};
use secrecy::{ExposeSecret as _, SecretString};

use crate::logs::logs_folder;
use crate::stack::database;
use crate::{ConnectedDatabase, ProjectKeys, Settings, StackError, mailbox};

/// Secrets from published examples.
const KNOWN_SECRETS: [&str; 2] = [
    "super-secret-jwt-token-with-at-least-32-characters-long",
    "your-super-secret-jwt-token-with-at-least-32-characters-long",
];
/// The issuer in the keys of those examples, encoded as in a token.
const KNOWN_ISSUER: &str = "c3VwYWJhc2UtZGVtby";
/// The database password of the official CLI.
const KNOWN_PASSWORD: &str = "postgres";
/// The least number of bytes of a secret that cannot be guessed (RFC 7518, 3.2).
const SHORTEST_SECRET: usize = 32;

/// What the state of the tools is built from.
pub(crate) struct AgentContext<'a> {
    pub settings: &'a Settings,
    pub owner: &'a OwnerDb,
    pub keys: &'a ProjectKeys,
    pub url: &'a str,
    pub clock: Clock,
    pub entropy: Entropy,
}

/// Builds the state of the tools.
pub(crate) fn state(context: AgentContext<'_>) -> Result<McpState, StackError> {
    let AgentContext { settings, owner, keys, url, clock, entropy } = context;
    let (reader, writer, makes_reader) = logins(settings)?;
    Ok(McpState::new(McpConfig {
        owner: owner.clone(),
        reader,
        writer,
        makes_reader,
        url: url.into(),
        publishable_key: keys.api.publishable.clone(),
        anon_key: keys.api.anon.clone(),
        secrets: secrets(settings, keys),
        exposed: settings.rest.schemas.clone(),
        notices: advice_on_settings(settings).notices(),
        functions: functions(settings),
        logs: settings.logs.max_size.map(|_| readers::logs(logs_folder(&settings.data_dir))),
        types: Some(readers::types(owner.clone(), settings.rest.schemas.clone())),
        read_only: settings.mcp.read_only,
        clock,
        entropy,
    }))
}

/// `/mcp` and `/advisors/v1`.
pub(crate) fn router(
    state: McpState,
    settings: &Settings,
    environment: &compat_http::ServiceEnvironment,
) -> Router {
    let url = &environment.public_url;
    let is_local = settings.host.is_loopback() && mailbox::is_local(url);
    let hosts = McpHosts { is_local, origins: origins(url, is_local) };
    let advice = compat_mcp::advice_router(state.clone(), environment.clone());
    match settings.mcp.is_enabled {
        true => advice.merge(compat_mcp::router(state, environment.clone(), hosts)),
        false => advice,
    }
}

/// The origins of the project's own pages, each with its port.
fn origins(public_url: &str, is_local: bool) -> Vec<String> {
    let Ok(url) = url::Url::parse(public_url) else { return Vec::new() };
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return Vec::new();
    };
    let mut origins = vec![format!("{}://{host}:{port}", url.scheme())];
    if is_local {
        origins.extend(["localhost", "127.0.0.1"].map(|host| format!("http://{host}:{port}")));
    }
    origins
}

/// The logins for statements that only read and for those that write, and whether the reader's role
/// is ours to create.
fn logins(settings: &Settings) -> Result<(SqlLogin, SqlLogin, bool), StackError> {
    let named = settings.mcp.database_url.as_ref().or(settings.database.url.as_ref());
    if let Some(url) = named.or(settings.database.acting_url.as_ref()) {
        let login = SqlLogin::new(SessionDb::new(url.expose_secret(), SESSIONS)?);
        return Ok((login.clone(), login, false));
    }
    let config = database::embedded(settings);
    let reader = EmbeddedPostgres::reader_url_of_running(&config)?;
    let writer = EmbeddedPostgres::programs_url_of_running(&config)?;
    let reader = SessionDb::new(&reader, SESSIONS)?;
    let writer = reader.with_login(&writer)?;
    Ok((SqlLogin::new(reader), SqlLogin::new(writer), true))
}

/// Values that are removed from every answer. Keys that clients may know are not among them.
fn secrets(settings: &Settings, keys: &ProjectKeys) -> Vec<SecretString> {
    let mut secrets = vec![
        keys.api.service_role.clone().into(),
        keys.api.secret.clone().into(),
        keys.app_secret.clone(),
    ];
    secrets.extend(settings.keys.jwt_secret.clone());
    secrets
}

type ListFunctions = Arc<dyn Fn() -> Vec<EdgeFunction> + Send + Sync>;

fn functions(settings: &Settings) -> Option<ListFunctions> {
    let folder = settings.scripts.as_ref()?.folder.clone();
    let config = settings.functions.clone();
    Some(Arc::new(move || {
        let listed = compat_functions::list(&folder, &config.functions);
        let function = |(slug, entry): (String, compat_functions::Entry)| EdgeFunction {
            verify_jwt: config
                .functions
                .get(&slug)
                .and_then(|own| own.verify_jwt)
                .unwrap_or(config.verify_jwt),
            folder: folder.join(&slug),
            entrypoint: entry.main,
            import_map: entry.config.or(entry.import_map),
            slug,
        };
        listed.into_iter().map(function).collect()
    }))
}

/// Checks the settings for values that leave the project insecure or lose mail.
pub(crate) fn advice_on_settings(settings: &Settings) -> SettingAdvice {
    let is_public = !settings.is_of_this_machine_only();
    let secret = settings.keys.jwt_secret.as_ref().map(SecretString::expose_secret);
    let password = settings.database.password_port().map(|(_, password)| password.expose_secret());
    let configured = [
        settings.keys.anon_key.as_deref(),
        settings.keys.service_role_key.as_ref().map(SecretString::expose_secret),
    ];
    let has_known_key = configured.into_iter().flatten().any(|key| key.contains(KNOWN_ISSUER));
    let is_plain = settings.public_url.as_deref().is_some_and(|url| url.starts_with("http:"));
    SettingAdvice {
        is_public,
        is_production: settings.production,
        has_default_password: password == Some(KNOWN_PASSWORD),
        has_known_keys: has_known_key
            || secret.is_some_and(|secret| KNOWN_SECRETS.contains(&secret)),
        has_short_secret: secret.is_some_and(|secret| secret.len() < SHORTEST_SECRET),
        agents_write: settings.mcp.is_enabled && settings.mcp.read_only == Some(false),
        is_unencrypted: is_public && is_plain,
        has_open_console: is_public
            && settings.console_access() == Some(ConsoleAccess::Everywhere)
            && !settings.public_url.as_deref().is_some_and(|url| url.starts_with("https:")),
        loses_mail: lacks_mail(settings) && (is_public || settings.production),
    }
}

/// Whether auth/v1 is served without a way to send its mail.
fn lacks_mail(settings: &Settings) -> bool {
    let is_served = settings.services.iter().any(|service| service.name == "auth");
    let auth = &settings.auth;
    is_served && auth.email.smtp.is_none() && auth.hooks.send_email.is_none()
}

/// Advice on a database and the settings it is served with.
///
/// # Errors
/// The catalogue cannot be read.
pub async fn advice(owner: &OwnerDb, settings: &Settings) -> Result<Vec<Notice>, StackError> {
    let mut notices = advise(owner, &settings.rest.schemas).await?;
    notices.extend(advice_on_settings(settings).notices());
    Ok(notices)
}

/// Serves one agent over standard input and output until it disconnects. The database is the
/// running project's or, if the project is not running, one that is started for this session.
/// `features` are groups of tools; all are offered without it.
///
/// # Errors
/// The database cannot be reached or started, or the agent breaks the protocol.
pub async fn serve_agent(
    settings: &Settings,
    read_only: bool,
    features: Option<&str>,
) -> Result<(), Box<dyn std::error::Error>> {
    let query = features.map(|features| format!("features={features}")).unwrap_or_default();
    let mode = Mode::of_query(&query, Some(read_only))?;
    let (clock, entropy) = (Clock::system(), Entropy::system());
    let keys = ProjectKeys::load_or_create(&settings.data_dir, &settings.keys, &clock, &entropy)?;
    let connected = ConnectedDatabase::prepared(settings).await?;
    let address = format!("http://{}:{}", settings.host, settings.port);
    let context = AgentContext {
        settings,
        owner: &connected.owner,
        keys: &keys,
        url: settings.public_url.as_deref().unwrap_or(&address),
        clock,
        entropy,
    };
    let served = match state(context) {
        Ok(state) => compat_mcp::serve_stdio(state, mode).await.map_err(Into::into),
        Err(error) => Err(error.into()),
    };
    // Disconnects before the outcome is returned, because a server that was started here must be
    // stopped.
    connected.leave().await;
    served
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_project_alone_may_call() {
        assert_eq!(origins("https://api.example/x", false), ["https://api.example:443"]);
        assert_eq!(
            origins("http://localhost:8000", true),
            ["http://localhost:8000", "http://localhost:8000", "http://127.0.0.1:8000"]
        );
        assert_eq!(origins("", true), Vec::<String>::new());
    }
}
