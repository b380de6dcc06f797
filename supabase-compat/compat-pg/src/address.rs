//! Parses an address in libpq's URL form so that both drivers understand it alike.
//!
//! tokio-postgres knows three of the six `sslmode`s and no certificate settings, so this module
//! reads those parameters and removes them from the address. sqlx understands them all.

use std::str::FromStr;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use url::Url;

use crate::PgError;
use crate::tls::TlsChoice;

const APPLICATION: &str = "supabase-compat";

/// Options for the owner's driver.
pub(crate) fn owner_options(address: &str) -> Result<PgConnectOptions, PgError> {
    // Slow statements are PostgreSQL's to report (`log_min_duration_statement`), with their plan.
    let options = PgConnectOptions::from_str(address)?.disable_statement_logging();
    Ok(match options.get_application_name() {
        Some(_) => options,
        None => options.application_name(APPLICATION),
    })
}

/// Options for the acting driver, and its TLS settings.
pub(crate) struct ActingOptions {
    pub config: tokio_postgres::Config,
    pub tls: TlsChoice,
}

/// Reads an address for the acting driver. With `as_role`, every connection starts in that role.
pub(crate) fn acting_options(
    address: &str,
    as_role: Option<&str>,
    connect_timeout: Duration,
) -> Result<ActingOptions, PgError> {
    let (plain, tls) = split_tls(address)?;
    let mut config = tokio_postgres::Config::from_str(&plain)
        .map_err(|error| PgError::Address(causes(&error)))?;
    config.ssl_mode(tls.driver_mode());
    config.connect_timeout(connect_timeout);
    // With these, a vanished server is noticed within a minute, not within two hours.
    config.keepalives_idle(Duration::from_secs(30)).keepalives_interval(Duration::from_secs(10));
    config.keepalives_retries(3).tcp_user_timeout(Duration::from_secs(60));
    if config.get_application_name().is_none() {
        config.application_name(APPLICATION);
    }
    if let Some(role) = as_role {
        let start = format!("-c role={role}");
        let options = match config.get_options() {
            Some(present) => format!("{present} {start}"),
            None => start,
        };
        config.options(options);
    }
    Ok(ActingOptions { config, tls })
}

fn split_tls(address: &str) -> Result<(String, TlsChoice), PgError> {
    let mut url = Url::parse(address).map_err(|error| PgError::Address(error.to_string()))?;
    if !matches!(url.scheme(), "postgres" | "postgresql") {
        return Err(PgError::Address(format!(
            "it begins with `{}:`, not with `postgresql:`",
            url.scheme()
        )));
    }
    let mut mode = PgSslMode::Prefer;
    let mut root = None;
    let mut pairs = Vec::new();
    for (name, value) in url.query_pairs() {
        match &*name {
            "sslmode" | "ssl-mode" => {
                mode = value.parse().map_err(|error: sqlx::Error| PgError::from(error))?;
            }
            "sslrootcert" | "ssl-root-cert" | "ssl-ca" => root = Some(value.into_owned()),
            // Prepared statements have their own setting; poolers' users write this one for sqlx.
            "statement-cache-capacity" => {}
            _ => pairs.push((name.into_owned(), value.into_owned())),
        }
    }
    url.set_query(None);
    let mut plain =
        if names_server(&pairs) { without_server(&url, &mut pairs) } else { url.into() };
    for (index, (name, value)) in pairs.iter().enumerate() {
        plain.push(if index == 0 { '?' } else { '&' });
        plain.push_str(name);
        plain.push('=');
        plain.push_str(&percent_encode(value));
    }
    Ok((plain, TlsChoice { mode, root }))
}

fn names_server(parameters: &[(String, String)]) -> bool {
    parameters.iter().any(|(name, _)| matches!(name.as_str(), "host" | "hostaddr" | "port"))
}

/// The address without host and port, which become parameters unless there are such parameters
/// already. In libpq and sqlx the parameters replace host and port; tokio-postgres would try both.
fn without_server(url: &Url, parameters: &mut Vec<(String, String)>) -> String {
    let port = url.port().map(|port| port.to_string());
    let host = url.host_str().map(|host| {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        percent_encoding::percent_decode_str(host).decode_utf8_lossy().into_owned()
    });
    for (name, before) in [("host", host), ("port", port)] {
        if let Some(before) =
            before.filter(|_| parameters.iter().all(|(parameter, _)| parameter != name))
        {
            parameters.push((name.to_owned(), before));
        }
    }
    let credentials = match (url.username(), url.password()) {
        ("", None) => String::new(),
        (user, None) => format!("{user}@"),
        (user, Some(password)) => format!("{user}:{password}@"),
    };
    format!("postgresql://{credentials}{}", url.path())
}

/// tokio-postgres decodes `%xx` but, unlike web forms, not `+`.
fn percent_encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// An error with its causes: the drivers put the details into the source.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;
    use proptest::sample::select;
    use tokio_postgres::config::{Host, SslMode};

    use super::*;

    fn read(address: &str) -> ActingOptions {
        acting_options(address, Some("authenticator"), Duration::from_secs(1)).unwrap()
    }

    #[test]
    fn socket_folder_is_understood_by_both_drivers() {
        let address = "postgresql://postgres@%2Fvar%2Fmy%20run/app";
        assert_eq!(
            owner_options(address).unwrap().get_socket().unwrap(),
            std::path::Path::new("/var/my run")
        );
        let acting = read(address).config;
        assert_eq!(acting.get_hosts(), [Host::Unix("/var/my run".into())]);
        assert_eq!(acting.get_dbname(), Some("app"));
    }

    #[test]
    fn query_parameters_override_host_and_port() {
        let config = read("postgresql://u:p%40@localhost:1/d?host=%2Fvar%2Frun&port=5433").config;
        assert_eq!(config.get_hosts(), [Host::Unix("/var/run".into())]);
        assert_eq!((config.get_ports(), config.get_user()), (&[5433][..], Some("u")));
        assert_eq!((config.get_password(), config.get_dbname()), (Some(&b"p@"[..]), Some("d")));
        let config = read("postgresql://u@%2Fvar%2Fmy%20run/d?port=2").config;
        assert_eq!(config.get_hosts(), [Host::Unix("/var/my run".into())]);
        let config = read("postgresql://[::1]/d?port=2").config;
        assert_eq!(config.get_hosts(), [Host::Tcp("::1".to_owned())]);
        for (address, host, port) in [
            ("postgresql://u@h:1/d?host=other", "other", 1),
            ("postgresql://u@h:1/d?port=2", "h", 2),
            ("postgresql://h/d?host=other", "other", 5432),
        ] {
            let options = owner_options(address).unwrap();
            assert_eq!((options.get_host(), options.get_port()), (host, port), "{address}");
            let config = read(address).config;
            assert_eq!(config.get_hosts(), [Host::Tcp(host.to_owned())], "{address}");
            assert_eq!(config.get_ports().first().copied().unwrap_or(5432), port, "{address}");
        }
    }

    #[test]
    fn connection_starts_in_the_role_beside_given_options() {
        let config = read("postgresql://u@h/d?options=-c%20work_mem%3D4MB").config;
        assert_eq!(config.get_options(), Some("-c work_mem=4MB -c role=authenticator"));
    }

    #[test]
    fn verify_full_sslmode_becomes_require_in_driver() {
        let options =
            read("postgresql://u:p%40ss@h:5433/d?sslmode=verify-full&sslrootcert=/ca.pem");
        assert_eq!(options.config.get_ssl_mode(), SslMode::Require);
        assert_eq!(options.config.get_password(), Some(&b"p@ss"[..]));
        assert_eq!(options.tls.root.as_deref(), Some("/ca.pem"));
    }

    #[test]
    fn unknown_scheme_and_sslmode_are_refused() {
        let refusal = |address| {
            acting_options(address, None, Duration::ZERO).err().map(|error| error.to_string())
        };
        assert_eq!(
            refusal("mysql://h/d").as_deref(),
            Some(
                "the database address cannot be used: it begins with `mysql:`, not with `postgresql:`"
            )
        );
        assert!(refusal("postgresql://h/d?sslmode=maybe").unwrap().contains("maybe"));
    }

    const PARTS: &[&str] = &[
        "postgres",
        "postgresql",
        "mysql",
        "://",
        ":",
        "/",
        "//",
        "@",
        "?",
        "&",
        "=",
        "%",
        "%2F",
        "%00",
        "%zz",
        "+",
        "#",
        "[::1]",
        "[",
        "]",
        "localhost",
        "h",
        "5432",
        "99999",
        "user",
        "é",
        "sslmode",
        "verify-full",
        "maybe",
        "sslrootcert",
        "options",
        "-c a=b",
        "host",
        "port",
        ",",
        "statement-cache-capacity",
        "connect_timeout",
        "\0",
        " ",
    ];

    #[test]
    fn random_addresses_agree_in_both_drivers() {
        let parts = proptest::collection::vec(select(PARTS), 0..14);
        let text = prop_oneof![
            parts.clone().prop_map(|parts| parts.concat()),
            parts.prop_map(|parts| format!("postgresql://u@h/d?{}", parts.concat())),
            any::<String>(),
        ];
        property_test("addresses", text, |text| {
            let _ = owner_options(&text);
            let role = Some("authenticator");
            if let Ok(read) = acting_options(&text, role, Duration::from_secs(1)) {
                let start = read.config.get_options().unwrap_or_default();
                assert!(start.ends_with("-c role=authenticator"), "the role is always the last");
            }
        });
    }
}
