//! Applies a project's own migrations and seeds as the official CLI does: one transaction for each
//! file, and the statements stored in its ledger, `supabase_migrations.schema_migrations`.

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::statements::{SqlStatement, statements};
use crate::migrate::{MIGRATION_LOCK, line_and_column};
use crate::text_table::{TextTable, read};
use crate::{OwnerDb, PgError};

/// The folder of a project to which the paths of its files are relative.
const FOLDER: &str = "supabase";

/// Extensions that projects create and hardly ever call. If the server lacks one, statements that
/// only name it are skipped; a call of its functions fails like one of a missing function.
const HARDLY_CALLED: [&str; 4] = ["http", "pg_graphql", "pgjwt", "pgsodium"];

/// Substitutes for the functions of `http`, whose work only code inside PostgreSQL could do: each
/// raises an error when it is called, so that a caller that catches errors continues. `{schema}` is
/// their schema.
const HTTP: &str = include_str!("../../sql/project/http.sql");

/// How often a file is tried that ends in a deadlock.
const ATTEMPTS: u32 = 5;

/// One file of SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFile {
    /// Path below `supabase/`, for instance `migrations/20260101000000_things.sql`.
    pub path: String,
    /// The SQL text.
    pub text: String,
}

impl ProjectFile {
    /// Version and name of a migration, `<digits>_<name>.sql`; `None` for any other file name.
    pub fn version(&self) -> Option<(&str, &str)> {
        let file = self.path.rsplit('/').next()?.strip_suffix(".sql")?;
        let (version, name) = file.split_once('_')?;
        let is_version = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
        is_version.then_some((version, name))
    }

    /// Extensions that the file creates and that the server must offer: all except those in
    /// `done_elsewhere` and those that are hardly ever called.
    pub fn extensions(&self, done_elsewhere: &[&str]) -> Vec<String> {
        let is_asked_for =
            |name: &String| !done_elsewhere.contains(&&**name) && !HARDLY_CALLED.contains(&&**name);
        statements(&self.text)
            .iter()
            .filter(|part| part.words().first().is_some_and(|word| word == "create"))
            .filter_map(extension_of)
            .filter(is_asked_for)
            .collect()
    }

    fn refused(&self, statement: &SqlStatement<'_>, source: PgError) -> PgError {
        let before = self.text.get(..statement.at).unwrap_or_default().chars().count();
        let position = source.database().and_then(|error| error.position);
        // Without a position in the statement, the statement's own position is taken.
        let (line, column) = line_and_column(&self.text, before + position.unwrap_or(1));
        PgError::Migration {
            schema: FOLDER,
            file: self.path.clone(),
            line: Some(line),
            column: Some(column),
            is_undone: false,
            source: Box::new(source),
        }
    }
}

/// What was skipped when a file was applied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApplyReport {
    /// Extensions that the file names and the server lacks.
    pub lacking: Vec<String>,
}

/// What a change of the schema leads to, which is recorded together with its statements.
#[derive(Debug, Clone, Copy)]
pub enum SchemaChange<'a> {
    /// These files become the declared schemas.
    Declared(&'a [ProjectFile]),
    /// These migrations get these texts.
    Migrations(&'a [ProjectFile]),
}

/// Extensions that have a system package `postgresql-<major>-<package>`, with the package.
const PACKAGES: [(&str, &str); 14] = [
    ("hll", "hll"),
    ("hypopg", "hypopg"),
    ("ip4r", "ip4r"),
    ("pg_partman", "partman"),
    ("pg_repack", "repack"),
    ("pgaudit", "pgaudit"),
    ("pgrouting", "pgrouting"),
    ("pgtap", "pgtap"),
    ("plpgsql_check", "plpgsql-check"),
    ("postgis", "postgis-3"),
    ("postgis_raster", "postgis-3"),
    ("postgis_topology", "postgis-3"),
    ("rum", "rum"),
    ("vector", "pgvector"),
];

/// A statement to run instead of one that creates an extension which the server lacks, if its
/// package is known: it raises an error that names the package.
fn instead_of(extension: &str) -> Option<String> {
    let (_, package) = PACKAGES.iter().find(|(name, _)| *name == extension)?;
    Some(format!(
        "do $$ begin raise exception 'extension \"{extension}\" is not available: the package \
         postgresql-%-{package} has it', current_setting('server_version_num')::int / 10000 \
         using errcode = '0A000'; end $$"
    ))
}

/// Whether the session is the superuser `supabase_admin` and there is a `postgres` without
/// superuser rights, which shall own what a file creates.
const IS_SUPERUSER_BESIDE: &str = "select current_user = 'supabase_admin'
    and exists (select from pg_catalog.pg_roles where rolname = 'postgres' and rolcanlogin and not rolsuper)";

const BE_POSTGRES: &str = "set session authorization postgres";

/// Gives `postgres` superuser rights for one statement, so that it still owns what the statement
/// creates; other sessions never see the rights, because they are removed before the commit.
const RAISE: &str = "reset session authorization; alter role postgres superuser;
    set session authorization postgres";
const LOWER: &str = "reset session authorization; alter role postgres nosuperuser;
    set session authorization postgres";

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
        let there =
            sqlx::query_scalar("select to_regclass('supabase_migrations.seed_files') is not null");
        Ok(there.fetch_one(&mut self.session).await?)
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

/// A file's transaction. It is begun and ended by SQL statements, because a file may end it itself.
struct FileTransaction<'a> {
    session: &'a mut PgConnection,
    is_for_postgres: bool,
    done_elsewhere: &'a [&'static str],
}

impl FileTransaction<'_> {
    /// Runs the statements one by one; if one is refused, everything is rolled back.
    async fn run(
        &mut self,
        file: &ProjectFile,
        parts: &[SqlStatement<'_>],
    ) -> Result<ApplyReport, PgError> {
        let mut lacking = Vec::new();
        for part in parts {
            let is_known =
                |name: &str| HARDLY_CALLED.contains(&name) || self.done_elsewhere.contains(&name);
            if let Some(extension) = extension_of(part).filter(|name| is_known(name))
                && !self.has_extension(&extension).await?
            {
                if extension == "http" && part.words().first().is_some_and(|word| word == "create")
                {
                    self.stand_in_for_http(file, part).await?;
                }
                if HARDLY_CALLED.contains(&&*extension) {
                    lacking.push(extension);
                }
                continue;
            }
            let made = extension_of(part)
                .filter(|_| part.words().first().is_some_and(|word| word == "create"));
            let instead = match made.and_then(|name| Some((instead_of(&name)?, name))) {
                Some((text, name)) if !self.has_extension(&name).await? => Some(text),
                _ => None,
            };
            // The text is the project's own, and runs in the project's database.
            let text = AssertSqlSafe(instead.unwrap_or_else(|| part.text.to_owned()));
            self.execute(file, part, text).await?;
        }
        // A file that empties the search path, as every dump does, must not affect the next file.
        lacking.dedup();
        self.reset().await?;
        Ok(ApplyReport { lacking })
    }

    /// Runs one statement; if it is refused, the transaction is rolled back.
    async fn execute(
        &mut self,
        file: &ProjectFile,
        part: &SqlStatement<'_>,
        text: AssertSqlSafe<String>,
    ) -> Result<(), PgError> {
        let is_raised = self.is_for_postgres && is_for_superusers(part);
        if is_raised {
            sqlx::raw_sql(RAISE).execute(&mut *self.session).await?;
        }
        if let Err(error) = sqlx::raw_sql(text).execute(&mut *self.session).await {
            sqlx::raw_sql("rollback").execute(&mut *self.session).await?;
            self.reset().await?;
            return Err(file.refused(part, error.into()));
        }
        if is_raised {
            sqlx::raw_sql(LOWER).execute(&mut *self.session).await?;
        }
        Ok(())
    }

    /// Creates the substitutes in the schema that the statement names, else in the current schema.
    async fn stand_in_for_http(
        &mut self,
        file: &ProjectFile,
        part: &SqlStatement<'_>,
    ) -> Result<(), PgError> {
        let schema = match schema_of(part) {
            Some(schema) => schema,
            None => {
                let current =
                    sqlx::query_scalar("select coalesce(current_schema(), 'public')::text");
                current.fetch_one(&mut *self.session).await?
            }
        };
        let quoted = format!("\"{}\"", schema.replace('"', "\"\""));
        self.execute(file, part, AssertSqlSafe(HTTP.replace("{schema}", &quoted))).await
    }

    async fn has_extension(&mut self, name: &str) -> Result<bool, PgError> {
        let there = sqlx::query_scalar(
            "select exists (select from pg_catalog.pg_available_extensions where name = $1)",
        );
        Ok(there.bind(name).fetch_one(&mut *self.session).await?)
    }

    async fn record_declared(&mut self, files: &[ProjectFile]) -> Result<(), PgError> {
        sqlx::raw_sql(
            "create table if not exists supabase_migrations.schema_files
                 (path text not null primary key, place int not null, text text not null);
             delete from supabase_migrations.schema_files",
        )
        .execute(&mut *self.session)
        .await?;
        let (mut paths, mut texts) = (Vec::new(), Vec::new());
        for file in files {
            paths.push(&*file.path);
            texts.push(&*file.text);
        }
        sqlx::query(
            "insert into supabase_migrations.schema_files (path, place, text)
             select path, place, text
             from unnest($1::text[], $2::text[]) with ordinality as file (path, text, place)",
        )
        .bind(paths)
        .bind(texts)
        .execute(&mut *self.session)
        .await?;
        Ok(())
    }

    async fn commit(self) -> Result<(), PgError> {
        sqlx::raw_sql("commit").execute(&mut *self.session).await?;
        Ok(())
    }

    /// Resets what a file has set for its session.
    async fn reset(&mut self) -> Result<(), PgError> {
        sqlx::raw_sql(
            "reset session authorization; reset role; reset all; set client_min_messages = warning",
        )
        .execute(&mut *self.session)
        .await?;
        if self.is_for_postgres {
            sqlx::raw_sql(BE_POSTGRES).execute(&mut *self.session).await?;
        }
        Ok(())
    }
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

/// Whether a statement needs a superuser and `raise_postgres.sql` does not handle it: statements
/// that create extensions fire event triggers, these do not.
fn is_for_superusers(statement: &SqlStatement<'_>) -> bool {
    let words = statement.words();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["create" | "alter", "event", "trigger", ..] => true,
        // Settings of any program, stored for a role or a database.
        ["alter", "role" | "user" | "database", rest @ ..] => rest.contains(&"set"),
        _ => false,
    }
}

/// The extension that a statement creates, changes, drops or comments on.
fn extension_of(statement: &SqlStatement<'_>) -> Option<String> {
    let words = statement.words();
    let mut rest = words.iter().map(String::as_str);
    match (rest.next()?, rest.next()?) {
        ("create" | "alter" | "drop", "extension") => {}
        ("comment", "on") if rest.next() == Some("extension") => {}
        _ => return None,
    }
    rest.find(|word| !["if", "not", "exists"].contains(word)).map(str::to_owned)
}

/// The schema that a statement names for an extension.
fn schema_of(statement: &SqlStatement<'_>) -> Option<String> {
    let words = statement.words();
    let at = words.iter().position(|word| word == "schema")?;
    words.get(at + 1).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_known_by_their_names() {
        let named = |path: &str| {
            let file = ProjectFile { path: path.to_owned(), text: String::new() };
            file.version().map(|(version, name)| (version.to_owned(), name.to_owned()))
        };
        let found = Some(("20260101".to_owned(), "make_things".to_owned()));
        assert_eq!(named("migrations/20260101_make_things.sql"), found);
        for other in [
            "migrations/README.md",
            "migrations/things.sql",
            "migrations/_x.sql",
            "migrations/1a_x.sql",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
    }

    #[test]
    fn extensions_are_told_that_somebody_else_has_to_offer() {
        let text = "create extension if not exists vector; create extension pgjwt;
            create extension pg_net; comment on extension postgis is 'x'; create table http ();";
        let file = ProjectFile { path: String::new(), text: text.to_owned() };
        assert_eq!(file.extensions(&["pg_net"]), ["vector"]);
    }

    #[test]
    fn a_statement_for_superusers_is_known() {
        let is = |text: &str| statements(text).first().is_some_and(is_for_superusers);
        for text in [
            "create event trigger watch on ddl_command_end execute function f()",
            "ALTER DATABASE postgres SET app.settings.url = 'x'",
            "alter role authenticator in database postgres set pgrst.db_max_rows to 7",
        ] {
            assert!(is(text), "{text}");
        }
        for text in [
            "create extension dblink",
            "create table event (trigger int)",
            "alter role reader createdb",
            "select 'alter role x set y'",
        ] {
            assert!(!is(text), "{text}");
        }
    }

    #[test]
    fn an_extension_is_recognised_in_whatever_names_it() {
        let about = |text: &str| statements(text).first().and_then(extension_of);
        let is = |text, name: &str| assert_eq!(about(text).as_deref(), Some(name), "{text}");
        is("CREATE EXTENSION IF NOT EXISTS \"pgjwt\" WITH SCHEMA extensions", "pgjwt");
        is("comment on extension pg_graphql is 'x'", "pg_graphql");
        is("drop extension if exists pg_net", "pg_net");
        assert_eq!(about("create table pgjwt (id int)"), None);
        assert_eq!(about("comment on table pgjwt is 'x'"), None);
    }
}
