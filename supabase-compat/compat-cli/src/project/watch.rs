//! Watches a project's folder while it is served: a changed migration, seed or declared schema is
//! applied or offered, and a changed function is reported, since its next call runs the new code.

mod failure;
mod function_times;
mod schema_updates;
mod snapshot;
mod terminal;

use std::time::{Duration, Instant};

use compat_pg::{OwnerDb, ProjectFile};
use compat_stack::{Settings, print_line};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::{
    ProjectError, ProjectFiles, ledger, log_missing_extensions, offer_lacking, paths, version,
};
use crate::commands::CommandError;
use failure::{refusal, with_line};
use function_times::FunctionTimes;
use schema_updates::SchemaUpdates;
use snapshot::{FileKind, ProjectChanges, ProjectSnapshot};
use terminal::TerminalLines;

/// How often the folder is read. A file is applied only if two consecutive reads find it the same,
/// so that a half-written file is not.
const LOOK: Duration = Duration::from_millis(150);

/// SQLSTATEs of an object that exists already.
const DUPLICATES: [&str; 6] = ["42P06", "42P07", "42701", "42710", "42723", "42P16"];

/// What happens to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeAction {
    /// The change is applied if the user confirms it in the terminal.
    Ask,
    /// The change is applied.
    Apply,
}

/// Options of watching a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchOptions {
    /// What happens to a change.
    pub action: ChangeAction,
    /// Whether a change may lose rows.
    pub force: bool,
}

/// Watches a project's folder.
#[derive(Clone)]
pub struct ProjectWatcher {
    files: ProjectFiles,
    settings: Settings,
    owner: OwnerDb,
    options: WatchOptions,
}

/// What a watcher keeps from the first change to the end.
struct WatchTools {
    answers: TerminalLines,
    updates: SchemaUpdates,
}

impl ProjectWatcher {
    /// A watcher of the folder that these files were read from.
    pub fn new(
        files: ProjectFiles,
        settings: Settings,
        owner: OwnerDb,
        options: WatchOptions,
    ) -> Self {
        Self { files, settings, owner, options }
    }

    /// Watches until it is stopped. Changes from before are not offered, because the start has
    /// reported them.
    pub async fn run(self, stop: CancellationToken) {
        let (settings, owner) = (self.settings.clone(), self.owner.clone());
        let mut tools = WatchTools {
            answers: TerminalLines::default(),
            updates: SchemaUpdates::new(settings, owner, self.options.force),
        };
        stop.run_until_cancelled(self.watch(&mut tools)).await;
        tools.updates.end().await;
    }

    async fn watch(&self, tools: &mut WatchTools) {
        if self.options.action == ChangeAction::Apply {
            print_line(&format!(
                "Watching {}: migrations, seeds, schemas and functions are applied as they change",
                self.files.folder().display()
            ));
            if self.files.has_schemas()
                && let Err(error) = tools.updates.warm(&self.files).await
            {
                print_line(&format!("Declared schemas cannot be compared: {error}"));
            }
        }
        let mut ticks = interval(LOOK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut snapshot = ProjectSnapshot::new(&self.files);
        let functions_folder = self.files.folder.join("functions");
        let mut functions = FunctionTimes::read(&functions_folder);
        loop {
            ticks.tick().await;
            let now = FunctionTimes::read(&functions_folder);
            for name in now.changed_since(&functions) {
                print_line(&format!("Function {name} changed: its next call runs the new one"));
            }
            functions = now;
            let read = self.files.read_again();
            let Some((files, changes)) = snapshot.changed_files(read) else { continue };
            self.apply(&files, &changes, tools).await;
        }
    }

    async fn apply(&self, files: &ProjectFiles, changes: &ProjectChanges, tools: &mut WatchTools) {
        let kinds = [FileKind::Migration, FileKind::Schema, FileKind::Seed];
        for (kind, changed) in kinds.map(|kind| (kind, changes.of(kind))) {
            if changed.is_empty() {
                continue;
            }
            let done = match kind {
                FileKind::Migration => self.apply_migrations(files, &changed, tools).await,
                FileKind::Schema => self.apply_schemas(files, &changed, tools).await,
                FileKind::Seed => self.seed(files, &changed, tools).await,
            };
            if let Err(error) = done {
                print_line(&format!("Not applied: {error}"));
            }
        }
    }

    async fn apply_migrations(
        &self,
        files: &ProjectFiles,
        changed: &[String],
        tools: &mut WatchTools,
    ) -> Result<(), CommandError> {
        let mut ledger = ledger(&self.owner).await?;
        let applied = ledger.files().await;
        // One process at a time holds the ledger, and an answer may take long, so the ledger is
        // closed before the question.
        ledger.close().await?;
        let applied = applied?;
        let versions: Vec<String> = applied.iter().map(|file| version(file).to_owned()).collect();
        let pending = files.pushable(&versions, false)?;
        let is_edited = |file: &&ProjectFile| {
            changed.contains(&file.path) && versions.iter().any(|one| one == version(file))
        };
        let edited: Vec<ProjectFile> = files.migrations.iter().filter(is_edited).cloned().collect();
        let names = paths(&pending.iter().copied().chain(&edited).collect::<Vec<_>>());
        if names.is_empty() {
            return Ok(());
        }
        if !self.is_wanted("New", &names, tools).await {
            let advice = "supabase-compat db push applies them";
            print_line(&format!("Not applied yet ({advice}): {names}"));
            return Ok(());
        }
        offer_lacking(&self.settings, &self.owner, files).await?;
        for file in pending {
            self.push(files, file, &mut tools.updates).await?;
        }
        if !edited.is_empty() {
            let began = Instant::now();
            let count = tools.updates.apply_edited(files, &applied, &edited).await?;
            let paths: Vec<&str> = edited.iter().map(|file| &*file.path).collect();
            report(&paths.join(", "), began, Some(count));
        }
        Ok(())
    }

    async fn push(
        &self,
        files: &ProjectFiles,
        file: &ProjectFile,
        updates: &mut SchemaUpdates,
    ) -> Result<(), CommandError> {
        let began = Instant::now();
        let mut ledger = ledger(&self.owner).await?;
        let done = ledger.apply(file).await;
        ledger.close().await?;
        let error: CommandError = match done {
            Ok(applied) => {
                log_missing_extensions(&applied.lacking);
                report(&file.path, began, None);
                return Ok(());
            }
            Err(error) => ProjectError::from(error).into(),
        };
        // A migration that was generated from the declared schemas creates the same objects as they
        // did.
        let code = refusal(&error).and_then(|refusal| Some(refusal.database()?.code.clone()));
        let is_duplicate = code.is_some_and(|code| DUPLICATES.contains(&&*code));
        if !is_duplicate || !updates.are_declared(files).await.unwrap_or(false) {
            return Err(with_line(error, std::slice::from_ref(file)));
        }
        let mut ledger = super::ledger(&self.owner).await?;
        let done = ledger.mark_applied(file).await;
        ledger.close().await?;
        done?;
        print_line(&format!("Recorded {}: the database has what it makes", file.path));
        Ok(())
    }

    async fn apply_schemas(
        &self,
        files: &ProjectFiles,
        changed: &[String],
        tools: &mut WatchTools,
    ) -> Result<(), CommandError> {
        let names = changed.join(", ");
        if !self.is_wanted("Changed", &names, tools).await {
            let advice = "supabase-compat db schema declarative sync --apply applies them";
            print_line(&format!("Not applied yet ({advice}): {names}"));
            return Ok(());
        }
        let began = Instant::now();
        let count = tools.updates.apply_declared(files).await?;
        report(&names, began, Some(count));
        Ok(())
    }

    async fn seed(
        &self,
        files: &ProjectFiles,
        changed: &[String],
        tools: &mut WatchTools,
    ) -> Result<(), CommandError> {
        let names = changed.join(", ");
        if !self.is_wanted("Changed", &names, tools).await {
            let advice = "supabase-compat db push --include-seed runs them";
            print_line(&format!("Not run again ({advice}): {names}"));
            return Ok(());
        }
        let began = Instant::now();
        let done = files.seed_files(&self.owner, changed).await;
        done.map_err(|error| with_line(error.into(), &files.seeds))?;
        report(&names, began, None);
        Ok(())
    }

    async fn is_wanted(&self, subject: &str, names: &str, tools: &mut WatchTools) -> bool {
        match self.options.action {
            ChangeAction::Apply => true,
            ChangeAction::Ask => {
                tools.answers.ask(&format!("{subject}: {names}. Apply? [y/N]")).await
            }
        }
    }
}

/// Prints what was applied, how long it took, and the number of statements if it is known.
fn report(names: &str, began: Instant, statements: Option<usize>) {
    let milliseconds = began.elapsed().as_millis();
    print_line(&match statements {
        None => format!("Applied {names} in {milliseconds} ms"),
        Some(0) => format!("Applied {names} in {milliseconds} ms: the schema stays as it is"),
        Some(1) => format!("Applied {names} in {milliseconds} ms: 1 statement"),
        Some(count) => format!("Applied {names} in {milliseconds} ms: {count} statements"),
    });
}
