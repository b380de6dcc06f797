//! Functions.

use serde_json::Value;

use super::{Creation, text_of};
use crate::MetaError;
use crate::model::{Fields, identifier, literal, qualified};
use crate::store::relation::Selection;

/// Settings whose values are lists of names, each of which is quoted separately.
const LISTS: [&str; 5] = [
    "search_path",
    "temp_tablespaces",
    "session_preload_libraries",
    "local_preload_libraries",
    "shared_preload_libraries",
];

pub(super) fn create(fields: &Fields<'_>) -> Result<Creation, MetaError> {
    let name = fields.required("name")?;
    let schema = fields.text_or("schema", "public")?;
    let definition = fields.required("definition")?;
    let arguments = fields.texts("args")?.unwrap_or_default().join(", ");
    let security = match fields.flag("security_definer")?.unwrap_or_default() {
        true => "security definer",
        false => "security invoker",
    };
    let settings =
        fields.settings("config_params")?.into_iter().map(|(name, value)| match value.as_str() {
            "FROM CURRENT" => format!("set {name} from current"),
            value => format!("set {name} to {value}"),
        });
    let statements = format!(
        "create function {}({arguments}) returns {} as {} language {} {} called on null input {security} {}",
        qualified(&schema, &name),
        fields.text_or("return_type", "void")?,
        literal(&definition),
        fields.text_or("language", "sql")?,
        fields.text_or("behavior", "VOLATILE")?,
        settings.collect::<Vec<_>>().join(" ")
    );
    Ok(Creation {
        statements,
        selection: Selection::equal("schema", &schema).and_equal("name", &name),
        missing: format!("Cannot find function \"{schema}\".\"{name}\"({arguments})"),
    })
}

/// The definition is replaced first, then the name, then the schema.
pub(super) fn update(fields: &Fields<'_>, old: &Value) -> Result<String, MetaError> {
    let schema = text_of(old, "schema");
    let mut name = text_of(old, "name").to_owned();
    let identity = text_of(old, "identity_argument_types");
    let mut statements = String::new();
    if let Some(definition) = fields.text("definition")? {
        statements += &replace(old, &definition);
    }
    if let Some(new) = fields.text("name")?.filter(|new| !new.is_empty() && *new != name) {
        let function = qualified(schema, &name);
        statements +=
            &format!("alter function {function}({identity}) rename to {};", identifier(&new));
        name = new;
    }
    if let Some(new) = fields.text("schema")?.filter(|new| !new.is_empty() && *new != schema) {
        let function = qualified(schema, &name);
        statements +=
            &format!("alter function {function}({identity}) set schema {};", identifier(&new));
    }
    Ok(statements)
}

pub(super) fn remove(old: &Value) -> String {
    let function = qualified(text_of(old, "schema"), text_of(old, "name"));
    format!("drop function {function}({}) restrict", text_of(old, "identity_argument_types"))
}

fn replace(old: &Value, definition: &str) -> String {
    let security = match old["security_definer"].as_bool().unwrap_or_default() {
        true => "security definer",
        false => "security invoker",
    };
    let settings = old["config_params"].as_object().into_iter().flatten().map(|(name, value)| {
        let value = value.as_str().unwrap_or_default();
        let value = match LISTS.contains(&name.as_str()) {
            true => value.to_owned(),
            false => literal(value),
        };
        // The name of an extension's setting contains a point.
        let name: Vec<String> = name.split('.').map(identifier).collect();
        format!("set {} to {value}", name.join("."))
    });
    format!(
        "create or replace function {}({}) returns {} as {} language {} {} called on null input {security} {};",
        qualified(text_of(old, "schema"), text_of(old, "name")),
        text_of(old, "argument_types"),
        text_of(old, "return_type"),
        literal(definition),
        identifier(text_of(old, "language")),
        text_of(old, "behavior"),
        settings.collect::<Vec<_>>().join(" ")
    )
}
