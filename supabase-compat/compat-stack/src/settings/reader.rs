//! Reads one setting at a time from its places and gathers every mistake.
//!
//! Order of precedence: the command line (which the caller applies last), the environment, the
//! file, the default. Every name asked for is remembered, so that a name nobody asked for can be
//! reported. A text or list given empty is a value, as the originals take it; a number, a time or a
//! yes or no given empty counts as not given.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use compat_http::SettingProblem;

use super::setting::Setting;
use super::upstream;

#[cfg(test)]
mod tests;

/// The environment and the file, being read.
#[derive(Debug, Default)]
pub struct Reader {
    environment: BTreeMap<String, String>,
    file: BTreeMap<String, String>,
    /// Where the file lies.
    folder: PathBuf,
    /// Keys whose value is `env(NAME)`, with the name, where that is not set.
    unset: BTreeMap<String, String>,
    /// Those of them somebody asked for.
    missed: BTreeSet<String>,
    read_names: BTreeSet<String>,
    problems: Vec<SettingProblem>,
}

/// What reading has found, beside the settings.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Every mistake, names nobody knows among them.
    pub problems: Vec<SettingProblem>,
    /// What the originals know and this program does not use.
    pub unused: Vec<String>,
    /// Variables the file names that are not set; what needs them is left off.
    pub unset: Vec<String>,
}

impl Reader {
    /// A reader over these variables and the tables of a `config.toml`.
    pub fn new(environment: BTreeMap<String, String>, file: &toml::Table) -> Self {
        let mut reader = Self { environment, ..Self::default() };
        reader.flatten("", file);
        reader
    }

    /// The same for a file of this folder, from which its relative paths count.
    pub fn in_folder(self, folder: PathBuf) -> Self {
        Self { folder, ..self }
    }

    /// Makes a default of one's own: as if the file said so, where it says nothing.
    pub fn preset(&mut self, key: &str, value: &str) {
        self.file.entry(key.to_owned()).or_insert_with(|| value.to_owned());
        self.read_names.insert(key.to_owned());
    }

    /// Lays what is said over a default: the first of `variables` that is given, else `key` of the
    /// file. A value of the form `env(NAME)` in the file reads that variable, as the original's
    /// files do.
    pub fn over<T: Setting>(&mut self, field: &mut T, variables: &[&str], key: &str) {
        if let Some(value) = self.get(variables, key) {
            *field = value;
        }
    }

    /// Lays the opposite of a yes or no over a default.
    pub fn over_not(&mut self, field: &mut bool, variables: &[&str], key: &str) {
        if let Some(value) = self.get::<bool>(variables, key) {
            *field = !value;
        }
    }

    /// [`Self::over`] for what is read in a way of its own; `parse` says what it expected.
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

    /// What is said, or nothing; a mistake is recorded and counts as nothing said.
    pub fn get<T: Setting>(&mut self, variables: &[&str], key: &str) -> Option<T> {
        let (name, text) = self.raw(variables, key, T::MAY_BE_EMPTY)?;
        let value = T::read(&text);
        if value.is_none() {
            self.refuse(name, T::EXPECTED);
        }
        value
    }

    /// A text that is more than nothing: an address, a key, a name.
    pub fn text(&mut self, variables: &[&str], key: &str) -> Option<String> {
        self.raw(variables, key, false).map(|(_, text)| text)
    }

    /// A value parsed by `parse`, which says what it expected.
    pub fn with<T, E: Into<Cow<'static, str>>>(
        &mut self,
        variables: &[&str],
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let (name, text) = self.raw(variables, key, false)?;
        parse(&text).map_err(|expected| self.refuse(name, expected)).ok()
    }

    /// Whether a part of the settings counts: it is switched on, and none of what was asked for
    /// below `prefix` names a variable that is not set.
    pub fn counts(&mut self, prefix: &str, is_on: bool) -> bool {
        let is_below = |key: &String| key.starts_with(prefix);
        if !is_on {
            self.missed.retain(|key| !is_below(key));
        }
        is_on && !self.missed.iter().any(is_below)
    }

    /// All keys of the file below `prefix`, as they stand behind it. They count as asked for.
    pub fn below(&mut self, prefix: &str) -> Vec<(String, String)> {
        let cut = |key: &String| key.strip_prefix(prefix).map(str::to_owned);
        let found: Vec<_> =
            self.file.iter().filter_map(|(key, value)| Some((cut(key)?, value.clone()))).collect();
        let unset = self.unset.keys().filter_map(cut);
        let names = found.iter().map(|(key, _)| key.clone()).chain(unset);
        self.read_names.extend(names.map(|key| format!("{prefix}{key}")).collect::<Vec<_>>());
        found
    }

    /// All variables that begin with `prefix`. They count as asked for once [`Self::known`] says
    /// so.
    pub fn variables(&self, prefix: &str) -> Vec<(String, String)> {
        let is_meant = |(name, _): &(&String, &String)| name.starts_with(prefix);
        let pairs = self.environment.iter().filter(is_meant);
        pairs.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Remembers that a name means something here.
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

    /// Records what somebody else found.
    pub fn refuse_all(&mut self, problems: impl IntoIterator<Item = SettingProblem>) {
        self.problems.extend(problems);
    }

    /// Ends the reading.
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

    /// A file's value in the form a variable would carry it; nothing when it is one that is not
    /// set.
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
