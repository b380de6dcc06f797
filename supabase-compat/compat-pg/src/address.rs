//! One address in libpq's URL form, understood alike by both drivers.
//!
//! tokio-postgres knows three of the six `sslmode`s and no certificate settings, so those are read
//! here and taken off the address before it sees it. sqlx understands them all.

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

/// Options for the acting driver, and how it shall encrypt.
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
    // A server that vanished without a word is noticed in a minute, not in two hours.
    config.keepalives_idle(Duration::from_secs(30)).keepalives_interval(Duration::from_secs(10));
    config.keepalives_retries(3).tcp_user_timeout(Duration::from_secs(60));
    if config.get_application_name().is_none() {
        config.application_name(APPLICATION);
    }
    if let Some(role) = as_role {
        let start = format!("-c role={role}");
        let options = match config.get_options() {
            Some(given) => format!("{given} {start}"),
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
    let mut kept = Vec::new();
    for (name, value) in url.query_pairs() {
        match &*name {
            "sslmode" | "ssl-mode" => {
                mode = value.parse().map_err(|error: sqlx::Error| PgError::from(error))?;
            }
            "sslrootcert" | "ssl-root-cert" | "ssl-ca" => root = Some(value.into_owned()),
            // Prepared statements have their own setting; poolers' users write this one for sqlx.
            "statement-cache-capacity" => {}
            _ => kept.push((name.into_owned(), value.into_owned())),
        }
    }
    url.set_query(None);
    let mut plain = url.to_string();
    for (index, (name, value)) in kept.iter().enumerate() {
        plain.push(if index == 0 { '?' } else { '&' });
        plain.push_str(name);
        plain.push('=');
        plain.push_str(&percent_encode(value));
    }
    Ok((plain, TlsChoice { mode, root }))
}

/// tokio-postgres decodes `%xx` but, unlike web forms, not `+`.
fn percent_encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// An error with its causes: the drivers keep the interesting half in the source.
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
    use compat_testkit::storm;
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
    fn connection_starts_in_the_role_beside_given_options() {
        let config = read("postgresql://u@h/d?options=-c%20work_mem%3D4MB").config;
        assert_eq!(config.get_options(), Some("-c work_mem=4MB -c role=authenticator"));
    }

    #[test]
    fn full_verification_reaches_a_driver_that_only_knows_require() {
        let options =
            read("postgresql://u:p%40ss@h:5433/d?sslmode=verify-full&sslrootcert=/ca.pem");
        assert_eq!(options.config.get_ssl_mode(), SslMode::Require);
        assert_eq!(options.config.get_password(), Some(&b"p@ss"[..]));
        assert_eq!(options.tls.root.as_deref(), Some("/ca.pem"));
    }

    #[test]
    fn foreign_scheme_and_unknown_mode_are_refused_in_words() {
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
    fn storm_of_addresses_is_understood_or_refused_by_both_drivers() {
        let parts = proptest::collection::vec(select(PARTS), 0..14);
        let text = prop_oneof![
            parts.clone().prop_map(|parts| parts.concat()),
            parts.prop_map(|parts| format!("postgresql://u@h/d?{}", parts.concat())),
            any::<String>(),
        ];
        storm("addresses", text, |text| {
            let _ = owner_options(&text);
            let role = Some("authenticator");
            if let Ok(read) = acting_options(&text, role, Duration::from_secs(1)) {
                let start = read.config.get_options().unwrap_or_default();
                assert!(start.ends_with("-c role=authenticator"), "the role is always the last");
            }
        });
    }
}
