//! Columns.

use serde_json::Value;

use super::{Creation, behaviour, text_of};
use crate::MetaError;
use crate::model::{Fields, identifier, literal, literal_of, qualified, type_name};
use crate::store::relation::Selection;

/// The forms of a default value.
const FORMATS: [&str; 2] = ["expression", "literal"];
/// The modes of an identity column.
const GENERATIONS: [&str; 2] = ["BY DEFAULT", "ALWAYS"];

pub(super) fn create(fields: &Fields<'_>, table: &Value) -> Result<Creation, MetaError> {
    let (schema, table) = (text_of(table, "schema"), text_of(table, "name"));
    let (name, kind) = (fields.required("name")?, fields.required("type")?);
    let (column, qualified_table) = (identifier(&name), qualified(schema, table));
    let mut clauses = vec![type_name(&kind)];
    let default = default_of(fields)?;
    if fields.flag("is_identity")?.unwrap_or_default() {
        if default.is_some() {
            let text = "Columns cannot both be identity and have a default value";
            return Err(MetaError::Invalid(text.to_owned()));
        }
        let generation = generation(fields)?.unwrap_or("BY DEFAULT");
        clauses.push(format!("generated {generation} as identity"));
    } else if let Some(default) = default {
        clauses.push(format!("default {default}"));
    }
    for (field, when_true, when_false) in [
        ("is_nullable", "null", "not null"),
        ("is_primary_key", "primary key", ""),
        ("is_unique", "unique", ""),
    ] {
        if let Some(flag) = fields.flag(field)? {
            clauses.push(if flag { when_true } else { when_false }.to_owned());
        }
    }
    if let Some(check) = fields.text("check")? {
        clauses.push(format!("check ({check})"));
    }
    let clauses = clauses.join(" ");
    let mut statements = format!("alter table {qualified_table} add column {column} {clauses};");
    if let Some(comment) = fields.text("comment")? {
        let comment = literal(&comment);
        statements += &format!("comment on column {qualified_table}.{column} is {comment};");
    }
    Ok(Creation {
        statements,
        selection: Selection::equal("schema", schema)
            .and_equal("\"table\"", table)
            .and_equal("name", &name),
        missing: format!("Cannot find a column named {name} in table {schema}.{table}"),
    })
}

/// The type is changed before the default, null before identity, and the name last.
pub(super) fn update(
    fields: &Fields<'_>,
    old: &Value,
    check: Option<&str>,
) -> Result<String, MetaError> {
    let table = qualified(text_of(old, "schema"), text_of(old, "table"));
    let column = identifier(text_of(old, "name"));
    let alter = format!("alter table {table} alter column {column}");
    let mut statements = String::new();
    if let Some(is_nullable) = fields.flag("is_nullable")? {
        let word = if is_nullable { "drop" } else { "set" };
        statements += &format!("{alter} {word} not null;");
    }
    if let Some(kind) = fields.text("type")? {
        let kind = type_name(&kind);
        statements += &format!("{alter} set data type {kind} using {column}::{kind};");
    }
    if fields.flag("drop_default")?.unwrap_or_default() {
        statements += &format!("{alter} drop default;");
    } else if let Some(default) = default_of(fields)? {
        statements += &format!("{alter} set default {default};");
    }
    statements += &identity(fields, old, &alter)?;
    match (old["is_unique"].as_bool(), fields.flag("is_unique")?) {
        (Some(true), Some(false)) => statements += &drop_unique(old),
        (Some(false), Some(true)) => {
            statements += &format!("alter table {table} add unique ({column});");
        }
        _ => {}
    }
    if let Some(comment) = fields.text("comment")? {
        statements += &format!("comment on column {table}.{column} is {};", literal(&comment));
    }
    if fields.value("check").is_some() {
        statements += &replace_check(fields, old, &table, check)?;
    }
    if let Some(name) = fields.text("name")?.filter(|name| name != text_of(old, "name")) {
        let name = identifier(&name);
        statements += &format!("alter table {table} rename column {column} to {name};");
    }
    Ok(statements)
}

pub(super) fn remove(old: &Value, cascades: bool) -> String {
    let table = qualified(text_of(old, "schema"), text_of(old, "table"));
    let column = identifier(text_of(old, "name"));
    format!("alter table {table} drop column {column} {}", behaviour(cascades))
}

/// A query for the name of the first check constraint on only this column.
pub(super) fn check_of(old: &Value) -> String {
    format!(
        "select conname from pg_catalog.pg_constraint \
         where contype = 'c' and conrelid = {} and conkey = array[{}]::int2[] \
         order by oid limit 1",
        old["table_id"], old["ordinal_position"]
    )
}

fn default_of(fields: &Fields<'_>) -> Result<Option<String>, MetaError> {
    let Some(value) = fields.value("default_value") else { return Ok(None) };
    Ok(Some(match fields.choice("default_value_format", &FORMATS)? {
        Some("expression") => match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        },
        _ => literal_of(value),
    }))
}

fn generation(fields: &Fields<'_>) -> Result<Option<&'static str>, MetaError> {
    fields.choice("identity_generation", &GENERATIONS)
}

fn identity(fields: &Fields<'_>, old: &Value, alter: &str) -> Result<String, MetaError> {
    let generation = generation(fields)?;
    let is_identity = old["is_identity"].as_bool().unwrap_or_default();
    Ok(match (is_identity, fields.flag("is_identity")?) {
        (_, Some(false)) => format!("{alter} drop identity if exists;"),
        (true, None) if generation.is_none() => String::new(),
        (true, _) => format!("{alter} set generated {};", generation.unwrap_or("BY DEFAULT")),
        (false, None) => String::new(),
        (false, Some(true)) => {
            format!("{alter} add generated {} as identity;", generation.unwrap_or("BY DEFAULT"))
        }
    })
}

/// Drops every unique constraint on only this column, whatever its name.
fn drop_unique(old: &Value) -> String {
    format!(
        "do $$ declare one record; begin \
         for one in select conrelid, conname from pg_catalog.pg_constraint \
           where contype = 'u' and conrelid = {} and conkey = array[{}]::int2[] loop \
           execute format('alter table %s drop constraint %I', one.conrelid::regclass, one.conname); \
         end loop; end $$;",
        old["table_id"], old["ordinal_position"]
    )
}

/// Drops the present check constraint and adds another, which must refer to only this column.
fn replace_check(
    fields: &Fields<'_>,
    old: &Value,
    table: &str,
    present: Option<&str>,
) -> Result<String, MetaError> {
    let mut statements = String::new();
    if let Some(present) = present {
        statements += &format!("alter table {table} drop constraint {};", identifier(present));
    }
    let Some(check) = fields.text("check")? else { return Ok(statements) };
    let name = format!("{}_{}_check", text_of(old, "table"), text_of(old, "name"));
    statements +=
        &format!("alter table {table} add constraint {} check ({check});", identifier(&name));
    let proof = format!(
        "declare columns int2[]; begin \
         select conkey into columns from pg_catalog.pg_constraint \
           where conrelid = {} and conname = {}::name; \
         if coalesce(cardinality(columns), 0) = 0 then \
           raise exception 'error creating column constraint: check condition must refer to this column'; \
         elsif cardinality(columns) > 1 then \
           raise exception 'error creating column constraint: check condition cannot refer to multiple columns'; \
         elsif columns[1] <> {} then \
           raise exception 'error creating column constraint: check condition cannot refer to other columns'; \
         end if; end",
        old["table_id"],
        literal(&name),
        old["ordinal_position"]
    );
    // Quoted as a literal, because a name may contain the delimiter of a dollar-quoted string.
    statements += &format!("do {};", literal(&proof));
    Ok(statements)
}
