//! Copies of the database `postgres` on a throwaway server, in which the effects of a project's
//! files can be examined repeatedly without preparing a database each time.

use crate::{OwnerDb, PgError};

/// One of the two copies that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseCopy {
    /// The first copy.
    First,
    /// The second copy.
    Second,
}

impl DatabaseCopy {
    /// The name of its database.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "shadow_first",
            Self::Second => "shadow_second",
        }
    }

    /// The other copy.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// Creates a copy again. The copied database may have no sessions; the copy's owner is `postgres`,
/// too. Settings of roles in a database are not copied: see [`crate::prepare_search_path`].
///
/// # Errors
/// The server refuses a statement.
pub async fn copy_database(admin: &OwnerDb, copy: DatabaseCopy) -> Result<(), PgError> {
    let mut work = admin.connection().await?;
    let statements = match copy {
        DatabaseCopy::First => [
            "drop database if exists shadow_first with (force)",
            "create database shadow_first owner postgres template postgres",
            include_str!("../../sql/project/shadow_first.sql"),
        ],
        DatabaseCopy::Second => [
            "drop database if exists shadow_second with (force)",
            "create database shadow_second owner postgres template postgres",
            include_str!("../../sql/project/shadow_second.sql"),
        ],
    };
    for statement in statements {
        sqlx::raw_sql(statement).execute(&mut *work).await?;
    }
    Ok(())
}

/// Turns `fsync` off on a throwaway server.
///
/// # Errors
/// The server refuses a statement.
pub async fn relax_durability(owner: &OwnerDb) -> Result<(), PgError> {
    let mut work = owner.connection().await?;
    sqlx::raw_sql("alter system set fsync = off").execute(&mut *work).await?;
    sqlx::raw_sql("select pg_reload_conf()").execute(&mut *work).await?;
    Ok(())
}
