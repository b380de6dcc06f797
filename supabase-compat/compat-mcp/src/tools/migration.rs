//! The project's migrations.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::ToolError;
use crate::state::McpState;

/// The longest name that, with its version, still fits into a file name.
const LONGEST: usize = 200;

pub(super) async fn list(state: &McpState) -> Result<Value, ToolError> {
    let owner = &state.config().owner;
    let is_there = "select to_regclass('supabase_migrations.schema_migrations') is not null";
    if !owner.answers(is_there).await? {
        return Ok(json!({ "migrations": [] }));
    }
    let mut connection = owner.connection().await?;
    let listed: Value = sqlx::query_scalar(
        "select coalesce(
            jsonb_agg(
                jsonb_strip_nulls(jsonb_build_object('version', m.version, 'name', m.name))
                order by m.version
            ),
            '[]'
         )
         from supabase_migrations.schema_migrations as m",
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(compat_pg::PgError::from)?;
    Ok(json!({ "migrations": listed }))
}

#[derive(Deserialize)]
pub(super) struct Migration {
    name: String,
    query: String,
}

pub(super) async fn apply(
    state: &McpState,
    Migration { name, query }: Migration,
) -> Result<Value, ToolError> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || name.len() > LONGEST || !name.chars().all(is_of_name) {
        let problem = "name is of letters, digits, _ and -, at most 200 of them";
        return Err(ToolError::Arguments(problem.to_owned()));
    }
    let version = state.next_version().await;
    let (login, limits) = state.login(false).await?;
    login.migrate((&version, &name), &query, limits).await?;
    Ok(json!({ "success": true }))
}
