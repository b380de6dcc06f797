//! Settings of rest/v1: `PGRST_*` and `[api]`.

use compat_rest::Config;

use super::keys::POSTGREST;
use super::reader::Reader;

/// Keys of a project's `config.toml`, and the settings they make.
const FILE: [(&str, &str); 5] = [
    ("api.schemas", "db_schemas"),
    ("api.extra_search_path", "db_extra_search_path"),
    ("api.max_rows", "db_max_rows"),
    ("api.anon_role", "db_anon_role"),
    ("api.pre_request", "db_pre_request"),
];

/// Reads everything rest/v1 can be told.
pub fn read(reader: &mut Reader) -> Config {
    let mut config = Config::default();
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
        let (name, reason) = problem.split_once(' ').unwrap_or((&problem, "cannot be used"));
        reader.refuse(name, reason);
    }
    config
}

/// Whether the setting is one of rest/v1's; a value it cannot use is reported under `name`.
fn set(config: &mut Config, reader: &mut Reader, name: &str, setting: &str, value: &str) -> bool {
    config.set(setting, value).unwrap_or_else(|problem| {
        // The value stays out of the report.
        let reason = problem.rsplit_once(", ").map_or("cannot be used", |(_, expected)| expected);
        reader.refuse(name, reason);
        true
    })
}
