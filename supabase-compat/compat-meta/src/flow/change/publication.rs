//! Publications.

use serde_json::Value;

use super::{Creation, text_of};
use crate::MetaError;
use crate::model::{Fields, identifier, literal, qualified};
use crate::store::relation::Selection;

/// The fields for the published operations, and the SQL of each operation.
const OPERATIONS: [(&str, &str); 4] = [
    ("publish_insert", "insert"),
    ("publish_update", "update"),
    ("publish_delete", "delete"),
    ("publish_truncate", "truncate"),
];

pub(super) fn create(fields: &Fields<'_>) -> Result<Creation, MetaError> {
    let name = fields.required("name")?;
    let tables = match fields.texts("tables")? {
        None => "for all tables".to_owned(),
        Some(tables) if tables.is_empty() => String::new(),
        Some(tables) => format!("for table {}", list(&tables)),
    };
    let operations = operations(fields, &Value::Null)?;
    let statements =
        format!("create publication {} {tables} with (publish = {operations})", identifier(&name));
    Ok(Creation {
        statements,
        selection: Selection::equal("name", &name),
        missing: format!("Cannot find a publication named {name}"),
    })
}

/// A publication for all tables cannot be altered into one for some tables, or the reverse, so it
/// is created again.
pub(super) fn update(fields: &Fields<'_>, old: &Value) -> Result<String, MetaError> {
    let (old_name, name) = (text_of(old, "name"), identifier(text_of(old, "name")));
    let mut statements = String::new();
    let tables = fields.texts("tables")?;
    match (fields.value("tables").map(|_| tables), old["tables"].as_array()) {
        (None, _) | (Some(None), None) => {}
        (Some(None), Some(_)) => {
            statements +=
                &format!("drop publication {name}; create publication {name} for all tables;");
        }
        (Some(Some(tables)), None) => {
            statements += &format!("drop publication {name}; create publication {name};");
            if !tables.is_empty() {
                statements += &format!("alter publication {name} add table {};", list(&tables));
            }
        }
        (Some(Some(tables)), Some(present)) => {
            let present: Vec<String> = present
                .iter()
                .map(|table| qualified(text_of(table, "schema"), text_of(table, "name")))
                .collect();
            if !tables.is_empty() {
                statements += &format!("alter publication {name} set table {};", list(&tables));
            } else if !present.is_empty() {
                let present = present.join(", ");
                statements += &format!("alter publication {name} drop table {present};");
            }
        }
    }
    let operations = operations(fields, old)?;
    statements += &format!("alter publication {name} set (publish = {operations});");
    if let Some(owner) = fields.text("owner")? {
        statements += &format!("alter publication {name} owner to {};", identifier(&owner));
    }
    if let Some(new) = fields.text("name")?.filter(|new| new != old_name) {
        statements += &format!("alter publication {name} rename to {};", identifier(&new));
    }
    Ok(statements)
}

pub(super) fn remove(old: &Value) -> String {
    format!("drop publication if exists {}", identifier(text_of(old, "name")))
}

/// The published operations: those of the fields, otherwise as before.
fn operations(fields: &Fields<'_>, old: &Value) -> Result<String, MetaError> {
    let mut words = Vec::new();
    for (field, word) in OPERATIONS {
        let before = old[field].as_bool().unwrap_or_default();
        if fields.flag(field)?.unwrap_or(before) {
            words.push(word);
        }
    }
    Ok(literal(&words.join(", ")))
}

/// The names of tables in the original's form: the text before the first point is the schema.
fn list(tables: &[String]) -> String {
    let table = |name: &String| match name.split_once('.') {
        Some((schema, table)) => qualified(schema, table),
        None => identifier(name),
    };
    tables.iter().map(table).collect::<Vec<_>>().join(", ")
}
