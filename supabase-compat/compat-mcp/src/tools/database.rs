//! Tables, extensions, and SQL.

use serde::Deserialize;
use serde_json::{Value, json};

use super::untrusted;
use crate::ToolError;
use crate::state::McpState;

/// The original's documentation of row level security.
const GUIDE: &str = "https://supabase.com/docs/guides/database/postgres/row-level-security";

#[derive(Deserialize)]
pub(super) struct TablesQuestion {
    #[serde(default = "public")]
    schemas: Vec<String>,
    #[serde(default)]
    verbose: bool,
}

fn public() -> Vec<String> {
    vec!["public".to_owned()]
}

pub(super) async fn list_tables(
    state: &McpState,
    question: TablesQuestion,
) -> Result<Value, ToolError> {
    let mut connection = state.config().owner.connection().await?;
    let listed: Value = sqlx::query_scalar(include_str!("../../sql/tables.sql"))
        .bind(question.schemas)
        .bind(question.verbose)
        .fetch_one(&mut *connection)
        .await
        .map_err(compat_pg::PgError::from)?;
    let mut answer = json!({ "tables": listed["tables"] });
    if let Some(open) = listed["open"].as_array().filter(|open| !open.is_empty()) {
        answer["advisory"] = advisory(open);
    }
    Ok(answer)
}

/// The warning that accompanies a list with tables without row level security.
fn advisory(open: &[Value]) -> Value {
    let texts = |name: &str| -> Vec<&str> {
        open.iter().filter_map(|table| table.get(name)?.as_str()).collect()
    };
    json!({
        "id": "rls_disabled",
        "priority": 1,
        "level": "critical",
        "title": "Row Level Security is disabled",
        "message": format!(
            "{} tables have no row level security: {}. Anyone with the public key can read and change \
             them. Tell the user. Do not enable it without being asked: without policies, nobody can \
             read or change the rows.",
            open.len(),
            texts("name").join(", "),
        ),
        "remediation_sql": texts("statement").join("\n"),
        "doc_url": GUIDE,
    })
}

pub(super) async fn list_extensions(state: &McpState) -> Result<Value, ToolError> {
    let mut connection = state.config().owner.connection().await?;
    let listed: Value = sqlx::query_scalar(include_str!("../../sql/extensions.sql"))
        .fetch_one(&mut *connection)
        .await
        .map_err(compat_pg::PgError::from)?;
    Ok(json!({ "extensions": listed }))
}

#[derive(Deserialize)]
pub(super) struct Sql {
    query: String,
}

pub(super) async fn execute_sql(
    state: &McpState,
    Sql { query }: Sql,
    is_read_only: bool,
) -> Result<Value, ToolError> {
    let (login, limits) = state.login(is_read_only).await?;
    let result = match is_read_only {
        true => login.read(&query, limits).await?,
        false => login.write(&query, limits).await?,
    };
    let rows = Value::Array(result.rows.into_iter().map(Value::Object).collect());
    let mut text = untrusted(state, &rows);
    if result.is_cut {
        text.push_str(&format!(
            "\n\nThere are more rows; only the first {} are shown.",
            limits.rows
        ));
    }
    Ok(json!({ "result": text }))
}
