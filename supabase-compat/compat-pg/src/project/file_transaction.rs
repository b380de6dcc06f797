//! The transaction in which a project's file runs, and what replaces a statement about an extension
//! that the server lacks.

use sqlx::{AssertSqlSafe, PgConnection};

use super::files::{ApplyReport, ProjectFile};
use super::ledger::BE_POSTGRES;
use super::statements::SqlStatement;
use crate::PgError;

/// Extensions that projects create and hardly ever call. If the server lacks one, statements that
/// only name it are skipped; a call of its functions fails like one of a missing function.
pub(super) const HARDLY_CALLED: [&str; 4] = ["http", "pg_graphql", "pgjwt", "pgsodium"];

/// Substitutes for the functions of `http`, whose work only code inside PostgreSQL could do: each
/// raises an error when it is called, so that a caller that catches errors continues. `{schema}` is
/// their schema.
const HTTP: &str = include_str!("../../sql/project/http.sql");

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

/// Gives `postgres` superuser rights for one statement, so that it still owns what the statement
/// creates; other sessions never see the rights, because they are removed before the commit.
const RAISE: &str = "reset session authorization; alter role postgres superuser;
    set session authorization postgres";
const LOWER: &str = "reset session authorization; alter role postgres nosuperuser;
    set session authorization postgres";

/// A file's transaction. It is begun and ended by SQL statements, because a file may end it itself.
pub(super) struct FileTransaction<'a> {
    pub(super) session: &'a mut PgConnection,
    pub(super) is_for_postgres: bool,
    pub(super) done_elsewhere: &'a [&'static str],
}

impl FileTransaction<'_> {
    /// Runs the statements one by one; if one is refused, everything is rolled back.
    pub(super) async fn run(
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
            let new_extension = extension_of(part)
                .filter(|_| part.words().first().is_some_and(|word| word == "create"));
            let instead = match new_extension.and_then(|name| Some((instead_of(&name)?, name))) {
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
    pub(super) async fn execute(
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
            return Err(file.error_of(part, error.into()));
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
        let exists = sqlx::query_scalar(
            "select exists (select from pg_catalog.pg_available_extensions where name = $1)",
        );
        Ok(exists.bind(name).fetch_one(&mut *self.session).await?)
    }

    /// Replaces the recorded texts of the declared schemas.
    pub(super) async fn record_declared(&mut self, files: &[ProjectFile]) -> Result<(), PgError> {
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

    /// Commits the transaction.
    pub(super) async fn commit(self) -> Result<(), PgError> {
        sqlx::raw_sql("commit").execute(&mut *self.session).await?;
        Ok(())
    }

    /// Resets what a file has set for its session.
    pub(super) async fn reset(&mut self) -> Result<(), PgError> {
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
pub(super) fn extension_of(statement: &SqlStatement<'_>) -> Option<String> {
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
    use super::super::statements::statements;
    use super::*;

    #[test]
    fn statements_for_superusers_are_recognised() {
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
    fn extension_is_found_in_each_statement_about_it() {
        let about = |text: &str| statements(text).first().and_then(extension_of);
        let is = |text, name: &str| assert_eq!(about(text).as_deref(), Some(name), "{text}");
        is("CREATE EXTENSION IF NOT EXISTS \"pgjwt\" WITH SCHEMA extensions", "pgjwt");
        is("comment on extension pg_graphql is 'x'", "pg_graphql");
        is("drop extension if exists pg_net", "pg_net");
        assert_eq!(about("create table pgjwt (id int)"), None);
        assert_eq!(about("comment on table pgjwt is 'x'"), None);
    }
}
