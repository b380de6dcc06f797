//! Saved SQL, as files of the project: `supabase/snippets/*.sql`.

use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use tokio::fs;

use crate::error::ConsoleError;
use crate::state::ConsoleState;

/// The most files in the list and in the folder.
const MOST: usize = 1_000;
/// The largest listed file, in bytes.
const LARGEST: u64 = 1024 * 1024;
const ENDING: &str = ".sql";

/// A saved SQL text.
pub(crate) struct Snippet {
    pub name: String,
    pub query: String,
    pub updated_at: DateTime<Utc>,
}

/// Every snippet, by name.
pub(crate) async fn list(state: &ConsoleState) -> Result<Vec<Snippet>, ConsoleError> {
    let folder = folder(state)?;
    let mut snippets = Vec::new();
    for name in names(&folder).await.map_err(failed)? {
        if let Some(snippet) = read(&folder, name).await.map_err(failed)? {
            snippets.push(snippet);
        }
    }
    Ok(snippets)
}

/// Writes a snippet, or replaces the one of this name.
pub(crate) async fn write(
    state: &ConsoleState,
    name: &str,
    query: &str,
) -> Result<(), ConsoleError> {
    let folder = folder(state)?;
    let path = path_of(&folder, name)?;
    if query.len() as u64 > LARGEST {
        return Err(ConsoleError::TooLarge);
    }
    let names = names(&folder).await.map_err(failed)?;
    if names.len() >= MOST && !names.iter().any(|known| known == name) {
        return Err(ConsoleError::TooManySnippets);
    }
    let draft = folder.join(format!(".{}", state.config().environment.entropy.uuid()));
    let writing = async {
        fs::create_dir_all(&folder).await?;
        fs::write(&draft, query).await?;
        // Renaming is atomic, so that readers never see a partial file.
        fs::rename(&draft, &path).await
    };
    writing.await.map_err(failed)
}

/// Removes a snippet.
pub(crate) async fn remove(state: &ConsoleState, name: &str) -> Result<(), ConsoleError> {
    let path = path_of(&folder(state)?, name)?;
    match fs::remove_file(path).await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(ConsoleError::NoSnippet),
        done => done.map_err(failed),
    }
}

fn folder(state: &ConsoleState) -> Result<PathBuf, ConsoleError> {
    state.config().snippets.clone().ok_or(ConsoleError::NoProjectFolder)
}

fn path_of(folder: &Path, name: &str) -> Result<PathBuf, ConsoleError> {
    match is_name(name) {
        true => Ok(folder.join(format!("{name}{ENDING}"))),
        false => Err(ConsoleError::InvalidName),
    }
}

/// Whether a name stays inside of the folder.
fn is_name(name: &str) -> bool {
    let is_letter = |character: char| character.is_alphanumeric();
    let is_plain =
        |character: char| is_letter(character) || matches!(character, ' ' | '.' | '-' | '_');
    (1..=100).contains(&name.chars().count())
        && name.len() <= 240
        && name.starts_with(is_letter)
        && name.chars().all(is_plain)
}

async fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut entries = match fs::read_dir(folder).await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    while let Some(entry) = entries.next_entry().await? {
        let file = entry.file_name();
        let name = file.to_str().and_then(|file| file.strip_suffix(ENDING));
        let Some(name) = name.filter(|name| is_name(name)) else { continue };
        // A symbolic link could lead out of the folder.
        if entry.file_type().await?.is_file() && names.len() < MOST {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Reads a snippet; none if the file is too large, is not text, or was removed.
async fn read(folder: &Path, name: String) -> io::Result<Option<Snippet>> {
    let path = folder.join(format!("{name}{ENDING}"));
    let about = match fs::metadata(&path).await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        about => about?,
    };
    if about.len() > LARGEST {
        return Ok(None);
    }
    let Ok(query) = String::from_utf8(fs::read(&path).await?) else { return Ok(None) };
    let updated_at = about.modified().map(DateTime::<Utc>::from)?;
    Ok(Some(Snippet { name, query, updated_at }))
}

fn failed(error: io::Error) -> ConsoleError {
    ConsoleError::Internal(format!("snippets: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for name in ["", ".", "..", "../x", "a/b", "a\\b", ".hidden", "a\0", " a", "/etc/passwd"] {
            assert!(!is_name(name), "{name:?}");
        }
        assert!(is_name("Monthly report 2.1") && is_name("été"));
        assert!(!is_name(&"a".repeat(101)));
    }
}
