//! Finds the functions in a folder, the module that each runs, and whether its files have changed.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use crate::FunctionConfig;

/// The most files that are read of a folder, which may hold something other than a function.
const MOST_FILES: usize = 5_000;
/// The depth to which folders are searched for sources.
const DEEPEST: usize = 12;

/// What is run under a function's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The main module.
    pub main: PathBuf,
    /// The `deno.json` that applies.
    pub config: Option<PathBuf>,
    /// The import map, if it is a separate file.
    pub import_map: Option<PathBuf>,
}

impl Entry {
    /// Finds the function with this name; `None` if it has no module or the name is not valid.
    pub(super) fn find(folder: &Path, name: &str, own: &FunctionConfig) -> Option<Self> {
        if !is_name(name) {
            return None;
        }
        let home = folder.join(name);
        let main = match &own.entrypoint {
            Some(file) => file.is_file().then(|| file.clone())?,
            None => first_file(&home, &["index.ts", "index.js", "index.tsx"])?,
        };
        let names = ["deno.json", "deno.jsonc", "import_map.json"];
        let map = match &own.import_map {
            Some(file) => Some(file.clone()),
            None => first_file(&home, &names).or_else(|| first_file(folder, &names)),
        };
        let is_config = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name == "deno.json" || name == "deno.jsonc")
        };
        let (config, import_map) = match map {
            Some(path) if is_config(&path) => (Some(path), None),
            other => (None, other),
        };
        Some(Self { main, config, import_map })
    }

    /// The files that determine what runs: the function's own, those of the folders that begin with
    /// `_`, its settings, and `env_file`.
    pub(super) fn files(&self, folder: &Path, name: &str, env_file: Option<&Path>) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        gather(&folder.join(name), DEEPEST, &mut paths);
        for shared in children(folder).into_iter().filter(|path| is_shared(path)) {
            gather(&shared, DEEPEST, &mut paths);
        }
        let beside = [Some(&self.main), self.config.as_ref(), self.import_map.as_ref()];
        paths.extend(beside.into_iter().flatten().cloned());
        paths.extend(env_file.map(Path::to_owned));
        paths.sort_unstable();
        paths.dedup();
        paths
    }
}

/// A number that changes when one of the files does.
pub(super) fn fingerprint(files: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in files {
        let Ok(facts) = fs::metadata(file) else { continue };
        (file, facts.len(), facts.modified().ok()).hash(&mut hasher);
    }
    hasher.finish()
}

/// Names of all functions in a folder, sorted.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let named = |path: PathBuf| path.file_name()?.to_str().map(str::to_owned);
    let mut names: Vec<_> = children(folder).into_iter().filter_map(named).collect();
    names.retain(|name| is_name(name));
    names.sort_unstable();
    names
}

/// Whether a name is valid: a letter or digit, then letters, digits, `-` and `_`. Folders that
/// begin with `_` are shared by functions.
fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    name.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric()) && name.bytes().all(fits)
}

fn is_shared(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'))
}

fn first_file(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    names.iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().take(MOST_FILES).map(|entry| entry.path()).collect()
}

/// Collects the files below a folder. Links to folders are not followed, so that a cycle of links
/// cannot loop forever.
fn gather(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        if paths.len() >= MOST_FILES || depth == 0 || name == "node_modules" || name == ".git" {
            continue;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => gather(&path, depth - 1, paths),
            Ok(_) => paths.push(path),
            Err(_) => {}
        }
    }
}

/// Finds a link below the functions' folder that leads out of it. Deno checks read permissions by
/// path, so a function could read an outside file through such a link. The search has no limits, as
/// a link behind a limit would stay unseen.
pub(super) fn find_outside_link(folder: &Path) -> Option<PathBuf> {
    let mut waiting = vec![folder.to_owned()];
    while let Some(place) = waiting.pop() {
        let Ok(entries) = fs::read_dir(&place) else { continue };
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(entry.path()),
                Ok(kind) if kind.is_symlink() => {
                    let path = entry.path();
                    // A broken link counts, too: its target may be created later.
                    if !path.canonicalize().is_ok_and(|target| target.starts_with(folder)) {
                        return Some(path);
                    }
                }
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn symlink_outside_the_folder_is_found() {
        let place = std::env::temp_dir().join(format!("functions-links-{}", std::process::id()));
        let folder = place.join("functions");
        let deep = folder.join("hello/node_modules/a/.git");
        fs::create_dir_all(&deep).expect("folders");
        fs::write(place.join("secret"), "x").expect("a file");
        fs::write(folder.join("shared.ts"), "x").expect("a file");
        let folder = folder.canonicalize().expect("a folder");
        symlink("../../shared.ts", folder.join("hello/node_modules/inside")).expect("a link");
        symlink(&folder, deep.join("ring")).expect("a link");
        assert_eq!(find_outside_link(&folder), None);
        for target in ["../../../../../secret", "/etc/passwd", "/", "gone"] {
            let link = deep.join("out");
            symlink(target, &link).expect("a link");
            let found =
                find_outside_link(&folder).and_then(|path| path.file_name().map(ToOwned::to_owned));
            assert_eq!(found.as_deref(), link.file_name(), "{target}");
            fs::remove_file(&link).expect("gone");
        }
        fs::remove_dir_all(&place).expect("gone");
    }

    #[test]
    fn invalid_function_names_are_refused() {
        for name in ["hello", "a-b_c9", "9"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "_shared", "-a", "a.b", "../a", "a/b", "é"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
