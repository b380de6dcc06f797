//! A baseline: migrations that were rewritten and produce the schema that all earlier ones produced
//! together.
//!
//! A database with the earlier migrations is refused. It is upgraded by a backup with the version
//! that knows them and a restore with this one: the restored schema equals the baseline's, so only
//! the ledger is changed.

use sqlx::{Connection, PgConnection};

use super::ledger::Ledger;
use super::source::SchemaSource;
use super::versioned;
use crate::PgError;

/// Refuses a schema that the earlier migrations made.
pub(super) async fn refuse_earlier(
    session: &mut PgConnection,
    source: &SchemaSource,
) -> Result<(), PgError> {
    let Some(ledger) = Ledger::find(session, source.schema).await? else { return Ok(()) };
    if !source.precedes_baseline(&ledger.versions(session).await?)? {
        return Ok(());
    }
    Err(PgError::Ledger {
        schema: source.schema,
        problem: "an earlier version of this program made the database: export it with `backup` \
                  of that version and bring it into an empty data folder with `restore` of this \
                  one; nothing was changed"
            .to_owned(),
    })
}

/// Records the baseline in the ledger of a schema to which all of the earlier migrations were
/// applied.
pub(super) async fn adopt(
    session: &mut PgConnection,
    source: &SchemaSource,
) -> Result<(), PgError> {
    let Some(ledger) = Ledger::find(session, source.schema).await? else { return Ok(()) };
    let applied = ledger.versions(session).await?;
    if !source.precedes_baseline(&applied)? {
        return Ok(());
    }
    source.accept_earlier(&applied)?;
    let mut work = session.begin().await?;
    ledger.replace_versions(&mut work, &versioned::known(source)?).await?;
    Ok(work.commit().await?)
}

impl SchemaSource {
    /// Whether migrations from before the baseline made the schema, given the versions in its
    /// ledger.
    ///
    /// # Errors
    /// A file of this source is named wrongly.
    pub fn precedes_baseline(&self, applied: &[i64]) -> Result<bool, PgError> {
        if self.replaced_by_baseline().is_none() {
            return Ok(false);
        }
        let known = versioned::known(self)?;
        Ok(known.first().is_some_and(|oldest| applied.iter().any(|at| *at < oldest.version)))
    }

    /// Refuses a schema from before the baseline unless it equals the baseline.
    ///
    /// # Errors
    /// The newest migration of the schema is not the last one that the baseline replaces.
    pub fn accept_earlier(&self, applied: &[i64]) -> Result<(), PgError> {
        let (newest, replaced) = (applied.iter().max(), self.replaced_by_baseline());
        if newest == replaced.as_ref() {
            return Ok(());
        }
        let number = |version: Option<i64>| version.map_or("none".to_owned(), |at| at.to_string());
        Err(PgError::Ledger {
            schema: self.schema,
            problem: format!(
                "its newest migration is {}, and only {} can be continued: start the last version \
                 of the program that knows both on this data, and back it up again",
                number(newest.copied()),
                number(replaced)
            ),
        })
    }

    /// The last of the migrations that the baseline replaces.
    fn replaced_by_baseline(&self) -> Option<i64> {
        let file = self.dir.get_file(self.dir.path().join("migrations/replaces.txt"))?;
        file.contents_utf8()?.lines().find_map(|line| line.trim().parse().ok())
    }
}
