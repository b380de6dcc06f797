//! Sets the version of the program and, in a release build, the commit that it was built from.
//!
//! Only a release build asks git, and is rebuilt for each commit. Any other build is not rebuilt
//! when a commit is made, and names no commit.

use std::env;
use std::process::Command;

#[expect(clippy::disallowed_methods, reason = "Cargo says so in the environment")]
fn main() {
    let is_release = env::var("PROFILE").as_deref() == Ok("release");
    // A source archive has no git history, so a build from one may pass the commit in a variable.
    let commit = env::var("BUILD_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = commit.or_else(|| is_release.then(commit_of_clone).flatten());
    let commit = commit.unwrap_or_default();
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let full_version = match commit.as_str() {
        "" => version,
        commit => format!("{version} ({commit})"),
    };
    println!("cargo:rustc-env=COMPAT_COMMIT={commit}");
    println!("cargo:rustc-env=COMPAT_VERSION={full_version}");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=BUILD_COMMIT");
}

/// The checked-out commit; none without git or outside of a clone.
fn commit_of_clone() -> Option<String> {
    // Another branch changes `HEAD`; a new commit changes the log of `HEAD`.
    for file in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", file])?;
        println!("cargo:rerun-if-changed={path}");
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
