//! What a Supabase project's database contains besides its services' schemas, for a database whose
//! `public` nobody else defines: open default privileges, the objects that its migrations expect,
//! and notifications about schema changes. Also the project's own files: its migrations and seeds.

mod copies;
mod file_transaction;
mod files;
mod ledger;
mod preexisting;
mod statements;

pub use copies::{DatabaseCopy, copy_database, relax_durability};
pub use files::{ApplyReport, ProjectFile};
pub use ledger::{ProjectLedger, SchemaChange, run_script};
pub use preexisting::{PreexistingObjects, offered};
pub(crate) use statements::{SqlStatement, first_words, statements};

use include_dir::{Dir, include_dir};

use crate::{MigrationReport, OwnerDb, PgError, SchemaSource, migrate};

static SQL: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/sql/project");

/// The migrations that [`prepare_project`] applies. They are in the schema `extensions`, where
/// Supabase's images have the same functions.
pub const PROJECT: SchemaSource = SchemaSource { schema: "extensions", dir: &SQL };

/// Makes `public` what a project's migrations expect, after [`crate::ensure_roles`]:
///
/// - whatever the migrating login (or `postgres`, or `supabase_admin`) makes in `public` is granted
///   to `anon`, `authenticated` and `service_role`. This is done once: an operator who revokes it
///   is obeyed;
/// - roles, extensions, `realtime`, `graphql_public` and the publication `supabase_realtime` are there
///   under the names migrations use; also once;
/// - `extensions` is on the login's search path in this database, unless it has one set;
/// - the event triggers `pgrst_ddl_watch` and `pgrst_drop_watch` notify `pgrst` of what is made,
///   changed and dropped. Only a superuser may make them; without one a warning says what follows.
pub async fn prepare_project(owner: &OwnerDb) -> Result<MigrationReport, PgError> {
    prepare_search_path(owner).await?;
    let report = migrate(owner, &[PROJECT]).await?;
    warn_unless_watched(owner).await?;
    Ok(report)
}

/// The step of [`prepare_project`] before [`PROJECT`] is migrated, for a start that migrates it
/// together with other schemas.
pub async fn prepare_search_path(owner: &OwnerDb) -> Result<(), PgError> {
    let mut work = owner.begin().await?;
    sqlx::raw_sql(include_str!("../sql/project/search_path.sql")).execute(&mut *work).await?;
    let is_new: bool =
        sqlx::query_scalar("select current_setting('search_path') not like '%extensions%'")
            .fetch_one(&mut *work)
            .await?;
    work.commit().await?;
    // The new setting applies to connections opened from now on.
    if is_new {
        owner.renew();
    }
    Ok(())
}

/// The step of [`prepare_project`] after [`PROJECT`] was migrated.
pub async fn warn_unless_watched(owner: &OwnerDb) -> Result<(), PgError> {
    let watched = owner
        .answers(
            "select count(*) = 2 from pg_catalog.pg_event_trigger \
             where evtname in ('pgrst_ddl_watch', 'pgrst_drop_watch') and evtenabled <> 'D'",
        )
        .await?;
    if !watched {
        tracing::warn!(
            "new tables and functions are served only after `notify pgrst`: this login may not \
             make event triggers"
        );
    }
    Ok(())
}

/// Creates the roles that a project's dump names, where they are missing; to be called after
/// [`crate::ensure_roles`].
pub async fn name_roles(owner: &OwnerDb) -> Result<(), PgError> {
    let mut work = owner.begin().await?;
    sqlx::raw_sql(include_str!("../sql/project/named_roles.sql")).execute(&mut *work).await?;
    work.commit().await
}

/// Makes `supabase_admin` the owner of the services' schemas, so that programs which clear a
/// project leave them alone; to be called when all of them exist. Where `postgres` is a login
/// without superuser rights, it becomes the owner of the project's objects and gets the rights that
/// it has in hosted projects.
pub async fn own_schemas(owner: &OwnerDb) -> Result<(), PgError> {
    let mut work = owner.begin().await?;
    sqlx::raw_sql(include_str!("../sql/project/owners.sql")).execute(&mut *work).await?;
    sqlx::raw_sql(include_str!("../sql/project/raise_postgres.sql")).execute(&mut *work).await?;
    sqlx::raw_sql(include_str!("../sql/project/postgres.sql")).execute(&mut *work).await?;
    work.commit().await
}
