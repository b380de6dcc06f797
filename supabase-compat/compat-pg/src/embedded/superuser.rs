//! Finds the superuser of a cluster: `postgres`, or `supabase_admin` where `postgres` was demoted.

use sqlx::{ConnectOptions as _, Connection as _};

use crate::{PgError, address};

/// The login for people and other programs.
pub(super) const PROGRAMS: &str = "postgres";

/// The name of the cluster's first role, queried as the login `postgres`. If that is the superuser
/// and is to be demoted, it is renamed first and a new `postgres` is created.
pub(super) async fn settle(programs_url: &str, demotes: bool) -> Result<String, PgError> {
    let mut session = address::owner_options(programs_url)?.connect().await?;
    let name = "select rolname::text from pg_catalog.pg_roles where oid = 10";
    let mut superuser: String = sqlx::query_scalar(name).fetch_one(&mut session).await?;
    if demotes && superuser == PROGRAMS {
        let change = include_str!("../../sql/project/superuser.sql");
        sqlx::raw_sql(change).execute(&mut session).await?;
        superuser = sqlx::query_scalar(name).fetch_one(&mut session).await?;
        tracing::info!("postgres has no superuser rights from now on; supabase_admin has them");
    }
    session.close().await?;
    Ok(superuser)
}
