//! Finds deno, the program that runs scripts: at the configured path, in our own folder, in the
//! system's usual places, or on npm.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use compat_subprocess::{Account, Archive, ProgramError, make, unpack};

use super::ToolchainConfig;

/// The version that is fetched.
const VERSION: &str = "2.9.6";
/// The oldest version that can be used: since 2.4 a module can run before a function's own.
const OLDEST: (u32, u32) = (2, 4);

/// The archives to fetch: npm has this version for one kind of machine only.
const ARCHIVES: [Archive; 1] = [Archive {
    os: "linux",
    arch: "x86_64",
    package: "@deno/linux-x64-glibc@2.9.6",
    sha512: "de67784ca2c2bb3b0b0e67cea02e4a37b34065ac525643209bae2f83a7e80f4d\
             090400c2a584b6ff942a5dfce09cfe59433de22cff6f05026d120735d7a380a1",
}];

/// A deno that runs on this machine and is new enough.
#[derive(Clone, Debug)]
pub(super) struct Deno {
    pub path: PathBuf,
    pub version: String,
}

/// Finds the program; fetches it if it is not installed and may be fetched.
pub(super) fn find(config: &ToolchainConfig, account: &Account) -> Result<Deno, String> {
    let own = config.home.join("deno").join(VERSION).join("deno");
    if let Some(program) = &config.deno {
        let deno = at(program).ok_or_else(|| {
            format!(
                "DENO_PATH names {}, which is no deno {}.{} or later",
                program.display(),
                OLDEST.0,
                OLDEST.1
            )
        })?;
        return check_reachable(deno, account);
    }
    let places = [own.clone()].into_iter().chain(system_places());
    if let Some(deno) = places.into_iter().find_map(|path| at(&path)) {
        return check_reachable(deno, account);
    }
    if !config.install {
        return Err("deno was not found; install it or set DENO_PATH to it".to_owned());
    }
    let fetched = fetch(config.package.as_deref(), &own).map_err(|error| {
        format!("deno was not found and could not be fetched ({error}); install it or set DENO_PATH to it")
    })?;
    check_reachable(fetched, account)
}

fn check_reachable(deno: Deno, account: &Account) -> Result<Deno, String> {
    let folder = deno.path.parent().unwrap_or(&deno.path);
    account.must_reach(folder).map_err(|error| error.to_string())?;
    Ok(deno)
}

fn at(path: &Path) -> Option<Deno> {
    let path = path.canonicalize().ok().filter(|path| path.is_file())?;
    let output =
        Command::new(&path).arg("--version").env_clear().stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.strip_prefix("deno ")?.split_whitespace().next()?.to_owned();
    let mut numbers = version.split('.').map_while(|part| part.parse::<u32>().ok());
    let major_and_minor = (numbers.next()?, numbers.next()?);
    (major_and_minor >= OLDEST).then_some(Deno { path, version })
}

/// The paths to which packages and deno's own installer install the program.
fn system_places() -> Vec<PathBuf> {
    let folders = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];
    let mut places: Vec<_> = folders.iter().map(|folder| Path::new(folder).join("deno")).collect();
    places.extend(
        nix::unistd::User::from_uid(nix::unistd::Uid::effective())
            .ok()
            .flatten()
            .map(|user| user.dir.join(".deno/bin/deno")),
    );
    places
}

fn fetch(package: Option<&Path>, target: &Path) -> Result<Deno, String> {
    let archive = Archive::for_this_machine(&ARCHIVES).ok_or_else(|| {
        format!("there is none for {} on {}", std::env::consts::OS, std::env::consts::ARCH)
    })?;
    if package.is_none() {
        tracing::info!("fetching deno {VERSION} (42 MB), which runs functions in TypeScript");
    }
    place(archive, package, target).map_err(|error| error.to_string())?;
    at(target).ok_or_else(|| "the one that was fetched does not run on this machine".to_owned())
}

fn place(archive: &Archive, package: Option<&Path>, target: &Path) -> Result<(), ProgramError> {
    let folder = target.parent().unwrap_or(target);
    make(folder, 0o755)?;
    let work = folder.with_extension("unpacked");
    if work.exists() {
        fs::remove_dir_all(&work).map_err(ProgramError::file(&work))?;
    }
    make(&work, 0o755)?;
    let program = unpack(archive, package, &work)?.join("deno");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&program, executable).map_err(ProgramError::file(&program))?;
    fs::rename(&program, target).map_err(ProgramError::file(target))?;
    fs::remove_dir_all(&work).map_err(ProgramError::file(&work))
}
