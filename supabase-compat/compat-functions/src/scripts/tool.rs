//! A script of ours that deno runs once, with packages of npm in the versions of a lock file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use compat_subprocess::{ProgramError, Signal, end_with_us, make};
use secrecy::{ExposeSecret as _, SecretString};

use super::config::ToolchainConfig;
use super::{deno, toolchain};

/// A script and what it may reach.
#[derive(Clone, Debug)]
pub struct ToolScript {
    /// A name that fits a file.
    pub name: &'static str,
    /// Its text.
    pub source: &'static str,
    /// The lock file with the hashes of its packages.
    pub lock: &'static str,
    /// What it finds in its environment.
    pub environment: Vec<(&'static str, SecretString)>,
    /// The hosts that it may connect to, with their ports. Packages come from npm's registry all the
    /// same.
    pub hosts: Vec<String>,
}

/// Runs it to its end and gives what it printed. It neither writes files nor starts programs.
///
/// # Errors
/// The program cannot be had, in words for a person; else what the script says at its end.
pub fn run_tool(config: &ToolchainConfig, script: &ToolScript) -> Result<String, String> {
    let account = toolchain::choose_account(config).map_err(|error| error.to_string())?;
    let (home, cache) = toolchain::cache(config, &account).map_err(|error| error.to_string())?;
    let deno = deno::find(config, &account)?;
    let folder = home.join("tools").join(script.name);
    let file = write(script, &folder).map_err(|error| error.to_string())?;
    let mut command = Command::new(&deno.path);
    account.configure(&mut command);
    command
        .env("DENO_DIR", &cache)
        .env("DENO_NO_UPDATE_CHECK", "1")
        .env("DENO_TLS_CA_STORE", "system,mozilla")
        .env("NO_COLOR", "1")
        .envs(config.outside.iter().cloned())
        .envs(script.environment.iter().map(|(name, value)| (*name, value.expose_secret())))
        .args(["run", "--quiet", "--no-prompt", "--no-config", "--node-modules-dir=none"])
        .args(["--frozen", "--allow-env", "--allow-sys=hostname,osRelease,cpus"])
        .arg(format!("--lock={}", folder.join("deno.lock").display()))
        .arg(format!("--allow-net={}", script.hosts.join(",")))
        .arg(format!("--allow-read={}", cache.join("npm").display()))
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    end_with_us(&mut command, Signal::SIGKILL);
    let output = command.output().map_err(|error| format!("{}: {error}", deno.path.display()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(complaint(&output)),
    }
}

fn write(script: &ToolScript, folder: &Path) -> Result<PathBuf, ProgramError> {
    if let Some(above) = folder.parent() {
        make(above, 0o755)?;
    }
    make(folder, 0o755)?;
    let file = folder.join("main.mjs");
    for (path, text) in [(&file, script.source), (&folder.join("deno.lock"), script.lock)] {
        fs::write(path, text).map_err(ProgramError::file(path))?;
    }
    Ok(file)
}

/// What it said last; a trace of its calls helps nobody.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("at "));
    let lines: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).take(12).collect();
    match lines.is_empty() {
        true => format!("deno ended with {}", output.status),
        false => lines.join(" / "),
    }
}
