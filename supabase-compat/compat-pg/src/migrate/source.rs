//! A schema's folder, embedded in the program.

use include_dir::Dir;

use crate::{DatabaseError, PgError};

/// A schema and the folder that defines its contents: `migrations/*.sql`, each named
/// `<time>_<verb>_<what>.sql` and run once, and `repeatable/*.sql`, each written to be run again.
/// Both are applied in the order of their file names. Either folder may be absent.
///
/// A third folder, `adoption/*.sql`, is for a schema that another program may have made: it runs
/// once on tables that no migration of ours made, refuses what cannot be adopted and removes what
/// would conflict. Then everything that the migrations make is added, and they are recorded as
/// applied.
#[derive(Clone, Copy, Debug)]
pub struct SchemaSource {
    /// The schema, a plain lower-case name; it is created if absent. Its ledger is in it.
    pub schema: &'static str,
    /// The embedded folder.
    pub dir: &'static Dir<'static>,
}

/// One SQL file.
#[derive(Clone, Debug)]
pub(super) struct SqlFile {
    /// Path inside the schema's folder.
    pub path: String,
    pub text: &'static str,
}

impl SqlFile {
    /// The file's name without folder and `.sql`, by which files are ordered.
    pub fn stem(&self) -> &str {
        let name = self.path.rsplit_once('/').map_or(self.path.as_str(), |(_, name)| name);
        name.strip_suffix(".sql").unwrap_or(name)
    }

    /// Adds the file's name and the position in it to the server's error.
    pub fn error_of(&self, schema: &'static str, source: PgError) -> PgError {
        let place = source
            .database()
            .and_then(|error: &DatabaseError| error.position)
            .map(|position| line_and_column(self.text, position));
        PgError::Migration {
            schema,
            file: self.path.clone(),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            is_undone: true,
            source: Box::new(source),
        }
    }
}

impl SchemaSource {
    pub(super) fn migrations(&self) -> Result<Vec<SqlFile>, PgError> {
        self.files("migrations")
    }

    pub(super) fn repeatable(&self) -> Result<Vec<SqlFile>, PgError> {
        self.files("repeatable")
    }

    pub(super) fn adopt(&self) -> Result<Vec<SqlFile>, PgError> {
        self.files("adoption")
    }

    fn files(&self, folder: &str) -> Result<Vec<SqlFile>, PgError> {
        let Some(entries) = self.dir.get_dir(self.dir.path().join(folder)) else {
            return Ok(Vec::new());
        };
        let mut files = entries
            .files()
            .filter(|file| file.path().extension().is_some_and(|extension| extension == "sql"))
            .map(|file| {
                let name = file.path().file_name().unwrap_or_default().to_string_lossy();
                let path = format!("{folder}/{name}");
                match file.contents_utf8() {
                    Some(text) => Ok(SqlFile { path, text }),
                    None => Err(PgError::Ledger {
                        schema: self.schema,
                        problem: format!("{path} is not UTF-8 text"),
                    }),
                }
            })
            .collect::<Result<Vec<_>, _>>()?;
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }
}

/// `position` counts characters from 1, as the server does.
pub(crate) fn line_and_column(text: &str, position: usize) -> (usize, usize) {
    let mut line = 1;
    let mut column = 1;
    for character in text.chars().take(position.saturating_sub(1)) {
        if character == '\n' {
            line += 1;
            column = 1;
        } else {
            column += 1;
        }
    }
    (line, column)
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::{SqlFile, line_and_column};

    #[test]
    fn random_positions_lie_inside_the_text() {
        property_test("positions", (any::<String>(), any::<usize>()), |(text, position)| {
            let (line, column) = line_and_column(&text, position);
            assert!((1..=text.matches('\n').count() + 1).contains(&line));
            assert!((1..=text.chars().count() + 1).contains(&column));
        });
    }

    #[test]
    fn random_file_names_have_a_bare_stem() {
        let path = "[a-zé0-9_./]{0,40}(\\.sql)?";
        property_test("file names", path, |path| {
            let file = SqlFile { path: path.clone(), text: "" };
            let stem = file.stem();
            assert!(path.contains(stem) && !stem.contains('/'));
        });
    }

    #[test]
    fn positions_count_characters_and_lines_from_one() {
        assert_eq!(line_and_column("select é;\nselct 2;", 1), (1, 1));
        assert_eq!(line_and_column("select é;\nselct 2;", 11), (2, 1));
        assert_eq!(line_and_column("select é;\nselct 2;", 13), (2, 3));
        assert_eq!(line_and_column("x", 40), (1, 2));
    }
}
