//! Rows and arguments as JSON schemas.

use compat_rest_core::SchemaCache;
use compat_rest_core::schema::{Column, Link, Routine, Table};
use serde_json::{Map, Value, json};

use super::DocumentScope;

/// The schema of every relation's rows.
pub(super) fn definitions(scope: &DocumentScope<'_>) -> Value {
    let each = scope.tables.iter().map(|table| {
        let properties: Map<String, Value> = table
            .columns()
            .iter()
            .map(|column| (column.name.to_string(), property(scope.cache, table, column)))
            .collect();
        let required: Vec<&str> =
            table.columns().iter().filter(|c| !c.nullable).map(|c| &*c.name).collect();
        let mut definition = json!({"type": "object", "properties": properties});
        put(&mut definition, "required", (!required.is_empty()).then(|| json!(required)));
        put(&mut definition, "description", table.description.as_deref().map(Value::from));
        (table.name.name.to_string(), definition)
    });
    Value::Object(each.collect())
}

/// The schema of a function's arguments as a body.
pub(super) fn arguments(scope: &DocumentScope<'_>, routine: &Routine) -> Value {
    let properties: Map<String, Value> = routine
        .params
        .iter()
        .map(|param| (param.name.to_string(), typed(scope.found_type(param))))
        .collect();
    let required: Vec<&str> =
        routine.params.iter().filter(|p| p.required).map(|p| &*p.name).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    put(&mut schema, "required", (!required.is_empty()).then(|| json!(required)));
    put(&mut schema, "description", routine.description.as_deref().map(Value::from));
    schema
}

fn property(cache: &SchemaCache, table: &Table, column: &Column) -> Value {
    let mut property = typed(&column.display_type);
    put(&mut property, "description", description(cache, table, column).map(Value::from));
    put(&mut property, "maxLength", column.max_length.map(Value::from));
    let choices = (!column.enum_values.is_empty()).then(|| json!(column.enum_values));
    put(&mut property, "enum", choices);
    put(&mut property, "default", default_value(column));
    property
}

/// A type as JSON Schema says it; JSON columns may hold anything.
pub(super) fn typed(display_type: &str) -> Value {
    let mut schema = json!({"format": format(display_type)});
    put(&mut schema, "type", json_type(display_type).map(Value::from));
    if let Some(element) = display_type.strip_suffix("[]") {
        let mut items = json!({});
        put(&mut items, "type", json_type(element).map(Value::from));
        put(&mut schema, "items", Some(items));
    }
    schema
}

/// A type's `format`: integers by their size, everything else by its own name.
pub(super) fn format(display_type: &str) -> &str {
    match display_type {
        "smallint" | "integer" => "int32",
        "bigint" => "int64",
        other => other,
    }
}

pub(super) fn json_type(display_type: &str) -> Option<&'static str> {
    match display_type {
        "boolean" => Some("boolean"),
        "smallint" | "integer" | "bigint" => Some("integer"),
        "numeric" | "real" | "double precision" => Some("number"),
        "json" | "jsonb" => None,
        array if array.ends_with("[]") => Some("array"),
        _ => Some("string"),
    }
}

fn put(object: &mut Value, key: &str, value: Option<Value>) {
    if let (Value::Object(object), Some(value)) = (object, value) {
        object.insert(key.to_owned(), value);
    }
}

/// The comment, with marks for keys that tools read.
fn description(cache: &SchemaCache, table: &Table, column: &Column) -> Option<String> {
    let mut marks = Vec::new();
    if table.primary_key.contains(&column.name) {
        marks.push("This is a Primary Key.<pk/>".to_owned());
    }
    if let Some((target, target_column)) = foreign_key(cache, table, column) {
        marks.push(format!(
            "This is a Foreign Key to `{target}.{target_column}`.<fk table='{target}' \
             column='{target_column}'/>"
        ));
    }
    if marks.is_empty() {
        return column.description.clone();
    }
    let note = format!("Note:\n{}", marks.join("\n"));
    Some(match &column.description {
        Some(comment) => format!("{comment}\n\n{note}"),
        None => note,
    })
}

/// The target of a key of this one column, tables before views.
fn foreign_key(cache: &SchemaCache, table: &Table, column: &Column) -> Option<(String, String)> {
    let known = cache.relationships.get(&table.name)?;
    let mut matching_keys: Vec<_> = known
        .iter()
        .filter_map(|relationship| match &relationship.link {
            Link::ManyToOne(key) | Link::OneToOne(key) => match key.columns.as_slice() {
                [(own, target)] if *own == column.name => Some((relationship, target)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    matching_keys.sort_by_key(|(relationship, _)| relationship.target_is_view);
    let (relationship, target) = matching_keys.first()?;
    Some((relationship.target.name.to_string(), target.to_string()))
}

/// A default as a JSON value: for a text type, the literal or else the SQL of the expression; for
/// any other type, the value if it is valid JSON.
fn default_value(column: &Column) -> Option<Value> {
    let text = column.default.as_ref()?.as_str();
    if json_type(&column.display_type) != Some("string") {
        return serde_json::from_str(text).ok();
    }
    let literal = text.strip_suffix(&format!("::{}", column.display_type));
    Some(literal.map_or(text, |literal| literal.trim_matches('\'')).into())
}
