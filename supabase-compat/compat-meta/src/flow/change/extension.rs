//! Extensions.

use serde_json::Value;

use super::{Creation, behaviour, text_of};
use crate::MetaError;
use crate::model::{Fields, identifier, literal};
use crate::store::relation::Selection;

pub(super) fn create(fields: &Fields<'_>) -> Result<Creation, MetaError> {
    let name = fields.required("name")?;
    let mut statements = format!("create extension {}", identifier(&name));
    if let Some(schema) = fields.text("schema")? {
        statements += &format!(" schema {}", identifier(&schema));
    }
    if let Some(version) = fields.text("version")? {
        statements += &format!(" version {}", literal(&version));
    }
    if fields.flag("cascade")?.unwrap_or_default() {
        statements += " cascade";
    }
    Ok(Creation {
        statements,
        selection: Selection::equal("name", &name),
        missing: format!("Cannot find an extension named {name}"),
    })
}

pub(super) fn update(fields: &Fields<'_>, old: &Value) -> Result<String, MetaError> {
    let alter = format!("alter extension {}", identifier(text_of(old, "name")));
    let mut statements = String::new();
    if fields.flag("update")?.unwrap_or_default() {
        let version = fields.text("version")?;
        let version = version.map(|version| format!(" to {}", literal(&version)));
        statements += &format!("{alter} update{};", version.unwrap_or_default());
    }
    if let Some(schema) = fields.text("schema")? {
        statements += &format!("{alter} set schema {};", identifier(&schema));
    }
    Ok(statements)
}

pub(super) fn remove(old: &Value, cascades: bool) -> String {
    format!("drop extension {} {}", identifier(text_of(old, "name")), behaviour(cascades))
}
