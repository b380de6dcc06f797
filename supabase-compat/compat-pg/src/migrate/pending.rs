//! Determines what a migration would do, without doing it.

use sqlx::{Connection as _, PgConnection};

use super::ledger::Ledger;
use super::source::{SchemaSource, SqlFile};
use super::{baseline, repeatable, versioned};
use crate::{OwnerDb, PgError};

/// What [`super::migrate`] would do to one schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingMigrations {
    /// The schema.
    pub schema: &'static str,
    /// Whether the schema has no ledger yet: it would be created, or adopted if another program
    /// made it.
    pub is_new: bool,
    /// Versioned files that would run, in order: paths inside the schema's folder.
    pub versioned: Vec<String>,
    /// Repeatable files whose text is new or has changed, in the order of their names.
    pub changed: Vec<String>,
    /// Repeatable files that are in the ledger but no longer in this program.
    pub removed: Vec<String>,
}

impl PendingMigrations {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.versioned.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// What [`super::migrate`] would do, by schema; nothing is written.
///
/// # Errors
/// What `migrate` would refuse before it runs a file: a schema of a newer program or from before a
/// baseline, or a file that was changed after it had run.
pub async fn pending_migrations(
    owner: &OwnerDb,
    sources: &[SchemaSource],
) -> Result<Vec<PendingMigrations>, PgError> {
    let mut session = owner.session().await?;
    let mut list = Vec::new();
    for source in sources {
        baseline::refuse_earlier(&mut session, source).await?;
        list.push(pending(&mut session, source).await?);
    }
    session.close().await?;
    Ok(list)
}

/// Whether one of the files that would run cannot be rolled back.
pub(super) async fn has_irreversible(
    session: &mut PgConnection,
    sources: &[SchemaSource],
) -> Result<bool, PgError> {
    for source in sources {
        let applied = match Ledger::find(session, source.schema).await? {
            Some(ledger) => ledger.versions(session).await?,
            None => Vec::new(),
        };
        if versioned::runs_irreversible(source, &applied)? {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn pending(
    session: &mut PgConnection,
    source: &SchemaSource,
) -> Result<PendingMigrations, PgError> {
    let files = source.repeatable()?;
    let paths = |files: Vec<SqlFile>| files.into_iter().map(|file| file.path).collect();
    let Some(ledger) = Ledger::find(session, source.schema).await? else {
        return Ok(PendingMigrations {
            schema: source.schema,
            is_new: true,
            versioned: paths(versioned::pending(source, &[])?),
            changed: paths(files),
            removed: Vec::new(),
        });
    };
    let applied = ledger.checksums(session).await?;
    let known = match ledger.has_repeatable(session).await? {
        true => ledger.repeatable(session).await?,
        false => Default::default(),
    };
    let expected = repeatable::checksums(&files);
    let mut removed: Vec<String> =
        known.keys().filter(|path| !expected.contains_key(*path)).cloned().collect();
    removed.sort();
    let is_changed = |file: &SqlFile| known.get(&file.path) != expected.get(&file.path);
    Ok(PendingMigrations {
        schema: source.schema,
        is_new: false,
        versioned: paths(versioned::pending(source, &applied)?),
        changed: paths(files.into_iter().filter(is_changed).collect()),
        removed,
    })
}
