//! Finds a PostgreSQL server: at the configured path, in our data folder, or in the system's
//! folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use compat_subprocess::foreign_machine;

use super::config::EmbeddedConfig;
use super::error::EmbeddedError;
use super::locked_folder::DataFolder;
use crate::version::MINIMUM_VERSION;

/// The folder and version of a usable server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binaries {
    pub bindir: PathBuf,
    pub major: u32,
    /// The version as the server prints it.
    pub version: String,
}

impl Binaries {
    /// The server to use: one that fits existing data, else the first that is found in the order of
    /// this module's description. `None` if nothing is installed.
    pub fn find(config: &EmbeddedConfig, home: &DataFolder) -> Result<Option<Self>, EmbeddedError> {
        let existing = home.majors().into_iter().max();
        if let Some(bindir) = &config.bin_dir {
            let binaries = Self::at(bindir).ok_or_else(|| EmbeddedError::NotFound {
                reason: format!(" in {}: {}", bindir.display(), refusal(bindir)),
                advice: "PG_BINDIR must name a folder with `postgres` and `initdb`".to_owned(),
            })?;
            return binaries.require_version(home, &[]).map(Some);
        }
        // Checking a server runs it, and Debian's `pg_config` is a shell script; both delay a
        // start, so nothing else is checked where the folders' names are enough.
        let early = match existing {
            Some(major) => named_after(major, home),
            None => in_folders(home).into_iter().next(),
        };
        if early.is_some() {
            return Ok(early);
        }
        let servers = everywhere(home);
        let choice = match existing {
            Some(major) => servers.iter().find(|one| one.major == major),
            None => servers.first(),
        };
        match (choice, servers.first()) {
            (Some(choice), _) => Ok(Some(choice.clone())),
            (None, Some(other)) => other.clone().require_version(home, &servers).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// [`Self::find`] for a start. Where data exist, the system's server of their version is found
    /// by the name of its folder, without running it; its minor version is then unknown.
    pub fn find_to_start(
        config: &EmbeddedConfig,
        home: &DataFolder,
    ) -> Result<Option<Self>, EmbeddedError> {
        let has_others = config.bin_dir.is_some() || !children(&home.servers()).is_empty();
        let known = home.majors().into_iter().max().filter(|_| !has_others);
        let named = known.and_then(|major| {
            let mut folders = system_folders().into_iter();
            let folder = folders.find(|folder| is_named_after(major, folder))?;
            Self::without_running(&folder.join("bin"), major)
        });
        if named.is_some() { Ok(named) } else { Self::find(config, home) }
    }

    /// The server in this folder, judged without running it: complete, and built for this machine.
    fn without_running(bindir: &Path, major: u32) -> Option<Self> {
        let program = bindir.join("postgres");
        let is_complete = program.is_file() && bindir.join("initdb").is_file();
        (is_complete && major >= MINIMUM_VERSION && foreign_machine(&program).is_none())
            .then(|| Self { bindir: bindir.to_owned(), major, version: major.to_string() })
    }

    /// Every usable server: the configured one, then ours, then the system's; each group is sorted
    /// newest first.
    pub fn all(config: &EmbeddedConfig, home: &DataFolder) -> Vec<Self> {
        let configured = config.bin_dir.as_deref().and_then(Self::at);
        configured.into_iter().chain(everywhere(home)).collect()
    }

    /// This server, unless the folder holds data of another version; `servers` lists the other
    /// servers, for the error message.
    pub fn require_version(
        self,
        home: &DataFolder,
        servers: &[Self],
    ) -> Result<Self, EmbeddedError> {
        match home.majors().into_iter().max() {
            Some(major) if major != self.major => {
                let servers =
                    if servers.is_empty() { std::slice::from_ref(&self) } else { servers };
                Err(EmbeddedError::OtherVersion {
                    data: home.data(major),
                    major,
                    found: servers.iter().map(|one| one.version.clone()).collect(),
                })
            }
            _ => Ok(self),
        }
    }

    /// The server in this folder, if it is complete, runs on this machine and is new enough.
    pub fn at(bindir: &Path) -> Option<Self> {
        if !bindir.join("initdb").is_file() {
            return None;
        }
        let output = Command::new(bindir.join("postgres")).arg("--version").output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let version = text.split_whitespace().nth(2)?.to_owned();
        let major = major_of(&version)?;
        (major >= MINIMUM_VERSION).then(|| Self { bindir: bindir.to_owned(), major, version })
    }
}

/// Why [`Binaries::at`] finds no usable server in this folder.
pub(super) fn refusal(bindir: &Path) -> String {
    let program = bindir.join("postgres");
    for name in ["postgres", "initdb"] {
        if !bindir.join(name).is_file() {
            return format!("`{name}` is not there");
        }
    }
    if let Some(machine) = foreign_machine(&program) {
        let ours = std::env::consts::ARCH;
        return format!("`postgres` is built for {machine} and this machine is {ours}");
    }
    match Command::new(program).arg("--version").output() {
        Err(error) => format!("`postgres` does not run: {error}"),
        // The loader names a missing or outdated library on standard error.
        Ok(output) if !output.status.success() => {
            let message = String::from_utf8_lossy(&output.stderr);
            format!("`postgres` does not run: {}", message.trim().lines().next().unwrap_or(""))
        }
        Ok(output) => {
            let version = String::from_utf8_lossy(&output.stdout);
            format!("`postgres` says that it is {}", version.trim())
        }
    }
}

/// The folder with a `pg_dump` and a `pg_restore` that support this major version: `bin_dir`, else
/// the system's folders and the search path, of which the oldest version that is new enough is
/// taken, because an older server understands its output best.
///
/// # Errors
/// No such programs are installed.
pub fn client_programs(bin_dir: Option<&Path>, major: u32) -> Result<PathBuf, EmbeddedError> {
    let configured = bin_dir.map(Path::to_owned).into_iter();
    let fits = |folder: &PathBuf| dump_version(folder).is_some_and(|version| version >= major);
    if let Some(folder) = configured.clone().find(fits) {
        return Ok(folder);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = system_folders().into_iter().map(|folder| folder.join("bin"));
    let mut folders: Vec<PathBuf> =
        places.chain(std::env::split_paths(&path)).filter(fits).collect();
    folders.sort_by_key(|folder| dump_version(folder));
    folders.into_iter().next().ok_or_else(|| EmbeddedError::NotFound {
        reason: format!(" with `pg_dump` and `pg_restore` for PostgreSQL {major}"),
        advice: format!(
            "install its client programs (Debian: postgresql-client-{major}) or set PG_BINDIR to them"
        ),
    })
}

fn dump_version(folder: &Path) -> Option<u32> {
    if !folder.join("pg_restore").is_file() {
        return None;
    }
    let output = Command::new(folder.join("pg_dump")).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    major_of(text.split_whitespace().nth(2)?)
}

/// The major version in a text such as `15.18`, `18beta1` or `17rc2`.
fn major_of(version: &str) -> Option<u32> {
    let digits =
        version.find(|character: char| !character.is_ascii_digit()).unwrap_or(version.len());
    version[..digits].parse().ok()
}

/// Every usable server, ours first; each group is sorted newest first.
fn everywhere(home: &DataFolder) -> Vec<Binaries> {
    let mut servers = in_folders(home);
    let configured =
        pg_config_bindir().filter(|bindir| servers.iter().all(|one| one.bindir != *bindir));
    servers.extend(configured.as_deref().and_then(Binaries::at));
    servers
}

/// Every usable server, except the one that `pg_config` names.
fn in_folders(home: &DataFolder) -> Vec<Binaries> {
    let mut servers = newest_first(children(&home.servers()));
    servers.extend(newest_first(system_folders()));
    servers
}

/// A server of this major version in a folder that is named after it, if there is one.
fn named_after(major: u32, home: &DataFolder) -> Option<Binaries> {
    let mut folders = children(&home.servers());
    folders.extend(system_folders());
    let mut matching = folders.into_iter().filter(|folder| is_named_after(major, folder));
    matching.find_map(|folder| Binaries::at(&folder.join("bin")).filter(|one| one.major == major))
}

fn is_named_after(major: u32, folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    major_of(name.trim_start_matches(|character: char| !character.is_ascii_digit())) == Some(major)
}

fn newest_first(folders: Vec<PathBuf>) -> Vec<Binaries> {
    let mut servers: Vec<_> =
        folders.iter().filter_map(|folder| Binaries::at(&folder.join("bin"))).collect();
    servers.sort_by_key(|one| std::cmp::Reverse(one.major));
    servers
}

/// The folders in which Debian, Red Hat, Homebrew and Postgres.app keep their servers.
fn system_folders() -> Vec<PathBuf> {
    let mut folders = children(Path::new("/usr/lib/postgresql"));
    let installed_in = |parent: &str, prefix: &str| {
        children(Path::new(parent))
            .into_iter()
            .filter(move |folder| {
                folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
            })
            .collect::<Vec<_>>()
    };
    folders.extend(installed_in("/usr", "pgsql-"));
    folders.extend(installed_in("/opt/homebrew/opt", "postgresql"));
    folders.extend(installed_in("/usr/local/opt", "postgresql"));
    folders.extend(children(Path::new("/Applications/Postgres.app/Contents/Versions")));
    folders
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().map(|entry| entry.path()).collect()
}

fn pg_config_bindir() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(text.trim()))
}

#[cfg(test)]
mod tests {
    use super::major_of;

    #[test]
    fn major_version_is_read_from_releases_and_previews() {
        assert_eq!(major_of("15.18"), Some(15));
        assert_eq!(major_of("18beta1"), Some(18));
        assert_eq!(major_of("9.6.24"), Some(9));
        assert_eq!(major_of("devel"), None);
    }
}
