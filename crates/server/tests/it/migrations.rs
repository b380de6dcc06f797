//! The order of migrations: a new migration follows all that a database may already have run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};

/// How far a developer's clock may be ahead of the clock of this machine.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::hours(1);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The lines of `sql/order.txt`, by the folder they are in.
fn listed() -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(root().join("sql/order.txt")).expect("sql/order.txt");
    let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (folder, file) = line.rsplit_once('/').expect("a folder and a file");
        folders.entry(folder.to_owned()).or_default().push(file.to_owned());
    }
    folders
}

/// The files of every folder of migrations, sorted.
fn found() -> BTreeMap<String, Vec<String>> {
    let mut folders = BTreeMap::new();
    for start in ["sql", "supabase-compat"] {
        collect(&root(), Path::new(start), &mut folders);
    }
    folders
}

fn collect(root: &Path, folder: &Path, folders: &mut BTreeMap<String, Vec<String>>) {
    for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name in UTF-8");
        let path = folder.join(&name);
        if root.join(&path).is_dir() {
            if !["tests", "target", "node_modules"].contains(&name.as_str()) {
                collect(root, &path, folders);
            }
        } else if folder.ends_with("migrations") && name.ends_with(".sql") {
            folders.entry(folder.display().to_string()).or_default().push(name);
        }
    }
    if let Some(files) = folders.get_mut(&folder.display().to_string()) {
        files.sort();
    }
}

fn time_of(file: &str) -> DateTime<Utc> {
    let digits = file.split('_').next().unwrap_or_default();
    let padded = format!("{digits:0<14}");
    NaiveDateTime::parse_from_str(&padded, "%Y%m%d%H%M%S")
        .unwrap_or_else(|error| panic!("{file} does not begin with a time: {error}"))
        .and_utc()
}

#[test]
fn new_migration_sorts_last_in_its_folder() {
    let (listed, found) = (listed(), found());
    for (folder, files) in &found {
        assert_eq!(
            listed.get(folder),
            Some(files),
            "sql/order.txt lists the files of {folder} as they were made, and each sorts behind \
             those before it: make the next one with scripts/new-migration"
        );
    }
    assert_eq!(listed.len(), found.len());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "migration files are named by the machine's clock")]
fn migrations_have_times_that_have_passed() {
    let latest = Utc::now() + CLOCKS_DIFFER;
    for file in found().values().flatten() {
        let time = time_of(file);
        assert!(
            time <= latest,
            "{file} has a time in the future: a file named by the clock would sort before it"
        );
    }
}
