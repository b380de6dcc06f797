//! Repairs the migration history of a database, and compares it with a folder.

use std::fs;
use std::path::PathBuf;

use compat_pg::{OwnerDb, ProjectFile};
use compat_stack::print_line;

use super::{ProjectError, ProjectFiles, at, ledger, name, version};

/// The status of a version in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum HistoryStatus {
    /// The migration was applied.
    Applied,
    /// The migration was not applied.
    Reverted,
}

impl ProjectFiles {
    /// The folder `supabase`.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    /// The paths of the migrations, in order.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.migrations.iter().map(|file| self.folder.join(&file.path)).collect()
    }

    /// Reads the same folder again, without repeating the warnings of [`Self::read`].
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_again(&self) -> Result<Self, ProjectError> {
        Self::load(&self.folder, &self.settings, false)
    }

    /// The versions of the migrations, in order.
    pub fn versions(&self) -> Vec<&str> {
        self.migrations.iter().map(version).collect()
    }

    /// These files up to a version.
    ///
    /// # Errors
    /// [`ProjectError::NoVersion`].
    pub fn up_to(mut self, last: &str) -> Result<Self, ProjectError> {
        if !self.versions().contains(&last) {
            return Err(ProjectError::NoVersion(last.to_owned()));
        }
        self.migrations.retain(|file| version(file) <= last);
        Ok(self)
    }

    /// These files without the last ones.
    ///
    /// # Errors
    /// There are fewer migrations.
    pub fn without_last(mut self, count: usize) -> Result<Self, ProjectError> {
        let Some(rest) = self.migrations.len().checked_sub(count) else {
            let message =
                format!("there are {} migrations, fewer than {count}", self.migrations.len());
            return Err(ProjectError::Layout(message));
        };
        self.migrations.truncate(rest);
        Ok(self)
    }

    /// These files, applied without output.
    #[must_use]
    pub fn quiet(mut self) -> Self {
        self.is_quiet = true;
        self
    }

    /// These files without seeds.
    #[must_use]
    pub fn without_seeds(mut self) -> Self {
        self.seeds.clear();
        self
    }

    /// The migrations that the database lacks, in the order of their application.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub async fn pending_in(
        &self,
        owner: &OwnerDb,
        include_all: bool,
    ) -> Result<Vec<String>, ProjectError> {
        let mut ledger = ledger(owner).await?;
        let applied = ledger.versions().await;
        ledger.close().await?;
        let pending = self.pushable(&applied?, include_all)?;
        Ok(pending.iter().map(|file| name(&file.path).to_owned()).collect())
    }

    /// Records these versions, or all of the folder, as applied or not, without running statements.
    ///
    /// # Errors
    /// [`ProjectError::NoVersion`] if a version to record as applied has no file.
    pub async fn repair(
        &self,
        owner: &OwnerDb,
        versions: &[String],
        status: HistoryStatus,
    ) -> Result<(), ProjectError> {
        let named: Vec<String> = match versions.is_empty() {
            true => self.versions().into_iter().map(str::to_owned).collect(),
            false => versions.to_vec(),
        };
        let file_of = |version_to_repair: &String| {
            self.migrations.iter().find(|file| version(file) == version_to_repair)
        };
        // Checked before any change, so that either all versions are marked or none.
        if status == HistoryStatus::Applied
            && let Some(missing) = named.iter().find(|one| file_of(one).is_none())
        {
            return Err(ProjectError::NoVersion(missing.clone()));
        }
        let mut ledger = ledger(owner).await?;
        let mut done = Ok(());
        for one in &named {
            done = match (status, file_of(one)) {
                (HistoryStatus::Applied, Some(file)) => ledger.mark_applied(file).await,
                _ => ledger.mark_reverted(one).await.map(drop),
            };
            if done.is_err() {
                break;
            }
        }
        ledger.close().await?;
        done?;
        let word = match status {
            HistoryStatus::Applied => "applied",
            HistoryStatus::Reverted => "reverted",
        };
        print_line(&format!("Repaired migration history: [{}] => {word}", named.join(" ")));
        Ok(())
    }

    /// Runs the seed files at these paths in one transaction.
    ///
    /// # Errors
    /// A statement failed; the error contains its place.
    pub async fn seed_files(&self, owner: &OwnerDb, paths: &[String]) -> Result<(), ProjectError> {
        let is_named = |file: &&ProjectFile| paths.contains(&file.path);
        let seeds: Vec<ProjectFile> = self.seeds.iter().filter(is_named).cloned().collect();
        let mut ledger = ledger(owner).await?;
        let done = ledger.seed(&seeds).await;
        ledger.close().await?;
        done?;
        Ok(())
    }

    /// Writes the migrations that the database has and the folder lacks, from the statements in the
    /// ledger.
    ///
    /// # Errors
    /// A file cannot be written.
    pub async fn fetch(&self, owner: &OwnerDb) -> Result<Vec<PathBuf>, ProjectError> {
        let mut ledger = ledger(owner).await?;
        let files = ledger.files().await;
        ledger.close().await?;
        let is_missing =
            |file: &ProjectFile| self.migrations.iter().all(|one| version(one) != version(file));
        let mut paths = Vec::new();
        for file in files?.iter().filter(|file| is_missing(file)) {
            // Version and name come from the database and must not lead out of the folder.
            if file.path.split('/').count() != 2 {
                let message = format!("the database has a migration called {:?}", file.path);
                return Err(ProjectError::Layout(message));
            }
            let path = self.folder.join(&file.path);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(at(folder))?;
            }
            fs::write(&path, &file.text).map_err(at(&path))?;
            paths.push(path);
        }
        Ok(paths)
    }
}
