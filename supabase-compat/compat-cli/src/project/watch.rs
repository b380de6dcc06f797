//! A project's folder while it is served: a migration that appears is offered, a seed that changes is
//! sown, and a function that changes is named, since its next call runs the new one.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use compat_pg::OwnerDb;
use compat_stack::print_line;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::{ProjectError, ProjectFiles, PushOptions, ledger, paths, version};

/// How often the folder is looked at. A file is offered at the second look that finds it the same, so
/// that nobody is asked about half of one.
const LOOK: Duration = Duration::from_millis(200);

/// How many folders below a function's own are looked at.
const DEEPEST: usize = 4;

/// What is done about a migration that is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewMigrationAction {
    /// It is named.
    Report,
    /// It is applied if whoever sits at the terminal says yes.
    Ask,
    /// It is applied.
    Apply,
}

/// Texts of files by their paths.
type Texts = BTreeMap<String, String>;

/// Somebody who looks after a project's migrations.
#[derive(Clone)]
pub struct MigrationWatcher {
    files: ProjectFiles,
    owner: OwnerDb,
    offer: NewMigrationAction,
}

/// What changed between two looks.
#[derive(Debug, Default, PartialEq, Eq)]
struct ProjectChanges {
    /// Whether there are other migrations.
    migrations: bool,
    /// Paths of the seeds with another text.
    seeds: Vec<String>,
}

/// What was found at a look.
#[derive(Default)]
struct ProjectSnapshot {
    now: Texts,
    offered: Texts,
    problem: String,
}

impl MigrationWatcher {
    /// Looks after the folder that these were read from.
    pub fn new(files: ProjectFiles, owner: OwnerDb, offer: NewMigrationAction) -> Self {
        Self { files, owner, offer }
    }

    /// Looks until it is stopped. What was there before is not offered: the start has told of it.
    pub async fn run(self, stop: CancellationToken) {
        let mut ticks = interval(LOOK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut answers = TerminalLines::default();
        let offered = texts(&self.files);
        let mut snapshot =
            ProjectSnapshot { now: offered.clone(), offered, ..ProjectSnapshot::default() };
        let functions_folder = self.files.folder.join("functions");
        let mut functions = FunctionTimes::read(&functions_folder);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            let now = FunctionTimes::read(&functions_folder);
            for name in now.changed_since(&functions) {
                print_line(&format!("Function {name} changed: its next call runs the new one"));
            }
            functions = now;
            let read = self.files.read_again();
            let Some((files, changes)) = snapshot.changed_files(read) else { continue };
            let offer = self.apply(&files, &changes, &mut answers);
            match stop.run_until_cancelled(offer).await {
                None => return,
                Some(Err(error)) => print_line(&error.to_string()),
                Some(Ok(())) => {}
            }
        }
    }

    async fn apply(
        &self,
        files: &ProjectFiles,
        changes: &ProjectChanges,
        answers: &mut TerminalLines,
    ) -> Result<(), ProjectError> {
        if changes.migrations {
            self.offer(files, answers).await?;
        }
        if changes.seeds.is_empty() {
            return Ok(());
        }
        let names = changes.seeds.join(", ");
        let is_wanted = match self.offer {
            NewMigrationAction::Report => false,
            NewMigrationAction::Apply => true,
            NewMigrationAction::Ask => answers.ask(&format!("Changed: {names}. Sow? [y/N]")).await,
        };
        if !is_wanted {
            print_line(&format!(
                "Not sown again (supabase-compat db push --include-seed sows them): {names}"
            ));
            return Ok(());
        }
        files.sow_some(&self.owner, &changes.seeds).await?;
        print_line(&format!("Sown: {names}"));
        Ok(())
    }

    async fn offer(
        &self,
        files: &ProjectFiles,
        answers: &mut TerminalLines,
    ) -> Result<(), ProjectError> {
        let mut ledger = ledger(&self.owner).await?;
        let applied = ledger.versions().await;
        // One process holds the ledger at a time, and an answer may take long: it is closed before
        // anybody is asked.
        ledger.close().await?;
        let applied = applied?;
        let pending = files.pending(&applied);
        if pending.is_empty() {
            return Ok(());
        }
        let names = paths(&pending);
        let is_wanted = match self.offer {
            NewMigrationAction::Report => false,
            NewMigrationAction::Apply => true,
            NewMigrationAction::Ask => answers.ask(&format!("New: {names}. Apply? [y/N]")).await,
        };
        if !is_wanted {
            print_line(&format!("Not applied yet (supabase-compat db push applies them): {names}"));
            return Ok(());
        }
        files.push(&self.owner, PushOptions::default()).await?;
        let versions: Vec<_> = pending.into_iter().map(version).collect();
        print_line(&format!("Applied: {}", versions.join(", ")));
        Ok(())
    }
}

impl ProjectSnapshot {
    /// The files, where they are others than those offered last, were the same at the look before,
    /// and none of the new ones is empty, as a file is that was made and is still to be written.
    fn changed_files(
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
        let is_new = |(path, text): &(&String, &String)| self.offered.get(*path) != Some(*text);
        let is_unwritten = self.now.iter().filter(is_new).any(|(_, text)| text.trim().is_empty());
        if before != self.now || is_unwritten || self.now == self.offered {
            return None;
        }
        let is_seed = |path: &str| files.seeds.iter().any(|file| file.path == path);
        let changed = self.now.iter().filter(is_new).map(|(path, _)| path);
        let changes = ProjectChanges {
            migrations: migrations_in(&self.now, is_seed) != migrations_in(&self.offered, is_seed),
            seeds: changed.filter(|path| is_seed(path)).cloned().collect(),
        };
        self.offered.clone_from(&self.now);
        Some((files, changes))
    }
}

/// The texts that are no seeds.
fn migrations_in(texts: &Texts, is_seed: impl Fn(&str) -> bool) -> Vec<(&String, &String)> {
    texts.iter().filter(|(path, _)| !is_seed(path)).collect()
}

fn texts(files: &ProjectFiles) -> Texts {
    let all = files.migrations.iter().chain(&files.seeds);
    all.map(|file| (file.path.clone(), file.text.clone())).collect()
}

/// When the files of each function were changed last.
#[derive(Debug, Default, PartialEq, Eq)]
struct FunctionTimes(BTreeMap<String, SystemTime>);

impl FunctionTimes {
    /// Folders that cannot be read have no functions.
    fn read(folder: &Path) -> Self {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let times = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_function = entry.path().is_dir() && !name.starts_with(['.', '_']);
            let time = is_function.then(|| last_change(&entry.path(), DEEPEST)).flatten()?;
            Some((name, time))
        });
        Self(times.collect())
    }

    fn changed_since(&self, before: &Self) -> Vec<&str> {
        let is_changed = |(name, time): &(&String, &SystemTime)| before.0.get(*name) != Some(*time);
        self.0.iter().filter(is_changed).map(|(name, _)| name.as_str()).collect()
    }
}

/// The latest change of a file below a folder, without the packages in it.
fn last_change(folder: &Path, depth: usize) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let times = entries.filter_map(|entry| {
        let (path, facts) = (entry.path(), entry.metadata().ok()?);
        match facts.is_dir() {
            true if depth > 0 && !path.ends_with("node_modules") => last_change(&path, depth - 1),
            true => None,
            false => facts.modified().ok(),
        }
    });
    times.max()
}

/// Lines of the terminal, read by a thread that nobody waits for at the end.
#[derive(Default)]
struct TerminalLines(Option<UnboundedReceiver<String>>);

impl TerminalLines {
    /// Whether the next line says yes. What was typed before the question answers nothing.
    async fn ask(&mut self, question: &str) -> bool {
        let lines = self.0.get_or_insert_with(read_lines);
        while lines.try_recv().is_ok() {}
        print_line(question);
        lines.recv().await.is_some_and(|line| is_yes(&line))
    }
}

fn read_lines() -> UnboundedReceiver<String> {
    let (send, lines) = unbounded_channel();
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

fn is_yes(line: &str) -> bool {
    ["y", "yes"].contains(&line.trim().to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use compat_pg::ProjectFile;
    use compat_stack::settings::ProjectSettings;

    use super::*;

    fn files(texts: &[(&str, &str)]) -> ProjectFiles {
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
            migrations: texts.iter().map(file).collect(),
            seeds: Vec::new(),
            is_quiet: false,
        }
    }

    #[test]
    fn files_are_offered_once_when_they_rest() {
        let mut snapshot = ProjectSnapshot::default();
        let mut look = |texts: &[(&str, &str)]| snapshot.changed_files(Ok(files(texts))).is_some();
        assert_eq!([look(&[]), look(&[])], [false, false]);
        assert_eq!([look(&[("a", "")]), look(&[("a", "")])], [false, false], "not written yet");
        assert_eq!([look(&[("a", "sel")]), look(&[("a", "select 1")])], [false, false]);
        assert_eq!([look(&[("a", "select 1")]), look(&[("a", "select 1")])], [true, false]);
        assert_eq!([look(&[("a", "select 2")]), look(&[("a", "select 2")])], [false, true]);
    }

    #[test]
    fn answers_other_than_yes_refuse() {
        for line in ["y", "Y", " yes ", "YES"] {
            assert!(is_yes(line), "{line}");
        }
        for line in ["", "n", "no", "yesterday", "ye s"] {
            assert!(!is_yes(line), "{line}");
        }
    }
}
