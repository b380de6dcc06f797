//! Reads one setting at a time from its places and gathers every mistake.
//!
//! Order of precedence: the command line (which the caller applies last), the environment, the
//! file, the default. Every name asked for is remembered, so that a name nobody asked for can be
//! reported.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use super::upstream;

/// One mistake in the settings, by name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct SettingError {
    /// The variable, or the dotted path in the file.
    pub name: String,
    /// What is wrong; never the value, which may be a secret.
    pub reason: String,
}

/// The environment and the file, being read.
#[derive(Debug, Default)]
pub struct Reader {
    environment: BTreeMap<String, String>,
    file: BTreeMap<String, toml::Value>,
    asked: BTreeSet<String>,
    errors: Vec<SettingError>,
}

impl Reader {
    /// A reader over these variables and the tables of a `config.toml`.
    pub fn new(environment: BTreeMap<String, String>, file: &toml::Table) -> Self {
        let mut flat = BTreeMap::new();
        flatten("", file, &mut flat);
        Self { environment, file: flat, ..Self::default() }
    }

    /// The first of `variables` that is set and not empty, else `key` of the file. A value of
    /// the form `env(NAME)` in the file reads that variable, as the original's files do.
    pub fn text(&mut self, variables: &[&str], key: &str) -> Option<String> {
        self.raw(variables, key).map(|(_, value)| value)
    }

    /// The same, parsed.
    pub fn parsed<T>(&mut self, variables: &[&str], key: &str) -> Option<T>
    where
        T: FromStr,
        T::Err: Display,
    {
        self.with(variables, key, |text| text.parse().map_err(|error: T::Err| error.to_string()))
    }

    /// A yes or no.
    pub fn boolean(&mut self, variables: &[&str], key: &str) -> Option<bool> {
        self.with(variables, key, |text| match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(true),
            "false" | "0" | "no" | "off" => Ok(false),
            _ => Err("expected true or false".to_owned()),
        })
    }

    /// A span of time: whole seconds, or numbers with the units `ms`, `s`, `m`, `h`.
    pub fn duration(&mut self, variables: &[&str], key: &str) -> Option<Duration> {
        self.with(variables, key, |text| {
            duration(text).ok_or_else(|| "expected a duration such as 90, 90s or 1m30s".to_owned())
        })
    }

    /// Values separated by commas.
    pub fn list(&mut self, variables: &[&str], key: &str) -> Option<Vec<String>> {
        let text = self.text(variables, key)?;
        Some(
            text.split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }

    /// All keys of the file below `prefix`, as they stand behind it. They count as asked for.
    pub fn below(&mut self, prefix: &str) -> Vec<(String, String)> {
        let found: Vec<_> = self
            .file
            .iter()
            .filter_map(|(key, value)| Some((key.strip_prefix(prefix)?.to_owned(), plain(value))))
            .collect();
        self.asked.extend(found.iter().map(|(key, _)| format!("{prefix}{key}")));
        found
    }

    /// All variables that begin with `prefix`, empty ones included. They count as asked for once
    /// [`Self::known`] says so.
    pub fn variables(&self, prefix: &str) -> Vec<(String, String)> {
        self.environment
            .iter()
            .filter(|(name, _)| name.starts_with(prefix))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Remembers that a name means something here.
    pub fn known(&mut self, name: String) {
        self.asked.insert(name);
    }

    /// A value parsed by `parse`; a mistake is recorded and the setting counts as absent.
    pub fn with<T>(
        &mut self,
        variables: &[&str],
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let (name, text) = self.raw(variables, key)?;
        parse(&text).map_err(|reason| self.refuse(&name, reason)).ok()
    }

    /// Records a mistake.
    pub fn refuse(&mut self, name: &str, reason: impl Into<String>) {
        self.errors.push(SettingError { name: name.to_owned(), reason: reason.into() });
    }

    /// Every mistake, names nobody knows among them; and the names that the original knows and
    /// this program does not use, which are worth a warning.
    pub fn finish(mut self) -> (Vec<SettingError>, Vec<String>) {
        let mut unused = Vec::new();
        for name in self.environment.keys().filter(|name| !self.asked.contains(*name)) {
            if upstream::knows(name) {
                unused.push(name.clone());
            } else if upstream::is_ours_to_check(name) {
                self.errors.push(unknown(name));
            }
        }
        for key in self.file.keys().filter(|key| !self.asked.contains(*key)) {
            if upstream::knows_section(key) {
                unused.push(key.clone());
            } else {
                self.errors.push(unknown(key));
            }
        }
        (self.errors, unused)
    }

    fn raw(&mut self, variables: &[&str], key: &str) -> Option<(String, String)> {
        self.asked.extend(variables.iter().map(|name| (*name).to_owned()));
        self.asked.insert(key.to_owned());
        for name in variables {
            if let Some(value) = self.environment.get(*name).filter(|value| !value.is_empty()) {
                return Some(((*name).to_owned(), value.clone()));
            }
        }
        let value = plain(self.file.get(key)?);
        let Some(variable) = value.strip_prefix("env(").and_then(|rest| rest.strip_suffix(')'))
        else {
            return Some((key.to_owned(), value));
        };
        self.asked.insert(variable.to_owned());
        Some((key.to_owned(), self.environment.get(variable)?.clone()))
    }
}

fn unknown(name: &str) -> SettingError {
    SettingError { name: name.to_owned(), reason: "no such setting".to_owned() }
}

fn flatten(prefix: &str, table: &toml::Table, into: &mut BTreeMap<String, toml::Value>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            toml::Value::Table(inner) => flatten(&key, inner, into),
            other => {
                into.insert(key, other.clone());
            }
        }
    }
}

/// A file's value in the form a variable would carry it.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// `90`, `90s`, `1h30m`, `250ms`.
pub(super) fn duration(text: &str) -> Option<Duration> {
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let amount: u64 = rest[..digits].parse().ok()?;
        let unit = &rest[digits..];
        let (milliseconds, length) = match unit {
            _ if unit.starts_with("ms") => (1, 2),
            _ if unit.starts_with('s') => (1_000, 1),
            _ if unit.starts_with('m') => (60_000, 1),
            _ if unit.starts_with('h') => (3_600_000, 1),
            _ => return None,
        };
        total = total.checked_add(Duration::from_millis(amount.checked_mul(milliseconds)?))?;
        rest = &unit[length..];
    }
    (!text.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(variables: &[(&str, &str)], file: &str) -> Reader {
        let environment = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Reader::new(environment, &file.parse().expect("toml"))
    }

    #[test]
    fn the_environment_goes_before_the_file_and_an_empty_variable_counts_as_absent() {
        let mut both = reader(&[("SITE_URL", "https://a.example")], "[auth]\nsite_url = 'b'");
        assert_eq!(both.text(&["SITE_URL"], "auth.site_url").as_deref(), Some("https://a.example"));
        let mut empty = reader(&[("SITE_URL", "")], "[auth]\nsite_url = 'b'");
        assert_eq!(empty.text(&["SITE_URL"], "auth.site_url").as_deref(), Some("b"));
    }

    #[test]
    fn a_file_may_point_at_a_variable() {
        let mut reader = reader(&[("MY_KEY", "k")], "[auth]\nsecret = 'env(MY_KEY)'");
        assert_eq!(reader.text(&[], "auth.secret").as_deref(), Some("k"));
    }

    #[test]
    fn every_mistake_is_reported_by_name_and_without_its_value() {
        let mut reader = reader(
            &[("PGRST_DB_MAX_ROWS", "many"), ("PGRST_DB_MAX_ROW", "9"), ("HOME", "/root")],
            "[api]\nport = 'x'\nprot = 1",
        );
        assert_eq!(reader.parsed::<u32>(&["PGRST_DB_MAX_ROWS"], "api.max_rows"), None);
        assert_eq!(reader.parsed::<u16>(&[], "api.port"), None);
        let (errors, unused) = reader.finish();
        let names: Vec<_> = errors.iter().map(|error| error.name.as_str()).collect();
        assert_eq!(names, ["PGRST_DB_MAX_ROWS", "api.port", "PGRST_DB_MAX_ROW", "api.prot"]);
        assert!(!errors.iter().any(|error| error.reason.contains("many")));
        assert!(unused.is_empty());
    }

    #[test]
    fn durations_are_seconds_or_carry_units() {
        assert_eq!(duration("90"), Some(Duration::from_secs(90)));
        assert_eq!(duration("1h30m"), Some(Duration::from_secs(5400)));
        assert_eq!(duration("250ms"), Some(Duration::from_millis(250)));
        for wrong in ["", "m", "10x", "-1"] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
    }
}
