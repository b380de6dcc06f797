//! The contents of a project's folder, and its changes since the last read.

use std::collections::BTreeMap;

use compat_pg::ProjectFile;
use compat_stack::print_line;

use crate::project::{ProjectError, ProjectFiles};

/// The purpose of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FileKind {
    Migration,
    Schema,
    Seed,
}

/// Texts of files by purpose and path.
type Texts = BTreeMap<(FileKind, String), String>;

/// Paths that changed between two reads, including removed ones.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ProjectChanges(Vec<(FileKind, String)>);

impl ProjectChanges {
    /// The paths of one kind of files.
    pub fn of(&self, kind: FileKind) -> Vec<String> {
        let paths = self.0.iter().filter(|(own, _)| *own == kind);
        paths.map(|(_, path)| path.clone()).collect()
    }
}

/// The files of the last read.
pub(super) struct ProjectSnapshot {
    now: Texts,
    offered: Texts,
    problem: String,
}

impl ProjectSnapshot {
    /// A snapshot of these files, without changes.
    pub fn new(files: &ProjectFiles) -> Self {
        let now = texts(files);
        Self { offered: now.clone(), now, problem: String::new() }
    }

    /// The files, if they differ from those last returned, are the same as at the previous read,
    /// and none of the new ones is empty, because a new file may not be written yet.
    pub fn changed_files(
        &mut self,
        read: Result<ProjectFiles, ProjectError>,
    ) -> Option<(ProjectFiles, ProjectChanges)> {
        let files = match read {
            Ok(files) => files,
            Err(error) => {
                let message = error.to_string();
                if self.problem != message {
                    print_line(&message);
                    self.problem = message;
                }
                return None;
            }
        };
        self.problem.clear();
        let before = std::mem::replace(&mut self.now, texts(&files));
        let changed = differences(&self.offered, &self.now);
        let is_unwritten =
            |key: &(FileKind, String)| self.now.get(key).is_some_and(|text| text.trim().is_empty());
        if before != self.now || changed.is_empty() || changed.iter().any(is_unwritten) {
            return None;
        }
        self.offered.clone_from(&self.now);
        Some((files, ProjectChanges(changed)))
    }
}

/// The keys of files that only one side has, or that differ.
fn differences(before: &Texts, after: &Texts) -> Vec<(FileKind, String)> {
    let changed = after.iter().filter(|(key, text)| before.get(*key) != Some(*text));
    let missing = before.iter().filter(|(key, _)| !after.contains_key(*key));
    changed.chain(missing).map(|(key, _)| key.clone()).collect()
}

fn texts(files: &ProjectFiles) -> Texts {
    let of = |kind: FileKind, files: &[ProjectFile]| -> Vec<_> {
        files.iter().map(|file| ((kind, file.path.clone()), file.text.clone())).collect()
    };
    let migrations = of(FileKind::Migration, &files.migrations);
    let schemas = of(FileKind::Schema, &files.schemas);
    migrations.into_iter().chain(schemas).chain(of(FileKind::Seed, &files.seeds)).collect()
}

#[cfg(test)]
mod tests {
    use compat_stack::settings::ProjectSettings;

    use super::*;

    fn files(migrations: &[(&str, &str)], schemas: &[(&str, &str)]) -> ProjectFiles {
        let file = |(path, text): &(&str, &str)| ProjectFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        let settings = ProjectSettings {
            id: None,
            folder: None,
            migrations: true,
            schemas: Vec::new(),
            seeds: Vec::new(),
        };
        ProjectFiles {
            folder: "supabase".into(),
            settings,
            migrations: migrations.iter().map(file).collect(),
            schemas: schemas.iter().map(file).collect(),
            seeds: Vec::new(),
            is_quiet: false,
        }
    }

    #[test]
    fn files_are_offered_once_when_they_rest() {
        let mut snapshot = ProjectSnapshot::new(&files(&[], &[]));
        let mut look =
            |texts: &[(&str, &str)]| snapshot.changed_files(Ok(files(texts, &[]))).is_some();
        assert_eq!([look(&[]), look(&[])], [false, false]);
        assert_eq!([look(&[("a", "")]), look(&[("a", "")])], [false, false], "not written yet");
        assert_eq!([look(&[("a", "sel")]), look(&[("a", "select 1")])], [false, false]);
        assert_eq!([look(&[("a", "select 1")]), look(&[("a", "select 1")])], [true, false]);
        assert_eq!([look(&[("a", "select 2")]), look(&[("a", "select 2")])], [false, true]);
    }

    #[test]
    fn file_changes_are_grouped_by_kind() {
        let mut snapshot = ProjectSnapshot::new(&files(&[("a", "1")], &[("b", "1"), ("c", "1")]));
        let now = || Ok(files(&[("a", "1")], &[("b", "2")]));
        assert!(snapshot.changed_files(now()).is_none());
        let (_, changes) = snapshot.changed_files(now()).expect("changes");
        assert_eq!(changes.of(FileKind::Schema), ["b", "c"], "a file that is gone is a change");
        assert_eq!(changes.of(FileKind::Migration), Vec::<String>::new());
    }
}
