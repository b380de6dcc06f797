//! A project's folder while it is served: a migration that appears is offered.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _};
use std::time::Duration;

use compat_pg::OwnerDb;
use compat_stack::print_line;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::{ProjectError, ProjectFiles, PushOptions, ledger, paths, version};

/// How often the folder is looked at. A file is offered at the second look that finds it the same, so
/// that nobody is asked about half of one.
const LOOK: Duration = Duration::from_millis(500);

/// What is done about a migration that is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewMigrationAction {
    /// It is named.
    Tell,
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

/// What was found at a look.
#[derive(Default)]
struct ProjectSnapshot {
    now: Texts,
    offered: Texts,
    trouble: String,
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
        let mut seen =
            ProjectSnapshot { now: offered.clone(), offered, ..ProjectSnapshot::default() };
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            let read = ProjectFiles::read(&self.files.folder, &self.files.settings);
            let Some(files) = seen.changed_files(read) else { continue };
            let offer = self.offer(&files, &mut answers);
            match stop.run_until_cancelled(offer).await {
                None => return,
                Some(Err(error)) => print_line(&error.to_string()),
                Some(Ok(())) => {}
            }
        }
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
            NewMigrationAction::Tell => false,
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
    fn changed_files(&mut self, read: Result<ProjectFiles, ProjectError>) -> Option<ProjectFiles> {
        let files = match read {
            Ok(files) => files,
            Err(error) => {
                let message = error.to_string();
                if self.trouble != message {
                    print_line(&message);
                    self.trouble = message;
                }
                return None;
            }
        };
        self.trouble.clear();
        let before = std::mem::replace(&mut self.now, texts(&files));
        let is_new = |(path, text): &(&String, &String)| self.offered.get(*path) != Some(*text);
        let is_unwritten = self.now.iter().filter(is_new).any(|(_, text)| text.trim().is_empty());
        if before != self.now || is_unwritten || self.now == self.offered {
            return None;
        }
        self.offered.clone_from(&self.now);
        Some(files)
    }
}

fn texts(files: &ProjectFiles) -> Texts {
    files.migrations.iter().map(|file| (file.path.clone(), file.text.clone())).collect()
}

/// Lines of the terminal, read by a thread that nobody waits for at the end.
#[derive(Default)]
struct TerminalLines(Option<UnboundedReceiver<String>>);

impl TerminalLines {
    /// Whether the next line says yes. What was typed before the question answers nothing.
    async fn ask(&mut self, question: &str) -> bool {
        let lines = self.0.get_or_insert_with(listen);
        while lines.try_recv().is_ok() {}
        print_line(question);
        lines.recv().await.is_some_and(|line| is_yes(&line))
    }
}

fn listen() -> UnboundedReceiver<String> {
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
        let settings =
            ProjectSettings { id: None, folder: None, migrations: true, seeds: Vec::new() };
        ProjectFiles {
            folder: "supabase".into(),
            settings,
            migrations: texts.iter().map(file).collect(),
            seeds: Vec::new(),
        }
    }

    #[test]
    fn a_file_is_offered_once_when_it_is_written_and_rests() {
        let mut seen = ProjectSnapshot::default();
        let mut look = |texts: &[(&str, &str)]| seen.changed_files(Ok(files(texts))).is_some();
        assert_eq!([look(&[]), look(&[])], [false, false]);
        assert_eq!([look(&[("a", "")]), look(&[("a", "")])], [false, false], "not written yet");
        assert_eq!([look(&[("a", "sel")]), look(&[("a", "select 1")])], [false, false]);
        assert_eq!([look(&[("a", "select 1")]), look(&[("a", "select 1")])], [true, false]);
        assert_eq!([look(&[("a", "select 2")]), look(&[("a", "select 2")])], [false, true]);
    }

    #[test]
    fn only_a_yes_is_one() {
        for line in ["y", "Y", " yes ", "YES"] {
            assert!(is_yes(line), "{line}");
        }
        for line in ["", "n", "no", "yesterday", "ye s"] {
            assert!(!is_yes(line), "{line}");
        }
    }
}
