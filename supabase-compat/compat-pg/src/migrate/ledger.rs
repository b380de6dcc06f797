//! A schema's memory of what was applied to it.

use std::collections::HashMap;

use sqlx::PgConnection;

use super::{in_schema, quoted};
use crate::PgError;

/// Table of the applied steps, in sqlx's own layout.
const STEPS: &str = "compat_migrations";
/// Table of the standing files and the text they had.
const STANDING: &str = "compat_standing";

/// The ledger of one schema.
#[derive(Clone, Copy)]
pub(super) struct Ledger {
    schema: &'static str,
}

impl Ledger {
    /// Makes the schema and its ledger, unless they are there. The ledger refuses everyone but its
    /// owner, also where default privileges would open a new table.
    pub async fn open(session: &mut PgConnection, schema: &'static str) -> Result<Self, PgError> {
        let ledger = Self { schema };
        let exists: bool = sqlx::query_scalar(
            "select exists (select from pg_catalog.pg_class c \
             join pg_catalog.pg_namespace n on n.oid = c.relnamespace \
             where n.nspname = $1 and c.relname = $2)",
        )
        .bind(schema)
        .bind(STANDING)
        .fetch_one(&mut *session)
        .await?;
        if !exists {
            ledger.create(session).await?;
        }
        Ok(ledger)
    }

    async fn create(self, session: &mut PgConnection) -> Result<(), PgError> {
        let known: bool = sqlx::query_scalar(
            "select exists (select from pg_catalog.pg_namespace where nspname = $1)",
        )
        .bind(self.schema)
        .fetch_one(&mut *session)
        .await?;
        // `if not exists` would still ask for the right to create schemas, which the owner of one
        // schema need not have.
        if !known {
            sqlx::raw_sql(in_schema(self.schema, "create schema {schema}"))
                .execute(&mut *session)
                .await?;
        }
        sqlx::raw_sql(in_schema(self.schema, include_str!("../../sql/ledger.sql")))
            .execute(session)
            .await?;
        Ok(())
    }

    /// The table of the steps, as sqlx's migrator takes it.
    pub fn steps_table(self) -> String {
        format!("{}.{STEPS}", quoted(self.schema))
    }

    /// Times of the applied steps, oldest first.
    pub async fn steps(self, session: &mut PgConnection) -> Result<Vec<i64>, PgError> {
        let text = in_schema(
            self.schema,
            "select version from {schema}.compat_migrations order by version",
        );
        Ok(sqlx::query_scalar(text).fetch_all(session).await?)
    }

    /// Checksums of the standing files as they were last applied.
    pub async fn standing(
        self,
        session: &mut PgConnection,
    ) -> Result<HashMap<String, Vec<u8>>, PgError> {
        let text = in_schema(self.schema, "select file, checksum from {schema}.compat_standing");
        let rows: Vec<(String, Vec<u8>)> = sqlx::query_as(text).fetch_all(session).await?;
        Ok(rows.into_iter().collect())
    }

    /// Replaces what is remembered of the standing files.
    pub async fn remember(
        self,
        work: &mut PgConnection,
        files: HashMap<String, Vec<u8>>,
    ) -> Result<(), PgError> {
        let (names, sums): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        sqlx::raw_sql(in_schema(self.schema, "delete from {schema}.compat_standing"))
            .execute(&mut *work)
            .await?;
        let text = in_schema(
            self.schema,
            "insert into {schema}.compat_standing (file, checksum)
             select * from unnest($1::text[], $2::bytea[])",
        );
        sqlx::query(text).bind(names).bind(sums).execute(work).await?;
        Ok(())
    }
}
