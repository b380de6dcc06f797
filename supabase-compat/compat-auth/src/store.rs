//! The SQL of the schema `auth`, one file per table. A store never commits; nulls that SQL may have
//! left are tolerated.

use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{PgConnection, Postgres};

pub mod allowance;
pub mod audit;
pub mod authorization;
pub mod cleanup;
pub mod client;
pub mod consent;
pub mod custom_provider;
pub mod factor;
pub mod flow_state;
pub mod hook;
pub mod identity;
pub mod passkey;
pub mod pending;
pub mod refresh_token;
pub mod session;
pub mod user;

/// Runs a statement and ignores its rows.
async fn done(
    query: Query<'_, Postgres, PgArguments>,
    conn: &mut PgConnection,
) -> sqlx::Result<()> {
    query.execute(conn).await.map(drop)
}
