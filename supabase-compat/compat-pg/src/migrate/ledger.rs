//! The ledger of the files that were applied to a schema.

use std::collections::HashMap;

use sqlx::PgConnection;
use sqlx::migrate::Migration;

use super::{in_schema, quoted};
use crate::PgError;

/// Table of the applied versions, in sqlx's own layout.
const VERSIONED: &str = "compat_migrations";
/// Table of the repeatable files with the checksums of their applied texts.
const REPEATABLE: &str = "compat_repeatable";

/// The ledger of one schema.
#[derive(Clone, Copy)]
pub(super) struct Ledger {
    schema: &'static str,
}

impl Ledger {
    /// The ledger of a schema, if it has a table of versions.
    pub async fn find(
        session: &mut PgConnection,
        schema: &'static str,
    ) -> Result<Option<Self>, PgError> {
        let exists = exists(session, schema, VERSIONED).await?;
        Ok(exists.then_some(Self { schema }))
    }

    /// Creates the schema and its ledger, unless they exist. The ledger refuses everyone but its
    /// owner, even where default privileges would open a new table.
    pub async fn open(session: &mut PgConnection, schema: &'static str) -> Result<Self, PgError> {
        let ledger = Self { schema };
        if !exists(session, schema, REPEATABLE).await? {
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
        // `if not exists` would still require the right to create schemas, which the owner of one
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

    /// The qualified name of the table of versions, for sqlx's migrator.
    pub fn versions_table(self) -> String {
        format!("{}.{VERSIONED}", quoted(self.schema))
    }

    /// The applied versions with the checksums their files had, oldest first.
    pub async fn checksums(
        self,
        session: &mut PgConnection,
    ) -> Result<Vec<(i64, Vec<u8>)>, PgError> {
        let text = in_schema(
            self.schema,
            "select version, checksum from {schema}.compat_migrations order by version",
        );
        Ok(sqlx::query_as(text).fetch_all(session).await?)
    }

    /// Whether the ledger also has a table of repeatable files.
    pub async fn has_repeatable(self, session: &mut PgConnection) -> Result<bool, PgError> {
        exists(session, self.schema, REPEATABLE).await
    }

    /// The applied versions, oldest first.
    pub async fn versions(self, session: &mut PgConnection) -> Result<Vec<i64>, PgError> {
        let text = in_schema(
            self.schema,
            "select version from {schema}.compat_migrations order by version",
        );
        Ok(sqlx::query_scalar(text).fetch_all(session).await?)
    }

    /// Replaces all recorded versions by these migrations.
    pub async fn replace_versions(
        self,
        work: &mut PgConnection,
        migrations: &[Migration],
    ) -> Result<(), PgError> {
        sqlx::raw_sql(in_schema(self.schema, "delete from {schema}.compat_migrations"))
            .execute(&mut *work)
            .await?;
        for migration in migrations {
            let text = in_schema(
                self.schema,
                "insert into {schema}.compat_migrations
                     (version, description, success, checksum, execution_time)
                 values ($1, $2, true, $3, 0)",
            );
            sqlx::query(text)
                .bind(migration.version)
                .bind(&*migration.description)
                .bind(&*migration.checksum)
                .execute(&mut *work)
                .await?;
        }
        Ok(())
    }

    /// Checksums of the repeatable files when they were last applied, by path.
    pub async fn repeatable(
        self,
        session: &mut PgConnection,
    ) -> Result<HashMap<String, Vec<u8>>, PgError> {
        let text = in_schema(self.schema, "select file, checksum from {schema}.compat_repeatable");
        let rows: Vec<(String, Vec<u8>)> = sqlx::query_as(text).fetch_all(session).await?;
        Ok(rows.into_iter().collect())
    }

    /// Replaces the recorded checksums of the repeatable files.
    pub async fn remember(
        self,
        work: &mut PgConnection,
        files: HashMap<String, Vec<u8>>,
    ) -> Result<(), PgError> {
        let (names, sums): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        sqlx::raw_sql(in_schema(self.schema, "delete from {schema}.compat_repeatable"))
            .execute(&mut *work)
            .await?;
        let text = in_schema(
            self.schema,
            "insert into {schema}.compat_repeatable (file, checksum)
             select * from unnest($1::text[], $2::bytea[])",
        );
        sqlx::query(text).bind(names).bind(sums).execute(work).await?;
        Ok(())
    }
}

async fn exists(session: &mut PgConnection, schema: &str, table: &str) -> Result<bool, PgError> {
    let is_there = sqlx::query_scalar(
        "select exists (select from pg_catalog.pg_class c \
         join pg_catalog.pg_namespace n on n.oid = c.relnamespace \
         where n.nspname = $1 and c.relname = $2)",
    );
    Ok(is_there.bind(schema).bind(table).fetch_one(session).await?)
}
