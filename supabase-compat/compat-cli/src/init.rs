//! `init`: an empty project in the layout of the official CLI.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use compat_stack::print_line;

/// The arguments of `init`.
#[derive(Debug, Clone, Args)]
pub struct InitArguments {
    /// The project's folder; it is created if it is missing
    #[arg(default_value = ".", value_name = "DIR")]
    pub dir: PathBuf,
}

/// Why no project was created.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    /// The folder is a project already.
    #[error(
        "{} is there already, so the folder is a project; nothing was changed (supabase-compat up \
         starts it)",
        .0.display()
    )]
    Exists(PathBuf),
    /// A file or folder cannot be created.
    #[error("{}: {source}; choose a folder that this account may write to", path.display())]
    File {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

/// The longest project id that the official CLI accepts.
const LONGEST_ID: usize = 40;

const CONFIG: &str = r#"# A project as the official CLI lays it out:
# https://supabase.com/docs/guides/local-development/cli/config
project_id = "{id}"

[api]
port = 54321
# Schemas that clients reach at rest/v1.
schemas = ["public"]
max_rows = 1000

[db]
port = 54322

[db.seed]
enabled = true
sql_paths = ["./seed.sql"]

[auth]
# Where links in mails and sign-ins lead: your app.
site_url = "http://localhost:3000"
jwt_expiry = 3600
enable_signup = true

[auth.email]
enable_confirmations = false
"#;

const SEED: &str =
    "-- Rows that a new database begins with. It runs once, after all files of migrations/.\n";

const IGNORED: &str = "# What the official CLI keeps for itself.\n.branches\n.temp\n";

/// The command `init`.
///
/// # Errors
/// [`InitError`]; existing files stay unchanged.
pub fn make_project(arguments: &InitArguments) -> Result<(), Box<dyn std::error::Error>> {
    let config = write_project(&arguments.dir)?;
    let folder = arguments.dir.display();
    print_line(&format!("Made {}, an empty project.", config.display()));
    print_line(
        "Migrations go into supabase/migrations/<version>_<name>.sql, functions in TypeScript",
    );
    print_line("into supabase/functions/<name>/index.ts.");
    print_line(&format!("Next: supabase-compat up {folder}"));
    Ok(())
}

fn write_project(dir: &Path) -> Result<PathBuf, InitError> {
    let absolute_path = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let folder = absolute_path.join("supabase");
    let config = folder.join("config.toml");
    // Checked before any folder is created, so that an existing project stays unchanged.
    if config.exists() {
        return Err(InitError::Exists(config));
    }
    let migrations = folder.join("migrations");
    fs::create_dir_all(&migrations).map_err(at(&migrations))?;
    let text = CONFIG.replace("{id}", &id_of(&absolute_path));
    for (path, text) in [
        (&config, text.as_str()),
        (&folder.join("seed.sql"), SEED),
        (&folder.join(".gitignore"), IGNORED),
    ] {
        write_new(path, text)?;
    }
    Ok(config)
}

/// Writes a file, unless it exists already.
fn write_new(path: &Path, text: &str) -> Result<(), InitError> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map_err(at(path)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(at(path)(error)),
    }
}

/// The folder's name reduced to the characters of a project id, as in the official CLI.
fn id_of(folder: &Path) -> String {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let allowed = |character: char| character.is_ascii_alphanumeric() || "_.-".contains(character);
    let id: String = name
        .unwrap_or_default()
        .chars()
        .map(|character| if allowed(character) { character } else { '_' })
        .skip_while(|character| !character.is_ascii_alphanumeric())
        .take(LONGEST_ID)
        .collect();
    if id.is_empty() { "project".to_owned() } else { id }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> InitError {
    let path = path.to_owned();
    move |source| InitError::File { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_is_named_after_its_folder() {
        for (folder, id) in [
            ("/home/ada/my-app", "my-app"),
            ("/home/ada/Mon café", "Mon_caf_"),
            ("/home/ada/__x", "x"),
            ("/", "project"),
        ] {
            assert_eq!(id_of(Path::new(folder)), id);
        }
        assert_eq!(id_of(Path::new(&"a".repeat(60))).len(), LONGEST_ID);
    }
}
