//! The declared schemas of a project: `supabase/schemas`, or the paths in `[db.migrations]
//! schema_paths`.

use std::path::{Path, PathBuf};

use compat_pg::ProjectFile;

use super::{ProjectError, ProjectFiles, matching};

/// The default pattern of their files.
const SCHEMAS: &str = "./schemas/**/*.sql";

/// Reads the files of declared schemas: sorted within each pattern, in the order of the patterns,
/// as in the official CLI.
///
/// # Errors
/// A file cannot be read, or a pattern is invalid.
pub(super) fn schemas(
    folder: &Path,
    patterns: &[String],
) -> Result<Vec<ProjectFile>, ProjectError> {
    if patterns.is_empty() {
        let mut files = matching(folder, SCHEMAS)?;
        // A folder is sorted by its name among the files.
        files.sort_by_key(|file| PathBuf::from(&file.path));
        return Ok(files);
    }
    let mut files: Vec<ProjectFile> = Vec::new();
    for pattern in patterns {
        let mut matches = matching(folder, pattern)?;
        matches.sort_by(|one, other| one.path.cmp(&other.path));
        // A file that several patterns match runs at the place of the first.
        matches.retain(|file| files.iter().all(|one| one.path != file.path));
        files.extend(matches);
    }
    Ok(files)
}

impl ProjectFiles {
    /// Whether the project declares schemas.
    pub fn has_schemas(&self) -> bool {
        !self.schemas.is_empty()
    }

    /// These files with the declared schemas instead of the migrations.
    ///
    /// # Errors
    /// [`ProjectError::NoSchemas`].
    pub fn declared(&self) -> Result<Self, ProjectError> {
        if self.schemas.is_empty() {
            let usual = [SCHEMAS.to_owned()];
            let patterns = match self.settings.schemas.is_empty() {
                true => &usual[..],
                false => &self.settings.schemas,
            };
            return Err(ProjectError::NoSchemas(patterns.join(", ")));
        }
        Ok(self.with_migrations(self.schemas.clone()))
    }

    /// These files with other migrations, which are applied without output.
    #[must_use]
    pub(super) fn with_migrations(&self, migrations: Vec<ProjectFile>) -> Self {
        Self { migrations, seeds: Vec::new(), is_quiet: true, ..self.clone() }
    }

    /// Paths and texts of the migrations, in order.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.migrations.iter().map(|file| (&*file.path, &*file.text))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn paths(folder: &Path, patterns: &[&str]) -> Vec<String> {
        let patterns: Vec<String> = patterns.iter().map(|one| (*one).to_owned()).collect();
        let files = schemas(folder, &patterns).expect("files");
        files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn schemas_are_in_order_of_names_or_patterns() {
        let folder = std::env::temp_dir().join(format!("schemas-{}", std::process::id()));
        fs::create_dir_all(folder.join("schemas/b")).expect("a folder");
        for name in ["c.sql", "a.sql", "b/z.sql", "notes.md"] {
            fs::write(folder.join("schemas").join(name), "select 1").expect("a file");
        }
        assert_eq!(paths(&folder, &[]), ["schemas/a.sql", "schemas/b/z.sql", "schemas/c.sql"]);
        assert_eq!(
            paths(&folder, &["./schemas/c.sql", "schemas/*.sql"]),
            ["schemas/c.sql", "schemas/a.sql"]
        );
        fs::remove_dir_all(&folder).expect("the folder is removed");
    }
}
