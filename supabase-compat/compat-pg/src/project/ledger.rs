//! Applies a project's own migrations and seeds as the official CLI does: one transaction for each
//! file, and the statements stored in its ledger, `supabase_migrations.schema_migrations`.

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::file_transaction::FileTransaction;
use super::files::{ApplyReport, FOLDER, ProjectFile};
use super::statements::statements;
use crate::migrate::MIGRATION_LOCK;
use crate::text_table::{TextTable, read};
use crate::{OwnerDb, PgError};

/// How often a file is tried that ends in a deadlock.
const ATTEMPTS: u32 = 5;

/// What a change of the schema leads to, which is recorded together with its statements.
#[derive(Debug, Clone, Copy)]
pub enum SchemaChange<'a> {
    /// These files become the declared schemas.
    Declared(&'a [ProjectFile]),
    /// These migrations get these texts.
    Migrations(&'a [ProjectFile]),
}

/// Whether the session is the superuser `supabase_admin` and there is a `postgres` without
/// superuser rights, which shall own what a file creates.
const IS_SUPERUSER_BESIDE: &str = "select current_user = 'supabase_admin'
    and exists (select from pg_catalog.pg_roles where rolname = 'postgres' and rolcanlogin and not rolsuper)";

pub(super) const BE_POSTGRES: &str = "set session authorization postgres";

/// The ledger of one project's database, held by one process at a time.
pub struct ProjectLedger {
    session: PgConnection,
    /// Whether files run as `postgres` in a session of another login.
    is_for_postgres: bool,
    /// Extensions whose work this program does if the server lacks them.
    done_elsewhere: Vec<&'static str>,
}

impl ProjectLedger {
    /// Opens the ledger, and creates it if needed; waits for a migration that is running.
    /// Statements about the extensions `done_elsewhere` are skipped silently if the server lacks
    /// them.
    pub async fn open(owner: &OwnerDb, done_elsewhere: Vec<&'static str>) -> Result<Self, PgError> {
        let mut session = owner.session().await?;
        sqlx::query("set client_min_messages = warning").execute(&mut session).await?;
        sqlx::query("select pg_advisory_lock($1)")
            .bind(MIGRATION_LOCK)
            .execute(&mut session)
            .await?;
        let is_for_postgres: bool =
            sqlx::query_scalar(IS_SUPERUSER_BESIDE).fetch_one(&mut session).await?;
        if is_for_postgres {
            sqlx::raw_sql(BE_POSTGRES).execute(&mut session).await?;
        }
        sqlx::raw_sql(
            "create schema if not exists supabase_migrations;
             create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
             alter table supabase_migrations.schema_migrations
                 add column if not exists statements text[], add column if not exists name text;",
        )
        .execute(&mut session)
        .await?;
        Ok(Self { session, is_for_postgres, done_elsewhere })
    }

    /// The versions of the migrations applied, in order.
    pub async fn versions(&mut self) -> Result<Vec<String>, PgError> {
        let versions = sqlx::query_scalar(
            "select version from supabase_migrations.schema_migrations order by version",
        );
        Ok(versions.fetch_all(&mut self.session).await?)
    }

    /// Records a migration as applied, without running it.
    ///
    /// # Errors
    /// The database refuses or cannot be reached.
    pub async fn mark_applied(&mut self, file: &ProjectFile) -> Result<(), PgError> {
        record(&mut self.session, file).await
    }

    /// The declared schemas as [`Self::apply_change`] applied them last; `None` if it never did.
    ///
    /// # Errors
    /// The database refuses or cannot be reached.
    pub async fn declared(&mut self) -> Result<Option<Vec<ProjectFile>>, PgError> {
        let is_there: bool = sqlx::query_scalar(
            "select to_regclass('supabase_migrations.schema_files') is not null",
        )
        .fetch_one(&mut self.session)
        .await?;
        if !is_there {
            return Ok(None);
        }
        let rows: Vec<(String, String)> = sqlx::query_as(
            "select path, text from supabase_migrations.schema_files order by place",
        )
        .fetch_all(&mut self.session)
        .await?;
        Ok(Some(rows.into_iter().map(|(path, text)| ProjectFile { path, text }).collect()))
    }

    /// Runs the files' statements, one transaction for each file, and records in the last
    /// transaction what they lead to.
    ///
    /// # Errors
    /// [`PgError::Migration`] with line and column of the refused statement; the files before it
    /// stay applied.
    pub async fn apply_change(
        &mut self,
        files: &[ProjectFile],
        change: SchemaChange<'_>,
    ) -> Result<(), PgError> {
        let (last, before) = match files.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, files),
        };
        for file in before {
            let mut work = self.begin().await?;
            work.run(file, &statements(&file.text)).await?;
            work.commit().await?;
        }
        let mut work = self.begin().await?;
        if let Some(file) = last {
            work.run(file, &statements(&file.text)).await?;
        }
        match change {
            SchemaChange::Declared(declared) => work.record_declared(declared).await?,
            SchemaChange::Migrations(migrations) => {
                for file in migrations {
                    record(work.session, file).await?;
                }
            }
        }
        work.commit().await
    }

    /// Removes a migration from the ledger; what it created stays. Returns whether it was recorded.
    ///
    /// # Errors
    /// The database refuses or cannot be reached.
    pub async fn mark_reverted(&mut self, version: &str) -> Result<bool, PgError> {
        let deleted =
            sqlx::query("delete from supabase_migrations.schema_migrations where version = $1");
        let done = deleted.bind(version).execute(&mut self.session).await?;
        Ok(done.rows_affected() > 0)
    }

    /// The applied migrations as files, from the statements in the ledger.
    ///
    /// # Errors
    /// The database refuses or cannot be reached.
    pub async fn files(&mut self) -> Result<Vec<ProjectFile>, PgError> {
        let rows: Vec<(String, Option<String>, Option<Vec<String>>)> = sqlx::query_as(
            "select version, name, statements
             from supabase_migrations.schema_migrations
             order by version",
        )
        .fetch_all(&mut self.session)
        .await?;
        let file = |(version, name, statements): (String, Option<String>, Option<Vec<String>>)| {
            let text = statements.unwrap_or_default().into_iter().map(|one| format!("{one};\n"));
            ProjectFile {
                path: format!("migrations/{version}_{}.sql", name.unwrap_or_default()),
                text: text.collect(),
            }
        };
        Ok(rows.into_iter().map(file).collect())
    }

    /// Whether the database has been seeded, or there was nothing to seed it with.
    pub async fn is_seeded(&mut self) -> Result<bool, PgError> {
        let exists =
            sqlx::query_scalar("select to_regclass('supabase_migrations.seed_files') is not null");
        Ok(exists.fetch_one(&mut self.session).await?)
    }

    /// Applies a migration and records it, or does nothing at all.
    ///
    /// # Errors
    /// [`PgError::Migration`] with line and column of the refused statement.
    pub async fn apply(&mut self, file: &ProjectFile) -> Result<ApplyReport, PgError> {
        let mut attempts = 1;
        loop {
            match self.attempt(file).await {
                // A running service may use tables that the file locks; the deadlock rolled the
                // file back.
                Err(error) if is_deadlock(&error) && attempts < ATTEMPTS => attempts += 1,
                done => return done,
            }
        }
    }

    async fn attempt(&mut self, file: &ProjectFile) -> Result<ApplyReport, PgError> {
        let parts = statements(&file.text);
        let (version, name) = file.version().unwrap_or((&file.path, ""));
        let mut work = self.begin().await?;
        let applied = work.run(file, &parts).await?;
        let texts: Vec<&str> = parts.iter().map(|part| part.text).collect();
        sqlx::query(
            "insert into supabase_migrations.schema_migrations (version, name, statements)
             values ($1, $2, $3)",
        )
        .bind(version)
        .bind(name)
        .bind(texts)
        .execute(&mut *work.session)
        .await?;
        work.commit().await?;
        Ok(applied)
    }

    /// Runs the seed files, all of them or none, and records that the database is seeded.
    ///
    /// # Errors
    /// [`PgError::Migration`] with line and column of the refused statement.
    pub async fn seed(&mut self, files: &[ProjectFile]) -> Result<ApplyReport, PgError> {
        let mut work = self.begin().await?;
        let mut lacking = Vec::new();
        for file in files {
            lacking.extend(work.run(file, &statements(&file.text)).await?.lacking);
        }
        // The table is created even without seeds: its existence says that the database was set up.
        sqlx::raw_sql(
            "create table if not exists supabase_migrations.seed_files (path text not null primary key, hash text not null)",
        )
        .execute(&mut *work.session)
        .await?;
        for file in files {
            sqlx::query(
                "insert into supabase_migrations.seed_files (path, hash)
                 values ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'))
                 on conflict (path) do update set hash = excluded.hash",
            )
            .bind(format!("{FOLDER}/{}", file.path))
            .bind(&file.text)
            .execute(&mut *work.session)
            .await?;
        }
        work.commit().await?;
        Ok(ApplyReport { lacking })
    }

    async fn begin(&mut self) -> Result<FileTransaction<'_>, PgError> {
        sqlx::raw_sql("begin").execute(&mut self.session).await?;
        Ok(FileTransaction {
            session: &mut self.session,
            is_for_postgres: self.is_for_postgres,
            done_elsewhere: &self.done_elsewhere,
        })
    }

    /// Closes the ledger's session, which lets other processes migrate.
    pub async fn close(self) -> Result<(), PgError> {
        Ok(self.session.close().await?)
    }
}

/// Runs a file as `postgres` in a separate session, without a transaction around it, and returns
/// what its statements answered.
///
/// # Errors
/// [`PgError::Database`] when a statement is refused; a transaction that the file left open is
/// rolled back.
pub async fn run_script(owner: &OwnerDb, text: &str) -> Result<TextTable, PgError> {
    let mut session = owner.session().await?;
    let is_for_postgres: bool =
        sqlx::query_scalar(IS_SUPERUSER_BESIDE).fetch_one(&mut session).await?;
    if is_for_postgres {
        sqlx::raw_sql(BE_POSTGRES).execute(&mut session).await?;
    }
    // The text is the project's own, and runs in the project's database.
    let answered = read(&mut session, AssertSqlSafe(text.to_owned())).await;
    session.close().await?;
    answered
}

/// Records a migration as applied, with its current text.
async fn record(session: &mut PgConnection, file: &ProjectFile) -> Result<(), PgError> {
    let parts = statements(&file.text);
    let texts: Vec<&str> = parts.iter().map(|part| part.text).collect();
    let (version, name) = file.version().unwrap_or((&file.path, ""));
    sqlx::query(
        "insert into supabase_migrations.schema_migrations (version, name, statements)
         values ($1, $2, $3)
         on conflict (version)
         do update set name = excluded.name, statements = excluded.statements",
    )
    .bind(version)
    .bind(name)
    .bind(texts)
    .execute(session)
    .await?;
    Ok(())
}

fn is_deadlock(error: &PgError) -> bool {
    matches!(error, PgError::Migration { source, .. } if source.code() == Some("40P01"))
}
