//! The objects that exist in a prepared database before a hosted project's dump is restored.

use crate::{OwnerDb, PgError};

/// Schemas and extensions that exist before the dump is restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreexistingObjects {
    /// Names of schemas, without `public`.
    pub schemas: Vec<String>,
    /// Names of extensions that the server offers.
    pub extensions: Vec<String>,
}

impl PreexistingObjects {
    /// Creates the roles that only the hosted platform's grants name, and lists the existing
    /// objects.
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
