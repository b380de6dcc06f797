//! Settings of rest/v1: `PGRST_*` and `[api]`.

use compat_rest::{Config, SettingError};

use super::keys::POSTGREST;
use super::reader::Reader;
use crate::service::StandaloneMode;

/// Keys of a project's `config.toml`, with the settings that they set.
const FILE: [(&str, &str); 6] = [
    ("api.schemas", "db_schemas"),
    ("api.extra_search_path", "db_extra_search_path"),
    ("api.max_rows", "db_max_rows"),
    ("api.max_embed_depth", "db_max_embed_depth"),
    ("api.anon_role", "db_anon_role"),
    ("api.pre_request", "db_pre_request"),
];

/// Reads the settings of rest/v1. On the operator's database, anonymous requests need a configured
/// role; with the other services, their role is `anon`.
pub fn read(reader: &mut Reader, standalone: StandaloneMode) -> Config {
    let mut config = Config::default();
    config.anon_role = config.anon_role.filter(|_| standalone != StandaloneMode::ForeignDatabase);
    for (key, setting) in FILE {
        if let Some(value) = reader.get::<String>(&[], key) {
            set(&mut config, reader, key, setting, &value);
        }
    }
    let own = |name: &String| !POSTGREST.contains(&name.as_str());
    for (variable, value) in reader.variables("PGRST_").into_iter().filter(|(name, _)| own(name)) {
        let setting = variable.trim_start_matches("PGRST_").to_ascii_lowercase();
        if set(&mut config, reader, &variable, &setting, &value) {
            reader.known(variable);
        }
    }
    reader.refuse_all(config.problems());
    config
}

/// Sets a value; returns false if rest/v1 has no such setting. An invalid value is reported under
/// `name`.
fn set(config: &mut Config, reader: &mut Reader, name: &str, setting: &str, value: &str) -> bool {
    match config.set(setting, value) {
        Ok(()) => true,
        Err(SettingError::Unknown) => false,
        Err(SettingError::Wrong(problem)) => {
            reader.refuse(name.to_owned(), problem.expected);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(variables: &[(&str, &str)], standalone: StandaloneMode) -> (Config, Vec<String>) {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut reader = Reader::new(variables.iter().map(owned).collect(), &toml::Table::new());
        let config = read(&mut reader, standalone);
        let problems = reader.finish().problems;
        (config, problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn settings_given_empty_are_settings() {
        let variables = [
            ("PGRST_DB_EXTRA_SEARCH_PATH", ""),
            ("PGRST_DB_ANON_ROLE", ""),
            ("PGRST_DB_HOISTED_TX_SETTINGS", ""),
            ("PGRST_DB_CHANNEL", ""),
            ("PGRST_DB_TX_END", ""),
            ("PGRST_DB_AGGREGATES_ENABLED", ""),
            ("PGRST_OPENAPI_MODE", ""),
            ("PGRST_DB_MAX_ROWS", ""),
        ];
        let (config, problems) = read_from(&variables, StandaloneMode::Same);
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!((config.extra_search_path, config.anon_role), (Vec::new(), None));
        let default = Config::default();
        assert_eq!(config.max_rows, None);
        assert_eq!(config.hoisted_settings, default.hoisted_settings);
        assert_eq!(config.channel, default.channel);
        assert_eq!(config.transaction_end, default.transaction_end);
        assert_eq!(config.openapi_mode, default.openapi_mode);
        assert_eq!(config.aggregates_enabled, default.aggregates_enabled);
    }

    #[test]
    fn rest_setting_errors_omit_given_values() {
        let variables = [("PGRST_DB_MAX_ROWS", "hidden"), ("PGRST_DB_SCHEMAS", "pg_catalog")];
        let findings = read_from(&variables, StandaloneMode::Same).1;
        assert_eq!(
            findings,
            [
                "PGRST_DB_MAX_ROWS: expected a number",
                "PGRST_DB_SCHEMAS: expected neither pg_catalog nor information_schema",
            ]
        );
    }

    #[test]
    fn foreign_database_has_no_default_anon_role() {
        assert_eq!(read_from(&[], StandaloneMode::ForeignDatabase).0.anon_role, None);
        assert_eq!(read_from(&[], StandaloneMode::Same).0.anon_role.as_deref(), Some("anon"));
        let variables = [("PGRST_DB_ANON_ROLE", "web")];
        assert_eq!(
            read_from(&variables, StandaloneMode::ForeignDatabase).0.anon_role.as_deref(),
            Some("web")
        );
    }
}
