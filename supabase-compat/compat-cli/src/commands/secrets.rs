//! The command `secrets`: environment variables of functions, stored in `supabase/functions/.env`.
//! Running functions reload the file when it changes.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use compat_functions::{SecretsFile, is_platform_name, is_secret_name};
use compat_stack::print_line;
use sha2::{Digest as _, Sha256};

use super::error::at;
use super::{CommandError, FolderArguments, ProjectArguments};
use crate::project::find_folder;

/// The subcommands of `secrets`.
#[derive(Debug, Subcommand)]
pub enum SecretsCommand {
    /// List the names of secrets, with a digest of each value
    List(ProjectArguments),
    /// Set secrets: NAME=VALUE
    Set {
        /// Names and values
        #[arg(value_name = "NAME=VALUE")]
        pairs: Vec<String>,
        /// Also set those of this file
        #[arg(long, value_name = "FILE")]
        env_file: Option<PathBuf>,
        #[command(flatten)]
        folder: FolderArguments,
    },
    /// Remove secrets
    Unset {
        /// Names
        names: Vec<String>,
        /// Remove all
        #[arg(long, conflicts_with = "names")]
        all: bool,
        /// Print what would be removed
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        folder: FolderArguments,
    },
}

/// Runs a subcommand.
///
/// # Errors
/// A file cannot be read or written, or a name is invalid.
pub fn change_secrets(command: SecretsCommand) -> Result<(), CommandError> {
    match command {
        SecretsCommand::List(project) => {
            let file = open(project.folder())?;
            print_line(&format!("{:<32} {}", "NAME", "DIGEST"));
            for (name, value) in read_pairs(&file)? {
                print_line(&format!("{name:<32} {}", hex::encode(Sha256::digest(value))));
            }
            Ok(())
        }
        SecretsCommand::Set { pairs, env_file, folder } => {
            let mut new = Vec::new();
            if let Some(path) = &env_file {
                // A file on the command line must exist.
                std::fs::metadata(path).map_err(at(path))?;
                new.extend(read_pairs(&SecretsFile::open(path).map_err(at(path))?)?);
            }
            for pair in &pairs {
                let Some((name, value)) = pair.split_once('=') else {
                    let message = format!("{pair:?} is not NAME=VALUE; nothing was changed");
                    return Err(CommandError::Usage(message));
                };
                new.push((name.to_owned(), value.to_owned()));
            }
            set(&folder.workdir, new)
        }
        SecretsCommand::Unset { names, all, dry_run, folder } => {
            unset(&folder.workdir, names, all, dry_run)
        }
    }
}

fn set(workdir: &Path, new: Vec<(String, String)>) -> Result<(), CommandError> {
    if let Some((name, _)) = new.iter().find(|(name, _)| !is_secret_name(name)) {
        let rule = "a letter or `_`, then letters, digits and `_`";
        return Err(CommandError::Name { kind: "secret", name: name.clone(), rule });
    }
    let (platform, new): (Vec<_>, Vec<_>) =
        new.into_iter().partition(|(name, _)| is_platform_name(name));
    for (name, _) in &platform {
        print_line(&format!("Env name cannot start with SUPABASE_, skipping: {name}"));
    }
    if new.is_empty() {
        let message = "no secret to set: name some as NAME=VALUE, or a file by --env-file";
        return Err(CommandError::Usage(message.to_owned()));
    }
    let mut file = open(workdir)?;
    for (name, value) in &new {
        file.set(name, value);
    }
    save(&file, workdir)?;
    print_line("Finished setting secrets.");
    Ok(())
}

fn unset(workdir: &Path, names: Vec<String>, all: bool, dry_run: bool) -> Result<(), CommandError> {
    if names.is_empty() && !all {
        let message = "no secret to remove: name some, or all of them by --all";
        return Err(CommandError::Usage(message.to_owned()));
    }
    let mut file = open(workdir)?;
    let known: Vec<String> = read_pairs(&file)?.into_iter().map(|(name, _)| name).collect();
    let names = if all { known.clone() } else { names };
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        let message = format!("there is no secret {unknown:?}; nothing was changed");
        return Err(CommandError::Usage(message));
    }
    if dry_run {
        names.iter().for_each(|name| print_line(&format!("Would unset: {name}")));
        return Ok(());
    }
    names.iter().for_each(|name| file.remove(name));
    save(&file, workdir)?;
    print_line("Finished unsetting secrets.");
    Ok(())
}

fn open(workdir: &Path) -> Result<SecretsFile, CommandError> {
    let path = find_folder(workdir)?.join("functions").join(".env");
    SecretsFile::open(&path).map_err(at(&path))
}

fn read_pairs(file: &SecretsFile) -> Result<Vec<(String, String)>, CommandError> {
    file.pairs().map_err(|error| CommandError::Usage(error.to_string()))
}

fn save(file: &SecretsFile, workdir: &Path) -> Result<(), CommandError> {
    let path = find_folder(workdir)?.join("functions").join(".env");
    file.save().map_err(at(&path))
}
