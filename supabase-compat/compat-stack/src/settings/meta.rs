//! Settings of `/pg`: the original's variables where it has them, and `[pg_meta]`.

use compat_meta::Config;
use secrecy::SecretString;

use super::reader::Reader;

/// The settings of `/pg`.
#[derive(Debug, Clone)]
pub struct MetaSettings {
    /// `PG_META_DB_URL`: the login of statements. The default is `postgres` of an embedded server,
    /// or the login of `DATABASE_URL`.
    pub url: Option<SecretString>,
    /// The service's own settings.
    pub service: Config,
}

/// Reads the settings of `/pg`.
pub fn read(reader: &mut Reader) -> MetaSettings {
    let url = reader.text(&["PG_META_DB_URL"], "pg_meta.db_url").map(Into::into);
    let mut config = Config::default();
    reader.over(&mut config.query_timeout, &["PG_QUERY_TIMEOUT_SECS"], "pg_meta.query_timeout");
    reader.over(&mut config.connect_timeout, &["PG_CONN_TIMEOUT_SECS"], "pg_meta.connect_timeout");
    let mut over = |field: &mut usize, name: &str, key: &str| {
        reader.over_with(field, &[name], &format!("pg_meta.{key}"), |text| {
            let number: Option<usize> = text.trim().parse().ok();
            number.filter(|number| *number >= 1).ok_or("a whole number of at least 1")
        });
    };
    over(&mut config.connections, "PG_META_CONNECTIONS", "connections");
    over(&mut config.max_result_megabytes, "PG_META_MAX_RESULT_SIZE_MB", "max_result_size_mb");
    over(&mut config.max_body_megabytes, "PG_META_MAX_BODY_LIMIT_MB", "max_body_limit_mb");
    MetaSettings { url, service: config }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::*;

    #[test]
    fn variables_of_the_original_are_read() {
        let variables = [("PG_QUERY_TIMEOUT_SECS", "5"), ("PG_META_MAX_RESULT_SIZE_MB", "0")];
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let environment: BTreeMap<_, _> = variables.iter().map(owned).collect();
        let mut reader = Reader::new(environment, &toml::Table::new());
        let settings = read(&mut reader);
        assert_eq!(settings.service.query_timeout, Duration::from_secs(5));
        assert_eq!(reader.finish().problems.len(), 1, "an answer of nothing is no limit");
    }
}
