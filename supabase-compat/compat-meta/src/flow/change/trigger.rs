//! Triggers.

use serde_json::Value;

use super::{Creation, text_of};
use crate::MetaError;
use crate::model::{Fields, identifier, list_of_literals, qualified};
use crate::store::relation::Selection;

pub(super) fn create(fields: &Fields<'_>) -> Result<Creation, MetaError> {
    let (name, table) = (fields.required("name")?, fields.required("table")?);
    let schema = fields.text_or("schema", "public")?;
    let function_schema = fields.text_or("function_schema", "public")?;
    let function = qualified(&function_schema, &fields.required("function_name")?);
    let arguments = list_of_literals(&fields.texts("function_args")?.unwrap_or_default());
    let events = fields.texts("events")?;
    let events = events.ok_or_else(|| {
        MetaError::Invalid("body must have required property 'events'".to_owned())
    })?;
    let orientation = fields.text("orientation")?.map(|each| format!("for each {each}"));
    let condition = fields.text("condition")?.map(|condition| format!("when ({condition})"));
    let statements = format!(
        "create trigger {} {} {} on {} {} {} execute function {function}({arguments})",
        identifier(&name),
        fields.required("activation")?,
        events.join(" or "),
        qualified(&schema, &table),
        orientation.unwrap_or_default(),
        condition.unwrap_or_default()
    );
    Ok(Creation {
        statements,
        selection: Selection::equal("schema", &schema)
            .and_equal("\"table\"", &table)
            .and_equal("name", &name),
        missing: format!(
            "Cannot find a trigger with name {name} on table \"{schema}\".\"{table}\""
        ),
    })
}

/// The name is changed last. An unknown mode changes nothing.
pub(super) fn update(fields: &Fields<'_>, old: &Value) -> Result<String, MetaError> {
    let table = qualified(text_of(old, "schema"), text_of(old, "table"));
    let old_name = text_of(old, "name");
    let trigger = identifier(old_name);
    let mode = match fields.text("enabled_mode")?.as_deref() {
        Some("ORIGIN") => "enable",
        Some("DISABLED") => "disable",
        Some("REPLICA") => "enable replica",
        Some("ALWAYS") => "enable always",
        _ => "",
    };
    let mut statements = String::new();
    if !mode.is_empty() {
        statements += &format!("alter table {table} {mode} trigger {trigger};");
    }
    let name = fields.text("name")?;
    if let Some(name) = name.filter(|name| !name.is_empty() && name != old_name) {
        statements +=
            &format!("alter trigger {trigger} on {table} rename to {};", identifier(&name));
    }
    Ok(statements)
}

pub(super) fn remove(old: &Value, cascades: bool) -> String {
    let table = qualified(text_of(old, "schema"), text_of(old, "table"));
    let behaviour = if cascades { "cascade" } else { "" };
    format!("drop trigger {} on {table} {behaviour}", identifier(text_of(old, "name")))
}
