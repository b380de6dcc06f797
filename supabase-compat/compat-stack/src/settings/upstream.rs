//! Names of settings of the original services. An operator's existing environment file may contain
//! any of them: those that this program does not use are reported as unused, and a misspelt one,
//! which the originals would silently ignore, stops the start.

/// Whether the original has this variable. A pattern ending in `*` matches all that begin so.
pub fn knows(name: &str) -> bool {
    VARIABLES.iter().any(|pattern| matches(pattern, name))
}

/// The part of the original's `config.toml` that a key belongs to, if the original has it: a
/// section that has no effect here as a whole, or the key itself.
pub fn part_of(key: &str) -> Option<&str> {
    let section = SECTIONS.iter().find(|pattern| matches(pattern, key))?;
    Some(section.strip_suffix(".*").filter(|name| !SHARED.contains(name)).unwrap_or(key))
}

/// Whether a name has one of the prefixes that are reserved for these services.
pub fn is_ours_to_check(name: &str) -> bool {
    ["PGRST_", "GOTRUE_", "COMPAT_"].iter().any(|prefix| name.starts_with(prefix))
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |prefix| name.starts_with(prefix))
}

/// From the configuration references of PostgREST 14 and GoTrue 2.
const VARIABLES: &[&str] = &[
    "GOTRUE_API_*",
    "GOTRUE_AUDIT_LOG_*",
    "GOTRUE_COOKIE_*",
    "GOTRUE_CORS_*",
    "GOTRUE_CUSTOM_OAUTH_*",
    "GOTRUE_DB_*",
    "GOTRUE_ENABLE_*",
    "GOTRUE_EXPERIMENTAL_*",
    "GOTRUE_EXTERNAL_*",
    "GOTRUE_HOOK_*",
    "GOTRUE_INDEX_WORKER_*",
    "GOTRUE_JWT_*",
    "GOTRUE_LOG_*",
    "GOTRUE_MAILER_*",
    "GOTRUE_METRICS_*",
    "GOTRUE_MFA_*",
    "GOTRUE_OAUTH_SERVER_*",
    "GOTRUE_OPERATOR_TOKEN",
    "GOTRUE_PASSKEY_*",
    "GOTRUE_PASSWORD_*",
    "GOTRUE_PORT",
    "GOTRUE_PROFILER_*",
    "GOTRUE_RATE_LIMIT_*",
    "GOTRUE_RELOADING_*",
    "GOTRUE_SAML_*",
    "GOTRUE_SECURITY_*",
    "GOTRUE_SESSIONS_*",
    "GOTRUE_SMS_*",
    "GOTRUE_SMTP_*",
    "GOTRUE_TRACING_*",
    "GOTRUE_WEBAUTHN_*",
    "GOTRUE_WEBHOOK_*",
    "PGRST_ADMIN_SERVER_*",
    "PGRST_APP_SETTINGS_*",
    "PGRST_CLIENT_ERROR_VERBOSITY",
    "PGRST_DB_AGGREGATES_ENABLED",
    "PGRST_DB_ANON_ROLE",
    "PGRST_DB_CHANNEL",
    "PGRST_DB_CHANNEL_ENABLED",
    "PGRST_DB_CONFIG",
    "PGRST_DB_EXTRA_SEARCH_PATH",
    "PGRST_DB_HOISTED_TX_SETTINGS",
    "PGRST_DB_MAX_EMBED_DEPTH",
    "PGRST_DB_MAX_ROWS",
    "PGRST_DB_PLAN_ENABLED",
    "PGRST_DB_POOL",
    "PGRST_DB_POOL_ACQUISITION_TIMEOUT",
    "PGRST_DB_POOL_AUTOMATIC_RECOVERY",
    "PGRST_DB_POOL_MAX_IDLETIME",
    "PGRST_DB_POOL_MAX_LIFETIME",
    "PGRST_DB_PREPARED_STATEMENTS",
    "PGRST_DB_PRE_CONFIG",
    "PGRST_DB_PRE_REQUEST",
    "PGRST_DB_ROOT_SPEC",
    "PGRST_DB_SCHEMAS",
    "PGRST_DB_SCHEMA",
    "PGRST_DB_TX_END",
    "PGRST_DB_URI",
    "PGRST_DB_USE_LEGACY_GUCS",
    "PGRST_JWT_*",
    "PGRST_LOG_*",
    "PGRST_OPENAPI_*",
    "PGRST_SERVER_*",
    "PGRST_URL_USE_LEGACY_TARGET_NAMES",
];

/// Sections of a project's `config.toml` for features that do not exist here (yet), from the
/// templates of the CLI.
const SECTIONS: &[&str] = &[
    "project_id",
    "analytics.*",
    "api.auto_expose_new_tables",
    "api.enabled",
    "api.tls.*",
    "auth.web3.*",
    "auth.*",
    "db.migrations.*",
    "db.network_restrictions.*",
    "db.pooler.*",
    "db.seed.*",
    "db.settings.*",
    "db.ssl_enforcement.*",
    "db.vault.*",
    "db.*",
    "edge_runtime.*",
    "experimental.*",
    "inbucket.*",
    "local_smtp.*",
    "realtime.*",
    "remotes.*",
    "storage.analytics.*",
    "storage.vector.*",
    "storage.*",
    "studio.*",
];

/// Sections with some keys that have an effect here, so that the others are reported one by one.
const SHARED: [&str; 5] = ["auth", "db", "edge_runtime", "realtime", "storage"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_not_known() {
        assert!(knows("GOTRUE_SMS_TWILIO_AUTH_TOKEN"));
        assert!(knows("PGRST_DB_POOL"));
        assert!(!knows("PGRST_DB_POOLS"));
        assert!(is_ours_to_check("PGRST_DB_POOLS"));
        assert!(!is_ours_to_check("PATH"));
    }

    #[test]
    fn sections_that_mean_nothing_here_are_one_part() {
        assert_eq!(part_of("studio.api_url"), Some("studio"));
        assert_eq!(part_of("storage.vector.enabled"), Some("storage.vector"));
        assert_eq!(part_of("db.pooler.port"), Some("db.pooler"));
        assert_eq!(part_of("db.major_version"), Some("db.major_version"));
        assert_eq!(part_of("edge_runtime.policy"), Some("edge_runtime.policy"));
        assert_eq!(part_of("api.prot"), None);
    }
}
