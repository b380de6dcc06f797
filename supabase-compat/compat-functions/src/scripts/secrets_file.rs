//! Reads and changes the file of the functions' own secrets, `supabase/functions/.env`. Running
//! functions read it again when it changes.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The prefix of names that belong to the platform.
const PLATFORM: &str = "SUPABASE_";
/// The prefixes of all names that the file cannot set: the platform's, deno's and our own.
const RESERVED: [&str; 3] = [PLATFORM, "DENO_", "COMPAT_FUNCTION_"];

/// The path and the text of the file.
#[derive(Debug)]
pub struct SecretsFile {
    path: PathBuf,
    text: String,
}

impl SecretsFile {
    /// Reads the file; a missing file counts as empty.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read?,
        };
        Ok(Self { path: path.to_owned(), text })
    }

    /// Names and values, in the order of the file.
    ///
    /// # Errors
    /// When an entry is not of the form `NAME=VALUE`; the error does not contain it.
    pub fn pairs(&self) -> io::Result<Vec<(String, String)>> {
        let pairs: Result<Vec<_>, _> = dotenvy::Iter::new(self.text.as_bytes()).collect();
        // The parser's error contains the line, and with it the secret.
        pairs.map_err(|_| {
            let reason = format!("{} is no file of NAME=VALUE lines", self.path.display());
            io::Error::new(io::ErrorKind::InvalidData, reason)
        })
    }

    /// Sets a secret; replaces other entries with its name.
    pub fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(&format!("{name}={}\n", quoted(value)));
    }

    /// The names, sorted and without duplicates; values are not parsed.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            entries(&self.text).iter().filter_map(|one| name_of(one)).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Removes the entries with this name, each of which may have several lines; others stay as
    /// they are written.
    pub fn remove(&mut self, name: &str) {
        let entries = entries(&self.text);
        self.text = entries.into_iter().filter(|one| name_of(one) != Some(name)).collect();
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self) -> io::Result<()> {
        fs::create_dir_all(self.path.parent().unwrap_or(&self.path))?;
        let draft = self.path.with_extension("env.new");
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        file.write_all(self.text.as_bytes())?;
        fs::rename(&draft, &self.path)
    }
}

/// Splits the text into entries of whole lines, each with one name or none.
fn entries(text: &str) -> Vec<String> {
    let (mut entries, mut entry) = (Vec::new(), String::new());
    for line in text.split_inclusive('\n') {
        entry.push_str(line);
        if !is_open(&entry) {
            entries.push(std::mem::take(&mut entry));
        }
    }
    entries.push(entry);
    entries
}

/// Whether a secret can have this name: a letter or `_`, then letters, digits and `_`.
pub fn is_secret_name(name: &str) -> bool {
    let mut characters = name.chars();
    let is_first = |character: char| character.is_ascii_alphabetic() || character == '_';
    characters.next().is_some_and(is_first)
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// Whether a name belongs to the platform.
pub fn is_platform_name(name: &str) -> bool {
    name.starts_with(PLATFORM)
}

/// Whether a name is reserved, so that functions would not receive a secret with it.
pub fn is_reserved_name(name: &str) -> bool {
    RESERVED.iter().any(|prefix| name.starts_with(prefix))
}

fn name_of(entry: &str) -> Option<&str> {
    let entry = entry.trim_start();
    let entry = entry.strip_prefix("export ").unwrap_or(entry);
    let (name, _) = entry.split_once('=').filter(|_| !entry.starts_with('#'))?;
    Some(name.trim())
}

/// Whether the value of an entry has a quote that is not closed yet.
fn is_open(entry: &str) -> bool {
    let Some(value) = name_of(entry).and_then(|_| entry.split_once('=')).map(|(_, value)| value)
    else {
        return false;
    };
    let mut quote = None;
    let mut characters = value.trim_start().chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None | Some('"'), '\\') => drop(characters.next()),
            (None, '"' | '\'') => quote = Some(character),
            (None, '#' | '\n') => return false,
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    quote.is_some()
}

/// Quotes and escapes a value so that it is read as it was given.
fn quoted(value: &str) -> String {
    let is_bare =
        |character: char| character.is_ascii_alphanumeric() || "_-./:@%+,=".contains(character);
    if !value.is_empty() && value.chars().all(is_bare) {
        return value.to_owned();
    }
    let escaped = value.chars().map(|character| match character {
        '\\' | '"' | '$' => format!("\\{character}"),
        '\n' => "\\n".to_owned(),
        character => character.to_string(),
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
    fn names_are_listed_without_their_values() {
        let text = "# B=no\nC=1\nA=\"two\nB=lines\"\nD = bare words\nC=2\n";
        assert_eq!(file(text).names(), ["A", "C", "D"]);
        assert!(file("").names().is_empty());
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
