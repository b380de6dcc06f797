//! When functions were changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// How many folders below a function's own are looked at.
const DEEPEST: usize = 4;

/// When the files of each function were changed last.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FunctionTimes(BTreeMap<String, SystemTime>);

impl FunctionTimes {
    /// Folders that cannot be read have no functions.
    pub fn read(folder: &Path) -> Self {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let times = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_function = entry.path().is_dir() && !name.starts_with(['.', '_']);
            let time = is_function.then(|| last_change(&entry.path(), DEEPEST)).flatten()?;
            Some((name, time))
        });
        Self(times.collect())
    }

    /// Names of those that were changed, or are new.
    pub fn changed_since(&self, before: &Self) -> Vec<&str> {
        let is_changed = |(name, time): &(&String, &SystemTime)| before.0.get(*name) != Some(*time);
        self.0.iter().filter(is_changed).map(|(name, _)| name.as_str()).collect()
    }
}

/// The latest change of a file below a folder, without the packages in it.
fn last_change(folder: &Path, depth: usize) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let times = entries.filter_map(|entry| {
        let (path, facts) = (entry.path(), entry.metadata().ok()?);
        match facts.is_dir() {
            true if depth > 0 && !path.ends_with("node_modules") => last_change(&path, depth - 1),
            true => None,
            false => facts.modified().ok(),
        }
    });
    times.max()
}
