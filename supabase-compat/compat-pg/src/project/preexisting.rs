//! What a dump of a hosted project finds in a database that was prepared for it.

use crate::{OwnerDb, PgError};

/// What is there before the dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreexistingObjects {
    /// Names of schemas, without `public`.
    pub schemas: Vec<String>,
    /// Names of extensions that the server offers.
    pub extensions: Vec<String>,
}

impl PreexistingObjects {
    /// Makes the roles that only a platform's grants name, and tells what there is.
    pub async fn prepare(owner: &OwnerDb) -> Result<Self, PgError> {
        let mut work = owner.connection().await?;
        sqlx::raw_sql(include_str!("../../sql/project/platform_roles.sql"))
            .execute(&mut *work)
            .await?;
        let schemas = sqlx::query_scalar(
            "select nspname::text from pg_catalog.pg_namespace where nspname <> 'public'",
        );
        let schemas = schemas.fetch_all(&mut *work).await?;
        drop(work);
        Ok(Self { schemas, extensions: offered(owner).await? })
    }
}

/// Names of the extensions that the server offers.
pub async fn offered(owner: &OwnerDb) -> Result<Vec<String>, PgError> {
    let mut work = owner.connection().await?;
    let names = sqlx::query_scalar("select name::text from pg_catalog.pg_available_extensions");
    Ok(names.fetch_all(&mut *work).await?)
}
