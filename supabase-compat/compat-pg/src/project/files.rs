//! The SQL files of a project: migrations, seeds and declared schemas.

use super::file_transaction::{HARDLY_CALLED, extension_of};
use super::statements::{SqlStatement, statements};
use crate::PgError;
use crate::migrate::line_and_column;

/// The folder of a project to which the paths of its files are relative.
pub(super) const FOLDER: &str = "supabase";

/// One file of SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFile {
    /// Path below `supabase/`, for instance `migrations/20260101000000_things.sql`.
    pub path: String,
    /// The SQL text.
    pub text: String,
}

impl ProjectFile {
    /// Version and name of a migration, `<digits>_<name>.sql`; `None` for any other file name.
    pub fn version(&self) -> Option<(&str, &str)> {
        let file = self.path.rsplit('/').next()?.strip_suffix(".sql")?;
        let (version, name) = file.split_once('_')?;
        let is_version = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
        is_version.then_some((version, name))
    }

    /// Extensions that the file creates and that the server must offer: all except those in
    /// `done_elsewhere` and those that are hardly ever called.
    pub fn extensions(&self, done_elsewhere: &[&str]) -> Vec<String> {
        let is_selected =
            |name: &String| !done_elsewhere.contains(&&**name) && !HARDLY_CALLED.contains(&&**name);
        statements(&self.text)
            .iter()
            .filter(|part| part.words().first().is_some_and(|word| word == "create"))
            .filter_map(extension_of)
            .filter(is_selected)
            .collect()
    }

    /// The error of a refused statement, with its place in the file.
    pub(super) fn error_of(&self, statement: &SqlStatement<'_>, source: PgError) -> PgError {
        let before = self.text.get(..statement.at).unwrap_or_default().chars().count();
        let position = source.database().and_then(|error| error.position);
        // Without a position in the statement, the statement's own position is taken.
        let (line, column) = line_and_column(&self.text, before + position.unwrap_or(1));
        PgError::Migration {
            schema: FOLDER,
            file: self.path.clone(),
            line: Some(line),
            column: Some(column),
            is_undone: false,
            source: Box::new(source),
        }
    }
}

/// What was skipped when a file was applied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApplyReport {
    /// Extensions that the file names and the server lacks.
    pub lacking: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_recognised_by_their_names() {
        let named = |path: &str| {
            let file = ProjectFile { path: path.to_owned(), text: String::new() };
            file.version().map(|(version, name)| (version.to_owned(), name.to_owned()))
        };
        let version_and_name = Some(("20260101".to_owned(), "make_things".to_owned()));
        assert_eq!(named("migrations/20260101_make_things.sql"), version_and_name);
        for other in [
            "migrations/README.md",
            "migrations/things.sql",
            "migrations/_x.sql",
            "migrations/1a_x.sql",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
    }

    #[test]
    fn extensions_of_a_file_exclude_those_provided_elsewhere() {
        let text = "create extension if not exists vector; create extension pgjwt;
            create extension pg_net; comment on extension postgis is 'x'; create table http ();";
        let file = ProjectFile { path: String::new(), text: text.to_owned() };
        assert_eq!(file.extensions(&["pg_net"]), ["vector"]);
    }
}
