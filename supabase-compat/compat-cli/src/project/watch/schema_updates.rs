//! Applies changes of files that were applied before: the statements from the earlier files to the
//! current ones are found on a shadow server, which is kept, and run on the project's database.
//! Nothing else in the database changes, so manual changes stay.

use compat_pg::{OwnerDb, PgError, ProjectFile, ProjectLedger, SchemaChange};
use compat_stack::Settings;

use super::failure::with_line;
use crate::commands::{CommandError, SchemaComparison, SchemaDifference};
use crate::project::{ProjectError, ProjectFiles, ledger, version};

/// The name of statements that are not from a file.
const STATEMENTS: &str = "difference.sql";

/// Applies such changes to the database.
pub(super) struct SchemaUpdates {
    settings: Settings,
    owner: OwnerDb,
    /// Whether a change may lose rows.
    force: bool,
    comparison: Option<SchemaComparison>,
}

impl SchemaUpdates {
    pub fn new(settings: Settings, owner: OwnerDb, force: bool) -> Self {
        Self { settings, owner, force, comparison: None }
    }

    /// Starts the shadow server, so that the first change need not wait for it.
    ///
    /// # Errors
    /// The server cannot be started, or a file fails on it.
    pub async fn warm(&mut self, files: &ProjectFiles) -> Result<(), CommandError> {
        let (before, _) = self.base(files).await?;
        self.comparison().await?.prepare(&before).await
    }

    /// Applies the declared schemas to the database; returns the number of statements.
    ///
    /// # Errors
    /// A file fails, or statements lose rows or fail. Then nothing was changed.
    pub async fn apply_declared(&mut self, files: &ProjectFiles) -> Result<usize, CommandError> {
        let (before, are_migrations) = self.base(files).await?;
        let after = files.with_migrations(files.schemas.clone());
        let difference = self.difference(&before, &after).await?;
        if let Some(statements) = difference.removals().filter(|_| are_migrations && !self.force) {
            return Err(CommandError::Failed(format!(
                "the schemas do not declare what the migrations make (up --watch --force drops it): \
                 {statements}"
            )));
        }
        self.apply(&difference, SchemaChange::Declared(&files.schemas)).await
    }

    /// Applies the changes of edited migrations since they were `applied`. Their statements on rows
    /// are not run again.
    ///
    /// # Errors
    /// As [`Self::apply_declared`].
    pub async fn apply_edited(
        &mut self,
        files: &ProjectFiles,
        applied: &[ProjectFile],
        edited: &[ProjectFile],
    ) -> Result<usize, CommandError> {
        let now = |file: &ProjectFile| {
            let own = edited.iter().find(|one| version(one) == version(file));
            own.unwrap_or(file).clone()
        };
        let before = files.with_migrations(applied.to_vec());
        let after = files.with_migrations(applied.iter().map(now).collect());
        let difference = self.difference(&before, &after).await?;
        self.apply(&difference, SchemaChange::Migrations(edited)).await
    }

    /// Whether the declared schemas, as last applied, are equal to the result of all migrations.
    /// Then the database already has what the migrations create.
    ///
    /// # Errors
    /// A migration fails on a new database.
    pub async fn are_declared(&mut self, files: &ProjectFiles) -> Result<bool, CommandError> {
        let mut ledger = ledger(&self.owner).await?;
        let declared = ledger.declared().await;
        ledger.close().await?;
        let Some(declared) = declared? else { return Ok(false) };
        let before = files.with_migrations(declared);
        let after = files.with_migrations(files.migrations.clone());
        Ok(self.difference(&before, &after).await?.files.is_empty())
    }

    /// Stops the server.
    pub async fn end(self) {
        if let Some(comparison) = self.comparison {
            comparison.end().await;
        }
    }

    /// The files that the database was last brought to: the declared schemas, or else the
    /// migrations, and whether these are the migrations.
    async fn base(&self, files: &ProjectFiles) -> Result<(ProjectFiles, bool), CommandError> {
        let mut ledger = ledger(&self.owner).await?;
        let schema_base = base_of(&mut ledger).await;
        ledger.close().await?;
        let (schema_base, are_migrations) = schema_base?;
        Ok((files.with_migrations(schema_base), are_migrations))
    }

    async fn comparison(&mut self) -> Result<&mut SchemaComparison, CommandError> {
        let comparison = match self.comparison.take() {
            Some(comparison) => comparison,
            None => SchemaComparison::start(&self.settings).await?,
        };
        Ok(self.comparison.insert(comparison))
    }

    async fn difference(
        &mut self,
        before: &ProjectFiles,
        after: &ProjectFiles,
    ) -> Result<SchemaDifference, CommandError> {
        let difference_sql = self.comparison().await?.difference(before, after, &[]).await;
        difference_sql.map_err(|error| with_line(error, &after.migrations))
    }

    async fn apply(
        &self,
        difference: &SchemaDifference,
        change: SchemaChange<'_>,
    ) -> Result<usize, CommandError> {
        difference.warn();
        if let Some(statements) = difference.losses().filter(|_| !self.force) {
            return Err(CommandError::Failed(format!(
                "the change loses rows (up --watch --force applies it): {statements}"
            )));
        }
        let file = |text: &String| ProjectFile { path: STATEMENTS.to_owned(), text: text.clone() };
        let files: Vec<ProjectFile> = difference.files.iter().map(file).collect();
        let mut ledger = ledger(&self.owner).await?;
        let done = ledger.apply_change(&files, change).await;
        ledger.close().await?;
        done.map_err(|error| with_line(ProjectError::from(error).into(), &files))?;
        Ok(difference.statements)
    }
}

async fn base_of(ledger: &mut ProjectLedger) -> Result<(Vec<ProjectFile>, bool), PgError> {
    Ok(match ledger.declared().await? {
        Some(declared) => (declared, false),
        None => (ledger.files().await?, true),
    })
}
