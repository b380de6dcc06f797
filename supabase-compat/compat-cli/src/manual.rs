//! The command `manual`: the manual pages and the completions of a program, generated from its
//! command line. It is for packagers and hidden from the help.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

/// The arguments of `manual`.
#[derive(Debug, Clone, Args)]
pub struct ManualArguments {
    /// The folder; it is created if it is missing
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

/// The command `manual`: writes a page for the program and for each of its commands into `man1`,
/// and completions for bash, fish and zsh into `completions`.
///
/// # Errors
/// A file cannot be written.
pub fn write_manual(command: Command, dir: &Path) -> io::Result<()> {
    let (pages, completions) = (dir.join("man1"), dir.join("completions"));
    std::fs::create_dir_all(&pages)?;
    std::fs::create_dir_all(&completions)?;
    clap_mangen::generate_to(command.clone(), &pages)?;
    let name = command.get_name().to_owned();
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut command.clone(), &name, &completions)?;
    }
    Ok(())
}
