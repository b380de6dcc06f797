//! Standing files: the whole truth about grants, policies, triggers and functions, applied again
//! when any of them changed or a step ran underneath them.

use std::collections::HashMap;

use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::{
    ledger,
    source::{SchemaSource, SqlFile},
};
use crate::PgError;

/// Applies all of the schema's standing files in one transaction, or none when none changed.
pub(super) async fn apply(
    session: &mut PgConnection,
    source: &SchemaSource,
    stepped: bool,
) -> Result<Vec<String>, PgError> {
    let files = source.standing()?;
    let known = known(session, source.schema).await?;
    let changed = files.len() != known.len()
        || files.iter().any(|file| known.get(&file.path) != Some(&checksum(file)));
    if !changed && !stepped {
        return Ok(Vec::new());
    }
    let mut work = session.begin().await?;
    for file in &files {
        sqlx::raw_sql(file.text)
            .execute(&mut *work)
            .await
            .map_err(|error| file.refused(source.schema, error.into()))?;
    }
    remember(&mut work, source.schema, &files).await?;
    work.commit().await?;
    Ok(files.into_iter().map(|file| file.path).collect())
}

fn checksum(file: &SqlFile) -> Vec<u8> {
    Sha256::digest(file.text.as_bytes()).to_vec()
}

async fn known(
    session: &mut PgConnection,
    schema: &str,
) -> Result<HashMap<String, Vec<u8>>, PgError> {
    let text =
        format!("select file, checksum from {}.{}", ledger::quoted(schema), ledger::STANDING);
    let rows: Vec<(String, Vec<u8>)> =
        sqlx::query_as(AssertSqlSafe(text)).fetch_all(session).await?;
    Ok(rows.into_iter().collect())
}

async fn remember(work: &mut PgConnection, schema: &str, files: &[SqlFile]) -> Result<(), PgError> {
    let table = format!("{}.{}", ledger::quoted(schema), ledger::STANDING);
    let (names, sums): (Vec<_>, Vec<_>) =
        files.iter().map(|file| (file.path.clone(), checksum(file))).unzip();
    sqlx::raw_sql(AssertSqlSafe(format!("delete from {table}"))).execute(&mut *work).await?;
    sqlx::query(AssertSqlSafe(format!(
        "insert into {table} (file, checksum) select * from unnest($1::text[], $2::bytea[])"
    )))
    .bind(names)
    .bind(sums)
    .execute(work)
    .await?;
    Ok(())
}
