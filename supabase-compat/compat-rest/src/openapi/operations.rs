//! Paths, their verbs and parameters.

use compat_rest_core::schema::{Routine, RoutineParam, Table, Volatility};
use serde_json::{Map, Value, json};

use super::definitions::{arguments, format, json_type};
use super::{DocumentScope, split_comment};

/// Media types of rows.
pub(super) const MEDIA_TYPES: [&str; 4] = [
    "application/json",
    "application/vnd.pgrst.object+json;nulls=stripped",
    "application/vnd.pgrst.object+json",
    "text/csv",
];

/// Every path of the schema.
pub(super) fn paths(scope: &DocumentScope<'_>) -> Value {
    let mut paths = Map::new();
    paths.insert("/".into(), root());
    for table in &scope.tables {
        paths.insert(format!("/{}", table.name.name), relation(table));
    }
    for routine in &scope.routines {
        paths.insert(format!("/rpc/{}", routine.name.name), function(scope, routine));
    }
    Value::Object(paths)
}

fn root() -> Value {
    json!({"get": {
        "tags": ["Introspection"],
        "summary": "OpenAPI description (this document)",
        "produces": ["application/openapi+json", "application/json"],
        "responses": {"200": {"description": "OK"}},
    }})
}

fn operation(
    tag: &str,
    comment: Option<&str>,
    parameters: Vec<Value>,
    responses: Value,
) -> Map<String, Value> {
    let (summary, description) = split_comment(comment);
    let mut operation = Map::new();
    operation.insert("tags".into(), json!([tag]));
    operation.extend(summary.map(|text| ("summary".to_owned(), text.into())));
    operation.extend(description.map(|text| ("description".to_owned(), text.into())));
    operation.insert("parameters".into(), Value::Array(parameters));
    operation.insert("responses".into(), responses);
    operation
}

fn relation(table: &Table) -> Value {
    let name = &*table.name.name;
    let references =
        |names: &[&str]| -> Vec<Value> { names.iter().map(|n| reference(n)).collect() };
    let filters =
        || table.columns().iter().map(|c| reference(&format!("rowFilter.{name}.{}", c.name)));
    let comment = table.description.as_deref();
    let make = |parameters: Vec<Value>, responses: Value| {
        Value::Object(operation(name, comment, parameters, responses))
    };
    let rows = json!({"type": "array", "items": {"$ref": format!("#/definitions/{name}")}});
    let reading =
        references(&["select", "order", "range", "rangeUnit", "offset", "limit", "preferCount"]);
    let mut verbs = Map::new();
    verbs.insert(
        "get".into(),
        make(
            filters().chain(reading).collect(),
            json!({
                "200": {"description": "OK", "schema": rows},
                "206": {"description": "Partial Content"},
            }),
        ),
    );
    if !(table.insertable || table.updatable || table.deletable) {
        return Value::Object(verbs);
    }
    // OPTIONS says which writes are possible; the document shows all or none.
    let body = format!("body.{name}");
    let created = json!({"201": {"description": "Created"}});
    verbs.insert("post".into(), make(references(&[&body, "select", "preferPost"]), created));
    let done = json!({"204": {"description": "No Content"}});
    let changing = filters().chain(references(&[&body, "preferReturn"])).collect();
    verbs.insert("patch".into(), make(changing, done.clone()));
    let deleting = filters().chain(references(&["preferReturn"])).collect();
    verbs.insert("delete".into(), make(deleting, done));
    Value::Object(verbs)
}

fn function(scope: &DocumentScope<'_>, routine: &Routine) -> Value {
    let tag = format!("(rpc) {}", routine.name.name);
    let comment = routine.description.as_deref();
    let make = |parameters: Vec<Value>| {
        let ok = json!({"200": {"description": "OK"}});
        let mut operation_object = operation(&tag, comment, parameters, ok);
        operation_object.insert("produces".into(), json!(MEDIA_TYPES.get(..3)));
        Value::Object(operation_object)
    };
    let body = json!({
        "name": "args",
        "in": "body",
        "required": true,
        "schema": arguments(scope, routine),
    });
    let mut verbs = Map::new();
    if routine.volatility != Volatility::Volatile {
        let arguments = routine.params.iter().map(|param| query_argument(scope, param));
        verbs.insert("get".into(), make(arguments.collect()));
    }
    verbs.insert("post".into(), make(vec![body, reference("preferParams")]));
    Value::Object(verbs)
}

fn query_argument(scope: &DocumentScope<'_>, param: &RoutineParam) -> Value {
    let data_type = scope.found_type(param);
    let element = data_type.strip_suffix("[]").unwrap_or(data_type);
    if param.variadic {
        return json!({
            "name": &*param.name,
            "in": "query",
            "required": param.required,
            "type": "array",
            "collectionFormat": "multi",
            "items": {"type": json_type(element).unwrap_or("string"), "format": format(element)},
        });
    }
    let plain = json_type(data_type).filter(|kind| *kind != "array");
    json!({
        "name": &*param.name,
        "in": "query",
        "required": param.required,
        "type": plain.unwrap_or("string"),
        "format": format(data_type),
    })
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/parameters/{name}")})
}

/// Parameters the operations refer to.
pub(super) fn parameters(scope: &DocumentScope<'_>) -> Value {
    let text = |name: &str, place: &str, description: &str| {
        json!({
            "name": name,
            "in": place,
            "description": description,
            "required": false,
            "type": "string",
        })
    };
    let prefer = |choices: &[&str]| {
        let mut parameter = text("Prefer", "header", "Preference");
        if let (Value::Object(fields), false) = (&mut parameter, choices.is_empty()) {
            fields.insert("enum".into(), json!(choices));
        }
        parameter
    };
    let returns = ["return=representation", "return=minimal", "return=none"];
    let resolutions = ["resolution=ignore-duplicates", "resolution=merge-duplicates"];
    let paging = "Limiting and Pagination";
    let mut unit = text("Range-Unit", "header", paging);
    if let Value::Object(fields) = &mut unit {
        fields.insert("default".into(), "items".into());
    }
    let mut all = Map::from_iter([
        ("preferParams".to_owned(), prefer(&[])),
        ("preferReturn".to_owned(), prefer(&returns)),
        ("preferCount".to_owned(), prefer(&["count=none"])),
        ("preferPost".to_owned(), prefer(&[returns.as_slice(), &resolutions].concat())),
        ("select".to_owned(), text("select", "query", "Filtering Columns")),
        ("on_conflict".to_owned(), text("on_conflict", "query", "On Conflict")),
        ("order".to_owned(), text("order", "query", "Ordering")),
        ("range".to_owned(), text("Range", "header", paging)),
        ("rangeUnit".to_owned(), unit),
        ("offset".to_owned(), text("offset", "query", paging)),
        ("limit".to_owned(), text("limit", "query", paging)),
    ]);
    for table in &scope.tables {
        let name = &*table.name.name;
        let body = json!({
            "name": name,
            "in": "body",
            "description": name,
            "required": false,
            "schema": {"$ref": format!("#/definitions/{name}")},
        });
        all.insert(format!("body.{name}"), body);
        for column in table.columns() {
            let mut filter = json!({
                "name": &*column.name,
                "in": "query",
                "required": false,
                "type": "string",
            });
            if let (Value::Object(fields), Some(comment)) = (&mut filter, &column.description) {
                fields.insert("description".into(), comment.as_str().into());
            }
            all.insert(format!("rowFilter.{name}.{}", column.name), filter);
        }
    }
    Value::Object(all)
}
