//! Versioned files: run once, in the order of the time in their names, by sqlx's migrator.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{PgConnection, SqlSafeStr};

use super::ledger::Ledger;
use super::source::{SchemaSource, SqlFile};
use crate::PgError;

/// A file that starts with this line runs outside a transaction and holds a single statement.
const NO_TRANSACTION: &str = "-- no-transaction";

/// Applies the missing files and returns their paths.
pub(super) async fn apply(
    session: &mut PgConnection,
    ledger: Ledger,
    source: &SchemaSource,
) -> Result<Vec<String>, PgError> {
    let files = numbered(source)?;
    let before = ledger.versions(session).await?;
    refuse_gaps(source.schema, &files, &before)?;
    let mut migrator =
        Migrator::with_migrations(files.iter().map(|(at, file)| migration(*at, file)).collect());
    migrator.dangerous_set_table_name(ledger.versions_table());
    // The caller holds a lock that also covers the repeatable files.
    migrator.set_locking(false);
    migrator
        .run_direct(None, &mut *session, false)
        .await
        .map_err(|error| explain(source.schema, &files, error))?;
    Ok(files
        .into_iter()
        .filter(|(at, _)| !before.contains(at))
        .map(|(_, file)| file.path)
        .collect())
}

/// All versions in the form in which the ledger records them.
pub(super) fn known(source: &SchemaSource) -> Result<Vec<Migration>, PgError> {
    Ok(numbered(source)?.iter().map(|(at, file)| migration(*at, file)).collect())
}

/// The files that are not in the ledger yet.
///
/// # Errors
/// What [`apply`] would refuse before it runs a file.
pub(super) fn pending(
    source: &SchemaSource,
    applied: &[(i64, Vec<u8>)],
) -> Result<Vec<SqlFile>, PgError> {
    let files = numbered(source)?;
    let versions: Vec<i64> = applied.iter().map(|(version, _)| *version).collect();
    refuse_gaps(source.schema, &files, &versions)?;
    let error_of = |error| Err(explain(source.schema, &files, error));
    for (version, checksum) in applied {
        match files.iter().find(|(time, _)| time == version) {
            None => return error_of(MigrateError::VersionMissing(*version)),
            Some((time, file)) if *migration(*time, file).checksum != *checksum.as_slice() => {
                return error_of(MigrateError::VersionMismatch(*version));
            }
            Some(_) => {}
        }
    }
    Ok(files.into_iter().filter(|(at, _)| !versions.contains(at)).map(|(_, file)| file).collect())
}

/// Whether one of the files that are not in `applied` cannot be rolled back.
pub(super) fn runs_irreversible(source: &SchemaSource, applied: &[i64]) -> Result<bool, PgError> {
    let files = numbered(source)?;
    Ok(files.iter().any(|(time, file)| !applied.contains(time) && is_irreversible(file)))
}

/// Whether a file cannot be rolled back once it has run.
fn is_irreversible(file: &SqlFile) -> bool {
    file.text.starts_with(NO_TRANSACTION)
}

type NumberedFiles = Vec<(i64, SqlFile)>;

fn numbered(source: &SchemaSource) -> Result<NumberedFiles, PgError> {
    let mut files: NumberedFiles = Vec::new();
    for file in source.migrations()? {
        let problem = match time_of(&file) {
            None => format!("{} does not begin with its time", file.path),
            Some(time) if files.iter().any(|(other, _)| *other == time) => {
                format!("{} has the same time as another migration", file.path)
            }
            Some(time) => {
                files.push((time, file));
                continue;
            }
        };
        return Err(PgError::Ledger { schema: source.schema, problem });
    }
    files.sort_by_key(|(time, _)| *time);
    Ok(files)
}

/// The time with which a migration's name begins; it is the version.
fn time_of(file: &SqlFile) -> Option<i64> {
    file.stem().split('_').next()?.parse().ok()
}

/// Refuses a migration that is older than an applied one: it was written on another branch, and
/// applying it late would give this database an order that no other has.
fn refuse_gaps(
    schema: &'static str,
    files: &NumberedFiles,
    applied: &[i64],
) -> Result<(), PgError> {
    let Some(newest) = applied.last() else { return Ok(()) };
    let late = files.iter().find(|(time, _)| time < newest && !applied.contains(time));
    match late {
        None => Ok(()),
        Some((_, file)) => Err(PgError::Ledger {
            schema,
            problem: format!(
                "{} is older than a migration already applied; give it a later time",
                file.path
            ),
        }),
    }
}

fn migration(time: i64, file: &SqlFile) -> Migration {
    let description = file.stem().split_once('_').map_or("", |(_, words)| words).replace('_', " ");
    Migration::new(
        time,
        description.into(),
        MigrationType::Simple,
        file.text.into_sql_str(),
        is_irreversible(file),
    )
}

fn explain(schema: &'static str, files: &NumberedFiles, error: MigrateError) -> PgError {
    let file = |time: i64| files.iter().find(|(at, _)| *at == time).map(|(_, file)| file);
    let ledger = |problem: String| PgError::Ledger { schema, problem };
    match error {
        MigrateError::ExecuteMigration(cause, time) => match file(time) {
            Some(file) => file.error_of(schema, cause.into()),
            None => cause.into(),
        },
        MigrateError::Execute(cause) => cause.into(),
        MigrateError::VersionMismatch(time) => ledger(format!(
            "{} was changed after it was applied; migrations are append only",
            file(time).map_or("a migration", |file| file.path.as_str())
        )),
        MigrateError::VersionMissing(time) => ledger(format!(
            "migration {time} was applied by a newer version of this program and is unknown to this \
             one; start that version or a later one, or restore a backup of this version into an empty \
             data folder or database"
        )),
        other => ledger(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    #[test]
    fn random_names_give_times_or_none() {
        property_test("names of migrations", "[0-9_a-z./-]{0,30}(\\.sql)?", |path| {
            let file = SqlFile { path, text: "select 1" };
            if let Some(time) = time_of(&file) {
                assert!(file.stem().starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c)));
                assert!(!migration(time, &file).description.contains('_'));
            }
        });
    }
}
