//! Schemas.

use serde_json::Value;

use super::{Creation, behaviour, text_of};
use crate::MetaError;
use crate::model::{Fields, identifier};
use crate::store::relation::Selection;

pub(super) fn create(fields: &Fields<'_>) -> Result<Creation, MetaError> {
    let name = fields.required("name")?;
    let owner = fields.text_or("owner", "postgres")?;
    Ok(Creation {
        statements: format!(
            "create schema {} authorization {}",
            identifier(&name),
            identifier(&owner)
        ),
        selection: Selection::equal("name", &name),
        missing: format!("Cannot find a schema named {name}"),
    })
}

pub(super) fn update(fields: &Fields<'_>, old: &Value) -> Result<String, MetaError> {
    let mut statements = String::new();
    let alter = format!("alter schema {}", identifier(text_of(old, "name")));
    if let Some(owner) = fields.text("owner")? {
        statements += &format!("{alter} owner to {};", identifier(&owner));
    }
    if let Some(name) = fields.text("name")? {
        statements += &format!("{alter} rename to {};", identifier(&name));
    }
    Ok(statements)
}

pub(super) fn remove(old: &Value, cascades: bool) -> String {
    format!("drop schema {} {}", identifier(text_of(old, "name")), behaviour(cascades))
}
