//! Tables.

use serde_json::Value;

use super::{Creation, behaviour, text_of};
use crate::MetaError;
use crate::model::{Fields, identifier, literal, qualified};
use crate::store::relation::Selection;

pub(super) fn create(fields: &Fields<'_>) -> Result<Creation, MetaError> {
    let name = fields.required("name")?;
    let schema = fields.text_or("schema", "public")?;
    let table = qualified(&schema, &name);
    let mut statements = format!("create table {table} ();");
    if let Some(comment) = fields.text("comment")? {
        statements += &format!("comment on table {table} is {};", literal(&comment));
    }
    Ok(Creation {
        statements,
        selection: Selection::equal("schema", &schema).and_equal("name", &name).with_columns(true),
        missing: format!("Cannot find a table named {name} in schema {schema}"),
    })
}

/// The schema is changed after the other properties, and the name last.
pub(super) fn update(fields: &Fields<'_>, old: &Value) -> Result<String, MetaError> {
    let (old_schema, old_name) = (text_of(old, "schema"), text_of(old, "name"));
    let table = qualified(old_schema, old_name);
    let mut statements = String::new();
    for (field, when_true, when_false) in [
        ("rls_enabled", "enable row level security", "disable row level security"),
        ("rls_forced", "force row level security", "no force row level security"),
    ] {
        if let Some(flag) = fields.flag(field)? {
            statements +=
                &format!("alter table {table} {};", if flag { when_true } else { when_false });
        }
    }
    match fields.choice("replica_identity", &["DEFAULT", "INDEX", "FULL", "NOTHING"])? {
        None => {}
        Some("INDEX") => {
            let index = fields.required("replica_identity_index")?;
            let index = identifier(&index);
            statements += &format!("alter table {table} replica identity using index {index};");
        }
        Some(identity) => {
            statements += &format!("alter table {table} replica identity {identity};")
        }
    }
    if let Some(columns) = fields.objects("primary_keys")? {
        statements += &primary_key(&table, old, &columns)?;
    }
    if let Some(comment) = fields.text("comment")? {
        statements += &format!("comment on table {table} is {};", literal(&comment));
    }
    let schema = fields.text("schema")?;
    if let Some(schema) = &schema {
        statements += &format!("alter table {table} set schema {};", identifier(schema));
    }
    if let Some(name) = fields.text("name")?.filter(|name| name != old_name) {
        let moved = qualified(schema.as_deref().unwrap_or(old_schema), old_name);
        statements += &format!("alter table {moved} rename to {};", identifier(&name));
    }
    Ok(statements)
}

/// Drops the present primary key, whatever its name, and creates one of these columns.
fn primary_key(table: &str, old: &Value, columns: &[Fields<'_>]) -> Result<String, MetaError> {
    let mut statements = String::new();
    if old["primary_keys"].as_array().is_some_and(|keys| !keys.is_empty()) {
        statements += &format!(
            "do $$ begin execute (\
               select format('alter table %s drop constraint %I', conrelid::regclass, conname) \
               from pg_catalog.pg_constraint where contype = 'p' and conrelid = {}\
             ); end $$;",
            old["id"]
        );
    }
    let names: Vec<String> = columns
        .iter()
        .map(|column| Ok(identifier(&column.required("name")?)))
        .collect::<Result<_, MetaError>>()?;
    if !names.is_empty() {
        statements += &format!("alter table {table} add primary key ({});", names.join(", "));
    }
    Ok(statements)
}

pub(super) fn remove(old: &Value, cascades: bool) -> String {
    let table = qualified(text_of(old, "schema"), text_of(old, "name"));
    format!("drop table {table} {}", behaviour(cascades))
}
