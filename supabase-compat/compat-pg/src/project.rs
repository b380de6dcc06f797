//! What a Supabase project's database has apart from its services' schemas, for a database whose
//! `public` nobody else defines: open default privileges, and a schema that is watched.

use include_dir::{Dir, include_dir};

use crate::{MigrationReport, OwnerDb, PgError, SchemaSource, migrate};

static SQL: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/sql/project");

/// Kept in `extensions`, where Supabase's images have the same functions.
const PROJECT: SchemaSource = SchemaSource { schema: "extensions", dir: &SQL };

/// Makes `public` what a project's migrations expect, after [`crate::ensure_roles`]:
///
/// - whatever the migrating login (or `postgres`, or `supabase_admin`) makes in `public` is granted
///   to `anon`, `authenticated` and `service_role`. This is done once: an operator who revokes it
///   is obeyed;
/// - the event triggers `pgrst_ddl_watch` and `pgrst_drop_watch` notify `pgrst` of what is made,
///   changed and dropped. Only a superuser may make them; without one a warning says what follows.
///
/// # Errors
/// As [`migrate`] has.
pub async fn prepare_project(owner: &OwnerDb) -> Result<MigrationReport, PgError> {
    let report = migrate(owner, &[PROJECT]).await?;
    let mut work = owner.begin().await?;
    let watched: bool = sqlx::query_scalar(
        "select count(*) = 2 from pg_catalog.pg_event_trigger \
         where evtname in ('pgrst_ddl_watch', 'pgrst_drop_watch') and evtenabled <> 'D'",
    )
    .fetch_one(&mut *work)
    .await?;
    if !watched {
        tracing::warn!(
            "new tables and functions are served only after `notify pgrst`: this login may not \
             make event triggers"
        );
    }
    Ok(report)
}
