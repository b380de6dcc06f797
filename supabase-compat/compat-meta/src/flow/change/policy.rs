//! Policies of row level security.

use serde_json::Value;

use super::{Creation, text_of};
use crate::MetaError;
use crate::model::{Fields, identifier, qualified};
use crate::store::relation::Selection;

pub(super) fn create(fields: &Fields<'_>) -> Result<Creation, MetaError> {
    let (name, table) = (fields.required("name")?, fields.required("table")?);
    let schema = fields.text_or("schema", "public")?;
    let mut statements = format!(
        "create policy {} on {} as {} for {} to {}",
        identifier(&name),
        qualified(&schema, &table),
        fields.text_or("action", "PERMISSIVE")?,
        fields.text_or("command", "ALL")?,
        roles(&fields.texts("roles")?.unwrap_or_else(|| vec!["public".to_owned()]))
    );
    if let Some(definition) = fields.text("definition")? {
        statements += &format!(" using ({definition})");
    }
    if let Some(check) = fields.text("check")? {
        statements += &format!(" with check ({check})");
    }
    Ok(Creation {
        statements,
        selection: Selection::equal("schema", &schema)
            .and_equal("\"table\"", &table)
            .and_equal("name", &name),
        missing: format!("Cannot find a policy named {name} for table {schema}.{table}"),
    })
}

/// The name is changed last.
pub(super) fn update(fields: &Fields<'_>, old: &Value) -> Result<String, MetaError> {
    let table = qualified(text_of(old, "schema"), text_of(old, "table"));
    let alter = format!("alter policy {} on {table}", identifier(text_of(old, "name")));
    let mut statements = String::new();
    if let Some(definition) = fields.text("definition")? {
        statements += &format!("{alter} using ({definition});");
    }
    if let Some(check) = fields.text("check")? {
        statements += &format!("{alter} with check ({check});");
    }
    if let Some(names) = fields.texts("roles")? {
        statements += &format!("{alter} to {};", roles(&names));
    }
    if let Some(name) = fields.text("name")? {
        statements += &format!("{alter} rename to {};", identifier(&name));
    }
    Ok(statements)
}

pub(super) fn remove(old: &Value) -> String {
    let table = qualified(text_of(old, "schema"), text_of(old, "table"));
    format!("drop policy {} on {table}", identifier(text_of(old, "name")))
}

/// Some role names are keywords, which must not be quoted.
fn roles(names: &[String]) -> String {
    let role = |name: &String| match name.to_ascii_lowercase().as_str() {
        "public" | "current_role" => name.clone(),
        _ => identifier(name),
    };
    names.iter().map(role).collect::<Vec<_>>().join(", ")
}
