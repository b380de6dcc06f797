//! Settings of a project's own files: `project_id`, `[db.migrations]` with `schema_paths`, and
//! `[db.seed]`.

use std::path::PathBuf;

use super::reader::Reader;

/// The default path of seeds, as in the official CLI.
const SEED: &str = "./seed.sql";

/// The settings of a project's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectSettings {
    /// `project_id`, which separates the data of several projects.
    pub id: Option<String>,
    /// The folder of the file, `supabase/`; none without a file.
    pub folder: Option<PathBuf>,
    /// Whether migrations are applied.
    pub migrations: bool,
    /// Patterns of the paths of declared schemas, relative to that folder.
    pub schemas: Vec<String>,
    /// Patterns of the paths of seeds, relative to that folder; empty if seeds are switched off.
    pub seeds: Vec<String>,
}

/// Reads the settings of a project's files.
pub fn read(reader: &mut Reader) -> ProjectSettings {
    let (mut migrations, mut seeded) = (true, true);
    reader.over(&mut migrations, &[], "db.migrations.enabled");
    reader.over(&mut seeded, &[], "db.seed.enabled");
    let paths: Vec<String> = reader.get(&[], "db.seed.sql_paths").unwrap_or(vec![SEED.to_owned()]);
    let folder = Some(reader.folder().to_owned()).filter(|folder| !folder.as_os_str().is_empty());
    ProjectSettings {
        id: reader.text(&[], "project_id"),
        folder,
        migrations,
        schemas: reader.get(&[], "db.migrations.schema_paths").unwrap_or_default(),
        seeds: if seeded { paths } else { Vec::new() },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn read_file(file: &str) -> (ProjectSettings, crate::settings::Findings) {
        let table = file.parse().expect("TOML");
        let mut reader = Reader::new(BTreeMap::new(), &table).in_folder("supabase".into());
        (read(&mut reader), reader.finish())
    }

    #[test]
    fn seeds_default_to_the_place_of_the_cli() {
        assert_eq!(read_file("").0.seeds, [SEED]);
        assert_eq!(
            read_file("[db.seed]\nsql_paths = [\"a.sql\", \"seeds/*.sql\"]").0.seeds,
            ["a.sql", "seeds/*.sql"]
        );
        assert_eq!(read_file("[db.seed]\nenabled = false").0.seeds, Vec::<String>::new());
        assert_eq!(read_file("").0.schemas, Vec::<String>::new());
        assert_eq!(
            read_file("[db.migrations]\nschema_paths = [\"./schemas/*.sql\"]").0.schemas,
            ["./schemas/*.sql"]
        );
        let (project, findings) =
            read_file("project_id = \"shop\"\n[db.migrations]\nenabled = false");
        assert_eq!((project.id.as_deref(), project.migrations), (Some("shop"), false));
        assert_eq!(findings, crate::settings::Findings::default());
    }
}
