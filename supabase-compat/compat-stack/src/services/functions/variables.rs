//! The environment variables of every TypeScript function, under the original's names.

use std::net::IpAddr;

use compat_pg::EmbeddedPostgres;
use secrecy::SecretString;
use serde_json::json;
use url::Url;

use crate::service::StartContext;
use crate::stack::database;

/// Names and values; an operator's own variables come from a file.
pub(super) fn environment(context: &StartContext<'_>) -> Vec<(String, SecretString)> {
    let keys = &context.keys.api;
    let only = |key: &str| json!({ "default": key }).to_string();
    let mut variables = vec![
        ("SUPABASE_URL", own_address(context)),
        ("SUPABASE_PUBLIC_URL", context.environment.public_url.to_string()),
        ("SUPABASE_ANON_KEY", keys.anon.clone()),
        ("SUPABASE_SERVICE_ROLE_KEY", keys.service_role.clone()),
        ("SUPABASE_PUBLISHABLE_KEYS", only(&keys.publishable)),
        ("SUPABASE_SECRET_KEYS", only(&keys.secret)),
        ("SUPABASE_JWKS", context.keys.ring.public_jwks().to_string()),
        ("SB_REGION", "local".to_owned()),
    ];
    variables.extend(database_address(context).map(|address| ("SUPABASE_DB_URL", address)));
    variables.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

/// The address of this server on this machine, without any proxy; the public address if the port is
/// not known yet.
fn own_address(context: &StartContext<'_>) -> String {
    let public: &str = &context.environment.public_url;
    let settings = context.settings;
    let known = match settings.public_url {
        Some(_) => Some(settings.port).filter(|port| *port != 0),
        None => Url::parse(public).ok().and_then(|url| url.port_or_known_default()),
    };
    let Some(port) = known else { return public.to_owned() };
    match settings.host {
        host if host.is_unspecified() || host.is_loopback() => match host {
            IpAddr::V6(host) if host.is_loopback() => format!("http://[::1]:{port}"),
            _ => format!("http://127.0.0.1:{port}"),
        },
        IpAddr::V4(host) => format!("http://{host}:{port}"),
        IpAddr::V6(host) => format!("http://[{host}]:{port}"),
    }
}

/// The database URL for programs, over TCP if a port is open, because a function cannot open a Unix
/// socket.
fn database_address(context: &StartContext<'_>) -> Option<String> {
    use secrecy::ExposeSecret as _;
    match &context.settings.database.url {
        Some(url) => Some(url.expose_secret().to_owned()),
        None if context.settings.database.acting_url.is_some() => None,
        None if context.settings.database.password_port().is_some() => {
            context.settings.database_address()
        }
        None => {
            EmbeddedPostgres::programs_url_of_running(&database::embedded(context.settings)).ok()
        }
    }
}
