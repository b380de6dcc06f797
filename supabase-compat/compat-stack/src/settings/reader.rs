//! Reads settings from their sources one by one and collects every mistake.
//!
//! Order of precedence: the command line (which the caller applies last), the environment, the
//! file, the default. Every name that is read is remembered, so that an unknown name can be
//! reported. An empty text or list is a value, as in the originals; an empty number, duration or
//! boolean counts as missing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use compat_http::SettingProblem;

use super::setting::Setting;
use super::upstream;

#[cfg(test)]
mod tests;

/// The environment and the file that settings are read from.
#[derive(Debug, Default)]
pub struct Reader {
    environment: BTreeMap<String, String>,
    file: BTreeMap<String, String>,
    /// The folder of the file.
    folder: PathBuf,
    /// Keys with a value `env(NAME)` whose variable is missing, with its name.
    unset: BTreeMap<String, String>,
    /// The keys among these that were read.
    missed: BTreeSet<String>,
    read_names: BTreeSet<String>,
    problems: Vec<SettingProblem>,
}

/// The findings of the reading, besides the settings.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Every mistake, including unknown names.
    pub problems: Vec<SettingProblem>,
    /// Settings of the originals that this program does not use.
    pub unused: Vec<String>,
    /// Variables that the file names and that are missing; features that need them stay off.
    pub unset: Vec<String>,
}

impl Reader {
    /// A reader over these variables and the tables of a `config.toml`.
    pub fn new(environment: BTreeMap<String, String>, file: &toml::Table) -> Self {
        let mut reader = Self { environment, ..Self::default() };
        reader.flatten("", file);
        reader
    }

    /// Sets the folder of the file, to which its relative paths refer.
    pub fn in_folder(self, folder: PathBuf) -> Self {
        Self { folder, ..self }
    }

    /// Adds a default for a key that the file does not have.
    pub fn preset(&mut self, key: &str, value: &str) {
        self.file.entry(key.to_owned()).or_insert_with(|| value.to_owned());
        self.read_names.insert(key.to_owned());
    }

    /// Overwrites a default by the first of `variables` that is present, else by `key` of the file.
    /// A value `env(NAME)` in the file reads that variable, as in the original's files.
    pub fn over<T: Setting>(&mut self, field: &mut T, variables: &[&str], key: &str) {
        if let Some(value) = self.get(variables, key) {
            *field = value;
        }
    }

    /// Overwrites a default by the opposite of a boolean.
    pub fn over_not(&mut self, field: &mut bool, variables: &[&str], key: &str) {
        if let Some(value) = self.get::<bool>(variables, key) {
            *field = !value;
        }
    }

    /// As [`Self::over`], with a parser that describes the expected value in its error.
    pub fn over_with<T, E: Into<Cow<'static, str>>>(
        &mut self,
        field: &mut T,
        variables: &[&str],
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) {
        if let Some(value) = self.with(variables, key, parse) {
            *field = value;
        }
    }

    /// A value, if it is present; an invalid value is recorded as a mistake and counts as missing.
    pub fn get<T: Setting>(&mut self, variables: &[&str], key: &str) -> Option<T> {
        let (name, text) = self.raw(variables, key, T::MAY_BE_EMPTY)?;
        let value = T::read(&text);
        if value.is_none() {
            self.refuse(name, T::EXPECTED);
        }
        value
    }

    /// A text that is not empty: an address, a key, a name.
    pub fn text(&mut self, variables: &[&str], key: &str) -> Option<String> {
        self.raw(variables, key, false).map(|(_, text)| text)
    }

    /// A value parsed by `parse`, which describes the expected value in its error.
    pub fn with<T, E: Into<Cow<'static, str>>>(
        &mut self,
        variables: &[&str],
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let (name, text) = self.raw(variables, key, false)?;
        parse(&text).map_err(|expected| self.refuse(name, expected)).ok()
    }

    /// Whether a group of settings applies: it is switched on, and no key that was read below
    /// `prefix` names a missing variable.
    pub fn counts(&mut self, prefix: &str, is_on: bool) -> bool {
        let is_below = |key: &String| key.starts_with(prefix);
        if !is_on {
            self.missed.retain(|key| !is_below(key));
        }
        is_on && !self.missed.iter().any(is_below)
    }

    /// All keys of the file below `prefix`, without the prefix. They count as read.
    pub fn below(&mut self, prefix: &str) -> Vec<(String, String)> {
        let cut = |key: &String| key.strip_prefix(prefix).map(str::to_owned);
        let matches: Vec<_> =
            self.file.iter().filter_map(|(key, value)| Some((cut(key)?, value.clone()))).collect();
        let unset = self.unset.keys().filter_map(cut);
        let names = matches.iter().map(|(key, _)| key.clone()).chain(unset);
        self.read_names.extend(names.map(|key| format!("{prefix}{key}")).collect::<Vec<_>>());
        matches
    }

    /// All variables that begin with `prefix`. Each counts as read only after [`Self::known`].
    pub fn variables(&self, prefix: &str) -> Vec<(String, String)> {
        let is_meant = |(name, _): &(&String, &String)| name.starts_with(prefix);
        let pairs = self.environment.iter().filter(is_meant);
        pairs.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Marks a name as known.
    pub fn known(&mut self, name: String) {
        self.read_names.insert(name);
    }

    /// The folder of the file, `supabase/` in a project.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Records a mistake.
    pub fn refuse(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        expected: impl Into<Cow<'static, str>>,
    ) {
        self.problems.push(SettingProblem::new(name, expected));
    }

    /// Records mistakes that were found elsewhere.
    pub fn refuse_all(&mut self, problems: impl IntoIterator<Item = SettingProblem>) {
        self.problems.extend(problems);
    }

    /// Ends the reading and returns the findings.
    pub fn finish(mut self) -> Findings {
        let mut unused = BTreeSet::new();
        for name in self.environment.keys().filter(|name| !self.read_names.contains(*name)) {
            if upstream::knows(name) {
                unused.insert(name.clone());
            } else if upstream::is_ours_to_check(name) {
                self.problems.push(unknown(name));
            }
        }
        for key in self.file.keys().chain(self.unset.keys()) {
            match upstream::part_of(key) {
                _ if self.read_names.contains(key) => {}
                Some(part) => drop(unused.insert(part.to_owned())),
                None => self.problems.push(unknown(key)),
            }
        }
        let unset: BTreeSet<_> =
            self.missed.iter().filter_map(|key| self.unset.get(key).cloned()).collect();
        Findings {
            problems: self.problems,
            unused: unused.into_iter().collect(),
            unset: unset.into_iter().collect(),
        }
    }

    fn raw(
        &mut self,
        variables: &[&str],
        key: &str,
        may_be_empty: bool,
    ) -> Option<(String, String)> {
        self.read_names.extend(variables.iter().map(|name| (*name).to_owned()));
        self.read_names.insert(key.to_owned());
        let is_given = |value: &&String| may_be_empty || !value.is_empty();
        for name in variables {
            if let Some(value) = self.environment.get(*name).filter(is_given) {
                return Some(((*name).to_owned(), value.clone()));
            }
        }
        if self.unset.contains_key(key) {
            self.missed.insert(key.to_owned());
        }
        let value = self.file.get(key).filter(is_given)?;
        Some((key.to_owned(), value.clone()))
    }

    fn flatten(&mut self, prefix: &str, table: &toml::Table) {
        for (name, value) in table {
            let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            match value {
                toml::Value::Table(inner) => self.flatten(&key, inner),
                other => {
                    let value = self.plain(&key, other);
                    self.file.extend(value.map(|value| (key, value)));
                }
            }
        }
    }

    /// Converts a value of the file to the form of a variable; none if it refers to a missing
    /// variable.
    fn plain(&mut self, key: &str, value: &toml::Value) -> Option<String> {
        match value {
            toml::Value::String(text) => match variable(text) {
                None => Some(text.clone()),
                Some(name) => {
                    self.read_names.insert(name.to_owned());
                    let value = self.environment.get(name).cloned();
                    if value.is_none() {
                        self.unset.insert(key.to_owned(), name.to_owned());
                    }
                    value
                }
            },
            toml::Value::Array(list) => {
                let parts: Vec<_> = list.iter().filter_map(|part| self.plain(key, part)).collect();
                Some(parts.join(","))
            }
            other => Some(other.to_string()),
        }
    }
}

/// The name in `env(NAME)`.
fn variable(text: &str) -> Option<&str> {
    text.strip_prefix("env(")?.strip_suffix(')')
}

fn unknown(name: &str) -> SettingProblem {
    SettingProblem::new(name.to_owned(), "another name: there is no such setting")
}
