//! Settings of rest/v1: `PGRST_*` and `[api]`.

use compat_rest::{Config, Unset};

use super::keys::POSTGREST;
use super::reader::Reader;
use crate::service::Alone;

/// Keys of a project's `config.toml`, and the settings they make.
const FILE: [(&str, &str); 5] = [
    ("api.schemas", "db_schemas"),
    ("api.extra_search_path", "db_extra_search_path"),
    ("api.max_rows", "db_max_rows"),
    ("api.anon_role", "db_anon_role"),
    ("api.pre_request", "db_pre_request"),
];

/// Reads everything rest/v1 can be told. As a guest in somebody else's database it has no role for
/// callers without a token unless one is named, as PostgREST has none.
pub fn read(reader: &mut Reader, alone: Alone) -> Config {
    let mut config = Config::default();
    config.anon_role = config.anon_role.filter(|_| alone != Alone::Guest);
    for (key, setting) in FILE {
        if let Some(value) = reader.text(&[], key) {
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
    for problem in config.problems() {
        reader.refuse(&problem.name, format!("expected {}", problem.expected));
    }
    config
}

/// Whether the setting is one of rest/v1's; a value it cannot use is reported under `name`.
fn set(config: &mut Config, reader: &mut Reader, name: &str, setting: &str, value: &str) -> bool {
    match config.set(setting, value) {
        Ok(()) => true,
        Err(Unset::Unknown) => false,
        Err(Unset::Wrong(problem)) => {
            reader.refuse(name, format!("expected {}", problem.expected));
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn under(variables: &[(&str, &str)], alone: Alone) -> Config {
        let environment = variables.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let mut reader = Reader::new(environment.collect(), &toml::Table::new());
        let config = read(&mut reader, alone);
        assert_eq!(reader.finish().0, []);
        config
    }

    #[test]
    fn an_empty_variable_is_a_value() {
        let said = [("PGRST_DB_EXTRA_SEARCH_PATH", ""), ("PGRST_DB_ANON_ROLE", "")];
        let config = under(&said, Alone::AsEver);
        assert_eq!((config.extra_search_path.len(), config.anon_role), (0, None));
    }

    #[test]
    fn strangers_have_a_role_where_a_gateway_stands_before_or_one_is_named() {
        assert_eq!(under(&[], Alone::AsEver).anon_role.as_deref(), Some("anon"));
        assert_eq!(under(&[], Alone::Guest).anon_role, None);
        let named = under(&[("PGRST_DB_ANON_ROLE", "visitor")], Alone::Guest);
        assert_eq!(named.anon_role.as_deref(), Some("visitor"));
    }
}
