//! The command `secrets`: what functions find in their environment, kept in `supabase/functions/.env`.
//! The functions that run read the file anew when it changes.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use compat_stack::print_line;
use sha2::{Digest as _, Sha256};

use super::error::at;
use super::{CommandError, FolderArguments, ProjectArguments};
use crate::project::find_folder;

/// Names that are the platform's.
const PLATFORM: &str = "SUPABASE_";

/// What is done about the secrets of functions.
#[derive(Debug, Subcommand)]
pub enum SecretsCommand {
    /// List their names, with a digest of each
    List(ProjectArguments),
    /// Set some: NAME=VALUE
    Set {
        /// Names and values
        #[arg(value_name = "NAME=VALUE")]
        pairs: Vec<String>,
        /// Also those of this file
        #[arg(long, value_name = "FILE")]
        env_file: Option<PathBuf>,
        #[command(flatten)]
        folder: FolderArguments,
    },
    /// Remove some
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

/// Runs one of them.
///
/// # Errors
/// A file that cannot be read or written; a name that is none.
pub fn change_secrets(command: SecretsCommand) -> Result<(), CommandError> {
    match command {
        SecretsCommand::List(project) => {
            let file = SecretsFile::open(project.folder())?;
            print_line(&format!("{:<32} {}", "NAME", "DIGEST"));
            for (name, value) in file.pairs()? {
                print_line(&format!("{name:<32} {}", hex::encode(Sha256::digest(value))));
            }
            Ok(())
        }
        SecretsCommand::Set { pairs, env_file, folder } => {
            let mut new = Vec::new();
            if let Some(path) = &env_file {
                let text = fs::read_to_string(path).map_err(at(path))?;
                new.extend(SecretsFile { path: path.clone(), text }.pairs()?);
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
    if let Some((name, _)) = new.iter().find(|(name, _)| !is_name(name)) {
        let rule = "a letter or `_`, then letters, digits and `_`";
        return Err(CommandError::Name { kind: "secret", name: name.clone(), rule });
    }
    let (platform, new): (Vec<_>, Vec<_>) =
        new.into_iter().partition(|(name, _)| name.starts_with(PLATFORM));
    for (name, _) in &platform {
        print_line(&format!("Env name cannot start with {PLATFORM}, skipping: {name}"));
    }
    if new.is_empty() {
        let message = "no secret to set: name some as NAME=VALUE, or a file by --env-file";
        return Err(CommandError::Usage(message.to_owned()));
    }
    let mut file = SecretsFile::open(workdir)?;
    for (name, value) in &new {
        file.set(name, value);
    }
    file.save()?;
    print_line("Finished setting secrets.");
    Ok(())
}

fn unset(workdir: &Path, names: Vec<String>, all: bool, dry_run: bool) -> Result<(), CommandError> {
    if names.is_empty() && !all {
        let message = "no secret to remove: name some, or all of them by --all";
        return Err(CommandError::Usage(message.to_owned()));
    }
    let mut file = SecretsFile::open(workdir)?;
    let known: Vec<String> = file.pairs()?.into_iter().map(|(name, _)| name).collect();
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
    file.save()?;
    print_line("Finished unsetting secrets.");
    Ok(())
}

/// The file with the text it has.
struct SecretsFile {
    path: PathBuf,
    text: String,
}

impl SecretsFile {
    fn open(workdir: &Path) -> Result<Self, CommandError> {
        let path = find_folder(workdir)?.join("functions").join(".env");
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.map_err(at(&path))?,
        };
        Ok(Self { path, text })
    }

    fn pairs(&self) -> Result<Vec<(String, String)>, CommandError> {
        let pairs: Result<Vec<_>, _> = dotenvy::Iter::new(self.text.as_bytes()).collect();
        // The reason would repeat the line, and with it the secret.
        pairs.map_err(|_| {
            let message = format!("{} is no file of NAME=VALUE lines", self.path.display());
            CommandError::Usage(message)
        })
    }

    fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(&format!("{name}={}\n", quoted(value)));
    }

    /// Removes the entries of this name, which may take several lines each; all others stay as they
    /// are written.
    fn remove(&mut self, name: &str) {
        let mut rest = String::new();
        let mut entry = String::new();
        for line in self.text.split_inclusive('\n') {
            entry.push_str(line);
            if is_open(&entry) {
                continue;
            }
            if name_of(&entry) != Some(name) {
                rest.push_str(&entry);
            }
            entry.clear();
        }
        rest.push_str(&entry);
        self.text = rest;
    }

    /// Writes the whole file or nothing of it.
    fn save(&self) -> Result<(), CommandError> {
        let folder = self.path.parent().unwrap_or(&self.path);
        fs::create_dir_all(folder).map_err(at(folder))?;
        let draft = self.path.with_extension("env.new");
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&draft)
            .map_err(at(&draft))?;
        file.write_all(self.text.as_bytes()).map_err(at(&draft))?;
        fs::rename(&draft, &self.path).map_err(at(&self.path))
    }
}

fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    let is_first = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    letters.next().is_some_and(is_first)
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn name_of(entry: &str) -> Option<&str> {
    let entry = entry.trim_start();
    let entry = entry.strip_prefix("export ").unwrap_or(entry);
    let (name, _) = entry.split_once('=').filter(|_| !entry.starts_with('#'))?;
    Some(name.trim())
}

/// Whether a quote of its value is not closed yet.
fn is_open(entry: &str) -> bool {
    let Some(value) = name_of(entry).and_then(|_| entry.split_once('=')).map(|(_, value)| value)
    else {
        return false;
    };
    let mut quote = None;
    let mut letters = value.trim_start().chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None | Some('"'), '\\') => drop(letters.next()),
            (None, '"' | '\'') => quote = Some(letter),
            (None, '#' | '\n') => return false,
            (Some(open), _) if open == letter => quote = None,
            _ => {}
        }
    }
    quote.is_some()
}

/// A value as the file has it, so that it is read as it was given.
fn quoted(value: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "_-./:@%+,=".contains(letter);
    if !value.is_empty() && value.chars().all(is_bare) {
        return value.to_owned();
    }
    let escaped = value.chars().map(|letter| match letter {
        '\\' | '"' | '$' => format!("\\{letter}"),
        '\n' => "\\n".to_owned(),
        letter => letter.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    fn file(text: &str) -> SecretsFile {
        SecretsFile { path: PathBuf::from(".env"), text: text.to_owned() }
    }

    #[test]
    fn other_secrets_stay_as_they_are_written() {
        let mut file = file("# mine\nA=1\nB=\"two\nlines\"\nexport C='x # y'\n");
        file.remove("B");
        assert_eq!(file.text, "# mine\nA=1\nexport C='x # y'\n");
        file.set("A", "2 3");
        assert_eq!(file.text, "# mine\nexport C='x # y'\nA=\"2 3\"\n");
        file.remove("C");
        assert_eq!(file.text, "# mine\nA=\"2 3\"\n");
    }

    #[test]
    fn random_values_are_read_as_they_were_set() {
        property_test("values of secrets", "[ -~\né]{0,24}", |value: String| {
            let mut file = file("FIRST=1\n");
            file.set("NAME", &value);
            file.set("LAST", "x");
            let read = file.pairs().expect("a file of secrets");
            let expected = [("FIRST", "1"), ("NAME", &*value), ("LAST", "x")];
            assert_eq!(read, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
            file.remove("NAME");
            assert_eq!(file.text, "FIRST=1\nLAST=x\n");
        });
    }
}
