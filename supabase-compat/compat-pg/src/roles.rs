//! The roles that every service needs. They belong to the cluster, not to a database, so no
//! migration creates them.

use secrecy::{ExposeSecret as _, SecretString};

use crate::{OwnerDb, PgError};

/// Serialises two processes that start on one database at the same moment. Advisory locks belong to
/// a database and roles to the cluster, so a race with another database is retried instead.
///
/// Lock order: this lock is taken first in its transaction, before any row of the catalog, and
/// released when the roles exist; the migration lock is taken after that, never inside it.
const ROLES_LOCK: i64 = 0x726f_6c65_7300;

/// Makes sure that the roles every service relies on exist and belong together:
///
/// - `anon`, `authenticated`, `service_role`: what a caller can be; nobody logs in as one of them;
/// - `authenticator`: the login that may become one of the three and has no right of its own;
/// - `supabase_auth_admin`, `supabase_storage_admin`: the owners' names for the schemas of auth and
///   storage, where a dump expects one.
///
/// Safe to repeat and to run concurrently. An owner without superuser rights needs `CREATEROLE`. If
/// it may not grant `BYPASSRLS`, `service_role` is created without it and a warning says so.
pub async fn ensure_roles(owner: &OwnerDb) -> Result<(), PgError> {
    let mut attempts = 0;
    let bypasses = loop {
        match make(owner).await {
            Err(error) if is_concurrent_change(&error) && attempts < 10 => attempts += 1,
            outcome => break outcome?,
        }
    };
    if !bypasses {
        tracing::warn!(
            "service_role is subject to row security: this login may not give BYPASSRLS; \
             let a superuser run `alter role service_role bypassrls`"
        );
    }
    Ok(())
}

/// Whether sessions on two databases changed the same catalog row: the server reports that as an
/// internal error, a duplicate, or a serialization failure. The retry finds the work done.
pub(crate) fn is_concurrent_change(error: &PgError) -> bool {
    matches!(error.code(), Some("XX000" | "23505" | "42710" | "40001" | "40P01"))
}

/// Returns whether `service_role` escapes row security.
async fn make(owner: &OwnerDb) -> Result<bool, PgError> {
    let mut work = owner.begin().await?;
    sqlx::query("select pg_advisory_xact_lock($1)").bind(ROLES_LOCK).execute(&mut *work).await?;
    sqlx::raw_sql(include_str!("../sql/roles.sql")).execute(&mut *work).await?;
    let bypasses: bool = sqlx::query_scalar(
        "select rolbypassrls or rolsuper from pg_catalog.pg_roles where rolname = 'service_role'",
    )
    .fetch_one(&mut *work)
    .await?;
    work.commit().await?;
    Ok(bypasses)
}

/// Sets the password with which other programs sign in as `postgres` over TCP.
pub async fn set_programs_password(
    owner: &OwnerDb,
    password: &SecretString,
) -> Result<(), PgError> {
    let mut work = owner.begin().await?;
    sqlx::query("select set_config('compat.password', $1, true)")
        .bind(password.expose_secret())
        .execute(&mut *work)
        .await?;
    sqlx::raw_sql(
        // The password is set at every start, so its commit need not wait for the disk.
        "set local synchronous_commit = off;
         do $$ begin execute format(
            'alter role postgres password %L', current_setting('compat.password')
        ); end $$",
    )
    .execute(&mut *work)
    .await?;
    work.commit().await
}
