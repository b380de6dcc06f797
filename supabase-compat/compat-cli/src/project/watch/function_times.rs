//! The modification times of functions.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// The deepest folder below a function's own that is read.
const DEEPEST: usize = 4;

/// The last modification of each function's files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FunctionTimes(BTreeMap<String, SystemTime>);

impl FunctionTimes {
    /// Reads the times below a folder; a folder that cannot be read has no functions.
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

    /// Names of the functions that were changed or added.
    pub fn changed_since(&self, before: &Self) -> Vec<&str> {
        let is_changed = |(name, time): &(&String, &SystemTime)| before.0.get(*name) != Some(*time);
        self.0.iter().filter(is_changed).map(|(name, _)| name.as_str()).collect()
    }
}

/// The last modification below a folder, without `node_modules`.
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
